//! Pairs of accesses in a trace that neither a lock nor the start or end of a thread keeps apart: what tells a race from an alarm
//! that Eraser gives because it does not know order, or because accesses have locks in common two by two and none all together.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::rc::Rc;

use anyhow::Result;
use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::finding::Variable;
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::Place;
use facts::trace::{Damage, DamageKind, FieldDefinition, Record, TraceReader};

/// What a trace tells of accesses: as in Eraser, those before a second thread's first one do not count, and an array is one variable.
#[derive(Debug, Default)]
pub struct Pairs {
    history: History,
    fields: BTreeMap<FieldId, FieldDefinition>,
    sites: BTreeMap<SiteId, Place>,
}

impl Pairs {
    /// Of a trace, up to where it was cut short.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn read(trace: &Path) -> Result<Self> {
        let mut pairs = Self::default();
        for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
            match record? {
                Record::Field(id, field) => _ = pairs.fields.insert(id, field),
                Record::Site(id, site) => _ = pairs.sites.insert(id, site.place),
                Record::Event(event) => pairs.history.event(event),
                // A recording that has reached its limit.
                Record::Damage(Damage { kind: DamageKind::CutShort, .. }) => break,
                Record::Damage(damage) => anyhow::bail!("{damage:?}"),
                Record::Thread(..) | Record::Object(..) => {}
            }
        }
        Ok(pairs)
    }

    /// Whether a pair accesses the variable in one object; of an array, one that is accessed at one of the places.
    #[must_use]
    pub fn race_on(&self, variable: &Variable, places: &[Place]) -> bool {
        let is_meant = |(location, accesses): &(&Location, &Accesses)| match location {
            Location::Field(_, id) | Location::Static(id) => self.is_field(*id, variable),
            Location::Element(..) => {
                let is_at_place = |site: &SiteId| self.sites.get(site).is_some_and(|at| places.contains(at));
                matches!(variable, Variable::Array { .. }) && accesses.sites.iter().any(is_at_place)
            }
        };
        self.history.variables.iter().filter(is_meant).any(|(_, accesses)| accesses.race())
    }

    /// Whether a pair accesses this field or array.
    #[must_use]
    pub fn race_at(&self, location: Location) -> bool {
        self.history.variables.get(&variable(location)).is_some_and(Accesses::race)
    }

    fn is_field(&self, id: FieldId, variable: &Variable) -> bool {
        let (Variable::Field { class, name, descriptor } | Variable::Static { class, name, descriptor }) = variable
        else {
            return false;
        };
        let is_same =
            |field: &FieldDefinition| (&field.class, &field.name, &field.descriptor) == (class, name, descriptor);
        self.fields.get(&id).is_some_and(is_same)
    }
}

/// Who accessed what, and under which locks.
#[derive(Debug, Default)]
struct History {
    held: BTreeMap<ThreadId, Vec<(ObjectId, LockMode)>>,
    clocks: BTreeMap<ThreadId, Rc<Clock>>,
    /// Those locks that were held at once, each combination once.
    locks: BTreeSet<Rc<BTreeSet<ObjectId>>>,
    variables: BTreeMap<Location, Accesses>,
}

/// How far a thread knows each thread to have come, by starts and joins. No two clocks of a thread have the same time for it.
#[derive(Clone, Debug)]
struct Clock {
    of: ThreadId,
    times: BTreeMap<ThreadId, u32>,
}

impl Clock {
    fn time(&self, thread: ThreadId) -> Option<u32> {
        self.times.get(&thread).copied()
    }

    fn is_before(&self, other: &Self) -> bool {
        other.time(self.of) >= self.time(self.of)
    }
}

impl Ord for Clock {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.of, self.time(self.of)).cmp(&(other.of, other.time(other.of)))
    }
}

impl PartialOrd for Clock {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Clock {}

#[derive(Debug)]
struct Accesses {
    first: ThreadId,
    is_shared: bool,
    late: BTreeSet<Access>,
    /// Where they are.
    sites: BTreeSet<SiteId>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Access {
    thread: ThreadId,
    kind: AccessKind,
    locks: Rc<BTreeSet<ObjectId>>,
    clock: Rc<Clock>,
}

impl History {
    fn event(&mut self, event: Event) {
        let held = self.held.entry(event.thread).or_default();
        match event.action {
            EventKind::Acquire(lock, mode) => held.push((lock, mode)),
            EventKind::Release(lock, mode) => {
                if let Some(at) = held.iter().rposition(|hold| *hold == (lock, mode)) {
                    held.remove(at);
                }
            }
            EventKind::Fork(thread) => self.order(event.thread, thread),
            EventKind::Join(thread) => self.order(thread, event.thread),
            EventKind::Access(kind, location) => {
                let protects = |mode| kind == AccessKind::Read || mode == LockMode::Exclusive;
                let locks = held.iter().filter(|(_, mode)| protects(*mode)).map(|(lock, _)| *lock).collect();
                let locks = self.shared(locks);
                let clock = Rc::clone(self.clock(event.thread));
                let access = Access { thread: event.thread, kind, locks, clock };
                self.access(location, access, event.site);
            }
            _ => {}
        }
    }

