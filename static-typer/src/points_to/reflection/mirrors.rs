//! The code that reflective calls run on each class, member or name that they may be made with.
//!
//! It is code of the caller, like that of a lambda: an access by `Field.set` stands where the call does.

use crate::ir::Value;
use crate::points_to::CallSite;
use crate::points_to::core::code::{Access, Code, Dispatch, Global, Local, NOWHERE, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::models::declared;
use crate::program::{Base, ClassId, FieldId, MethodId, Name, Program, Type, flag};

use super::api::{Api, Apis, Members};
use super::call::{MAX_GUESSED, Reflection, guessed};
use super::proxies;

/// A reflective call, and what it is made on: the same for all calls that run the same code.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Subject {
    /// The method that is called.
    pub method: MethodId,
    /// What that does.
    pub api: Api,
    /// A class, a member or a name; for what is not known, everything of the type.
    pub of: Site,
    /// What is known where the call stands.
    pub known: Option<std::sync::Arc<Reflection>>,
}

impl Subject {
    /// What a call is made on, if that has code here. What is not known runs the JDK's code.
    #[must_use]
    pub fn of(apis: &Apis, site: &CallSite, ty: Type, from: Site) -> Option<Self> {
        let is_mirror = matches!(from, Site::Constructor(_) | Site::Method(_) | Site::Field(_));
        let api = apis.get(site.method)?;
        // The JDK itself asks for constants, on behalf of `valueOf`, `getEnumConstants` and sets of them.
        if site.reflection.is_none() && !is_mirror && api != Api::Constants {
            return None;
        }
        let has_casts = site.reflection.as_ref().is_some_and(|known| !known.casts.is_empty());
        let of = match (api, from) {
            (Api::ForName | Api::Load, Site::Text(_))
            | (Api::Make | Api::Constants | Api::Find(_) | Api::Interfaces | Api::Proxy, Site::Class(_))
            | (Api::Construct, Site::Constructor(_))
            | (Api::Call, Site::Method(_))
            | (Api::Get | Api::Set, Site::Field(_)) => from,
            (Api::ForName | Api::Find(_) | Api::Interfaces, _) => Site::Merged(ty),
            (Api::Make | Api::Construct | Api::Proxy, _) if has_casts => Site::Merged(ty),
            _ => return None,
        };
        Some(Self { method: site.method, api, of, known: site.reflection.clone() })
    }

    /// The same of what is not known; calls that do something then run the JDK's code.
    #[must_use]
    pub fn unknown(self) -> Option<Self> {
        let of = Site::Merged(Type::class(Name::CLASS));
        matches!(self.api, Api::Find(_) | Api::Interfaces).then_some(Self { of, ..self })
    }

    /// The code that the call runs.
    #[must_use]
    pub fn code(&self, resolution: &Resolution<'_>) -> Code {
        let program = resolution.program;
        let mut code = declared(resolution, self.method);
        let (caller, at) = self.known.as_ref().map_or((self.method, NOWHERE), |known| (known.caller, known.at));
        code.method = Some(caller);
        code.lambda = Some(at);
        code.mirrors = Some(self.of);
        code.is_checked = program.class(program.method(caller).class).is_application;
        let mut mirror = Mirror { resolution, subject: self, caller, at, code };
        mirror.write();
        mirror.code.finish();
        mirror.code
    }

    fn fits(&self, program: &Program, method: MethodId) -> bool {
        let count = program.signature(method).parameters.len();
        match self.api {
            Api::Make => count == 0,
            _ => self.known.as_ref().is_none_or(|known| known.fits(count)),
        }
    }
}

struct Mirror<'a> {
    resolution: &'a Resolution<'a>,
    subject: &'a Subject,
    caller: MethodId,
    at: Value,
    code: Code,
}

