//! The order that start and join of threads impose, and nothing else: which events must come before which in every
//! execution that does what the observed one did.
//!
//! A *segment* is the part of a thread's run between two of its forks and joins; a vector of segment numbers is kept for
//! each. When all threads but one have been joined, and nobody needs the old ones among themselves, everything before is past: it precedes all that is to come, and its
//! segments are forgotten.
//!
//! A thread that appears without having been forked is ordered after nothing, except what was past before it came.

use std::sync::Arc;

use facts::index::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a thread's run without fork or join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentId(u32);

/// For each other thread, how many of its segments came before.
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
        self.begin(child, 0, Arc::new(childs));
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
        for (thread, before) in childs.iter().map(|(thread, before)| (*thread, *before)).chain([(child, ended + 1)]) {
            let known = merged.entry(thread).or_default();
            *known = before.max(*known);
        }
        merged.remove(&parent);
        self.alive.remove(&child);
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
        match earlier.thread == later.thread {
            true => earlier.number < later.number,
            false => later.clock.get(&earlier.thread).is_some_and(|before| *before > earlier.number),
        }
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
