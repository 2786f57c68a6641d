//! From measured runs to the tables of paper 004 (Table 1 for races, Table 2 for atomicity).
//!
//! `mode` says what is compared, `statistics` condenses repeated runs, and `text` and `json` show the
//! result, `document` makes of it what [`crate::formats`] write.

pub mod document;
pub mod json;
pub mod mode;
pub mod statistics;
pub mod text;

#[cfg(test)]
pub mod fixtures;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use facts::finding::Grade;

use crate::measure::Cost;
use crate::report::grade::{self, Part};
use statistics::{Spread, difference, fraction, overhead, speedup};

/// Everything that was measured.
pub struct Comparison {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// How it ended, each time.
    pub ending: String,
    /// What was looked for.
    pub subject: Subject,
    /// The modes in their order; the first two are what the others are compared with.
    pub columns: Vec<Column>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// Races, of which some fields are proved free, and some methods keep to types.
    Races(Fields, Methods),
    /// Transactions that are not atomic.
    Atomicity,
}

/// Fields of the classes that the command ran.
#[derive(Clone, Copy, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct Fields {
    /// Those that are not proved race-free.
    pub race_unsafe: usize,
    /// All of them.
    pub total: usize,
}

/// Methods of the classes that the command ran.
#[derive(Clone, Copy, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct Methods {
    /// Those with accesses that keep to no type.
    pub untyped: usize,
    /// All that have code.
    pub total: usize,
}

/// The runs of one mode.
pub struct Column {
    /// The mode.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// One run a round.
    pub runs: Vec<Run>,
}

/// One run.
pub struct Run {
    /// What the command took.
    pub command: Cost,
    /// What a checker took after the command had ended.
    pub checker: Cost,
    /// The variables or the code with findings that count, and their grades; `None` when nothing was checked.
    pub findings: Option<BTreeMap<String, Option<Grade>>>,
}

/// How much a mode has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// Variables, or code, found in any run.
    pub found: usize,
    /// Those of them of which the surest race of any run was possible.
    pub possible: usize,
    /// Those of which it was unlikely.
    pub unlikely: usize,
}

/// One line of the table.
pub struct Row<'a> {
    /// Whose line it is.
    pub column: &'a Column,
    /// Processor time, of the command and of a checker after it.
    pub time: Spread,
    /// Wall time.
    pub wall: Spread,
    /// See [`overhead`]; `None` for the base itself.
    pub overhead: Option<f64>,
    /// Seconds that the command takes more than the base, medians of processor time; `None` for the base itself.
    pub interception: Option<f64>,
    /// Processor time of a checker after the command; `None` for the base.
    pub checker: Option<Spread>,
    /// The part of the time that the checker takes; `None` for the base.
    pub fraction: Option<f64>,
    /// See [`speedup`]; for atomicity, of the checker alone. `None` for the base and full checking.
    pub speedup: Option<f64>,
    /// What was found; `None` when nothing was checked.
    pub findings: Option<Number>,
}

/// In how many runs of each mode something was found.
pub struct Found<'a> {
    /// The variable, or the code.
    pub name: &'a str,
    /// Each mode that checks.
    pub by: Vec<FoundBy>,
    /// The modes that never found it though full checking did.
    pub lost: Vec<&'static str>,
}

/// How one mode has found something.
pub struct FoundBy {
    /// The mode.
    pub mode: &'static str,
    /// In how many runs.
    pub runs: usize,
    /// The surest grade of these.
    pub grade: Option<Grade>,
}

impl Comparison {
    /// How often each mode ran.
    pub fn rounds(&self) -> usize {
        self.columns.first().map_or(0, |column| column.runs.len())
    }

