//! Which instructions may have code of the application called that no call of it names: by a library, or by what the compiler leaves to
//! the JVM, as `toString` of what is concatenated.
//!
//! A library calls back what it gets, now or earlier. So what only gets text, numbers and the like, and knows no objects of the
//! application from before, does not.

use crate::ir::{Body, Op, Value};
use crate::program::{Bootstrap, MethodId, Name, Program, Type, flag};

use super::calls::CallGraph;

/// Final classes, whose objects have none of the application's code.
const CLOSED: &[&str] = &[
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Class",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
    "java/util/BitSet",
    "java/util/concurrent/TimeUnit",
];
/// Classes whose methods call nothing of what they get, unless it is a function, or told as text. Those with a slash at the end stand
/// for everything below.
const PLAIN: &[&str] =
    &["java/lang/Math", "java/lang/System", "java/util/concurrent/locks/", "java/util/concurrent/atomic/"];
/// Methods of every object that no class overrides.
const OF_OBJECTS: &[&str] = &["<init>", "getClass", "notify", "notifyAll", "wait"];
/// What calls whatever is told to it by names.
const REFLECTIVE: &[&str] =
    &["java/lang/reflect/Method", "java/lang/reflect/Constructor", "java/lang/invoke/MethodHandle"];

/// Whether an instruction may have a library, or the JVM, call the application back before it is over.
pub fn may_call_back(program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
    let is_closed = |argument: &Value| is_closed(program, body.instruction(*argument).ty);
    match body.op(value) {
        Op::InvokeDynamic(bootstrap, _, _, arguments) => {
            let class = program.method(body.method).class;
            !makes_lambda(program, program.bootstrap(class, *bootstrap)) && !arguments.iter().all(is_closed)
        }
        Op::Invoke(_, member, arguments) if calls.targets(body.method, value).library => {
            let Some(named) = calls.named(*member) else { return true };
            let skipped = usize::from(is_new(program, body, named, arguments));
            !is_plain(program, named) && !arguments.iter().skip(skipped).all(is_closed)
        }
        _ => false,
    }
}

/// Whether an instruction calls a method that is found by its name.
pub fn is_reflective(program: &Program, body: &Body, value: Value) -> bool {
    let Op::Invoke(_, member, _) = body.op(value) else { return false };
    let owner = program.member(*member).owner.as_class();
    owner.is_some_and(|owner| REFLECTIVE.contains(&&*program.names().text(owner)))
}

/// Numbers, text, and arrays of them.
fn is_closed(program: &Program, mut ty: Type) -> bool {
    while let Some(element) = ty.element().filter(|_| ty != Type::NULL) {
        ty = element;
    }
    let class = ty.as_class().map(|class| program.names().text(class));
    !ty.is_reference() || ty == Type::NULL || class.is_some_and(|class| CLOSED.contains(&&*class))
}

fn is_plain(program: &Program, named: MethodId) -> bool {
    let method = program.method(named);
    let (class, name) = (program.class_name(method.class), program.names().text(method.name));
    let is_known = |known: &&str| *known == class || known.ends_with('/') && class.starts_with(*known);
    let is_function = |ty: &Type| {
        let class = ty.as_class().and_then(|class| program.find(class));
        class.is_some_and(|class| program.class(class).access & flag::INTERFACE != 0)
    };
    PLAIN.iter().any(is_known) && name != "toString" && !program.signature(named).parameters.iter().any(is_function)
        || program.class(method.class).name == Name::OBJECT && OF_OBJECTS.contains(&&*name)
}

/// An object of a library that is being made knows none yet.
fn is_new(program: &Program, body: &Body, named: MethodId, arguments: &[Value]) -> bool {
    let is_made = |object: &Value| matches!(body.op(*object), Op::New);
    program.method(named).is_constructor() && arguments.first().is_some_and(is_made)
}

fn makes_lambda(program: &Program, bootstrap: Option<&Bootstrap>) -> bool {
    let factory = bootstrap.and_then(|bootstrap| bootstrap.handle).map(|handle| program.member(handle.member).owner);
    let owner = factory.and_then(Type::as_class);
    owner.is_some_and(|owner| &*program.names().text(owner) == "java/lang/invoke/LambdaMetafactory")
}
