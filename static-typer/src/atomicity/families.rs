//! The calls that may run the same methods, and what these come to together.
//!
//! Thousands of calls of one method of an interface may run each of thousands of methods. What they run is joined once for all of
//! them, and a call counts again only when that has changed.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::BODILESS;
use super::basic::Basic;
use super::conditional::Atomicity;
use super::steps::{Calls, Step, Steps};
use crate::program::MethodId;
use crate::types::Held;

/// What methods come to, whichever of them runs.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// Those that do not depend on locks.
    pub basic: Basic,
    /// The others, by their places among the methods.
    pub others: BTreeMap<usize, Atomicity<Held>>,
}

impl Joined {
    /// No method.
    pub const NOTHING: Self = Self { basic: Basic::Const, others: BTreeMap::new() };

    /// Puts a method in the place of what is known of it, which is less; says whether that is news.
    pub fn put(&mut self, place: usize, new: &Atomicity<Held>) -> bool {
        match new {
            Atomicity::Basic(basic) => {
                let joined = self.basic.join(*basic);
                let is_news = std::mem::replace(&mut self.basic, joined) != joined;
                self.others.remove(&place).is_some() | is_news
            }
            Atomicity::When(_) => self.others.insert(place, new.clone()).as_ref() != Some(new),
        }
    }
}

/// The families of methods that some call may run, each once.
pub(super) struct Families {
    joined: Vec<Joined>,
    /// The methods that call a member.
    callers: Vec<Vec<usize>>,
    /// The families of each method, and its place in them.
    of_method: Vec<Vec<(usize, usize)>>,
}

impl Families {
    /// Numbers the families of all calls; `numbers` are those of the methods with a body, of which nothing is known yet.
    pub fn of(steps: &mut [Steps], numbers: &FxHashMap<MethodId, usize>) -> Self {
        let mut families = Self { joined: Vec::new(), callers: Vec::new(), of_method: vec![Vec::new(); numbers.len()] };
        let mut known: FxHashMap<Vec<MethodId>, usize> = FxHashMap::default();
        for (caller, steps) in steps.iter_mut().enumerate() {
            let mut called = FxHashSet::default();
            for step in steps.blocks.iter_mut().flat_map(|block| &mut block.steps) {
                let (_, Step::Calls(calls)) = step else { continue };
                calls.family = match known.get(&calls.targets) {
                    Some(family) => *family,
                    None => {
                        known.insert(calls.targets.clone(), families.joined.len());
                        families.add(&calls.targets, numbers)
                    }
                };
                if called.insert(calls.family) {
                    families.callers[calls.family].push(caller);
                }
            }
        }
        families
    }

    fn add(&mut self, targets: &[MethodId], numbers: &FxHashMap<MethodId, usize>) -> usize {
        let (family, mut joined) = (self.joined.len(), Joined::NOTHING);
        for (place, target) in targets.iter().enumerate() {
            match numbers.get(target) {
                Some(number) => self.of_method[*number].push((family, place)),
                None => _ = joined.put(place, &BODILESS),
            }
        }
        self.joined.push(joined);
        self.callers.push(Vec::new());
        family
    }

    /// What the methods that a call may run come to.
    pub fn joined(&self, calls: &Calls) -> &Joined {
        &self.joined[calls.family]
    }

    /// Knows more of a method; returns the methods to which that is news.
    pub fn assign(&mut self, method: usize, new: &Atomicity<Held>) -> Vec<usize> {
        let mut users = Vec::new();
        for (family, place) in &self.of_method[method] {
            if self.joined[*family].put(*place, new) {
                users.extend(&self.callers[*family]);
            }
        }
        users
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::BlockSteps;
    use super::*;
    use crate::ir::Value;

    /// A hundred methods, each with a call that may run each of them, look at each other again for what is news to all of them only:
    /// not for each method that changes.
    #[test]
    fn what_many_methods_come_to_is_news_once() {
        let methods: Vec<MethodId> = (0..100).map(MethodId).collect();
        let numbers = methods.iter().enumerate().map(|(number, method)| (*method, number)).collect();
        let of_method = |_: &MethodId| {
            let steps = vec![(Value(0), Step::Calls(Calls::of(&methods)))];
            Steps { blocks: vec![BlockSteps { steps, next: Vec::new() }], section: None, tries: false }
        };
        let mut steps: Vec<Steps> = methods.iter().map(of_method).collect();
        let mut families = Families::of(&mut steps, &numbers);
        let mut n_looks = 0;
        for basic in [Basic::Mover, Basic::Atomic, Basic::Compound] {
            let mut assign = |method| families.assign(method, &Atomicity::Basic(basic)).len();
            n_looks += (0..methods.len()).map(&mut assign).sum::<usize>();
        }
        assert_eq!(n_looks, 3 * methods.len());
        let Step::Calls(calls) = &steps[7].blocks[0].steps[0].1 else { panic!("it is a call") };
        assert_eq!(calls.joined(families.joined(calls)), Atomicity::Basic(Basic::Compound));
    }
}
