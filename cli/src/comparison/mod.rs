//! From measured runs to the table of paper 004 (Table 1).
//!
//! `mode` says what is compared, `statistics` condenses repeated runs, and `text`, `json` and `html` show the result.

pub mod html;
pub mod json;
pub mod mode;
pub mod statistics;
pub mod text;

#[cfg(test)]
pub mod fixtures;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::measure::Cost;
use statistics::{Spread, overhead, speedup};

/// Everything that was measured.
pub struct Comparison {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// How it ended, each time.
    pub ending: String,
    /// What is known of its fields.
    pub fields: Fields,
    /// The modes in their order; the first two are what the others are compared with.
    pub columns: Vec<Column>,
}

/// Fields of the classes that the command ran.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Fields {
    /// Those that are not proved race-free.
    pub race_unsafe: usize,
    /// All of them.
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
    /// What it took.
    pub cost: Cost,
    /// The variables with findings that count; `None` when nothing was checked.
    pub findings: Option<BTreeSet<String>>,
}

/// One line of the table.
pub struct Row<'a> {
    /// Whose line it is.
    pub column: &'a Column,
    /// Processor time.
    pub time: Spread,
    /// Wall time.
    pub wall: Spread,
    /// See [`overhead`]; `None` for the base itself.
    pub overhead: Option<f64>,
    /// See [`speedup`]; `None` for the base and full checking.
    pub speedup: Option<f64>,
    /// Variables found in any run; `None` when nothing was checked.
    pub findings: Option<usize>,
}

/// In how many runs of each mode a variable was found.
pub struct Found<'a> {
    /// The variable.
    pub variable: &'a str,
    /// Each mode that checks, and its runs.
    pub runs: Vec<(&'static str, usize)>,
    /// The modes that never found it though full checking did.
    pub lost: Vec<&'static str>,
}

impl Comparison {
    /// How often each mode ran.
    pub fn rounds(&self) -> usize {
        self.columns.first().map_or(0, |column| column.runs.len())
    }

    /// The table.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let median = |index: usize| self.columns.get(index).map(|column| column.processor().median).unwrap_or_default();
        let (base, full) = (median(0), median(1));
        self.columns.iter().enumerate().map(|(index, column)| column.row(index, base, full)).collect()
    }

    /// What was found, by variable.
    pub fn found(&self) -> Vec<Found<'_>> {
        let variables: BTreeSet<&str> = self.columns.iter().flat_map(Column::variables).collect();
        variables.into_iter().map(|variable| self.found_of(variable)).collect()
    }

    fn found_of<'a>(&'a self, variable: &'a str) -> Found<'a> {
        let checking = self.columns.iter().filter(|column| column.checks());
        let runs: Vec<_> = checking.map(|column| (column.name, column.runs_with(variable))).collect();
        let by_full = self.columns.get(1).is_some_and(|full| full.runs_with(variable) > 0);
        let lost = runs.iter().filter(|(_, n)| by_full && *n == 0).map(|(name, _)| *name).collect();
        Found { variable, runs, lost }
    }
}

impl Column {
    fn row(&self, index: usize, base: Duration, full: Duration) -> Row<'_> {
        let time = self.processor();
        Row {
            column: self,
            time,
            wall: Spread::of(self.runs.iter().map(|run| run.cost.wall)),
            overhead: (index > 0).then(|| overhead(time.median, base)).flatten(),
            speedup: (index > 1).then(|| speedup(time.median, full, base)).flatten(),
            findings: self.checks().then(|| self.variables().collect::<BTreeSet<_>>().len()),
        }
    }

    fn processor(&self) -> Spread {
        Spread::of(self.runs.iter().map(|run| run.cost.processor))
    }

    fn checks(&self) -> bool {
        self.runs.iter().any(|run| run.findings.is_some())
    }

    fn variables(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().flat_map(|run| &run.findings).flatten().map(String::as_str)
    }

    fn runs_with(&self, variable: &str) -> usize {
        let finds = |run: &&Run| run.findings.as_ref().is_some_and(|findings| findings.contains(variable));
        self.runs.iter().filter(finds).count()
    }
}

impl Found<'_> {
    /// Whether some mode never found it.
    pub fn differs(&self) -> bool {
        self.runs.iter().any(|(_, n)| *n == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::comparison;

    #[test]
    fn what_only_full_checking_finds_is_lost() {
        let comparison = comparison();
        let found: Vec<_> = comparison
            .found()
            .iter()
            .map(|found| (found.variable.to_owned(), found.differs(), found.lost.clone()))
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
