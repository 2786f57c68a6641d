//! How far the call paths of races were looked for, for people and programs.

use schemars::JsonSchema;
use serde::Serialize;

use super::report::{RaceView, Report};
use crate::report::words::count;

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

impl Report {
    /// Of how many races the search for paths did not come to its end, and what that means; nothing where it always did.
    pub fn path_lines(&self) -> Vec<String> {
        let races = || self.counting().flat_map(|variable| &variable.races);
        let races_with = |paths: Paths| {
            let number = races().filter(|race: &&RaceView| race.paths == Some(paths)).count() as u64;
            (number > 0).then(|| count(number, "race"))
        };
        let cut = races_with(Paths::CutShort).map(|races| {
            format!(
                "call paths: the search was cut short for {races}: they may happen all the same, but not by the calls that are shown; \
                 --path-states N looks further"
            )
        });
        let unmatched = races_with(Paths::Unmatched).map(|races| {
            format!(
                "call paths: for {races} there are no two on which two threads come to one object, as far as the search can tell: calls \
                 that lead to the accesses are shown instead, and a false alarm is likely"
            )
        });
        cut.into_iter().chain(unmatched).collect()
    }
}
