//! The containers of the JDK, whose own code is not looked at for races: what a call does to the contents as a whole
//! (algorithms of RacerD; `compute` writes here).

use facts::access::AccessKind;
use facts::models::contents;

use crate::program::{MethodId, Program, Type};

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
        let descriptor = program.names().text(program.signature(method).text);
        let call = contents::call(&program.class_name(data.class), &name, &descriptor).filter(|call| call.is_static);
        return call.and_then(|call| call.object).map(|kind| kind == AccessKind::Write);
    }
    let is_container = program.ancestors(data.class).any(|above| USED_AS.contains(&&*program.class_name(above)));
    is_container.then(|| WRITES.iter().any(|prefix| name.starts_with(prefix)))
}

/// Whether objects of a class hold contents that only one thread at a time may use.
#[must_use]
pub fn is_unsafe(program: &Program, ty: Type) -> bool {
    let Some(class) = ty.as_class().and_then(|name| program.find(name)) else { return false };
    let name = program.class_name(class);
    !program.class(class).is_application
        && name.starts_with("java/util/")
        && !THREAD_SAFE.iter().any(|prefix| name.starts_with(prefix))
}
