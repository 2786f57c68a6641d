//! What the instructions of a program name, resolved once.

use facts::reflection_log::ReflectionLog;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::points_to::environment::framework::Framework;
use crate::points_to::library::followed::is_opaque;
use crate::points_to::reflection::logged::Logged;
use crate::program::{ClassId, FieldId, Member, MemberRef, MethodId, Program};
use crate::types::holding::By;

use super::held::Locking;

/// The fields and methods that instructions name.
pub struct Resolution<'p> {
    /// The program.
    pub program: &'p Program,
    /// What reflective calls have named in runs.
    pub logged: Logged,
    /// The test frameworks that use the program, if that is how it is used.
    pub framework: Framework,
    /// Whether libraries are not followed.
    has_opaque: bool,
    /// Whether the JDK is followed where the program does not enter it, too.
    pub(super) has_every_part: bool,
    /// What the application's methods do to locks.
    pub(super) locking: Locking,
    /// Who asks which locks are held.
    pub(super) locks_by: By,
    fields: Vec<Option<FieldId>>,
    methods: Vec<Option<MethodId>>,
}

impl<'p> Resolution<'p> {
    /// Fields of the application with references that reflection or handles access, as far as that is known.
    pub(super) fn reflected_references(&self) -> Vec<FieldId> {
        let reflected = self.locking.reflected(self.program).fields.iter().copied();
        let mut fields: Vec<FieldId> = reflected.filter(|field| self.program.field(*field).ty.is_reference()).collect();
        fields.sort_unstable();
        fields
    }

    /// Whether a field of objects keeps its value once it has one: reflection can write final fields.
    pub(super) fn keeps_value(&self, field: FieldId) -> bool {
        let data = self.program.field(field);
        let is_written = || {
            self.program.class(data.class).is_application
                && self.locking.reflected(self.program).fields.contains(&field)
        };
        data.is_final() && !is_written()
    }

    /// Final fields with flags that are never set back.
    pub fn once_fields(&self) -> impl Iterator<Item = FieldId> + '_ {
        self.locking.once_fields(self.program)
    }

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
            has_opaque: false,
            has_every_part: false,
            locking: Locking::default(),
            locks_by: By::Search,
            fields: members.par_iter().map(field).collect(),
            methods: members.par_iter().map(method).collect(),
        }
    }

    /// The same with what a log of runs names.
    #[must_use]
    pub fn with_log(self, log: &ReflectionLog) -> Self {
        let logged = Logged::of(self.program, log);
        Self { logged, ..self }
    }

    /// The same with test frameworks that use the program.
    #[must_use]
    pub fn with_framework(self, framework: Framework) -> Self {
        Self { framework, ..self }
    }

    /// The same with libraries that are not followed: their methods return something of their own and call what they are given.
    #[must_use]
    pub fn with_opaque_libraries(self) -> Self {
        Self { has_opaque: true, ..self }
    }

    /// Whether there are libraries that are not followed, as where frameworks use the program.
    #[must_use]
    pub const fn has_opaque(&self) -> bool {
        self.has_opaque
    }

    /// Whether a class is of a library that is not followed.
    #[must_use]
    pub fn is_opaque(&self, class: ClassId) -> bool {
        self.has_opaque && is_opaque(self.program, class)
    }

    /// The same for who summarizes methods before it is known which objects they lock.
    #[must_use]
    pub fn for_summaries(self) -> Self {
        Self { locks_by: By::Summaries, ..self }
    }

    /// The same with all parts of the JDK: more work, which finds nothing else of the program.
    #[must_use]
    pub fn with_every_part(self) -> Self {
        Self { has_every_part: true, ..self }
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
