//! Which fields variable handles, updaters and offsets stand for, and which members method handles: static fields that a class
//! initializer sets by the name of another member.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, Constant, FieldId, MemberRef, MethodId, Name};

use super::resolve::Resolution;

/// The fields and methods that handles stand for.
pub struct Handles<'a> {
    resolution: &'a Resolution<'a>,
    fields: FxHashMap<FieldId, FieldId>,
    members: FxHashMap<FieldId, Vec<Meant>>,
    /// Fields with references that reflection or handles access; of libraries, those that class initializers make handles of.
    reflected: Vec<FieldId>,
}

/// What a method handle may do: one of several where methods differ by their parameters only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant {
    /// It calls a method of its first argument's class, or a static one.
    Method(MethodId),
    /// It calls this very method.
    Special(MethodId),
    /// It makes an object.
    Constructor(MethodId),
    /// It reads a field.
    Read(FieldId),
    /// It writes a field.
    Write(FieldId),
}

/// Methods that make method handles from a class and, but for constructors, a name.
const MEMBER_MAKERS: &[&str] = &[
    "findVirtual",
    "findStatic",
    "findSpecial",
    "findConstructor",
    "findGetter",
    "findSetter",
    "findStaticGetter",
    "findStaticSetter",
];
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

/// Methods that make handles from a class and a name.
const MAKERS: &[&str] =
    &["findVarHandle", "findStaticVarHandle", "objectFieldOffset", "newUpdater", "getDeclaredField"];

impl<'a> Handles<'a> {
    /// Reads the class initializers that make handles.
    #[must_use]
    pub fn of(resolution: &'a Resolution<'a>) -> Self {
        let reflected = resolution.reflected_references();
        let handles = Self { resolution, fields: FxHashMap::default(), members: FxHashMap::default(), reflected };
        let classes: Vec<ClassId> = resolution.program.classes().collect();
        let found: Vec<_> = classes.par_iter().flat_map_iter(|class| handles.of_class(*class)).collect();
        let members = classes.par_iter().flat_map_iter(|class| handles.members_of_class(*class)).collect();
        let mut reflected = handles.reflected.clone();
        reflected.extend(found.iter().map(|(_, field)| *field).filter(|field| handles.is_of_library(*field)));
        reflected.sort_unstable();
        reflected.dedup();
        Self { fields: found.into_iter().collect(), members, reflected, ..handles }
    }

    /// Whether a field is a reference of a library's class. The JDK's own handles are always known.
    fn is_of_library(&self, field: FieldId) -> bool {
        let program = self.resolution.program;
        let data = program.field(field);
        data.ty.is_reference() && !program.class(data.class).is_application && !program.is_of_jdk(data.class)
    }

    /// The fields that a handle may stand for of which nothing is known.
    #[must_use]
    pub fn unknown(&self, is_static: bool) -> Vec<FieldId> {
        let is_meant = |field: &FieldId| self.resolution.program.field(*field).is_static() == is_static;
        self.reflected.iter().copied().filter(is_meant).collect()
    }

    /// The field that a handle or an offset stands for.
    #[must_use]
    pub fn field_of(&self, body: &Body, handle: Value) -> Option<FieldId> {
        match body.op(handle) {
            Op::GetStatic(member) => self.fields.get(&self.resolution.field(*member)?).copied(),
            Op::Cast(from) | Op::Convert(from, _) => self.field_of(body, *from),
            Op::Invoke(_, member, arguments) => self.made(body, *member, arguments),
            _ => None,
        }
    }

    /// What a method handle may do, as far as constants tell; nothing if they do not.
    #[must_use]
    pub fn meant_by(&self, body: &Body, handle: Value) -> Vec<Meant> {
        match body.op(handle) {
            Op::GetStatic(member) => {
                let known = self.resolution.field(*member).and_then(|field| self.members.get(&field));
                known.cloned().unwrap_or_default()
            }
            Op::Cast(from) => self.meant_by(body, *from),
            Op::Invoke(_, member, arguments) => self.meant(body, *member, arguments),
            _ => Vec::new(),
        }
    }

    fn of_class(&self, class: ClassId) -> Vec<(FieldId, FieldId)> {
        let Some(body) = self.initializer_with(class, MAKERS) else { return Vec::new() };
        let set = |value: Value| {
            let (field, set) = self.set(&body, value)?;
            Some((field, self.field_of(&body, set)?))
        };
        body.all_values().filter_map(set).collect()
    }

