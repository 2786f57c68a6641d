//! Methods that override those of a lock of the JDK: some still take it, others may do anything, such as give it back again.

use rustc_hash::FxHashSet;

use crate::ir::{Block, Body, Call, Op, Value};
use crate::program::{ClassId, MethodId, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::locks::{self, LockEffect};

/// The methods that call what they override before each return, and return what that says if it only tries.
#[must_use]
pub fn keep_locking(program: &Program, calls: &CallGraph, bodies: &Bodies) -> FxHashSet<MethodId> {
    let keeps = |body: &&Body| {
        !program.method(body.method).is_static()
            && Extended { program, calls, body }.keeps_locking()
            && !gives_back(program, calls, bodies, body.method)
    };
    bodies.iter().filter(keeps).map(|body| body.method).collect()
}

/// Whether a method, or one that it calls, gives back a lock; what is not known may.
fn gives_back(program: &Program, calls: &CallGraph, bodies: &Bodies, method: MethodId) -> bool {
    let (mut seen, mut open) = (FxHashSet::from_iter([method]), vec![method]);
    while let Some(method) = open.pop() {
        let of_library;
        let body = match bodies.get(method) {
            Some(body) => body,
            None => match Body::of(program, method) {
                Some(Ok(body)) => {
                    of_library = body;
                    &of_library
                }
                Some(Err(_)) => return true,
                None => continue,
            },
        };
        for value in body.all_values() {
            let Op::Invoke(_, member, _) = body.op(value) else { continue };
            let Some(named) = calls.named(*member).filter(|named| !locks::may_release(program, *named)) else {
                return true;
            };
            let own = Some(named).filter(|named| !program.is_of_jdk(program.method(*named).class));
            let targets = calls.targets(method, value).methods.iter().copied().chain(own);
            open.extend(targets.filter(|target| seen.insert(*target)));
        }
    }
    false
}

/// Methods of libraries that override what takes a lock of the JDK, and may not take it: all of them, where libraries have no code.
#[must_use]
pub fn foreign(program: &Program, calls: &CallGraph, bodies: &Bodies) -> Vec<MethodId> {
    let takes = |effect| matches!(effect, LockEffect::Acquires(_) | LockEffect::AcquiresIf(_));
    let mut foreign = overriding_in_libraries(program, |method| locks::effect(program, method).is_some_and(takes));
    foreign.retain(|method| {
        let body = Body::of(program, *method).and_then(Result::ok);
        let keeps = body.is_some_and(|body| Extended { program, calls, body: &body }.keeps_locking());
        !keeps || gives_back(program, calls, bodies, *method)
    });
    foreign
}

/// Methods of libraries, but for the JDK, that override such a method.
pub fn overriding_in_libraries(program: &Program, is_one: impl Fn(MethodId) -> bool) -> Vec<MethodId> {
    let is_of_library = |class: &ClassId| !program.class(*class).is_application && !program.is_of_jdk(*class);
    let methods = program.classes().filter(is_of_library).flat_map(|class| program.methods_of(class));
    let overrides = |method: &MethodId| {
        let data = program.method(*method);
        let above = program.ancestors(data.class).skip(1);
        let mut overridden = above.filter_map(|class| program.declared_method(class, data.name, data.descriptor));
        !data.is_static() && overridden.any(&is_one)
    };
    methods.filter(overrides).collect()
}

/// Whether a call that names a method may run one of these, which override others.
#[must_use]
pub fn may_run(program: &Program, overriding: &[MethodId], named: MethodId) -> bool {
    let named = program.method(named);
    overriding.iter().map(|method| program.method(*method)).any(|other| {
        (other.name, other.descriptor) == (named.name, named.descriptor)
            && program.is_subclass(other.class, named.class)
    })
}

struct Extended<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    body: &'a Body,
}

impl Extended<'_> {
    /// Follows every way on which the overridden method has not been called.
    fn keeps_locking(&self) -> bool {
        let (mut seen, mut open) = (FxHashSet::default(), vec![Block(0)]);
        let calls_it = self.body.all_values().any(|value| self.effect(value).is_some());
        while let Some(block) = open.pop().filter(|_| calls_it) {
            if !seen.insert(block) {
                continue;
            }
            open.extend(self.body.block(block).handlers.iter().map(|(_, handler)| *handler));
            let takes = |value: &Value| matches!(self.effect(*value), Some(LockEffect::Acquires(_)));
            match self.body.values(block).find(|value| takes(value) || self.returns_without(*value)) {
                Some(value) if takes(&value) => {}
                Some(_) => return false,
                None => open.extend(self.body.successors(block)),
            }
        }
        calls_it
    }

    /// Whether an instruction returns what no attempt to take the lock has returned.
    fn returns_without(&self, value: Value) -> bool {
        match self.body.op(value) {
            Op::Return(Some(result)) => !matches!(self.effect(*result), Some(LockEffect::AcquiresIf(_))),
            Op::Return(None) => true,
            _ => false,
        }
    }

    /// What a call of the overridden method does.
    fn effect(&self, value: Value) -> Option<LockEffect> {
        let Op::Invoke(Call::Special, member, arguments) = self.body.op(value) else { return None };
        let named = self.calls.named(*member)?;
        let is_overridden = self.program.method(named).name == self.program.method(self.body.method).name;
        let on_this = matches!(self.body.op(*arguments.first()?), Op::Parameter(0));
        locks::effect(self.program, named).filter(|_| is_overridden && on_this)
    }
}
