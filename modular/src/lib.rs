//! Races by method summaries (paper 003): each method is analysed once, with what its callers pass left open, and its summary
//! is instantiated where it is called.
//!
//! What it can miss: what reflection and native methods do, objects that only a library makes, what a library does with objects
//! besides keeping them, calling them back and giving them back, and what others see of objects that are published without order
//! while they are made. What it reports too much: what volatile fields, queues, and joins in other methods than the start order.

pub mod analysis;
mod build;
mod call_graph;
pub mod check;
mod components;
pub mod environment;
mod everything;
pub mod explain;
mod fresh;
pub mod library;
pub mod limits;
pub mod multiplicity;
pub mod node;
pub mod regions;
mod sequence;
mod solver;
pub mod store;
pub mod summary;
mod work;

pub use call_graph::CallGraph;
