//! A first pass over a recorded trace: which variables several threads share, and which of them no lock protects.
//!
//! What a checker learns only while it runs (a variable is shared from some event on, or racy from some event on) the
//! survey knows beforehand, so that nothing before that event is missed.
//!
//! Threads share a variable if one of them writes it and start and join do not order that and another's access. A start or join
//! inside a transaction orders nothing here: then what is ordered lies in two transactions one of which comes before the other as
//! a whole, and nothing can come between the events of either.
//!
//! The memory grows with the variables and threads of the program, not with its run.

use facts::access::AccessKind::{self, Read, Write};
use facts::event::{Event, EventKind, Location};
use facts::index::{ObjectId, SiteId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checker::Checker;
use crate::granularity::Granularities;
use crate::held::Held;
use crate::stream::segments::{SegmentId, Segments};
use crate::stream::shared::{Places, Shared, Sharers};

/// Of a variable that seems not to be shared, so many segments with accesses are known; with more, it counts as shared.
const SEGMENTS: usize = 16;

/// What is known of every variable so far.
#[derive(Debug, Default)]
pub struct Survey {
    granularities: Granularities,
    threads: FxHashMap<ThreadId, Thread>,
    segments: Segments,
    variables: FxHashMap<Location, Use>,
    places: Places,
    /// How often locks have changed.
    n_changes: u64,
}

#[derive(Debug, Default)]
struct Thread {
    held: Held,
    /// Number of the latest change of its locks.
    change: u64,
    /// The code of the transactions it is in, outermost first.
    open: Vec<SiteId>,
}

#[derive(Debug)]
struct Use {
    is_shared: bool,
    sharers: Sharers,
    is_written: bool,
    /// Where it was accessed, until it is shared. A write stands for reads of its segment.
    accesses: Vec<(SegmentId, AccessKind)>,
    /// Locks that protected every access.
    locks: Vec<ObjectId>,
    /// After which change of locks, and by which access, the locks were looked at last.
    looked: (u64, AccessKind),
}

impl Survey {
    /// A survey that has seen nothing.
    #[must_use]
    pub fn new(granularities: Granularities) -> Self {
        Self { granularities, ..Self::default() }
    }

    /// The shared variables: only they can break atomicity.
    #[must_use]
    pub fn shared(&self) -> Shared {
        let shared = self.variables.iter().filter(|(_, used)| used.is_shared);
        Shared::new(shared.map(|(variable, used)| (*variable, used.sharers)), self.places.clone())
    }

    /// Those of them that have no lock in common at all accesses. Unlike Eraser, this counts the first thread's too: an
    /// access to any other variable commutes with what other threads can do at the same time.
    #[must_use]
    pub fn unprotected(&self) -> FxHashSet<Location> {
        let unprotected = self.variables.iter().filter(|(_, used)| used.is_shared && used.locks.is_empty());
        unprotected.map(|(variable, _)| *variable).collect()
    }

    /// How many variables and threads it remembers.
    #[must_use]
    pub fn size(&self) -> usize {
        self.variables.len() + self.threads.len()
    }

    fn access(&mut self, id: ThreadId, kind: AccessKind, location: Location) {
        let Some(variable) = self.granularities.variable(location) else { return };
        let segment = self.segments.current(id);
        let thread = self.threads.entry(id).or_default();
        let used = self.variables.entry(variable).or_insert_with(|| Use::new(thread, kind));
        used.sharers.meet(id, kind, self.places.place(id), !used.is_written);
        used.is_written |= kind == Write;
        used.narrow(thread, kind);
        if !used.is_shared {
            used.meet(segment, kind, &self.segments);
        }
    }

    fn locks(&mut self, id: ThreadId, change: impl FnOnce(&mut Held)) {
        self.n_changes += 1;
        let thread = self.threads.entry(id).or_default();
        thread.change = self.n_changes;
        change(&mut thread.held);
    }

    fn is_inside(&self, thread: ThreadId) -> bool {
        self.threads.get(&thread).is_some_and(|thread| !thread.open.is_empty())
    }

    fn exit(&mut self, thread: ThreadId, code: SiteId) {
        let Some(thread) = self.threads.get_mut(&thread) else { return };
        if let Some(at) = thread.open.iter().rposition(|open| *open == code) {
            thread.open.truncate(at);
        }
    }
}

impl Use {
    fn new(thread: &Thread, kind: AccessKind) -> Self {
        let locks = thread.held.protecting(kind).collect();
        let looked = (thread.change, kind);
        Self { is_shared: false, sharers: Sharers::default(), is_written: false, accesses: Vec::new(), locks, looked }
    }

    /// Keeps of the locks those that protect this access.
    fn narrow(&mut self, thread: &Thread, kind: AccessKind) {
        let is_known = self.looked.0 == thread.change && (kind == Read || self.looked.1 == Write);
        if !is_known && !self.locks.is_empty() {
            self.locks.retain(|lock| thread.held.protects(kind, *lock));
            self.looked = (thread.change, kind);
        }
    }

    fn meet(&mut self, segment: SegmentId, kind: AccessKind, segments: &Segments) {
        let known = |(other, theirs): &(SegmentId, AccessKind)| *other == segment && (kind == Read || *theirs == Write);
        if self.accesses.iter().any(known) {
            return;
        }
        let conflicts = |(other, theirs): &(SegmentId, AccessKind)| {
            *other != segment && (kind, *theirs) != (Read, Read) && !segments.precedes(*other, segment)
        };
        self.is_shared = self.accesses.iter().any(conflicts) || self.accesses.len() == SEGMENTS;
        if self.is_shared {
            self.accesses = Vec::new();
        } else {
            self.accesses.push((segment, kind));
        }
    }
}

impl Checker for Survey {
    fn event(&mut self, event: &Event) {
        let id = event.thread;
        match event.action {
            EventKind::Acquire(lock, mode) => self.locks(id, |held| held.acquire(lock, mode)),
            EventKind::Release(lock, mode) => self.locks(id, |held| _ = held.release(lock, mode)),
            EventKind::Access(kind, location) | EventKind::Volatile(kind, location) => self.access(id, kind, location),
            EventKind::Enter => self.threads.entry(id).or_default().open.push(event.site),
            EventKind::Exit => self.exit(id, event.site),
            EventKind::Fork(child) if !self.is_inside(id) => self.segments.fork(id, child),
            EventKind::Join(child) if !self.is_inside(id) => self.segments.join(id, child, true),
            EventKind::End => drop(self.threads.remove(&id)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use facts::index::FieldId;

    use super::*;
    use crate::replay::replay;
    use crate::testing::notation::events;

    fn survey(text: &str) -> Survey {
        let mut survey = Survey::default();
        replay(&mut [&mut survey], events(text));
        survey
    }

    fn variable(number: u32) -> Location {
        Location::Static(FieldId(number))
    }

    #[test]
    fn shared_and_unprotected() {
        // Names are numbered as they come: m is 1, x 2, y 3, z 4, w 5.
        let survey = survey(
            "t1 acq m; t1 wr x; t1 wr y; t1 rel m; t1 wr z; t1 rd w; t2 acq m; t2 wr x; t2 rel m; t2 rd y; t2 rd w",
        );
        assert_eq!(survey.shared().variables(), [variable(2), variable(3)]);
        assert_eq!(survey.unprotected(), [variable(3)].into_iter().collect());
        let counts = |thread, kind, number| survey.shared().counts(ThreadId(thread), kind, variable(number));
        assert!(!counts(1, Read, 3) && counts(1, Write, 3) && counts(2, Read, 3), "only t1 writes y");
        assert!(counts(1, Read, 2) && counts(2, Read, 2) && !counts(1, Write, 4));
    }

    #[test]
    fn what_start_and_join_order_is_not_shared() {
        let shared = |text: &str| !survey(text).shared().variables().is_empty();
        assert!(!shared("t1 wr x; t1 fork t2; t2 wr x; t1 join t2; t1 rd x"));
        assert!(shared("t1 wr x; t1 fork t2; t2 wr x; t1 rd x; t1 join t2"));
        assert!(shared("t1 enter M; t1 wr x; t1 fork t2; t2 wr x; t1 exit M"), "inside of the transaction");
        assert!(shared("t1 fork t2; t2 wr x; t1 enter M; t1 join t2; t1 rd x; t1 exit M"));
        let many: String = (0..20).map(|_| "t1 fork t2; t1 rd x;").collect();
        assert!(shared(&many), "more segments than are remembered");
    }

    /// It remembers the objects and threads of the program, however long they go on.
    #[test]
    fn its_memory_does_not_grow_with_the_run() {
        let round = "t1 acq m; t1 wr o.f; t1 rel m; t2 acq n; t2 rd o.f; t2 wr a[0]; t2 rel n; t3 rd x; t3 end;";
        assert_eq!(survey(&round.repeat(2)).size(), survey(&round.repeat(50)).size());
    }
}
