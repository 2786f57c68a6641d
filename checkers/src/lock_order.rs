//! Potential deadlocks: the goodlock algorithm, which section 6.2 of the ASE 2005 paper needs as a premise, after Havelund
//! ("Using runtime analysis to guide model checking of Java programs", SPIN 2000) and, for start and join of threads,
//! Bensalem and Havelund (PADTAD 2005).
//!
//! A thread that acquires a lock while it holds another makes an edge from the one to the other. A cycle of edges is a
//! potential deadlock if each is by another thread, and all threads can be at their acquisitions at the same time: no two
//! hold a common *gate* lock, and start and join order none before another. Read locks do not exclude each other.
//!
//! **False alarms**: `tryLock`, which does not wait. Threads ordered by anything but start and join. Cycles that other
//! locks make unreachable; but then, as the tests show by brute force, those have a cycle of their own.
//!
//! **Misses**: acquisitions that did not happen in this run; waiting for anything but locks (`wait`, `join`, queues);
//! cycles longer than [`Limits::length`]; what exceeds the other limits, which [`LockOrder::work`] counts.

use std::collections::VecDeque;

use facts::access::LockMode;
use facts::event::{Event, EventKind};
use facts::index::{ObjectId, SiteId, ThreadId};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::checker::Checker;
use crate::held::Hold;
use crate::stream::holding::{HoldSet, Holding, compatible, conflict};
use crate::stream::segments::{SegmentId, Segments};

/// An edge remembers so many of its occurrences, the latest.
const OCCURRENCES: usize = 32;

/// A search from one new edge takes so many steps at most.
const STEPS: u32 = 10_000;

/// A cycle of threads, each of which may come to wait for the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// What each of them waits for; the next one (after the last, the first) holds it.
    pub waits: Vec<Wait>,
}

/// A thread that holds a lock and acquires another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Who.
    pub thread: ThreadId,
    /// What it holds, and the one before it in the cycle wants.
    pub holds: Hold,
    /// Where it acquired that.
    pub held_since: SiteId,
    /// What it wants.
    pub wants: Hold,
    /// Where it acquires that.
    pub site: SiteId,
    /// All that it holds.
    pub locks: HoldSet,
    /// Number of the acquisition in the stream, from 0.
    pub event: u64,
}

/// Bounds of memory and time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Edges in all (two locks and the locks held), of about 300 bytes.
    pub edges: usize,
    /// Threads in a cycle.
    pub length: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { edges: 1_000_000, length: 4 }
    }
}

/// What checking took so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Edges that are kept.
    pub edges: usize,
    /// Steps of all searches.
    pub steps: u64,
    /// Edges that were looked at, but not kept: deadlocks may be missed.
    pub dropped: u64,
    /// Searches that took too long: deadlocks may be missed.
    pub abandoned: u64,
}

/// The checker.
#[derive(Debug, Default)]
pub struct LockOrder {
    limits: Limits,
    holding: FxHashMap<ThreadId, Holding>,
    segments: Segments,
    edges: IndexMap<Edge, Occurrences, FxBuildHasher>,
    /// Numbers of the edges from a lock.
    from: FxHashMap<ObjectId, Vec<usize>>,
    deadlocks: Vec<Deadlock>,
    /// Places of the deadlocks, sorted.
    reported: FxHashSet<Vec<[SiteId; 2]>>,
    work: Work,
    n_events: u64,
}

/// What makes acquisitions alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Edge {
    from: Hold,
    to: Hold,
    held: HoldSet,
}

type Occurrences = VecDeque<Occurrence>;

/// One acquisition.
#[derive(Clone, Debug)]
struct Occurrence {
    thread: ThreadId,
    segment: SegmentId,
    sites: [SiteId; 2],
    event: u64,
}

impl LockOrder {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The potential deadlocks found so far, in the order in which they were found; each set of places once.
    #[must_use]
    pub fn deadlocks(&self) -> &[Deadlock] {
        &self.deadlocks
    }