    /// The table.
    pub fn rows(&self) -> Vec<Row<'_>> {
        self.columns.iter().enumerate().map(|(index, column)| self.row(index, column)).collect()
    }

    fn row<'a>(&self, index: usize, column: &'a Column) -> Row<'a> {
        let median = |index: usize, part: fn(&Run) -> Duration| {
            self.columns.get(index).map(|column| column.spread(part).median).unwrap_or_default()
        };
        let (time, checker) = (column.spread(Run::processor), column.spread(|run| run.checker.processor));
        let (base, command) = (median(0, Run::processor), median(index, |run| run.command.processor));
        let is_checked = index > 0;
        Row {
            column,
            time,
            wall: column.spread(|run| run.command.wall + run.checker.wall),
            overhead: is_checked.then(|| overhead(time.median, base)).flatten(),
            interception: is_checked.then(|| difference(command, base)),
            checker: is_checked.then_some(checker),
            fraction: is_checked.then(|| fraction(checker.median, time.median)).flatten(),
            speedup: (index > 1)
                .then(|| match self.subject {
                    Subject::Races(..) => speedup(time.median, median(1, Run::processor), base),
                    Subject::Atomicity => {
                        speedup(checker.median, median(1, |run| run.checker.processor), Duration::ZERO)
                    }
                })
                .flatten(),
            findings: column.checks().then(|| column.number()),
        }
    }

    /// What was found, by name.
    pub fn found(&self) -> Vec<Found<'_>> {
        let names: BTreeSet<&str> = self.columns.iter().flat_map(Column::names).collect();
        names.into_iter().map(|name| self.found_of(name)).collect()
    }

    fn found_of<'a>(&'a self, name: &'a str) -> Found<'a> {
        let checking = self.columns.iter().filter(|column| column.checks());
        let by: Vec<FoundBy> = checking.map(|column| column.found(name)).collect();
        let by_full = self.columns.get(1).is_some_and(|full| full.found(name).runs > 0);
        let lost = by.iter().filter(|found| by_full && found.runs == 0).map(|found| found.mode).collect();
        Found { name, by, lost }
    }
}

impl Subject {
    /// What a finding is about.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Races(..) => "variable",
            Self::Atomicity => "transaction",
        }
    }
}

impl Run {
    fn processor(&self) -> Duration {
        self.command.processor + self.checker.processor
    }
}

impl Column {
    fn spread(&self, part: fn(&Run) -> Duration) -> Spread {
        Spread::of(self.runs.iter().map(part))
    }

    fn checks(&self) -> bool {
        self.runs.iter().any(|run| run.findings.is_some())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().flat_map(|run| &run.findings).flatten().map(|(name, _)| name.as_str())
    }

    fn number(&self) -> Number {
        let names: BTreeSet<&str> = self.names().collect();
        let parts = || names.iter().map(|name| Part::of(self.found(name).grade));
        let number = |of: Part| parts().filter(|part| *part == of).count();
        Number { found: names.len(), possible: number(Part::Possible), unlikely: number(Part::Unlikely) }
    }

    fn found(&self, name: &str) -> FoundBy {
        let grades = || self.runs.iter().filter_map(|run| run.findings.as_ref()?.get(name).copied());
        FoundBy { mode: self.name, runs: grades().count(), grade: grade::surest(grades()) }
    }
}

impl Found<'_> {
    /// Whether some mode never found it.
    pub fn differs(&self) -> bool {
        self.by.iter().any(|found| found.runs == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::{comparison, of_grades};
    use super::*;

    #[test]
    fn what_one_run_has_shown_is_not_only_possible() {
        let comparison = of_grades();
        let number = |found, possible, unlikely| Some(Number { found, possible, unlikely });
        let numbers: Vec<_> = comparison.rows().iter().map(|row| row.findings).collect();
        assert_eq!(numbers, [None, number(2, 1, 0), number(2, 1, 1)]);
    }

    #[test]
    fn what_only_full_checking_finds_is_lost() {
        let comparison = comparison();
        let found: Vec<_> = comparison
            .found()
            .iter()
            .map(|found| (found.name.to_owned(), found.differs(), found.lost.clone()))
            .collect();
        assert_eq!(
            found,
            [
                ("field bank.Account.<x> (int)".to_owned(), false, vec![]),
                ("field bank.Account.y (int)".to_owned(), true, vec!["field"]),
                ("field bank.Account.z (int)".to_owned(), true, vec![]),
            ]
        );
    }
}
