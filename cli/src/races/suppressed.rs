//! Races of a search that are suppressed, as those of runs are.
//!
//! A suppression is tried on what the variable is called, and on the places of both accesses. Frames of their callers count for nothing,
//! unlike those of a run: a path is one of many ways to a place, and who suppresses one has not said anything of the others.

use std::collections::BTreeSet;

use facts::finding::Rule;
use facts::site::Place;

use super::report::{AccessView, RaceView, Report, VariableRaces};
use crate::report::suppressed::{self, SuppressedBy, Suppressions};

/// Marks what is suppressed.
pub fn apply(suppressions: &Suppressions, report: &mut Report) {
    if suppressions.held.is_empty() {
        return;
    }
    report.variables.iter_mut().for_each(|variable| variable.suppress(suppressions));
    for sets in &mut report.broken_sets {
        sets.suppressed_by = suppressions.of_named(Rule::Race, &sets.method);
    }
}

impl VariableRaces {
    /// Of a variable that is suppressed in part, the races stay that are not.
    fn suppress(&mut self, suppressions: &Suppressions) {
        self.suppressed_by = suppressions.of_named(Rule::Race, &self.name);
        if self.suppressed_by.is_empty() {
            self.suppressed_by = suppressed::retain(&mut self.races, |race| of_race(suppressions, race));
            self.count_pairs();
        }
    }
}

/// What suppresses a race: of each two of its places there is something that does.
fn of_race(suppressions: &Suppressions, race: &RaceView) -> BTreeSet<SuppressedBy> {
    let sides: Vec<Vec<Place>> = race.accesses.iter().map(places).collect();
    let [first, second] = &sides[..] else { return BTreeSet::new() };
    let mut all = BTreeSet::new();
    for (one, other) in first.iter().flat_map(|one| second.iter().map(move |other| (one, other))) {
        let by = suppressions.of_places(Rule::Race, &[one, other]);
        if by.is_empty() {
            return BTreeSet::new();
        }
        all.extend(by);
    }
    all
}

/// Where a side makes its access.
fn places(access: &AccessView) -> Vec<Place> {
    access.path.first().into_iter().chain(&access.alike).map(|frame| frame.place()).collect()
}
