//! A comparison as one JSON document.
//!
//! - `format`: 1. `jrace`: its version. `command`: its words. `ending`: how every run ended. `rounds`: runs of each mode.
//! - `fields`: how many are `race_unsafe`, of the `total`.
//! - `modes`: each with `name`, `meaning`, `time` (user + system) and `wall`, both in seconds with `median`, `min` and `max`;
//!   `overhead` and `speedup` as fractions, null where they mean nothing; `findings`, the number of variables, null when
//!   nothing was checked; and `runs`, in the order of rounds.
//! - `findings`: each with `variable`, `runs` (mode to number of runs that found it) and `lost`, the modes that never found
//!   it though full checking did.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::statistics::{Spread, seconds};
use super::{Comparison, Fields, Found, Row, Run};

/// Version of the document.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    jrace: &'static str,
    command: &'a [String],
    ending: &'a str,
    rounds: usize,
    fields: Fields,
    modes: Vec<ModeEntry>,
    findings: Vec<FindingEntry<'a>>,
}

#[derive(Serialize)]
struct ModeEntry {
    name: &'static str,
    meaning: &'static str,
    time: Spread,
    wall: Spread,
    overhead: Option<f64>,
    speedup: Option<f64>,
    findings: Option<usize>,
    runs: Vec<RunEntry>,
}

#[derive(Serialize)]
struct RunEntry {
    #[serde(serialize_with = "seconds")]
    time: Duration,
    #[serde(serialize_with = "seconds")]
    wall: Duration,
    findings: Option<usize>,
}

#[derive(Serialize)]
struct FindingEntry<'a> {
    variable: &'a str,
    runs: BTreeMap<&'static str, usize>,
    lost: Vec<&'static str>,
}

/// The document, with a newline at its end.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(comparison: &Comparison) -> Result<String> {
    let document = Document {
        format: FORMAT,
        jrace: env!("CARGO_PKG_VERSION"),
        command: &comparison.command,
        ending: &comparison.ending,
        rounds: comparison.rounds(),
        fields: comparison.fields,
        modes: comparison.rows().iter().map(mode_entry).collect(),
        findings: comparison.found().into_iter().map(finding_entry).collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn mode_entry(row: &Row<'_>) -> ModeEntry {
    ModeEntry {
        name: row.column.name,
        meaning: row.column.meaning,
        time: row.time,
        wall: row.wall,
        overhead: row.overhead,
        speedup: row.speedup,
        findings: row.findings,
        runs: row.column.runs.iter().map(run_entry).collect(),
    }
}

fn run_entry(run: &Run) -> RunEntry {
    let Run { cost, findings } = run;
    RunEntry { time: cost.processor, wall: cost.wall, findings: findings.as_ref().map(|found| found.len()) }
}

fn finding_entry(found: Found<'_>) -> FindingEntry<'_> {
    FindingEntry { variable: found.variable, runs: found.runs.into_iter().collect(), lost: found.lost }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::comparison;
    use super::*;

    #[test]
    fn every_run_is_in_the_document() {
        let json: serde_json::Value = serde_json::from_str(&document(&comparison()).unwrap()).unwrap();
        assert_eq!((json["rounds"].as_u64(), json["fields"]["race_unsafe"].as_u64()), (Some(3), Some(1)));
        let full = &json["modes"][1];
        assert_eq!((full["name"].as_str(), full["time"]["median"].as_f64()), (Some("full"), Some(0.92)));
        assert_eq!(full["runs"][1]["time"], 1.01);
        assert!(full["speedup"].is_null() && json["modes"][0]["findings"].is_null());
        let lost = &json["findings"][1];
        assert_eq!((&lost["runs"]["full"], &lost["lost"][0]), (&1.into(), &"field".into()));
    }
}
