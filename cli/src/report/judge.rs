//! Which findings count: those that are neither suppressed nor in the baseline.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use facts::finding::Rule;
use facts::options::Options;
use serde::Serialize;

use super::baseline::{self, Baseline};
use super::merge::{Foreseen, HazardKey, JvmFacts, JvmId, Key, Merged, MergedFinding, MergedHazard, Sighting, Unwoven};
use super::suppress::{self, Suppression};
use super::words;

/// What findings are judged by.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judges {
    suppressions: Vec<Suppression>,
    baseline: Baseline,
}

/// Findings, judged.
#[derive(Debug)]
pub struct Verdict<'a> {
    /// All of them, sorted by variable name.
    pub findings: Vec<Judged<'a>>,
    /// All hazards, sorted by rule and name of the code.
    pub hazards: Vec<JudgedHazard<'a>>,
    /// Suppressions that matched nothing.
    pub unused: Vec<&'a Suppression>,
    /// The JVMs.
    pub jvms: &'a BTreeMap<JvmId, JvmFacts>,
    /// Sentences about what may have been missed.
    pub problems: &'a BTreeSet<String>,
    /// Sentences about what could not be read.
    pub unread: &'a BTreeSet<String>,
}

/// A finding, judged.
#[derive(Debug)]
pub struct Judged<'a> {
    /// What it is about.
    pub key: &'a Key,
    /// What was merged.
    pub finding: &'a MergedFinding,
    /// Whether it counts.
    pub status: Status,
    /// Its conflicts that are not suppressed, the clearest first; all of them when it is suppressed.
    pub conflicts: Vec<&'a Sighting>,
}

/// A hazard, judged.
#[derive(Debug)]
pub struct JudgedHazard<'a> {
    /// What it is about.
    pub key: &'a HazardKey,
    /// What was merged.
    pub hazard: &'a MergedHazard,
    /// Whether it counts.
    pub status: Status,
    /// Its scenarios that are not suppressed, the shortest first; all of them when it is suppressed.
    pub scenarios: Vec<&'a Foreseen>,
}

/// Whether a finding counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It counts.
    New,
    /// A suppression matches it.
    Suppressed,
    /// It was known.
    Baseline,
}

impl Judges {
    /// Reads the files that the options name.
    ///
    /// # Errors
    /// See [`suppress::read`] and [`baseline::read`].
    pub fn read(options: &Options) -> Result<Self> {
        let suppressions = options.suppressions.as_deref().map(suppress::read).transpose()?.unwrap_or_default();
        let baseline = options.baseline.as_deref().map(baseline::read).transpose()?.unwrap_or_default();
        Ok(Self { suppressions, baseline })
    }

    /// The same judges with another baseline.
    #[must_use]
    pub fn with_baseline(self, baseline: Baseline) -> Self {
        Self { baseline, ..self }
    }

    /// Judges every finding.
    pub fn judge<'a>(&'a self, merged: &'a Merged) -> Verdict<'a> {
        let mut used = vec![false; self.suppressions.len()];
        let mut findings: Vec<Judged<'a>> =
            merged.findings().map(|(key, finding)| self.judge_one(key, finding, &mut used)).collect();
        findings.sort_by_cached_key(|judged| (words::variable_name(&judged.key.variable), judged.key));
        let mut hazards: Vec<JudgedHazard<'a>> =
            merged.hazards.iter().map(|(key, hazard)| self.judge_hazard(key, hazard, &mut used)).collect();
        hazards.sort_by_cached_key(|judged| (judged.key.rule, words::subject_name(&judged.key.subject), judged.key));
        let unused = self.suppressions.iter().zip(&used).filter(|(_, used)| !**used).map(|(line, _)| line).collect();
        let Merged { jvms, problems, unread, .. } = merged;
        Verdict { findings, hazards, unused, jvms, problems, unread }
    }

