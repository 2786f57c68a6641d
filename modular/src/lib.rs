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

use static_typer::points_to::Resolution;
use static_typer::program::Program;

pub use call_graph::CallGraph;

/// What the instructions of a program name, and which locks they hold, as [`analysis::Analysis`] takes it.
#[must_use]
pub fn resolution(program: &Program) -> Resolution<'_> {
    Resolution::of(program).for_summaries()
}
