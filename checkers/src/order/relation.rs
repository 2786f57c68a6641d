//! What comes before what: happens-before, hand-over order, and what is found under locks in between, followed with vector clocks.
//!
//! A thread has one time and three clocks, one a relation. The time grows after each step that others may learn of, so a step is
//! known to whoever knows its thread's time then or a later one.
//!
//! | from | to | hand-over |
//! |---|---|---|
//! | each step of a thread | its next one | yes |
//! | the start of a thread | its steps | yes |
//! | the steps of a thread, and its start | having seen its end | yes |
//! | a volatile write | later reads of the same variable | yes |
//! | what is published through an object, `notify` | what is observed of it, the end of `wait` | yes |
//! | the release of a lock, the beginning of `wait` | later acquisitions, the end of `wait` | no |
//! | the release of a lock under which a variable was written last | a read of it under that lock, if it hands over | found |
//! | the release of a lock under which a variable was read | the write that takes away what was read, if it hands over | found |
//!
//! Variables that hand over are references and flags ([`facts::site::Hands`]). Who finds there what another
//! thread has left comes after what that one did under the lock, whatever the schedule; and who reads a reference (and not a flag) and puts another in its place, all under
//! one lock, comes after those who have found it there. But who reads such a variable need not do what it does because of what it finds there, and in another
//! schedule may do the same without: so these edges are no hand-over.
//!
//! Read locks keep no other read lock away, so there is no edge between them. A release counts if the thread does not hold the lock
//! in that mode any more.
//!
//! Besides, what a class initializer does comes before whatever anybody does once it has ended, in both relations. The specification
//! promises that to those only who use the class, which no event tells: **a miss** of accesses that do not come by the class.

use facts::access::AccessKind::{self, Read, Write};
use facts::access::LockMode;
use facts::event::{Event, EventKind, Location};
use facts::index::{ObjectId, SiteId, ThreadId};
use facts::site::Hands;
use rustc_hash::FxHashMap;

use super::clock::{Column, Columns, Time, VectorClock};
use super::handing::Handing;
use crate::held::{Held, Hold};

/// A relation between steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// All edges.
    HappensBefore,
    /// Those of hand-over, and what is found under locks.
    Found,
    /// Those that another schedule of the same threads has, too.
    HandOver,
}

/// When a thread did something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Moment {
    column: Column,
    time: Time,
    /// The innermost class initializer that ran.
    initializer: Option<Initializer>,
}

/// An execution of a class initializer, by number.
type Initializer = usize;

/// What every thread knows at this point of the stream.
#[derive(Debug, Default)]
pub struct Order {
    threads: FxHashMap<ThreadId, Thread>,
    /// What those knew that have ended.
    ended: FxHashMap<ThreadId, Clocks>,
    columns: Columns,
    locks: FxHashMap<ObjectId, Lock>,
    volatiles: FxHashMap<Location, Clocks>,
    published: FxHashMap<ObjectId, Clocks>,
    /// Whether each initializer has ended.
    initializers: Vec<bool>,
    handing: Handing<VectorClock>,
}

/// What is known in each relation; never more in a later one, if locks keep threads apart.
#[derive(Clone, Debug, Default)]
struct Clocks {
    happens_before: VectorClock,
    found: VectorClock,
    hand_over: VectorClock,
}

impl Clocks {
    fn of(&self, relation: Relation) -> &VectorClock {
        match relation {
            Relation::HappensBefore => &self.happens_before,
            Relation::Found => &self.found,
            Relation::HandOver => &self.hand_over,
        }
    }

    fn join(&mut self, other: &Self) {
        self.happens_before.join(&other.happens_before);
        self.found.join(&other.found);
        self.hand_over.join(&other.hand_over);
    }

    fn know(&mut self, column: Column, time: Time) {
        self.happens_before.know(column, time);
        self.found.know(column, time);
        self.hand_over.know(column, time);
    }
}

/// What those knew who released a lock, by mode.
#[derive(Debug, Default)]
struct Lock {
    exclusive: VectorClock,
    shared: VectorClock,
}

#[derive(Debug)]
struct Thread {
    column: Column,
    time: Time,
    clocks: Clocks,
    held: Held,
    /// The class initializers that run, outermost first.
    initializers: Vec<(ObjectId, Initializer)>,
}

