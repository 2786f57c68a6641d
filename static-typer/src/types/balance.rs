//! How often a method gives back locks that it has not taken.
//!
//! On each way through it, a lock is counted up where it is taken and down where it is given back; what counts is where the method is
//! left, by a return or an exception, for what was given up meanwhile and taken again is held as before. What matters is what happens to
//! a lock that the caller holds: then `tryLock` always takes it once more, so it counts like `lock`. A `lock()` that throws has taken
//! nothing, and is not followed. A helper that throws has taken nothing, either, and may have given back what it gives.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, Body, Value};
use crate::program::Program;

/// What a call does to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Takes it.
    Takes,
    /// Gives it back.
    Gives,
}

/// What one call does to locks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<L> {
    /// Each lock as often as it is changed.
    pub changes: Vec<(Change, L)>,
    /// Whether it is the lock itself that is called, and not a method that does so.
    pub is_lock: bool,
}

/// What the calls of a body do to locks.
pub struct Steps<'a, L> {
    /// By call.
    pub calls: BTreeMap<Value, Step<L>>,
    /// What is taken besides where one block goes to another one: by a helper that says so.
    pub on_edge: &'a dyn Fn(Block, Block) -> Vec<L>,
}

/// Nothing is followed that gives back more than this, as a loop may.
const MOST_GIVEN: i32 = -8;

/// How often a method gives back each lock that it has not taken itself, at most, over all ways through it; none if that may be any
/// number of times.
pub fn given<L: Ord + Clone>(program: &Program, body: &Body, steps: &Steps<'_, L>) -> Option<BTreeMap<L, u32>> {
    let mut changes = steps.calls.values().flat_map(|step| &step.changes);
    if !changes.any(|(change, _)| *change == Change::Gives) {
        return Some(BTreeMap::new());
    }
    let mut balance = Balance { program, body, steps, least: Counts::new() };
    balance.follow()?;
    let less = balance.least.into_iter().filter(|(_, count)| *count < 0);
    Some(less.map(|(lock, count)| (lock, count.unsigned_abs())).collect())
}

struct Balance<'a, L> {
    program: &'a Program,
    body: &'a Body,
    steps: &'a Steps<'a, L>,
    /// Of all ends of the method, where that is less than nothing.
    least: Counts<L>,
}

/// How often a method has taken a lock more than it has given it back, at least.
type Counts<L> = BTreeMap<L, i32>;

impl<L: Ord + Clone> Balance<'_, L> {
    fn follow(&mut self) -> Option<()> {
        let mut at_start: Vec<Option<Counts<L>>> = self.body.blocks.iter().map(|_| None).collect();
        at_start[0] = Some(Counts::new());
        let mut open = BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            let counts = at_start[block.index()].clone().unwrap_or_default();
            for (to, counts) in self.leaving(block, counts)? {
                if meet(&mut at_start[to.index()], &counts) {
                    open.insert(to);
                }
            }
        }
        Some(())
    }

    /// What is held where a block is left; none if something is given back too often.
    fn leaving(&mut self, block: Block, mut counts: Counts<L>) -> Option<Vec<(Block, Counts<L>)>> {
        let mut thrown = None;
        for value in self.body.values(block) {
            if self.may_throw(value) {
                meet(&mut thrown, &counts);
            }
            self.step(value, &mut counts)?;
            if self.steps.calls.get(&value).is_some_and(|step| !step.is_lock) {
                meet(&mut thrown, &counts);
            }
        }
        let (handlers, successors) = (&self.body.block(block).handlers, self.body.successors(block));
        if successors.is_empty() {
            self.end(&counts);
        }
        if !handlers.iter().any(|(ty, _)| ty.is_none()) {
            thrown.iter().for_each(|thrown| self.end(thrown));
        }
        let caught = handlers.iter().filter_map(|(_, handler)| Some((*handler, thrown.clone()?)));
        let followed = successors.into_iter().map(|to| {
            let mut counts = counts.clone();
            (self.steps.on_edge)(block, to).into_iter().for_each(|lock| *counts.entry(lock).or_default() += 1);
            (to, counts)
        });
        Some(caught.chain(followed).collect())
    }

    fn end(&mut self, counts: &Counts<L>) {
        for (lock, count) in counts.iter().filter(|(_, count)| **count < 0) {
            let least = self.least.entry(lock.clone()).or_default();
            *least = (*least).min(*count);
        }
    }

    fn step(&self, value: Value, counts: &mut Counts<L>) -> Option<()> {
        for (change, lock) in self.steps.calls.get(&value).iter().flat_map(|step| &step.changes) {
            let count = counts.entry(lock.clone()).or_default();
            *count += if *change == Change::Takes { 1 } else { -1 };
            if *count <= MOST_GIVEN {
                return None;
            }
        }
        Some(())
    }

    /// What takes a lock does not.
    fn may_throw(&self, value: Value) -> bool {
        let takes_lock = self.steps.calls.get(&value).is_some_and(|step| step.is_lock && takes(step));
        self.body.may_throw(self.program, value) && !takes_lock
    }
}

fn takes<L>(step: &Step<L>) -> bool {
    step.changes.iter().any(|(change, _)| *change == Change::Takes)
}

/// Keeps what is held on both ways; says whether it is less than was known.
fn meet<L: Ord + Clone>(known: &mut Option<Counts<L>>, other: &Counts<L>) -> bool {
    let Some(known) = known else {
        *known = Some(other.clone());
        return true;
    };
    let before: i32 = known.values().sum();
    for (lock, count) in known.iter_mut() {
        *count = (*count).min(other.get(lock).copied().unwrap_or(0));
    }
    for (lock, count) in other.iter().filter(|(_, count)| **count < 0) {
        known.entry(lock.clone()).or_insert(*count);
    }
    before != known.values().sum::<i32>()
}
