//! The containers of the JDK, whose own code is not looked at for races: what a call does to the contents as a whole
//! (algorithms of RacerD; `compute` writes here).

use facts::access::AccessKind;
use facts::models::contents;
use facts::models::inherited::{self, Inherited};

use crate::points_to::core::code::{CallSite, Dispatch};
use crate::program::{ClassId, MethodId, Name, Program, Type, flag};

/// Types through which containers are used.
const USED_AS: &[&str] = &[
    "java/util/Collection",
    "java/util/Map",
    "java/util/Iterator",
    "java/lang/Iterable",
    "java/util/BitSet",
    "java/util/StringJoiner",
];
/// Packages and classes whose objects threads may share without a lock.
const THREAD_SAFE: &[&str] = &[
    "java/util/concurrent/",
    "java/util/Hashtable",
    "java/util/Vector",
    "java/util/Stack",
    "java/util/Properties",
    "java/util/Collections$Synchronized",
    "java/util/Collections$Unmodifiable",
    "java/util/Collections$Empty",
    "java/util/Collections$Singleton",
    "java/util/ImmutableCollections",
];
/// How the names of methods begin that change the contents.
const WRITES: &[&str] = &[
    "add", "put", "set", "remove", "clear", "retain", "replace", "sort", "merge", "compute", "push", "pop", "poll",
    "offer", "flip", "and", "or", "xor", "trim", "ensure",
];

/// Whether a call of a method on a container, or with one as the first argument of a static method, reads its contents or writes them; none for
/// other methods.
pub fn access(program: &Program, method: MethodId) -> Option<bool> {
    let data = program.method(method);
    let class = program.class(data.class);
    let name = program.names().text(data.name);
    if class.is_application || data.is_constructor() || &*name == "getClass" {
        return None;
    }
    if data.is_static() {
        let call = call(program, method).filter(|call| call.is_static);
        return call.and_then(|call| call.object).map(|kind| kind == AccessKind::Write);
    }
    is_container(program, data.class).then(|| WRITES.iter().any(|prefix| name.starts_with(prefix)))
}

/// Whether a call of a library reads the contents of its last argument, as what copies a collection does, and what makes a text of one.
#[must_use]
pub fn reads_last(program: &Program, method: MethodId) -> bool {
    let (data, signature) = (program.method(method), program.signature(method));
    let is_object =
        signature.parameters.last().is_some_and(|last| last.as_class().is_some_and(|of| of != Name::STRING));
    is_object && !program.class(data.class).is_application && call(program, method).is_some_and(|call| call.copies)
}

fn call(program: &Program, method: MethodId) -> Option<contents::Call> {
    let data = program.method(method);
    let descriptor = program.names().text(program.signature(method).text);
    contents::call(&program.class_name(data.class), &program.names().text(data.name), &descriptor)
}

/// Whether a call of a map looks something up, which in a map in access order is a change.
#[must_use]
pub fn looks_up(program: &Program, method: MethodId) -> bool {
    call(program, method).is_some_and(|call| call.looks_up)
}

/// Whether a call on an object of a class uses contents that only one thread at a time may use. Of a class of the program that extends a
/// container of the JDK, what it does itself is looked at in its code.
#[must_use]
pub fn is_unsafe(program: &Program, ty: Type, call: Option<&CallSite>) -> bool {
    let Some(class) = ty.as_class().and_then(|name| program.find(name)) else { return false };
    if !program.class(class).is_application {
        return is_for_one_thread(program, class);
    }
    let Some(call) = call else { return false };
    let runs = match call.dispatch {
        Dispatch::Virtual => program.select(class, call.method),
        _ => Some(call.method),
    };
    let is_of_library = |class: &ClassId| !program.class(*class).is_application;
    let (Some(runs), Some(container)) = (runs, program.superclasses(class).find(is_of_library)) else { return false };
    is_of_library(&program.method(runs).class)
        && program.class(container).access & flag::ABSTRACT == 0
        && is_for_one_thread(program, container)
        && !calls_back(program, class, runs, container)
}

/// Whether a method of a container calls methods of a class below it on the same object, which have the accesses then.
fn calls_back(program: &Program, class: ClassId, runs: MethodId, container: ClassId) -> bool {
    let names = program.names();
    let named =
        |method: MethodId| (names.text(program.method(method).name), names.text(program.signature(method).text));
    let (name, descriptor) = named(runs);
    let Some(inherited) = inherited::number(&name, &descriptor).and_then(Inherited::of) else { return false };
    let below = program.superclasses(class).take_while(|below| *below != container);
    let mut methods = below.flat_map(|below| program.methods_of(below));
    methods.any(|own| {
        let (name, descriptor) = named(own);
        let is_public = program.method(own).access & flag::PUBLIC != 0;
        is_public && inherited.may_call(&program.class_name(container), &name, &descriptor)
    })
}

fn is_for_one_thread(program: &Program, class: ClassId) -> bool {
    let name = program.class_name(class);
    let is_safe = || THREAD_SAFE.iter().any(|prefix| name.starts_with(prefix));
    name.starts_with("java/util/") && !is_safe() && is_container(program, class)
}

fn is_container(program: &Program, class: ClassId) -> bool {
    program.ancestors(class).any(|above| USED_AS.contains(&&*program.class_name(above)))
}
