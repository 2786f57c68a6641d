//! What was reported of each variable, so that a pair of sites is reported once.

use facts::finding::{Grade, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of sites that are reported of one variable.
const CONFLICTS: usize = 8;
/// Races of one variable after which further ones are only counted.
pub const LOOKED_AT: u64 = 64;

/// The variables with races.
#[derive(Default)]
pub struct Reported(FxHashMap<Variable, Of>);

/// How often races of a variable were seen.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Objects on which there was one.
    pub races: u64,
    /// Accesses that raced.
    pub accesses: u64,
}

/// Of one variable.
#[derive(Default)]
pub struct Of {
    /// What was seen.
    pub counts: Counts,
    pairs: FxHashSet<((u32, u32), Option<Grade>)>,
    /// That of the surest pair that was reported, if any has one.
    surest: Option<Grade>,
}

impl Reported {
    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Counts a race.
    pub fn count(&mut self, variable: &Variable) -> Counts {
        let counts = &mut self.0.entry(variable.clone()).or_default().counts;
        counts.races += 1;
        counts.accesses += 1;
        *counts
    }

    /// Whether so many races of the variable were looked at that they are only counted, which this does then.
    pub fn only_counts(&mut self, variable: &Variable) -> bool {
        let is_done = self.0.get(variable).is_some_and(|of| of.counts.races >= LOOKED_AT);
        if is_done {
            self.count(variable);
        }
        is_done
    }

    /// What was reported of a variable that has races.
    pub fn of(&mut self, variable: &Variable) -> Option<&mut Of> {
        self.0.get_mut(variable)
    }

    /// All, in the order of the variables.
    pub fn sorted(&self) -> Vec<(&Variable, Counts)> {
        let mut all: Vec<_> = self.0.iter().map(|(variable, of)| (variable, of.counts)).collect();
        all.sort_by_key(|(variable, _)| *variable);
        all
    }
}

impl Of {
    /// Takes note of a pair of sites. Each one is new once, and again when it turns out to be surer.
    pub fn is_new(&mut self, (a, b): (u32, u32), grade: Option<Grade>) -> bool {
        let pair = (a.min(b), a.max(b));
        let is_known = self.pairs.iter().any(|(known, of)| *known == pair && *of <= grade);
        let is_surer = self.surest.is_some_and(|surest| grade < Some(surest));
        let is_new = !is_known && (self.pairs.len() < CONFLICTS || is_surer);
        if is_new {
            self.pairs.insert((pair, grade));
            self.surest = self.surest.into_iter().chain(grade).min();
        }
        is_new
    }
}
