//! Checkers of atomicity against brute force, tables and each other.

mod block_tests;
mod brute_force;
mod cost;
mod oracle;
mod pool_tests;
mod programs;
