//! The environment of a program that application frameworks use: they make its [beans](Beans), set what these need, and call them,
//! as requests come in.
//!
//! Beans are made, and `main` has begun the framework, before any thread comes. What a thread brings (a form, an
//! entity, the request itself) is its own, until the program gives it away. Of what a library makes, as a repository that is an
//! interface, an object is there that returns what it was given.

use std::collections::BTreeMap;

use crate::points_to::core::code::{CallSite, Code, Dispatch, Local, NOWHERE, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::models;
use crate::program::{ClassId, Constant, FieldId, MethodId, Name, Program, Type};

use super::beans::{Beans, OnBean, Scope, constructors, type_of};
use super::{begin_main, dispatch_of, end_threads, is_concrete, main_arguments, stand_in};

/// So many classes of the application stand for an interface that is not known to be a bean's.
const MAX_STANDING: usize = 16;

/// The environment of some beans, beside `main` methods.
#[must_use]
pub fn requests(resolution: &Resolution<'_>, mains: &[MethodId], beans: &Beans) -> Code {
    let mut code = Code::default();
    let arguments = main_arguments(&mut code);
    for main in mains {
        let begins = begins_framework(resolution.program, *main);
        begin_main(resolution, &mut code, *main, arguments, !begins);
    }
    let mut requests =
        Requests { resolution, beans, code, made: BTreeMap::new(), given: BTreeMap::new(), returned: Vec::new() };
    requests.make_all();
    for (class, method) in &beans.begins {
        requests.call(*class, *method, Times::First);
    }
    for (class, method) in &beans.called {
        requests.call(*class, *method, Times::Often);
    }
    for (class, method) in &beans.called_by_one {
        requests.call(*class, *method, Times::ByOne);
    }
    end_threads(resolution, &mut requests.code);
    requests.code.finish();
    requests.code
}

/// Whether the class of a `main` starts a framework: threads come only then.
#[must_use]
pub fn begins_framework(program: &Program, main: MethodId) -> bool {
    let constants = program.constants(program.method(main).class).iter();
    let mut owners = constants.filter_map(|constant| match constant {
        Constant::Member(member) => program.member(*member).owner.as_class(),
        _ => None,
    });
    owners.any(|owner| models::begins_framework(&program.names().text(owner)))
}

/// When a method is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    /// Before any thread comes.
    First,
    /// By one thread.
    ByOne,
    /// By any number of threads.
    Often,
}

struct Requests<'a> {
    resolution: &'a Resolution<'a>,
    beans: &'a Beans,
    code: Code,
    /// The object of each class of which one is made.
    made: BTreeMap<ClassId, Local>,
    /// What stands for other types.
    given: BTreeMap<Type, Local>,
    /// What methods have returned as beans.
    returned: Vec<Local>,
}

