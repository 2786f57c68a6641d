//! The locks that one thread holds, with their interned lock sets: [`crate::held`] for the agent.
//!
//! Sets are looked up when an access asks for them, not when a lock is entered, so that a lock under which nothing is
//! checked costs a push and a pop, and no id (a program may lock millions of short-lived buffers). Each level of the stack
//! keeps its sets, so that leaving a lock in the usual order restores those of the level below; the last few lookups are
//! kept too, because a thread tends to enter the same locks again and the shared table takes 45–200 ns.

use facts::access::LockMode;
use facts::index::ObjectId;

use crate::held::Hold;
use crate::lock_set::{LockSets, SetId};

/// The lock sets that count for a thread's accesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sets {
    /// Locks held in any mode: they protect reads.
    pub read: SetId,
    /// Locks held exclusively: they protect writes.
    pub write: SetId,
}

impl Sets {
    /// No lock held.
    pub const NONE: Self = Self { read: SetId::EMPTY, write: SetId::EMPTY };
}

/// The locks that one thread holds.
#[derive(Clone, Debug, Default)]
pub struct HeldSets {
    levels: Vec<Level>,
    recent: Recent,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    hold: Hold,
    sets: Option<Sets>,
}

impl HeldSets {
    /// Enters a lock.
    pub fn acquire(&mut self, lock: ObjectId, mode: LockMode) {
        self.levels.push(Level { hold: Hold { lock, mode }, sets: None });
    }

    /// Ends the latest unmatched acquisition of the lock in this mode; false if there is none.
    pub fn release(&mut self, lock: ObjectId, mode: LockMode) -> bool {
        let latest = self.levels.iter().rposition(|level| level.hold == Hold { lock, mode });
        if let Some(at) = latest {
            self.levels.remove(at);
            for above in &mut self.levels[at..] {
                above.sets = None;
            }
        }
        latest.is_some()
    }

    /// The mode of the latest unmatched acquisition of a lock.
    #[must_use]
    pub fn mode_of(&self, lock: ObjectId) -> Option<LockMode> {
        self.levels.iter().rev().find(|level| level.hold.lock == lock).map(|level| level.hold.mode)
    }

    /// Every unmatched acquisition, outermost first; a lock held twice is in it twice.
    pub fn holds(&self) -> impl DoubleEndedIterator<Item = Hold> + ExactSizeIterator {
        self.levels.iter().map(|level| level.hold)
    }

    /// The sets of what is held now.
    pub fn sets(&mut self, table: &LockSets) -> Sets {
        let known = self.levels.iter().rposition(|level| level.sets.is_some()).map_or(0, |at| at + 1);
        let mut sets = self.levels[..known].last().and_then(|level| level.sets).unwrap_or(Sets::NONE);
        for level in &mut self.levels[known..] {
            sets = self.recent.entered(table, sets, level.hold);
            level.sets = Some(sets);
        }
        sets
    }
}

/// The last few results of [`LockSets::with`], each at the place its operands hash to.
#[derive(Clone, Debug)]
struct Recent {
    slots: [(SetId, ObjectId, SetId); Self::N_SLOTS],
}

impl Default for Recent {
    /// No lock has number 0, so that the slots are free.
    fn default() -> Self {
        Self { slots: [(SetId::EMPTY, ObjectId(0), SetId::EMPTY); Self::N_SLOTS] }
    }
}

impl Recent {
    const N_SLOTS: usize = 8;

    fn entered(&mut self, table: &LockSets, below: Sets, hold: Hold) -> Sets {
        let read = self.with(table, below.read, hold.lock);
        let write = match hold.mode {
            LockMode::Exclusive if below.write == below.read => read,
            LockMode::Exclusive => self.with(table, below.write, hold.lock),
            LockMode::Shared => below.write,
        };
        Sets { read, write }
    }

    fn with(&mut self, table: &LockSets, set: SetId, lock: ObjectId) -> SetId {
        let hash = lock.0 ^ u64::from(set.0);
        let slot = &mut self.slots[usize::try_from(hash % Self::N_SLOTS as u64).unwrap_or(0)];
        if (slot.0, slot.1) != (set, lock) {
            *slot = (set, lock, table.with(set, lock));
        }
        slot.2
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use facts::access::AccessKind;
    use proptest::prelude::*;

    use super::*;
    use crate::held::Held;

    fn mode() -> impl Strategy<Value = LockMode> {
        prop_oneof![Just(LockMode::Exclusive), Just(LockMode::Shared)]
    }

    proptest! {
        #[test]
        fn agrees_with_the_plain_stack(calls in prop::collection::vec((0..3, 1..5_u64, mode()), 0..60)) {
            let (table, mut fast, mut plain) = (LockSets::new(), HeldSets::default(), Held::default());
            for (call, lock, mode) in calls {
                let lock = ObjectId(lock);
                match call {
                    0 => { fast.acquire(lock, mode); plain.acquire(lock, mode); }
                    1 => prop_assert_eq!(fast.release(lock, mode), plain.release(lock, mode)),
                    _ => {
                        let sets = fast.sets(&table);
                        for (set, kind) in [(sets.read, AccessKind::Read), (sets.write, AccessKind::Write)] {
                            let expected: BTreeSet<_> = plain.protecting(kind).collect();
                            prop_assert_eq!(table.elements(set), expected.into_iter().collect::<Vec<_>>());
                        }
                    }
                }
                prop_assert!(fast.holds().eq(plain.holds().iter().copied()));
            }
        }
    }
}
