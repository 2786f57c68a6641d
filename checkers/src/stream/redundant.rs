//! Accesses that say nothing new of their transactions: earlier ones *cover* them.
//!
//! A *region* is what a thread does between two events other than accesses: no lock, transaction, start or wait begins or ends
//! in it, so the locks held and the open transactions stay the same. In a region, one read after a write of the same variable
//! covers all later ones up to the next write: with the write before it, each makes the same blocks of section 2.2 as the first.
//! Two reads cover all later ones, as initial reads in a row make only two things, `R` and `R … R`. One would not do: another
//! thread's write may come between two. No write is left out, for the place of the final one among the accesses to other
//! variables decides which orders of 2v-blocks there are.
//!
//! An access outside of every transaction is one of its own and makes no blocks. The first one of its kind covers all later ones
//! while the locks stay the same, whatever transactions come between.
//!
//! So the checkers of atomicity say the same of what is left: blocks, as was just shown; reduction, as a transaction is broken by
//! the second access that races. An analysis that goes by the order of what it sees, such as Eraser, says what it would say if
//! other threads' accesses had not come into the middle of a region.
//!
//! The memory is bounded: only so many variables of threads are known, and accesses to others are kept.

use std::hash::BuildHasher as _;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::ThreadId;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::granularity::Granularities;

/// Variables of threads that are known; a power of two.
const VARIABLES: usize = 1 << 14;

/// What is known of every thread's region.
#[derive(Debug)]
pub struct Redundant {
    granularities: Granularities,
    threads: FxHashMap<ThreadId, Thread>,
    /// How many regions were begun; no two have the same number.
    regions: u64,
    /// By hash of thread and variable; a newcomer takes the place of what was there.
    known: Vec<Known>,
}

/// A thread in its region.
#[derive(Debug)]
struct Thread {
    /// Number of the region.
    region: u64,
    /// Number of the one that transactions do not end, for what is outside of them.
    outside: u64,
    /// How many transactions are open.
    depth: u32,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    thread: ThreadId,
    /// Which region, and whether it is one outside of transactions.
    region: (u64, bool),
    variable: Location,
    seen: Seen,
}

/// The accesses since the latest write of the region, or since its beginning; outside of transactions, all of the region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Read,
    Write,
    /// Two reads, or a write and a read.
    Enough,
}

impl Seen {
    /// What is seen with one more access; none if nothing changes, so that the access is redundant.
    fn inside(before: Option<Self>, kind: AccessKind) -> Option<Self> {
        match (kind, before) {
            (AccessKind::Read, Some(Self::Enough)) => None,
            (AccessKind::Read, Some(Self::Read | Self::Write)) => Some(Self::Enough),
            (AccessKind::Read, None) => Some(Self::Read),
            (AccessKind::Write, _) => Some(Self::Write),
        }
    }

    /// The same outside of transactions, where one access of each kind is enough.
    fn outside(before: Option<Self>, kind: AccessKind) -> Option<Self> {
        let alone = if kind == AccessKind::Read { Self::Read } else { Self::Write };
        match before {
            None => Some(alone),
            Some(known) if known == alone || known == Self::Enough => None,
            Some(_) => Some(Self::Enough),
        }
    }
}

impl Redundant {
    /// Nothing is known.
    #[must_use]
    pub fn new(granularities: Granularities) -> Self {
        let (thread, variable) = (ThreadId(0), Location::Static(Granularities::ANY_FIELD));
        let nothing = Known { thread, region: (0, false), variable, seen: Seen::Read };
        Self { granularities, threads: FxHashMap::default(), regions: 0, known: vec![nothing; VARIABLES] }
    }

    /// Whether the event is an access that earlier ones cover. Takes every event of the stream.
    pub fn has(&mut self, event: &Event) -> bool {
        match event.action {
            EventKind::Access(kind, location) => {
                let Some(variable) = self.granularities.variable(location) else { return false };
                self.access(event.thread, kind, variable)
            }
            EventKind::End => {
                self.threads.remove(&event.thread);
                false
            }
            action => {
                self.regions += 1;
                let next = self.regions;
                self.thread(event.thread).part(action, next);
                false
            }
        }
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Thread {
        let regions = &mut self.regions;
        self.threads.entry(thread).or_insert_with(|| {
            *regions += 1;
            Thread { region: *regions, outside: *regions, depth: 0 }
        })
    }

    fn access(&mut self, thread: ThreadId, kind: AccessKind, variable: Location) -> bool {
        let region = self.thread(thread).region();
        let is_outside = region.1;
        // The highest bits of this hash are its best.
        let at = FxBuildHasher.hash_one((thread, variable, is_outside)) >> (u64::BITS - VARIABLES.ilog2());
        let known = &mut self.known[at as usize];
        let is_same = known.thread == thread && known.region == region && known.variable == variable;
        let before = Some(known.seen).filter(|_| is_same);
        let seen = if is_outside { Seen::outside(before, kind) } else { Seen::inside(before, kind) };
        if let Some(seen) = seen {
            *known = Known { thread, region, variable, seen };
        }
        seen.is_none()
    }
}

impl Thread {
    /// Takes an event that ends a region, and the number of the next.
    fn part(&mut self, action: EventKind, next: u64) {
        self.region = next;
        match action {
            EventKind::Enter => self.depth += 1,
            EventKind::Exit => self.depth = self.depth.saturating_sub(1),
            _ => self.outside = next,
        }
    }

    /// The region of an access, and whether it is one outside of transactions.
    fn region(&self) -> (u64, bool) {
        if self.depth == 0 { (self.outside, true) } else { (self.region, false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::notation::events;

    /// Numbers of the steps that are redundant.
    fn redundant(text: &str) -> Vec<u32> {
        let mut redundant = Redundant::new(Granularities::default());
        let mut events = events(text);
        events.retain(|event| redundant.has(event));
        events.iter().map(|event| event.site.0).collect()
    }

    #[test]
    fn the_third_read_and_the_second_after_a_write() {
        assert_eq!(redundant("t1 enter M; t1 rd x; t1 rd x; t1 rd x; t1 rd x"), [4, 5]);
        assert_eq!(redundant("t1 enter M; t1 wr x; t1 rd x; t1 rd x; t1 wr x; t1 rd x; t1 rd x"), [4, 7]);
        assert_eq!(redundant("t1 enter M; t1 rd x; t1 rd y; t1 rd x; t2 rd x; t1 rd x; t1 rd y"), [6]);
        assert_eq!(redundant("t1 enter M; t1 rd a[0]; t1 rd a[1]; t1 rd a[2]"), [4]);
    }

    #[test]
    fn whatever_else_happens_begins_a_region() {
        for other in ["t1 acq m", "t1 rel m", "t1 enter N", "t1 fork t2", "t1 wait m", "t1 pub m", "t1 obs m"] {
            let text = format!("t1 enter M; t1 rd x; t1 rd x; {other}; t1 rd x; t1 rd x; t1 rd x");
            assert_eq!(redundant(&text), [7], "{other}");
        }
    }

    #[test]
    fn one_access_of_each_kind_is_enough_outside_of_transactions() {
        assert_eq!(redundant("t1 rd x; t1 rd x; t1 wr x; t1 wr x; t1 rd x"), [2, 4, 5]);
        assert_eq!(redundant("t1 rd x; t1 enter M; t1 rd x; t1 exit M; t1 rd x; t1 acq m; t1 rd x"), [5]);
        assert_eq!(redundant("t1 rd x; t2 rd x; t1 end; t1 rd x"), Vec::<u32>::new());
    }
}
