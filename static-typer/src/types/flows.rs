//! How values of the application flow between types, and which of them other threads, or code that is not analysed, get at from
//! the start.

use facts::models::called::{Called, Does};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{Base, ClassId, MemberRef, MethodId, Name, Program, Surface, Type, flag};

use super::annotations;
use super::bodies::Bodies;
use super::families::Code;
use super::obstacle::{At, Cause, given_to};

/// The flows of an application.
#[derive(Default, Debug)]
pub struct Flows {
    /// From which types values come.
    pub from: FxHashMap<Type, FxHashSet<Type>>,
    /// To which types they go, and where first.
    pub to: FxHashMap<Type, FxHashMap<Type, At>>,
    /// What is stored in objects of a type, and where first.
    pub stored: FxHashMap<Type, FxHashMap<Type, At>>,
    /// What lambdas of a type have captured.
    pub captured: FxHashMap<Type, FxHashSet<Type>>,
    /// What is shared from the start, why, and where first.
    pub shared: FxHashMap<(Type, Cause), At>,
    /// Types that casts go down to.
    cast: FxHashSet<Type>,
    made: FxHashSet<Name>,
    clients: Option<Clients>,
    /// The instruction that is looked at.
    at: At,
}

/// What the clients of a library come to.
#[derive(Debug)]
struct Clients {
    surface: Surface,
    /// What they may call.
    methods: FxHashSet<MethodId>,
}

impl Flows {
    /// Follows every value of the application, and of its clients if it has some.
    #[must_use]
    pub fn of(code: Code<'_>, bodies: &Bodies, has_clients: bool) -> Self {
        let clients = has_clients.then(|| {
            let surface = Surface::of(code.program);
            Clients { methods: surface.methods(code.program), surface }
        });
        let mut flows = Self { clients, ..Self::default() };
        let mains = code.program.main_methods();
        for body in bodies.iter() {
            flows.at = Some((body.method, Value(0)));
            if code.calls.is_called_back(body.method) && !mains.contains(&body.method) {
                flows.add_parameters(code.program, body.method);
            }
            for value in body.all_values() {
                flows.at = Some((body.method, value));
                flows.add(code, body, value);
            }
        }
        flows.at = None;
        flows.add_classes(code);
        flows.add_clients(code.program);
        flows.add_casts(code.program);
        flows
    }

    /// The clients of a library make objects of its public classes, or get them, and share them.
    fn add_clients(&mut self, program: &Program) {
        let Some(clients) = self.clients.take() else { return };
        for class in clients.surface.classes() {
            self.share(Type::class(program.class(class).name), Cause::Client);
        }
    }

    /// What clients get as an object of a type that is not the library's, `Object` say, is of whichever type it has within.
    fn give(&mut self, program: &Program, given: Type, declared: Type, gets: impl FnOnce(&Clients) -> bool) {
        let is_own = |name| program.find(name).is_some_and(|class| program.class(class).is_application);
        let is_named = matches!(declared.base, Base::Class(name) if is_own(name));
        if !is_named && self.clients.as_ref().is_some_and(gets) {
            self.share(given, Cause::Client);
        }
    }

    fn flow(&mut self, from: Type, to: Type) {
        if from == to || !from.is_reference() || !to.is_reference() || from == Type::NULL {
            return;
        }
        self.to.entry(from).or_default().entry(to).or_insert(self.at);
        if self.from.entry(to).or_default().insert(from)
            && to != Type::NULL
            && let (Some(of), Some(seen_as)) = (from.element(), to.element())
        {
            // One array by two types: what is stored by either is read by the other.
            self.flow(of, seen_as);
            if of == Type::OBJECT {
                self.flow(seen_as, of);
            } else {
                self.cast.insert(of);
            }
        }
    }

    fn store(&mut self, holder: Type, stored: Type) {
        if stored.is_reference() && stored != Type::NULL {
            self.stored.entry(holder).or_default().entry(stored).or_insert(self.at);
        }
    }

    fn share(&mut self, ty: Type, cause: Cause) {
        if ty.is_reference() && ty != Type::NULL {
            self.shared.entry((ty, cause)).or_insert(self.at);
        }
    }

