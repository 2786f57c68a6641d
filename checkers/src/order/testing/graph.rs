//! The naive twin: which events come before which, by reachability in the graph of all edges between all pairs of events.

use std::collections::BTreeSet;

use facts::access::AccessKind::{self, Read, Write};
use facts::access::LockMode;
use facts::event::{Event, EventKind, Location};
use facts::finding::Grade;
use facts::index::{ObjectId, ThreadId};

use crate::order::relation::Relation;

/// All events that come before each event, in one relation.
pub struct Graph<'a> {
    events: &'a [Event],
    before: Vec<Vec<bool>>,
}

impl<'a> Graph<'a> {
    pub fn new(events: &'a [Event], relation: Relation) -> Self {
        let mut before: Vec<Vec<bool>> = Vec::new();
        for to in 0..events.len() {
            let mut all = vec![false; events.len()];
            for from in (0..to).filter(|from| is_edge(events, relation, *from, to)) {
                all[from] = true;
                (0..from).for_each(|earlier| all[earlier] |= before[from][earlier]);
            }
            before.push(all);
        }
        Self { events, before }
    }

    /// Whether one access comes before another, be it that it was made in a class initializer that has ended.
    pub fn is_before(&self, from: usize, to: usize) -> bool {
        self.before[to][from] || initializer_end(self.events, from).is_some_and(|end| end < to)
    }
}

/// Whether synchronization makes one event come before a later one.
fn is_edge(events: &[Event], relation: Relation, from: usize, to: usize) -> bool {
    let (a, b) = (&events[from], &events[to]);
    let hands_over = match (a.action, b.action) {
        (EventKind::Fork(child), EventKind::Join(same)) => child == same,
        (EventKind::Volatile(Write, written), EventKind::Volatile(Read, read)) => written == read,
        (
            EventKind::Publish(told) | EventKind::Notify(told, _),
            EventKind::Observe(seen) | EventKind::WaitEnd(seen),
        ) => told == seen,
        _ => false,
    };
    let is_child = a.action == EventKind::Fork(b.thread) || b.action == EventKind::Join(a.thread);
    a.thread == b.thread || is_child || hands_over || relation == Relation::HappensBefore && excludes(events, from, to)
}

/// Whether one event gives up the lock that the other one takes.
fn excludes(events: &[Event], from: usize, to: usize) -> bool {
    let released = match events[from].action {
        EventKind::Release(lock, mode) if times_held(&events[..=from], events[from].thread, lock, mode) == 0 => {
            (lock, mode)
        }
        EventKind::WaitBegin(lock) => (lock, LockMode::Exclusive),
        _ => return false,
    };
    let acquired = match events[to].action {
        EventKind::Acquire(lock, mode) => (lock, mode),
        EventKind::WaitEnd(lock) => (lock, LockMode::Exclusive),
        _ => return false,
    };
    released.0 == acquired.0 && (released.1 == LockMode::Exclusive || acquired.1 == LockMode::Exclusive)
}

/// How often a thread holds a lock in a mode after these events.
fn times_held(events: &[Event], thread: ThreadId, lock: ObjectId, mode: LockMode) -> usize {
    let steps = events.iter().filter(|event| event.thread == thread);
    steps.fold(0, |times, event| match event.action {
        EventKind::Acquire(other, how) if (other, how) == (lock, mode) => times + 1,
        EventKind::Release(other, how) if (other, how) == (lock, mode) => times.saturating_sub(1),
        _ => times,
    })
}

/// Where the innermost class initializer ends that an event is in: one around it ends it, too.
fn initializer_end(events: &[Event], at: usize) -> Option<usize> {
    let (mut running, mut depth) = (Vec::new(), 0);
    for (number, event) in events.iter().enumerate().filter(|(_, event)| event.thread == events[at].thread) {
        match event.action {
            _ if number == at => depth = running.len(),
            EventKind::ClassInitBegin(class) => running.push(class),
            EventKind::ClassInitEnd(class) => {
                running.iter().rposition(|other| *other == class).into_iter().for_each(|depth| running.truncate(depth));
            }
            _ => {}
        }
        if number > at && running.len() < depth {
            return Some(number);
        }
    }
    None
}

/// An access that races with an earlier one, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    pub current: usize,
    pub previous: usize,
    pub grade: Grade,
}

/// Every race of two accesses to one location.
pub fn races(events: &[Event]) -> Vec<Pair> {
    let [happens_before, hand_over] =
        [Relation::HappensBefore, Relation::HandOver].map(|relation| Graph::new(events, relation));
    let mut pairs = Vec::new();
    for current in 0..events.len() {
        for previous in (0..current).filter(|previous| conflict(events, *previous, current)) {
            if !happens_before.is_before(previous, current) {
                pairs.push(Pair { current, previous, grade: Grade::Certain });
            } else if !hand_over.is_before(previous, current) {
                pairs.push(Pair { current, previous, grade: Grade::Possible });
            }
        }
    }
    pairs
}

/// What an event accesses.
pub fn accessed(event: &Event) -> Option<(AccessKind, Location)> {
    match event.action {
        EventKind::Access(kind, location) => Some((kind, location)),
        _ => None,
    }
}

fn conflict(events: &[Event], a: usize, b: usize) -> bool {
    let [Some((one, location)), Some((other, same))] = [a, b].map(|at| accessed(&events[at])) else { return false };
    let keeps_apart = |lock: &ObjectId| protects(events, a, *lock) && protects(events, b, *lock);
    location == same && (one, other) != (Read, Read) && !locks(events).iter().any(keeps_apart)
}

fn locks(events: &[Event]) -> BTreeSet<ObjectId> {
    let lock = |event: &Event| match event.action {
        EventKind::Acquire(lock, _) => Some(lock),
        _ => None,
    };
    events.iter().filter_map(lock).collect()
}

/// Whether a lock protects an access.
fn protects(events: &[Event], access: usize, lock: ObjectId) -> bool {
    let holds = |mode| times_held(&events[..access], events[access].thread, lock, mode) > 0;
    let reads = accessed(&events[access]).is_some_and(|(kind, _)| kind == Read);
    holds(LockMode::Exclusive) || reads && holds(LockMode::Shared)
}
