//! Which locks a method holds at each of its instructions, of those that it takes itself or by helpers.
//!
//! A forward analysis of must-facts on one body, for the search and for what a method takes for its callers. A lock is listed once for
//! each time that it is held; of an object with several names, the list has no more than it is held. Where one is given back by a name
//! that is not in the list, it may be any of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, Body, Op, Value};
use crate::program::{Constant, MethodId, Program};

use super::calls::CallGraph;
use super::common::common;
use super::final_expressions::Paths;
use super::lock_calls::LockCalls;
use super::locks::{self, LockEffect, Mode};
use super::once::wins;
use super::path::{Path, Root};
use super::releases::Given;
use super::takings::{Hold, Taking};

/// The locks held before each instruction.
pub struct Holding<'a> {
    code: Code<'a>,
    body: &'a Body,
    paths: &'a Paths,
    at_start: Vec<Option<Vec<Hold>>>,
}

/// What is known of the program.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// The program.
    pub program: &'a Program,
    /// The calls of its application.
    pub calls: &'a CallGraph,
    /// What they do to locks.
    pub locks: &'a LockCalls,
    /// Who asks.
    pub by: By,
}

/// Who asks which locks are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Types, which know by classes which locks are genuine, and hold no stamped ones.
    Types,
    /// The search, which looks at objects: at those that are locked, and at those that calls may release unseen here. To it, a flag that
    /// only one code can set is a lock that is never given back.
    Search,
    /// Summaries, which are made before the objects are known: as the search, but by classes it is known which locks are genuine.
    Summaries,
}

impl Code<'_> {
    /// Whether a body may hold explicit locks that it takes.
    #[must_use]
    pub fn takes_locks(self, body: &Body) -> bool {
        let takes = |named| {
            matches!(locks::effect(self.program, named), Some(LockEffect::Acquires(_) | LockEffect::AcquiresIf(_)))
        };
        body.all_values().any(|value| match body.op(value) {
            Op::Invoke(_, member, _) => {
                self.calls.named(*member).is_some_and(takes) || self.locks.takings.may_take(self.calls, body, value)
            }
            _ => false,
        })
    }

    /// Whether a body does anything to locks.
    #[must_use]
    pub fn changes_locks(self, body: &Body) -> bool {
        let Code { program, calls, locks, .. } = self;
        body.all_values().any(|value| match body.op(value) {
            Op::Enter(_) => true,
            Op::Invoke(_, member, _) => {
                let named = calls.named(*member);
                let is_lock = |named| {
                    locks::effect(program, named).is_some()
                        || locks::stamped(program, named).is_some()
                        || locks::may_release(program, named)
                };
                named.is_some_and(is_lock)
                    || locks.is_helper(calls, body, value)
                    || wins(program, calls, body, value).is_some()
            }
            _ => false,
        })
    }
}

