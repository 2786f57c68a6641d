//! What threads hand over under locks: who finds there what another one left, and who takes what others have used.

use std::sync::Arc;

use facts::access::AccessKind::{self, Read, Write};
use facts::access::LockMode::Exclusive;
use facts::event::{Event, Location};
use facts::index::{SiteId, ThreadId};
use facts::site::Hands;
use rustc_hash::FxHashMap;

use crate::held::{Held, Hold};

/// What was done lately to the variables by which threads hand over. `C` is what a thread knows.
#[derive(Debug)]
pub struct Handing<C> {
    sites: FxHashMap<SiteId, Hands>,
    variables: FxHashMap<Location, Variable<C>>,
    /// What each thread has accessed under locks of which it still holds some.
    open: FxHashMap<ThreadId, Vec<Location>>,
}

#[derive(Debug)]
struct Variable<C> {
    written: Option<Done<C>>,
    /// The latest read of each thread since.
    read: Vec<Done<C>>,
}

/// An access.
#[derive(Debug)]
struct Done<C> {
    by: ThreadId,
    /// The locks that protected it.
    under: Vec<Hold>,
    /// What the thread knew when it first gave up each of them.
    until: Vec<(Hold, Arc<C>)>,
}

impl<C> Default for Handing<C> {
    fn default() -> Self {
        Self { sites: FxHashMap::default(), variables: FxHashMap::default(), open: FxHashMap::default() }
    }
}

impl<C> Default for Variable<C> {
    fn default() -> Self {
        Self { written: None, read: Vec::new() }
    }
}

impl<C> Done<C> {
    fn is_open(&self, hold: Hold) -> bool {
        self.under.contains(&hold) && self.until.iter().all(|(other, _)| *other != hold)
    }
}

impl<C: Clone> Handing<C> {
    /// Accesses at a site are to variables by which threads hand over.
    pub fn define(&mut self, site: SiteId, hands: Hands) {
        self.sites.insert(site, hands);
    }

    /// Whether those at a site are.
    pub fn is_at(&self, site: SiteId) -> bool {
        self.sites.contains_key(&site)
    }

    /// A thread accesses a variable; gives what others knew who are known to come before.
    pub fn access(&mut self, event: &Event, kind: AccessKind, location: Location, held: &Held) -> Vec<Arc<C>> {
        let by = event.thread;
        let variable = self.variables.entry(location).or_default();
        let known = match (kind, self.sites.get(&event.site)) {
            (Read, _) => variable.left(held),
            (Write, Some(Hands::Reference)) => variable.taken(by, held),
            (Write, _) => Vec::new(),
        };
        variable.done(by, kind, held);
        self.open.entry(by).or_default().push(location);
        known
    }

    /// A thread gives up a lock; this is what it knows.
    pub fn release(&mut self, by: ThreadId, hold: Hold, known: &C) {
        let Some(open) = self.open.get_mut(&by) else { return };
        let mut shared = None;
        open.retain(|location| {
            let variable = self.variables.entry(*location).or_default();
            let own = variable.written.iter_mut().chain(&mut variable.read).filter(|done| done.by == by);
            own.fold(false, |is_open, done| {
                if done.is_open(hold) {
                    done.until.push((hold, Arc::clone(shared.get_or_insert_with(|| Arc::new(known.clone())))));
                }
                is_open || done.until.len() < done.under.len()
            })
        });
    }
}

impl<C> Variable<C> {
    /// What the thread knew that has written last: when it gave up the locks that protect the write and this read.
    fn left(&self, held: &Held) -> Vec<Arc<C>> {
        let until = self.written.iter().flat_map(|done| &done.until);
        until.filter(|(hold, _)| held.protects(Read, hold.lock)).map(|(_, known)| Arc::clone(known)).collect()
    }

    /// What those knew that have read what a thread takes away: it has read it, too, and has not given up the lock since.
    fn taken(&self, by: ThreadId, held: &Held) -> Vec<Arc<C>> {
        let Some(own) = self.read.iter().find(|done| done.by == by) else { return Vec::new() };
        let is_locked = |lock| own.is_open(Hold { lock, mode: Exclusive }) && held.protects(Write, lock);
        let until = self.read.iter().flat_map(|done| &done.until);
        until.filter(|(hold, _)| is_locked(hold.lock)).map(|(_, known)| Arc::clone(known)).collect()
    }

    fn done(&mut self, by: ThreadId, kind: AccessKind, held: &Held) {
        let under = held.holds().copied().filter(|hold| hold.protects(kind)).collect();
        let done = Done { by, under, until: Vec::new() };
        match kind {
            Write => *self = Self { written: Some(done), read: Vec::new() },
            Read => {
                self.read.retain(|other| other.by != by);
                self.read.push(done);
            }
        }
    }
}