    /// The JDK's own method handles are not followed.
    fn members_of_class(&self, class: ClassId) -> Vec<(FieldId, Vec<Meant>)> {
        if self.resolution.program.is_of_jdk(class) {
            return Vec::new();
        }
        let Some(body) = self.initializer_with(class, MEMBER_MAKERS) else { return Vec::new() };
        let set = |value: Value| {
            let (field, set) = self.set(&body, value)?;
            Some((field, self.meant_by(&body, set))).filter(|(_, meant)| !meant.is_empty())
        };
        body.all_values().filter_map(set).collect()
    }

    /// The initializer of a class that names one of these methods.
    fn initializer_with(&self, class: ClassId, makers: &[&str]) -> Option<Body> {
        let program = self.resolution.program;
        let name = |name: Name| program.names().text(name);
        if !program.members_of(class).any(|member| makers.contains(&&*name(member.name))) {
            return None;
        }
        let initializer = program.methods_of(class).find(|method| program.method(*method).name == Name::CLINIT);
        initializer.and_then(|method| Body::of(program, method))?.ok()
    }

    /// The static field that an instruction sets for good, and what to.
    fn set(&self, body: &Body, value: Value) -> Option<(FieldId, Value)> {
        let program = self.resolution.program;
        let Op::PutStatic(member, set) = body.op(value) else { return None };
        // The JDK does not change its own.
        let class = program.method(body.method).class;
        let keeps = |field: &FieldId| program.field(*field).is_final() || program.is_of_jdk(class);
        Some((self.resolution.field(*member).filter(keeps)?, *set))
    }

    /// The members of a class constant, and a text, among the arguments of a call that makes a method handle.
    fn meant(&self, body: &Body, member: MemberRef, arguments: &[Value]) -> Vec<Meant> {
        let program = self.resolution.program;
        let made = program.member(member);
        let maker = program.names().text(made.name);
        let is_lookup = made.owner.as_class().is_some_and(|owner| &*program.names().text(owner) == LOOKUP);
        let [_, of, rest @ ..] = arguments else { return Vec::new() };
        let class = match body.op(*of) {
            Op::Constant(Constant::Class(class)) => class.as_class().and_then(|name| program.find(name)),
            _ => None,
        };
        let name = rest.first().and_then(|name| match body.op(*name) {
            Op::Constant(Constant::String(text)) => Some(*text),
            _ => None,
        });
        let Some(class) = class.filter(|_| is_lookup && MEMBER_MAKERS.contains(&&*maker)) else { return Vec::new() };
        if &*maker == "findConstructor" {
            let constructors = program.methods_of(class).filter(|method| program.method(*method).is_constructor());
            return constructors.map(Meant::Constructor).collect();
        }
        let Some(name) = name else { return Vec::new() };
        if maker.ends_with("Getter") || maker.ends_with("Setter") {
            let field = program.ancestors(class).find_map(|class| program.declared_field(class, name));
            let means = if maker.ends_with("Getter") { Meant::Read } else { Meant::Write };
            return field.map(means).into_iter().collect();
        }
        let is_one = |method: &MethodId| {
            let data = program.method(*method);
            data.name == name && data.is_static() == (&*maker == "findStatic")
        };
        let mut all = program.ancestors(class).flat_map(|class| program.methods_of(class)).filter(is_one);
        match &*maker {
            "findSpecial" => all.next().map(Meant::Special).into_iter().collect(),
            _ => all.map(Meant::Method).collect(),
        }
    }

    /// The field of a class constant and a text among the arguments of a call that makes a handle. Since JDK 24, classes of the JDK ask for
    /// their own fields by the name and the type alone.
    fn made(&self, body: &Body, member: MemberRef, arguments: &[Value]) -> Option<FieldId> {
        let program = self.resolution.program;
        let name = program.names().text(program.member(member).name);
        if !MAKERS.contains(&&*name) {
            return None;
        }
        let classes = arguments.iter().filter_map(|argument| match body.op(*argument) {
            Op::Constant(Constant::Class(class)) => program.find(class.as_class()?),
            _ => None,
        });
        let text = arguments.iter().find_map(|argument| match body.op(*argument) {
            Op::Constant(Constant::String(text)) => Some(*text),
            _ => None,
        });
        match text {
            Some(text) => {
                let own = program.method(body.method).class;
                classes.chain([own]).find_map(|class| program.declared_field(class, text))
            }
            // An offset is asked for with the field itself.
            None => arguments.iter().find_map(|argument| match body.op(*argument) {
                Op::Invoke(_, member, arguments) => self.made(body, *member, arguments),
                _ => None,
            }),
        }
    }
}
