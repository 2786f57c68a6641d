//! Random streams of events that a program can have, with every kind of edge.
//!
//! What a thread means to do is done if the others let it: locks keep others out, who waits does nothing, a thread starts and ends
//! once and is joined when it has ended.

use std::collections::BTreeMap;

use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::Hands;
use proptest::prelude::*;

/// The first two run from the beginning.
const N_THREADS: u32 = 7;

/// Streams of events; the site is the number of the event, from 1.
pub fn events() -> impl Strategy<Value = Vec<Event>> {
    let thread = prop_oneof![2 => 1..3_u32, 3 => 1..=N_THREADS];
    let turn = (thread, prop::collection::vec(intent(), 1..5));
    prop::collection::vec(turn, 0..60).prop_map(|turns| {
        let mut world = World::default();
        for (thread, intents) in turns {
            intents.into_iter().for_each(|intent| world.step(ThreadId(thread), intent));
        }
        world.events
    })
}

/// The sites of accesses to variables that hand over: one of the fields is a flag, and the static field a reference.
pub fn handing(events: &[Event]) -> Vec<(SiteId, Hands)> {
    let hands = |event: &Event| match event.action {
        EventKind::Access(_, Location::Field(_, FieldId(1))) => Some((event.site, Hands::Flag)),
        EventKind::Access(_, Location::Static(FieldId(3))) => Some((event.site, Hands::Reference)),
        _ => None,
    };
    events.iter().filter_map(hands).collect()
}

#[derive(Clone, Copy, Debug)]
enum Intent {
    /// An action that is possible at any time.
    Do(EventKind),
    Enter(ObjectId, LockMode),
    /// Gives up one of the locks that are held, not always the innermost.
    Leave(usize),
    /// An access under a lock.
    Guarded(ObjectId, LockMode, AccessKind, Location),
    /// Waits on a lock that is held, or goes on.
    Wait(usize),
    Start(ThreadId),
    /// Sees the end of one of the threads that have ended.
    Join(usize),
    End,
    Initialize(ObjectId),
    Initialized,
}

fn intent() -> impl Strategy<Value = Intent> {
    let thread = || (1..=N_THREADS).prop_map(ThreadId);
    let guarded = (lock(), mode(), kind(), location());
    prop_oneof![
        12 => (kind(), location()).prop_map(|(kind, location)| Intent::Do(EventKind::Access(kind, location))),
        5 => guarded.prop_map(|(lock, mode, kind, location)| Intent::Guarded(lock, mode, kind, location)),
        6 => (mode(), kind()).prop_map(|(mode, kind)| Intent::Guarded(ObjectId(1), mode, kind, HANDED)),
        2 => (kind(), location()).prop_map(|(kind, location)| Intent::Do(EventKind::Volatile(kind, location))),
        2 => lock().prop_map(|object| Intent::Do(EventKind::Publish(object))),
        2 => lock().prop_map(|object| Intent::Do(EventKind::Observe(object))),
        1 => lock().prop_map(|lock| Intent::Do(EventKind::Notify(lock, true))),
        4 => (lock(), mode()).prop_map(|(lock, mode)| Intent::Enter(lock, mode)),
        4 => (0..3_usize).prop_map(Intent::Leave),
        3 => (0..2_usize).prop_map(Intent::Wait),
        3 => thread().prop_map(Intent::Start),
        3 => (0..3_usize).prop_map(Intent::Join),
        2 => Just(Intent::End),
        1 => (21..23_u64).prop_map(|class| Intent::Initialize(ObjectId(class))),
        2 => Just(Intent::Initialized),
    ]
}

/// What is most often handed over by, under the first lock.
const HANDED: Location = Location::Static(FieldId(3));

fn lock() -> impl Strategy<Value = ObjectId> {
    (1..4_u64).prop_map(ObjectId)
}

fn mode() -> impl Strategy<Value = LockMode> {
    prop_oneof![2 => Just(LockMode::Exclusive), 1 => Just(LockMode::Shared)]
}

fn kind() -> impl Strategy<Value = AccessKind> {
    prop_oneof![1 => Just(AccessKind::Read), 1 => Just(AccessKind::Write)]
}

fn location() -> impl Strategy<Value = Location> {
    prop_oneof![
        2 => (1..3_u32).prop_map(|field| Location::Field(ObjectId(11), FieldId(field))),
        1 => Just(HANDED),
    ]
}

/// What there is at a time.
#[derive(Default)]
struct World {
    threads: BTreeMap<ThreadId, Thread>,
    events: Vec<Event>,
}

#[derive(Default)]
struct Thread {
    has_ended: bool,
    held: Vec<(ObjectId, LockMode)>,
    waits: Option<ObjectId>,
    initializers: Vec<ObjectId>,
}