    fn judge_one<'a>(&self, key: &'a Key, finding: &'a MergedFinding, used: &mut [bool]) -> Judged<'a> {
        let conflicts: Vec<&Sighting> = finding.conflicts.values().collect();
        let left: Vec<&Sighting> =
            conflicts.iter().copied().filter(|sighting| !self.suppresses(key, sighting, used)).collect();
        let status = Status::of(left.is_empty(), self.baseline.races.contains(key));
        let mut conflicts = if left.is_empty() { conflicts } else { left };
        conflicts.sort_by_cached_key(|sighting| (std::cmp::Reverse(sighting.clarity()), sighting.key()));
        Judged { key, finding, status, conflicts }
    }

    fn judge_hazard<'a>(&self, key: &'a HazardKey, hazard: &'a MergedHazard, used: &mut [bool]) -> JudgedHazard<'a> {
        let scenarios: Vec<&Foreseen> = hazard.scenarios.values().collect();
        let is_left = |foreseen: &&Foreseen| {
            !self.any(used, |suppression| {
                suppression.matches_subject(key.rule, &key.subject)
                    || suppression.matches_scenario(key.rule, &foreseen.scenario)
            })
        };
        let left: Vec<&Foreseen> = scenarios.iter().copied().filter(is_left).collect();
        let status = Status::of(left.is_empty(), self.baseline.hazards.contains(key));
        let mut scenarios = if left.is_empty() { scenarios } else { left };
        scenarios.sort_by_key(|foreseen| foreseen.scenario.steps.len());
        JudgedHazard { key, hazard, status, scenarios }
    }

    fn suppresses(&self, key: &Key, sighting: &Sighting, used: &mut [bool]) -> bool {
        self.any(used, |suppression| {
            suppression.matches_variable(key.rule, &key.variable)
                || suppression.matches_conflict(key.rule, &sighting.conflict)
        })
    }

    /// Whether any suppression matches; every one that does is marked.
    fn any(&self, used: &mut [bool], matches: impl Fn(&Suppression) -> bool) -> bool {
        let mut any = false;
        for (suppression, used) in self.suppressions.iter().zip(used) {
            let matches = matches(suppression);
            *used |= matches;
            any |= matches;
        }
        any
    }
}

impl Status {
    fn of(is_suppressed: bool, is_known: bool) -> Self {
        match (is_suppressed, is_known) {
            (true, _) => Self::Suppressed,
            (false, true) => Self::Baseline,
            (false, false) => Self::New,
        }
    }
}

impl<'a> Verdict<'a> {
    /// Findings with a status.
    pub fn with(&self, status: Status) -> impl Iterator<Item = &Judged<'a>> {
        self.findings.iter().filter(move |judged| judged.status == status)
    }

    /// Hazards with a status.
    pub fn hazards_with(&self, status: Status) -> impl Iterator<Item = &JudgedHazard<'a>> {
        self.hazards.iter().filter(move |judged| judged.status == status)
    }

    /// Whether any finding counts.
    pub fn counts(&self) -> bool {
        self.with(Status::New).next().is_some() || self.hazards_with(Status::New).next().is_some()
    }

    fn n_hazards(&self, rule: Rule) -> usize {
        self.hazards_with(Status::New).filter(|judged| judged.key.rule == rule).count()
    }

    /// Classes and methods that were not checked, each once.
    pub fn unwoven(&self) -> BTreeSet<&'a Unwoven> {
        self.jvms.values().flat_map(|facts| &facts.unwoven).collect()
    }

    /// The numbers of the last line.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            races: self.with(Status::New).map(|judged| judged.conflicts.len()).sum(),
            variables: self.with(Status::New).count(),
            atomicity: self.n_hazards(Rule::Atomicity),
            deadlocks: self.n_hazards(Rule::Deadlock),
            suppressed: self.with(Status::Suppressed).count() + self.hazards_with(Status::Suppressed).count(),
            baseline: self.with(Status::Baseline).count() + self.hazards_with(Status::Baseline).count(),
            jvms: self.jvms.values().filter(|facts| facts.unchecked.is_empty()).count(),
            started: self.jvms.len(),
            unwoven: self.unwoven().len(),
        }
    }
}

