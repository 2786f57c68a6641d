//! What calls of the JDK are: a table, as library knowledge is data.
//!
//! A method is listed only if it does not call the application back. Where it would ask its arguments for `hashCode`, `equals`,
//! `compareTo` or `toString`, they must be of a type whose methods are the JDK's (*tame*). What is not listed is compound: it
//! may block, call back, or touch what threads share.

use super::basic::Basic;
use crate::ir::{Body, Value};
use crate::program::{Base, Handle, MethodId, Name, Program, Type};
use crate::types::locks::{self, LockEffect};

/// One row: methods of a class, all if none is named.
struct Row {
    class: &'static str,
    methods: &'static [&'static str],
    is: Basic,
}

const fn row(class: &'static str, is: Basic, methods: &'static [&'static str]) -> Row {
    Row { class, methods, is }
}

/// Methods that do not wait.
const ROWS: &[Row] = &[
    row("java/lang/Object", Basic::Const, &["<init>", "getClass"]),
    // Only a thread that holds the monitor notifies others, and they go on when it is free.
    row("java/lang/Object", Basic::Mover, &["notify", "notifyAll"]),
    row("java/util/concurrent/locks/Condition", Basic::Mover, &["signal", "signalAll"]),
    row("java/lang/Math", Basic::Const, &[]),
    row("java/lang/StrictMath", Basic::Const, &[]),
    row("java/lang/Enum", Basic::Const, &["<init>", "name", "ordinal", "getDeclaringClass"]),
    row("java/lang/Record", Basic::Const, &["<init>"]),
    row("java/lang/Class", Basic::Const, &["desiredAssertionStatus", "getName", "getSimpleName", "isInstance"]),
    row("java/lang/System", Basic::Const, &["identityHashCode", "lineSeparator"]),
    row("java/lang/System", Basic::Mover, &["nanoTime", "currentTimeMillis"]),
    row("java/lang/Thread", Basic::Const, &["currentThread", "holdsLock", "<init>", "getId", "threadId", "onSpinWait"]),
    row("java/lang/Thread", Basic::Left, &["start"]),
    row("java/lang/Thread", Basic::Right, &["join"]),
    row("java/lang/Thread", Basic::Atomic, &["interrupt", "interrupted", "isInterrupted", "isAlive"]),
    row("java/util/Objects", Basic::Const, &["requireNonNull"]),
    row("java/util/concurrent/ThreadLocalRandom", Basic::Mover, &["current", "nextInt", "nextLong", "nextDouble"]),
    row("java/util/concurrent/locks/ReadWriteLock", Basic::Const, &["readLock", "writeLock"]),
    row("java/util/concurrent/locks/ReentrantReadWriteLock", Basic::Const, &["readLock", "writeLock"]),
    row("java/util/concurrent/locks/Lock", Basic::Const, &["newCondition"]),
    row("java/util/concurrent/locks/ReentrantLock", Basic::Const, &["newCondition"]),
    row("java/util/concurrent/CountDownLatch", Basic::Atomic, &["countDown", "getCount"]),
    row("java/util/concurrent/Semaphore", Basic::Atomic, &["release", "tryAcquire", "availablePermits"]),
    row("java/util/concurrent/atomic/LongAdder", Basic::Atomic, &["add", "increment", "decrement"]),
    row("java/util/concurrent/ConcurrentHashMap", Basic::Atomic, MAP),
    row("java/util/concurrent/ConcurrentMap", Basic::Atomic, MAP),
    row("java/util/concurrent/ConcurrentLinkedQueue", Basic::Atomic, QUEUE),
    row("java/util/concurrent/ConcurrentLinkedDeque", Basic::Atomic, QUEUE),
    row("java/util/concurrent/CopyOnWriteArrayList", Basic::Atomic, LIST),
    row("java/util/concurrent/LinkedBlockingQueue", Basic::Atomic, BOUNDED_QUEUE),
    row("java/util/concurrent/ArrayBlockingQueue", Basic::Atomic, BOUNDED_QUEUE),
    row("java/util/Hashtable", Basic::Atomic, MAP),
    row("java/util/Vector", Basic::Atomic, LIST),
    row("java/util/Vector", Basic::Atomic, &["addElement", "elementAt", "firstElement", "lastElement"]),
];

/// Methods of objects without locks of their own, for those that nobody else can have. What they return is the object itself or
/// not part of it.
const OWN: &[(&str, &[&str])] = &[
    ("java/lang/StringBuilder", TEXT),
    ("java/lang/StringBuffer", TEXT),
    ("java/util/ArrayList", &["add", "get", "set", "size", "isEmpty", "clear"]),
    (
        "java/util/ArrayDeque",
        &["add", "addFirst", "addLast", "push", "pop", "poll", "peek", "size", "isEmpty", "clear"],
    ),
];
const TEXT: &[&str] =
    &["append", "insert", "toString", "length", "charAt", "setCharAt", "setLength", "deleteCharAt", "reverse"];

const MAP: &[&str] = &["get", "put", "putIfAbsent", "remove", "containsKey", "replace", "getOrDefault"];
const QUEUE: &[&str] = &["add", "offer", "poll", "peek", "isEmpty"];
const BOUNDED_QUEUE: &[&str] = &["add", "offer", "poll", "peek", "isEmpty", "size", "remainingCapacity"];
const LIST: &[&str] = &["add", "get", "set", "size", "isEmpty"];
/// Methods that take objects and keep them without asking them for anything.
const KEEPING: &[&str] = &["add", "addElement", "offer", "set", "<init>"];
/// Wrapped numbers: immutable.
const NUMBERS: &[&str] = &[
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
];
/// Classes of which a new object, made of nothing or of a number, is nobody else's business.
const FRESH: &[&str] = &[
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/ThreadLocal",
    "java/util/ArrayList",
    "java/util/ArrayDeque",
    "java/util/BitSet",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/PriorityQueue",
    "java/util/Stack",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/CountDownLatch",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/Semaphore",
    "java/util/concurrent/locks/ReentrantLock",
    "java/util/concurrent/locks/ReentrantReadWriteLock",
    "java/util/concurrent/locks/StampedLock",
];
const ATOMICS: &str = "java/util/concurrent/atomic/Atomic";

/// What a call of a library's method is; the effects of locks are not its business.
#[must_use]
pub(super) fn of_call(program: &Program, method: MethodId, body: &Body, arguments: &[Value]) -> Basic {
    let data = program.method(method);
    let (declaring, name) = (program.class_name(data.class), program.names().text(data.name));
    let call = Call { program, method, name: &name, body, arguments };
    if data.is_constructor() {
        return call.of_constructor(&declaring);
    }
    let receiver = arguments.first().filter(|_| !data.is_static()).and_then(|first| call.class(*first));
    let of_class = |class: &str| call.of_class(class);
    receiver.and_then(|class| of_class(&class)).or_else(|| of_class(&declaring)).unwrap_or(Basic::Compound)
}

/// Whether an object of a class may be used like one that is not shared, if nobody else has it.
#[must_use]
pub(super) fn may_be_own(program: &Program, class: Type) -> bool {
    class.as_class().is_some_and(|name| OWN.iter().any(|(known, _)| *known == program.names().text(name)))
}

/// Whether a call is harmless if nobody else has the object that it is called on; such a call does not let it escape.
#[must_use]
pub(super) fn is_harmless_on_own(program: &Program, method: MethodId, body: &Body, arguments: &[Value]) -> bool {
    let data = program.method(method);
    let name = program.names().text(data.name);
    let call = Call { program, method, name: &name, body, arguments };
    let class = arguments.first().filter(|_| !data.is_static()).and_then(|first| call.class(*first));
    let Some((class, methods)) = OWN.iter().find(|(known, _)| class.as_deref() == Some(known)) else { return false };
    let is_of_numbers = || program.signature(method).parameters.iter().all(|ty| !ty.is_reference());
    if data.is_constructor() {
        return program.class_name(data.class) == *class && is_of_numbers();
    }
    // Text is made of what tells its text; collections keep what they are given.
    methods.contains(&&*name) && (*methods != TEXT || call.is_tame(1))
}

/// What taking a lock is, if it may not be held already, or giving it back, if it may be held no longer.
#[must_use]
pub(super) fn of_effect(effect: LockEffect) -> Basic {
    match effect {
        // An attempt that fails does nothing (`algorithms.md` 11.4).
        LockEffect::Acquires(_) | LockEffect::AcquiresIf(_) => Basic::Right,
        LockEffect::Releases => Basic::Left,
    }
}

/// What a call of a method does to a lock. An attempt that waits for a time is one too.
#[must_use]
pub(super) fn effect(program: &Program, method: MethodId) -> Option<LockEffect> {
    // Which of its modes a stamp stands for is not followed, so how often the lock is held is not known either.
    let is_stamped = program.class_name(program.method(method).class) == "java/util/concurrent/locks/StampedLock";
    locks::effect(program, method).filter(|_| !is_stamped)
}

/// What the making of a dynamic call site's result is: a lambda, or a string of its arguments.
#[must_use]
pub(super) fn of_dynamic(program: &Program, bootstrap: Option<Handle>, body: &Body, arguments: &[Value]) -> Basic {
    let owner = bootstrap.and_then(|handle| program.member(handle.member).owner.as_class());
    let is_tame = || arguments.iter().all(|value| is_tame(program, body.instruction(*value).ty));
    match owner.map(|owner| program.names().text(owner)).as_deref() {
        Some("java/lang/invoke/LambdaMetafactory") => Basic::Const,
        Some("java/lang/invoke/StringConcatFactory") if is_tame() => Basic::Const,
        _ => Basic::Compound,
    }
}

/// Whether values of a type are numbers, or objects whose methods are the JDK's.
fn is_tame(program: &Program, ty: Type) -> bool {
    let known = |name| {
        let class = program.names().text(name);
        class == "java/lang/String" || NUMBERS.contains(&&*class)
    };
    !ty.is_reference() || ty == Type::NULL || ty.as_class().is_some_and(known)
}

struct Call<'a> {
    program: &'a Program,
    method: MethodId,
    name: &'a str,
    body: &'a Body,
    arguments: &'a [Value],
}

