//! What holds before each instruction: the locks that are held and the objects that no other thread can reach.
//!
//! A forward analysis of must-facts: where paths meet, only what holds on all of them does. Locks are final expressions
//! (`ls` in the judgements of PRFJ); fresh objects have the owner `unique`.

use crate::ir::{Block, Body, Op, Value};
use crate::program::Program;

use super::calls::CallGraph;
use super::common::common;
use super::final_expressions::Paths;
use super::handed_over::HandedOver;
use super::lock_calls::Change;
use super::locks::{self, LockEffect, Mode};
use super::origin::origin;
use super::owned::Owned;
use super::path::{Half, Path, Root};
use super::releases::Given;
use super::summary::{Parameters, Summaries};
use super::takings::Hold;
use super::unify::Term;

/// A lock that is held.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Held {
    /// The lock.
    pub path: Path,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
}

/// What holds at one place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    /// The locks, once for each time they are held; sorted.
    pub held: Vec<Held>,
    /// Objects that nothing else refers to than values of this method, or of its callers; sorted.
    fresh: Vec<Value>,
    /// Parameters whose objects have no owner that other threads can reach: nor can they reach the objects.
    unowned: Parameters,
}

/// What holds when a method is entered, in terms of its parameters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Entry {
    /// The locks that are held.
    pub held: Vec<Held>,
    /// The parameters that no other thread can reach.
    pub fresh: Parameters,
    /// Parameters whose objects have no owner that other threads can reach; no lock of theirs is listed.
    pub unowned: Parameters,
}

/// What the analysis knows of the program.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its calls.
    pub calls: &'a CallGraph,
    /// Its methods in short.
    pub summaries: &'a Summaries,
    /// Whose objects others own.
    pub owned: &'a Owned,
    /// Which objects have come to another thread by a race.
    pub handed_over: &'a HandedOver,
}

impl State {
    /// Whether no other thread can reach an object.
    #[must_use]
    pub fn is_fresh(&self, body: &Body, value: Value) -> bool {
        self.fresh.binary_search(&origin(body, value)).is_ok()
    }

    /// Whether `value` is the same fresh object as another one.
    fn make_fresh(&mut self, value: Value) {
        if let Err(place) = self.fresh.binary_search(&value) {
            self.fresh.insert(place, value);
        }
    }

    fn acquire(&mut self, held: Held) {
        let place = self.held.partition_point(|other| *other <= held);
        self.held.insert(place, held);
    }

    fn release(&mut self, path: &Path, monitor: bool) {
        if let Some(place) = self.held.iter().position(|held| held.path == *path && held.monitor == monitor) {
            self.held.remove(place);
        }
    }

    /// Keeps what holds in both states; says whether anything was lost.
    fn meet(&mut self, other: &Self) -> bool {
        let before = (self.held.len(), self.fresh.len());
        self.fresh.retain(|value| other.fresh.binary_search(value).is_ok());
        self.held = common(&self.held, &other.held);
        before != (self.held.len(), self.fresh.len())
    }
}

/// The states of one body.
pub struct States<'a> {
    context: Context<'a>,
    body: &'a Body,
    paths: &'a Paths,
    at_start: Vec<Option<State>>,
}

impl<'a> States<'a> {
    /// Finds the states of a body that is entered like this.
    #[must_use]
    pub fn of(context: Context<'a>, body: &'a Body, paths: &'a Paths, entry: &Entry) -> Self {
        let mut states = Self { context, body, paths, at_start: vec![None; body.blocks.len()] };
        states.at_start[0] = Some(states.entered(entry));
        let mut open: std::collections::BTreeSet<Block> = std::iter::once(Block(0)).collect();
        while let Some(block) = open.pop_first() {
            let state = states.at_start[block.index()].clone().unwrap_or_default();
            for (to, state) in states.leaving(block, state) {
                if states.flow(to, state) {
                    open.insert(to);
                }
            }
        }
        states
    }

    /// Calls `visit` with every instruction that can be reached and the state before it.
    pub fn for_each(&self, mut visit: impl FnMut(Value, &State)) {
        for block in self.body.blocks() {
            let Some(mut state) = self.at_start[block.index()].clone() else { continue };
            for value in self.body.values(block) {
                visit(value, &state);
                self.step(value, &mut state);
            }
        }
    }

    fn entered(&self, entry: &Entry) -> State {
        let method = self.context.program.method(self.body.method);
        let mut state = State { held: entry.held.clone(), fresh: Vec::new(), unowned: entry.unowned };
        for value in self.body.values(Block(0)) {
            match self.body.op(value) {
                Op::Parameter(n) if entry.fresh.contains(usize::from(*n)) => state.make_fresh(value),
                _ => {}
            }
        }
        if method.is_synchronized() {
            let class = crate::program::Type::class(self.context.program.class(method.class).name);
            let root = if method.is_static() { Root::Class(class) } else { Root::Parameter(0) };
            state.acquire(Held { path: Path::of(root), monitor: true, shared: false });
        }
        state.held.sort_unstable();
        state
    }

