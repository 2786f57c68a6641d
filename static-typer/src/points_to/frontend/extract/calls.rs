//! Calls.

use std::sync::Arc;

use crate::ir::{Call, Op, Value};
use crate::points_to::core::code::{self, CallSite, Dispatch, Local, Slot};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::held::Held;
use crate::points_to::library::{containers, copies};
use crate::points_to::reflection::api::Api;
use crate::points_to::reflection::call::Reflection;
use crate::program::{ClassId, Constant, FieldId, MemberRef, MethodId, Name, Type, flag};

use super::Extraction;

impl Extraction<'_, '_> {
    pub(super) fn invoke(&mut self, at: Value, call: Call, member: MemberRef, arguments: &[Value], held: Held<'_>) {
        if self.by_handle(at, member, arguments, held) || self.by_method_handle(at, member, arguments, held) {
            return;
        }
        self.elements_of_arguments(at, member, arguments, held);
        let Some(method) = self.from.resolution.method(member) else { return };
        let (method, arguments) = match self.passed_on(method) {
            Some(own) => (own, &arguments[1..]),
            None => (method, arguments),
        };
        if self.class_of(at, method, arguments)
            || self.clone(at, call, method, arguments)
            || self.array_like(at, method, arguments)
        {
            return;
        }
        let program = self.program();
        if call == Call::Static {
            self.code.initializes.push(program.method(method).class);
            self.initialized_by_name(method, arguments);
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
        if self.code.is_checked && containers::reads_last(program, method) {
            self.access(at, arguments.last().copied(), Slot::Content, false, held);
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

    /// The class that a call initializes which is told its name, or itself: `Class.forName("…")`, `ensureClassInitialized(….class)`.
    fn initialized_by_name(&mut self, method: MethodId, arguments: &[Value]) {
        let (program, body) = (self.program(), self.body);
        let data = program.method(method);
        let name = program.names().text(data.name);
        let is_asked = &*name == "ensureClassInitialized"
            || &*name == "forName" && &*program.class_name(data.class) == "java/lang/Class";
        let named = |argument: &Value| match body.op(*argument) {
            Op::Constant(Constant::Class(class)) => program.find(class.as_class()?),
            Op::Constant(Constant::String(text)) => self.class_called(*text),
            _ => None,
        };
        if is_asked {
            let classes: Vec<ClassId> = arguments.iter().filter_map(named).collect();
            self.code.initializes.extend(classes);
        }
    }

    /// The method of its first argument that a method of `JavaLangAccess` calls with the others. Packages of the JDK reach hidden parts of
    /// each other by an object that the JVM sets before `main`; the rest of what it does passes on nothing of the program's.
    fn passed_on(&self, method: MethodId) -> Option<MethodId> {
        const PASSED_ON: [&str; 2] = ["getEnumConstantsShared", "start"];
        let program = self.program();
        let data = program.method(method);
        let is_one = program.class_name(data.class) == "jdk/internal/access/JavaLangAccess"
            && PASSED_ON.contains(&&*program.names().text(data.name));
        let (first, others) = program.signature(method).parameters.split_first().filter(|_| is_one)?;
        let has_others = |own: &MethodId| {
            program.method(*own).name == data.name && program.signature(*own).parameters[..] == *others
        };
        program.methods_of(program.find(first.as_class()?)?).find(has_others)
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

    pub(super) fn is_get_class(&self, method: MethodId) -> bool {
        let (program, data) = (self.program(), self.program().method(method));
        &*program.names().text(data.name) == "getClass" && &*program.class_name(data.class) == "java/lang/Object"
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
        self.from.resolution.field(member).filter(|field| is_certain && self.from.resolution.keeps_value(*field))
    }

    pub(super) fn call(
        &mut self,
        at: Value,
        dispatch: Dispatch,
        method: MethodId,
        arguments: &[Value],
        result: Option<Local>,
        held: Held<'_>,
    ) {
        let reflection = self.reflection(at, method, arguments);
        let mut passed: Box<[Option<Local>]> = arguments.iter().map(|argument| self.local(*argument)).collect();
        let dispatch = match reflection.as_ref().map(|reflection| reflection.api) {
            // The text is what such a call is made on.
            Some(Api::ForName) => {
                passed = passed[..1].into();
                Dispatch::Special
            }
            // Each interface is.
            Some(Api::Proxy) => {
                let is_cast = reflection.as_ref().is_some_and(|reflection| !reflection.casts.is_empty());
                passed[0] = passed[1].map(|interfaces| self.interface(interfaces, is_cast));
                Dispatch::Special
            }
            _ => dispatch,
        };
        let arguments = passed;
        if dispatch != Dispatch::Static && arguments.first() == Some(&None) {
            return;
        }
        let gives_back_own = held.gives_back_own;
        let (held, repeats) = (self.locks(held), self.repeats(at));
        let site = CallSite {
            result,
            held,
            gives_back_own,
            repeats,
            reflection,
            at,
            ..code::call(dispatch, method, arguments)
        };
        if let Some(logged) = self.logged(&site) {
            self.code.call(logged);
        }
        self.code.call(site);
    }

    /// What a proxy is to implement; where it is cast, also some class of which nothing is known, since casts tell.
    fn interface(&mut self, interfaces: Local, is_cast: bool) -> Local {
        let (interface, class) = (self.code.local(), Type::class(Name::CLASS));
        self.code.load(interface, interfaces, Slot::Element);
        if is_cast {
            self.code.allocations.push((interface, Site::Merged(class), class));
        }
        interface
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
}
