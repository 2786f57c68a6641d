//! What calls do to locks: those of locks themselves, and those of methods that take or give back locks for their callers.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Call, Op, Value};
use crate::program::{FieldId, MethodId, Program};

use super::calls::CallGraph;
use super::extended::may_run;
use super::final_expressions::{Getters, Paths};
use super::locks;
use super::path::{Path, Root};
use super::releases::{Given, Releases};
use super::takings::{Taking, Takings};

/// What is known of methods that have to do with locks.
#[derive(Default, Debug)]
pub struct LockCalls {
    /// What getters return.
    pub getters: Getters,
    /// Methods that override those of locks, and still take them.
    pub(super) extended: FxHashSet<MethodId>,
    /// Methods of libraries that override those of locks, and may not take them.
    pub(super) foreign: Vec<MethodId>,
    /// Final fields that hold locks which are always exclusive, though their type does not say so.
    pub(super) exclusive: FxHashSet<FieldId>,
    /// Final fields with flags that are never set back.
    pub(super) once: FxHashSet<FieldId>,
    pub(super) releases: Releases,
    pub(super) takings: Takings,
}

/// What a call does to locks, in the caller's terms.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Change {
    /// What it may give back of what the caller holds.
    pub given: Option<Given>,
    /// What it takes for the caller. What gives something back takes nothing that counts: it may be the same lock by another name.
    pub taking: Taking,
}

impl LockCalls {
    /// Whether an instruction may release a lock that its method holds.
    #[must_use]
    pub fn may_release(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        self.releases.may_release(program, calls, body, value)
    }

    /// Whether an instruction may have a class initialized that gives back locks, whichever.
    #[must_use]
    pub fn may_initialize(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        self.releases.is_by_initializer(program, calls, body, value)
    }

    /// Whether a call on a lock takes it: a class that extends a lock of the JDK may do anything, unless models tell.
    #[must_use]
    pub fn takes_genuine(&self, program: &Program, calls: &CallGraph, body: &Body, call: Value) -> bool {
        calls
            .targets(body.method, call)
            .methods
            .iter()
            .all(|method| self.extended.contains(method) || locks::effect(program, *method).is_some())
            && !self.may_be_foreign(program, calls, body, call)
    }

    /// Whether a call may run a method of a library that overrides the one it names, and may not take the lock.
    fn may_be_foreign(&self, program: &Program, calls: &CallGraph, body: &Body, call: Value) -> bool {
        let Op::Invoke(Call::Virtual | Call::Interface, member, _) = body.op(call) else { return false };
        calls.named(*member).is_some_and(|named| may_run(program, &self.foreign, named))
    }

    /// Whether all that a path may lead to are locks that exclude.
    #[must_use]
    pub fn is_exclusive(&self, lock: &Path) -> bool {
        last_field(lock).is_some_and(|field| self.exclusive.contains(&field))
    }

    /// Whether what a path leads to is a flag that is never set back.
    #[must_use]
    pub fn is_once(&self, of: &Path) -> bool {
        last_field(of).is_some_and(|field| self.once.contains(&field))
    }

    /// Final fields with flags that are never set back.
    pub fn once_fields(&self) -> impl Iterator<Item = FieldId> + '_ {
        self.once.iter().copied()
    }

    /// Whether a call may run a method that takes or gives back locks for its caller.
    #[must_use]
    pub fn is_helper(&self, calls: &CallGraph, body: &Body, call: Value) -> bool {
        self.takings.may_take(calls, body, call) || self.releases.is_by_method(calls, body, call)
    }

    /// What a call does that is not one of a lock itself.
    #[must_use]
    pub fn change(&self, program: &Program, calls: &CallGraph, paths: &Paths, body: &Body, value: Value) -> Change {
        let given = self.releases.of_call(program, calls, paths, body, value);
        let taking = match body.op(value) {
            Op::Invoke(_, _, arguments) if given.is_none() => {
                self.takings.of_call(calls, paths, body, value, arguments)
            }
            _ => Taking::default(),
        };
        Change { given, taking }
    }
}

fn last_field(path: &Path) -> Option<FieldId> {
    match path.root {
        Root::Static(field) => Some(path.fields.last().copied().unwrap_or(field)),
        _ => path.fields.last().copied(),
    }
}