    /// Says whether the state of a block changed.
    fn flow(&mut self, to: Block, state: State) -> bool {
        match &mut self.at_start[to.index()] {
            Some(known) => known.meet(&state),
            unknown => {
                *unknown = Some(state);
                true
            }
        }
    }

    fn leaving(&self, block: Block, mut state: State) -> Vec<(Block, State)> {
        let mut leaving = Vec::new();
        let mut thrown = state.clone();
        for value in self.body.values(block) {
            self.step(value, &mut state);
            // javac protects the exit of a monitor by the handler that exits it; but an exit that is structured cannot fail.
            if !matches!(self.body.op(value), Op::Exit(_) | Op::Jump(_)) {
                thrown.meet(&state);
            }
        }
        for (_, handler) in &self.body.block(block).handlers {
            leaving.push((*handler, self.merged_into(block, *handler, thrown.clone())));
        }
        for to in self.body.successors(block) {
            let mut state = state.clone();
            self.try_lock(block, to, &mut state);
            leaving.push((to, self.merged_into(block, to, state)));
        }
        leaving
    }

    /// What a phi merges has another name from there on, and is reached by it in the next round of a loop.
    fn merged_into(&self, block: Block, to: Block, mut state: State) -> State {
        let place = self.body.block(to).predecessors.iter().position(|before| *before == block);
        for value in self.body.values(to) {
            if let (Op::Phi(merged), Some(place)) = (self.body.op(value), place) {
                let merged = origin(self.body, merged[place]);
                state.fresh.retain(|fresh| *fresh != merged);
            }
        }
        state
    }

    /// A `tryLock` whose result decides the branch holds the lock on one side.
    fn try_lock(&self, block: Block, to: Block, state: &mut State) {
        let Context { program, calls, summaries, .. } = self.context;
        let may_release = |value| summaries.may_release(program, calls, self.body, value);
        let Some(tried) = locks::tried(self.body, block, to, may_release) else { return };
        match self.effect(tried) {
            Some((LockEffect::AcquiresIf(mode), lock)) => state.acquire(self.held(lock, mode)),
            Some(_) => {}
            None => {
                let change = summaries.locks().change(program, calls, self.paths, self.body, tried);
                change.taking.only_if_true().for_each(|hold| state.acquire(self.as_held(hold)));
            }
        }
    }

    fn effect(&self, value: Value) -> Option<(LockEffect, Value)> {
        let Op::Invoke(_, member, arguments) = self.body.op(value) else { return None };
        let effect = locks::effect(self.context.program, self.context.calls.named(*member)?)?;
        let lock = *arguments.first()?;
        (effect == LockEffect::Releases || self.is_genuine(value, lock)).then_some((effect, lock))
    }

    fn is_genuine(&self, call: Value, lock: Value) -> bool {
        let Context { program, calls, summaries, .. } = self.context;
        let locks = summaries.locks();
        locks.takes_genuine(program, calls, self.body, call) || locks.is_exclusive(self.paths.get(lock))
    }

    /// How a lock is held when it has been taken in a mode.
    #[must_use]
    pub fn held(&self, lock: Value, mode: Mode) -> Held {
        self.as_held(&Hold { path: self.paths.get(lock).clone(), monitor: false, mode })
    }

    fn as_held(&self, hold: &Hold) -> Held {
        let is_exclusive = || self.context.summaries.locks().is_exclusive(&hold.path);
        Held { path: hold.whole(), monitor: hold.monitor, shared: hold.is_shared(true) && !is_exclusive() }
    }

    /// What an instruction changes.
    fn step(&self, value: Value, state: &mut State) {
        // In the next round of a loop the same instruction computes another value.
        state.held.retain(|held| held.path.root != Root::Value(value));
        let Context { program, calls, summaries, .. } = self.context;
        if summaries.locks().may_initialize(program, calls, self.body, value) {
            state.held.retain(|held| held.monitor);
        }
        self.context.summaries.for_each_escape(
            self.context.program,
            self.context.calls,
            self.body,
            value,
            &mut |escaped| {
                let escaped = origin(self.body, escaped);
                // A phi's operands are taken care of where they come from.
                if !matches!(self.body.op(value), Op::Phi(_)) {
                    state.fresh.retain(|fresh| *fresh != escaped);
                }
            },
        );
        match self.body.op(value) {
            Op::New | Op::NewArray(_) | Op::NewArrays(_) => state.make_fresh(value),
            Op::Enter(lock) => {
                state.acquire(Held { path: self.paths.get(*lock).clone(), monitor: true, shared: false });
            }
            Op::Exit(lock) => state.release(self.paths.get(*lock), true),
            Op::Invoke(..) | Op::InvokeDynamic(..) => self.call(value, state),
            _ => {}
        }
    }

