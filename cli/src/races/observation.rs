//! What a report says of runs as a whole.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// What runs have shown.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Observed {
    /// Where their findings lie.
    pub directory: PathBuf,
    /// How many JVMs were seen.
    pub jvms: usize,
    /// How many variables of the report they have shown to race.
    pub confirmed: usize,
    /// Of how many they have shown that only the order of locks kept the accesses apart.
    pub possible: usize,
    /// How many two threads came to without a race.
    pub exercised: usize,
    /// What they have shown and the report does not have.
    pub missed: Vec<Missed>,
}

/// A race that a run has shown and the analysis has not found.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Missed {
    /// `field bank.Account.balance (int)`.
    pub variable: String,
    /// What was assumed that leaves it out; none if nothing was: a mistake of the analysis.
    pub excluded_by: Option<String>,
}
