//! The tests of this crate are one program.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "tests read files and say what they count")]

mod algebra;
mod environments;
mod execution;
mod joins;
mod ordering;
mod programs;
mod seeds;
mod store;
