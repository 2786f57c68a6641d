//! Races by method summaries (paper 003): each method is analysed once, with what its callers pass left open, and its summary
//! is instantiated where it is called.

pub mod execution;
pub mod multiplicity;
pub mod ordering;
