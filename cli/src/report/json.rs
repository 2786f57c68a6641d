//! The JSON document of `jrace report --json`.
//!
//! One object; members may be added in later versions, `format` grows when one changes its meaning:
//!
//! - `format`: 1. `identity`: the version of the rules by which a baseline tells findings apart, see [`super::identity`]. `jrace`: the
//!   version that wrote the document. `exit`: the exit code. `command_exit`: that of the command itself, with `jrace run`; else `null`.
//! - `summary`: `races`, `variables` (findings that count), `possible_races` and `possible_variables` (those of which no conflict is
//!   surer than that; not in the two before), `unlikely_races` and `unlikely_variables` (the same of those), `atomicity` and `deadlocks` (hazards that count), `suppressed`, `baseline`, `jvms` (that were checked), `started` (those that are known of), `unwoven` (classes and methods that were not checked).
//! - `jvms`: for each JVM `started` (milliseconds since 1970) and `pid`, by which findings name it, `version`, `command`,
//!   `check`, `options` (`name=value`, those that say what is checked and are not the defaults), `summary` (what it did; `null` when it did not end in order), `unwoven` (classes and methods left unchecked), `checked`
//!   (what was looked for besides races), `unchecked` (why it ran unchecked; empty if it did not).
//! - `findings`, the surest first, sorted by `name`: `rule`; `status` (`new`, `suppressed`, `baseline`); `code`, whose it is (`own`, `tests`,
//!   `libraries`; `null` if nobody knows of any class which is the user's own); `grade`, that of its surest
//!   conflict (`certain`, `possible`, `unlikely`, `null` where the check knows no order between threads); `baseline`, how it stands to the baseline
//!   (`new`, `updated` if the variable is known but not all of these methods, `returned` if it was gone, `unchanged`; `null` without
//!   one); `suppressed_by` (`suppression`, `reason`, `expires`); `pairs`, the two methods of all its conflicts, as a baseline knows them;
//!   `evidence`; `name`; `type` (`null` for
//!   an object taken as a whole); `variable` as in [`facts::finding::Variable`]; `accesses` and `objects` (of arrays: elements), how often it was seen, and `counted`,
//!   whether every JVM said so; `jvms`: their `started` and `pid`; `hint`; `conflicts`, those that are news, the surest and clearest first: `jvm`,
//!   `grade`, and `current` and `previous` as in [`facts::finding::Access`]. Thread and lock numbers are those of the conflict's `jvm`.
//! - `hazards`, sorted by `rule` and `name`: `status`, `baseline`, `suppressed_by` and `evidence` as above; `subject` as in [`facts::finding::Subject`];
//!   `hint`; `scenarios`, the shortest first: `jvm`, and the members of [`facts::finding::Scenario`].
//! - `tests`: by the name of each test in whose work races were found, the names of their variables; empty where no test is known.
//! - `gone`: what the baseline knows and was not seen, as it stands there; `null` without a baseline.
//! - `unused_suppressions`, and `expired_suppressions`, which hold no more: each as it was written. `problems`: sentences about what could not be read and what may have been missed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use facts::finding::{Access, Evidence, Grade, Rule, Scenario, Subject, Summary, Variable};
use schemars::JsonSchema;
use serde::Serialize;

use super::advice::advice;
use super::attributed;
use super::baseline::{Entries, Known, PairEntry};
use super::hint::hint;
use super::identity::{Pair, SCHEME};
use super::judge::{Judged, JudgedHazard, Numbers, Status, Verdict};
use super::merge::{Foreseen, JvmFacts, JvmId, Sighting, Unwoven};
use super::own::Own;
use super::suppressed::SuppressedBy;
use super::words;
use crate::document::finding::News;
use crate::schema::FORMAT;

/// All of it.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    format: u32,
    identity: u32,
    jrace: &'static str,
    exit: u8,
    command_exit: Option<u8>,
    summary: Numbers,
    jvms: Vec<JvmEntry<'a>>,
    findings: Vec<FindingEntry<'a>>,
    hazards: Vec<HazardEntry<'a>>,
    tests: BTreeMap<String, BTreeSet<String>>,
    gone: Option<Entries>,
    unused_suppressions: Vec<String>,
    expired_suppressions: Vec<String>,
    problems: Vec<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct JvmEntry<'a> {
    started: u64,
    pid: u32,
    version: &'a str,
    command: &'a str,
    check: &'a str,
    options: &'a [String],
    summary: Option<Summary>,
    unwoven: Vec<&'a Unwoven>,
    checked: &'a BTreeSet<Rule>,
    unchecked: &'a BTreeSet<String>,
}