impl<'a> Holding<'a> {
    /// Finds them.
    pub fn of(code: Code<'a>, body: &'a Body, paths: &'a Paths) -> Self {
        let mut holding = Self { code, body, paths, at_start: vec![None; body.blocks.len()] };
        holding.at_start[0] = Some(Vec::new());
        let mut open = BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            for (to, held) in holding.leaving(block) {
                if flow(&mut holding.at_start[to.index()], held) {
                    open.insert(to);
                }
            }
        }
        holding
    }

    /// Calls `visit` with every instruction and the locks held before it; those of unreachable code are none.
    pub fn for_each(&self, mut visit: impl FnMut(Value, &[Hold])) {
        for block in self.body.blocks() {
            let mut held = self.at_start[block.index()].clone().unwrap_or_default();
            for value in self.body.values(block) {
                visit(value, &held);
                self.step(value, &mut held);
            }
        }
    }

    /// Whether all that a call may give back are locks in the list.
    #[must_use]
    pub fn gives_back_own(&self, value: Value, held: &[Hold]) -> bool {
        let Code { program, calls, locks, .. } = self.code;
        let targets = calls.targets(self.body.method, value);
        if let Some((LockEffect::Releases, lock)) = self.effect(value) {
            let releases = |method: &MethodId| locks::effect(program, *method) == Some(LockEffect::Releases);
            return targets.methods.iter().all(releases) && place(held, self.paths.get(lock)).is_some();
        }
        if targets.library {
            return false;
        }
        let given = locks.change(program, calls, self.paths, self.body, value).given;
        matches!(given, Some(Given::Locks(given)) if without(held, &given).is_some())
    }

    /// What the method takes for its callers. One that gives back what it has not taken may give back what it takes, by another name.
    #[must_use]
    pub fn taking(&self) -> Taking {
        let mut has_debts = false;
        self.for_each(|value, held| has_debts |= self.is_debt(value, held));
        if has_debts {
            return Taking::default();
        }
        let mut always: Option<Vec<Hold>> = None;
        let mut if_true: Option<Vec<Hold>> = None;
        self.for_each(|value, held| {
            let Op::Return(result) = self.body.op(value) else { return };
            flow(&mut always, held.to_vec());
            for held in result.map_or_else(Vec::new, |result| self.held_if_true(value, result, held)) {
                flow(&mut if_true, held);
            }
        });
        let explicit = |held: Option<Vec<Hold>>| {
            let is_of_caller =
                |hold: &Hold| !hold.monitor && !matches!(hold.path.root, Root::Value(_) | Root::Owner(_));
            held.into_iter().flatten().filter(is_of_caller).collect()
        };
        Taking { always: explicit(always), if_true: explicit(if_true) }
    }

    /// What is held where a method returns what is true, each way by itself.
    fn held_if_true(&self, at: Value, result: Value, held: &[Hold]) -> Vec<Vec<Hold>> {
        let block = self.body.block_of(at);
        let of_result = |result: Value, mut held: Vec<Hold>| match self.body.op(result) {
            Op::Constant(Constant::Int(0)) => None,
            _ => {
                held.extend(self.tried(result));
                held.sort_unstable();
                Some(held)
            }
        };
        let values = || self.body.values(block);
        if let Op::Phi(merged) = self.body.op(result)
            && values().all(|value| value == at || matches!(self.body.op(value), Op::Phi(_)))
            && values().any(|value| value == result)
        {
            let before = self.body.block(block).predecessors.iter().zip(merged);
            let on_edges = before.flat_map(|(from, result)| {
                let is_last = self.is_last_call(*from, *result);
                let held = self.leaving(*from).into_iter().filter(|(to, _)| *to == block).map(|(_, held)| held);
                held.map(move |held| (is_last, *result, held)).collect::<Vec<_>>()
            });
            return on_edges
                .filter_map(
                    |(is_last, result, held)| {
                        if is_last { of_result(result, held) } else { self.unless_false(result, held) }
                    },
                )
                .collect();
        }
        let is_last = self.is_last_call(block, result);
        let found = if is_last { of_result(result, held.to_vec()) } else { self.unless_false(result, held.to_vec()) };
        found.into_iter().collect()
    }

    fn unless_false(&self, result: Value, held: Vec<Hold>) -> Option<Vec<Hold>> {
        (!matches!(self.body.op(result), Op::Constant(Constant::Int(0)))).then_some(held)
    }

    /// Whether a block makes this call and no other one after it.
    fn is_last_call(&self, block: Block, call: Value) -> bool {
        let mut calls = self.body.values(block).rev().filter(|value| matches!(self.body.op(*value), Op::Invoke(..)));
        calls.next() == Some(call)
    }

    /// Whether an instruction gives back what the list does not have.
    fn is_debt(&self, value: Value, held: &[Hold]) -> bool {
        let Code { program, calls, locks, .. } = self.code;
        match self.effect(value) {
            Some((LockEffect::Releases, lock)) => place(held, self.paths.get(lock)).is_none(),
            Some(_) => false,
            None => match locks.change(program, calls, self.paths, self.body, value).given {
                Some(Given::Any) => true,
                Some(Given::Locks(given)) => without(held, &given).is_none(),
                None => false,
            },
        }
    }

    /// What is held where a block is left, by the block that follows.
    fn leaving(&self, block: Block) -> Vec<(Block, Vec<Hold>)> {
        let mut held = self.at_start[block.index()].clone().unwrap_or_default();
        let mut thrown: Option<Vec<Hold>> = None;
        let is_protected = !self.body.block(block).handlers.is_empty();
        for value in self.body.values(block) {
            let may_throw = is_protected && self.body.may_throw(self.code.program, value);
            let effect = self.effect(value).filter(|_| may_throw).map(|(effect, _)| effect);
            if may_throw && !self.takes_without_fail(value, effect) {
                flow(&mut thrown, held.clone());
            }
            self.step(value, &mut held);
            if may_throw && effect.is_none() {
                flow(&mut thrown, held.clone());
            }
        }
        let thrown = thrown.unwrap_or_else(|| held.clone());
        let handlers = self.body.block(block).handlers.iter().map(|(_, handler)| (*handler, thrown.clone()));
        let followed = self.body.successors(block).into_iter().map(|to| {
            // Which calls release locks is not asked here.
            let may_release = |value| matches!(self.body.op(value), Op::Invoke(..));
            let tried = locks::tried(self.body, block, to, may_release);
            let mut held = held.clone();
            held.extend(tried.into_iter().flat_map(|tried| self.tried(tried)));
            held.extend(self.won(block, to));
            held.sort_unstable();
            (to, held)
        });
        handlers.chain(followed).collect()
    }

    /// Whether a call takes a lock, so that nobody does anything about it if that fails: where the lock is given back then, as in
    /// `try { lock.lock(); … } finally { lock.unlock(); }`, that fails in turn.
    fn takes_without_fail(&self, value: Value, effect: Option<LockEffect>) -> bool {
        let (Some(LockEffect::Acquires(_)), Op::Invoke(_, member, _)) = (effect, self.body.op(value)) else {
            return false;
        };
        let Code { program, calls, .. } = self.code;
        let name = |named: MethodId| program.names().text(program.method(named).name);
        calls.named(*member).is_some_and(|named| &*name(named) != "lockInterruptibly")
    }

    fn step(&self, value: Value, held: &mut Vec<Hold>) {
        // In the next round of a loop the same instruction computes another value.
        held.retain(|hold| hold.path.root != Root::Value(value));
        let Code { program, calls, locks, .. } = self.code;
        if locks.may_initialize(program, calls, self.body, value) {
            held.retain(|hold| hold.monitor);
        }
        match self.body.op(value) {
            Op::Enter(lock) => acquire(held, self.monitor(*lock)),
            Op::Exit(lock) => match held.iter().rposition(|hold| *hold == self.monitor(*lock)) {
                Some(place) => drop(held.remove(place)),
                None => held.retain(|hold| !hold.monitor),
            },
            Op::Invoke(..) | Op::InvokeDynamic(..) => self.call(value, held),
            _ => {}
        }
    }

    fn call(&self, value: Value, held: &mut Vec<Hold>) {
        match self.effect(value) {
            Some((LockEffect::Acquires(mode), lock)) => acquire(held, self.hold(lock, mode)),
            Some((LockEffect::Releases, lock)) => match place(held, self.paths.get(lock)) {
                Some(place) => drop(held.remove(place)),
                None => held.retain(|hold| hold.monitor),
            },
            Some((LockEffect::AcquiresIf(_), _)) => {}
            None => self.helper(value, held),
        }
    }

    /// What a method takes or gives back for this one.
    fn helper(&self, value: Value, held: &mut Vec<Hold>) {
        let Code { program, calls, locks, by } = self.code;
        let change = locks.change(program, calls, self.paths, self.body, value);
        let rest = match &change.given {
            Some(Given::Locks(given)) => without(held, given),
            _ => None,
        };
        match rest {
            Some(rest) => *held = rest,
            // The search knows the objects.
            None if change.given.is_some() && by == By::Types => held.retain(|hold| hold.monitor),
            None => {}
        }
        change.taking.always.into_iter().for_each(|hold| acquire(held, hold));
    }

    /// What a call takes if its result is true.
    fn tried(&self, value: Value) -> Vec<Hold> {
        let Code { program, calls, locks, .. } = self.code;
        match self.effect(value) {
            Some((LockEffect::AcquiresIf(mode), lock)) => vec![self.hold(lock, mode)],
            Some(_) => Vec::new(),
            None => {
                let change = locks.change(program, calls, self.paths, self.body, value);
                change.taking.only_if_true().cloned().collect()
            }
        }
    }

    /// A flag that this code has set where a branch goes to a block, and that no other code ever sets: who goes on there has it like a
    /// lock that nobody else gets any more. It counts as the monitor of the flag, which nobody takes, and nobody else gives back.
    fn won(&self, block: Block, to: Block) -> Option<Hold> {
        let Code { program, calls, locks, .. } = self.code;
        let (result, is_true) = locks::branched_on(self.body, block, to).filter(|_| self.code.by != By::Types)?;
        let (flag, won) = wins(program, calls, self.body, result)?;
        (won == is_true && locks.is_once(self.paths.get(flag))).then(|| Hold { mode: Mode::Once, ..self.monitor(flag) })
    }

    fn monitor(&self, lock: Value) -> Hold {
        Hold { path: self.paths.get(lock).clone(), monitor: true, mode: Mode::Exclusive }
    }

    fn hold(&self, lock: Value, mode: Mode) -> Hold {
        Hold { path: self.paths.get(lock).clone(), monitor: false, mode }
    }

    fn effect(&self, value: Value) -> Option<(LockEffect, Value)> {
        let Code { program, calls, locks, by } = self.code;
        let Op::Invoke(_, member, arguments) = self.body.op(value) else { return None };
        let (named, lock) = (calls.named(*member)?, *arguments.first()?);
        let is_genuine = || {
            by == By::Search
                || locks.takes_genuine(program, calls, self.body, value)
                || locks.is_exclusive(self.paths.get(lock))
        };
        let stamped = || locks::stamped(program, named).filter(|_| by != By::Types);
        let gives_back = || locks::may_release(program, named).then_some(LockEffect::Releases);
        let effect = locks::effect(program, named).or_else(stamped).or_else(gives_back)?;
        (effect == LockEffect::Releases || is_genuine()).then_some((effect, lock))
    }
}

/// Keeps what is held on both ways; says whether that is news.
fn flow(known: &mut Option<Vec<Hold>>, held: Vec<Hold>) -> bool {
    match known {
        Some(known) => {
            let before = known.len();
            *known = common(known, &held);
            known.len() < before
        }
        unknown => {
            *unknown = Some(held);
            true
        }
    }
}

fn acquire(held: &mut Vec<Hold>, hold: Hold) {
    let place = held.partition_point(|other| *other <= hold);
    held.insert(place, hold);
}

/// Where an explicit lock is in the list.
fn place(held: &[Hold], lock: &Path) -> Option<usize> {
    held.iter().position(|hold| !hold.monitor && hold.path == *lock)
}

/// What is left when all of these are given back; none if one is not in the list.
fn without(held: &[Hold], given: &BTreeMap<Path, u32>) -> Option<Vec<Hold>> {
    let mut rest = held.to_vec();
    for (lock, times) in given {
        for _ in 0..*times {
            rest.remove(place(&rest, lock)?);
        }
    }
    Some(rest)
}