    fn add(&mut self, code: Code<'_>, body: &Body, value: Value) {
        let instruction = body.instruction(value);
        let ty = |value: Value| body.instruction(value).ty;
        match &instruction.op {
            Op::New => self.made.extend(instruction.ty.as_class()),
            Op::Phi(merged) => merged.iter().for_each(|merged| self.flow(ty(*merged), instruction.ty)),
            Op::Cast(inner) if code.program.is_subtype(ty(*inner), instruction.ty) => {
                self.flow(ty(*inner), instruction.ty);
            }
            Op::Cast(inner) => {
                self.cast.insert(instruction.ty);
                if ty(*inner).dimensions == 0 && !makes_array(code, body, *inner) {
                    self.share_array(instruction.ty);
                }
            }
            Op::Caught => drop(self.cast.insert(instruction.ty)),
            Op::GetField(_, member) | Op::GetStatic(member) => {
                let field = code.calls.field(*member).map(|field| code.program.field(field).class);
                if field.is_none_or(|class| !code.program.class(class).is_application) {
                    self.share_array(instruction.ty);
                }
            }
            Op::PutField(object, member, stored) => {
                self.store(ty(*object), ty(*stored));
                self.flow(ty(*stored), field_type(code.program, *member));
            }
            Op::PutStatic(member, stored) => {
                self.share(ty(*stored), Cause::Static);
                self.flow(ty(*stored), field_type(code.program, *member));
            }
            Op::StoreElement(array, _, stored) => {
                self.store(ty(*array), ty(*stored));
                self.flow(ty(*stored), ty(*array).element().unwrap_or(Type::NULL));
            }
            Op::NewArrays(_) => self.nest(instruction.ty),
            Op::Throw(thrown) => self.share(ty(*thrown), Cause::Thrown),
            Op::Return(Some(returned)) => {
                let declared = code.program.signature(body.method).result;
                self.flow(ty(*returned), declared);
                let gets = |clients: &Clients| clients.methods.contains(&body.method);
                self.give(code.program, ty(*returned), declared, gets);
                if code.calls.is_called_back(body.method) {
                    self.share(ty(*returned), Cause::Returned);
                }
            }
            Op::InvokeDynamic(_, _, _, captured) => {
                for captured in captured {
                    self.share(ty(*captured), Cause::Lambda);
                    self.captured.entry(instruction.ty).or_default().insert(ty(*captured));
                }
            }
            Op::Invoke(_, member, arguments) => {
                self.call_back(code, body, *member, arguments);
                self.call(code, body, value, arguments);
            }
            _ => {}
        }
    }

    /// What clients have called that override a method.
    fn call_back(&mut self, code: Code<'_>, body: &Body, member: MemberRef, arguments: &[Value]) {
        let Some(named) = code.calls.named(member) else { return };
        let declared = &code.program.signature(named).parameters;
        for (declared, argument) in declared.iter().rev().zip(arguments.iter().rev()) {
            let overrides = |clients: &Clients| clients.surface.is_overridden(code.program, named);
            self.give(code.program, body.instruction(*argument).ty, *declared, overrides);
        }
    }

    /// The arrays in an array.
    fn nest(&mut self, ty: Type) {
        if let Some(element) = ty.element().filter(|element| element.dimensions > 0) {
            self.store(ty, element);
            self.nest(element);
        }
    }

    fn call(&mut self, code: Code<'_>, body: &Body, value: Value, arguments: &[Value]) {
        let Code { program, calls, summaries } = code;
        let ty = |n: usize| body.instruction(arguments[n]).ty;
        let targets = calls.targets(body.method, value);
        for target in &targets.methods {
            let method = program.method(*target);
            let receiver = (!method.is_static()).then(|| Type::class(program.class(method.class).name));
            let parameters = receiver.into_iter().chain(program.signature(*target).parameters.iter().copied());
            for (n, parameter) in parameters.enumerate().take(arguments.len()) {
                self.flow(ty(n), parameter);
            }
            self.flow(program.signature(*target).result, body.instruction(value).ty);
        }
        if targets.library {
            for n in 0..arguments.len() {
                // What a library keeps is for it to share; of an `Object` it could be an array whose elements it copies.
                if summaries.lets_escape_into_library(program, calls, body, value, n) || ty(n) == Type::OBJECT {
                    self.share(ty(n), given_to(program, calls, body, value));
                } else if program.is_subtype(ty(n), body.instruction(value).ty) {
                    // Of what it does not keep, it may return a copy.
                    self.flow(ty(n), body.instruction(value).ty);
                }
            }
            self.copies(body, value, arguments);
            if !makes_array(code, body, value) {
                self.share_array(body.instruction(value).ty);
            }
        }
    }