    fn call(&self, value: Value, state: &mut State) {
        let Context { program, calls, summaries, .. } = self.context;
        match self.effect(value) {
            Some((LockEffect::Acquires(mode), lock)) => state.acquire(self.held(lock, mode)),
            Some((LockEffect::Releases, lock)) => unlock(self.paths.get(lock), state),
            _ => {
                let Change { given, taking } = summaries.locks().change(program, calls, self.paths, self.body, value);
                match given {
                    Some(Given::Locks(locks)) => {
                        let all = locks.iter().flat_map(|(lock, times)| (0..*times).map(move |_| lock));
                        all.for_each(|lock| unlock(lock, state));
                    }
                    Some(Given::Any) => state.held.retain(|held| held.monitor),
                    None => taking.always.iter().for_each(|hold| state.acquire(self.as_held(hold))),
                }
            }
        }
    }

    /// What holds when a call enters a method, in the method's terms.
    #[must_use]
    pub fn at_call(&self, call: Value, state: &State) -> Entry {
        let Op::Invoke(_, member, arguments) = self.body.op(call) else { return Entry::default() };
        // What gives back a lock may do so at once.
        let gives_back =
            self.context.calls.named(*member).is_some_and(|named| locks::may_release(self.context.program, named));
        let held = || state.held.iter().filter(|held| held.monitor || !gives_back);
        let mut entry = Entry::default();
        for held in held() {
            let renamed = self.paths.in_callee(&held.path, arguments);
            entry.held.extend(renamed.map(|path| Held { path, ..held.clone() }));
        }
        entry.held.sort_unstable();
        let origins: Vec<Value> = arguments.iter().map(|argument| origin(self.body, *argument)).collect();
        for (n, argument) in origins.iter().enumerate() {
            let alone = origins.iter().filter(|other| *other == argument).count() == 1;
            if alone && state.is_fresh(self.body, *argument) {
                entry.fresh.insert(n);
            }
        }
        for (n, argument) in arguments.iter().enumerate().take(MAX_OWNED) {
            match ownership(self.context, self.body, self.paths, *argument, state) {
                Ownership::Unowned => entry.unowned.insert(n),
                Ownership::New(owner) if !self.lets_owner_escape(call, arguments, &owner) => entry.unowned.insert(n),
                Ownership::New(owner) | Ownership::Owned(owner) => {
                    let root = Path::of(Root::Owner(n as u16));
                    let held = held().filter_map(|held| held.seen_from(&owner, &root));
                    entry.held.extend(held);
                }
                Ownership::Unknown => {}
            }
        }
        entry.held.sort_unstable();
        entry
    }

    /// Whether a call may make a new object known, which is the owner of others.
    fn lets_owner_escape(&self, call: Value, arguments: &[Value], owner: &Path) -> bool {
        let Context { program, calls, summaries, .. } = self.context;
        let is_owner = |argument: Value| self.paths.get(origin(self.body, argument)) == owner;
        let mut passed = arguments.iter().enumerate().filter(|(_, argument)| is_owner(**argument));
        passed.any(|(n, _)| summaries.lets_escape(program, calls, self.body, call, n))
    }
}

/// A lock whose name is not final may be any.
fn unlock(lock: &Path, state: &mut State) {
    let path = Path { half: Half::Whole, ..lock.clone() };
    if state.held.iter().any(|held| !held.monitor && held.path == path) {
        state.release(&path, false);
    } else {
        state.held.retain(|held| held.monitor);
    }
}

/// Owners of arguments after this one are not followed.
const MAX_OWNED: usize = 63;

/// What is known of the owner of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ownership {
    /// Nothing.
    Unknown,
    /// There is none that another thread can reach.
    Unowned,
    /// The owner has this name, and no other thread can reach it yet.
    New(Path),
    /// The owner has this name.
    Owned(Path),
}

/// What is known of the owner of a value's object.
pub fn ownership(context: Context<'_>, body: &Body, paths: &Paths, value: Value, state: &State) -> Ownership {
    match context.owned.owner(body.method, value) {
        None => Ownership::Unknown,
        Some(Term::Nobody) => Ownership::Unowned,
        Some(Term::Parameter(n)) if state.unowned.contains(usize::from(*n)) => Ownership::Unowned,
        Some(Term::Parameter(n)) => Ownership::Owned(Path::of(Root::Owner(*n))),
        Some(Term::Path(owner)) if state.fresh.iter().any(|fresh| paths.get(*fresh) == owner) => {
            Ownership::New(owner.clone())
        }
        Some(Term::Path(owner)) => Ownership::Owned(owner.clone()),
    }
}

impl Held {
    /// The same lock where `base` is called `name`.
    fn seen_from(&self, base: &Path, name: &Path) -> Option<Self> {
        let path = name.then(self.path.from(base)?, self.path.half)?;
        Some(Self { path, ..self.clone() })
    }
}