#[derive(Serialize, JsonSchema)]
struct FindingEntry<'a> {
    rule: Rule,
    status: Status,
    code: Option<&'static str>,
    grade: Option<Grade>,
    baseline: Option<News>,
    suppressed_by: Vec<SuppressedBy>,
    pairs: Vec<PairEntry>,
    evidence: Option<Evidence>,
    name: String,
    r#type: Option<String>,
    variable: &'a Variable,
    accesses: u64,
    objects: u64,
    counted: bool,
    jvms: Vec<JvmId>,
    hint: Option<String>,
    conflicts: Vec<ConflictEntry<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct HazardEntry<'a> {
    rule: Rule,
    status: Status,
    baseline: Option<News>,
    suppressed_by: Vec<SuppressedBy>,
    evidence: Evidence,
    name: String,
    subject: &'a Subject,
    hint: Option<String>,
    scenarios: Vec<ScenarioEntry<'a>>,
}

/// A scenario with the JVM that its numbers are of.
#[derive(Serialize, JsonSchema)]
pub struct ScenarioEntry<'a> {
    /// The JVM.
    pub jvm: JvmId,
    /// What can happen.
    #[serde(flatten)]
    pub scenario: &'a Scenario,
}

impl<'a> ScenarioEntry<'a> {
    /// What was foreseen.
    pub fn of(foreseen: &'a Foreseen) -> Self {
        Self { jvm: foreseen.jvm, scenario: &foreseen.scenario }
    }
}

#[derive(Serialize, JsonSchema)]
struct ConflictEntry<'a> {
    jvm: JvmId,
    grade: Option<Grade>,
    current: &'a Access,
    previous: &'a Access,
}

/// The exit codes that a document tells.
#[derive(Clone, Copy)]
pub struct Exits {
    /// That of jrace.
    pub jrace: u8,
    /// That of the command that it ran.
    pub command: Option<u8>,
}

/// The document, with a newline at its end; what is suppressed or known is left out if it is to have `only_new` findings.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(verdict: &Verdict<'_>, own: &Own, exits: Exits, only_new: bool) -> Result<String> {
    let is_listed = |status: Status| !only_new || status == Status::New;
    let document = Document {
        format: FORMAT,
        identity: SCHEME,
        jrace: env!("CARGO_PKG_VERSION"),
        exit: exits.jrace,
        command_exit: exits.command,
        summary: verdict.numbers(),
        jvms: verdict.jvms.iter().map(|(id, facts)| jvm_entry(*id, facts)).collect(),
        findings: {
            let listed = verdict.findings.iter().filter(|judged| is_listed(judged.status));
            listed.map(|judged| finding_entry(judged, own)).collect()
        },
        hazards: verdict.hazards.iter().filter(|judged| is_listed(judged.status)).map(hazard_entry).collect(),
        tests: attributed::by_test(verdict),
        gone: verdict.gone.as_ref().map(|gone| Entries::of(&gone.races, &gone.hazards)),
        expired_suppressions: verdict.expired.iter().map(|suppression| suppression.text()).collect(),
        unused_suppressions: verdict.unused.iter().map(|suppression| suppression.text()).collect(),
        problems: verdict.unread.iter().chain(verdict.problems).map(String::as_str).collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn jvm_entry(id: JvmId, facts: &JvmFacts) -> JvmEntry<'_> {
    JvmEntry {
        started: id.started,
        pid: id.pid,
        version: &facts.jvm.version,
        command: &facts.jvm.command,
        check: &facts.jvm.check,
        options: &facts.jvm.options,
        summary: facts.summary,
        unwoven: facts.unwoven.iter().collect(),
        checked: &facts.checked,
        unchecked: &facts.unchecked,
    }
}

fn finding_entry<'a>(judged: &Judged<'a>, own: &Own) -> FindingEntry<'a> {
    let variable = &judged.key.variable;
    let seen = judged.finding.seen();
    FindingEntry {
        rule: judged.key.rule,
        status: judged.status,
        code: own.is_known().then(|| own.of_finding(judged).name()),
        grade: judged.grade(),
        baseline: judged.news,
        suppressed_by: judged.by.iter().map(|one| SuppressedBy::of(one)).collect(),
        pairs: pairs(judged),
        evidence: judged.finding.evidence,
        name: words::variable_name(variable),
        r#type: words::variable_type(variable),
        variable,
        accesses: seen.accesses,
        objects: seen.objects,
        counted: judged.finding.is_counted(),
        jvms: judged.finding.jvms.keys().copied().collect(),
        hint: hint(variable, &judged.conflicts),
        conflicts: judged.conflicts.iter().map(|sighting| conflict_entry(sighting)).collect(),
    }
}

