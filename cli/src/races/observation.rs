//! What a report says of runs.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A variable by the name that both sides have for it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// `bank.Account.balance`.
    Field(String),
    /// The type of an array or a container: runs tell them apart by where they are loaded from, the analysis by where they are made.
    Array(String),
    /// The class of an object whose fields are taken together.
    Object(String),
}

/// Whether a run has shown a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Observation {
    /// It has.
    Confirmed,
    /// Only the order in which threads took locks kept the accesses apart.
    Possible,
    /// Two threads came to the variable in one object, and it did not race.
    Exercised,
    /// No two threads came to it, as far as it was checked.
    NotExercised,
    /// Runs do not check it: it is inside the JDK.
    NotChecked,
}

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

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Observation {
    /// Every one, the strongest first.
    pub const ALL: [Self; 5] = [Self::Confirmed, Self::Possible, Self::Exercised, Self::NotExercised, Self::NotChecked];

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Possible => "possible",
            Self::Exercised => "exercised",
            Self::NotExercised => "not-exercised",
            Self::NotChecked => "not-checked",
        }
    }

    /// In words that follow a race.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Confirmed => "Confirmed at run time",
            Self::Possible => {
                "Possible at run time, where only the order in which threads took locks kept the accesses apart"
            }
            Self::Exercised => "Exercised at run time without racing",
            Self::NotExercised => "Not exercised at run time",
            Self::NotChecked => "Not checked at run time",
        }
    }
}
