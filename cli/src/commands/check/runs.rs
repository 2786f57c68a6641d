//! `jrace check --observed DIR`: which methods other threads can break, as the traces of runs have shown.

use std::path::Path;

use anyhow::Result;
use facts::finding::{Rule, Subject};

use super::report::Broken;
use crate::output::err;
use crate::report::advice::advice;
use crate::report::json::ScenarioEntry;
use crate::report::load::load;
use crate::report::merge::{HazardKey, Merged, MergedHazard};
use crate::report::words;

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

    /// The violations of a method (`bank/Account.pay(I)V`) and of its synchronized blocks.
    pub fn of_method(&self, method: &str) -> Vec<Broken<'_>> {
        let of_method = |key: &HazardKey| match &key.subject {
            Subject::Method { class, name, descriptor } | Subject::Block { class, name, descriptor } => {
                key.rule == Rule::Atomicity && format!("{class}.{name}{descriptor}") == method
            }
            Subject::Methods { .. } => false,
        };
        let hazards = self.merged.hazards.iter().filter(|(key, _)| of_method(key));
        hazards.map(|(key, hazard)| broken(key, hazard)).collect()
    }
}

fn broken<'a>(key: &'a HazardKey, hazard: &'a MergedHazard) -> Broken<'a> {
    let mut scenarios: Vec<ScenarioEntry<'_>> = hazard.scenarios.values().map(ScenarioEntry::of).collect();
    scenarios.sort_by_key(|entry| entry.scenario.steps.len());
    let hint = scenarios.first().map(|entry| advice(key, entry.scenario));
    Broken { key, name: words::subject_name(&key.subject), evidence: hazard.evidence, hint, scenarios }
}
