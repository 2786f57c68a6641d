//! The four stages (paper 000, section 2.2), each of which only takes pairs away.
//!
//! Pairs are counted, not listed: places whose accesses have the same signatures stand and fall together.

use std::collections::BTreeMap;

use crate::points_to::ObjectSet;
use crate::races::initialization::effects::Of;
use crate::races::locks::guards::common;
use crate::races::order::starts::ThreadKinds;
use crate::races::threads::RunBy;

use super::accesses::{Accesses, Group, Place};
use super::signature::{Signature, SignatureId, are_apart};

/// The stages after the original pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Both are run by threads, and not by the same one only.
    Reachable,
    /// Both may access the same object.
    Aliasing,
    /// Which several threads may reach.
    Escaping,
    /// And holding no common lock.
    Unlocked,
}

/// Every stage, in order.
pub const STAGES: [Stage; 4] = [Stage::Reachable, Stage::Aliasing, Stage::Escaping, Stage::Unlocked];

/// How many pairs of places are left.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Of accesses to the same variable, one of them a write.
    pub original: u64,
    /// After each stage.
    pub stages: [u64; STAGES.len()],
}

/// Places that stand and fall together.
#[derive(Debug)]
pub struct Class {
    /// The signatures that each of them has.
    pub signatures: Vec<SignatureId>,
    /// The places, in order.
    pub places: Vec<Place>,
    write: bool,
}

/// How far a pair of accesses comes.
#[must_use]
pub fn passes(a: &Signature, b: &Signature, stage: Stage) -> bool {
    match stage {
        Stage::Reachable => (a.write || b.write) && may_be_parallel(a, b),
        Stage::Aliasing => !(a.is_of_thread && b.is_of_thread) && meet(&a.bases, &b.bases),
        Stage::Escaping => meet(&a.shared, &b.shared),
        Stage::Unlocked => common(&a.guards, &b.guards).next().is_none(),
    }
}

fn may_be_parallel(a: &Signature, b: &Signature) -> bool {
    let by_two = match (a.run_by, b.run_by) {
        (RunBy::None, _) | (_, RunBy::None) => false,
        (RunBy::One(a), RunBy::One(b)) => a != b,
        _ => true,
    };
    by_two
        && !are_in_one_run(a, b)
        && !precedes_start(a, b)
        && !precedes_start(b, a)
        && !has_ended(a, b)
        && !has_ended(b, a)
        && !are_initialized(a, b)
}

/// Whether one initializer, which runs once, makes both accesses, or has ended before one of them.
pub(super) fn are_initialized(a: &Signature, b: &Signature) -> bool {
    let is_before = |a: &Signature, b: &Signature| matches!(a.of, Of::Class(class) if b.of == a.of || b.initialized.binary_search(&class).is_ok());
    is_before(a, b) || is_before(b, a)
}

/// Whether the main thread makes one access before it starts the other's thread.
pub(super) fn precedes_start(a: &Signature, b: &Signature) -> bool {
    let is_to_start = |kind: usize| a.started.as_ref().is_some_and(|started| !started.contains(kind));
    b.thread_kind.is_some_and(is_to_start) || a.started.as_ref().is_some_and(ThreadKinds::is_clear)
}

/// Whether the thread or the task of one access has ended before the other.
pub(super) fn has_ended(a: &Signature, b: &Signature) -> bool {
    a.is_of_thread && b.is_of_ended
        || matches!(a.run_by, RunBy::One(root) | RunBy::Alike(root) if b.ended.contains(&root))
        || a.within.iter().any(|within| b.ended_tasks.contains(&within.task))
}

/// Whether one run of a task makes both accesses.
pub(super) fn are_in_one_run(a: &Signature, b: &Signature) -> bool {
    a.within.iter().any(|within| within.is_once && b.within.contains(within))
}

/// Static fields have no base, and are the same for all.
fn meet(a: &Option<ObjectSet>, b: &Option<ObjectSet>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.intersects(b),
        _ => true,
    }
}

/// The classes of a group.
#[must_use]
pub fn classes(accesses: &Accesses, group: &Group) -> Vec<Class> {
    let mut by_signatures: BTreeMap<Vec<SignatureId>, Vec<Place>> = BTreeMap::new();
    for (place, signatures) in group.places.iter().collect::<BTreeMap<_, _>>() {
        let mut ids: Vec<SignatureId> = signatures.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        by_signatures.entry(ids).or_default().push(*place);
    }
    let class = |(signatures, places): (Vec<SignatureId>, Vec<Place>)| {
        let write = signatures.first().is_some_and(|id| accesses.signature(*id).write);
        Class { signatures, places, write }
    };
    by_signatures.into_iter().map(class).collect()
}

/// The last of the stages, in the given order, that some pair of accesses of two classes passes; 0 for none.
#[must_use]
pub fn reach(accesses: &Accesses, a: &Class, b: &Class, stages: &[Stage]) -> usize {
    let mut best = 0;
    for x in &a.signatures {
        for y in &b.signatures {
            let (x, y) = (accesses.signature(*x), accesses.signature(*y));
            let stages = if are_apart(x, y) { &[] } else { stages };
            best = best.max(stages.iter().take_while(|stage| passes(x, y, **stage)).count());
            if best == stages.len() {
                return best;
            }
        }
    }
    best
}

/// How many pairs of places two classes have; one class with itself has each pair once.
#[must_use]
pub fn n_pairs(classes: &[Class], a: usize, b: usize) -> u64 {
    let (x, y) = (classes[a].places.len() as u64, classes[b].places.len() as u64);
    match (classes[a].write || classes[b].write, a == b) {
        (false, _) => 0,
        (true, true) => x * (x + 1) / 2,
        (true, false) => x * y,
    }
}
