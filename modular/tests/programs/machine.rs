//! Runs programs of the small language and says which accesses race: two of different threads at one variable, of which one writes,
//! that are not ordered by a start or a join and hold no lock in common.
//!
//! A thread runs to its end at once, when it is started or later. As nothing but references depends on what other threads do, that
//! shows what other schedules do, too.

use std::collections::{BTreeMap, BTreeSet};

use super::language::{Call, Field, Hit, Lock, N_LOCALS, Program, Start, Statement, What};

/// How many statements run: some programs call without end otherwise.
const MAX_STEPS: usize = 400;

/// A variable's name, and the statements of two accesses.
pub type Race = (&'static str, usize, usize);

type Object = usize;
type Locals = [Option<Object>; N_LOCALS];
/// How far each thread has come that is known to have come before.
type Clock = Vec<u32>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LockId {
    Monitor(Object),
    /// The monitor of an object that is nothing but a lock.
    Plain(usize),
    Array(Object),
    ClassOf(bool),
    Static,
    Class,
    Explicit(Object),
    Halves(Object),
}

struct Data {
    is_sub: bool,
    left: Option<Object>,
    right: Option<Object>,
    fixed: Option<Object>,
    cells: [Option<Object>; 2],
    lock: usize,
    open: usize,
}

/// A place in memory: an object and what of it.
type Variable = (Object, &'static str, usize);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    statement: usize,
    is_write: bool,
    thread: usize,
    clock: Clock,
    held: BTreeSet<(LockId, bool)>,
}

struct Thread {
    id: usize,
    clock: Clock,
    /// Each lock as often as it is held, and whether only for reading.
    held: Vec<(LockId, bool)>,
}

/// A thread that has not run yet, and what it calls.
type Waiting = (Thread, usize, i32, [Option<Object>; 2]);

struct Machine<'a> {
    program: &'a Program,
    /// Whether threads run when they are joined or `main` has ended, rather than when they are started.
    runs_late: bool,
    objects: Vec<Data>,
    shared: Option<Object>,
    n_locks: usize,
    n_threads: usize,
    waiting: BTreeMap<usize, Waiting>,
    ended: BTreeMap<usize, Clock>,
    accesses: BTreeMap<Variable, BTreeSet<Access>>,
    steps: usize,
}

/// The races that a run shows, in which threads run when they are started, or late.
pub fn races(program: &Program, runs_late: bool) -> BTreeSet<Race> {
    let mut machine = Machine {
        program,
        runs_late,
        objects: Vec::new(),
        shared: None,
        n_locks: 0,
        n_threads: 1,
        waiting: BTreeMap::new(),
        ended: BTreeMap::new(),
        accesses: BTreeMap::new(),
        steps: 0,
    };
    let mut main = Thread { id: 0, clock: vec![1], held: Vec::new() };
    machine.body(&mut main, 3, &mut [None; N_LOCALS], &program.main);
    while let Some(thread) = machine.waiting.keys().next().copied() {
        machine.end(thread);
    }
    machine.races()
}

impl Access {
    fn comes_before(&self, other: &Self) -> bool {
        self.clock[self.thread] <= other.clock.get(self.thread).copied().unwrap_or_default()
    }

    fn races_with(&self, other: &Self) -> bool {
        let is_common = |(lock, shared): &(LockId, bool)| {
            other.held.contains(&(*lock, false)) || !shared && other.held.contains(&(*lock, true))
        };
        self.thread != other.thread
            && (self.is_write || other.is_write)
            && !self.comes_before(other)
            && !other.comes_before(self)
            && !self.held.iter().any(is_common)
    }
}

