//! What calls of libraries do, whose code is not there.
//!
//! Whatever is handed to a call may be put into any of what is handed to it and be returned, and may be called back. In which
//! thread, the class of the method says: the JDK's data structures call in the thread that calls them, and what is not known may
//! call in any number of threads of its own.

use facts::models::called::{Callbacks, Called, Does};
use static_typer::program::{MethodId, Program, Type};

/// Which methods of objects a library calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Calls {
    /// None.
    None,
    /// `run`.
    Run,
    /// All but what is a task.
    NoTasks,
    /// All.
    All,
    /// What a virtual call of this method runs.
    Only(MethodId),
}

/// What a call does with what it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// What it calls back in the same thread.
    pub here: Calls,
    /// What it calls back in others.
    pub elsewhere: Calls,
    /// Whether it starts a thread: that which it is called on.
    pub is_start: bool,
}

/// Names of methods that are tasks.
const TASKS: [&str; 4] = ["run", "call", "compute", "execute"];

/// Interfaces of tasks.
const TASK_TYPES: [&str; 3] =
    ["java/lang/Runnable", "java/lang/ScopedValue$CallableOp", "java/util/concurrent/Callable"];

/// What a call of a library's method does.
#[must_use]
pub fn effect(program: &Program, method: MethodId) -> Effect {
    let data = program.method(method);
    let class = program.class_name(data.class);
    let name = program.names().text(data.name);
    let descriptor = program.names().text(program.signature(method).text);
    let here = |here| Effect { here, elsewhere: Calls::None, is_start: false };
    let elsewhere = Effect { here: Calls::None, elsewhere: Calls::All, is_start: false };
    if is_of_thread(program, method) {
        return match &*name {
            "start" => Effect { here: Calls::None, elsewhere: Calls::Run, is_start: true },
            "run" => here(Calls::Run),
            "setUncaughtExceptionHandler" | "setDefaultUncaughtExceptionHandler" | "startVirtualThread" => elsewhere,
            _ => here(Calls::None),
        };
    }
    match (&*class, &*name) {
        ("java/lang/Runnable", "run") | ("java/util/concurrent/Callable", "call") => here(Calls::All),
        _ if data.is_constructor() && class.starts_with("java/lang/ref/") => here(Calls::None),
        _ if &*class == "java/lang/Object" && &*name == "<init>" => here(Calls::None),
        _ if starts_threads(&class, &name, &descriptor) => elsewhere,
        _ if Called::built_in().of_objects(&class, |of| of.callbacks) == Some(Callbacks::Here) => {
            // A collection keeps tasks as any other object, and `Optional.ifPresentOrElse` runs one.
            let takes_task = TASK_TYPES.iter().any(|ty| descriptor.contains(&format!("L{ty};")));
            here(if takes_task && !data.is_constructor() { Calls::All } else { Calls::NoTasks })
        }
        _ => elsewhere,
    }
}

/// Whether a method is one of threads.
#[must_use]
pub fn is_of_thread(program: &Program, method: MethodId) -> bool {
    let class = program.method(method).class;
    program.superclasses(class).any(|above| &*program.class_name(above) == "java/lang/Thread")
}

/// Whether a method does, whatever others of its class do.
fn starts_threads(class: &str, name: &str, descriptor: &str) -> bool {
    Called::built_in()
        .of_call(class, name, descriptor, |does| (*does == Does::StartsThreads(true)).then_some(()))
        .is_some()
}

/// Whether such a method of an object is called; a lambda has only that of its interface.
#[must_use]
pub fn is_called(program: &Program, calls: Calls, method: Option<MethodId>, ty: Type) -> bool {
    let name = method.map(|method| program.names().text(program.method(method).name));
    let interface = ty.as_class().map(|class| program.names().text(class)).unwrap_or_default();
    match calls {
        Calls::None => false,
        Calls::Run => name.map_or(&*interface == "java/lang/Runnable", |name| &*name == "run"),
        Calls::NoTasks => name.map_or(!TASK_TYPES.contains(&&*interface), |name| !TASKS.contains(&&*name)),
        Calls::All | Calls::Only(_) => true,
    }
}

/// Whether objects of a type can hold objects of the application, or be some.
#[must_use]
pub fn is_open(program: &Program, ty: Type) -> bool {
    let Some(name) = ty.as_class().filter(|_| ty.dimensions == 0) else {
        return ty.element().is_some_and(is_reference);
    };
    !Called::built_in().of_class(&program.names().text(name)).any(|row| row.objects.is_closed)
}

fn is_reference(ty: Type) -> bool {
    ty.is_reference()
}
