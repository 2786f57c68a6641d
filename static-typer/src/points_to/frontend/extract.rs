//! From a body to the code that the points-to analysis works on.

use std::sync::Arc;

use crate::ir::{Body, Call, Op, Value};
use crate::points_to::core::code::{Access, CallSite, Code, Dispatch, Global, Local, Lock, Slot};
use crate::points_to::core::id::CodeId;
use crate::points_to::core::site::Site;
use crate::points_to::library::{containers, copies};
use crate::points_to::reflection::api::{Api, Apis};
use crate::points_to::reflection::call::Reflection;
use crate::program::{Base, Constant, FieldId, Handle, MemberRef, MethodId, Name, Type, flag};

use super::handles::Handles;
use super::held::{Held, HeldLocks};
use super::resolve::Resolution;

/// A lambda or method reference that code makes, and the code that its method stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// Its number.
    pub code: CodeId,
    /// The method that makes it.
    pub method: MethodId,
    /// The instruction that makes it.
    pub at: Value,
    /// What it runs.
    pub handle: Handle,
    /// How many references and numbers it captures.
    pub captured: u16,
    /// The method that it implements, without what is captured: types of its parameters, and of its result.
    pub parameters: Box<[Type]>,
}

/// Extracts code.
pub struct Extractor<'a> {
    /// What the instructions name.
    pub resolution: &'a Resolution<'a>,
    /// The fields that handles stand for.
    pub handles: &'a Handles<'a>,
    /// The reflective methods of the JDK.
    pub apis: Apis,
    /// The number of the next lambda's code.
    pub next: CodeId,
    /// The lambdas that were found.
    pub lambdas: Vec<Lambda>,
}

struct Extraction<'a, 'e> {
    from: &'e mut Extractor<'a>,
    body: &'e Body,
    code: Code,
    /// Values that are used.
    used: Vec<bool>,
    /// Whether one run may come to a block again.
    repeats: Vec<bool>,
    /// The lock of a synchronized method.
    entry: Option<Lock>,
}

/// What tells of which class an array is.
enum Example {
    /// The class itself.
    Class(Type),
    /// An array of the class.
    Array(Value),
}

/// The methods of `java.lang.invoke.VarHandle` and `Unsafe` whose last argument is stored.
const STORING: &[&str] = &["set", "put", "compareAnd", "weakCompareAnd", "getAndSet"];
/// `LambdaMetafactory.FLAG_SERIALIZABLE`.
const FLAG_SERIALIZABLE: i32 = 1;
/// Those that return what was stored.
const LOADING: &[&str] = &["get", "compareAndExchange"];

impl<'a> Extractor<'a> {
    /// The code of a method.
    pub fn code(&mut self, body: &Body) -> Code {
        let mut extraction = Extraction::new(self, body);
        extraction.declare();
        extraction.name_variables();
        let held = HeldLocks::of(extraction.from.resolution, body);
        held.for_each(|value, held| extraction.visit(value, held));
        let mut code = extraction.code;
        code.finish();
        code
    }
}

impl<'a, 'e> Extraction<'a, 'e> {
    fn new(from: &'e mut Extractor<'a>, body: &'e Body) -> Self {
        let mut used = vec![false; body.instructions.len()];
        for instruction in &body.instructions {
            instruction.op.for_each_operand(|operand| used[operand.index()] = true);
        }
        let code = Code::of(body.method);
        Self { from, body, code, used, repeats: repeating(body), entry: None }
    }

