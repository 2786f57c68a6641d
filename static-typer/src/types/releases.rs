//! Which locks of their callers' methods may give back. Monitors cannot be given back by others than those who took them: javac's code
//! is structured, and HotSpot checks it.
//!
//! The least solution: a method gives back what it releases more often than it takes it, by itself and by what it calls, and nobody
//! knows what a library releases that calls back something which does.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Block, Body, Call, Op, Value};
use crate::program::{ClassId, FieldId, MethodId, Name, Program, flag};

use super::balance::{Change, Step, Steps, given};
use super::bodies::Bodies;
use super::callbacks::{is_reflective, may_call_back};
use super::calls::CallGraph;
use super::final_expressions::{Getters, Paths};
use super::locks::{self, LockEffect};
use super::path::{Path, Root};
use super::takings::Takings;

/// Locks that may be given back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// Any.
    Any,
    /// These, as often as that at most; halves of read-write locks by themselves.
    Locks(BTreeMap<Path, u32>),
}

/// What methods give back.
#[derive(Default, Debug)]
pub struct Releases {
    /// Those that give back nothing are not in it.
    methods: FxHashMap<MethodId, Given>,
    /// Whether a library may call one of these back.
    by_callbacks: bool,
    /// Whether reflection may call one of these.
    by_reflection: bool,
    /// Classes whose initializers are among these.
    initializers: FxHashSet<ClassId>,
}

/// What code that is not analysed does with the locks of methods that give them back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// It may give back any, whether it has taken it or not.
    GiveBack,
    /// It is believed to give back none that it has not taken.
    Believed,
}

/// The program, as releases are looked for.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its calls.
    pub calls: &'a CallGraph,
    /// Its getters.
    pub getters: &'a Getters,
    /// What its methods take.
    pub takings: &'a Takings,
    /// What is known of other code.
    pub others: Others,
}

impl Releases {
    /// Follows what gives back more than it takes to its callers, by way of libraries, too.
    #[must_use]
    pub fn of(code: Code<'_>, bodies: &Bodies) -> Self {
        let Code { program, calls, .. } = code;
        let mut told = program.all_told().map(|(method, _)| method).filter(|told| locks::may_release(program, *told));
        // As `lock::unlock` does.
        let is_referred_to = calls.referred_to().any(|method| locks::may_release(program, method));
        let mut releases = Self::default();
        if code.others == Others::GiveBack {
            releases.by_callbacks = is_referred_to || told.any(|method| calls.is_called_back(method));
            releases.by_reflection = gives_back(program, calls);
        }
        releases.follow(code, bodies, methods(bodies, |body| body.all_values().any(|at| code.releases(body, at))));
        loop {
            let known = (releases.by_callbacks, releases.by_reflection, releases.initializers.len());
            let by_others =
                |body: &Body| body.all_values().any(|value| releases.by_others(program, calls, body, value));
            let found = methods(bodies, by_others);
            releases.follow(code, bodies, found);
            if known == (releases.by_callbacks, releases.by_reflection, releases.initializers.len()) {
                return releases;
            }
        }
    }

    /// Whether an instruction may give back a lock that its method holds.
    #[must_use]
    pub fn may_release(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        let is_unlock = named(calls, body, value).is_some_and(|named| locks::may_release(program, named));
        is_unlock || self.is_by_method(calls, body, value) || self.by_others(program, calls, body, value)
    }

    /// Whether a call may run a method that gives something back.
    #[must_use]
    pub fn is_by_method(&self, calls: &CallGraph, body: &Body, value: Value) -> bool {
        matches!(body.op(value), Op::Invoke(..))
            && calls.targets(body.method, value).methods.iter().any(|method| self.methods.contains_key(method))
    }

