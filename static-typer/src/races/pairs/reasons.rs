//! Why pairs of accesses do not race: what the first stage that takes one away goes by.

use crate::races::locks::guards::{common, exclude};
use crate::races::threads::{RunBy, Threads};

use super::signature::Signature;
use super::stages::{Stage, are_in_one_run, are_initialized, has_ended, passes, precedes_start};

/// Why two accesses, one of them a write, do not race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// One thread runs both.
    OneThread,
    /// Only a class initializer makes one of them: to what is its own, or before the other.
    Initializer,
    /// One comes before the start of the other's thread.
    BeforeStart,
    /// One comes after the end of the other's thread.
    AfterEnd,
    /// They are never to one object.
    OtherObjects,
    /// Two threads never reach the object.
    Unshared,
    /// Both hold the same lock.
    CommonLock,
    /// A volatile flag orders all writes of the field before its reads.
    Published,
}

/// Why two accesses do not race, if they do not.
#[must_use]
pub fn reason(threads: &Threads, a: &Signature, b: &Signature) -> Option<Reason> {
    let fails = |stage| !passes(a, b, stage);
    if fails(Stage::Reachable) {
        return (a.write || b.write).then(|| unreachable(a, b));
    }
    match (fails(Stage::Aliasing), fails(Stage::Escaping)) {
        (true, _) => Some(Reason::OtherObjects),
        (_, true) => Some(Reason::Unshared),
        _ => is_locked(threads, a, b).then_some(Reason::CommonLock),
    }
}

fn unreachable(a: &Signature, b: &Signature) -> Reason {
    let is_of_none = matches!((a.run_by, b.run_by), (RunBy::None, _) | (_, RunBy::None));
    let is_of_one = matches!((a.run_by, b.run_by), (RunBy::One(a), RunBy::One(b)) if a == b);
    match (precedes_start(a, b) || precedes_start(b, a), has_ended(a, b) || has_ended(b, a)) {
        _ if is_of_none || are_initialized(a, b) => Reason::Initializer,
        _ if is_of_one || are_in_one_run(a, b) => Reason::OneThread,
        (true, _) => Reason::BeforeStart,
        _ => Reason::AfterEnd,
    }
}

fn is_locked(threads: &Threads, a: &Signature, b: &Signature) -> bool {
    exclude(&a.own, &b.own) || common(&a.guards, &b.guards).any(|lock| threads.is_single(lock))
}
