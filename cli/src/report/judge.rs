//! Which findings count: those that are neither suppressed nor in the baseline.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use facts::options::Options;

use super::baseline::{self, Baseline};
use super::merge::{JvmFacts, JvmId, Key, Merged, MergedFinding, Sighting};
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
    /// Suppressions that matched nothing.
    pub unused: Vec<&'a Suppression>,
    /// The JVMs.
    pub jvms: &'a BTreeMap<JvmId, JvmFacts>,
    /// Sentences about damaged files.
    pub problems: &'a BTreeSet<String>,
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

/// Whether a finding counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        let unused = self.suppressions.iter().zip(&used).filter(|(_, used)| !**used).map(|(line, _)| line).collect();
        Verdict { findings, unused, jvms: &merged.jvms, problems: &merged.problems }
    }

    fn judge_one<'a>(&self, key: &'a Key, finding: &'a MergedFinding, used: &mut [bool]) -> Judged<'a> {
        let conflicts: Vec<&Sighting> = finding.conflicts.values().collect();
        let left: Vec<&Sighting> =
            conflicts.iter().copied().filter(|sighting| !self.suppresses(key, sighting, used)).collect();
        let status = match () {
            () if left.is_empty() => Status::Suppressed,
            () if self.baseline.contains(key) => Status::Baseline,
            () => Status::New,
        };
        let mut conflicts = if left.is_empty() { conflicts } else { left };
        conflicts.sort_by_cached_key(|sighting| (std::cmp::Reverse(sighting.clarity()), sighting.key()));
        Judged { key, finding, status, conflicts }
    }

    /// Whether any suppression matches; every one that does is marked.
    fn suppresses(&self, key: &Key, sighting: &Sighting, used: &mut [bool]) -> bool {
        let mut any = false;
        for (suppression, used) in self.suppressions.iter().zip(used) {
            let matches = suppression.matches_variable(key.rule, &key.variable)
                || suppression.matches_conflict(key.rule, &sighting.conflict);
            *used |= matches;
            any |= matches;
        }
        any
    }
}

impl<'a> Verdict<'a> {
    /// Findings with a status.
    pub fn with(&self, status: Status) -> impl Iterator<Item = &Judged<'a>> {
        self.findings.iter().filter(move |judged| judged.status == status)
    }

    /// Whether any finding counts.
    pub fn counts(&self) -> bool {
        self.with(Status::New).next().is_some()
    }

    /// The numbers of the last line.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            races: self.with(Status::New).map(|judged| judged.conflicts.len()).sum(),
            variables: self.with(Status::New).count(),
            suppressed: self.with(Status::Suppressed).count(),
            baseline: self.with(Status::Baseline).count(),
            jvms: self.jvms.len(),
        }
    }
}

/// The numbers of the last line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Numbers {
    /// Conflicts of findings that count.
    pub races: usize,
    /// Findings that count; each is about one variable.
    pub variables: usize,
    /// Suppressed findings.
    pub suppressed: usize,
    /// Findings in the baseline.
    pub baseline: usize,
    /// JVMs.
    pub jvms: usize,
}

#[cfg(test)]
mod tests {
    use facts::finding::Rule;
    use facts::pattern::Pattern;

    use super::super::fixtures::{access, conflict, field, file, finding};
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
        let known = BTreeSet::from([Key { variable: field("a"), rule: Rule::Race }]);
        let judges = Judges { suppressions: vec![suppression("nothing")], baseline: known };
        let merged = example();
        let verdict = judges.judge(&merged);
        let numbers = Numbers { races: 2, variables: 1, suppressed: 0, baseline: 1, jvms: 1 };
        assert_eq!(verdict.numbers(), numbers);
        assert_eq!(verdict.unused.len(), 1);
        assert!(verdict.counts());
    }
}
