//! The naive twin: which events come before which, by reachability in the graph of all edges between all pairs of events.

use std::collections::BTreeSet;

use facts::access::AccessKind::{self, Read, Write};
use facts::access::LockMode;
use facts::event::{Event, EventKind, Location};
use facts::finding::Grade;
use facts::index::{ObjectId, SiteId, ThreadId};
use facts::site::Hands;

use crate::held::Hold;
use crate::order::relation::Relation;

/// All events that come before each event, in one relation.
pub struct Graph<'a> {
    events: &'a [Event],
    before: Vec<Vec<bool>>,
}

impl<'a> Graph<'a> {
    /// Variables that are accessed at `handing` hand over under locks.
    pub fn new(events: &'a [Event], handing: &[(SiteId, Hands)], relation: Relation) -> Self {
        let mut before: Vec<Vec<bool>> = Vec::new();
        for to in 0..events.len() {
            let mut all = vec![false; events.len()];
            for from in (0..to).filter(|from| {
                is_edge(events, relation, *from, to)
                    || relation == Relation::Found && is_found(events, handing, *from, to)
            }) {
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

/// Whether one event gives up a lock for the first time since its thread has left, under that lock, what the other one finds under it; or has
/// found what the other one takes away under it.
fn is_found(events: &[Event], handing: &[(SiteId, Hands)], from: usize, to: usize) -> bool {
    let (Some(hold), Some((kind, variable))) = (given_up(events, from), accessed(&events[to])) else { return false };
    let hands_at = |at: usize| handing.iter().find(|(site, _)| *site == events[at].site).map(|(_, hands)| *hands);
    let is_taken = kind == Read || hands_at(to) == Some(Hands::Reference);
    if hands_at(to).is_none() || !is_taken || !protects(events, to, hold.lock) {
        return false;
    }
    let is = |at: usize, kind| hands_at(at).is_some() && accessed(&events[at]) == Some((kind, variable));
    let written = (0..to).rev().find(|at| is(*at, Write));
    let since = written.map_or(0, |at| at + 1);
    let read = |by| (since..to).rev().find(|at| is(*at, Read) && events[*at].thread == by);
    let still_holds = |own: usize| {
        let hold = Hold { lock: hold.lock, mode: LockMode::Exclusive };
        is_under(events, own, hold) && !(own..to).any(|at| gives_up(events, at, events[to].thread, hold))
    };
    let done = match kind {
        Read => written,
        Write => read(events[to].thread).filter(|own| still_holds(*own)).and_then(|_| read(events[from].thread)),
    };
    let is_first = |done: usize| !(done..from).any(|at| gives_up(events, at, events[from].thread, hold));
    done.is_some_and(|done| {
        done < from && events[done].thread == events[from].thread && is_under(events, done, hold) && is_first(done)
    })
}

/// Whether a thread holds a lock in a mode that protects the access that it makes.
fn is_under(events: &[Event], access: usize, hold: Hold) -> bool {
    let kind = accessed(&events[access]).map(|(kind, _)| kind);
    kind.is_some_and(|kind| hold.protects(kind))
        && times_held(&events[..access], events[access].thread, hold.lock, hold.mode) > 0
}

fn gives_up(events: &[Event], at: usize, thread: ThreadId, hold: Hold) -> bool {
    events[at].thread == thread && given_up(events, at) == Some(hold)
}

/// The lock that an event gives up wholly.
fn given_up(events: &[Event], at: usize) -> Option<Hold> {
    match events[at].action {
        EventKind::WaitBegin(lock) => Some(Hold { lock, mode: LockMode::Exclusive }),
        EventKind::Release(lock, mode) => {
            (times_held(&events[..=at], events[at].thread, lock, mode) == 0).then_some(Hold { lock, mode })
        }
        _ => None,
    }
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
pub fn races(events: &[Event], handing: &[(SiteId, Hands)]) -> Vec<Pair> {
    let [happens_before, found, hand_over] = [Relation::HappensBefore, Relation::Found, Relation::HandOver]
        .map(|relation| Graph::new(events, handing, relation));
    let mut pairs = Vec::new();
    for current in 0..events.len() {
        for previous in (0..current).filter(|previous| conflict(events, *previous, current)) {
            let is_before = |graph: &Graph<'_>| graph.is_before(previous, current);
            let grade = match () {
                () if !is_before(&happens_before) => Grade::Certain,
                () if !is_before(&found) => Grade::Possible,
                () if !is_before(&hand_over) => Grade::Unlikely,
                () => continue,
            };
            pairs.push(Pair { current, previous, grade });
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