    fn shared(&mut self, locks: BTreeSet<ObjectId>) -> Rc<BTreeSet<ObjectId>> {
        if let Some(known) = self.locks.get(&locks) {
            return Rc::clone(known);
        }
        let new = Rc::new(locks);
        self.locks.insert(Rc::clone(&new));
        new
    }

    fn clock(&mut self, thread: ThreadId) -> &mut Rc<Clock> {
        self.clocks.entry(thread).or_insert_with(|| Rc::new(Clock { of: thread, times: BTreeMap::from([(thread, 1)]) }))
    }

    /// What one thread has done comes before what another one will do.
    fn order(&mut self, before: ThreadId, after: ThreadId) {
        let known = Rc::clone(self.clock(before));
        let clock = Rc::make_mut(self.clock(after));
        for (thread, time) in &known.times {
            let latest = clock.times.entry(*thread).or_default();
            *latest = *time.max(latest);
        }
        *Rc::make_mut(self.clock(after)).times.entry(after).or_default() += 1;
        *Rc::make_mut(self.clock(before)).times.entry(before).or_default() += 1;
    }

    fn access(&mut self, location: Location, access: Access, site: SiteId) {
        let new = || Accesses { first: access.thread, is_shared: false, late: BTreeSet::new(), sites: BTreeSet::new() };
        let accesses = self.variables.entry(variable(location)).or_insert_with(new);
        accesses.is_shared |= access.thread != accesses.first;
        if accesses.is_shared {
            accesses.late.insert(access);
            accesses.sites.insert(site);
        }
    }
}

/// An array goes by its first element.
fn variable(location: Location) -> Location {
    match location {
        Location::Element(array, _) => Location::Element(array, 0),
        field => field,
    }
}

impl Accesses {
    fn race(&self) -> bool {
        self.late.iter().any(|a| self.late.iter().any(|b| a.races_with(b)))
    }
}

impl Access {
    fn races_with(&self, other: &Self) -> bool {
        let writes = [self, other].iter().any(|access| access.kind == AccessKind::Write);
        writes && self.locks.is_disjoint(&other.locks) && self.is_parallel(other)
    }

    fn is_parallel(&self, other: &Self) -> bool {
        !self.clock.is_before(&other.clock) && !other.clock.is_before(&self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODE: LockMode = LockMode::Exclusive;

    fn step(history: &mut History, thread: u32, action: EventKind) {
        history.event(Event { thread: ThreadId(thread), site: SiteId(thread), action });
    }

    /// A thread writes an array under locks.
    fn write(history: &mut History, thread: u32, locks: &[u64]) {
        locks.iter().for_each(|lock| step(history, thread, EventKind::Acquire(ObjectId(*lock), MODE)));
        step(history, thread, EventKind::Access(AccessKind::Write, Location::Element(ObjectId(9), thread)));
        locks.iter().for_each(|lock| step(history, thread, EventKind::Release(ObjectId(*lock), MODE)));
    }

    fn race(history: &History) -> bool {
        history.variables.values().any(Accesses::race)
    }

    /// The first thread only makes the array shared.
    #[test]
    fn two_locks_of_three_keep_any_two_apart() {
        let mut history = History::default();
        write(&mut history, 1, &[]);
        for (thread, locks) in [(2, [1, 2]), (3, [2, 3]), (4, [1, 3])] {
            write(&mut history, thread, &locks);
        }
        assert!(!race(&history));
        write(&mut history, 5, &[1]);
        assert!(race(&history));
    }

    #[test]
    fn a_join_keeps_apart_what_comes_before_and_after() {
        let mut history = History::default();
        (1..=2).for_each(|thread| write(&mut history, thread, &[]));
        step(&mut history, 3, EventKind::Join(ThreadId(2)));
        write(&mut history, 3, &[]);
        assert!(!race(&history));
        write(&mut history, 4, &[]);
        assert!(race(&history));
    }
}
