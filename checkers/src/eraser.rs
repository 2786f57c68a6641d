//! Eraser, as written down in section 2.1 of Agarwal, Sasturkar, Wang and Stoller, "Optimized run-time race detection and
//! atomicity checking using partial discovered types" (ASE 2005), after Savage et al., "Eraser" (TOCS 1997).
//!
//! This is the readable reference. The agent runs [`crate::eraser::word`], which is tested to report the same races at the same
//! events.
//!
//! For each location: *shar*, whether a second thread has come; *lkset*, at first all locks, then those held at every
//! access from the second thread's first one on; *rdonly*, whether there was no write since then. A location with an empty
//! *lkset* that is *shar* and not *rdonly* has a race, and is reported once.
//!
//! Deviations: a lock held in read mode protects reads only (as in TOCS 1997), which the ASE paper leaves open. State is
//! kept by field, by object as in the paper's experiments, or by array element ([`Granularities`]).
//!
//! **False alarms**: whatever orders accesses without a common lock. Start and join of threads, hand-over through volatile
//! fields, queues, latches, barriers or `wait`/`notify` are not looked at; nor is the hand-over of an object to one thread
//! after another; nor class initialization. At object granularity, and for arrays as a whole, also fields or elements that
//! are protected by different locks.
//!
//! **Misses**: a race between the accesses of the first thread and what follows, as long as the threads that come later use
//! a common lock or only read (`t1 wr x; t2 acq m; t2 wr x; t2 rel m` reports nothing). So a race may show under one schedule
//! and not under another. Volatile accesses are ignored, and what has no events (native code, `Unsafe`) is not seen.

pub mod lock_set;
pub mod owned;
pub mod word;

use std::collections::BTreeSet;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;

use crate::checker::{Access, Checker, Race};
use crate::granularity::Granularities;
use crate::held::Held;

/// The reference checker.
#[derive(Debug, Default)]
pub struct Eraser {
    granularities: Granularities,
    held: FxHashMap<ThreadId, Held>,
    variables: FxHashMap<Location, Variable>,
    races: Vec<Race>,
    n_events: u64,
}

impl Eraser {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(granularities: Granularities) -> Self {
        Self { granularities, ..Self::default() }
    }

    fn access(&mut self, event: &Event, kind: AccessKind, location: Location) {
        let Some(variable) = self.granularities.variable(location) else { return };
        let held = self.held.entry(event.thread).or_default();
        let (thread, site) = (event.thread, event.site);
        let current = Access { event: self.n_events, thread, site, kind, location, locks: held.snapshot() };
        let state = self.variables.entry(variable).or_insert_with(|| Variable::Checked(Box::new(State::new(thread))));
        let Variable::Checked(checked) = state else { return };
        if checked.update(thread, kind, held) {
            self.races.extend(checked.explain(variable, current));
            *state = Variable::Reported;
        } else {
            checked.remember(current);
        }
    }
}

impl Checker for Eraser {
    fn event(&mut self, event: &Event) {
        let held = self.held.entry(event.thread).or_default();
        match event.action {
            EventKind::Acquire(lock, mode) => held.acquire(lock, mode),
            EventKind::Release(lock, mode) => {
                held.release(lock, mode);
            }
            EventKind::Access(kind, location) => self.access(event, kind, location),
            EventKind::End => {
                self.held.remove(&event.thread);
            }
            // The monitor is released and held again before the thread's next access.
            EventKind::WaitBegin(_) | EventKind::WaitEnd(_) => {}
            EventKind::Begin
            | EventKind::Fork(_)
            | EventKind::Join(_)
            | EventKind::Volatile(..)
            | EventKind::Notify(..)
            | EventKind::Publish(_)
            | EventKind::Observe(_)
            | EventKind::ClassInitBegin(_)
            | EventKind::ClassInitEnd(_)
            | EventKind::Enter
            | EventKind::Exit => {}
        }
        self.n_events += 1;
    }

    fn races(&self) -> &[Race] {
        &self.races
    }
}

#[derive(Debug)]
enum Variable {
    Checked(Box<State>),
    Reported,
}

/// The paper's attributes of a location, and what a report needs.
#[derive(Debug)]
struct State {
    first: ThreadId,
    shar: bool,
    rdonly: bool,
    /// `None` stands for all locks.
    lkset: Option<BTreeSet<ObjectId>>,
    accesses: Latest,
    writes: Latest,
}

impl State {
    fn new(first: ThreadId) -> Self {
        Self { first, shar: false, rdonly: true, lkset: None, accesses: Latest::default(), writes: Latest::default() }
    }

    /// Takes an access into account; true if the location has a race now.
    fn update(&mut self, thread: ThreadId, kind: AccessKind, held: &Held) -> bool {
        self.shar |= thread != self.first;
        if !self.shar {
            return false;
        }
        let held: BTreeSet<ObjectId> = held.protecting(kind).collect();
        self.rdonly &= kind == AccessKind::Read;
        let lkset = match self.lkset.take() {
            None => held,
            Some(lkset) => &lkset & &held,
        };
        self.lkset.insert(lkset).is_empty() && !self.rdonly
    }

    fn remember(&mut self, access: Access) {
        if access.kind == AccessKind::Write {
            self.writes.push(access.clone());
        }
        self.accesses.push(access);
    }

    fn explain(&self, variable: Location, current: Access) -> Option<Race> {
        let previous = self.accesses.by_other(current.thread)?.clone();
        let previous_write = self.writes.by_other(current.thread).cloned();
        Some(Race { variable, grade: None, current, previous, previous_write })
    }
}

/// The latest access, and the latest by a thread other than that one's: enough to know, for every thread, the latest access
/// by another.
#[derive(Debug, Default)]
struct Latest {
    latest: Option<Access>,
    by_another: Option<Access>,
}

impl Latest {
    fn push(&mut self, access: Access) {
        if self.latest.as_ref().is_some_and(|latest| latest.thread != access.thread) {
            self.by_another = self.latest.take();
        }
        self.latest = Some(access);
    }

    fn by_other(&self, thread: ThreadId) -> Option<&Access> {
        self.latest.as_ref().filter(|latest| latest.thread != thread).or(self.by_another.as_ref())
    }
}

#[cfg(test)]
mod tests;
