//! A comparison as one JSON document.
//!
//! - `format`: 1. `jrace`: its version. `command`: its words. `ending`: how every run ended. `rounds`: runs of each mode.
//! - `fields`: how many are `race_unsafe`, of the `total`; `methods`: how many are `untyped`, of the `total`; both null when
//!   transactions were looked for.
//! - `modes`: each with `name`, `meaning`, `time` (user + system) and `wall`, both in seconds with `median`, `min` and `max`;
//!   `overhead` and `speedup` as fractions, null where they mean nothing; `findings`, the number of variables or transactions,
//!   and `possible` and `unlikely`, of how many of them that is the surest race of any run, all null when nothing was checked; and
//!   `runs`, in the order of rounds. For transactions also `interception`, the seconds that recording adds, `checker`, the time
//!   that the checker takes afterwards, and `fraction`, its part of the time.
//! - `findings`: each with `variable` or `transaction`, `runs` (mode to number of runs that found it), `grades` (mode to the
//!   surest grade of these, as in `jrace report --json`) and `lost`, the modes that never found it though full checking did.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use facts::finding::Grade;
use schemars::JsonSchema;
use serde::Serialize;

use super::statistics::{Spread, seconds};
use super::{Comparison, Fields, Found, Methods, Row, Run, Subject};
use crate::schema::FORMAT;

/// All of it.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    format: u32,
    jrace: &'static str,
    command: &'a [String],
    ending: &'a str,
    rounds: usize,
    fields: Option<Fields>,
    methods: Option<Methods>,
    modes: Vec<ModeEntry>,
    findings: Vec<FindingEntry<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct ModeEntry {
    name: &'static str,
    meaning: &'static str,
    time: Spread,
    wall: Spread,
    overhead: Option<f64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    checker: Option<CheckerEntry>,
    speedup: Option<f64>,
    findings: Option<usize>,
    possible: Option<usize>,
    unlikely: Option<usize>,
    runs: Vec<RunEntry>,
}

/// What only a checker that runs after the command has.
#[derive(Serialize, JsonSchema)]
struct CheckerEntry {
    interception: Option<f64>,
    checker: Option<Spread>,
    fraction: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct RunEntry {
    #[serde(serialize_with = "seconds")]
    #[schemars(with = "f64")]
    time: Duration,
    #[serde(serialize_with = "seconds")]
    #[schemars(with = "f64")]
    wall: Duration,
    findings: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct FindingEntry<'a> {
    #[serde(flatten)]
    name: BTreeMap<&'static str, &'a str>,
    runs: BTreeMap<&'static str, usize>,
    grades: BTreeMap<&'static str, Option<Grade>>,
    lost: Vec<&'static str>,
}

/// The document, with a newline at its end.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(comparison: &Comparison) -> Result<String> {
    let subject = comparison.subject;
    let (fields, methods) = match subject {
        Subject::Races(fields, methods) => (Some(fields), Some(methods)),
        Subject::Atomicity => (None, None),
    };
    let document = Document {
        format: FORMAT,
        jrace: env!("CARGO_PKG_VERSION"),
        command: &comparison.command,
        ending: &comparison.ending,
        rounds: comparison.rounds(),
        fields,
        methods,
        modes: comparison.rows().iter().map(|row| mode_entry(subject, row)).collect(),
        findings: comparison.found().into_iter().map(|found| finding_entry(subject, found)).collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn mode_entry(subject: Subject, row: &Row<'_>) -> ModeEntry {
    let Row { interception, checker, fraction, .. } = *row;
    ModeEntry {
        name: row.column.name,
        meaning: row.column.meaning,
        time: row.time,
        wall: row.wall,
        overhead: row.overhead,
        checker: matches!(subject, Subject::Atomicity).then_some(CheckerEntry { interception, checker, fraction }),
        speedup: row.speedup,
        findings: row.findings.map(|number| number.found),
        possible: row.findings.map(|number| number.possible),
        unlikely: row.findings.map(|number| number.unlikely),
        runs: row.column.runs.iter().map(run_entry).collect(),
    }
}

fn run_entry(run: &Run) -> RunEntry {
    let cost = run.command + run.checker;
    let findings = run.findings.as_ref();
    RunEntry { time: cost.processor, wall: cost.wall, findings: findings.map(|found| found.len()) }
}

fn finding_entry(subject: Subject, found: Found<'_>) -> FindingEntry<'_> {
    let name = BTreeMap::from([(subject.noun(), found.name)]);
    let runs = found.by.iter().map(|by| (by.mode, by.runs)).collect();
    let grades = found.by.iter().filter(|by| by.runs > 0).map(|by| (by.mode, by.grade)).collect();
    FindingEntry { name, runs, grades, lost: found.lost }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{comparison, of_atomicity, of_grades};
    use super::*;

    #[test]
    fn every_run_is_in_the_document() {
        let json: serde_json::Value = crate::schema::tests::valid("compare", &document(&comparison()).unwrap());
        assert_eq!((json["rounds"].as_u64(), json["fields"]["race_unsafe"].as_u64()), (Some(3), Some(1)));
        assert_eq!((json["methods"]["untyped"].as_u64(), json["methods"]["total"].as_u64()), (Some(1), Some(24)));
        let full = &json["modes"][1];
        assert_eq!((full["name"].as_str(), full["time"]["median"].as_f64()), (Some("full"), Some(0.92)));
        assert_eq!(full["runs"][1]["time"], 1.01);
        assert!(full["speedup"].is_null() && json["modes"][0]["findings"].is_null());
        let lost = &json["findings"][1];
        assert_eq!((&lost["runs"]["full"], &lost["lost"][0]), (&1.into(), &"field".into()));
    }

    #[test]
    fn grades_are_in_the_document() {
        let json: serde_json::Value = crate::schema::tests::valid("compare", &document(&of_grades()).unwrap());
        let numbers = |mode: usize| ["findings", "possible", "unlikely"].map(|name| json["modes"][mode][name].as_u64());
        assert_eq!([0, 1, 2].map(numbers), [[None; 3], [Some(2), Some(1), Some(0)], [Some(2), Some(1), Some(1)]]);
        assert_eq!(json["findings"][1]["grades"], serde_json::json!({"full": "possible"}));
    }

    #[test]
    fn the_checker_of_transactions_is_in_the_document() {
        let json: serde_json::Value = crate::schema::tests::valid("compare", &document(&of_atomicity()).unwrap());
        assert!(json["fields"].is_null() && json["methods"].is_null());
        let focused = &json["modes"][2];
        assert_eq!((focused["name"].as_str(), focused["checker"]["median"].as_f64()), (Some("focused"), Some(0.129)));
        let percent = |name: &str| focused[name].as_f64().map(|value| (value * 100.0).round());
        assert_eq!(
            (percent("speedup"), percent("interception"), percent("fraction")),
            (Some(25.0), Some(25.0), Some(13.0))
        );
        assert_eq!(json["findings"][1]["lost"][0], "focused");
        assert!(json["findings"][1]["transaction"].is_string());
    }
}
