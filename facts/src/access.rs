//! Accesses: what is touched, and how.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether an access reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AccessKind {
    /// The access leaves the location as it was.
    Read,
    /// The access stores to the location.
    Write,
}

/// What a held lock permits its holder to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LockMode {
    /// Held by at most one thread: protects reads and writes.
    Exclusive,
    /// The read mode of a read-write lock: protects reads only.
    Shared,
}

/// How finely shadow state is kept for the fields of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// One state for each field of each object.
    #[default]
    Field,
    /// One state for each object, as in section 2.1 of the ASE'05 paper.
    Object,
}

impl Granularity {
    /// Its name as a value of the option, and in findings files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Object => "object",
        }
    }
}

/// How finely shadow state is kept for arrays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArrayGranularity {
    /// One state for the whole array.
    #[default]
    Object,
    /// One state for each element.
    Element,
    /// Arrays are not checked.
    Off,
}
