//! A comparison of made-up numbers.

use std::time::Duration;

use facts::finding::Grade;

use super::{Column, Comparison, Fields, Methods, Run, Subject};
use crate::measure::Cost;

/// Three rounds; `y` is lost, and `z` is found by the focused mode only.
pub fn comparison() -> Comparison {
    let columns = vec![
        column("base", "without the agent", [610, 600, 650], &[]),
        column("full", "everything is checked", [920, 1010, 900], &["<x>", "y"]),
        column("field", "fewer accesses are checked", [860, 850, 900], &["<x>", "z"]),
    ];
    let command = ["java", "-cp", "a b", "Main<T>"].map(str::to_owned).to_vec();
    let subject = Subject::Races(Fields { race_unsafe: 1, total: 21 }, Methods { untyped: 1, total: 24 });
    Comparison { command, ending: "exit status: 0".to_owned(), subject, columns }
}

/// The numbers of another paper's line: a quarter of the checker's cost falls away.
pub fn of_atomicity() -> Comparison {
    let mut comparison = Comparison { subject: Subject::Atomicity, ..comparison() };
    let runs = comparison
        .columns
        .iter_mut()
        .zip([0, 172, 129])
        .flat_map(|(column, checker)| column.runs.iter_mut().map(move |run| (run, Duration::from_millis(checker))));
    runs.for_each(|(run, checker)| run.checker = Cost { processor: checker, wall: checker });
    for (column, name) in comparison.columns.iter_mut().zip(["base", "unfocused", "focused"]) {
        column.name = name;
    }
    comparison
}

/// The same, where all is possible but what full checking has found in its second round.
pub fn of_grades() -> Comparison {
    let mut comparison = comparison();
    for (index, column) in comparison.columns.iter_mut().enumerate() {
        for (round, run) in column.runs.iter_mut().enumerate() {
            for (name, grade) in run.findings.iter_mut().flatten() {
                *grade = Some(match (index, round) {
                    (1, 1) => Grade::Certain,
                    _ if name.contains(".z ") => Grade::Unlikely,
                    _ => Grade::Possible,
                });
            }
        }
    }
    comparison
}

/// The first of the variables is found in every run, the others in the last one.
fn column(name: &'static str, meaning: &'static str, times: [u64; 3], variables: &[&str]) -> Column {
    let found = |index: usize| {
        let some = variables.iter().take(if index == 2 { variables.len() } else { 1 });
        (name != "base").then(|| some.map(|variable| (format!("field bank.Account.{variable} (int)"), None)).collect())
    };
    let run = |(index, time): (usize, &u64)| {
        let cost = Cost { processor: Duration::from_millis(*time), wall: Duration::from_millis(time * 2 / 3) };
        Run { command: cost, checker: Cost::default(), findings: found(index) }
    };
    Column { name, meaning, runs: times.iter().enumerate().map(run).collect() }
}
