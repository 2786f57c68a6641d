//! Small random programs, for tests: threads whose locks and transactions are nested as in Java.
//!
//! A thread is made from a list of bytes, one for each step, so that what fails shrinks to little.

use std::ops::RangeInclusive;

use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use indexmap::IndexSet;
use proptest::prelude::*;

/// For each thread, what it does. The first thread forks the others, so is the only one to begin by itself.
#[derive(Clone, Debug)]
pub struct Program(pub Vec<Vec<Event>>);

/// What programs are to have.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub threads: usize,
    /// Steps of a thread.
    pub steps: usize,
    pub locks: u64,
    pub variables: u32,
    /// Each thread is one transaction.
    pub one_transaction: bool,
    /// Forks and joins can be inside of transactions and locks.
    pub forks_inside: bool,
    /// Some locks are taken in read mode.
    pub read_locks: bool,
    /// How many methods a thread has that may call each other and themselves; none: each call is of another.
    pub methods: u32,
}

impl Default for Shape {
    fn default() -> Self {
        let (one_transaction, forks_inside, read_locks) = (false, false, false);
        Self { threads: 2, steps: 7, locks: 2, variables: 2, one_transaction, forks_inside, read_locks, methods: 0 }
    }
}

/// Programs of a shape.
pub fn programs(shape: Shape) -> impl Strategy<Value = Program> {
    let thread = prop::collection::vec(any::<u8>(), shape.steps / 2..=shape.steps);
    let threads = prop::collection::vec(thread, shape.threads);
    (threads, any::<u8>()).prop_map(move |(bytes, fork)| {
        let mut threads: Vec<_> = (1..).zip(&bytes).map(|(id, bytes)| thread_of(shape, id, bytes)).collect();
        fork_and_join(shape, &mut threads, fork);
        Program(threads)
    })
}

/// Every program of two threads, each one transaction of at most so many steps, with one lock and so many accesses to each
/// variable.
pub fn all_programs(steps: usize, variables: u8, accesses: RangeInclusive<usize>) -> Vec<Program> {
    let shape = Shape { one_transaction: true, locks: 1, ..Shape::default() };
    let n_accesses = |body: &[u8], to: u8| body.iter().filter(|step| **step > 5 && **step / 16 == to).count();
    let mut bodies = all_bodies(steps, variables);
    bodies.retain(|body| (0..variables).all(|to| accesses.contains(&n_accesses(body, to))));
    let [firsts, seconds] =
        [1, 2].map(|id| -> IndexSet<_> { bodies.iter().map(|body| thread_of(shape, id, body)).collect() });
    let fork = Event { thread: ThreadId(1), site: SiteId(0), action: EventKind::Fork(ThreadId(2)) };
    let program = |first: &Vec<Event>, second: &Vec<Event>| Program(vec![[&[fork], &**first].concat(), second.clone()]);
    firsts.iter().flat_map(|first| seconds.iter().map(move |second| program(first, second))).collect()
}

/// Every list of at most so many bytes that mean: acquire, release, read or write a variable.
fn all_bodies(steps: usize, variables: u8) -> Vec<Vec<u8>> {
    let accesses = (0..variables).flat_map(|variable| [7 + 16 * variable, 8 + 16 * variable]);
    let alphabet: Vec<u8> = [0, 3].into_iter().chain(accesses).collect();
    let mut bodies = vec![Vec::new()];
    for length in 0..steps {
        let shorter: Vec<Vec<u8>> = bodies.iter().filter(|body| body.len() == length).cloned().collect();
        bodies.extend(shorter.iter().flat_map(|body| alphabet.iter().map(|step| [body.as_slice(), &[*step]].concat())));
    }
    bodies
}

/// The code of the transaction that is begun at step `at` of a thread.
fn code(shape: Shape, thread: u32, at: usize) -> SiteId {
    let at = u32::try_from(at).unwrap();
    SiteId(1000 * thread + at.checked_rem(shape.methods).unwrap_or(at))
}