    /// What a call that is not one of a lock itself may give back, in terms of the caller; none if nothing.
    #[must_use]
    pub fn of_call(
        &self,
        program: &Program,
        calls: &CallGraph,
        paths: &Paths,
        body: &Body,
        value: Value,
    ) -> Option<Given> {
        let is_told = may_run_release(program, calls, body, value);
        if is_told || self.by_others(program, calls, body, value) {
            return Some(Given::Any);
        }
        let Op::Invoke(_, _, arguments) = body.op(value) else { return None };
        let targets = calls.targets(body.method, value).methods.iter();
        let mut all: BTreeMap<Path, u32> = BTreeMap::new();
        for given in targets.filter_map(|target| self.methods.get(target)) {
            let Given::Locks(locks) = given else { return Some(Given::Any) };
            let mut of_target: BTreeMap<Path, u32> = BTreeMap::new();
            for (lock, times) in locks {
                let Some(lock) = paths.lock_in_caller(lock, arguments) else { return Some(Given::Any) };
                *of_target.entry(lock).or_default() += times;
            }
            for (lock, times) in of_target {
                let known = all.entry(lock).or_default();
                *known = times.max(*known);
            }
        }
        (!all.is_empty()).then_some(Given::Locks(all))
    }

    /// Whether a call that is not one of a lock itself may give back any lock.
    fn may_be_any(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        let is_lock = || effect(program, calls, body, value).is_some();
        let targets = || calls.targets(body.method, value).methods.iter();
        let in_method = || {
            matches!(body.op(value), Op::Invoke(..))
                && targets().any(|target| self.methods.get(target) == Some(&Given::Any))
        };
        (in_method() || self.by_others(program, calls, body, value) || may_run_release(program, calls, body, value))
            && !is_lock()
    }

    fn by_others(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        self.by_callbacks && may_call_back(program, calls, body, value)
            || self.by_reflection && is_reflective(program, body, value)
            || self.is_by_initializer(program, calls, body, value)
    }

    /// Whether an instruction may be the first use of a class, or of one below it, whose initializer gives something back.
    #[must_use]
    pub fn is_by_initializer(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        if self.initializers.is_empty() {
            return false;
        }
        let used = match body.op(value) {
            Op::GetStatic(member) | Op::PutStatic(member, _) => {
                calls.field(*member).map(|field| program.field(field).class)
            }
            Op::Invoke(Call::Static, member, _) => calls.named(*member).map(|method| program.method(method).class),
            Op::New => body.instruction(value).ty.as_class().and_then(|class| program.find(class)),
            _ => None,
        };
        used.is_some_and(|used| program.ancestors(used).any(|class| self.initializers.contains(&class)))
    }

    fn follow(&mut self, code: Code<'_>, bodies: &Bodies, mut open: Vec<MethodId>) {
        while let Some(method) = open.pop() {
            let given = bodies.get(method).and_then(|body| self.in_body(code, body));
            if given.is_some() && given.as_ref() != self.methods.get(&method) {
                self.methods.extend(given.map(|given| (method, given)));
                let data = code.program.method(method);
                if code.others == Others::GiveBack {
                    self.by_callbacks |= code.calls.is_called_back(method);
                    self.by_reflection |= data.access & flag::PUBLIC != 0;
                }
                self.initializers.extend((data.name == Name::CLINIT).then_some(data.class));
                open.extend(code.calls.callers(method));
            }
        }
    }

