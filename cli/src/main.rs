//! The command jrace.
fn main() {}
