//! The order that start and join of threads impose, and nothing else: which events must come before which in every
//! execution that does what the observed one did.
//!
//! A *segment* is the part of a thread's run between two of its forks and joins; a vector of segment numbers is kept for
//! each. Not of threads that have been joined: who knows the segment that began with the join knows all of them. When all threads
//! but one have been joined, and nobody needs the old ones among themselves, everything before is past: it precedes all that is to
//! come, and its segments are forgotten.
//!
//! A thread that appears without having been forked is ordered after nothing, except what was past before it came.

use std::sync::Arc;

use facts::index::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a thread's run without fork or join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentId(u32);

/// For each other thread, how many of its segments came before. What its join tells may be missing.
type Clock = FxHashMap<ThreadId, u32>;

/// The segments of a run so far.
#[derive(Debug, Default)]
pub struct Segments {
    /// Number of the first segment that is not past.
    base: u32,
    segments: Vec<Segment>,
    threads: FxHashMap<ThreadId, SegmentId>,
    /// Threads that nobody has joined.
    alive: FxHashSet<ThreadId>,
    /// The first join of each thread.
    joins: FxHashMap<ThreadId, Join>,
}

/// A thread has seen another end.
#[derive(Clone, Copy, Debug)]
struct Join {
    by: ThreadId,
    /// Number of the segment that began with it.
    began: u32,
    /// Number of the last segment of the other thread.
    last: u32,
}

#[derive(Debug)]
struct Segment {
    thread: ThreadId,
    number: u32,
    clock: Arc<Clock>,
}

impl Segments {
    /// The segment that a thread is in.
    pub fn current(&mut self, thread: ThreadId) -> SegmentId {
        match self.threads.get(&thread) {
            Some(segment) => *segment,
            None => self.begin(thread, 0, Arc::default()),
        }
    }

    /// A thread starts another.
    pub fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        let (number, clock) = self.state(parent);
        let mut childs = (*clock).clone();
        childs.insert(parent, number + 1);
        // Numbers only grow, also where a damaged trace starts a thread again: joins never lead back.
        let first = self.threads.contains_key(&child).then(|| self.state(child).0 + 1);
        self.begin(child, first.unwrap_or_default(), Arc::new(childs));
        self.begin(parent, number + 1, clock);
    }

    /// A thread has seen another end. That of an unknown thread is ignored. With `may_forget` the caller promises that it
    /// will only ask about segments before this join together with ones after it.
    pub fn join(&mut self, parent: ThreadId, child: ThreadId, may_forget: bool) {
        if parent == child || !self.threads.contains_key(&child) {
            return;
        }
        let ((number, clock), (ended, childs)) = (self.state(parent), self.state(child));
        let mut merged = (*clock).clone();
        let is_first = self.alive.remove(&child);
        let all = (!is_first).then_some((child, ended + 1));
        for (thread, before) in childs.iter().map(|(thread, before)| (*thread, *before)).chain(all) {
            let known = merged.entry(thread).or_default();
            *known = before.max(*known);
        }
        if is_first {
            merged.remove(&child);
            self.joins.insert(child, Join { by: parent, began: number + 1, last: ended });
        }
        merged.remove(&parent);
        if may_forget && self.alive.iter().eq([&parent]) {
            self.forget();
            merged.clear();
        }
        self.begin(parent, number + 1, Arc::new(merged));
    }

    /// Whether all of the one comes before all of the other, in every execution. A segment does not precede itself.
    #[must_use]
    pub fn precedes(&self, one: SegmentId, other: SegmentId) -> bool {
        let (Some(earlier), Some(later)) = (self.get(one), self.get(other)) else {
            return one < other;
        };
        let mut joins = self.joins_after(earlier.thread, earlier.number);
        later.knows(earlier.thread, earlier.number)
            || joins.any(|join| later.is(join.by, join.began) || later.knows(join.by, join.began))
    }

    /// The join that tells of a segment of a thread, the join that tells of the one that began with that, and so on.
    fn joins_after(&self, thread: ThreadId, number: u32) -> impl Iterator<Item = Join> {
        let tells = |thread, number| self.joins.get(&thread).copied().filter(|join| number <= join.last);
        std::iter::successors(tells(thread, number), move |join| tells(join.by, join.began))
    }

    /// Whether a segment precedes all that is to come.
    #[must_use]
    pub fn is_past(&self, segment: SegmentId) -> bool {
        segment.0 < self.base
    }

    fn get(&self, id: SegmentId) -> Option<&Segment> {
        self.segments.get(id.0.checked_sub(self.base)? as usize)
    }

    /// Number and clock of the segment that a thread is in.
    fn state(&mut self, thread: ThreadId) -> (u32, Arc<Clock>) {
        let current = self.current(thread);
        self.get(current).map_or_else(Default::default, |segment| (segment.number, Arc::clone(&segment.clock)))
    }

    fn begin(&mut self, thread: ThreadId, number: u32, clock: Arc<Clock>) -> SegmentId {
        let id = SegmentId(self.base + u32::try_from(self.segments.len()).unwrap_or(u32::MAX));
        self.segments.push(Segment { thread, number, clock });
        if self.threads.insert(thread, id).is_none() {
            self.alive.insert(thread);
        }
        id
    }

    /// Everything so far is past.
    fn forget(&mut self) {
        self.base += u32::try_from(self.segments.len()).unwrap_or(u32::MAX);
        self.segments.clear();
        let alive = &self.alive;
        self.threads.retain(|thread, _| alive.contains(thread));
        self.joins.clear();
    }
}

