//! What code outside an application can use of it: public classes, what they extend, and what they give out.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{ClassId, FieldId, MethodId, Name, Program, Type, flag};

/// How code outside comes to a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// It is public.
    Public,
    /// A class to which code outside comes extends or implements it.
    Extended(ClassId),
    /// A method of such a class returns one, or is called with one where code outside overrides it.
    Method(MethodId),
    /// A field of such a class holds one.
    Field(FieldId),
}

/// The classes of an application to which code outside comes, and how.
#[derive(Clone, Default, Debug)]
pub struct Surface {
    ways: BTreeMap<ClassId, Way>,
}

impl Surface {
    /// Follows what public classes extend and give out, by the types that their members declare.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let is_public = |class: &ClassId| program.class(*class).access & flag::PUBLIC != 0;
        let mut inside_of: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::new();
        let mut alone: Vec<ClassId> = Vec::new();
        for class in program.application().filter(is_public) {
            match enclosing(program, class) {
                Some(outside) => inside_of.entry(outside).or_default().push(class),
                None => alone.push(class),
            }
        }
        let mut surface = Self { ways: alone.iter().map(|class| (*class, Way::Public)).collect() };
        surface.follow(program, &inside_of, alone);
        let behind = surface.behind(program, inside_of.values().flatten());
        surface.ways.extend(behind.iter().copied());
        surface.follow(program, &inside_of, behind.into_iter().map(|(class, _)| class).collect());
        surface
    }

    /// Adds what these classes lead to, and the public classes that stand in those.
    fn follow(&mut self, program: &Program, inside_of: &BTreeMap<ClassId, Vec<ClassId>>, mut open: Vec<ClassId>) {
        let mut next = 0;
        while let Some(class) = open.get(next).copied() {
            next += 1;
            let named = inside_of.get(&class).into_iter().flatten().map(|inside| (*inside, Way::Public));
            for (other, way) in named.chain(leads_to(program, class)) {
                if program.class(other).is_application && !self.ways.contains_key(&other) {
                    self.ways.insert(other, way);
                    open.push(other);
                }
            }
        }
    }

    /// Of some classes those that code outside cannot name, but has objects of behind types of libraries that methods return.
    fn behind<'a>(&self, program: &Program, classes: impl Iterator<Item = &'a ClassId>) -> Vec<(ClassId, Way)> {
        let methods = self.classes().flat_map(|class| program.methods_of(class));
        let mut returned: BTreeMap<ClassId, MethodId> = BTreeMap::new();
        for method in methods.filter(|method| is_open(program.method(*method).access)) {
            let class = class_of(program, program.signature(method).result);
            let is_telling =
                |of: &ClassId| !program.class(*of).is_application && program.class(*of).name != Name::OBJECT;
            class.filter(is_telling).into_iter().for_each(|class| _ = returned.entry(class).or_insert(method));
        }
        let way = |class: &ClassId| {
            let (_, method) = returned.iter().find(|(result, _)| program.is_subclass(*class, **result))?;
            Some((*class, Way::Method(*method)))
        };
        classes.filter(|class| !self.ways.contains_key(class)).filter_map(way).collect()
    }

    /// How code outside comes to a class, if it does.
    #[must_use]
    pub fn way(&self, class: ClassId) -> Option<Way> {
        self.ways.get(&class).copied()
    }

    /// Each of the classes.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.ways.keys().copied()
    }

    /// Whether code outside may have another method in the place of one, and then gets what that is called with.
    #[must_use]
    pub fn is_overridden(&self, program: &Program, method: MethodId) -> bool {
        let data = program.method(method);
        is_open(data.access) && self.ways.contains_key(&data.class) && may_be_overridden(program, data.class, method)
    }

    /// The methods of the application that code outside may call: open ones of the classes to which it comes, and those that
    /// objects of any class have in their place.
    #[must_use]
    pub fn methods(&self, program: &Program) -> FxHashSet<MethodId> {
        let is_seen = |method: &MethodId| is_open(program.method(*method).access);
        let seen = |class: ClassId| program.methods_of(class).filter(is_seen);
        let mut methods: FxHashSet<MethodId> = self.classes().flat_map(seen).collect();
        for class in program.application() {
            let above = program.ancestors(class).filter(|above| self.ways.contains_key(above));
            methods.extend(above.flat_map(seen).filter_map(|method| program.select(class, method)));
        }
        methods
    }
}

/// Whether code outside may extend a class.
#[must_use]
pub fn is_extensible(program: &Program, class: ClassId) -> bool {
    let data = program.class(class);
    let makes = |method: MethodId| program.method(method).is_constructor() && is_open(program.method(method).access);
    data.access & flag::PUBLIC != 0
        && data.access & flag::FINAL == 0
        && (data.is_interface() || program.methods_of(class).any(makes))
}

const fn is_open(access: u16) -> bool {
    access & (flag::PUBLIC | flag::PROTECTED) != 0
}

/// The classes above one, and those that its open members name.
fn leads_to(program: &Program, class: ClassId) -> Vec<(ClassId, Way)> {
    let above = program.ancestors(class).skip(1).map(|above| (above, Way::Extended(class)));
    let methods = program.methods_of(class).filter(|method| is_open(program.method(*method).access));
    let given = methods.flat_map(|method| passed_on(program, class, method).map(move |ty| (ty, Way::Method(method))));
    let fields = program.fields_of(class).filter(|field| is_open(program.field(*field).access));
    let held = fields.map(|field| (program.field(field).ty, Way::Field(field)));
    let named = given.chain(held).filter_map(|(ty, way)| Some((class_of(program, ty)?, way)));
    above.chain(named).collect()
}

/// What callers of a method get, and what it is called with where they override it.
fn passed_on(program: &Program, class: ClassId, method: MethodId) -> impl Iterator<Item = Type> + '_ {
    let is_overridden = may_be_overridden(program, class, method);
    let signature = program.signature(method);
    let parameters = signature.parameters.iter().copied().filter(move |_| is_overridden);
    std::iter::once(signature.result).chain(parameters)
}

/// The class in which one stands, by its name: whoever cannot name that one cannot name the other.
fn enclosing(program: &Program, class: ClassId) -> Option<ClassId> {
    let name = program.class_name(class);
    let mut outside = name.rmatch_indices('$').filter_map(|(at, _)| program.class_named(&name[..at]));
    outside.find(|outside| program.class(*outside).is_application)
}

fn may_be_overridden(program: &Program, class: ClassId, method: MethodId) -> bool {
    let data = program.method(method);
    let is_fixed = data.is_static() || data.is_constructor() || data.access & flag::FINAL != 0;
    !is_fixed && program.class(class).access & flag::FINAL == 0
}

/// The class of a type, or of an array's elements.
fn class_of(program: &Program, ty: Type) -> Option<ClassId> {
    let mut ty = ty;
    while let Some(element) = ty.element() {
        ty = element;
    }
    program.find(ty.as_class()?)
}
