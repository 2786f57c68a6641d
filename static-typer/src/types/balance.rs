//! Whether a method gives back locks that it has not taken.
//!
//! On each way through it, a lock is counted up where it is taken and down where it is given back; what counts is where the method is
//! left, by a return or an exception, for what was given up meanwhile and taken again is held as before. What matters is what happens to
//! a lock that the caller holds: then `tryLock` always takes it once more, so it counts like `lock`. A `lock()` that throws has taken
//! nothing, and is not followed.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, Body, Op, Value};

/// What a call does to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Takes it.
    Takes,
    /// Gives it back.
    Gives,
}

/// Nothing is followed that gives back more than this, as a loop may.
const MOST_GIVEN: i32 = -8;

/// Whether a method gives back a lock that it has not taken itself, on some way through it. `changes` has what its calls do, and to
/// which lock.
pub fn gives_more<L: Ord>(body: &Body, changes: &BTreeMap<Value, (Change, L)>) -> bool {
    changes.values().any(|(change, _)| *change == Change::Gives) && Balance { body, changes }.gives_more()
}

struct Balance<'a, L> {
    body: &'a Body,
    changes: &'a BTreeMap<Value, (Change, L)>,
}

/// How often a method has taken a lock more than it has given it back, at least.
type Counts<'a, L> = BTreeMap<&'a L, i32>;

impl<'a, L: Ord> Balance<'a, L> {
    fn gives_more(&self) -> bool {
        let mut at_start: Vec<Option<Counts<'a, L>>> = self.body.blocks.iter().map(|_| None).collect();
        at_start[0] = Some(Counts::new());
        let mut open = BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            let counts = at_start[block.index()].clone().unwrap_or_default();
            let Some(leaving) = self.leaving(block, counts) else { return true };
            for (to, counts) in leaving {
                if meet(&mut at_start[to.index()], &counts) {
                    open.insert(to);
                }
            }
        }
        false
    }

    /// What is held where a block is left; none if the method is left with less than it began with.
    fn leaving(&self, block: Block, mut counts: Counts<'a, L>) -> Option<Vec<(Block, Counts<'a, L>)>> {
        let mut thrown = None;
        for value in self.body.values(block) {
            if self.may_throw(value) {
                meet(&mut thrown, &counts);
            }
            self.step(value, &mut counts)?;
        }
        let (handlers, successors) = (&self.body.block(block).handlers, self.body.successors(block));
        let is_caught = handlers.iter().any(|(ty, _)| ty.is_none());
        let lacks = |counts: &Counts<'a, L>| counts.values().any(|count| *count < 0);
        if successors.is_empty() && lacks(&counts) || !is_caught && thrown.as_ref().is_some_and(lacks) {
            return None;
        }
        let caught = handlers.iter().filter_map(|(_, handler)| Some((*handler, thrown.clone()?)));
        let followed = successors.into_iter().map(|to| (to, counts.clone()));
        Some(caught.chain(followed).collect())
    }

    fn step(&self, value: Value, counts: &mut Counts<'a, L>) -> Option<()> {
        match self.changes.get(&value) {
            Some((Change::Takes, lock)) => *counts.entry(lock).or_default() += 1,
            Some((Change::Gives, lock)) => {
                let count = counts.entry(lock).or_default();
                *count = Some(*count - 1).filter(|count| *count > MOST_GIVEN)?;
            }
            _ => {}
        }
        Some(())
    }

    /// A field of `this` is read without an exception.
    fn may_throw(&self, value: Value) -> bool {
        match self.body.op(value) {
            Op::Parameter(_) | Op::Caught | Op::Phi(_) | Op::Null | Op::Constant(_) | Op::Jump(_) | Op::Exit(_) => {
                false
            }
            Op::GetField(object, _) => !matches!(self.body.op(*object), Op::Parameter(0)),
            _ => !matches!(self.changes.get(&value), Some((Change::Takes, _))),
        }
    }
}

/// Keeps what is held on both ways; says whether it is less than was known.
fn meet<'a, L: Ord>(known: &mut Option<Counts<'a, L>>, other: &Counts<'a, L>) -> bool {
    let Some(known) = known else {
        *known = Some(other.clone());
        return true;
    };
    let before: i32 = known.values().sum();
    for (lock, count) in known.iter_mut() {
        *count = (*count).min(other.get(lock).copied().unwrap_or(0));
    }
    for (lock, count) in other.iter().filter(|(_, count)| **count < 0) {
        known.entry(lock).or_insert(*count);
    }
    before != known.values().sum::<i32>()
}