    /// What a library calls with its arrays.
    fn add_parameters(&mut self, program: &Program, method: MethodId) {
        program.signature(method).parameters.iter().for_each(|parameter| self.share_array(*parameter));
    }

    /// An array of a library's may be known to all threads, as that of a buffer: other than objects of the application, it may be one
    /// that the application has not made.
    fn share_array(&mut self, ty: Type) {
        if ty.dimensions > 0 {
            self.share(ty, Cause::LibraryArray);
        }
    }

    /// `System.arraycopy` stores elements; `clone` and `Arrays.copyOf` return arrays of the same ones.
    fn copies(&mut self, body: &Body, value: Value, arguments: &[Value]) {
        let arrays: Vec<Type> =
            arguments.iter().map(|argument| body.instruction(*argument).ty).filter(|ty| ty.dimensions > 0).collect();
        let result = body.instruction(value).ty;
        for from in &arrays {
            for to in arrays.iter().chain([&result]) {
                if let Some(element) = from.element() {
                    self.store(*to, element);
                    self.flow(element, to.element().unwrap_or(Type::OBJECT));
                }
            }
        }
    }

    /// Objects that libraries make, or know by more than what is passed to them.
    fn add_classes(&mut self, code: Code<'_>) {
        let program = code.program;
        for class in program.application() {
            let data = program.class(class);
            let is_made = self.made.contains(&data.name) || data.access & (flag::ABSTRACT | flag::INTERFACE) != 0;
            let is_reflective = !is_made
                || code.calls.is_constructed(program, class)
                || annotations::invites_reflection(program, &data.annotations);
            let known = [
                (is_reflective, Cause::Reflection),
                (has_library_superclass(program, class), Cause::Superclass),
                (is_finalized(program, class), Cause::Finalizer),
            ];
            for (_, cause) in known.into_iter().filter(|(is_known, _)| *is_known) {
                self.share(Type::class(data.name), cause);
            }
        }
    }

    /// What is cast to a type is an object of one of its subtypes.
    fn add_casts(&mut self, program: &Program) {
        let mut done = FxHashSet::default();
        loop {
            let casts: Vec<Type> = self.cast.iter().copied().filter(|cast| done.insert(*cast)).collect();
            if casts.is_empty() {
                return;
            }
            let types: FxHashSet<Type> = self.to.keys().chain(self.stored.keys()).copied().collect();
            let classes = program.application().map(|class| Type::class(program.class(class).name));
            let types: FxHashSet<Type> = types.into_iter().chain(classes).collect();
            for cast in casts {
                let below: Vec<Type> = types.iter().copied().filter(|ty| program.is_subtype(*ty, cast)).collect();
                below.into_iter().for_each(|ty| self.flow(ty, cast));
            }
        }
    }
}

/// Whether a value is an array that a library has just made.
fn makes_array(code: Code<'_>, body: &Body, value: Value) -> bool {
    let Op::Invoke(_, member, _) = body.op(value) else { return false };
    let Some(named) = code.calls.named(*member).map(|named| code.program.method(named)) else { return false };
    let (class, name) = (code.program.class_name(named.class), code.program.names().text(named.name));
    let makes = |does: &Does| (*does == Does::MakesArray).then_some(());
    Called::built_in().of_call(&class, &name, "", makes).is_some()
}

fn field_type(program: &Program, member: MemberRef) -> Type {
    program.names().signature(program.member(member).descriptor).result
}

/// Finalizers run on a thread of their own.
fn is_finalized(program: &Program, class: ClassId) -> bool {
    program.methods_of(class).any(|method| program.names().text(program.method(method).name) == "finalize")
}

/// Threads, tasks and the like are passed around by the code of their superclasses.
fn has_library_superclass(program: &Program, class: ClassId) -> bool {
    let mut above = program.class(class).super_class;
    while let Some(class) = above {
        let data = program.class(class);
        if !data.is_application || data.is_incomplete {
            return data.name != Name::OBJECT;
        }
        above = data.super_class;
    }
    program.class(class).super_class.is_none()
}