impl Call<'_> {
    fn class(&self, value: Value) -> Option<String> {
        let name = self.body.instruction(value).ty.as_class()?;
        Some(self.program.names().text(name).into_owned())
    }

    fn of_class(&self, class: &str) -> Option<Basic> {
        if class == "java/lang/String" {
            return self.is_pure_on_text().then_some(Basic::Const);
        }
        if NUMBERS.contains(&class) {
            // `getInteger` and the like read system properties.
            return (!self.name.starts_with("get") && self.is_tame(1)).then_some(Basic::Const);
        }
        if class.starts_with(ATOMICS) {
            return (!self.takes_function() && self.name != "toString").then_some(Basic::Atomic);
        }
        let is_listed = |row: &&Row| row.class == class && (row.methods.is_empty() || row.methods.contains(&self.name));
        let row = ROWS.iter().find(is_listed)?;
        let asks = row.is == Basic::Atomic && !KEEPING.contains(&self.name);
        ((!asks || self.is_tame(1)) && !self.takes_function()).then_some(row.is)
    }

    fn of_constructor(&self, class: &str) -> Basic {
        let parameters = &self.program.signature(self.method).parameters;
        let of_numbers = parameters.iter().all(|ty| !ty.is_reference());
        let of_text = |ty: &Type| *ty == Type::class(Name::STRING) || self.names(*ty, "java/lang/Throwable");
        let throwable = self.program.names().get(b"java/lang/Throwable").and_then(|name| self.program.find(name));
        let class_id = self.program.method(self.method).class;
        let is_thrown = throwable.is_some_and(|throwable| self.program.is_subclass(class_id, throwable));
        // What is thrown asks its cause for a text only if it has none itself.
        let is_made_of_text =
            parameters.iter().all(of_text) && !matches!(parameters[..], [cause] if cause != Type::class(Name::STRING));
        let is_listed = ROWS.iter().any(|row| row.class == class && row.methods.contains(&"<init>"));
        let is_fresh = FRESH.contains(&class) && of_numbers || class.starts_with(ATOMICS) && !self.takes_arrays();
        if is_listed || is_fresh || is_thrown && is_made_of_text { Basic::Mover } else { Basic::Compound }
    }

    /// Methods of strings that look at nothing but strings and numbers.
    fn is_pure_on_text(&self) -> bool {
        let parameters = &self.program.signature(self.method).parameters;
        let is_text = |ty: &Type| !ty.is_reference() || *ty == Type::class(Name::STRING);
        self.name == "equals" || parameters.iter().all(is_text)
    }

    /// Whether the arguments from one on are the JDK's own, or numbers.
    fn is_tame(&self, from: usize) -> bool {
        let from = if self.program.method(self.method).is_static() { 0 } else { from };
        self.arguments.iter().skip(from).all(|value| is_tame(self.program, self.body.instruction(*value).ty))
    }

    /// Whether code may be passed to it.
    fn takes_function(&self) -> bool {
        let names = self.program.names();
        let is_function = |ty: &Type| match ty.base {
            Base::Class(class) => names.text(class).starts_with("java/util/function/"),
            _ => false,
        };
        self.program.signature(self.method).parameters.iter().any(is_function)
    }

    fn takes_arrays(&self) -> bool {
        self.program.signature(self.method).parameters.iter().any(|ty| ty.dimensions > 0)
    }

    fn names(&self, ty: Type, class: &str) -> bool {
        ty.as_class().is_some_and(|name| self.program.names().text(name) == class)
    }
}