impl Segment {
    fn is(&self, thread: ThreadId, number: u32) -> bool {
        (self.thread, self.number) == (thread, number)
    }

    /// Whether it comes after one with this number of a thread, by the order within the thread or by its clock.
    fn knows(&self, thread: ThreadId, number: u32) -> bool {
        match thread == self.thread {
            true => number < self.number,
            false => self.clock.get(&thread).is_some_and(|before| *before > number),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every order between two segments, by following each start, join and thread step by step.
    #[derive(Default)]
    struct Naive {
        threads: FxHashMap<ThreadId, SegmentId>,
        edges: Vec<(SegmentId, SegmentId)>,
    }

    impl Naive {
        fn go_on(&mut self, thread: ThreadId, segment: SegmentId) {
            let before = self.threads.insert(thread, segment);
            self.edges.extend(before.filter(|before| *before != segment).map(|before| (before, segment)));
        }

        fn precedes(&self, one: SegmentId, other: SegmentId) -> bool {
            self.edges.iter().any(|(from, to)| *from == one && (*to == other || self.precedes(*to, other)))
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Threads start others and join whom they will, some more than once, also their parents and threads nobody has started.
        #[test]
        fn order_is_that_of_starts_and_joins(steps in prop::collection::vec((any::<bool>(), 0..8_u32, 0..8_u32), 0..14)) {
            let (mut segments, mut naive) = (Segments::default(), Naive::default());
            let mut all = Vec::new();
            for (is_fork, one, other) in steps {
                let (one, other) = (ThreadId(one), ThreadId(other));
                let is_known = segments.threads.contains_key(&other);
                let before = segments.current(one);
                naive.go_on(one, before);
                all.push(before);
                if is_fork && !is_known && one != other {
                    segments.fork(one, other);
                    naive.edges.push((before, segments.current(other)));
                } else if !is_fork && is_known && one != other {
                    let ended = segments.current(other);
                    segments.join(one, other, false);
                    naive.edges.push((ended, segments.current(one)));
                }
                for thread in [one, other] {
                    let now = segments.current(thread);
                    naive.go_on(thread, now);
                    all.push(now);
                }
            }
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))) {
                prop_assert_eq!(segments.precedes(one, other), naive.precedes(one, other), "{:?} {:?}", one, other);
            }
        }
    }

    /// What a thread knows does not grow with the threads that it has joined, while another one keeps all from being past.
    #[test]
    fn who_joins_many_knows_little() {
        let mut segments = Segments::default();
        segments.fork(MAIN, OTHER);
        for child in 10..1010 {
            segments.fork(MAIN, ThreadId(child));
            segments.current(ThreadId(child));
            segments.join(MAIN, ThreadId(child), true);
        }
        assert!(segments.segments.iter().all(|segment| segment.clock.len() <= 1));
    }

    const MAIN: ThreadId = ThreadId(1);
    const CHILD: ThreadId = ThreadId(2);
    const OTHER: ThreadId = ThreadId(3);

    #[test]
    fn fork_and_join_order() {
        let mut segments = Segments::default();
        let before = segments.current(MAIN);
        segments.fork(MAIN, CHILD);
        segments.fork(CHILD, OTHER);
        let (main, child, other) = (segments.current(MAIN), segments.current(CHILD), segments.current(OTHER));
        assert!(
            segments.precedes(before, child) && segments.precedes(before, other) && segments.precedes(before, main)
        );
        assert!(!segments.precedes(main, child) && !segments.precedes(child, main) && !segments.precedes(child, child));
        segments.join(MAIN, OTHER, true);
        let after = segments.current(MAIN);
        assert!(segments.precedes(other, after) && !segments.precedes(child, after));
    }

    #[test]
    fn what_is_known_stays_known() {
        let mut segments = Segments::default();
        let old = segments.current(OTHER);
        segments.fork(OTHER, CHILD);
        let last = segments.current(OTHER);
        segments.join(MAIN, OTHER, true);
        segments.join(MAIN, CHILD, false);
        let now = segments.current(MAIN);
        assert!(segments.precedes(old, now) && segments.precedes(last, now), "the child knew less than its joiner");
    }

    #[test]
    fn when_one_thread_is_left_everything_is_past() {
        let mut segments = Segments::default();
        for _ in 0..3 {
            segments.fork(MAIN, CHILD);
            segments.fork(CHILD, OTHER);
            let other = segments.current(OTHER);
            segments.join(CHILD, OTHER, true);
            assert!(!segments.is_past(other));
            segments.join(MAIN, CHILD, true);
            let now = segments.current(MAIN);
            assert!(segments.is_past(other) && !segments.is_past(now));
            assert!(segments.precedes(other, now) && !segments.precedes(now, other));
            assert_eq!((segments.segments.len(), segments.threads.len()), (1, 1));
        }
    }
}