impl Machine<'_> {
    fn races(&self) -> BTreeSet<Race> {
        let mut found = BTreeSet::new();
        for ((_, name, _), accesses) in &self.accesses {
            for first in accesses {
                let racy = accesses.iter().filter(|second| first < *second && first.races_with(second));
                let sorted = |a: usize, b: usize| (*name, a.min(b), a.max(b));
                found.extend(racy.map(|second| sorted(first.statement, second.statement)));
            }
        }
        found
    }

    fn body(&mut self, thread: &mut Thread, n: i32, locals: &mut Locals, body: &[Statement]) {
        for statement in body {
            self.steps += 1;
            if self.steps < MAX_STEPS {
                self.statement(thread, n, locals, statement);
            }
        }
    }

    fn access(&mut self, thread: &Thread, variable: Variable, statement: usize, is_write: bool) {
        let held = thread.held.iter().copied().collect();
        let access = Access { statement, is_write, thread: thread.id, clock: thread.clock.clone(), held };
        self.accesses.entry(variable).or_default().insert(access);
    }

    fn statement(&mut self, thread: &mut Thread, n: i32, locals: &mut Locals, Statement { id, what }: &Statement) {
        match what {
            What::New { to, is_sub, fixed, lock } => self.make(locals, *to, *is_sub, *fixed, *lock),
            What::Move { to, from } => locals[*to] = locals[*from],
            What::Load { to, of, field } => {
                let Some(of) = locals[*of] else { return };
                self.touch(thread, of, *field, *id, false);
                locals[*to] = *self.field(of, *field);
            }
            What::Store { of, field, from } => {
                let Some(of) = locals[*of] else { return };
                self.touch(thread, of, *field, *id, true);
                *self.field(of, *field) = locals[*from];
            }
            What::Lend { to, of } => {
                let Some((to, of)) = locals[*to].zip(locals[*of]) else { return };
                self.access(thread, (of, "open", 0), *id, false);
                self.access(thread, (to, "open", 0), *id, true);
                self.objects[to].open = self.objects[of].open;
            }
            What::Hit { of, hit, access } => {
                let Some(of) = locals[*of] else { return };
                let variable = (of, if *hit == 0 { "hit0" } else { "hit1" }, 0);
                let kinds = [(Hit::Write, false), (Hit::Read, true)];
                for (_, is_write) in kinds.into_iter().filter(|(other, _)| other != access) {
                    self.access(thread, variable, *id, is_write);
                }
            }
            _ => self.nested(thread, n, locals, *id, what),
        }
    }

    /// Statements with others in them, and those that call methods.
    fn nested(&mut self, thread: &mut Thread, n: i32, locals: &mut Locals, id: usize, what: &What) {
        match what {
            What::Locked { lock, of, body } => {
                let Some(of) = locals[*of] else { return };
                let lock = self.lock(thread, *lock, of, id);
                thread.held.push(lock);
                self.body(thread, n, locals, body);
                thread.held.pop();
            }
            What::Gap { of, body, .. } => {
                let lock = locals[*of].map(|of| (LockId::Explicit(of), false));
                let Some(at) = thread.held.iter().rposition(|held| Some(*held) == lock) else { return };
                let lock = thread.held.remove(at);
                self.body(thread, n, locals, body);
                thread.held.insert(at, lock);
            }
            What::Loop { body } => (0..2).for_each(|_| self.body(thread, n, locals, body)),
            What::Call { way, method, arguments, to } => {
                let Some(arguments) = self.passed(n, locals, *method, *arguments) else { return };
                let result = self.call(thread, *method, n - 1, arguments);
                match way {
                    Call::Each => drop(self.call(thread, *method, n - 1, arguments)),
                    Call::Runnable => {}
                    _ => locals[*to] = result,
                }
            }
            What::Start { way, method, arguments, joined } => {
                let Some(arguments) = self.passed(n, locals, *method, *arguments) else { return };
                let started = self.start(thread, *method, n - 1, arguments);
                if *way == Start::Each {
                    self.start(thread, *method, n - 1, arguments);
                }
                if let Some(body) = joined {
                    self.body(thread, n, locals, body);
                    self.join(thread, started);
                }
            }
            _ => {}
        }
    }

    /// What a call passes, if it is made.
    fn passed(&self, n: i32, locals: &Locals, method: usize, arguments: [usize; 2]) -> Option<[Option<Object>; 2]> {
        let arguments = arguments.map(|argument| locals[argument]);
        let is_virtual = self.program.methods[method].is_virtual;
        (n > 0 && (!is_virtual || arguments[0].is_some())).then_some(arguments)
    }

    fn make(&mut self, locals: &mut Locals, to: usize, is_sub: bool, fixed: usize, lock: Option<usize>) {
        let lock = match lock {
            Some(of) => locals[of].map(|of| self.objects[of].lock),
            None => {
                self.n_locks += 1;
                Some(self.n_locks)
            }
        };
        let Some(lock) = lock else { return };
        let fixed = locals[fixed];
        self.objects.push(Data { is_sub, left: None, right: None, fixed, cells: [None; 2], lock, open: lock });
        locals[to] = Some(self.objects.len() - 1);
    }

    fn field(&mut self, of: Object, field: Field) -> &mut Option<Object> {
        match field {
            Field::Left => &mut self.objects[of].left,
            Field::Right => &mut self.objects[of].right,
            Field::Fixed => &mut self.objects[of].fixed,
            Field::Cell(n) => &mut self.objects[of].cells[n],
            Field::Static => &mut self.shared,
        }
    }

    fn touch(&mut self, thread: &Thread, of: Object, field: Field, statement: usize, is_write: bool) {
        let variable = match field {
            Field::Left => (of, "left", 0),
            Field::Right => (of, "right", 0),
            Field::Cell(n) => (of, "[]", n),
            Field::Static => (0, "shared", 0),
            Field::Fixed => return,
        };
        self.access(thread, variable, statement, is_write);
    }

    /// A lock, and whether it is for reading only.
    fn lock(&mut self, thread: &Thread, lock: Lock, of: Object, statement: usize) -> (LockId, bool) {
        let id = match lock {
            Lock::Monitor => LockId::Monitor(of),
            Lock::Final => LockId::Plain(self.objects[of].lock),
            Lock::Open => {
                self.access(thread, (of, "open", 0), statement, false);
                LockId::Plain(self.objects[of].open)
            }
            Lock::Array => LockId::Array(of),
            Lock::ClassOf => LockId::ClassOf(self.objects[of].is_sub),
            Lock::Static => LockId::Static,
            Lock::Class => LockId::Class,
            Lock::Explicit | Lock::Tried | Lock::Helper => LockId::Explicit(of),
            Lock::Reading | Lock::Writing => LockId::Halves(of),
        };
        (id, lock == Lock::Reading)
    }

    fn call(&mut self, thread: &mut Thread, method: usize, n: i32, [a, b]: [Option<Object>; 2]) -> Option<Object> {
        let method = &self.program.methods[method];
        let is_sub = method.is_virtual && a.is_some_and(|a| self.objects[a].is_sub);
        let own = (method.is_synchronized, &method.body);
        let overridden = method.overridden.as_ref().filter(|_| is_sub).map(|(is_locked, body)| (*is_locked, body));
        let (is_synchronized, body) = overridden.unwrap_or(own);
        let lock = a.filter(|_| method.is_virtual).map_or(LockId::Class, LockId::Monitor);
        let mut locals = [a, b, None, None];
        if is_synchronized {
            thread.held.push((lock, false));
        }
        self.body(thread, n, &mut locals, body);
        if is_synchronized {
            thread.held.pop();
        }
        locals[method.result]
    }

    fn start(&mut self, parent: &mut Thread, method: usize, n: i32, arguments: [Option<Object>; 2]) -> usize {
        let id = self.n_threads;
        self.n_threads += 1;
        let mut clock = parent.clock.clone();
        clock.resize(id + 1, 0);
        clock[id] = 1;
        parent.clock[parent.id] += 1;
        self.waiting.insert(id, (Thread { id, clock, held: Vec::new() }, method, n, arguments));
        if !self.runs_late {
            self.end(id);
        }
        id
    }

    /// Runs a thread to its end, if it has not run.
    fn end(&mut self, thread: usize) {
        if let Some((mut thread, method, n, arguments)) = self.waiting.remove(&thread) {
            self.call(&mut thread, method, n, arguments);
            self.ended.insert(thread.id, thread.clock);
        }
    }

    fn join(&mut self, thread: &mut Thread, other: usize) {
        self.end(other);
        let Some(ended) = self.ended.get(&other) else { return };
        thread.clock.resize(thread.clock.len().max(ended.len()), 0);
        for (own, other) in thread.clock.iter_mut().zip(ended) {
            *own = (*own).max(*other);
        }
    }
}