    /// What it took so far.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    fn acquired(&mut self, event: &Event, hold: Hold, again: bool) {
        let holding = self.holding.entry(event.thread).or_default();
        let is_held = holding.tenures().iter().any(|tenure| tenure.hold == hold);
        if is_held == again {
            self.edges(event, hold);
        }
        let holding = self.holding.entry(event.thread).or_default();
        if again {
            holding.reacquire(hold.lock)
        } else {
            holding.acquire(hold, event.site)
        };
    }

    /// Makes the edges of an acquisition.
    fn edges(&mut self, event: &Event, to: Hold) {
        let holding = self.holding.entry(event.thread).or_default();
        let outer = holding.tenures().iter().filter(|tenure| tenure.hold.lock != to.lock);
        let froms: Vec<_> = outer.map(|tenure| (tenure.hold, tenure.site)).collect();
        let held: HoldSet = holding.snapshot().held().iter().copied().filter(|hold| *hold != to).collect();
        let segment = self.segments.current(event.thread);
        for (from, since) in froms {
            let sites = [since, event.site];
            let occurrence = Occurrence { thread: event.thread, segment, sites, event: self.n_events };
            self.edge(Edge { from, to, held: held.clone() }, occurrence);
        }
    }

    /// Looks for cycles through an edge that is new, at least in its segment, and keeps it.
    fn edge(&mut self, edge: Edge, occurrence: Occurrence) {
        let known = self.edges.get(&edge);
        if known.is_some_and(|known| known.iter().any(|other| other.segment == occurrence.segment)) {
            return;
        }
        let mut search = Search { order: self, path: vec![(&edge, &occurrence)], found: Vec::new(), steps: 0 };
        search.extend();
        let Search { found, steps, .. } = search;
        self.work.steps += u64::from(steps);
        self.work.abandoned += u64::from(steps > STEPS);
        found.into_iter().for_each(|deadlock| self.report(deadlock));
        self.keep(edge, occurrence);
    }

    fn keep(&mut self, edge: Edge, occurrence: Occurrence) {
        if self.edges.len() >= self.limits.edges && !self.edges.contains_key(&edge) {
            self.work.dropped += 1;
            return;
        }
        let from = edge.from.lock;
        let entry = self.edges.entry(edge);
        let (at, occurrences) = (entry.index(), entry.or_default());
        if occurrences.is_empty() {
            self.from.entry(from).or_default().push(at);
        }
        let segments = &self.segments;
        occurrences.push_back(occurrence);
        occurrences.retain(|occurrence| !segments.is_past(occurrence.segment));
        while occurrences.len() > OCCURRENCES {
            occurrences.pop_front();
        }
        self.work.edges = self.edges.len();
    }

    fn report(&mut self, deadlock: Deadlock) {
        let mut places: Vec<_> = deadlock.waits.iter().map(|wait| [wait.held_since, wait.site]).collect();
        places.sort_unstable();
        if self.reported.insert(places) {
            self.deadlocks.push(deadlock);
        }
    }
}

/// A search for cycles through the first edge of the path.
struct Search<'a> {
    order: &'a LockOrder,
    path: Vec<(&'a Edge, &'a Occurrence)>,
    found: Vec<Deadlock>,
    steps: u32,
}

impl<'a> Search<'a> {
    /// Tries every edge that can follow the last.
    fn extend(&mut self) {
        let order = self.order;
        let last = self.path[self.path.len() - 1].0;
        if self.path.len() > 1 && conflict(last.to, self.path[0].0.from) {
            self.found.push(self.deadlock());
            return;
        }
        if self.path.len() == order.limits.length {
            return;
        }
        for at in order.from.get(&last.to.lock).into_iter().flatten() {
            let Some((edge, occurrences)) = order.edges.get_index(*at) else { continue };
            self.steps += 1;
            if self.steps > STEPS {
                return;
            }
            self.try_edge(last, edge, occurrences);
        }
    }

    fn try_edge(&mut self, last: &Edge, edge: &'a Edge, occurrences: &'a Occurrences) {
        if !conflict(last.to, edge.from) || !self.path.iter().all(|(other, _)| compatible(&other.held, &edge.held)) {
            return;
        }
        if let Some(occurrence) = occurrences.iter().find(|occurrence| self.is_parallel(occurrence)) {
            self.path.push((edge, occurrence));
            self.extend();
            self.path.pop();
        }
    }

    /// Whether an acquisition is by a thread of its own, and can happen at the same time as those of the path.
    fn is_parallel(&self, occurrence: &Occurrence) -> bool {
        let segments = &self.order.segments;
        self.path.iter().all(|(_, other)| {
            other.thread != occurrence.thread
                && !segments.precedes(other.segment, occurrence.segment)
                && !segments.precedes(occurrence.segment, other.segment)
        })
    }

    fn deadlock(&self) -> Deadlock {
        let wait = |(edge, occurrence): &(&Edge, &Occurrence)| Wait {
            thread: occurrence.thread,
            holds: edge.from,
            held_since: occurrence.sites[0],
            wants: edge.to,
            site: occurrence.sites[1],
            locks: edge.held.clone(),
            event: occurrence.event,
        };
        Deadlock { waits: self.path.iter().map(wait).collect() }
    }
}

impl Checker for LockOrder {
    fn event(&mut self, event: &Event) {
        match event.action {
            EventKind::Acquire(lock, mode) => self.acquired(event, Hold { lock, mode }, false),
            EventKind::Release(lock, mode) => {
                self.holding.entry(event.thread).or_default().release(Hold { lock, mode });
            }
            // `wait` takes its monitor again while the thread holds whatever else it holds.
            EventKind::WaitEnd(lock) => self.acquired(event, Hold { lock, mode: LockMode::Exclusive }, true),
            EventKind::Fork(child) => self.segments.fork(event.thread, child),
            EventKind::Join(child) => self.segments.join(event.thread, child, true),
            EventKind::End => drop(self.holding.remove(&event.thread)),
            _ => {}
        }
        self.n_events += 1;
    }
}

#[cfg(test)]
mod tests;
