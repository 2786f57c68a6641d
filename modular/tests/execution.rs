//! Abstract executions: events and what comes before what (paper 003, section 3.1), and how they are put together (3.3).
//!
//! The readable form, in which the laws are tested. What programs are analysed with (`modular::summary`) keeps for each access the
//! locks that enclose it instead of the edges, which are quadratic in number; that these are the same is tested on executions made
//! here, and no program is analysed in both forms.

use std::collections::BTreeSet;

use modular::multiplicity::Multiplicity;

/// A place in the code.
pub type Label = u32;

/// A string of labels: of calls, and at last of the event itself; the empty one is the thread that runs the method.
pub type Labels = Vec<Label>;

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Takes a monitor.
    Enter,
    /// Leaves a monitor.
    Exit,
}

/// What runs of an instruction do, by one abstract thread: κ(id, τ^m, ρ).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// What it does.
    pub kind: Kind,
    /// The calls that lead there, and the instruction.
    pub id: Labels,
    /// Which thread.
    pub thread: Labels,
    /// How many threads that stands for.
    pub multiplicity: Multiplicity,
    /// What it accesses: object and field; the locks, without a field, of which there is none unless it is one object for sure.
    pub locations: BTreeSet<(u32, u32)>,
}

/// An abstract execution (E, ↦); the least one is empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Execution {
    /// Its events.
    pub events: BTreeSet<Event>,
    /// Which may come before which.
    pub before: BTreeSet<(Event, Event)>,
}

impl Execution {
    /// One event.
    #[must_use]
    pub fn of(event: Event) -> Self {
        Self { events: BTreeSet::from([event]), before: BTreeSet::new() }
    }

    /// The least upper bound.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.events.extend(other.events.iter().cloned());
        self.before.extend(other.before.iter().cloned());
        self
    }

    /// What comes after: all that the thread itself did comes before it.
    #[must_use]
    pub fn then(self, next: &Self) -> Self {
        let own: Vec<Event> = self.events.iter().filter(|event| event.thread.is_empty()).cloned().collect();
        let mut both = self.join(next);
        for earlier in own {
            both.before.extend(next.events.iter().map(|later| (earlier.clone(), later.clone())));
        }
        both
    }

    /// It at a call: the callee's events are those of the thread that calls, and its threads are told apart by the call (i2 and
    /// i3').
    #[must_use]
    pub fn called(&self, label: Label, multiplicity: Multiplicity) -> Self {
        self.renamed(label, multiplicity, |event| !event.thread.is_empty())
    }

    /// It as the body of a thread that is started (i2 and i3).
    #[must_use]
    pub fn started(&self, label: Label, multiplicity: Multiplicity) -> Self {
        self.renamed(label, multiplicity, |_| true)
    }

    fn renamed(&self, label: Label, multiplicity: Multiplicity, of_other: impl Fn(&Event) -> bool) -> Self {
        let rename = |event: &Event| {
            let mut renamed = event.clone();
            renamed.id.insert(0, label);
            if of_other(event) {
                renamed.thread.insert(0, label);
                renamed.multiplicity = multiplicity.times(event.multiplicity);
            }
            renamed
        };
        Self {
            events: self.events.iter().map(rename).collect(),
            before: self.before.iter().map(|(a, b)| (rename(a), rename(b))).collect(),
        }
    }
}
