//! How far the call paths of races were looked for, for people and programs.

use schemars::JsonSchema;
use serde::Serialize;

/// How far the call paths of a race were looked for.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Paths {
    /// On them two threads can come to one object, as far as the analysis can tell.
    Possible,
    /// The search ended at a bound: there may be other or better paths, and these need not bring both threads to one object.
    CutShort,
    /// There are no two such paths. What is shown are calls that lead to the accesses, whatever they pass on.
    Unmatched,
}

impl Paths {
    /// What a reader of these paths should know.
    pub const fn caveat(self) -> Option<&'static str> {
        match self {
            Self::Possible => None,
            Self::CutShort => Some("the search for these paths was cut short, so others may lead there"),
            Self::Unmatched => Some("these calls lead there, but need not bring both threads to one object"),
        }
    }
}
