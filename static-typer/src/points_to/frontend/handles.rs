//! Which fields variable handles, updaters and offsets stand for: static fields that a class initializer sets by the name of
//! another field.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, Constant, FieldId, MemberRef, Name};

use super::resolve::Resolution;

/// The fields that handles stand for.
pub struct Handles<'a> {
    resolution: &'a Resolution<'a>,
    fields: FxHashMap<FieldId, FieldId>,
    /// Fields with references that reflection or handles access; of libraries, those that class initializers make handles of.
    reflected: Vec<FieldId>,
}

/// Methods that make handles from a class and a name.
const MAKERS: &[&str] =
    &["findVarHandle", "findStaticVarHandle", "objectFieldOffset", "newUpdater", "getDeclaredField"];

impl<'a> Handles<'a> {
    /// Reads the class initializers that make handles.
    #[must_use]
    pub fn of(resolution: &'a Resolution<'a>) -> Self {
        let handles = Self { resolution, fields: FxHashMap::default(), reflected: resolution.reflected_references() };
        let classes: Vec<ClassId> = resolution.program.classes().collect();
        let found: Vec<_> = classes.par_iter().flat_map_iter(|class| handles.of_class(*class)).collect();
        let mut reflected = handles.reflected.clone();
        reflected.extend(found.iter().map(|(_, field)| *field).filter(|field| handles.is_of_library(*field)));
        reflected.sort_unstable();
        reflected.dedup();
        Self { fields: found.into_iter().collect(), reflected, ..handles }
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

    fn of_class(&self, class: ClassId) -> Vec<(FieldId, FieldId)> {
        let program = self.resolution.program;
        let name = |name: Name| program.names().text(name);
        if !program.members_of(class).any(|member| MAKERS.contains(&&*name(member.name))) {
            return Vec::new();
        }
        let initializer = program.methods_of(class).find(|method| program.method(*method).name == Name::CLINIT);
        let Some(Ok(body)) = initializer.and_then(|method| Body::of(program, method)) else { return Vec::new() };
        let set = |value: Value| match body.op(value) {
            Op::PutStatic(member, set) => {
                // The JDK does not change its own.
                let keeps = |field: &FieldId| program.field(*field).is_final() || program.is_of_jdk(class);
                let field = self.resolution.field(*member).filter(keeps)?;
                Some((field, self.field_of(&body, *set)?))
            }
            _ => None,
        };
        body.all_values().filter_map(set).collect()
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
