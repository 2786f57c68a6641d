//! The locks that one thread holds, outermost first.
//!
//! A lock acquired again is held once more; locks need not be released in the opposite order (`java.util.concurrent` locks
//! need not be); a release of something not held is ignored, as when a thread was first seen inside a lock.

use std::sync::Arc;

use facts::access::{AccessKind, LockMode};
use facts::index::ObjectId;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// One acquisition that has not been released.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hold {
    /// The lock.
    pub lock: ObjectId,
    /// How it is held.
    pub mode: LockMode,
}

impl Hold {
    /// Whether holding the lock in this mode protects an access of this kind: read mode protects reads only.
    #[must_use]
    pub fn protects(self, kind: AccessKind) -> bool {
        kind == AccessKind::Read || self.mode == LockMode::Exclusive
    }
}

/// The locks that one thread holds.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Each lock and mode with its unmatched acquisitions: a recursion may have thousands of one.
    holds: IndexMap<Hold, u32, FxBuildHasher>,
    /// A copy to share among the accesses between two changes.
    snapshot: Option<Arc<[Hold]>>,
}

impl Held {
    /// Enters a lock.
    pub fn acquire(&mut self, lock: ObjectId, mode: LockMode) {
        let depth = self.holds.entry(Hold { lock, mode }).or_default();
        *depth += 1;
        if *depth == 1 {
            self.snapshot = None;
        }
    }

    /// Ends the latest unmatched acquisition of the lock in this mode; false if there is none.
    pub fn release(&mut self, lock: ObjectId, mode: LockMode) -> bool {
        let hold = Hold { lock, mode };
        let Some(depth) = self.holds.get_mut(&hold) else { return false };
        *depth -= 1;
        if *depth == 0 {
            self.holds.shift_remove(&hold);
            self.snapshot = None;
        }
        true
    }

    /// What is held, each lock and mode once, outermost first.
    pub fn holds(&self) -> impl Iterator<Item = &Hold> {
        self.holds.keys()
    }

    /// Whether a lock is held in a mode.
    #[must_use]
    pub fn contains(&self, hold: Hold) -> bool {
        self.holds.contains_key(&hold)
    }

    /// Whether a lock that protects an access of this kind is held.
    #[must_use]
    pub fn protects(&self, kind: AccessKind, lock: ObjectId) -> bool {
        let is_held = |mode| self.contains(Hold { lock, mode });
        is_held(LockMode::Exclusive) || kind == AccessKind::Read && is_held(LockMode::Shared)
    }

    /// The locks that protect an access of this kind, outermost first; one that is held in two modes twice.
    pub fn protecting(&self, kind: AccessKind) -> impl Iterator<Item = ObjectId> {
        self.holds().filter(move |hold| hold.protects(kind)).map(|hold| hold.lock)
    }

    /// What is held, each lock and mode once, outermost first; shared until the next change.
    pub fn snapshot(&mut self) -> Arc<[Hold]> {
        let holds = &self.holds;
        Arc::clone(self.snapshot.get_or_insert_with(|| holds.keys().copied().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: ObjectId = ObjectId(1);
    const N: ObjectId = ObjectId(2);

    fn locks(held: &Held, kind: AccessKind) -> Vec<ObjectId> {
        held.protecting(kind).collect()
    }

    #[test]
    fn reentrant_and_out_of_order() {
        let mut held = Held::default();
        held.acquire(M, LockMode::Exclusive);
        held.acquire(N, LockMode::Exclusive);
        held.acquire(M, LockMode::Exclusive);
        assert_eq!(held.snapshot().len(), 2);
        assert!(held.release(M, LockMode::Exclusive));
        assert_eq!(locks(&held, AccessKind::Write), [M, N]);
        assert!(held.release(M, LockMode::Exclusive));
        assert_eq!(locks(&held, AccessKind::Write), [N]);
        assert!(!held.release(M, LockMode::Exclusive), "no longer held");
    }

    /// As in a recursion, in which each level would look at all.
    #[test]
    fn a_lock_that_is_held_often_is_there_once() {
        let mut held = Held::default();
        (0..1000).for_each(|_| held.acquire(M, LockMode::Exclusive));
        assert_eq!((held.holds().count(), locks(&held, AccessKind::Write)), (1, vec![M]));
        assert!((0..1000).all(|_| held.release(M, LockMode::Exclusive)) && held.holds().next().is_none());
    }

    #[test]
    fn read_mode_protects_reads_only() {
        let mut held = Held::default();
        held.acquire(M, LockMode::Shared);
        held.acquire(N, LockMode::Exclusive);
        assert_eq!(locks(&held, AccessKind::Read), [M, N]);
        assert_eq!(locks(&held, AccessKind::Write), [N]);
        assert!(!held.release(M, LockMode::Exclusive), "held in the other mode");
    }
}
