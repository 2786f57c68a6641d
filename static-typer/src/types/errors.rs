//! Type errors: where the code does not do what its annotations say.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, FieldId, MethodId, Program};

use super::accesses::{self, Access, Accesses};
use super::annotations::{self, Claim, Declared};
use super::bodies::Bodies;
use super::entries::Entries;
use super::final_expressions::Paths;
use super::origin::origin;
use super::owner::{FieldType, Owner};
use super::path::{Path, Root};
use super::releases::Others;
use super::state::{Context, States};
use super::type_error::{Rule, Subject, TypeError};
use super::unheld::{Claiming, of_task};

/// What the checks work on.
#[derive(Clone, Copy)]
pub struct Typed<'a> {
    /// The program.
    pub context: Context<'a>,
    /// Its code.
    pub bodies: &'a Bodies,
    /// What holds when methods are entered.
    pub entries: &'a Entries,
    /// The accesses to its fields.
    pub accesses: &'a Accesses,
    /// The owners that were proved.
    pub fields: &'a [FieldType],
    /// What is known of code that is not analysed.
    pub others: Others,
    /// The paths of a body.
    pub paths: &'a (dyn Fn(&Body) -> Paths + Sync),
}

impl Typed<'_> {
    /// The type errors of the application, by rule and place.
    #[must_use]
    pub fn errors(&self) -> Vec<TypeError> {
        let program = self.context.program;
        let mut errors: Vec<TypeError> = self.fields.iter().flat_map(|field| self.of_field(field)).collect();
        for method in program.application().flat_map(|class| program.methods_of(class)) {
            errors.extend(no_lock(Subject::Method(method), &annotations::guards_of_method(program, method)));
            errors.extend(of_task(self.context, method));
        }
        errors.extend(program.application().filter_map(|class| self.of_parameter(class)));
        for calls in self.bodies.iter().filter_map(|body| Claiming::of(self.context, body)) {
            let paths = (self.paths)(calls.body);
            let states = self.states(calls.body, &paths);
            states.for_each(|value, state| errors.extend(calls.at(&paths, value, state)));
            errors.extend(calls.elsewhere(&paths));
        }
        let is_of_new = |error: &TypeError| {
            let call = error.place.filter(|_| error.rule == Rule::UnheldCall);
            call.is_some_and(|(method, value)| self.is_of_new(method, value))
        };
        errors.retain(|error| !is_silenced(program, error) && !is_of_new(error));
        errors.sort_unstable();
        let mut overriding = FxHashSet::default();
        errors.retain(|error| !self.is_by_override(error) || overriding.insert((error.subject, error.lock.clone())));
        errors
    }

    /// Whether a call names a method that says nothing of a lock, and runs one that does: the same is wrong at all such calls.
    fn is_by_override(&self, error: &TypeError) -> bool {
        let Some((method, value)) = error.place.filter(|_| error.rule == Rule::UnheldCall) else { return false };
        let Some(Op::Invoke(_, member, _)) = self.bodies.get(method).map(|body| body.op(value)) else { return false };
        let says_nothing = |named| annotations::guards_of_method(self.context.program, named).is_empty();
        self.context.calls.named(*member).is_some_and(says_nothing)
    }

    fn of_field(&self, field: &FieldType) -> Vec<TypeError> {
        let program = self.context.program;
        let declared = annotations::guards_of_field(program, field.field);
        let subject = Subject::Field(field.field);
        let mut errors = no_lock(subject, &declared);
        errors.extend(of_argument(program, field.field));
        for (text, lock) in &declared {
            let Declared::Lock(path) = lock else { continue };
            if matches!(path.root, Root::Owner(_)) && !self.has_owner(program.field(field.field).class) {
                continue;
            }
            if is_of_contents(program, field.field, path) {
                continue;
            }
            let path = &self.context.summaries.getters().whole(path);
            for access in self.accesses.get(field.field).iter().filter(|access| !self.is_guarded(access, path)) {
                let place = Some((access.method, access.value));
                errors.push(TypeError { rule: Rule::UnguardedAccess, subject, lock: text.clone(), place });
            }
        }
        errors.extend(of_class(program, field, program.field(field.field).class));
        errors
    }

    fn has_owner(&self, class: ClassId) -> bool {
        self.context.owned.has(self.context.program.class(class).name)
    }

    /// Without an owner, a lock parameter stands for nothing.
    fn of_parameter(&self, class: ClassId) -> Option<TypeError> {
        let lock = annotations::lock_parameter(self.context.program, class).filter(|_| !self.has_owner(class))?;
        let place = self.context.owned.leak(self.context.program.class(class).name).and_then(|leak| leak.at);
        Some(TypeError { rule: Rule::NoOwner, subject: Subject::Class(class), lock, place })
    }

    /// Whether an access holds a lock, or its method says that its callers do. A monitor and a lock object of one name are
    /// the same promise.
    fn is_guarded(&self, access: &Access, lock: &Path) -> bool {
        if self.is_of_new(access.method, access.value) {
            return true;
        }
        let holds = |access: &Access| access.guards.iter().any(|guard| guard.path == *lock);
        let program = self.context.program;
        let says_nothing = annotations::guards_of_method(program, access.method).is_empty()
            && annotations::held_by_method(program, access.method).is_empty();
        if holds(access) || says_nothing {
            return holds(access);
        }
        let Some(body) = self.bodies.get(access.method) else { return false };
        let paths = (self.paths)(body);
        let mut guarded = false;
        self.states(body, &paths).for_each(|value, state| {
            if value == access.value {
                guarded =
                    accesses::access(self.context, body, &paths, value, state).is_none_or(|(_, access)| holds(&access));
            }
        });
        guarded
    }

    /// Whether a constructor accesses its own object, or calls a method on it: nobody expects it to hold a lock there.
    fn is_of_new(&self, method: MethodId, value: Value) -> bool {
        let Some(body) = self.bodies.get(method).filter(|_| self.others == Others::Believed) else { return false };
        let object = match body.op(value) {
            Op::GetField(object, _) | Op::PutField(object, ..) => Some(object),
            Op::Invoke(_, _, arguments) => arguments.first(),
            _ => None,
        };
        self.context.program.method(method).is_constructor()
            && object.is_some_and(|object| *body.op(origin(body, *object)) == Op::Parameter(0))
    }

    /// The states of a body, if its annotations are true.
    fn states<'b>(&'b self, body: &'b Body, paths: &'b Paths) -> States<'b> {
        States::of(self.context, body, paths, &self.entries.declared(self.context.program, body.method))
    }
}

