//! Type discovery: how threads use the fields of sampled objects, and which locks they hold (paper 004, section 4).
//!
//! **Sampled** are, of the objects that a site is the first to access, the first eight, and the n-th of those that come later with
//! probability 8/n, by a hash of the seed, the site and n: about `8 + 8 ln(n/8)` objects in all. Sites in constructors stand for
//! allocation sites. The same events with the same seed give the same sample. Every static field counts as an object of its own.
//!
//! An object is *shared* once a second thread has accessed any of its fields, and accesses from that one on are *late*: those before
//! may be part of its initialization. What is seen of a field is kept for each field of each sampled object.
//!
//! **Wrong owners** are found where a program has done otherwise only in objects that were not sampled, or has not run that way. A
//! lock in read mode protects reads only. Volatile accesses and arrays are left out.

use std::collections::{BTreeMap, BTreeSet};

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::held::Held;

/// So many objects of each site are sampled for sure.
const FIRST: u64 = 8;

/// What was seen so far.
#[derive(Debug, Default)]
pub struct Discovery {
    seed: u64,
    held: FxHashMap<ThreadId, Held>,
    /// `None` for those that are not sampled.
    objects: FxHashMap<ObjectId, Option<Box<Object>>>,
    statics: FxHashMap<FieldId, Object>,
    /// How many objects each site was the first to access.
    met: FxHashMap<SiteId, u64>,
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
    /// Nothing was seen yet.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// What was seen of each field, by object.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<FieldId, Vec<&Sample>> {
        let sampled = self.objects.values().flatten().map(|object| &**object);
        let mut fields = BTreeMap::<FieldId, Vec<&Sample>>::new();
        for (field, sample) in sampled.chain(self.statics.values()).flat_map(|object| &object.fields) {
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
            None => Some(self.statics.entry(field).or_insert_with(new)),
            Some(id) => {
                let (met, seed) = (&mut self.met, self.seed);
                let sampled = self.objects.entry(id).or_insert_with(|| {
                    let n = met.entry(event.site).or_default();
                    *n += 1;
                    is_sampled(seed, event.site, *n).then(|| Box::new(new()))
                });
                sampled.as_deref_mut()
            }
        };
        if let Some(object) = object {
            object.access(event, kind, (id, field), self.held.entry(event.thread).or_default());
        }
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
            site.1 += u64::from(id.is_some_and(|id| held.protecting(kind).any(|lock| lock == id)));
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
            Some(locks) => locks.retain(|lock| held.protecting(kind).any(|other| other == *lock)),
        }
    }
}

/// Whether the `n`-th object that a site is the first to access is sampled.
fn is_sampled(seed: u64, site: SiteId, n: u64) -> bool {
    n <= FIRST || mix(mix(seed ^ u64::from(site.0)) ^ n) % n < FIRST
}

/// The finalizer of splitmix64.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod tests;
