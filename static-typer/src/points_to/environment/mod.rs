//! Who uses a program: its `main` methods, its tests, frameworks that call its beans, or a harness that calls a library as its
//! clients might (paper 000, section 2.1).
//!
//! The harness is code that is never run. Everything it makes or gets from a call goes to one pool, from which every argument
//! is taken that has the right type; each call of the interface may be made by several threads at once. Where nothing
//! implements an interface, clients do: what they are called with goes to the pool, and what they return comes from there.

pub mod beans;
pub mod client;
pub mod framework;
pub(super) mod opened;
mod requests;
pub mod suite;
mod test_driver;
pub mod test_methods;
mod test_runner;

use std::collections::BTreeSet;

use crate::points_to::core::code::{CallSite, Code, Dispatch, Global, Local, NOWHERE, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::models::die;
use crate::program::{ClassId, Constant, FieldId, MethodId, Name, Program, Surface, Type, flag};

use client::Client;
use framework::Framework;
pub use requests::{begins_framework, requests};
pub use test_driver::suite;
pub use test_runner::tests;

/// Classes that stand for interfaces of the JDK.
const STAND_INS: &[(&str, &str)] = &[
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/util/Iterator", "java/util/ArrayList$Itr"),
    ("java/util/Set", "java/util/HashSet"),
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/concurrent/ConcurrentMap", "java/util/concurrent/ConcurrentHashMap"),
    ("java/lang/CharSequence", "java/lang/String"),
    ("java/lang/Number", "java/lang/Integer"),
    ("java/lang/Comparable", "java/lang/Integer"),
    ("java/io/InputStream", "java/io/ByteArrayInputStream"),
    ("java/io/OutputStream", "java/io/ByteArrayOutputStream"),
    ("java/io/Reader", "java/io/StringReader"),
    ("java/io/Writer", "java/io/StringWriter"),
    ("java/util/Calendar", "java/util/GregorianCalendar"),
    ("java/util/concurrent/Executor", "java/util/concurrent/ThreadPoolExecutor"),
    ("java/util/concurrent/ExecutorService", "java/util/concurrent/ThreadPoolExecutor"),
    ("java/util/concurrent/ScheduledExecutorService", "java/util/concurrent/ScheduledThreadPoolExecutor"),
    ("java/util/concurrent/CompletionService", "java/util/concurrent/ExecutorCompletionService"),
];

/// What puts objects into containers.
const FILLED: [(&str, &str, &str); 2] = [
    ("java/util/Collection", "add", "(Ljava/lang/Object;)Z"),
    ("java/util/Map", "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
];

/// The environment that starts each of some `main` methods, in a thread of its own. The thread of an only one goes on with the
/// handler of uncaught exceptions.
#[must_use]
pub fn mains(resolution: &Resolution<'_>, mains: &[MethodId]) -> Code {
    let mut code = Code::default();
    let arguments = main_arguments(&mut code);
    mains.iter().for_each(|main| begin_main(resolution, &mut code, *main, arguments, true));
    code.is_sequential = mains.len() == 1;
    end_threads(resolution, &mut code);
    code.finish();
    code
}

/// What `main` methods get.
fn main_arguments(code: &mut Code) -> Local {
    let string = Type::class(Name::STRING);
    let (arguments, text) = (code.local(), code.local());
    code.allocations.push((arguments, Site::Given(string.array()), string.array()));
    code.allocations.push((text, Site::Merged(string), string));
    code.store(arguments, Slot::Element, text);
    arguments
}

/// Calls a `main` method, if `is_thread` in a thread of its own.
fn begin_main(resolution: &Resolution<'_>, code: &mut Code, main: MethodId, arguments: Local, is_thread: bool) {
    let program = resolution.program;
    code.initializes.push(program.method(main).class);
    // The main method of JDK 25 needs neither arguments nor to be static.
    let receiver = (!program.method(main).is_static()).then(|| {
        let receiver = code.local();
        let ty = Type::class(program.class(program.method(main).class).name);
        code.allocations.push((receiver, Site::Given(ty), ty));
        receiver
    });
    let takes = (!program.signature(main).parameters.is_empty()).then_some(Some(arguments));
    let dispatch = if receiver.is_some() { Dispatch::Special } else { Dispatch::Static };
    let passed: Vec<Option<Local>> = receiver.map(Some).into_iter().chain(takes).collect();
    code.call(CallSite { is_fork: is_thread, ..call(dispatch, main, passed.into()) });
}

/// The ends of threads that the program does not start: any number of them, unless one is all that there is.
fn end_threads(resolution: &Resolution<'_>, code: &mut Code) {
    let Some(thread) = give_thread(resolution, code) else { return };
    die(resolution, code, thread);
    let is_one = code.is_sequential;
    code.calls.last_mut().into_iter().for_each(|end| end.repeats = !is_one);
}

/// A thread that the program does not start.
fn give_thread(resolution: &Resolution<'_>, code: &mut Code) -> Option<Local> {
    let given = |code: &mut Code, class: &str| {
        let class = resolution.program.class_named(class)?;
        let local = code.local();
        let ty = Type::class(resolution.program.class(class).name);
        code.allocations.push((local, Site::Given(ty), ty));
        Some(local)
    };
    let thread = given(code, "java/lang/Thread")?;
    // Threads that they start are in their group, and it calls the handler that is for all.
    if let Some(group) = given(code, "java/lang/ThreadGroup") {
        let holder = given(code, "java/lang/Thread$FieldHolder");
        if let Some((holder, field)) = holder.zip(resolution.program.field_named("java/lang/Thread", "holder")) {
            code.store(thread, Slot::Field(field), holder);
        }
        let keeping = if holder.is_some() { "java/lang/Thread$FieldHolder" } else { "java/lang/Thread" };
        if let Some(field) = resolution.program.field_named(keeping, "group") {
            code.store(holder.unwrap_or(thread), Slot::Field(field), group);
        }
    }
    Some(thread)
}

/// The harness that calls what clients call, and the types that they implement.
#[must_use]
pub fn harness(resolution: &Resolution<'_>, client: &Client) -> (Code, BTreeSet<Type>) {
    let called = client.methods.iter().map(|method| resolution.program.method(*method).class).collect();
    let mut harness = Harness { internal: client.internal.clone(), called, ..Harness::new(resolution, None) };
    for method in &client.methods {
        harness.need_all(*method);
    }
    for method in &client.methods {
        if resolution.program.method(*method).is_constructor() {
            harness.make_another(*method);
        } else {
            harness.call(*method, true);
        }
    }
    for (method, classes) in &client.borrowed {
        harness.call_borrowed(*method, classes);
    }
    for (method, classes) in &client.inherited {
        harness.call_inherited(*method, classes);
    }
    for (field, classes) in &client.fields {
        harness.read(*field, classes);
    }
    harness.take_out();
    end_threads(resolution, &mut harness.code);
    harness.code.finish();
    (harness.code, harness.implemented)
}

struct Harness<'a> {
    resolution: &'a Resolution<'a>,
    /// The test frameworks whose part the harness takes, if it does: what is theirs is not made by their code.
    plays: Option<&'a Framework>,
    code: Code,
    /// Types of which objects were made, or cannot be.
    made: BTreeSet<Type>,
    /// Types that clients implement.
    implemented: BTreeSet<Type>,
    /// What clients can name.
    surface: Surface,
    /// Classes of which they call methods.
    called: BTreeSet<ClassId>,
    /// Classes that are nothing for them all the same.
    internal: BTreeSet<ClassId>,
    /// What they have of the library's classes, if that was asked for.
    own: Option<Local>,
}

impl<'a> Harness<'a> {
    fn new(resolution: &'a Resolution<'a>, plays: Option<&'a Framework>) -> Self {
        Self {
            resolution,
            plays,
            code: Code::default(),
            made: BTreeSet::new(),
            implemented: BTreeSet::new(),
            surface: Surface::of(resolution.program),
            called: BTreeSet::new(),
            internal: BTreeSet::new(),
            own: None,
        }
    }

    fn is_played(&self, class: ClassId) -> bool {
        self.plays.is_some_and(|framework| framework.has(class))
    }

    fn program(&self) -> &'a Program {
        self.resolution.program
    }

    /// Makes objects for everything that a method is called with.
    fn need_all(&mut self, method: MethodId) {
        let program = self.program();
        let data = program.method(method);
        let receiver =
            (!data.is_static() && !data.is_constructor()).then(|| Type::class(program.class(data.class).name));
        let parameters = program.signature(method).parameters.to_vec();
        self.need_each(receiver.into_iter().chain(parameters));
    }

    fn need_each(&mut self, types: impl IntoIterator<Item = Type>) {
        for ty in types.into_iter().filter(|ty| ty.is_reference()) {
            self.need(ty);
        }
    }

    /// Makes an object of every class of the application that is of a type. Of a type of the JDK, clients make no objects of classes that
    /// they cannot name: tasks, say, that are a library's own business.
    fn need(&mut self, ty: Type) {
        if !self.made.insert(ty) {
            return;
        }
        let program = self.program();
        if let Some(element) = ty.element() {
            return self.make_array(ty, element);
        }
        let Some(class) = self.resolution.program.class_of(ty) else { return };
        let below = program.application().filter(|below| program.is_subclass(*below, class) && ty != Type::OBJECT);
        let is_made = |below: &ClassId| is_concrete(program, *below) && !self.is_played(*below);
        let is_free = self.plays.is_some() || program.class(class).is_application;
        let is_named =
            |below: &ClassId| !self.internal.contains(below) && (is_free || self.surface.way(*below).is_some());
        let mut concrete: Vec<ClassId> = below.filter(is_made).filter(is_named).collect();
        if self.is_played(class) {
            return self.play(ty, class, &concrete);
        }
        let is_another = concrete.is_empty() || self.may_implement(class);
        let stand_in = stand_in(program, class).filter(|_| is_another);
        if is_another && stand_in.is_none() {
            self.implement(ty, class);
        }
        concrete.extend(stand_in);
        for class in concrete {
            self.make(class);
        }
    }

    /// Whether clients have a class of their own beside those of the library: of the JDK's interfaces, and of those that they know.
    fn may_implement(&self, class: ClassId) -> bool {
        let data = self.program().class(class);
        let is_known = !data.is_application || self.called.contains(&class);
        self.plays.is_none() && data.is_interface() && data.access & flag::PUBLIC != 0 && is_known
    }

    /// A client's class: its methods return what the pool has.
    fn implement(&mut self, ty: Type, class: ClassId) {
        self.implemented.insert(ty);
        self.make(class);
        let program = self.program();
        let methods = program.ancestors(class).flat_map(|above| program.methods_of(above));
        let open = methods.filter(|method| program.method(*method).access & flag::ABSTRACT != 0);
        let results: Vec<Type> = open.map(|method| program.signature(method).result).collect();
        for result in results.into_iter().filter(|result| result.is_reference()) {
            self.need(result);
        }
    }

    fn make(&mut self, class: ClassId) {
        let made = self.give(class);
        let program = self.program();
        let is_reached = self.plays.is_some() && program.class(class).is_application;
        let is_open = |method: &MethodId| is_reached || program.method(*method).access & flag::PRIVATE == 0;
        let constructors: Vec<MethodId> = program
            .methods_of(class)
            .filter(|method| program.method(*method).is_constructor() && is_open(method))
            .collect();
        for constructor in constructors {
            self.need_all(constructor);
            self.construct(made, constructor);
        }
        if self.plays.is_none() && !program.class(class).is_application {
            self.put_in(made, class);
        }
    }

    /// A container that clients pass on may hold what they have of the library.
    fn put_in(&mut self, container: Local, class: ClassId) {
        let program = self.program();
        let is_a = |name: &str| program.ancestors(class).any(|above| &*program.class_name(above) == name);
        let row = FILLED.iter().find(|(name, ..)| is_a(name));
        let Some(adding) = row.and_then(|(of, name, descriptor)| program.method_named(of, name, descriptor)) else {
            return;
        };
        let held = self.own();
        let n_held = program.signature(adding).parameters.len();
        let arguments = std::iter::once(Some(container)).chain(std::iter::repeat_n(Some(held), n_held));
        self.code.call(call(Dispatch::Virtual, adding, arguments.collect()));
    }

    /// The objects of the library's classes that clients have.
    fn own(&mut self) -> Local {
        if let Some(own) = self.own {
            return own;
        }
        let (own, types) = (self.code.local(), own_types(self.program()));
        self.code.global_loads.extend(types.into_iter().map(|ty| (own, Global::Pool, Some(ty))));
        *self.own.insert(own)
    }

    /// An object that the environment has, however it is made.
    fn give(&mut self, class: ClassId) -> Local {
        let ty = Type::class(self.program().class(class).name);
        let made = self.code.local();
        self.code.allocations.push((made, Site::Given(ty), ty));
        self.code.global_stores.push((Global::Pool, made));
        self.code.initializes.push(class);
        self.made.insert(ty);
        made
    }

    fn make_array(&mut self, ty: Type, element: Type) {
        let array = self.code.local();
        self.code.allocations.push((array, Site::Given(ty), ty));
        self.code.global_stores.push((Global::Pool, array));
        if element.is_reference() {
            self.need(element);
            let from = self.pooled(element);
            self.code.store(array, Slot::Element, from);
        }
    }

    /// What clients may find in arrays and containers that they are given: objects of the library, whether they could make such ones or
    /// not, as those may be in another state, and what is of an interface that they pass on, as lambdas are.
    fn take_out(&mut self) {
        let program = self.program();
        let (given, reached) = (self.code.local(), self.code.local());
        self.code.global_loads.push((given, Global::Pool, None));
        self.code.open(reached, given);
        self.code.open(reached, reached);
        let passed_on: Vec<Type> = lambda_types(program).into_iter().filter(|ty| self.may_take(*ty)).collect();
        for ty in own_types(program).into_iter().chain(passed_on) {
            let taken = self.code.local();
            self.code.copies.push((taken, reached, Some(ty)));
            self.code.global_stores.push((Global::Pool, taken));
        }
    }

    /// Whether clients use an interface: one of the library's own that they know, or one of the JDK's that they pass on.
    fn may_take(&self, interface: Type) -> bool {
        let Some(class) = self.program().class_of(interface) else { return false };
        let is_own = self.program().class(class).is_application;
        if is_own { self.called.contains(&class) } else { self.made.contains(&interface) }
    }

    fn pooled(&mut self, ty: Type) -> Local {
        let local = self.code.local();
        self.code.global_loads.push((local, Global::Pool, Some(ty)));
        local
    }

    fn construct(&mut self, made: Local, constructor: MethodId) {
        let arguments = self.arguments(Some(made), constructor);
        let is_thread = self.plays.is_some();
        let site = call(Dispatch::Special, constructor, arguments);
        self.code.call(CallSite { is_fork: is_thread, repeats: is_thread, ..site });
    }

    /// A client's thread makes an object that nobody else has, unless the constructor hands it over: it counts for what that does
    /// with others. What is made for all clients is another one.
    fn make_another(&mut self, constructor: MethodId) {
        let program = self.program();
        let class = program.method(constructor).class;
        let ty = Type::class(program.class(class).name);
        let made = self.code.local();
        self.code.allocations.push((made, Site::Reflected(constructor, NOWHERE, ty), ty));
        // Each thread makes its own.
        self.code.repeated.push(NOWHERE);
        self.code.initializes.push(class);
        let arguments = self.arguments(Some(made), constructor);
        self.code.call(CallSite { is_fork: true, repeats: true, ..call(Dispatch::Special, constructor, arguments) });
    }

    fn arguments(&mut self, receiver: Option<Local>, method: MethodId) -> Box<[Option<Local>]> {
        let parameters = self.program().signature(method).parameters.to_vec();
        let mut arguments: Vec<Option<Local>> = receiver.map(Some).into_iter().collect();
        for ty in parameters {
            let argument = ty.is_reference().then(|| self.pooled(ty));
            arguments.push(argument);
        }
        arguments.into()
    }

    fn call(&mut self, method: MethodId, is_fork: bool) {
        let program = self.program();
        let class = program.method(method).class;
        let is_static = program.method(method).is_static();
        let receiver = (!is_static).then(|| Type::class(program.class(class).name));
        let receiver = receiver.map(|ty| self.pooled(ty));
        self.call_on(receiver, method, is_fork);
    }

    /// A method of a class that was not chosen runs on the objects of chosen ones that have it.
    fn call_borrowed(&mut self, method: MethodId, classes: &BTreeSet<ClassId>) {
        let program = self.program();
        let types = classes.iter().map(|class| Type::class(program.class(*class).name));
        // Objects of other classes come from the library only.
        let is_public = |class: &&ClassId| program.class(**class).access & flag::PUBLIC != 0;
        let made = classes.iter().filter(is_public).map(|class| Type::class(program.class(*class).name));
        self.need_each(made.chain(program.signature(method).parameters.to_vec()));
        let receiver = self.code.local();
        self.code.global_loads.extend(types.map(|ty| (receiver, Global::Pool, Some(ty))));
        self.call_on(Some(receiver), method, true);
    }

    /// A protected method runs on the objects of classes of clients that have it.
    fn call_inherited(&mut self, method: MethodId, classes: &BTreeSet<ClassId>) {
        let program = self.program();
        self.need_each(program.signature(method).parameters.to_vec());
        let receiver = (!program.method(method).is_static()).then(|| self.extended(classes));
        self.call_on(receiver, method, true);
    }

    /// Objects of classes of clients that extend one of these.
    fn extended(&mut self, classes: &BTreeSet<ClassId>) -> Local {
        let local = self.code.local();
        for class in classes {
            let ty = Type::class(self.program().class(*class).name);
            self.extend(ty, *class);
            self.code.allocations.push((local, Site::Given(ty), ty));
        }
        local
    }

    fn extend(&mut self, ty: Type, class: ClassId) {
        let is_given = self.code.allocations.iter().any(|(_, site, _)| *site == Site::Given(ty));
        match is_concrete(self.program(), class) {
            _ if is_given => {}
            true => self.make(class),
            false => self.implement(ty, class),
        }
    }

    /// What a field refers to that clients read.
    fn read(&mut self, field: FieldId, classes: &BTreeSet<ClassId>) {
        let data = self.program().field(field);
        let (class, is_static) = (data.class, data.is_static());
        let read = self.code.local();
        if is_static {
            self.code.initializes.push(class);
            self.code.global_loads.push((read, Global::Static(field), None));
        } else {
            let ty = Type::class(self.program().class(class).name);
            let object = if classes.is_empty() { self.pooled(ty) } else { self.extended(classes) };
            self.code.load(read, object, Slot::Field(field));
        }
        self.code.global_stores.push((Global::Pool, read));
    }

    fn call_on(&mut self, receiver: Option<Local>, method: MethodId, is_fork: bool) {
        let program = self.program();
        let class = program.method(method).class;
        let is_static = program.method(method).is_static();
        let dispatch = dispatch_of(program, method);
        if is_static {
            self.code.initializes.push(class);
        }
        let result = self.program().signature(method).result.is_reference().then(|| self.code.local());
        self.code.global_stores.extend(result.map(|result| (Global::Pool, result)));
        let arguments = self.arguments(receiver, method);
        let site = CallSite { is_fork, result, repeats: true, ..call(dispatch, method, arguments) };
        self.code.call(site);
    }
}