    /// What a method gives back, as far as that is known of what it calls.
    fn in_body(&self, code: Code<'_>, body: &Body) -> Option<Given> {
        let Code { program, calls, takings, .. } = code;
        // Names of locks cost more than to see that none matters.
        if body.all_values().any(|value| self.may_be_any(program, calls, body, value)) {
            return Some(Given::Any);
        }
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let paths = &Paths::of(program, calls, code.getters, &is_final, body);
        let mut steps = BTreeMap::new();
        for value in body.all_values() {
            let changes: Vec<(Change, Path)> = if let Some((effect, lock)) = effect(program, calls, body, value) {
                vec![(change(effect), paths.get(lock).clone())]
            } else {
                match self.of_call(program, calls, paths, body, value) {
                    Some(Given::Any) => return Some(Given::Any),
                    Some(Given::Locks(locks)) => locks
                        .into_iter()
                        .flat_map(|(lock, n)| (0..n).map(move |_| (Change::Gives, lock.clone())))
                        .collect(),
                    None => taken(takings, calls, paths, body, value),
                }
            };
            let is_lock = effect(program, calls, body, value).is_some();
            if !changes.is_empty() {
                steps.insert(value, Step { changes, is_lock });
            }
        }
        let on_edge = |block: Block, to: Block| {
            let tried = locks::tried(body, block, to, |_| false);
            tried.map_or_else(Vec::new, |tried| taken_if_true(takings, calls, paths, body, tried))
        };
        match given(program, body, &Steps { calls: steps, on_edge: &on_edge }) {
            Some(locks) if locks.is_empty() => None,
            Some(locks) if locks.keys().all(|lock| !matches!(lock.root, Root::Value(_) | Root::Owner(_))) => {
                Some(Given::Locks(locks))
            }
            _ => Some(Given::Any),
        }
    }
}

impl Code<'_> {
    /// Whether an instruction releases a lock, or may run what does.
    fn releases(self, body: &Body, value: Value) -> bool {
        let does = effect(self.program, self.calls, body, value).map(|(effect, _)| effect);
        does == Some(LockEffect::Releases) || may_run_release(self.program, self.calls, body, value)
    }
}

/// The locks that a call of a helper takes.
fn taken(takings: &Takings, calls: &CallGraph, paths: &Paths, body: &Body, value: Value) -> Vec<(Change, Path)> {
    let Op::Invoke(_, _, arguments) = body.op(value) else { return Vec::new() };
    let taking = takings.of_call(calls, paths, body, value, arguments);
    taking.always.into_iter().map(|hold| (Change::Takes, hold.path)).collect()
}

fn taken_if_true(takings: &Takings, calls: &CallGraph, paths: &Paths, body: &Body, value: Value) -> Vec<Path> {
    let Op::Invoke(_, _, arguments) = body.op(value) else { return Vec::new() };
    let taking = takings.of_call(calls, paths, body, value, arguments);
    taking.if_true.into_iter().map(|hold| hold.path).collect()
}

/// Whether something looks up a method that gives back a lock of a library.
pub fn gives_back(program: &Program, calls: &CallGraph) -> bool {
    let mut looked_up = calls.reflected().names.iter().map(|name| program.names().text(*name));
    looked_up.any(|name| locks::gives_back(&name))
}

fn methods(bodies: &Bodies, is_one: impl Fn(&Body) -> bool + Sync) -> Vec<MethodId> {
    bodies.all().par_iter().filter(|body| is_one(body)).map(|body| body.method).collect()
}

/// Whether a call may run what releases its receiver, though the method that it names does nothing to it.
fn may_run_release(program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
    let named = named(calls, body, value).filter(|named| locks::effect(program, *named).is_none());
    named.is_some_and(|named| locks::may_release(program, named))
}

fn named(calls: &CallGraph, body: &Body, value: Value) -> Option<MethodId> {
    let Op::Invoke(_, member, _) = body.op(value) else { return None };
    calls.named(*member)
}

const fn change(effect: LockEffect) -> Change {
    match effect {
        LockEffect::Acquires(_) | LockEffect::AcquiresIf(_) => Change::Takes,
        LockEffect::Releases => Change::Gives,
    }
}

/// What a call does to its receiver.
fn effect(program: &Program, calls: &CallGraph, body: &Body, value: Value) -> Option<(LockEffect, Value)> {
    let Op::Invoke(_, member, arguments) = body.op(value) else { return None };
    Some((locks::effect(program, calls.named(*member)?)?, *arguments.first()?))
}