/// The numbers of the last line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Numbers {
    /// Conflicts of findings that count.
    pub races: usize,
    /// Findings that count; each is about one variable.
    pub variables: usize,
    /// Code that is not atomic and counts.
    pub atomicity: usize,
    /// Lock orders that can deadlock and count.
    pub deadlocks: usize,
    /// Suppressed findings.
    pub suppressed: usize,
    /// Findings in the baseline.
    pub baseline: usize,
    /// JVMs that were checked.
    pub jvms: usize,
    /// JVMs that are known to have started.
    pub started: usize,
    /// Classes and methods that were not checked, because they could not be woven.
    pub unwoven: usize,
}

#[cfg(test)]
mod tests {
    use facts::pattern::Pattern;

    use super::super::fixtures::{access, conflict, field, file, finding, hazard};
    use super::*;

    fn suppression(pattern: &str) -> Suppression {
        Suppression { line: 1, rule: Rule::Race, pattern: Pattern::new(pattern) }
    }

    fn example() -> Merged {
        let conflicts = || {
            vec![
                conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[])),
                conflict(access("write", 10, 1, &[]), access("write", 10, 2, &[])),
            ]
        };
        file(1, vec![finding(field("b"), conflicts()), finding(field("a"), conflicts())])
    }

    fn statuses(judges: &Judges) -> Vec<(String, Status, usize)> {
        let merged = example();
        let verdict = judges.judge(&merged);
        let row =
            |judged: &Judged<'_>| (words::variable_name(&judged.key.variable), judged.status, judged.conflicts.len());
        verdict.findings.iter().map(row).collect()
    }

    #[test]
    fn a_frame_suppresses_one_conflict_and_a_variable_all() {
        let judge = |pattern: &str| statuses(&Judges { suppressions: vec![suppression(pattern)], ..Judges::default() });
        let (a, b) = ("bank.Account.a".to_owned(), "bank.Account.b".to_owned());
        assert_eq!(judge("Account.read"), [(a.clone(), Status::New, 1), (b.clone(), Status::New, 1)]);
        assert_eq!(judge("Account.a$"), [(a.clone(), Status::Suppressed, 2), (b.clone(), Status::New, 2)]);
        assert_eq!(judge("^bank.Account.w*"), [(a, Status::Suppressed, 2), (b, Status::Suppressed, 2)]);
    }

    #[test]
    fn known_findings_do_not_count() {
        let races = BTreeSet::from([Key { variable: field("a"), rule: Rule::Race }]);
        let known = Baseline { races, ..Baseline::default() };
        let judges = Judges { suppressions: vec![suppression("nothing")], baseline: known };
        let merged = example();
        let verdict = judges.judge(&merged);
        let numbers = Numbers { races: 2, variables: 1, baseline: 1, jvms: 1, started: 1, ..Numbers::default() };
        assert_eq!(verdict.numbers(), numbers);
        assert_eq!(verdict.unused.len(), 1);
        assert!(verdict.counts());
    }

    #[test]
    fn hazards_are_suppressed_by_code_and_by_frame() {
        let merged = file(1, vec![hazard("transfer", 20, 1), hazard("audit", 30, 1)]);
        for (rule, pattern, expected) in [
            (Rule::Atomicity, "Account.transfer$", (1, 1)),
            (Rule::Atomicity, "Account.write", (0, 2)),
            (Rule::Deadlock, "Account", (2, 0)),
        ] {
            let suppression = Suppression { line: 1, rule, pattern: Pattern::new(pattern) };
            let judges = Judges { suppressions: vec![suppression], ..Judges::default() };
            let numbers = judges.judge(&merged).numbers();
            assert_eq!((numbers.atomicity, numbers.suppressed), expected, "{pattern}");
        }
    }
}
