//! Which calls may give back a lock that the caller holds. Monitors cannot be given back by others than those who took them: javac's code
//! is structured, and HotSpot checks it.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::ir::{Body, Op, Value};
use crate::program::{FieldId, MethodId, Program, flag};

use super::balance::{Change, gives_more};
use super::bodies::Bodies;
use super::callbacks::{is_reflective, may_call_back};
use super::calls::CallGraph;
use super::final_expressions::{Getters, Paths};
use super::locks::{self, LockEffect};

/// The methods that may.
#[derive(Default, Debug)]
pub struct Releases {
    methods: FxHashSet<MethodId>,
    /// Whether a library may call one of these back.
    by_callbacks: bool,
    /// Whether reflection may call one of these.
    by_reflection: bool,
}

impl Releases {
    /// Follows what gives back more than it takes to its callers, by way of libraries, too.
    #[must_use]
    pub fn of(program: &Program, calls: &CallGraph, bodies: &Bodies) -> Self {
        let mut told = program.all_told().map(|(method, _)| method).filter(|told| locks::may_release(program, *told));
        let mut releases = Self { by_callbacks: told.any(|method| calls.is_called_back(method)), ..Self::default() };
        releases.by_reflection = gives_back(program, calls);
        releases.follow(program, calls, methods(bodies, |body| releases_more(program, calls, body)));
        loop {
            let known = (releases.by_callbacks, releases.by_reflection);
            let by_others =
                |body: &Body| body.all_values().any(|value| releases.by_others(program, calls, body, value));
            let found = methods(bodies, by_others);
            releases.follow(program, calls, found);
            if known == (releases.by_callbacks, releases.by_reflection) {
                return releases;
            }
        }
    }

    /// Whether an instruction may give back a lock that its method holds.
    #[must_use]
    pub fn may_release(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        let is_unlock = named(calls, body, value).is_some_and(|named| locks::may_release(program, named));
        let in_method = || calls.targets(body.method, value).methods.iter().any(|method| self.methods.contains(method));
        is_unlock
            || matches!(body.op(value), Op::Invoke(..)) && in_method()
            || self.by_others(program, calls, body, value)
    }

    fn by_others(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        self.by_callbacks && may_call_back(program, calls, body, value)
            || self.by_reflection && is_reflective(program, body, value)
    }

    fn follow(&mut self, program: &Program, calls: &CallGraph, mut open: Vec<MethodId>) {
        while let Some(method) = open.pop() {
            if self.methods.insert(method) {
                self.by_callbacks |= calls.is_called_back(method);
                self.by_reflection |= program.method(method).access & flag::PUBLIC != 0;
                open.extend(calls.callers(method));
            }
        }
    }
}

/// Whether something looks up a method that gives back a lock of a library.
pub fn gives_back(program: &Program, calls: &CallGraph) -> bool {
    let mut looked_up = calls.reflected().names.iter().map(|name| program.names().text(*name));
    looked_up.any(|name| locks::gives_back(&name))
}

fn methods(bodies: &Bodies, is_one: impl Fn(&Body) -> bool + Sync) -> Vec<MethodId> {
    bodies.all().par_iter().filter(|body| is_one(body)).map(|body| body.method).collect()
}

/// Whether a method releases a lock that it does not take itself.
fn releases_more(program: &Program, calls: &CallGraph, body: &Body) -> bool {
    if body.all_values().any(|value| may_run_release(program, calls, body, value)) {
        return true;
    }
    let effects = body.all_values().filter_map(|value| Some((value, effect(program, calls, body, value)?)));
    let effects: Vec<(Value, (LockEffect, Value))> = effects.collect();
    if !effects.iter().any(|(_, (effect, _))| *effect == LockEffect::Releases) {
        return false;
    }
    let is_final = |field: FieldId| calls.keeps_value(program, field);
    let paths = Paths::of(program, calls, &Getters::default(), &is_final, body);
    let changes = effects.into_iter().map(|(value, (effect, lock))| (value, (change(effect), paths.get(lock).clone())));
    gives_more(body, &changes.collect())
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
