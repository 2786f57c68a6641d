//! What objects are and how they flow: allocation sites, objects, sets of them, the graph along which they go, and the code
//! that says which way.

pub mod code;
pub mod cycles;
pub mod graph;
pub mod id;
pub mod object;
pub mod set;
pub mod sets;
pub mod site;