fn hazard_entry<'a>(judged: &JudgedHazard<'a>) -> HazardEntry<'a> {
    HazardEntry {
        rule: judged.key.rule,
        status: judged.status,
        baseline: judged.news,
        suppressed_by: judged.by.iter().map(|one| SuppressedBy::of(one)).collect(),
        evidence: judged.hazard.evidence,
        name: words::subject_name(&judged.key.subject),
        subject: &judged.key.subject,
        hint: judged.scenarios.first().map(|foreseen| advice(judged.key, &foreseen.scenario)),
        scenarios: judged.scenarios.iter().map(|foreseen| ScenarioEntry::of(foreseen)).collect(),
    }
}

/// Of all conflicts, those that are known or suppressed too.
fn pairs(judged: &Judged<'_>) -> Vec<PairEntry> {
    let mut known = Known::default();
    for Sighting { conflict, .. } in judged.finding.conflicts.values() {
        known.add(Pair::of(conflict), conflict.grade);
    }
    PairEntry::all(&known.pairs)
}

fn conflict_entry(sighting: &Sighting) -> ConflictEntry<'_> {
    let conflict = &sighting.conflict;
    ConflictEntry { jvm: sighting.jvm, grade: conflict.grade, current: &conflict.current, previous: &conflict.previous }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::super::fixtures::{access, conflict, field, file, finding, graded, seen};
    use super::super::judge::Judges;
    use super::*;

    const EXITS: Exits = Exits { jrace: 66, command: None };

    #[test]
    fn the_document_has_its_schema() {
        let conflicts = vec![conflict(access("write", 10, 1, &["o5"]), access("read", 20, 2, &[]))];
        let merged = file(4711, vec![finding(field("balance"), conflicts), seen(field("balance"), 12, 2)]);
        let judges = Judges::default();
        let text = document(&judges.judge(&merged), &Own::default(), EXITS, false).unwrap();
        expect_file!["goldens/report.json"].assert_eq(&text);
    }

    #[test]
    fn pairs_and_findings_have_their_grades() {
        let pair = |grade, line| graded(grade, conflict(access("write", line, 1, &[]), access("read", 20, 2, &[])));
        let (certain, possible) = (Some(Grade::Certain), Some(Grade::Possible));
        let merged = file(
            1,
            vec![
                finding(field("a"), vec![pair(possible, 10)]),
                finding(field("b"), vec![pair(possible, 10), pair(certain, 11)]),
            ],
        );
        let judges = Judges::default();
        let json: serde_json::Value =
            serde_json::from_str(&document(&judges.judge(&merged), &Own::default(), EXITS, false).unwrap()).unwrap();
        let [b, a] = [&json["findings"][0], &json["findings"][1]];
        assert_eq!((&b["grade"], &a["grade"]), (&"certain".into(), &"possible".into()));
        assert_eq!([0, 1].map(|at| b["conflicts"][at]["grade"].as_str()), [Some("certain"), Some("possible")]);
        let summary = &json["summary"];
        let numbers = ["races", "variables", "possible_races", "possible_variables"].map(|name| summary[name].as_u64());
        assert_eq!(numbers, [Some(1); 4]);
    }

    #[test]
    fn of_a_possible_race_the_document_knows_no_more() {
        let merged = |grade| {
            let pair = graded(grade, conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[])));
            file(1, vec![finding(field("balance"), vec![pair])])
        };
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("findings.json");
        let possible = merged(Some(Grade::Possible));
        std::fs::write(&path, document(&Judges::default().judge(&possible), &Own::default(), EXITS, false).unwrap())
            .unwrap();
        let judges = Judges::default().with_baseline(Some(super::super::baseline::read(&path).unwrap()));
        assert!(!judges.judge(&possible).counts());
        assert!(judges.judge(&merged(Some(Grade::Certain))).fails());
    }

    #[test]
    fn the_document_is_a_baseline() {
        let conflicts = vec![conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]))];
        let merged = file(1, vec![finding(field("balance"), conflicts)]);
        let judges = Judges::default();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("findings.json");
        std::fs::write(&path, document(&judges.judge(&merged), &Own::default(), EXITS, false).unwrap()).unwrap();
        let judges = judges.with_baseline(Some(super::super::baseline::read(&path).unwrap()));
        assert!(!judges.judge(&merged).counts());
    }
}
