//! Harness for the end-to-end tests: finds JDKs, compiles Java, runs it under the agent, and compares what was found with
//! what the sources expect.
#![allow(clippy::disallowed_methods, reason = "a test harness reads and writes files")]

mod compiler;
pub mod demos;
pub mod expect;
pub mod fixture;
pub mod generator;
pub mod jdk;
pub mod launch;
pub mod maven;
pub mod pairs;
pub mod run;
pub mod variants;

use std::path::PathBuf;

/// The root of the checkout.
#[must_use]
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
