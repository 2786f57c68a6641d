//! `jrace check --observed DIR`: which methods other threads can break, as the traces of runs have shown.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use facts::finding::{Rule, Scenario, Subject};

use crate::output::err;
use crate::report::advice::{advice, meaning};
use crate::report::load::load;
use crate::report::merge::{HazardKey, Merged, MergedHazard};
use crate::report::words;

/// How many scenarios of a method are shown.
const SHOWN: usize = 3;

/// The atomicity violations that runs have shown.
pub struct Runs {
    merged: Merged,
}

impl Runs {
    /// Reads what `jrace run --atomicity` has left, and says what of it is damaged.
    ///
    /// # Errors
    /// There is nothing, or it cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        let merged = load(&[directory.to_owned()], false, &|path| path.display().to_string())?;
        merged.problems.iter().for_each(|problem| err(&format!("jrace: {problem}\n")));
        Ok(Self { merged })
    }

    /// The violations of a method (`bank/Account.pay(I)V`) and of its synchronized blocks, as lines; none if runs have shown none.
    pub fn of_method(&self, method: &str) -> Option<String> {
        let of_method = |key: &HazardKey| match &key.subject {
            Subject::Method { class, name, descriptor } | Subject::Block { class, name, descriptor } => {
                key.rule == Rule::Atomicity && format!("{class}.{name}{descriptor}") == method
            }
            Subject::Methods { .. } => false,
        };
        let lines: String = self
            .merged
            .hazards
            .iter()
            .filter(|(key, _)| of_method(key))
            .map(|(key, hazard)| show(key, hazard))
            .collect();
        Some(lines).filter(|lines| !lines.is_empty())
    }
}

fn show(key: &HazardKey, hazard: &MergedHazard) -> String {
    let mut scenarios: Vec<&Scenario> = hazard.scenarios.values().map(|foreseen| &foreseen.scenario).collect();
    scenarios.sort_by_key(|scenario| scenario.steps.len());
    let mut text = String::new();
    for scenario in scenarios.iter().take(SHOWN) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  runs  {}{}", steps(scenario), explained(&scenario.pattern));
    }
    let hint = scenarios.first().map(|scenario| format!("  hint  {}\n", advice(key, scenario)));
    text + &hint.unwrap_or_default()
}

fn explained(pattern: &str) -> String {
    if pattern.is_empty() { String::new() } else { format!(": {}", meaning(pattern)) }
}

/// `R at Account.java:20, W' at Account.java:21`: whose thread is another one's has a prime, as in patterns.
fn steps(scenario: &Scenario) -> String {
    let steps: Vec<String> = scenario.steps.iter().map(words::brief).collect();
    steps.join(", ")
}
