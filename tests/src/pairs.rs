//! Pairs of accesses in a trace that no lock keeps apart: what tells a race from an alarm that Eraser gives because its three
//! accesses have a lock in common two by two, and none all together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::Result;
use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::finding::Variable;
use facts::index::{ObjectId, SiteId, ThreadId};
use facts::site::Place;
use facts::trace::{FieldDefinition, Record, TraceReader};

/// What is accessed by pairs: as in Eraser, accesses before a second thread's first one do not count, and an array is one
/// variable.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The fields.
    fields: BTreeSet<(String, String, String)>,
    /// The places of either access.
    places: BTreeSet<Place>,
}

impl Pairs {
    /// Of a whole trace.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn read(trace: &Path) -> Result<Self> {
        let mut history = History::default();
        let (mut fields, mut sites) = (BTreeMap::new(), BTreeMap::new());
        for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
            match record? {
                Record::Field(id, field) => _ = fields.insert(id, field),
                Record::Site(id, site) => _ = sites.insert(id, site.place),
                Record::Event(event) => history.event(event),
                Record::Damage(damage) => anyhow::bail!("{damage:?}"),
                Record::Thread(..) | Record::Object(..) => {}
            }
        }
        let mut pairs = Self::default();
        for (location, variable) in &history.variables {
            for site in variable.unguarded() {
                pairs.places.extend(sites.get(&site).cloned());
                if let Location::Field(_, id) | Location::Static(id) = location {
                    pairs.fields.extend(fields.get(id).cloned().map(named));
                }
            }
        }
        Ok(pairs)
    }

    /// Whether a pair accesses the variable; of an array, at one of the places.
    #[must_use]
    pub fn race_on(&self, variable: &Variable, places: &[Place]) -> bool {
        match variable {
            Variable::Field { class, name, descriptor } | Variable::Static { class, name, descriptor } => {
                self.fields.contains(&(class.clone(), name.clone(), descriptor.clone()))
            }
            Variable::Array { .. } | Variable::Object { .. } => places.iter().any(|place| self.places.contains(place)),
        }
    }
}

fn named(field: FieldDefinition) -> (String, String, String) {
    (field.class, field.name, field.descriptor)
}

/// Who accessed what, and under which locks.
#[derive(Debug, Default)]
struct History {
    held: BTreeMap<ThreadId, Vec<(ObjectId, LockMode)>>,
    variables: BTreeMap<Location, Accesses>,
}

#[derive(Debug)]
struct Accesses {
    first: ThreadId,
    is_shared: bool,
    late: BTreeSet<Access>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Access {
    thread: ThreadId,
    kind: AccessKind,
    locks: BTreeSet<ObjectId>,
    site: SiteId,
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
            EventKind::Access(kind, location) => {
                let protects = |mode| kind == AccessKind::Read || mode == LockMode::Exclusive;
                let locks = held.iter().filter(|(_, mode)| protects(*mode)).map(|(lock, _)| *lock).collect();
                let access = Access { thread: event.thread, kind, locks, site: event.site };
                self.access(location, access);
            }
            _ => {}
        }
    }

    fn access(&mut self, location: Location, access: Access) {
        let variable = match location {
            Location::Element(array, _) => Location::Element(array, 0),
            field => field,
        };
        let new = || Accesses { first: access.thread, is_shared: false, late: BTreeSet::new() };
        let accesses = self.variables.entry(variable).or_insert_with(new);
        accesses.is_shared |= access.thread != accesses.first;
        if accesses.is_shared {
            accesses.late.insert(access);
        }
    }
}

impl Accesses {
    fn unguarded(&self) -> impl Iterator<Item = SiteId> {
        self.late.iter().filter(|a| self.late.iter().any(|b| a.races_with(b))).map(|access| access.site)
    }
}

impl Access {
    fn races_with(&self, other: &Self) -> bool {
        let writes = [self, other].iter().any(|access| access.kind == AccessKind::Write);
        writes && self.thread != other.thread && self.locks.is_disjoint(&other.locks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODE: LockMode = LockMode::Exclusive;

    /// Threads write one field, each under its locks; the first one only makes the field shared.
    fn n_unguarded(threads: &[&[u64]]) -> usize {
        let mut history = History::default();
        for (thread, locks) in (1..).zip(threads) {
            let mut step = |action| history.event(Event { thread: ThreadId(thread), site: SiteId(thread), action });
            locks.iter().for_each(|lock| step(EventKind::Acquire(ObjectId(*lock), MODE)));
            step(EventKind::Access(AccessKind::Write, Location::Element(ObjectId(9), thread)));
            locks.iter().for_each(|lock| step(EventKind::Release(ObjectId(*lock), MODE)));
        }
        history.variables.values().flat_map(Accesses::unguarded).count()
    }

    #[test]
    fn two_locks_of_three_keep_any_two_apart() {
        assert_eq!(n_unguarded(&[&[], &[1, 2], &[2, 3], &[1, 3]]), 0);
        assert_eq!(n_unguarded(&[&[], &[1, 2], &[2, 3], &[1]]), 2);
    }
}
