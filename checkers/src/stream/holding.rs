//! The locks that one thread holds, and since when: what it takes to know which locks were held continuously between two
//! events, and which were held at any time between them.
//!
//! [`Held`](crate::held::Held) is enough for who needs only the locks at one event.
//!
//! A monitor that `wait` gave up and took again counts as acquired anew. Modes are kept apart: a write lock downgraded to a
//! read lock was not held continuously, although some mode of it was.

use std::collections::BTreeSet;
use std::sync::Arc;

use facts::access::LockMode;
use facts::index::{ObjectId, SiteId};
use rustc_hash::FxHashSet;

use crate::held::Hold;

/// Locks in order, each lock and mode once.
pub type HoldSet = Arc<[Hold]>;

/// A thread's clock: how often its locks have changed.
pub type Moment = u64;

/// [`Locks::used`] knows of so many locks that were acquired and released.
const RECENT: usize = 32;

/// So many pairs of locks are compared one by one.
const FEW: usize = 64;

/// Whether two threads can hold these locks at the same time: no lock is in both, unless in read mode in both.
#[must_use]
pub fn compatible(one: &[Hold], other: &[Hold]) -> bool {
    if one.len() * other.len() <= FEW {
        return one.iter().all(|hold| other.iter().all(|theirs| !conflict(*hold, *theirs)));
    }
    let theirs: FxHashSet<Hold> = other.iter().copied().collect();
    let conflicts = |hold: &Hold| {
        let is_theirs = |mode| theirs.contains(&Hold { mode, ..*hold });
        is_theirs(LockMode::Exclusive) || hold.mode == LockMode::Exclusive && is_theirs(LockMode::Shared)
    };
    !one.iter().any(conflicts)
}

/// Whether two threads cannot hold the two at the same time.
#[must_use]
pub fn conflict(one: Hold, other: Hold) -> bool {
    one.lock == other.lock && (one.mode, other.mode) != (LockMode::Shared, LockMode::Shared)
}

/// The locks that one thread holds.
#[derive(Debug, Default)]
pub struct Holding {
    now: Moment,
    /// Outermost first.
    tenures: Vec<Tenure>,
    /// The latest acquisition of each lock, whether still held or not; the latest last, at most [`RECENT`].
    recent: Vec<(Hold, Moment)>,
    /// Shared among the events between two changes.
    snapshot: Option<Arc<Locks>>,
}

/// A lock that is held.
#[derive(Clone, Copy, Debug)]
pub struct Tenure {
    /// The lock and how it is held.
    pub hold: Hold,
    /// Where it was acquired, at the outermost level.
    pub site: SiteId,
    since: Moment,
    depth: u32,
}

impl Holding {
    /// Enters a lock; true if it was not held before in this mode.
    pub fn acquire(&mut self, hold: Hold, site: SiteId) -> bool {
        if let Some(tenure) = self.tenures.iter_mut().find(|tenure| tenure.hold == hold) {
            tenure.depth += 1;
            return false;
        }
        self.tick();
        self.tenures.push(Tenure { hold, site, since: self.now, depth: 1 });
        self.remember(hold);
        true
    }

    /// Leaves a lock; true if it is no longer held in this mode. What was not held is ignored.
    pub fn release(&mut self, hold: Hold) -> bool {
        let Some(at) = self.tenures.iter().position(|tenure| tenure.hold == hold) else { return false };
        self.tenures[at].depth -= 1;
        let last = self.tenures[at].depth == 0;
        if last {
            self.tenures.remove(at);
            self.tick();
        }
        last
    }

    /// `wait` has given up the monitor and taken it again, at any depth; false if it was not held.
    pub fn reacquire(&mut self, monitor: ObjectId) -> bool {
        let hold = Hold { lock: monitor, mode: LockMode::Exclusive };
        let Some(at) = self.tenures.iter().position(|tenure| tenure.hold == hold) else { return false };
        self.tick();
        self.tenures[at].since = self.now;
        self.remember(hold);
        true
    }

    /// What is held, outermost first.
    #[must_use]
    pub fn tenures(&self) -> &[Tenure] {
        &self.tenures
    }

    /// A lock that is held, with the moment since when.
    #[must_use]
    pub fn since(&self, hold: Hold) -> Option<(Hold, Moment)> {
        let tenure = self.tenures.iter().rev().find(|tenure| tenure.hold == hold);
        tenure.map(|tenure| (tenure.hold, tenure.since))
    }

    /// The locks at this moment.
    pub fn snapshot(&mut self) -> Arc<Locks> {
        let (now, tenures, recent) = (self.now, &self.tenures, &self.recent);
        let take = || {
            let mut since: Vec<_> = tenures.iter().map(|tenure| (tenure.hold, tenure.since)).collect();
            since.sort_unstable();
            let held = since.iter().map(|(hold, _)| *hold).collect();
            Arc::new(Locks { now, held, since: since.into(), recent: recent.as_slice().into() })
        };
        Arc::clone(self.snapshot.get_or_insert_with(take))
    }