impl Requests<'_> {
    fn program(&self) -> &Program {
        self.resolution.program
    }

    fn make_all(&mut self) {
        let of_all: Vec<ClassId> =
            self.beans.classes.iter().filter(|(_, scope)| is_one(*scope)).map(|(class, _)| *class).collect();
        // First all objects, so that those which methods return are known to each that needs one.
        of_all.iter().for_each(|class| self.give_bean(*class));
        let makes: Vec<_> = self.beans.makes.iter().map(|made| (*made, self.result(made.1))).collect();
        self.returned.extend(makes.iter().filter_map(|(_, result)| *result));
        for (made, result) in makes {
            self.make_by(made, result);
        }
        of_all.iter().for_each(|class| self.construct(*class));
        let of_each = self.beans.classes.iter().filter(|(_, scope)| *scope == Scope::Each);
        for (class, _) in of_each {
            constructors(self.resolution.program, *class).for_each(|constructor| self.construct_own(constructor));
        }
        for field in &self.beans.injected {
            self.inject(*field);
        }
    }

    fn give_bean(&mut self, class: ClassId) {
        let ty = type_of(self.program(), class);
        let made = self.code.local();
        self.code.allocations.push((made, Site::Given(ty), ty));
        self.code.initializes.push(class);
        self.made.insert(class, made);
    }

    fn construct(&mut self, class: ClassId) {
        let made = self.made[&class];
        for constructor in constructors(self.resolution.program, class) {
            let arguments = self.injected_arguments(Some(made), constructor);
            self.code.call(call(Dispatch::Special, constructor, arguments));
        }
    }

    /// An object of a request, which its thread makes.
    fn construct_own(&mut self, constructor: MethodId) {
        let class = self.program().method(constructor).class;
        let made = self.own(constructor, type_of(self.program(), class));
        self.code.initializes.push(class);
        let arguments = self.injected_arguments(Some(made), constructor);
        self.code.call(CallSite { is_fork: true, repeats: true, ..call(Dispatch::Special, constructor, arguments) });
    }

    fn result(&mut self, method: MethodId) -> Option<Local> {
        self.program().signature(method).result.is_reference().then(|| self.code.local())
    }

    /// A method returns a bean.
    fn make_by(&mut self, (class, method): OnBean, result: Option<Local>) {
        self.code.initializes.push(class);
        let is_static = self.program().method(method).is_static();
        let receivers =
            if is_static { vec![None] } else { self.receivers(class, method).into_iter().map(Some).collect() };
        for receiver in receivers {
            let arguments = self.injected_arguments(receiver, method);
            self.code.call(CallSite { result, ..call(dispatch_of(self.program(), method), method, arguments) });
        }
    }

    fn inject(&mut self, field: FieldId) {
        let data = self.program().field(field);
        let (ty, class, is_static) = (data.ty, data.class, data.is_static());
        if !ty.is_reference() || is_static {
            return;
        }
        let value = self.injection(ty);
        let program = self.resolution.program;
        let beans: Vec<Local> =
            self.made.iter().filter(|(made, _)| program.is_subclass(**made, class)).map(|(_, local)| *local).collect();
        beans.into_iter().for_each(|bean| self.code.store(bean, Slot::Field(field), value));
    }

    fn injected_arguments(&mut self, receiver: Option<Local>, method: MethodId) -> Box<[Option<Local>]> {
        let parameters = self.program().signature(method).parameters.to_vec();
        let injected = parameters.into_iter().map(|ty| ty.is_reference().then(|| self.injection(ty)));
        let injected: Vec<Option<Local>> = injected.collect();
        receiver.map(Some).into_iter().chain(injected).collect()
    }

    /// What a framework sets where a type is asked for: beans, or what stands for them.
    fn injection(&mut self, ty: Type) -> Local {
        let value = self.code.local();
        let program = self.resolution.program;
        let of_type = self.made.iter().filter(|(class, _)| program.is_subtype(type_of(program, **class), ty));
        let mut found: Vec<Local> = of_type.map(|(_, local)| *local).collect();
        let returns =
            self.beans.makes.iter().any(|(_, method)| program.is_subtype(program.signature(*method).result, ty));
        if found.is_empty() && !returns {
            found = self.stand_for(ty);
        }
        self.code.copies.extend(found.into_iter().map(|from| (value, from, None)));
        self.code.copies.extend(self.returned.iter().map(|from| (value, *from, Some(ty))));
        value
    }

    /// Objects of a type that is no bean's.
    fn stand_for(&mut self, ty: Type) -> Vec<Local> {
        if let Some(given) = self.given.get(&ty) {
            return vec![*given];
        }
        let program = self.resolution.program;
        let class = program.class_of(ty).filter(|_| ty.element().is_none());
        let of_each = |class: ClassId| self.beans.classes.contains(&(class, Scope::Each));
        if class.is_some_and(of_each) || self.beans.made_for_each.contains(&ty) {
            // What stands there gets that of the request, which is not followed.
            return Vec::new();
        }
        let is_own = |class: &ClassId| program.class(*class).is_application;
        if let Some(class) = class.filter(is_own) {
            let below = program
                .application()
                .filter(|below| is_concrete(program, *below) && program.is_subclass(*below, class));
            let below: Vec<ClassId> = below.take(MAX_STANDING).collect();
            if !below.is_empty() {
                return below.into_iter().map(|class| self.become_bean(class)).collect();
            }
        }
        let given = self.code.local();
        let ty_of = class.and_then(|class| stand_in(program, class)).map_or(ty, |class| type_of(program, class));
        let site = if ty == Type::class(Name::STRING) { Site::Merged(ty) } else { Site::Given(ty_of) };
        self.code.allocations.push((given, site, ty_of));
        self.given.insert(ty, given);
        vec![given]
    }

    /// XML, or what a library reads, has made it one.
    fn become_bean(&mut self, class: ClassId) -> Local {
        if let Some(made) = self.made.get(&class) {
            return *made;
        }
        self.give_bean(class);
        self.construct(class);
        self.made[&class]
    }

    fn call(&mut self, class: ClassId, method: MethodId, times: Times) {
        for receiver in self.receivers(class, method) {
            let arguments = match times {
                Times::First => self.injected_arguments(Some(receiver), method),
                _ => self.own_arguments(receiver, method),
            };
            let (is_fork, repeats) = (times != Times::First, times == Times::Often);
            self.code.call(CallSite {
                is_fork,
                repeats,
                ..call(dispatch_of(self.program(), method), method, arguments)
            });
        }
    }

    /// What a method of a bean is called on.
    fn receivers(&mut self, class: ClassId, method: MethodId) -> Vec<Local> {
        let ty = type_of(self.program(), class);
        let scope = self.beans.classes.iter().find(|(bean, _)| *bean == class).map(|(_, scope)| *scope);
        match scope {
            Some(Scope::All) => self.made.get(&class).copied().into_iter().collect(),
            Some(Scope::Returned) => {
                let receiver = self.code.local();
                self.code.copies.extend(self.returned.iter().map(|from| (receiver, *from, Some(ty))));
                vec![receiver]
            }
            Some(Scope::Each | Scope::Prototype) => {
                let own = self.own(method, ty);
                self.fill(own, class);
                vec![own]
            }
            None => Vec::new(),
        }
    }

    /// The constructor of a request's own bean has set its fields.
    fn fill(&mut self, bean: Local, class: ClassId) {
        let program = self.resolution.program;
        for field in fields(program, class) {
            let value = self.injection(program.field(field).ty);
            self.code.store(bean, Slot::Field(field), value);
        }
    }

    fn own_arguments(&mut self, receiver: Local, method: MethodId) -> Box<[Option<Local>]> {
        let parameters = self.program().signature(method).parameters.to_vec();
        let own = parameters.into_iter().map(|ty| ty.is_reference().then(|| self.own_whole(method, ty)));
        let own: Vec<Option<Local>> = own.collect();
        std::iter::once(Some(receiver)).chain(own).collect()
    }

    /// What a thread brings for a method.
    fn own(&mut self, method: MethodId, ty: Type) -> Local {
        let own = self.code.local();
        if ty == Type::class(Name::STRING) {
            self.code.allocations.push((own, Site::Merged(ty), ty));
            return own;
        }
        let program = self.resolution.program;
        let class = program.class_of(ty).filter(|_| ty.element().is_none());
        let ty = class.and_then(|class| stand_in(program, class)).map_or(ty, |class| type_of(program, class));
        self.code.allocations.push((own, Site::Reflected(method, NOWHERE, ty), ty));
        // Each thread makes its own.
        self.code.repeated.push(NOWHERE);
        own
    }

    /// The same, with what it refers to.
    fn own_whole(&mut self, method: MethodId, ty: Type) -> Local {
        let own = self.own(method, ty);
        let program = self.resolution.program;
        let class = program.class_of(ty).filter(|class| program.class(*class).is_application && ty.element().is_none());
        for field in class.into_iter().flat_map(|class| fields(program, class)) {
            let value = self.own(method, program.field(field).ty);
            self.code.store(own, Slot::Field(field), value);
        }
        own
    }
}

fn is_one(scope: Scope) -> bool {
    matches!(scope, Scope::All | Scope::Prototype)
}

/// The fields of an object of a class of the application that refer to something.
fn fields(program: &Program, class: ClassId) -> impl Iterator<Item = FieldId> + '_ {
    let own = program.ancestors(class).filter(|above| program.class(*above).is_application);
    own.flat_map(|above| program.fields_of(above)).filter(|field| {
        let data = program.field(*field);
        data.ty.is_reference() && !data.is_static()
    })
}
