//! What runs have shown, beside what the analysis has found.
//!
//! Runs tell of each variable that they check whether it raced, whether that was possible (only the order of locks kept its accesses
//! apart), and whether two threads came to it in one object. A race is *exercised* if a run has done the latter to its variable: that both places ran, or that the two threads could meet, is more
//! than runs say. Arrays are told apart by their type only.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use facts::finding::Variable;
use facts::name::{dotted, readable};
use facts::site::Place;

use super::observation::{Key, Missed, Observation, Observed};
use super::report::Report;
use crate::report::load::load;
use crate::report::merge::{Merged, MergedFinding};
use crate::report::words;

/// The findings of runs.
#[derive(Debug)]
pub struct Runs {
    directory: PathBuf,
    merged: Merged,
}

impl Runs {
    /// Reads what `jrace run` has left.
    ///
    /// # Errors
    /// There is nothing, or it cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        let merged = load(&[directory.to_owned()], false, &|path| path.display().to_string())?;
        Ok(Self { directory: directory.to_owned(), merged })
    }

    /// Whether all could be read.
    pub fn is_whole(&self) -> bool {
        self.merged.unread.is_empty()
    }

    /// Sentences about what could not be read and what may have been missed.
    pub fn problems(&self) -> impl Iterator<Item = &String> {
        self.merged.unread.iter().chain(&self.merged.problems)
    }

    /// Joins a report with the runs; `unseen` says why the analysis may not have seen an access.
    pub fn apply(&self, report: &mut Report, unseen: &dyn Fn(&Place) -> Option<String>) {
        let races = |possible| {
            let found = self.merged.findings().filter(move |(_, finding)| finding.is_possible() == possible);
            found.map(|(finding, _)| key(&finding.variable)).collect::<BTreeSet<Key>>()
        };
        let (raced, may_race) = (races(false), races(true));
        let shared: BTreeSet<Key> = self.merged.shared.iter().map(key).collect();
        for variable in &mut report.variables {
            let is_any = |seen: &BTreeSet<Key>| !variable.keys.is_disjoint(seen);
            variable.observed = Some(match () {
                () if variable.keys.is_empty() => Observation::NotChecked,
                () if is_any(&raced) => Observation::Confirmed,
                () if is_any(&may_race) => Observation::Possible,
                () if is_any(&shared) => Observation::Exercised,
                () => Observation::NotExercised,
            });
        }
        report.observed = Some(Observed {
            directory: self.directory.clone(),
            jvms: self.merged.jvms.len(),
            confirmed: report.n_observed(Observation::Confirmed),
            possible: report.n_observed(Observation::Possible),
            exercised: report.n_observed(Observation::Exercised),
            missed: self.missed(report, unseen),
        });
        report.sort();
    }

    fn missed(&self, report: &Report, unseen: &dyn Fn(&Place) -> Option<String>) -> Vec<Missed> {
        let is_found = |key: &Key| report.variables.iter().any(|variable| variable.keys.contains(key));
        let missed = self.merged.findings().filter(|(finding, _)| !is_found(&key(&finding.variable)));
        let missed = missed.map(|(finding, seen)| Missed {
            variable: words::subject(&finding.variable),
            excluded_by: excluded(report, &finding.variable).or_else(|| accesses(seen).find_map(unseen)),
        });
        missed.collect()
    }
}

/// What the report itself says against a race.
fn excluded(report: &Report, variable: &Variable) -> Option<String> {
    let name = words::variable_name(variable);
    let is_it = |text: &str| text.split(" (").next() == Some(name.as_str());
    let left_out = report.left_out.iter().find(|left_out| is_it(&left_out.variable));
    let proved = report.proved.iter().find(|proved| is_it(proved));
    let by_types = || proved.map(|_| "types are taken to prove it race-free".to_owned());
    left_out.map(|left_out| format!("the annotation {}", left_out.by)).or_else(by_types)
}

/// Where the accesses were.
fn accesses(finding: &MergedFinding) -> impl Iterator<Item = &Place> {
    let conflicts = finding.conflicts.values().map(|sighting| &sighting.conflict);
    conflicts.flat_map(|conflict| [&conflict.current, &conflict.previous]).filter_map(|access| access.stack.first())
}

fn key(variable: &Variable) -> Key {
    match variable {
        Variable::Field { .. } | Variable::Static { .. } => Key::Field(words::variable_name(variable)),
        Variable::Object { class } => Key::Object(dotted(class)),
        Variable::Array { descriptor, .. } => Key::Array(readable(descriptor)),
        Variable::Contents { class, .. } => Key::Array(dotted(class)),
    }
}

#[cfg(test)]
mod tests {
    use facts::finding::{Grade, Record};

    use super::super::fixtures::report;
    use super::*;
    use crate::report::fixtures::{access, conflict, field, file, finding, graded};

    fn joined(names: &[&str], unseen: &dyn Fn(&Place) -> Option<String>) -> Report {
        let pair = || conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        // A name with a question mark is that of a possible race.
        let races = names.iter().map(|name| match name.strip_suffix('?') {
            Some(name) => finding(field(name), vec![graded(Some(Grade::Possible), pair())]),
            None => finding(field(name), vec![pair()]),
        });
        let total = Variable::Static { class: "bank/Bank".into(), name: "total".into(), descriptor: "I".into() };
        let shared = [field("balance"), total].map(Record::Shared);
        let merged = file(1, races.chain(shared).collect());
        let mut report = report();
        Runs { directory: "out".into(), merged }.apply(&mut report, unseen);
        report
    }

    #[test]
    fn what_runs_have_shown_comes_first() {
        let report = joined(&["balance"], &|_| None);
        let seen: Vec<_> = report.variables.iter().map(|variable| variable.observed).collect();
        let [confirmed, _, exercised, not, _] = Observation::ALL.map(Some);
        assert_eq!(seen, [confirmed, not, exercised]);
        assert!(report.observed.unwrap().missed.is_empty());
    }

    #[test]
    fn a_possible_race_confirms_nothing() {
        let first = |names: &[&str]| {
            let report = joined(names, &|_| None);
            let observed = report.observed.unwrap();
            (report.variables[0].observed, observed.confirmed, observed.possible)
        };
        assert_eq!(first(&["balance?"]), (Some(Observation::Possible), 0, 1));
        assert_eq!(first(&["balance?", "balance"]), (Some(Observation::Confirmed), 1, 0));
    }

    #[test]
    fn what_the_analysis_has_not_found_is_told_with_what_excludes_it() {
        let excluded = |names: &[&str], unseen: &dyn Fn(&Place) -> Option<String>| {
            let mut missed = joined(names, unseen).observed.unwrap().missed;
            missed.pop().unwrap().excluded_by
        };
        assert_eq!(excluded(&["rate"], &|_| None), None);
        assert_eq!(excluded(&["rate"], &|place| Some(place.method.clone())).as_deref(), Some("write"));
        assert_eq!(excluded(&["safe"], &|_| None).as_deref(), Some("types are taken to prove it race-free"));
    }
}
