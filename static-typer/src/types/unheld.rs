//! Calls of methods without the locks that they say their callers hold: calls by instructions, by references to methods, and by the threads
//! that run a task.

use crate::ir::{Body, Op, Value};
use crate::program::{MethodId, Program};

use super::annotations::{self, Declared};
use super::at_once::{self, Reference};
use super::final_expressions::Paths;
use super::path::{Path, Root};
use super::state::{Context, Ownership, State, ownership};
use super::threads;
use super::type_error::{Rule, Subject, TypeError};

/// The calls of a body that may run methods which claim something.
pub struct Claiming<'a> {
    context: Context<'a>,
    /// The body.
    pub body: &'a Body,
    /// With the instruction that runs what is referred to at once, if one does.
    references: Vec<(Reference<'a>, Option<Value>)>,
}

/// What is called, where, and with which arguments, as far as they are known.
struct Called<'a> {
    method: MethodId,
    place: (MethodId, Value),
    arguments: &'a [Value],
}

impl<'a> Claiming<'a> {
    /// Those of a body, if there are any.
    pub fn of(context: Context<'a>, body: &'a Body) -> Option<Self> {
        let claims = |method: &MethodId| !annotations::guards_of_method(context.program, *method).is_empty();
        let with_call = |reference: Reference<'a>| (reference, at_once::only_call(context, body, reference.made));
        let references = at_once::references(context, body).filter(|reference| claims(&reference.method));
        let references: Vec<_> = references.map(with_call).collect();
        let calls = || body.all_values().any(|value| called(context, body, value).iter().any(claims));
        (!references.is_empty() || calls()).then_some(Self { context, body, references })
    }

    /// The errors of an instruction, with what holds at it.
    pub fn at(&self, paths: &Paths, value: Value, state: &State) -> Vec<TypeError> {
        let Op::Invoke(_, _, arguments) = self.body.op(value) else { return Vec::new() };
        let place = (self.body.method, value);
        let called = called(self.context, self.body, value).into_iter();
        let called = called.map(|method| Called { method, place, arguments });
        called
            .chain(self.referred_to(Some(value)))
            .flat_map(|called| self.errors(&called, paths, Some(state)))
            .collect()
    }

    /// The errors of what is referred to and not run at once: nobody knows under which locks that is.
    pub fn elsewhere(&self, paths: &Paths) -> Vec<TypeError> {
        self.referred_to(None).flat_map(|called| self.errors(&called, paths, None)).collect()
    }

    fn referred_to(&self, by: Option<Value>) -> impl Iterator<Item = Called<'a>> {
        let run = self.references.iter().filter(move |(_, call)| *call == by);
        run.map(|(reference, _)| Called {
            method: reference.method,
            place: (self.body.method, reference.made),
            arguments: reference.captured,
        })
    }

    fn errors(&self, called: &Called<'_>, paths: &Paths, state: Option<&State>) -> Vec<TypeError> {
        let is_held = |path: &Path| {
            state.is_some_and(|state| is_held(self.context, self.body, paths, state, path, called.arguments))
        };
        let missing = locks(self.context.program, called.method).filter(|(_, path)| !is_held(path));
        let error = |lock| TypeError {
            rule: Rule::UnheldCall,
            subject: Subject::Method(called.method),
            lock,
            place: Some(called.place),
        };
        missing.map(|(lock, _)| error(lock)).collect()
    }
}

/// The error of a task, which a thread runs without a lock.
pub fn of_task(context: Context<'_>, method: MethodId) -> Vec<TypeError> {
    if !context.calls.is_called_back(method)
        || context.calls.is_referred_to(method)
        || !threads::is_task(context.program, method)
    {
        return Vec::new();
    }
    locks(context.program, method)
        .map(|(lock, _)| TypeError { rule: Rule::UnheldCall, subject: Subject::Method(method), lock, place: None })
        .collect()
}

/// What an instruction may run, and the method that it names, which may have no code of its own; nothing of a lambda that it has made itself.
fn called(context: Context<'_>, body: &Body, value: Value) -> Vec<MethodId> {
    let Op::Invoke(_, member, arguments) = body.op(value) else { return Vec::new() };
    if arguments.first().is_some_and(|receiver| matches!(body.op(*receiver), Op::InvokeDynamic(..))) {
        return Vec::new();
    }
    let mut called = context.calls.targets(body.method, value).methods.clone();
    called.extend(context.calls.named(*member).filter(|named| !called.contains(named)));
    called
}

fn locks(program: &Program, method: MethodId) -> impl Iterator<Item = (String, Path)> {
    let declared = annotations::guards_of_method(program, method).into_iter();
    declared.filter_map(|(text, lock)| if let Declared::Lock(path) = lock { Some((text, path)) } else { None })
}

fn is_held(context: Context<'_>, body: &Body, paths: &Paths, state: &State, path: &Path, arguments: &[Value]) -> bool {
    let is_fresh = matches!(path.root, Root::Parameter(_))
        && arguments.first().is_some_and(|receiver| state.is_fresh(body, *receiver));
    is_fresh
        || match path.root {
            Root::Owner(_) => holds_of_owner(context, body, paths, state, path, arguments),
            _ => holds(paths, state, path, arguments),
        }
}

fn holds(paths: &Paths, state: &State, path: &Path, arguments: &[Value]) -> bool {
    let wanted = paths.in_caller(path, arguments);
    wanted.is_some_and(|wanted| state.held.iter().any(|held| held.path == wanted))
}

/// Whether a lock is held of the receiver's owner, if other threads can reach that.
fn holds_of_owner(
    context: Context<'_>,
    body: &Body,
    paths: &Paths,
    state: &State,
    path: &Path,
    arguments: &[Value],
) -> bool {
    let owner = arguments.first().map(|receiver| ownership(context, body, paths, *receiver, state));
    match owner {
        Some(Ownership::Unowned | Ownership::New(_)) => true,
        Some(Ownership::Owned(owner)) => {
            let wanted = owner.then(&path.fields, path.half);
            wanted.is_some_and(|wanted| state.held.iter().any(|held| held.path == wanted))
        }
        // That there is none has been said of the class.
        Some(Ownership::Unknown) | None => true,
    }
}