    fn tick(&mut self) {
        self.now += 1;
        self.snapshot = None;
    }

    fn remember(&mut self, hold: Hold) {
        self.recent.retain(|(other, _)| *other != hold);
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push((hold, self.now));
    }
}

/// A thread's locks at one moment.
#[derive(Debug)]
pub struct Locks {
    now: Moment,
    held: HoldSet,
    /// Sorted.
    since: Box<[(Hold, Moment)]>,
    recent: Box<[(Hold, Moment)]>,
}

impl Locks {
    /// When it was.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.now
    }

    /// What was held.
    #[must_use]
    pub fn held(&self) -> &HoldSet {
        &self.held
    }

    /// What was held, and since when.
    pub fn tenures(&self) -> &[(Hold, Moment)] {
        &self.since
    }

    /// These locks as if they had been held together at this moment.
    #[must_use]
    pub fn together(&self, tenures: impl Iterator<Item = (Hold, Moment)>) -> Self {
        let since: BTreeSet<(Hold, Moment)> = tenures.collect();
        let held: BTreeSet<Hold> = since.iter().map(|(hold, _)| *hold).collect();
        let (held, since) = (held.into_iter().collect(), since.into_iter().collect());
        Self { now: self.now, held, since, recent: self.recent.clone() }
    }

    /// What was held continuously from here to a later moment.
    #[must_use]
    pub fn kept(&self, later: &Self) -> HoldSet {
        if std::ptr::eq(self, later) {
            return Arc::clone(&self.held);
        }
        let mut theirs = later.since.iter().peekable();
        let mut is_kept = |tenure: &&(Hold, Moment)| {
            while theirs.next_if(|their| their < tenure).is_some() {}
            theirs.peek() == Some(tenure)
        };
        self.since.iter().filter(|tenure| is_kept(tenure)).map(|(hold, _)| *hold).collect()
    }

    /// What was held at any time from here to a later moment, as far as it is among the latest 32 acquisitions.
    #[must_use]
    pub fn used(&self, later: &Self) -> HoldSet {
        let acquired = later.recent.iter().filter(|(_, at)| *at > self.now).map(|(hold, _)| *hold);
        let mut used: Vec<Hold> = self.held.iter().copied().chain(acquired).collect();
        used.sort_unstable();
        used.dedup();
        used.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: Hold = Hold { lock: ObjectId(1), mode: LockMode::Exclusive };
    const N: Hold = Hold { lock: ObjectId(2), mode: LockMode::Exclusive };
    const SITE: SiteId = SiteId(1);

    #[test]
    fn kept_and_used() {
        let mut holding = Holding::default();
        assert!(holding.acquire(M, SITE));
        let first = holding.snapshot();
        assert!(!holding.acquire(M, SITE) && !holding.release(M), "reentrant");
        assert_eq!(*holding.snapshot().kept(&first), [M]);
        holding.acquire(N, SITE);
        holding.release(N);
        let second = holding.snapshot();
        assert_eq!((&*first.kept(&second), &*first.used(&second)), ([M].as_slice(), [M, N].as_slice()));
        holding.release(M);
        holding.acquire(M, SITE);
        let third = holding.snapshot();
        assert_eq!((first.kept(&third).len(), &*second.used(&third)), (0, [M].as_slice()));
        assert!(holding.reacquire(M.lock) && !holding.reacquire(N.lock));
        assert_eq!(third.kept(&holding.snapshot()).len(), 0, "wait gives the monitor up");
    }

    #[test]
    fn readers_are_compatible() {
        let read = Hold { mode: LockMode::Shared, ..M };
        assert!(compatible(&[read, N], &[read]) && compatible(&[M], &[N]) && compatible(&[], &[M]));
        assert!(!compatible(&[read], &[M]) && !compatible(&[N, M], &[M]));
    }

    /// Of many locks, too, in whatever modes.
    #[test]
    fn many_locks_are_compared_like_few() {
        let holds = |first: u64, mode| -> Vec<Hold> {
            (first..first + 20).map(|lock| Hold { lock: ObjectId(lock), mode }).collect()
        };
        let (exclusive, shared) = (LockMode::Exclusive, LockMode::Shared);
        for (one, other) in [(exclusive, exclusive), (exclusive, shared), (shared, exclusive), (shared, shared)] {
            assert!(compatible(&holds(0, one), &holds(20, other)));
            assert_eq!(compatible(&holds(0, one), &holds(19, other)), (one, other) == (shared, shared));
        }
    }
}