/// The classes of an application of which there may be objects.
fn own_types(program: &Program) -> BTreeSet<Type> {
    let classes = program.application().filter(|class| is_concrete(program, *class));
    classes.map(|class| Type::class(program.class(class).name)).collect()
}

/// The interfaces of which an application makes lambdas.
fn lambda_types(program: &Program) -> BTreeSet<Type> {
    let constants = program.application().flat_map(|class| program.constants(class));
    let made = constants.filter_map(|constant| match constant {
        Constant::Dynamic { descriptor, .. } => Some(program.names().signature(*descriptor).result),
        _ => None,
    });
    made.collect()
}

/// The class whose objects stand for those of another, if there is one.
fn stand_in(program: &Program, class: ClassId) -> Option<ClassId> {
    if is_concrete(program, class) {
        return Some(class);
    }
    let name = program.class_name(class);
    let (_, other) = STAND_INS.iter().find(|(of, _)| *of == name)?;
    program.class_named(other)
}

fn dispatch_of(program: &Program, method: MethodId) -> Dispatch {
    match program.method(method).access {
        access if access & flag::STATIC != 0 => Dispatch::Static,
        access if access & flag::PRIVATE != 0 => Dispatch::Special,
        _ => Dispatch::Virtual,
    }
}

fn is_concrete(program: &Program, class: ClassId) -> bool {
    program.class(class).access & (flag::ABSTRACT | flag::INTERFACE) == 0
}