/// What is open, to be closed in the opposite order.
enum Scope {
    Lock(ObjectId, LockMode),
    Transaction(SiteId),
}

fn thread_of(shape: Shape, id: u32, bytes: &[u8]) -> Vec<Event> {
    let mut builder = Builder { shape, thread: ThreadId(id), events: Vec::new(), open: Vec::new() };
    if shape.one_transaction {
        builder.enter();
    }
    bytes.iter().for_each(|byte| builder.step(*byte));
    while builder.close() {}
    builder.events
}

struct Builder {
    shape: Shape,
    thread: ThreadId,
    events: Vec<Event>,
    open: Vec<Scope>,
}

impl Builder {
    fn step(&mut self, byte: u8) {
        let shape = self.shape;
        let operand = u32::from(byte / 16);
        match byte % 16 {
            0..3 => self.lock(ObjectId(1 + u64::from(operand) % shape.locks), shape.read_locks && operand > 9),
            3..5 if shape.one_transaction && self.open.len() == 1 => {}
            3..5 => drop(self.close()),
            5..7 if shape.one_transaction => drop((self.open.len() > 1).then(|| self.close())),
            5..7 => self.enter(),
            other => {
                let kind = if other % 2 == 0 { AccessKind::Read } else { AccessKind::Write };
                self.push(EventKind::Access(kind, Location::Static(FieldId(1 + operand % shape.variables))));
            }
        }
    }

    fn lock(&mut self, lock: ObjectId, read: bool) {
        if self.open.iter().any(|scope| matches!(scope, Scope::Lock(held, _) if *held == lock)) {
            return;
        }
        let mode = if read { LockMode::Shared } else { LockMode::Exclusive };
        self.push(EventKind::Acquire(lock, mode));
        self.open.push(Scope::Lock(lock, mode));
    }

    fn enter(&mut self) {
        let code = code(self.shape, self.thread.0, self.events.len());
        self.events.push(Event { thread: self.thread, site: code, action: EventKind::Enter });
        self.open.push(Scope::Transaction(code));
    }

    fn close(&mut self) -> bool {
        match self.open.pop() {
            Some(Scope::Lock(lock, mode)) => self.push(EventKind::Release(lock, mode)),
            Some(Scope::Transaction(site)) => {
                self.events.push(Event { thread: self.thread, site, action: EventKind::Exit });
            }
            None => return false,
        }
        true
    }

    fn push(&mut self, action: EventKind) {
        let site = SiteId(100 * self.thread.0 + u32::try_from(self.events.len()).unwrap());
        self.events.push(Event { thread: self.thread, site, action });
    }
}

/// The first thread forks the others somewhere and joins some of them later.
fn fork_and_join(shape: Shape, threads: &mut [Vec<Event>], choice: u8) {
    let thread = ThreadId(1);
    for child in 2..=u32::try_from(threads.len()).unwrap() {
        let seed = usize::from(choice) / child as usize;
        let places = places(shape, &threads[0]);
        let (fork, join) = (places[0], places[seed % places.len()]);
        let fork = if seed.is_multiple_of(3) { places[(seed / 3) % places.len()] } else { fork };
        let event = |action| Event { thread, site: SiteId(0), action };
        if join >= fork && seed.is_multiple_of(2) {
            threads[0].insert(join, event(EventKind::Join(ThreadId(child))));
        }
        threads[0].insert(fork, event(EventKind::Fork(ThreadId(child))));
    }
}

/// Where a fork may be inserted.
fn places(shape: Shape, events: &[Event]) -> Vec<usize> {
    let mut depth = 0;
    let mut places = vec![0];
    for (at, event) in (1..).zip(events) {
        match event.action {
            EventKind::Acquire(..) | EventKind::Enter => depth += 1,
            EventKind::Release(..) | EventKind::Exit => depth -= 1,
            _ => {}
        }
        if depth == 0 || shape.forks_inside {
            places.push(at);
        }
    }
    places
}