impl<'a> Mirror<'a> {
    fn program(&self) -> &'a Program {
        self.resolution.program
    }

    fn write(&mut self) {
        let result = self.program().signature(self.subject.method).result;
        match (self.subject.api, self.subject.of) {
            (Api::ForName | Api::Load, Site::Text(text)) => self.name_class(text),
            (Api::ForName, _) => self.give(Site::Merged(result), result),
            (Api::Find(members), of) => self.find(members, of, result),
            (Api::Constants, Site::Class(ty)) => self.constants(ty),
            (Api::Interfaces, of) => self.interfaces(of, result),
            (Api::Proxy, of) => self.proxy(of),
            (Api::Make | Api::Construct, of) => self.construct(of),
            (Api::Call, Site::Method(method)) => self.call(method),
            (Api::Get, Site::Field(field)) => self.access(field, false),
            (Api::Set, Site::Field(field)) => self.access(field, true),
            _ => {}
        }
    }

    fn parameter(&self, n: usize) -> Option<Local> {
        self.code.parameters.get(n).copied().flatten()
    }

    /// Returns what a site makes.
    fn give(&mut self, site: Site, ty: Type) {
        let result = self.code.result_local();
        self.code.allocations.push((result, site, ty));
    }

    fn name_class(&mut self, text: Name) {
        let names = self.program().names();
        let internal: Vec<u8> = names.bytes(text).iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
        let Some(class) = names.get(&internal).and_then(|name| self.program().find(name)) else { return };
        let ty = Type::class(self.program().class(class).name);
        self.give(Site::Class(ty), Type::class(Name::CLASS));
        if self.subject.api == Api::ForName {
            self.code.initializes.push(class);
        }
    }

    /// Members of a class, one or an array of them.
    fn find(&mut self, members: Members, of: Site, result: Type) {
        let ty = result.element().unwrap_or(result);
        let found = match of {
            Site::Class(class) => self.members(members, class),
            _ => vec![Site::Merged(ty)],
        };
        self.give_all(found, result);
    }

    /// Returns what was found, in an array if the result is one.
    fn give_all(&mut self, found: Vec<Site>, result: Type) {
        let mut to = self.code.result_local();
        if result.dimensions > 0 {
            let site = Site::Reflected(self.caller, self.at, result);
            self.code.allocations.push((to, site, result));
            let element = self.code.local();
            self.code.store(to, Slot::Element, element);
            to = element;
        }
        let ty = result.element().unwrap_or(result);
        self.code.allocations.extend(found.into_iter().map(|site| (to, site, ty)));
    }

    fn interfaces(&mut self, of: Site, result: Type) {
        let program = self.program();
        let found = match of {
            Site::Class(ty) => {
                let class = program.class_of(ty).filter(|_| ty.dimensions == 0);
                let interfaces = class.into_iter().flat_map(|class| &program.class(class).interfaces);
                interfaces.map(|interface| Site::Class(Type::class(program.class(*interface).name))).collect()
            }
            _ => vec![Site::Merged(Type::class(Name::CLASS))],
        };
        self.give_all(found, result);
    }

    /// A proxy is an object for each interface: what it is cast to tells them apart.
    fn proxy(&mut self, of: Site) {
        let program = self.program();
        let casts = self.subject.known.as_ref().map_or(&[][..], |known| &known.casts);
        let interfaces: Vec<Type> = match of {
            Site::Class(ty) => vec![ty],
            _ => casts.to_vec(),
        };
        let handler = self.parameter(2).zip(proxies::handler(program));
        for ty in interfaces.into_iter().filter(|ty| proxies::is_interface(program, *ty)) {
            let (made, result) = (self.code.local(), self.code.result_local());
            self.code.allocations.push((made, Site::Reflected(self.caller, self.at, ty), ty));
            self.code.copies.push((result, made, None));
            if let Some((handler, field)) = handler {
                self.code.store(made, Slot::Field(field), handler);
            }
        }
    }

    fn members(&self, members: Members, of: Type) -> Vec<Site> {
        let Some(class) = self.resolution.program.class_of(of) else { return Vec::new() };
        let is_declared =
            matches!(members, Members::DeclaredConstructors | Members::DeclaredMethods | Members::DeclaredFields);
        // An array has the methods of `Object`, and no member of its own.
        if of.dimensions > 0 && members != Members::Methods {
            return Vec::new();
        }
        match members {
            Members::Constructors | Members::DeclaredConstructors => self.constructors(class, is_declared),
            Members::Methods | Members::DeclaredMethods => self.methods(class, is_declared),
            Members::Fields | Members::DeclaredFields => self.fields(class, is_declared),
        }
    }

    fn constructors(&self, class: ClassId, is_declared: bool) -> Vec<Site> {
        let is_found = |method: &MethodId| {
            let access = self.program().method(*method).access;
            self.is_constructor(*method) && (is_declared || access & flag::PUBLIC != 0)
        };
        self.program().methods_of(class).filter(is_found).map(Site::Constructor).collect()
    }

    fn methods(&self, class: ClassId, is_declared: bool) -> Vec<Site> {
        let is_found = |method: &MethodId| {
            let access = self.program().method(*method).access;
            self.is_wanted(*method) && (is_declared || access & flag::PUBLIC != 0)
        };
        let all = self.searched(class, is_declared).into_iter().flat_map(|class| self.program().methods_of(class));
        all.filter(is_found).map(Site::Method).collect()
    }

    fn fields(&self, class: ClassId, is_declared: bool) -> Vec<Site> {
        let is_found = |field: &FieldId| {
            let data = self.program().field(*field);
            self.has_name(data.name) && (is_declared || data.access & flag::PUBLIC != 0)
        };
        let all = self.searched(class, is_declared).into_iter().flat_map(|class| self.program().fields_of(class));
        all.filter(is_found).map(Site::Field).collect()
    }

    /// The class itself, or also what it inherits from.
    fn searched(&self, class: ClassId, is_declared: bool) -> Vec<ClassId> {
        if is_declared { vec![class] } else { self.program().ancestors(class).collect() }
    }

    fn is_constructor(&self, method: MethodId) -> bool {
        self.program().method(method).is_constructor() && self.subject.fits(self.program(), method)
    }

    fn is_wanted(&self, method: MethodId) -> bool {
        let data = self.program().method(method);
        !data.is_constructor()
            && data.name != Name::CLINIT
            && self.has_name(data.name)
            && self.subject.fits(self.program(), method)
    }

    fn has_name(&self, name: Name) -> bool {
        self.subject.known.as_ref().and_then(|known| known.name).is_none_or(|wanted| wanted == name)
    }

    /// What `values()` of an enum returns.
    fn constants(&mut self, ty: Type) {
        let program = self.program();
        let class = program.class_of(ty).filter(|class| program.class(*class).access & flag::ENUM != 0);
        let is_values = |method: &MethodId| {
            let (data, signature) = (program.method(*method), program.signature(*method));
            data.is_static() && signature.parameters.is_empty() && &*program.names().text(data.name) == "values"
        };
        let Some(values) = class.and_then(|class| program.methods_of(class).find(is_values)) else { return };
        self.code.initializes.push(program.method(values).class);
        let result = self.code.result_local();
        self.run(Dispatch::Static, values, [].into(), Some(result));
    }

    /// Makes objects with the constructors that may be meant.
    fn construct(&mut self, of: Site) {
        let program = self.program();
        let classes = match of {
            Site::Class(ty) => ty.as_class().and_then(|name| program.find(name)).into_iter().collect(),
            Site::Constructor(constructor) => vec![program.method(constructor).class],
            _ => {
                let casts = self.subject.known.as_ref().map_or(&[][..], |known| &known.casts);
                guessed(program, casts).into_iter().take(MAX_GUESSED).collect()
            }
        };
        for class in classes {
            let constructors = program.methods_of(class).filter(|method| match of {
                Site::Constructor(constructor) => *method == constructor && self.subject.fits(program, *method),
                _ => self.is_constructor(*method),
            });
            let constructors: Vec<MethodId> = constructors.collect();
            if program.class(class).access & (flag::ABSTRACT | flag::INTERFACE) == 0 && !constructors.is_empty() {
                self.make(class, &constructors);
            }
        }
        self.fail();
    }

    fn make(&mut self, class: ClassId, constructors: &[MethodId]) {
        let ty = Type::class(self.program().class(class).name);
        let (made, result) = (self.code.local(), self.code.result_local());
        self.code.allocations.push((made, Site::Reflected(self.caller, self.at, ty), ty));
        self.code.initializes.push(class);
        self.code.copies.push((result, made, None));
        for constructor in constructors {
            let arguments = self.arguments(Some(made), *constructor, 1);
            self.run(Dispatch::Special, *constructor, arguments, None);
        }
    }

    /// The arguments of a method, out of an array that is a parameter.
    fn arguments(&mut self, receiver: Option<Local>, method: MethodId, array: usize) -> Box<[Option<Local>]> {
        let types = self.program().signature(method).parameters.to_vec();
        let element = self.parameter(array).map(|array| {
            let element = self.code.local();
            self.code.load(element, array, Slot::Element);
            element
        });
        let mut arguments: Vec<Option<Local>> = receiver.into_iter().map(Some).collect();
        for ty in types {
            let argument = element.filter(|_| ty.is_reference()).map(|element| self.filtered(element, ty));
            arguments.push(argument);
        }
        arguments.into()
    }

    fn filtered(&mut self, from: Local, ty: Type) -> Local {
        let to = self.code.local();
        self.code.copies.push((to, from, Some(ty)));
        to
    }

    fn run(&mut self, dispatch: Dispatch, method: MethodId, arguments: Box<[Option<Local>]>, result: Option<Local>) {
        self.code.call(CallSite { at: self.at, result, ..call(dispatch, method, arguments) });
    }

    fn call(&mut self, method: MethodId) {
        if !self.subject.fits(self.program(), method) {
            return;
        }
        let result = self.program().signature(method).result;
        let to = if result.is_reference() { Some(self.code.result_local()) } else { None };
        self.boxed(result);
        let data = self.program().method(method);
        let (class, is_static, is_private) = (data.class, data.is_static(), data.access & flag::PRIVATE != 0);
        let ty = Type::class(self.program().class(class).name);
        if is_static {
            self.code.initializes.push(class);
            let arguments = self.arguments(None, method, 2);
            self.run(Dispatch::Static, method, arguments, to);
        } else if let Some(object) = self.parameter(1) {
            let receiver = self.filtered(object, ty);
            let arguments = self.arguments(Some(receiver), method, 2);
            let dispatch = if is_private { Dispatch::Special } else { Dispatch::Virtual };
            self.run(dispatch, method, arguments, to);
        }
        self.fail();
    }

    /// Primitive values are returned in objects.
    fn boxed(&mut self, ty: Type) {
        let class = match ty.base {
            _ if ty.dimensions > 0 => return,
            Base::Boolean => "java/lang/Boolean",
            Base::Byte => "java/lang/Byte",
            Base::Char => "java/lang/Character",
            Base::Short => "java/lang/Short",
            Base::Int => "java/lang/Integer",
            Base::Long => "java/lang/Long",
            Base::Float => "java/lang/Float",
            Base::Double => "java/lang/Double",
            Base::Void | Base::Null | Base::Class(_) => return,
        };
        if let Some(class) = self.resolution.program.class_named(class)
            && self.program().signature(self.subject.method).result.is_reference()
        {
            let ty = Type::class(self.program().class(class).name);
            self.give(Site::Merged(ty), ty);
        }
    }

    /// What the called code throws is wrapped.
    fn fail(&mut self) {
        let class = self.resolution.program.class_named("java/lang/reflect/InvocationTargetException");
        let target = self.resolution.program.field_named("java/lang/reflect/InvocationTargetException", "target");
        let Some((class, target)) = class.zip(target) else { return };
        let ty = Type::class(self.program().class(class).name);
        let (wrapper, thrown) = (self.code.local(), self.code.local());
        self.code.allocations.push((wrapper, Site::Merged(ty), ty));
        self.code.global_loads.push((thrown, Global::Thrown, Some(Type::class(Name::THROWABLE))));
        self.code.store(wrapper, Slot::Field(target), thrown);
        self.code.global_stores.push((Global::Thrown, wrapper));
    }

    fn access(&mut self, field: FieldId, write: bool) {
        let data = self.program().field(field);
        let (class, ty, is_static) = (data.class, data.ty, data.is_static());
        let owner = Type::class(self.program().class(class).name);
        let base = if is_static { None } else { self.parameter(1).map(|object| self.filtered(object, owner)) };
        if is_static {
            self.code.initializes.push(class);
        } else if base.is_none() {
            return;
        }
        if self.code.is_checked {
            let slot = Slot::Field(field);
            self.code.accesses.push(Access { at: self.at, slot, base, array: None, write, held: Box::default() });
        }
        if write {
            self.set(field, base, ty);
        } else {
            self.get(field, base, ty);
        }
    }

    fn set(&mut self, field: FieldId, base: Option<Local>, ty: Type) {
        let Some(from) = self.parameter(2).filter(|_| ty.is_reference()) else { return };
        let from = self.filtered(from, ty);
        match base {
            Some(base) => self.code.store(base, Slot::Field(field), from),
            None => self.code.global_stores.push((Global::Static(field), from)),
        }
    }

    fn get(&mut self, field: FieldId, base: Option<Local>, ty: Type) {
        if !ty.is_reference() {
            return self.boxed(ty);
        }
        let to = self.code.result_local();
        match base {
            Some(base) => self.code.load(to, base, Slot::Field(field)),
            None => self.code.global_loads.push((to, Global::Static(field), None)),
        }
    }
}