/// Whether a field is guarded by the object in it, which never changes: that is said of what the object contains.
fn is_of_contents(program: &Program, field: FieldId, lock: &Path) -> bool {
    let is_itself = match lock.root {
        Root::Static(of) => lock.fields.is_empty() && of == field,
        _ => lock.fields[..] == [field],
    };
    is_itself && program.field(field).is_final()
}

fn is_silenced(program: &Program, error: &TypeError) -> bool {
    let is_method_silenced = |method: MethodId| annotations::is_silenced(program, &program.method(method).annotations);
    error.place.is_some_and(|(method, _)| is_method_silenced(method))
        || match error.subject {
            Subject::Field(field) => annotations::is_field_silenced(program, field),
            Subject::Method(method) => is_method_silenced(method),
            Subject::Class(class) => annotations::is_silenced(program, &program.class(class).annotations),
        }
}

fn no_lock(subject: Subject, declared: &[(String, Declared)]) -> Vec<TypeError> {
    let wrong = declared.iter().filter(|(_, lock)| *lock == Declared::NoLock);
    wrong.map(|(text, _)| TypeError { rule: Rule::NoLock, subject, lock: text.clone(), place: None }).collect()
}

/// Fields of the class itself keep objects of the same owner: they can only hand the parameter on.
fn of_argument(program: &Program, field: FieldId) -> Option<TypeError> {
    let (text, given) = annotations::lock_argument(program, field)?;
    let class = annotations::kept_class(program, field);
    let declared = class.and_then(|class| annotations::declares_parameter(program, class));
    let is_right = declared.is_some_and(|(class, parameter)| {
        let is_handed_on = annotations::is_of_class(program, field, class);
        let is_lock = matches!(given, Declared::Lock(_)) && given == annotations::lock_of_parameter(program, class);
        if is_handed_on { text == parameter } else { is_lock }
    });
    let subject = Subject::Field(field);
    (!is_right).then_some(TypeError { rule: Rule::LockArgument, subject, lock: text, place: None })
}

fn of_class(program: &Program, field: &FieldType, class: ClassId) -> Option<TypeError> {
    let rule = match (annotations::claim(program, class)?, &field.owner) {
        (Claim::Immutable, Some(Owner::Final | Owner::ReadOnly | Owner::Unique)) | (Claim::ThreadSafe, Some(_)) => {
            return None;
        }
        (Claim::NotThreadSafe, _) => return None,
        (Claim::Immutable | Claim::ThreadLocal, _) if program.field(field.field).is_static() => return None,
        (Claim::ThreadLocal, Some(Owner::Guarded(_)) | None) => Rule::SharedObject,
        (Claim::ThreadLocal, _) => return None,
        (Claim::Immutable, _) => Rule::MutableClass,
        (Claim::ThreadSafe, None) => Rule::UnsafeClass,
    };
    let write = field.accesses.iter().find(|access| access.write).or(field.accesses.first());
    let place = write.map(|access| (access.method, access.value));
    Some(TypeError { rule, subject: Subject::Field(field.field), lock: String::new(), place })
}
