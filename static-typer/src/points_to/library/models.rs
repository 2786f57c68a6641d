//! What methods do that have no code to read, and those whose code says it in a way that cannot be followed.

use std::collections::BTreeSet;

use crate::points_to::core::code::{Access, CallSite, Code, Dispatch, Global, Local, NOWHERE, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::extract::Lambda;
use crate::points_to::frontend::resolve::Resolution;
use crate::program::{ClassId, MethodId, Name, Program, Type};

use super::parts::ClosedParts;
use super::{containers, elements, thread_locals};

/// What a method does.
#[derive(Clone, Copy)]
enum Model {
    /// Returns a parameter, or something that is used like it.
    Returns(usize),
    /// Returns a copy of the receiver.
    Copies,
    /// Returns an array of another length that is like its first parameter, and has its elements.
    Resizes,
    /// Copies the elements of one array to another.
    CopiesElements(usize, usize),
    /// Returns an element of its first parameter.
    LoadsElement,
    /// Stores its last parameter in the first one, an array.
    StoresElement,
    /// Returns a new array of any type with the elements of another one.
    CopiesArray(usize),
    /// Starts a thread: the parameter's `run`.
    Starts(usize),
    /// Starts a virtual thread: the task in the thread's continuation.
    StartsVirtual,
    /// Returns the current thread.
    CurrentThread,
    /// Returns an array of any type.
    ReturnsArray,
    /// Makes an object of each class that provides a service.
    Provides,
    /// Makes a reference, which the JVM puts into its queue some day.
    Enqueues,
    /// Stores its parameter in a static field.
    Sets(&'static str, &'static str),
    /// Calls a method of an interface on a parameter, with what nothing is known of, and returns what it does.
    Calls(usize, &'static str, &'static str, &'static str),
    /// Works on arrays of numbers only, if in several threads, then until these have ended: a matter of its caller.
    Numbers,
    /// Begins a framework, which makes and calls beans: that is for the environment to play.
    Begins,
}

/// Classes and names, with the beginnings of descriptors where methods of one name differ.
const MODELS: &[(&str, &str, Model)] = &[
    ("java/lang/Object", "clone", Model::Copies),
    ("java/lang/System", "arraycopy", Model::CopiesElements(0, 2)),
    ("java/lang/System", "setIn0", Model::Sets("java/lang/System", "in")),
    ("java/lang/System", "setOut0", Model::Sets("java/lang/System", "out")),
    ("java/lang/System", "setErr0", Model::Sets("java/lang/System", "err")),
    ("java/lang/Thread", "currentThread", Model::CurrentThread),
    ("java/lang/Thread", "currentCarrierThread", Model::CurrentThread),
    ("java/lang/Thread", "start", Model::Starts(0)),
    ("java/lang/ThreadBuilders$BoundVirtualThread", "start", Model::Starts(0)),
    ("java/lang/VirtualThread", "start", Model::StartsVirtual),
    ("java/lang/Runtime", "addShutdownHook", Model::Starts(1)),
    ("java/lang/ref/Reference", "<init>(Ljava/lang/Object;Ljava/lang/ref/ReferenceQueue;)", Model::Enqueues),
    ("java/lang/reflect/Array", "get(Ljava/lang/Object;I)", Model::LoadsElement),
    ("java/lang/reflect/Array", "set(Ljava/lang/Object;I", Model::StoresElement),
    ("java/lang/reflect/Array", "newArray", Model::ReturnsArray),
    ("java/lang/reflect/Array", "multiNewArray", Model::ReturnsArray),
    ("java/util/Arrays", "copyOf([Ljava/lang/Object;I)", Model::Resizes),
    ("java/util/Arrays", "copyOf([Ljava/lang/Object;ILjava/lang/Class;)", Model::CopiesArray(0)),
    ("java/util/Arrays", "copyOfRange([Ljava/lang/Object;II)", Model::Resizes),
    ("java/util/Arrays", "copyOfRange([Ljava/lang/Object;IILjava/lang/Class;)", Model::CopiesArray(0)),
    ("java/util/DualPivotQuicksort", "sort([", Model::Numbers),
    ("java/util/ServiceLoader$ProviderImpl", "newInstance", Model::Provides),
    (
        "java/lang/StackWalker",
        "walk",
        Model::Calls(1, "java/util/function/Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;"),
    ),
    (
        "java/lang/StackWalker",
        "forEach",
        Model::Calls(1, "java/util/function/Consumer", "accept", "(Ljava/lang/Object;)V"),
    ),
    ("java/lang/String", "intern", Model::Returns(0)),
    ("java/lang/Throwable", "fillInStackTrace", Model::Returns(0)),
    ("org/springframework/boot/SpringApplication", "run", Model::Begins),
    ("org/springframework/boot/builder/SpringApplicationBuilder", "run", Model::Begins),
    ("io/micronaut/runtime/Micronaut", "run", Model::Begins),
    ("io/micronaut/runtime/Micronaut", "start", Model::Begins),
    ("io/quarkus/runtime/Quarkus", "run", Model::Begins),
];

/// Whether a class has methods that begin a framework.
#[must_use]
pub fn begins_framework(class: &str) -> bool {
    MODELS.iter().any(|(of, _, model)| *of == class && matches!(model, Model::Begins))
}

/// The code that stands for a method, if the analysis cannot follow its own.
#[must_use]
pub fn model(resolution: &Resolution<'_>, closed: &ClosedParts, method: MethodId) -> Option<Code> {
    let program = resolution.program;
    let class = program.class_name(program.method(method).class);
    let name = program.names().text(program.method(method).name);
    let descriptor = program.names().text(program.signature(method).text);
    let is_named = |called: &str| {
        called
            .strip_prefix(&*name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('(') && descriptor.starts_with(rest))
    };
    let found = MODELS.iter().find(|(of, called, _)| *of == class && is_named(called));
    let mut code = declared(resolution, method);
    match found {
        Some((_, _, model)) => apply(resolution, &mut code, *model),
        None if thread_locals::model(resolution, &mut code, method) => {}
        None if closed.have(program, program.method(method).class) => returns(resolution, &mut code, method),
        None if !program.method(method).has_code() => {
            code.unknown.push(method);
            returns(resolution, &mut code, method);
        }
        None => return None,
    }
    code.finish();
    Some(code)
}

/// The parameters of a method, and nothing else.
pub fn declared(resolution: &Resolution<'_>, method: MethodId) -> Code {
    let program = resolution.program;
    let mut code = Code::of(method);
    if !program.method(method).is_static() {
        let receiver = code.local();
        code.parameters.push(Some(receiver));
    }
    for ty in &program.signature(method).parameters {
        let local = ty.is_reference().then(|| code.local());
        code.parameters.push(local);
    }
    code
}

fn apply(resolution: &Resolution<'_>, code: &mut Code, model: Model) {
    let parameter = |code: &Code, n: usize| code.parameters.get(n).copied().flatten();
    match model {
        Model::Begins => {
            if let Some(method) = code.method {
                returns(resolution, code, method);
            }
        }
        Model::Returns(n) => code.result = parameter(code, n),
        Model::Copies => {
            if let Some(receiver) = parameter(code, 0) {
                let result = code.result_local();
                code.copy(result, receiver);
            }
        }
        Model::Resizes => {
            if let Some((from, method)) = parameter(code, 0).zip(code.method) {
                let result = code.result_local();
                code.resize(result, from, method, NOWHERE);
            }
        }
        Model::LoadsElement => {
            if let Some(array) = parameter(code, 0) {
                let result = code.result_local();
                code.load(result, array, Slot::Element);
            }
        }
        Model::StoresElement => {
            if let Some((array, from)) = parameter(code, 0).zip(parameter(code, 2)) {
                code.store(array, Slot::Element, from);
            }
        }
        Model::CopiesElements(from, to) => {
            if let Some((from, to)) = parameter(code, from).zip(parameter(code, to)) {
                let element = code.local();
                code.load(element, from, Slot::Element);
                code.store(to, Slot::Element, element);
            }
        }
        Model::CopiesArray(n) => {
            let (copy, element) = (code.result_local(), code.local());
            let site = code.method.map_or(Site::Merged(Type::NULL), |method| Site::New(method, NOWHERE, 0));
            code.allocations.push((copy, site, Type::NULL));
            if let Some(from) = parameter(code, n) {
                code.load(element, from, Slot::Element);
                code.store(copy, Slot::Element, element);
            }
        }
        Model::Starts(n) => {
            if let Some(thread) = parameter(code, n) {
                code.global_stores.push((Global::Threads, thread));
                fork(resolution, code, "java/lang/Thread", thread);
                die(resolution, code, thread);
            }
        }
        Model::StartsVirtual => start_virtual(resolution, code),
        Model::CurrentThread => {
            let result = code.result_local();
            code.global_loads.push((result, Global::Threads, None));
        }
        Model::ReturnsArray => {
            let result = code.result_local();
            let site = code.method.map_or(Site::Merged(Type::NULL), Site::Returned);
            code.allocations.push((result, site, Type::NULL));
        }
        Model::Numbers => {}
        Model::Provides => providers(resolution, code),
        Model::Calls(n, class, name, descriptor) => {
            let called = resolution.program.method_named(class, name, descriptor);
            if let Some((called, on)) = called.zip(parameter(code, n)) {
                let result = Some(code.result_local());
                code.call(CallSite { result, ..call(Dispatch::Virtual, called, Box::new([Some(on), None])) });
            }
        }
        Model::Enqueues => enqueue(resolution, code),
        Model::Sets(class, field) => {
            if let Some((from, field)) = parameter(code, 0).zip(resolution.program.field_named(class, field)) {
                code.global_stores.push((Global::Static(field), from));
            }
        }
    }
}

/// Which loader it is cannot be told; casts tell services apart.
fn providers(resolution: &Resolution<'_>, code: &mut Code) {
    let Some(method) = code.method else { return };
    let (program, result) = (resolution.program, code.result_local());
    let providers = program.services().iter().filter_map(|(_, provider)| program.find(*provider));
    let providers: BTreeSet<ClassId> = providers.collect();
    for class in providers {
        let constructors = program.methods_of(class).filter(|method| {
            program.method(*method).is_constructor() && program.signature(*method).parameters.is_empty()
        });
        for constructor in constructors {
            let made = code.local();
            let ty = Type::class(program.class(class).name);
            code.allocations.push((made, Site::Reflected(method, NOWHERE, ty), ty));
            code.initializes.push(class);
            code.copies.push((result, made, None));
            code.call(call(Dispatch::Special, constructor, Box::new([Some(made)])));
        }
    }
}

fn enqueue(resolution: &Resolution<'_>, code: &mut Code) {
    const REFERENCE: &str = "java/lang/ref/Reference";
    let program = resolution.program;
    let [Some(this), referent, queue] = code.parameters[..] else { return };
    for (field, value) in [("referent", referent), ("queue", queue)] {
        if let Some((field, value)) = program.field_named(REFERENCE, field).zip(value) {
            code.store(this, Slot::Field(field), value);
        }
    }
    let enqueue = program.method_named("java/lang/ref/ReferenceQueue", "enqueue", "(Ljava/lang/ref/Reference;)Z");
    if let Some(enqueue) = enqueue {
        code.call(call(Dispatch::Virtual, enqueue, Box::new([queue, Some(this)])));
    }
}

fn fork(resolution: &Resolution<'_>, code: &mut Code, class: &str, receiver: Local) {
    if let Some(method) = resolution.program.method_named(class, "run", "()V") {
        let site = CallSite { is_fork: true, ..call(Dispatch::Virtual, method, Box::new([Some(receiver)])) };
        code.call(site);
    }
}

/// What the JVM has a thread do when an exception ends it, which any may: the handler of uncaught exceptions runs.
pub fn die(resolution: &Resolution<'_>, code: &mut Code, thread: Local) {
    let throwable = resolution.program.class_named("java/lang/Throwable");
    let dispatch =
        resolution.program.method_named("java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
    let Some((class, method)) = throwable.zip(dispatch) else { return };
    let thrown = code.local();
    let ty = Type::class(resolution.program.class(class).name);
    code.global_loads.push((thrown, Global::Thrown, Some(ty)));
    let arguments = Box::new([Some(thread), Some(thrown)]);
    code.call(CallSite { is_fork: true, ..call(Dispatch::Special, method, arguments) });
}

/// A virtual thread's task is run by its continuation (JDK 21, `VirtualThread.VThreadContinuation`).
fn start_virtual(resolution: &Resolution<'_>, code: &mut Code) {
    let Some(thread) = code.parameters.first().copied().flatten() else { return };
    let continuation = resolution.program.field_named("java/lang/VirtualThread", "cont");
    let target = resolution.program.field_named("jdk/internal/vm/Continuation", "target");
    code.global_stores.push((Global::Threads, thread));
    if let Some((continuation, target)) = continuation.zip(target) {
        let (of_thread, task) = (code.local(), code.local());
        code.load(of_thread, thread, Slot::Field(continuation));
        code.load(task, of_thread, Slot::Field(target));
        fork(resolution, code, "java/lang/Runnable", task);
        die(resolution, code, thread);
    }
}

/// What has no code does nothing, and returns something of its own.
pub fn returns(resolution: &Resolution<'_>, code: &mut Code, method: MethodId) {
    let ty = resolution.program.signature(method).result;
    if ty.is_reference() {
        let result = code.result_local();
        let site = if ty == Type::class(Name::STRING) { Site::Merged(ty) } else { Site::Returned(method) };
        code.allocations.push((result, site, ty));
    }
}

/// What a client's implementation of a method may do: keep what it gets, and return what clients have.
#[must_use]
pub fn client(resolution: &Resolution<'_>, method: MethodId) -> Code {
    let mut code = implementing(resolution, method);
    code.finish();
    code
}

/// The same of a default method, which the client may not override, or call from its own.
#[must_use]
pub fn overriding(resolution: &Resolution<'_>, method: MethodId) -> Code {
    let mut code = implementing(resolution, method);
    let arguments = code.parameters.clone().into();
    let result = code.result.map(|_| code.local());
    code.call(CallSite { result, ..call(Dispatch::Special, method, arguments) });
    if let Some((to, from)) = code.result.zip(result) {
        code.copy(to, from);
    }
    code.finish();
    code
}

fn implementing(resolution: &Resolution<'_>, method: MethodId) -> Code {
    let mut code = declared(resolution, method);
    let ty = resolution.program.signature(method).result;
    code.global_stores = code.parameters.iter().flatten().map(|parameter| (Global::Pool, *parameter)).collect();
    if ty.is_reference() {
        let result = code.result_local();
        code.global_loads.push((result, Global::Pool, Some(ty)));
        // What a framework gives, it makes each time.
        code.gives_shared = !resolution.has_opaque();
    }
    code
}

/// What a reference to a method of a library does to elements and contents, as `Arrays::fill` and `list::add` do.
fn accesses(program: &Program, code: &mut Code, lambda: &Lambda, method: MethodId, arguments: &[Option<Local>]) {
    if !program.class(program.method(lambda.method).class).is_application {
        return;
    }
    let elements = elements::accesses(program, lambda.handle.member).into_iter();
    let contents = containers::access(program, method).map(|write| (0, Slot::Content, write));
    let last = containers::reads_last(program, method).then(|| (arguments.len() - 1, Slot::Content, false));
    for (n, slot, write) in elements.map(|(n, write)| (n, Slot::Element, write)).chain(contents).chain(last) {
        if let Some(Some(base)) = arguments.get(n) {
            code.is_checked = true;
            let array = (slot == Slot::Element).then_some(Type::OBJECT);
            let held = Box::default();
            code.accesses.push(Access { at: lambda.at, slot, base: Some(*base), array, write, held });
        }
    }
}

/// The method of a lambda or a method reference: it calls what the handle says with what was captured and its parameters.
#[must_use]
pub fn lambda(resolution: &Resolution<'_>, lambda: &Lambda) -> Code {
    let program = resolution.program;
    let mut code = Code::of(lambda.method);
    code.lambda = Some(lambda.at);
    let receiver = code.local();
    code.parameters.push(Some(receiver));
    let mut arguments = Vec::new();
    for n in 0..lambda.captured {
        let captured = code.local();
        code.load(captured, receiver, Slot::Captured(n));
        arguments.push(Some(captured));
    }
    for ty in &lambda.parameters {
        let local = ty.is_reference().then(|| code.local());
        code.parameters.push(local);
        arguments.push(local);
    }
    let Some(method) = resolution.method(lambda.handle.member) else {
        code.finish();
        return code;
    };
    let dispatch = match lambda.handle.kind {
        6 => Dispatch::Static,
        7 | 8 => Dispatch::Special,
        _ => Dispatch::Virtual,
    };
    let class = program.method(method).class;
    if lambda.handle.kind == 8 {
        let made = code.local();
        let ty = Type::class(program.class(class).name);
        code.allocations.push((made, Site::New(lambda.method, lambda.at, 0), ty));
        code.initializes.push(class);
        code.result = Some(made);
        arguments.insert(0, Some(made));
    }
    if dispatch == Dispatch::Static {
        code.initializes.push(class);
    }
    accesses(program, &mut code, lambda, method, &arguments);
    let result = if lambda.handle.kind == 8 { None } else { Some(code.result_local()) };
    let site = CallSite { result, at: lambda.at, ..call(dispatch, method, arguments.into()) };
    code.call(site);
    code.finish();
    code
}
