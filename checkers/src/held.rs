//! The locks that one thread holds, outermost first.
//!
//! A lock acquired again is held once more; locks need not be released in the opposite order (`java.util.concurrent` locks
//! need not be); a release of something not held is ignored, as when a thread was first seen inside a lock.

use std::sync::Arc;

use facts::access::{AccessKind, LockMode};
use facts::index::ObjectId;

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
    holds: Vec<Hold>,
    /// A copy to share among the accesses between two changes.
    snapshot: Option<Arc<[Hold]>>,
}

impl Held {
    /// Enters a lock.
    pub fn acquire(&mut self, lock: ObjectId, mode: LockMode) {
        self.holds.push(Hold { lock, mode });
        self.snapshot = None;
    }

    /// Ends the latest unmatched acquisition of the lock in this mode; false if there is none.
    pub fn release(&mut self, lock: ObjectId, mode: LockMode) -> bool {
        let latest = self.holds.iter().rposition(|hold| *hold == Hold { lock, mode });
        if let Some(at) = latest {
            self.holds.remove(at);
            self.snapshot = None;
        }
        latest.is_some()
    }

    /// Every unmatched acquisition, outermost first; a lock held twice is in it twice.
    #[must_use]
    pub fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// The locks that protect an access of this kind, outermost first, possibly more than once.
    pub fn protecting(&self, kind: AccessKind) -> impl Iterator<Item = ObjectId> {
        self.holds.iter().filter(move |hold| hold.protects(kind)).map(|hold| hold.lock)
    }

    /// What is held, each lock and mode once, outermost first; shared until the next change.
    pub fn snapshot(&mut self) -> Arc<[Hold]> {
        let holds = &self.holds;
        let first = |(at, hold): (usize, &Hold)| (!holds[..at].contains(hold)).then_some(*hold);
        Arc::clone(self.snapshot.get_or_insert_with(|| holds.iter().enumerate().filter_map(first).collect()))
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
