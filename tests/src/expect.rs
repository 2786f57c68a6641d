//! Expectations that stand as comments in Java sources.
//!
//! - `// race: Counter.count` — must be reported;
//! - `// false-alarm: Grid.cells[] -- reason` — is reported although something the checker cannot see orders the accesses;
//! - `// missed: Pool.closed -- reason` — a real race that the checker does not report;
//! - `// ordered: Grid.cells[] -- reason` — no race, and only a checker that knows no order (`check=eraser`) reports it;
//! - `// chance: Flight.seats[] -- reason` — a race that such a checker reports, and others only in some runs;
//! - `// chance-alarm: Grid.cells[] -- reason` — no race; such a checker reports it, and others only in some runs;
//! - `// overlooked: Bank.last -- reason` — a race that such a checker does not report.
//!
//! Of checkers of other things ([`Expectations::of_rule`]):
//!
//! - `// atomicity: Seats.reserve` — an execution of the method, or of a synchronized block in it, is not atomic;
//! - `// deadlock: Account.deposit, Account.transfer` — these methods take locks in orders that can deadlock.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use anyhow::Result;

/// What a comment says of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A race, or what the rule is about: it must be reported.
    Race,
    /// Reported, but no race.
    FalseAlarm,
    /// A race, but not reported.
    Missed,
    /// No race, and not reported where order counts.
    Ordered,
    /// A race that is reported where order counts.
    Overlooked,
    /// A race that may not come about in a run; then it is not reported where order counts.
    Chance,
    /// No race, and reported where order counts only as the schedule goes.
    ChanceAlarm,
}

impl Expected {
    fn is_reported(self) -> bool {
        matches!(self, Self::Race | Self::FalseAlarm | Self::Overlooked)
    }

    fn may_be_reported(self) -> bool {
        self.is_reported() || self.is_by_chance()
    }

    /// Whether it is reported in some runs only, where order counts.
    #[must_use]
    pub const fn is_by_chance(self) -> bool {
        matches!(self, Self::Chance | Self::ChanceAlarm)
    }

    /// What it is to a checker that knows locks alone.
    fn by_locks(self) -> Self {
        match self {
            Self::Ordered | Self::ChanceAlarm => Self::FalseAlarm,
            Self::Overlooked => Self::Missed,
            Self::Chance => Self::Race,
            other => other,
        }
    }
}

/// The expectations of one program, by variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectations(pub BTreeMap<String, Expected>);

/// Where a run and the comments differ.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mismatch {
    /// Expected, but not reported.
    pub absent: Vec<String>,
    /// Reported, but not expected.
    pub unexpected: Vec<String>,
}

impl Expectations {
    /// Reads the comments of some sources.
    ///
    /// # Errors
    /// A source cannot be read.
    pub fn of(sources: &[PathBuf]) -> Result<Self> {
        let mut expectations = Self::default();
        for source in sources {
            for line in std::fs::read_to_string(source)?.lines() {
                expectations.0.extend(expectation(line));
            }
        }
        Ok(expectations)
    }

    /// The expectations of a checker that knows locks alone.
    #[must_use]
    pub fn by_locks(self) -> Self {
        Self(self.0.into_iter().map(|(name, expected)| (name, expected.by_locks())).collect())
    }

    /// Reads the comments of another rule than `race`.
    ///
    /// # Errors
    /// A source cannot be read.
    pub fn of_rule(rule: &str, sources: &[PathBuf]) -> Result<Self> {
        let mut expectations = Self::default();
        for source in sources {
            for line in std::fs::read_to_string(source)?.lines() {
                let text = line.split_once("// ").and_then(|(_, comment)| comment.trim().strip_prefix(rule));
                let name = text.and_then(|text| text.strip_prefix(':')?.split(" -- ").next());
                expectations.0.extend(name.map(|name| (name.trim().to_owned(), Expected::Race)));
            }
        }
        Ok(expectations)
    }

    /// Compares with the variables that were reported, in both directions.
    ///
    /// # Errors
    /// The differences.
    pub fn compare(&self, reported: &[String]) -> Result<(), Mismatch> {
        let absent = self
            .0
            .iter()
            .filter(|(name, expected)| expected.is_reported() && !reported.contains(name))
            .map(|(name, _)| name.clone())
            .collect();
        let unexpected = reported
            .iter()
            .filter(|name| self.0.get(*name).is_none_or(|expected| !expected.may_be_reported()))
            .cloned()
            .collect();
        let mismatch = Mismatch { absent, unexpected };
        if mismatch == Mismatch::default() { Ok(()) } else { Err(mismatch) }
    }
}

fn expectation(line: &str) -> Option<(String, Expected)> {
    let kinds = [
        ("race:", Expected::Race),
        ("false-alarm:", Expected::FalseAlarm),
        ("missed:", Expected::Missed),
        ("ordered:", Expected::Ordered),
        ("overlooked:", Expected::Overlooked),
        ("chance:", Expected::Chance),
        ("chance-alarm:", Expected::ChanceAlarm),
    ];
    let (_, comment) = line.split_once("// ")?;
    let (text, expected) =
        kinds.iter().find_map(|(prefix, expected)| Some((comment.trim().strip_prefix(prefix)?, *expected)))?;
    let name = text.split(" -- ").next()?.trim();
    Some((name.to_owned(), expected))
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected but not reported: {:?}; reported but not expected: {:?}", self.absent, self.unexpected)
    }
}

impl std::error::Error for Mismatch {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_matched_in_both_directions() {
        let lines =
            ["int x; // race: A.x", "// false-alarm: A.y[] -- barrier", "// missed: A.z -- order", "// racy: no"];
        let expectations = Expectations(lines.iter().filter_map(|line| expectation(line)).collect());
        let reported = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(expectations.compare(&reported(&["A.x", "A.y[]"])), Ok(()));
        let mismatch = expectations.compare(&reported(&["A.x", "A.z"])).unwrap_err();
        assert_eq!((mismatch.absent, mismatch.unexpected), (reported(&["A.y[]"]), reported(&["A.z"])));
    }

    #[test]
    fn order_makes_a_difference() {
        let lines = ["// ordered: A.x -- join", "// overlooked: A.y -- once each", "// chance: A.z -- seldom"];
        let expectations = Expectations(lines.iter().filter_map(|line| expectation(line)).collect());
        let reported = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(expectations.compare(&reported(&["A.y"])), Ok(()));
        assert_eq!(expectations.compare(&reported(&["A.y", "A.z"])), Ok(()));
        assert_eq!(expectations.by_locks().compare(&reported(&["A.x", "A.z"])), Ok(()));
    }
}
