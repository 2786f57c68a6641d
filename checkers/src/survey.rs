//! A first pass over a recorded trace: which variables several threads share, and which of them no lock protects.
//!
//! What a checker learns only while it runs (a variable is shared from some event on, or racy from some event on) the
//! survey knows beforehand, so that nothing before that event is missed.

use std::collections::BTreeSet;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{ObjectId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checker::Checker;
use crate::granularity::Granularities;
use crate::held::Held;

/// What is known of every variable so far.
#[derive(Debug, Default)]
pub struct Survey {
    granularities: Granularities,
    held: FxHashMap<ThreadId, Held>,
    variables: FxHashMap<Location, Use>,
}

#[derive(Debug)]
struct Use {
    first: ThreadId,
    shared: bool,
    written: bool,
    /// Locks that protected every access.
    locks: BTreeSet<ObjectId>,
}

impl Survey {
    /// A survey that has seen nothing.
    #[must_use]
    pub fn new(granularities: Granularities) -> Self {
        Self { granularities, ..Self::default() }
    }

    /// The variables that several threads access and at least one writes: only they can break atomicity.
    #[must_use]
    pub fn shared(&self) -> FxHashSet<Location> {
        self.select(|_| true)
    }

    /// Those of them that have no lock in common at all accesses. Unlike Eraser, this counts the first thread's too: an
    /// access to any other variable commutes with what other threads can do at the same time.
    #[must_use]
    pub fn unprotected(&self) -> FxHashSet<Location> {
        self.select(|used| used.locks.is_empty())
    }

    fn select(&self, condition: impl Fn(&Use) -> bool) -> FxHashSet<Location> {
        let counts = |used: &Use| used.shared && used.written && condition(used);
        self.variables.iter().filter(|(_, used)| counts(used)).map(|(variable, _)| *variable).collect()
    }

    fn access(&mut self, thread: ThreadId, kind: AccessKind, location: Location) {
        let Some(variable) = self.granularities.variable(location) else { return };
        let held = self.held.entry(thread).or_default();
        let used = self.variables.entry(variable).or_insert_with(|| Use {
            first: thread,
            shared: false,
            written: false,
            locks: held.protecting(kind).collect(),
        });
        used.shared |= used.first != thread;
        used.written |= kind == AccessKind::Write;
        if !used.locks.is_empty() {
            used.locks.retain(|lock| held.protecting(kind).any(|other| other == *lock));
        }
    }
}

impl Checker for Survey {
    fn event(&mut self, event: &Event) {
        let held = self.held.entry(event.thread).or_default();
        match event.action {
            EventKind::Acquire(lock, mode) => held.acquire(lock, mode),
            EventKind::Release(lock, mode) => drop(held.release(lock, mode)),
            EventKind::Access(kind, location) | EventKind::Volatile(kind, location) => {
                self.access(event.thread, kind, location);
            }
            EventKind::End => drop(self.held.remove(&event.thread)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::events;
    use crate::replay::replay;

    #[test]
    fn shared_and_unprotected() {
        let mut survey = Survey::default();
        // Names are numbered as they come: m is 1, x 2, y 3, z 4, w 5.
        let text =
            "t1 acq m; t1 wr x; t1 wr y; t1 rel m; t1 wr z; t1 rd w; t2 acq m; t2 wr x; t2 rel m; t2 rd y; t2 rd w";
        replay(&mut [&mut survey], events(text));
        let numbers = |set: FxHashSet<Location>| -> BTreeSet<Location> { set.into_iter().collect() };
        let variable = |number| Location::Static(facts::index::FieldId(number));
        assert_eq!(numbers(survey.shared()), [variable(2), variable(3)].into());
        assert_eq!(numbers(survey.unprotected()), [variable(3)].into());
    }
}