    fn program(&self) -> &'a crate::program::Program {
        self.from.resolution.program
    }

    fn declare(&mut self) {
        let program = self.program();
        let method = program.method(self.body.method);
        let class = program.class(method.class);
        self.code.is_checked = class.is_application;
        let receiver = (!method.is_static()).then_some(Type::class(class.name));
        let types = receiver.into_iter().chain(program.signature(self.body.method).parameters.iter().copied());
        let parameters: Vec<Type> = types.collect();
        for ty in parameters {
            let local = ty.is_reference().then(|| self.code.local());
            self.code.parameters.push(local);
        }
        if method.is_synchronized() {
            let local = self.code.parameters.first().copied().flatten().filter(|_| !method.is_static());
            let local = local.unwrap_or_else(|| self.class_constant(Type::class(class.name)));
            self.entry = Some(Lock { local, monitor: true, shared: false });
        }
    }

    fn class_constant(&mut self, class: Type) -> Local {
        let local = self.code.local();
        self.code.allocations.push((local, Site::Class(class), Type::class(Name::CLASS)));
        local
    }

    /// Gives every reference a variable; what is the same for sure shares one.
    fn name_variables(&mut self) {
        for value in self.body.all_values() {
            if let Op::Parameter(n) = self.body.op(value)
                && let Some(Some(local)) = self.code.parameters.get(usize::from(*n))
            {
                self.code.set_local(value, *local);
            }
        }
        for value in self.body.all_values() {
            if let Some(from) = self.checked(value).and_then(|from| self.local(from)) {
                self.code.set_local(value, from);
            }
            let Op::Cast(from) = self.body.op(value) else { continue };
            let (from_type, to) = (self.body.instruction(*from).ty, self.body.instruction(value).ty);
            let is_known = to != Type::NULL && from_type != Type::NULL && self.program().is_subtype(from_type, to);
            if is_known || self.is_marked(*from, to) {
                let local = self.code.local_of(*from);
                self.code.set_local(value, local);
            }
        }
    }

    /// Whether an instruction makes a lambda that is of a type too beside its own, as `(Runnable & Serializable) () -> {}` is.
    fn is_marked(&self, mut lambda: Value, to: Type) -> bool {
        while let Op::Cast(from) = self.body.op(lambda) {
            lambda = *from;
        }
        let (program, class) = (self.program(), self.program().method(self.body.method).class);
        let Op::InvokeDynamic(bootstrap, ..) = self.body.op(lambda) else { return false };
        let Some(bootstrap) = program.bootstrap(class, *bootstrap) else { return false };
        // What follows the three arguments of every lambda (`LambdaMetafactory.altMetafactory`).
        let mut marks = bootstrap.arguments.iter().skip(3);
        let is_serializable = matches!(marks.next(), Some(Constant::Int(flags)) if flags & FLAG_SERIALIZABLE != 0)
            && to.as_class().is_some_and(|to| &*program.names().text(to) == "java/io/Serializable");
        is_serializable || marks.any(|mark| matches!(mark, Constant::Class(mark) if program.is_subtype(*mark, to)))
    }

    /// What a call only checks and returns: else all its callers would get what any of them gives.
    fn checked(&self, value: Value) -> Option<Value> {
        let Op::Invoke(Call::Static, member, arguments) = self.body.op(value) else { return None };
        let (names, member) = (self.program().names(), self.program().member(*member));
        let is_check =
            names.text(member.owner.as_class()?) == "java/util/Objects" && names.text(member.name) == "requireNonNull";
        arguments.first().copied().filter(|_| is_check)
    }

    /// The variable of a reference; none for what is no reference, `null` included.
    fn local(&mut self, value: Value) -> Option<Local> {
        let instruction = self.body.instruction(value);
        let refers = instruction.ty.is_reference() && instruction.ty != Type::NULL;
        (refers && instruction.op != Op::Null).then(|| self.code.local_of(value))
    }

    /// The variable of a result that something uses.
    fn result(&mut self, value: Value) -> Option<Local> {
        if self.used[value.index()] { self.local(value) } else { None }
    }

    fn visit(&mut self, value: Value, held: &[Held]) {
        let (body, ty) = (self.body, self.body.instruction(value).ty);
        match body.op(value) {
            Op::Caught => self.load_global(value, Global::Thrown, Some(ty)),
            Op::Phi(operands) => self.phi(value, operands),
            Op::Constant(constant) => self.constant(value, *constant),
            Op::New => self.allocate(value, ty),
            Op::NewArray(length) => self.allocate_array(value, ty, *length),
            Op::NewArrays(lengths) => self.allocate_arrays(value, ty, lengths.len()),
            Op::LoadElement(array, _) => self.element(value, *array, None, held),
            Op::StoreElement(array, _, stored) => self.element(value, *array, Some(*stored), held),
            Op::GetField(base, member) => self.field(value, Some(*base), *member, None, held),
            Op::PutField(base, member, stored) => self.field(value, Some(*base), *member, Some(*stored), held),
            Op::GetStatic(member) => self.field(value, None, *member, None, held),
            Op::PutStatic(member, stored) => self.field(value, None, *member, Some(*stored), held),
            Op::Invoke(call, member, arguments) => self.invoke(value, *call, *member, arguments, held),
            Op::InvokeDynamic(bootstrap, _, descriptor, arguments) => {
                self.invoke_dynamic(value, *bootstrap, *descriptor, arguments, held);
            }
            Op::Cast(from) => self.cast(value, *from, ty),
            Op::Return(Some(returned)) => {
                if let Some(from) = self.local(*returned) {
                    let result = self.code.result_local();
                    self.code.copies.push((result, from, None));
                }
            }
            Op::Throw(thrown) => {
                if let Some(from) = self.local(*thrown) {
                    self.code.global_stores.push((Global::Thrown, from));
                }
            }
            _ => {}
        }
    }

    fn load_global(&mut self, value: Value, global: Global, ty: Option<Type>) {
        if let Some(to) = self.result(value) {
            self.code.global_loads.push((to, global, ty));
        }
    }

    fn phi(&mut self, value: Value, operands: &[Value]) {
        let Some(to) = self.result(value) else { return };
        for operand in operands {
            if let Some(from) = self.local(*operand)
                && from != to
            {
                self.code.copies.push((to, from, None));
            }
        }
    }

    fn cast(&mut self, value: Value, from: Value, ty: Type) {
        let (to, local) = (self.result(value), self.local(from));
        self.code.casts.push((value, local.filter(|_| !self.is_marked(from, ty)), ty));
        let Some((to, from)) = to.zip(local) else { return };
        if to != from {
            self.code.copies.push((to, from, Some(ty)));
        }
    }

    fn constant(&mut self, value: Value, constant: Constant) {
        let Some(to) = self.result(value) else { return };
        let ty = self.body.instruction(value).ty;
        let site = match constant {
            Constant::Class(class) => Site::Class(class),
            Constant::String(text) if self.names_class(text) => Site::Text(text),
            _ => Site::Merged(ty),
        };
        self.code.allocations.push((to, site, ty));
    }

    /// Whether a text is the name of a class, as `Class.forName` takes it.
    fn names_class(&self, text: Name) -> bool {
        let names = self.program().names();
        let internal: Vec<u8> = names.bytes(text).iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
        let class = names.get(&internal).and_then(|name| self.program().find(name));
        class.is_some_and(|class| internal.contains(&b'/') || self.program().class(class).is_application)
    }

    fn allocate(&mut self, value: Value, ty: Type) {
        let to = self.code.local_of(value);
        let site = if self.is_merged(ty) { Site::Merged(ty) } else { Site::New(self.body.method, value, 0) };
        self.code.allocations.push((to, site, ty));
        self.hand_over(to, ty);
        self.code.initializes.extend(ty.as_class().and_then(|name| self.program().find(name)));
        if self.repeats(value) {
            self.code.repeated.push(value);
        }
    }

    /// Test frameworks may get what is of a type of theirs.
    fn hand_over(&mut self, made: Local, ty: Type) {
        if self.from.resolution.framework.knows(self.program(), ty) {
            self.code.global_stores.push((Global::Pool, made));
        }
    }

    /// What an empty array is assigned to is filled later with another one.
    fn allocate_array(&mut self, value: Value, ty: Type, length: Value) {
        if matches!(self.body.op(length), Op::Constant(Constant::Int(0))) {
            let to = self.code.local_of(value);
            self.code.allocations.push((to, Site::Empty(ty), ty));
        } else {
            self.allocate(value, ty);
        }
    }

    fn allocate_arrays(&mut self, value: Value, ty: Type, dimensions: usize) {
        let mut outer = self.code.local_of(value);
        self.code.allocations.push((outer, Site::New(self.body.method, value, 0), ty));
        self.code.repeated.push(value);
        let mut ty = ty;
        for depth in 1..dimensions.min(usize::from(u8::MAX)) {
            let Some(element) = ty.element() else { return };
            let inner = self.code.local();
            self.code.allocations.push((inner, Site::New(self.body.method, value, depth as u8), element));
            self.code.store(outer, Slot::Element, inner);
            (outer, ty) = (inner, element);
        }
    }

    /// Texts and exceptions are many, and nobody asks which.
    fn is_merged(&self, ty: Type) -> bool {
        let Some(class) = ty.as_class().and_then(|name| self.program().find(name)) else { return false };
        let name = self.program().class_name(class);
        matches!(&*name, "java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer")
            || self
                .program()
                .superclasses(class)
                .any(|above| &*self.program().class_name(above) == "java/lang/Throwable")
    }

    fn repeats(&self, value: Value) -> bool {
        let place = self.body.blocks.partition_point(|block| block.instructions.end <= value.0);
        self.repeats.get(place).copied().unwrap_or(true)
    }

    fn locks(&mut self, held: &[Held]) -> Box<[Lock]> {
        let entry = self.entry;
        let taken = held.iter().filter_map(|held| {
            let local = self.local(held.lock)?;
            Some(Lock { local, monitor: held.monitor, shared: held.shared })
        });
        entry.into_iter().chain(taken).collect()
    }

    fn access(&mut self, at: Value, base: Option<Value>, slot: Slot, write: bool, held: &[Held]) {
        if self.code.is_checked {
            let held = self.locks(held);
            let array = base.filter(|_| slot == Slot::Element).map(|array| self.body.instruction(array).ty);
            // What `null` refers to is never accessed.
            let base = match base.map(|base| self.local(base)) {
                Some(None) => return,
                Some(base) => base,
                None => None,
            };
            self.code.accesses.push(Access { at, slot, base, array, write, held });
        }
    }

    fn element(&mut self, value: Value, array: Value, stored: Option<Value>, held: &[Held]) {
        self.access(value, Some(array), Slot::Element, stored.is_some(), held);
        let Some(base) = self.local(array) else { return };
        match stored {
            None => {
                if let Some(to) = self.result(value) {
                    self.code.load_element(to, base, self.body.instruction(value).ty);
                }
            }
            Some(stored) => {
                if let Some(from) = self.local(stored) {
                    self.code.store(base, Slot::Element, from);
                }
            }
        }
    }

    fn field(&mut self, at: Value, base: Option<Value>, member: MemberRef, stored: Option<Value>, held: &[Held]) {
        let Some(field) = self.from.resolution.field(member) else { return };
        self.access(at, base, Slot::Field(field), stored.is_some(), held);
        let Some(base) = base else {
            self.code.initializes.push(self.program().field(field).class);
            match stored {
                None => self.load_global(at, Global::Static(field), None),
                Some(stored) => {
                    let from = self.local(stored);
                    self.code.global_stores.extend(from.map(|from| (Global::Static(field), from)));
                }
            }
            return;
        };
        let Some(base) = self.local(base) else { return };
        match stored {
            None => {
                if let Some(to) = self.result(at) {
                    self.code.load(to, base, Slot::Field(field));
                    if self.program().field(field).is_final() {
                        self.code.is_part(to, base, field);
                    }
                }
            }
            Some(stored) => {
                if let Some(from) = self.local(stored) {
                    self.code.store(base, Slot::Field(field), from);
                }
            }
        }
    }

    fn invoke(&mut self, at: Value, call: Call, member: MemberRef, arguments: &[Value], held: &[Held]) {
        if self.by_handle(at, member, arguments) {
            return;
        }
        let Some(method) = self.from.resolution.method(member) else { return };
        if self.class_of(at, method, arguments)
            || self.clone(at, call, method, arguments)
            || self.array_like(at, method, arguments)
        {
            return;
        }
        let program = self.program();
        if call == Call::Static {
            self.code.initializes.push(program.method(method).class);
        }
        let dispatch = match call {
            Call::Static => Dispatch::Static,
            Call::Special => Dispatch::Special,
            Call::Virtual | Call::Interface if program.method(method).access & flag::PRIVATE != 0 => Dispatch::Special,
            Call::Virtual | Call::Interface => Dispatch::Virtual,
        };
        if let Some(write) = containers::access(program, method) {
            self.access(at, arguments.first().copied(), Slot::Content, write, held);
        }
        let result = if self.checked(at).is_some() { None } else { self.result(at) };
        if let Some(((to, field), of)) = result.zip(self.getter(method)).zip(arguments.first().copied())
            && let Some(of) = self.local(of)
        {
            self.code.is_part(to, of, field);
        }
        match self.privileged(method) {
            Some((run, fails)) => {
                self.call(at, Dispatch::Virtual, run, &arguments[..1], result, held);
                // It wraps what the action throws.
                if fails {
                    self.call(at, dispatch, method, arguments, None, held);
                }
            }
            None => self.call(at, dispatch, method, arguments, result, held),
        }
    }

    /// What `AccessController.doPrivileged` runs on its first argument, and whether that may fail: all that ask for it would get
    /// what any action gives.
    fn privileged(&self, method: MethodId) -> Option<(MethodId, bool)> {
        const ACTIONS: [&str; 2] = ["java/security/PrivilegedAction", "java/security/PrivilegedExceptionAction"];
        let program = self.program();
        let (data, signature) = (program.method(method), program.signature(method));
        let takes = program.names().text(signature.parameters.first()?.as_class()?);
        let action = ACTIONS.into_iter().find(|action| *action == takes)?;
        let is_asked = program.class_name(data.class) == "java/security/AccessController"
            && program.names().text(data.name).starts_with("doPrivileged");
        let run =
            self.from.resolution.program.method_named(action, "run", "()Ljava/lang/Object;").filter(|_| is_asked)?;
        Some((run, action == ACTIONS[1]))
    }

    /// Asks for the class of an object outside the JDK, where its members may be called; says whether this does.
    fn class_of(&mut self, at: Value, method: MethodId, arguments: &[Value]) -> bool {
        let program = self.program();
        if !self.is_get_class(method) || program.is_of_jdk(program.method(self.body.method).class) {
            return false;
        }
        let of = arguments.first().and_then(|of| self.local(*of));
        if let Some((of, to)) = of.zip(self.result(at)) {
            self.code.class_of(to, of, method);
        }
        true
    }

    /// Copies an array, or what a subclass copies with `super.clone()`: all that ask `Object` for copies would get what any of them
    /// gets. Says whether this does.
    fn clone(&mut self, at: Value, call: Call, method: MethodId, arguments: &[Value]) -> bool {
        let Some(from) = arguments.first().copied() else { return false };
        let is_certain = call == Call::Special || self.body.instruction(from).ty.dimensions > 0;
        if !is_certain || !copies::is_made_by(self.program(), method) {
            return false;
        }
        if let Some((from, to)) = self.local(from).zip(self.result(at)) {
            self.code.copy(to, from);
        }
        true
    }

    fn is_get_class(&self, method: MethodId) -> bool {
        let (program, data) = (self.program(), self.program().method(method));
        &*program.names().text(data.name) == "getClass" && &*program.class_name(data.class) == "java/lang/Object"
    }

    /// Makes an array whose class an argument gives, `Array.newInstance(C.class, n)` or `Arrays.copyOf(elements, n, C[].class)`,
    /// or of the class of another array; says whether this does. Else all that are made so would be one array of any class.
    fn array_like(&mut self, at: Value, method: MethodId, arguments: &[Value]) -> bool {
        let (program, data) = (self.program(), self.program().method(method));
        let class = match (&*program.class_name(data.class), &*program.names().text(data.name), arguments) {
            ("java/lang/reflect/Array", "newInstance", [of, length])
                if !self.body.instruction(*length).ty.is_reference() =>
            {
                self.element_class(*of)
            }
            ("java/util/Arrays", "copyOf" | "copyOfRange", [_, _, of] | [_, _, _, of]) => self.array_class(*of),
            _ => None,
        };
        let to = match class {
            None => return false,
            Some(Example::Class(ty)) => {
                let to = self.code.local_of(at);
                self.code.allocations.push((to, Site::Reflected(self.body.method, at, ty), ty));
                to
            }
            Some(Example::Array(of)) => {
                let Some(of) = self.local(of) else { return false };
                let to = self.code.local_of(at);
                self.code.resize(to, of, self.body.method, at);
                to
            }
        };
        if let Some(from) = arguments.first().filter(|_| arguments.len() > 2).and_then(|from| self.local(*from)) {
            let element = self.code.local();
            self.code.load(element, from, Slot::Element);
            self.code.store(to, Slot::Element, element);
        }
        true
    }

    /// Of what array a value is the class.
    fn array_class(&self, class: Value) -> Option<Example> {
        match self.body.op(class) {
            Op::Cast(from) => self.array_class(*from),
            Op::Constant(Constant::Class(ty)) if ty.dimensions > 0 => Some(Example::Class(*ty)),
            Op::Invoke(_, member, of) if self.is_get_class(self.from.resolution.method(*member)?) => {
                let of = *of.first()?;
                (self.body.instruction(of).ty.dimensions > 0).then_some(Example::Array(of))
            }
            _ => None,
        }
    }

    /// Of what array a value is the class of the elements.
    fn element_class(&self, class: Value) -> Option<Example> {
        let program = self.program();
        match self.body.op(class) {
            Op::Cast(from) => self.element_class(*from),
            Op::Constant(Constant::Class(ty)) => Some(Example::Class(ty.array())),
            Op::Invoke(_, member, of) => {
                let method = program.method(self.from.resolution.method(*member)?);
                let is_asked = program.class_name(method.class) == "java/lang/Class"
                    && matches!(&*program.names().text(method.name), "getComponentType" | "componentType");
                if is_asked { self.array_class(*of.first()?) } else { None }
            }
            _ => None,
        }
    }

    /// The final field of its first argument that a method returns and does nothing else, if no other can be run instead:
    /// `aload_0, getfield, areturn`. Classes use such methods to get at private fields of those around them.
    fn getter(&self, method: MethodId) -> Option<FieldId> {
        let program = self.program();
        let data = program.method(method);
        let [_, _, _, _, 0, 0, 0, 5, 0x2a, 0xb4, high, low, 0xb0, ..] = program.code(method)? else { return None };
        let Constant::Member(member) = program.constant(data.class, u16::from_be_bytes([*high, *low])) else {
            return None;
        };
        let is_certain = data.access & (flag::STATIC | flag::PRIVATE | flag::FINAL) != 0
            || program.class(data.class).access & flag::FINAL != 0;
        self.from.resolution.field(member).filter(|field| is_certain && program.field(*field).is_final())
    }

    fn call(
        &mut self,
        at: Value,
        dispatch: Dispatch,
        method: MethodId,
        arguments: &[Value],
        result: Option<Local>,
        held: &[Held],
    ) {
        let reflection = self.reflection(at, method, arguments);
        let (dispatch, arguments) = match reflection.as_ref().map(|reflection| reflection.api) {
            // The text is what such a call is made on.
            Some(Api::ForName) => (Dispatch::Special, &arguments[..1]),
            _ => (dispatch, arguments),
        };
        let arguments: Box<[Option<Local>]> = arguments.iter().map(|argument| self.local(*argument)).collect();
        if dispatch != Dispatch::Static && arguments.first() == Some(&None) {
            return;
        }
        let (held, repeats) = (self.locks(held), self.repeats(at));
        let is_fork = false;
        let site =
            CallSite { at, dispatch, method, arguments, result, is_fork, held, repeats, reflection, is_logged: false };
        if let Some(logged) = self.logged(&site) {
            self.code.call(logged);
        }
        self.code.call(site);
    }

    /// The same call on what runs have made it on.
    fn logged(&mut self, site: &CallSite) -> Option<CallSite> {
        let (program, api) = (self.program(), site.reflection.as_ref()?.api);
        let on = self.from.resolution.logged.at(program, self.body.method, self.body.line(site.at), api);
        if on.is_empty() {
            return None;
        }
        let ty = Type::class(program.class(program.method(site.method).class).name);
        let receiver = self.code.local();
        self.code.allocations.extend(on.into_iter().map(|on| (receiver, on, ty)));
        let mut arguments = site.arguments.clone();
        *arguments.first_mut()? = Some(receiver);
        Some(CallSite { arguments, is_logged: true, ..site.clone() })
    }

    /// What is known of a reflective call outside the JDK.
    fn reflection(&self, at: Value, method: MethodId, arguments: &[Value]) -> Option<Arc<Reflection>> {
        let api = self.from.apis.get(method)?;
        let program = self.program();
        let is_followed = !program.is_of_jdk(program.method(self.body.method).class);
        is_followed.then(|| Arc::new(Reflection::of(api, self.body, at, arguments)))
    }

    /// Calls that read and write fields by handles and offsets; says whether this is one.
    fn by_handle(&mut self, at: Value, member: MemberRef, arguments: &[Value]) -> bool {
        let program = self.program();
        let Some(owner) = program.member(member).owner.as_class() else { return false };
        let (owner, name) = (program.names().text(owner), program.names().text(program.member(member).name));
        let skipped = match &*owner {
            "java/lang/invoke/VarHandle" | "jdk/internal/misc/Unsafe" | "sun/misc/Unsafe" => 1,
            "java/util/concurrent/atomic/AtomicReferenceFieldUpdater" => 1,
            _ => return false,
        };
        let starts = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
        let (stores, loads) = (starts(STORING), starts(LOADING));
        if !(stores || loads) || arguments.len() <= skipped {
            return false;
        }
        let base = arguments[skipped];
        let is_array = self.body.instruction(base).ty.dimensions > 0;
        let handle = if owner.ends_with("Unsafe") { arguments.get(2) } else { arguments.first() };
        let field = handle.and_then(|handle| self.from.handles.field_of(self.body, *handle));
        let slot = match field {
            Some(field) if !is_array => Slot::Field(field),
            _ => Slot::Element,
        };
        let Some(base) = self.local(base) else { return true };
        if stores
            && let Some(from) =
                arguments.last().filter(|_| arguments.len() > skipped + 1).and_then(|last| self.local(*last))
        {
            self.code.store(base, slot, from);
        }
        if loads && let Some(to) = self.result(at) {
            self.code.load(to, base, slot);
        }
        true
    }

    fn invoke_dynamic(
        &mut self,
        at: Value,
        bootstrap: u16,
        descriptor: crate::program::Descriptor,
        arguments: &[Value],
        held: &[Held],
    ) {
        let program = self.program();
        let class = program.method(self.body.method).class;
        let Some(bootstrap) = program.bootstrap(class, bootstrap) else { return };
        let Some(factory) = bootstrap.handle.map(|handle| program.member(handle.member)) else { return };
        let owner = factory.owner.as_class().map(|owner| program.names().text(owner));
        match owner.as_deref() {
            Some("java/lang/invoke/LambdaMetafactory") => {
                let handle = bootstrap.arguments.iter().find_map(|argument| match argument {
                    Constant::Handle(handle) => Some(*handle),
                    _ => None,
                });
                let method_type = bootstrap.arguments.first().and_then(|argument| match argument {
                    Constant::MethodType(descriptor) => Some(*descriptor),
                    _ => None,
                });
                if let Some((handle, method_type)) = handle.zip(method_type) {
                    self.lambda(at, handle, method_type, arguments);
                }
            }
            Some("java/lang/invoke/StringConcatFactory") => self.concatenate(at, arguments, held),
            _ => {
                let is_of_language = owner.is_some_and(|owner| owner.starts_with("java/lang/runtime/"));
                let unknown = bootstrap.handle.and_then(|handle| self.from.resolution.method(handle.member));
                self.code.unknown.extend(unknown.filter(|_| !is_of_language));
                let ty = program.names().signature(descriptor).result;
                if let Some(to) = self.result(at) {
                    self.code.allocations.push((to, Site::Merged(ty), ty));
                }
            }
        }
    }

    fn lambda(&mut self, at: Value, handle: Handle, implemented: crate::program::Descriptor, captured: &[Value]) {
        let to = self.code.local_of(at);
        let ty = self.body.instruction(at).ty;
        let code = self.from.next;
        self.from.next.0 += 1;
        let parameters = self.program().names().signature(implemented).parameters.clone();
        let (method, n_captured) = (self.body.method, captured.len() as u16);
        self.from.lambdas.push(Lambda { code, method, at, handle, captured: n_captured, parameters });
        self.code.allocations.push((to, Site::Lambda(method, at, code), ty));
        self.hand_over(to, ty);
        if self.repeats(at) {
            self.code.repeated.push(at);
        }
        for (n, value) in captured.iter().enumerate() {
            if let Some(from) = self.local(*value) {
                self.code.store(to, Slot::Captured(n as u16), from);
            }
        }
    }

    /// A concatenation calls `toString` of everything that is no text.
    fn concatenate(&mut self, at: Value, arguments: &[Value], held: &[Held]) {
        if let Some(to) = self.result(at) {
            let ty = Type::class(Name::STRING);
            self.code.allocations.push((to, Site::Merged(ty), ty));
        }
        let Some(method) =
            self.from.resolution.program.method_named("java/lang/Object", "toString", "()Ljava/lang/String;")
        else {
            return;
        };
        for argument in arguments {
            let ty = self.body.instruction(*argument).ty;
            if matches!(ty.base, Base::Class(name) if name != Name::STRING) && ty.dimensions == 0 {
                self.call(at, Dispatch::Virtual, method, &[*argument], None, held);
            }
        }
    }
}

/// Whether one run may come to each block again: its strongly connected component is a loop.
fn repeating(body: &Body) -> Vec<bool> {
    let next = |block: usize| {
        let id = crate::ir::Block(block as u32);
        let handlers = body.block(id).handlers.iter().map(|(_, handler)| handler.index());
        body.successors(id).into_iter().map(|to| to.index()).chain(handlers).collect::<Vec<usize>>()
    };
    let edges: Vec<Vec<usize>> = (0..body.blocks.len()).map(next).collect();
    let mut repeats = vec![false; edges.len()];
    for component in crate::points_to::core::cycles::components(edges.len(), |block| edges[block].iter().copied()) {
        let is_loop = component.len() > 1 || edges[component[0]].contains(&component[0]);
        component.iter().for_each(|block| repeats[*block] = is_loop);
    }
    repeats
}
