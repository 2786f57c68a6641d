//! What calls of libraries do, whose code is not there.
//!
//! Whatever is handed to a call may be put into any of what is handed to it and be returned, and may be called back. In which
//! thread, the class of the method says: the JDK's data structures call in the thread that calls them, and what is not known may
//! call in any number of threads of its own.

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

/// Beginnings of names of classes that call back in the thread that calls them.
const SYNCHRONOUS: &[&str] = &[
    "java/lang/",
    "java/util/",
    "java/io/",
    "java/nio/",
    "java/text/",
    "java/math/",
    "java/time/",
    "java/net/",
    "java/security/",
    "java/sql/",
];
/// Those of them that have threads of their own, or run parts of the work in others.
const THREADED: &[&str] = &[
    "java/util/Timer",
    "java/util/stream/",
    "java/util/concurrent/",
    "java/nio/channels/Asynchronous",
    "java/net/http/",
    "java/lang/Process",
    "java/lang/ref/Cleaner",
    "java/lang/Runtime",
    "java/lang/Thread$",
];
/// And those of these that have none.
const DATA: &[&str] = &[
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/ConcurrentLinked",
    "java/util/concurrent/ConcurrentSkipList",
    "java/util/concurrent/CopyOnWrite",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/LinkedBlocking",
    "java/util/concurrent/BlockingQueue",
    "java/util/concurrent/BlockingDeque",
    "java/util/concurrent/PriorityBlockingQueue",
    "java/util/concurrent/SynchronousQueue",
    "java/util/concurrent/CountDownLatch",
    "java/util/concurrent/Semaphore",
    "java/util/concurrent/TimeUnit",
    "java/util/concurrent/atomic/",
    "java/util/concurrent/locks/",
    "java/util/concurrent/ThreadLocalRandom",
];
/// Classes whose objects hold no objects of the application.
const CLOSED: &[&str] = &[
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
    "java/lang/Class",
    "java/lang/Math",
    "java/lang/System",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/concurrent/locks/ReentrantLock",
    "java/util/concurrent/TimeUnit",
    "java/util/concurrent/CountDownLatch",
    "java/util/concurrent/Semaphore",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/Random",
];
/// Names of methods that are tasks.
const TASKS: [&str; 4] = ["run", "call", "compute", "execute"];

/// Interfaces of tasks.
const TASK_TYPES: [&str; 2] = ["java/lang/Runnable", "java/util/concurrent/Callable"];

/// What a call of a library's method does.
#[must_use]
pub fn effect(program: &Program, method: MethodId) -> Effect {
    let data = program.method(method);
    let class = program.class_name(data.class);
    let name = program.names().text(data.name);
    let starts = |list: &[&str]| list.iter().any(|prefix| class.starts_with(prefix));
    let here = |here| Effect { here, elsewhere: Calls::None, is_start: false };
    let is_thread = program.superclasses(data.class).any(|above| &*program.class_name(above) == "java/lang/Thread");
    if is_thread {
        return match &*name {
            "start" => Effect { here: Calls::None, elsewhere: Calls::Run, is_start: true },
            "run" => here(Calls::Run),
            "setUncaughtExceptionHandler" | "setDefaultUncaughtExceptionHandler" | "startVirtualThread" => {
                Effect { here: Calls::None, elsewhere: Calls::All, is_start: false }
            }
            _ => here(Calls::None),
        };
    }
    match (&*class, &*name) {
        ("java/lang/Runnable", "run") | ("java/util/concurrent/Callable", "call") => here(Calls::All),
        _ if data.is_constructor() && class.starts_with("java/lang/ref/") => here(Calls::None),
        _ if &*class == "java/lang/Object" && &*name == "<init>" => here(Calls::None),
        _ if starts(SYNCHRONOUS) && !starts(THREADED) || starts(DATA) => here(Calls::NoTasks),
        _ => Effect { here: Calls::None, elsewhere: Calls::All, is_start: false },
    }
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
    !CLOSED.contains(&&*program.names().text(name))
}

fn is_reference(ty: Type) -> bool {
    ty.is_reference()
}