impl Thread {
    fn new(columns: &mut Columns, mut clocks: Clocks) -> Self {
        let (column, time) = columns.take(&clocks.hand_over);
        clocks.know(column, time);
        Self { column, time, clocks, held: Held::default(), initializers: Vec::new() }
    }

    /// Others may have learnt of what was done so far: what comes now is not among it.
    fn tick(&mut self) {
        self.time += 1;
        self.clocks.know(self.column, self.time);
    }
}

/// What a thread knows.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    clocks: Option<&'a Clocks>,
    /// Of each initializer.
    has_ended: &'a [bool],
}

impl View<'_> {
    /// Whether an earlier step comes before what the thread does now.
    #[must_use]
    pub fn is_after(self, relation: Relation, step: Moment) -> bool {
        let is_known = |clocks: &Clocks| clocks.of(relation).at(step.column) >= step.time;
        self.clocks.is_some_and(is_known) || self.has_ended(step)
    }

    /// Whether one step comes before all that another one comes before, if it comes before that one itself. Only the end of a class
    /// initializer that the other one was in could put things after the other and not after the first.
    #[must_use]
    pub fn is_inherited(self, step: Moment, later: Moment) -> bool {
        later.initializer.is_none() || later.initializer == step.initializer || self.has_ended(step)
    }

    fn has_ended(self, step: Moment) -> bool {
        step.initializer.is_some_and(|initializer| self.has_ended[initializer])
    }
}

impl Order {
    /// Takes the next event.
    pub fn event(&mut self, event: &Event) {
        let id = event.thread;
        match event.action {
            EventKind::Fork(child) => self.fork(id, child),
            EventKind::Join(child) => self.join(id, child),
            EventKind::End => self.end(id),
            EventKind::Acquire(lock, mode) => self.enter(id, lock, mode),
            EventKind::Release(lock, mode) => self.leave(id, lock, mode),
            EventKind::WaitBegin(lock) => self.release(id, lock, LockMode::Exclusive),
            EventKind::WaitEnd(lock) => {
                self.acquire(id, lock, LockMode::Exclusive);
                self.observe(id, lock);
            }
            EventKind::Notify(object, _) | EventKind::Publish(object) => self.publish(id, object),
            EventKind::Observe(object) => self.observe(id, object),
            EventKind::Volatile(Write, location) => self.write(id, location),
            EventKind::Volatile(Read, location) => self.read(id, location),
            EventKind::ClassInitBegin(class) => self.begin_initializer(id, class),
            EventKind::ClassInitEnd(class) => self.end_initializer(id, class),
            EventKind::Access(kind, location) if self.handing.is_at(event.site) => {
                self.hand_over(event, kind, location);
            }
            EventKind::Begin | EventKind::Access(..) | EventKind::Enter | EventKind::Exit => {}
        }
    }

    /// Accesses at a site are to variables by which threads hand over under locks.
    pub fn hands_over_at(&mut self, site: SiteId, hands: Hands) {
        self.handing.define(site, hands);
    }

    /// Now, for a thread.
    pub fn now(&mut self, thread: ThreadId) -> Moment {
        let thread = self.thread(thread);
        let initializer = thread.initializers.last().map(|(_, initializer)| *initializer);
        Moment { column: thread.column, time: thread.time, initializer }
    }

    /// The locks that a thread holds.
    pub fn held(&mut self, thread: ThreadId) -> &mut Held {
        &mut self.thread(thread).held
    }

