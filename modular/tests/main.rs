//! The tests of this crate are one program.

mod algebra;
