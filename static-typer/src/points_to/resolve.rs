//! What the instructions of a program name, resolved once.

use facts::reflection_log::ReflectionLog;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::program::{ClassId, FieldId, Member, MemberRef, MethodId, Name, Program, Type};

use super::framework::Framework;
use super::logged::Logged;

/// The fields and methods that instructions name.
pub struct Resolution<'p> {
    /// The program.
    pub program: &'p Program,
    /// What reflective calls have named in runs.
    pub logged: Logged,
    /// The test frameworks that use the program, if that is how it is used.
    pub framework: Framework,
    fields: Vec<Option<FieldId>>,
    methods: Vec<Option<MethodId>>,
}

impl<'p> Resolution<'p> {
    /// Resolves every name.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        let members: Vec<&Member> = program.members().map(|(_, member)| member).collect();
        let field = |member: &&Member| if member.is_field { program.resolve_field(member) } else { None };
        let method = |member: &&Member| if member.is_field { None } else { program.resolve_method(member) };
        Self {
            program,
            logged: Logged::default(),
            framework: Framework::default(),
            fields: members.par_iter().map(field).collect(),
            methods: members.par_iter().map(method).collect(),
        }
    }

    /// The same with what a log of runs names.
    #[must_use]
    pub fn with_log(self, log: &ReflectionLog) -> Self {
        let logged = Logged::of(&self, log);
        Self { logged, ..self }
    }

    /// The same with test frameworks that use the program.
    #[must_use]
    pub fn with_framework(self, framework: Framework) -> Self {
        Self { framework, ..self }
    }

    /// The field that an instruction names.
    #[must_use]
    pub fn field(&self, member: MemberRef) -> Option<FieldId> {
        self.fields[member.index()]
    }

    /// The method that an instruction names, before one is selected.
    #[must_use]
    pub fn method(&self, member: MemberRef) -> Option<MethodId> {
        self.methods[member.index()]
    }

    /// The class of that internal name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<ClassId> {
        self.program.find(self.program.names().get(name.as_bytes())?)
    }

    /// The field that a class declares.
    #[must_use]
    pub fn field_of(&self, class: &str, name: &str) -> Option<FieldId> {
        let class = self.class(class)?;
        self.declared_field(class, self.program.names().get(name.as_bytes())?)
    }

    /// The field of that name that a class declares.
    #[must_use]
    pub fn declared_field(&self, class: ClassId, name: Name) -> Option<FieldId> {
        self.program.fields_of(class).find(|field| self.program.field(*field).name == name)
    }

    /// The method that a class declares.
    #[must_use]
    pub fn method_of(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let names = self.program.names();
        let descriptor = names.get_descriptor(descriptor.as_bytes())?;
        self.program.declared_method(self.class(class)?, names.get(name.as_bytes())?, descriptor)
    }

    /// The class of an object; arrays have the methods of `Object`.
    #[must_use]
    pub fn class_of(&self, ty: Type) -> Option<ClassId> {
        self.program.find(ty.as_class().unwrap_or(Name::OBJECT))
    }
}

/// The methods that calls run on objects of a class, found once for each.
#[derive(Default, Debug)]
pub struct Selection(FxHashMap<(ClassId, MethodId), Option<MethodId>>);

impl Selection {
    /// The method that a call runs on an object of a class; none if it cannot be called on such objects.
    pub fn select(&mut self, program: &Program, class: ClassId, method: MethodId) -> Option<MethodId> {
        let found = || program.select(class, method).filter(|_| is_receiver(program, class, method));
        *self.0.entry((class, method)).or_insert_with(found)
    }
}

/// Whether a method may be called on objects of a class.
pub fn is_receiver(program: &Program, class: ClassId, method: MethodId) -> bool {
    program.is_subclass(class, program.method(method).class)
}