    /// What comes before what a thread does now. Nothing if nothing was heard of it.
    #[must_use]
    pub fn view(&self, thread: ThreadId) -> View<'_> {
        View { clocks: self.threads.get(&thread).map(|thread| &thread.clocks), has_ended: &self.initializers }
    }

    /// How many columns the clocks have.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.n()
    }

    fn thread(&mut self, id: ThreadId) -> &mut Thread {
        thread(&mut self.threads, &mut self.columns, id)
    }

    fn fork(&mut self, id: ThreadId, child: ThreadId) {
        let parent = self.thread(id);
        let clocks = parent.clocks.clone();
        parent.tick();
        let columns = &mut self.columns;
        let child = self.threads.entry(child).or_insert_with(|| Thread::new(columns, clocks.clone()));
        child.clocks.join(&clocks);
    }

    fn join(&mut self, id: ThreadId, child: ThreadId) {
        let clocks = match self.threads.get_mut(&child) {
            Some(running) => {
                let clocks = running.clocks.clone();
                running.tick();
                clocks
            }
            None => self.ended.get(&child).cloned().unwrap_or_default(),
        };
        self.thread(id).clocks.join(&clocks);
    }

    fn end(&mut self, id: ThreadId) {
        self.thread(id);
        if let Some(thread) = self.threads.remove(&id) {
            self.columns.free(thread.column, thread.time);
            self.ended.insert(id, thread.clocks);
        }
    }

    fn enter(&mut self, id: ThreadId, lock: ObjectId, mode: LockMode) {
        self.thread(id).held.acquire(lock, mode);
        self.acquire(id, lock, mode);
    }

    fn leave(&mut self, id: ThreadId, lock: ObjectId, mode: LockMode) {
        let held = &mut self.thread(id).held;
        held.release(lock, mode);
        if !held.contains(Hold { lock, mode }) {
            self.release(id, lock, mode);
        }
    }

    fn acquire(&mut self, id: ThreadId, lock: ObjectId, mode: LockMode) {
        let Some(lock) = self.locks.get(&lock) else { return };
        let seen = &mut thread(&mut self.threads, &mut self.columns, id).clocks.happens_before;
        seen.join(&lock.exclusive);
        if mode == LockMode::Exclusive {
            seen.join(&lock.shared);
        }
    }

    fn release(&mut self, id: ThreadId, lock: ObjectId, mode: LockMode) {
        let thread = thread(&mut self.threads, &mut self.columns, id);
        self.handing.release(id, Hold { lock, mode }, &thread.clocks.found);
        let lock = self.locks.entry(lock).or_default();
        match mode {
            LockMode::Exclusive => lock.exclusive.join(&thread.clocks.happens_before),
            LockMode::Shared => lock.shared.join(&thread.clocks.happens_before),
        }
        thread.tick();
    }

    fn write(&mut self, id: ThreadId, variable: Location) {
        let thread = thread(&mut self.threads, &mut self.columns, id);
        self.volatiles.entry(variable).or_default().join(&thread.clocks);
        thread.tick();
    }

    fn read(&mut self, id: ThreadId, variable: Location) {
        let thread = thread(&mut self.threads, &mut self.columns, id);
        self.volatiles.get(&variable).into_iter().for_each(|clocks| thread.clocks.join(clocks));
    }

    fn publish(&mut self, id: ThreadId, object: ObjectId) {
        let thread = thread(&mut self.threads, &mut self.columns, id);
        self.published.entry(object).or_default().join(&thread.clocks);
        thread.tick();
    }

    fn observe(&mut self, id: ThreadId, object: ObjectId) {
        let thread = thread(&mut self.threads, &mut self.columns, id);
        self.published.get(&object).into_iter().for_each(|clocks| thread.clocks.join(clocks));
    }

    fn hand_over(&mut self, event: &Event, kind: AccessKind, variable: Location) {
        let thread = thread(&mut self.threads, &mut self.columns, event.thread);
        let known = self.handing.access(event, kind, variable, &thread.held);
        known.iter().for_each(|found| thread.clocks.found.join(found));
    }

    fn begin_initializer(&mut self, id: ThreadId, class: ObjectId) {
        let initializer = self.initializers.len();
        self.initializers.push(false);
        self.thread(id).initializers.push((class, initializer));
    }

    /// Those inside of it have ended, too, if the stream does not tell of their ends.
    fn end_initializer(&mut self, id: ThreadId, class: ObjectId) {
        let running = &mut thread(&mut self.threads, &mut self.columns, id).initializers;
        if let Some(at) = running.iter().rposition(|(other, _)| *other == class) {
            running.drain(at..).for_each(|(_, initializer)| self.initializers[initializer] = true);
        }
    }
}

/// A thread, of whose start nothing is known if this is the first that is heard of it.
fn thread<'a>(threads: &'a mut FxHashMap<ThreadId, Thread>, columns: &mut Columns, id: ThreadId) -> &'a mut Thread {
    threads.entry(id).or_insert_with(|| Thread::new(columns, Clocks::default()))
}