impl Thread {
    /// Whether it keeps others from taking a lock in a mode.
    fn keeps_out(&self, lock: ObjectId, mode: LockMode) -> bool {
        let excludes =
            |(other, how): &(_, _)| *other == lock && (mode == LockMode::Exclusive || *how == LockMode::Exclusive);
        self.waits != Some(lock) && self.held.iter().any(excludes)
    }
}

impl World {
    fn step(&mut self, id: ThreadId, intent: Intent) {
        if id.0 <= 2 {
            self.threads.entry(id).or_default();
        }
        let Some(thread) = self.threads.get(&id).filter(|thread| !thread.has_ended) else { return };
        if let Some(lock) = thread.waits {
            let goes_on = matches!(intent, Intent::Wait(_) | Intent::Leave(_) | Intent::Join(_));
            if goes_on && self.is_free(id, lock, LockMode::Exclusive) {
                self.threads.entry(id).or_default().waits = None;
                self.add(id, EventKind::WaitEnd(lock));
            }
            return;
        }
        self.act(id, intent);
    }

    fn act(&mut self, id: ThreadId, intent: Intent) {
        match intent {
            Intent::Do(action) => self.add(id, action),
            Intent::Enter(lock, mode) => _ = self.enter(id, lock, mode),
            Intent::Leave(which) => self.leave(id, which),
            Intent::Guarded(lock, mode, kind, location) => {
                if self.enter(id, lock, mode) {
                    self.add(id, EventKind::Access(kind, location));
                    self.leave(id, 0);
                }
            }
            Intent::Wait(which) => self.wait(id, which),
            Intent::Start(child) if child.0 > 2 && !self.threads.contains_key(&child) => {
                self.threads.insert(child, Thread::default());
                self.add(id, EventKind::Fork(child));
            }
            Intent::Start(_) => {}
            Intent::Join(which) => {
                let ended =
                    self.threads.iter().filter(|(_, thread)| thread.has_ended).nth(which).map(|(child, _)| *child);
                ended.into_iter().for_each(|child| self.add(id, EventKind::Join(child)));
            }
            Intent::End => self.end(id),
            Intent::Initialize(class) => self.initialize(id, class),
            Intent::Initialized => self.initialized(id),
        }
    }

    fn add(&mut self, thread: ThreadId, action: EventKind) {
        let site = SiteId(u32::try_from(self.events.len()).unwrap() + 1);
        self.events.push(Event { thread, site, action });
    }

    fn is_free(&self, id: ThreadId, lock: ObjectId, mode: LockMode) -> bool {
        !self.threads.iter().any(|(other, thread)| *other != id && thread.keeps_out(lock, mode))
    }

    fn enter(&mut self, id: ThreadId, lock: ObjectId, mode: LockMode) -> bool {
        let is_free = self.is_free(id, lock, mode);
        if is_free {
            self.threads.entry(id).or_default().held.push((lock, mode));
            self.add(id, EventKind::Acquire(lock, mode));
        }
        is_free
    }

    /// Gives up a lock, counted from the innermost.
    fn leave(&mut self, id: ThreadId, which: usize) {
        let held = &mut self.threads.entry(id).or_default().held;
        if let Some(at) = held.len().checked_sub(which + 1) {
            let (lock, mode) = held.remove(at);
            self.add(id, EventKind::Release(lock, mode));
        }
    }

    fn wait(&mut self, id: ThreadId, which: usize) {
        let thread = self.threads.entry(id).or_default();
        let monitor = thread.held.iter().filter(|(_, mode)| *mode == LockMode::Exclusive).nth(which);
        if let Some((lock, _)) = monitor.copied() {
            thread.waits = Some(lock);
            self.add(id, EventKind::WaitBegin(lock));
        }
    }

    fn initialize(&mut self, id: ThreadId, class: ObjectId) {
        if !self.threads.values().any(|thread| thread.initializers.contains(&class)) {
            self.threads.entry(id).or_default().initializers.push(class);
            self.add(id, EventKind::ClassInitBegin(class));
        }
    }

    fn initialized(&mut self, id: ThreadId) {
        let class = self.threads.entry(id).or_default().initializers.pop();
        class.into_iter().for_each(|class| self.add(id, EventKind::ClassInitEnd(class)));
    }

    /// A thread ends without locks or initializers.
    fn end(&mut self, id: ThreadId) {
        while !self.threads.entry(id).or_default().held.is_empty() {
            self.leave(id, 0);
        }
        while !self.threads.entry(id).or_default().initializers.is_empty() {
            self.initialized(id);
        }
        self.threads.entry(id).or_default().has_ended = true;
        self.add(id, EventKind::End);
    }
}
