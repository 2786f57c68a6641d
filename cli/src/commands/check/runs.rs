//! `jrace check --observed DIR`: which methods other threads can break, as the traces of runs have shown.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use facts::finding::{Rule, Subject};

use super::report::Broken;
use crate::output::say;
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
        merged.unread.iter().chain(&merged.problems).for_each(|problem| say(problem));
        Ok(Self { merged })
    }

    /// Whether all could be read.
    pub fn is_whole(&self) -> bool {
        self.merged.unread.is_empty()
    }

    /// Says which broken methods are not among those that are checked (`bank/Account.pay(I)V`): of these, nothing is reported.
    pub fn name_others(&self, checked: &BTreeSet<String>) {
        let is_other = |key: &&HazardKey| {
            key.rule == Rule::Atomicity && method(&key.subject).is_some_and(|method| !checked.contains(&method))
        };
        let others = self.merged.hazards.keys().filter(is_other).map(|key| words::subject_name(&key.subject));
        let others: BTreeSet<String> = others.collect();
        if !others.is_empty() {
            let names = others.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            let number = words::count(others.len() as u64, "method");
            say(&format!("runs have broken {number} besides those of the classes that are checked: {names}"));
        }
    }

    /// The violations of a method (`bank/Account.pay(I)V`) and of its synchronized blocks.
    pub fn of_method(&self, name: &str) -> Vec<Broken<'_>> {
        let of_method = |key: &HazardKey| key.rule == Rule::Atomicity && method(&key.subject).as_deref() == Some(name);
        let hazards = self.merged.hazards.iter().filter(|(key, _)| of_method(key));
        hazards.map(|(key, hazard)| broken(key, hazard)).collect()
    }
}

/// The method that a violation is about.
fn method(subject: &Subject) -> Option<String> {
    match subject {
        Subject::Method { class, name, descriptor } | Subject::Block { class, name, descriptor } => {
            Some(format!("{class}.{name}{descriptor}"))
        }
        Subject::Methods { .. } => None,
    }
}

fn broken<'a>(key: &'a HazardKey, hazard: &'a MergedHazard) -> Broken<'a> {
    let mut scenarios: Vec<ScenarioEntry<'_>> = hazard.scenarios.values().map(ScenarioEntry::of).collect();
    scenarios.sort_by_key(|entry| entry.scenario.steps.len());
    let hint = scenarios.first().map(|entry| advice(key, entry.scenario));
    Broken { key, name: words::subject_name(&key.subject), evidence: hazard.evidence, hint, scenarios }
}
