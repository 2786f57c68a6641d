//! Clocks against the naive twin, on random streams.

mod agreement;
mod graph;
pub mod programs;
