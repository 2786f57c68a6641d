//! Type discovery: how threads use the fields of sampled objects, and which locks they hold (paper 004, section 4).
//!
//! The events are those of a few objects, chosen by [`crate::discovery::sampling`]; every static field counts as an object of its own. An access
//! may be missing that *repeats* the latest one of its field: by the same thread, once the object is shared with the same locks held,
//! and a write only after a write. With it, only counts would be others.
//!
//! An object is *shared* once a second thread has accessed any of its fields, and accesses from that one on are *late*: those before
//! may be part of its initialization. What is seen of a field is kept for each field of each sampled object.
//!
//! **Wrong owners** are found where a program has done otherwise only in objects that were not sampled, or has not run that way. A
//! lock in read mode protects reads only. Volatile accesses and arrays are left out.

pub mod sampling;

use std::collections::{BTreeMap, BTreeSet};

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::held::Held;

/// What was seen so far.
#[derive(Debug, Default)]
pub struct Discovery {
    held: FxHashMap<ThreadId, Held>,
    objects: FxHashMap<ObjectId, Object>,
    statics: FxHashMap<FieldId, Object>,
}

#[derive(Debug)]
struct Object {
    first: ThreadId,
    shared: bool,
    fields: BTreeMap<FieldId, Sample>,
}

/// How one field of one object was used.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sample {
    /// The object; `None` for a static field.
    pub object: Option<ObjectId>,
    /// Who accessed it.
    pub threads: BTreeSet<ThreadId>,
    /// Whether a thread came back to it after another.
    pub returned: bool,
    /// Accesses that read.
    pub reads: u64,
    /// Accesses that wrote.
    pub writes: u64,
    /// Accesses once the object was shared.
    pub late: u64,
    /// Those that wrote.
    pub late_writes: u64,
    /// The locks that protected every late access; `None` without one.
    pub locks: Option<BTreeSet<ObjectId>>,
    /// By place, its late accesses, and how many of them held the lock of the object.
    pub sites: BTreeMap<SiteId, (u64, u64)>,
    latest: Option<ThreadId>,
}

impl Discovery {
    /// What was seen of each field, by object.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<FieldId, Vec<&Sample>> {
        let mut fields = BTreeMap::<FieldId, Vec<&Sample>>::new();
        for (field, sample) in self.objects.values().chain(self.statics.values()).flat_map(|object| &object.fields) {
            fields.entry(*field).or_default().push(sample);
        }
        fields.values_mut().for_each(|samples| samples.sort_unstable_by_key(|sample| sample.object));
        fields
    }

    fn access(&mut self, event: &Event, kind: AccessKind, location: Location) {
        let (id, field) = match location {
            Location::Field(object, field) => (Some(object), field),
            Location::Static(field) => (None, field),
            Location::Element(..) => return,
        };
        let new = || Object::new(event.thread);
        let object = match id {
            None => self.statics.entry(field).or_insert_with(new),
            Some(id) => self.objects.entry(id).or_insert_with(new),
        };
        object.access(event, kind, (id, field), self.held.entry(event.thread).or_default());
    }
}

impl Checker for Discovery {
    fn event(&mut self, event: &Event) {
        match event.action {
            EventKind::Acquire(lock, mode) => self.held.entry(event.thread).or_default().acquire(lock, mode),
            EventKind::Release(lock, mode) => {
                self.held.entry(event.thread).or_default().release(lock, mode);
            }
            EventKind::Access(kind, location) => self.access(event, kind, location),
            EventKind::End => drop(self.held.remove(&event.thread)),
            _ => {}
        }
    }
}

impl Object {
    fn new(first: ThreadId) -> Self {
        Self { first, shared: false, fields: BTreeMap::new() }
    }

    fn access(&mut self, event: &Event, kind: AccessKind, (id, field): (Option<ObjectId>, FieldId), held: &Held) {
        self.shared |= event.thread != self.first;
        let sample = self.fields.entry(field).or_insert_with(|| Sample { object: id, ..Sample::default() });
        sample.count(event.thread, kind);
        let site = sample.sites.entry(event.site).or_default();
        if self.shared {
            site.0 += 1;
            site.1 += u64::from(id.is_some_and(|id| held.protects(kind, id)));
            sample.hold(kind, held);
        }
    }
}

impl Sample {
    fn count(&mut self, thread: ThreadId, kind: AccessKind) {
        let is_new = self.threads.insert(thread);
        self.returned |= !is_new && self.latest != Some(thread);
        self.latest = Some(thread);
        match kind {
            AccessKind::Read => self.reads += 1,
            AccessKind::Write => self.writes += 1,
        }
    }

    fn hold(&mut self, kind: AccessKind, held: &Held) {
        self.late += 1;
        self.late_writes += u64::from(kind == AccessKind::Write);
        match &mut self.locks {
            None => self.locks = Some(held.protecting(kind).collect()),
            Some(locks) => locks.retain(|lock| held.protects(kind, *lock)),
        }
    }
}

#[cfg(test)]
mod tests;
