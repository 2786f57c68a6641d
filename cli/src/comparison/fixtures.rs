//! A comparison of made-up numbers.

use std::time::Duration;

use super::{Column, Comparison, Fields, Run};
use crate::measure::Cost;

/// Three rounds; `y` is lost, and `z` is found by the focused mode only.
pub fn comparison() -> Comparison {
    let columns = vec![
        column("base", "without the agent", [610, 600, 650], &[]),
        column("full", "everything is checked", [920, 1010, 900], &["<x>", "y"]),
        column("field", "fewer accesses are checked", [860, 850, 900], &["<x>", "z"]),
    ];
    let command = ["java", "-cp", "a b", "Main<T>"].map(str::to_owned).to_vec();
    Comparison { command, ending: "exit status: 0".to_owned(), fields: Fields { race_unsafe: 1, total: 21 }, columns }
}

/// The first of the variables is found in every run, the others in the last one.
fn column(name: &'static str, meaning: &'static str, times: [u64; 3], variables: &[&str]) -> Column {
    let found = |index: usize| {
        let some = variables.iter().take(if index == 2 { variables.len() } else { 1 });
        (name != "base").then(|| some.map(|variable| format!("field bank.Account.{variable} (int)")).collect())
    };
    let run = |(index, time): (usize, &u64)| {
        let cost = Cost { processor: Duration::from_millis(*time), wall: Duration::from_millis(time * 2 / 3) };
        Run { cost, findings: found(index) }
    };
    Column { name, meaning, runs: times.iter().enumerate().map(run).collect() }
}
