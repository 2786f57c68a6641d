//! Which class initializers code may run by what it uses (JVMS 5.5).

use std::collections::BTreeMap;

use crate::ir::{Body, Call, Op, Value};
use crate::points_to::{Code, InstanceId, PointsTo};
use crate::program::{ClassId, Name, Program};

/// Initializers, by their classes.
#[derive(Clone, Default, Debug)]
pub struct Triggers {
    initializers: BTreeMap<ClassId, InstanceId>,
}

impl Triggers {
    /// The initializers of some classes that may run.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, is_meant: impl Fn(ClassId) -> bool) -> Self {
        let initializer = |instance| {
            let code = points_to.code(instance);
            let method = program.method(code.method.filter(|_| code.lambda.is_none())?);
            (method.name == Name::CLINIT && is_meant(method.class)).then_some((method.class, instance))
        };
        Self { initializers: points_to.instances().filter_map(initializer).collect() }
    }

    /// Every initializer.
    pub fn all(&self) -> impl Iterator<Item = (ClassId, InstanceId)> + '_ {
        self.initializers.iter().map(|(class, initializer)| (*class, *initializer))
    }

    /// Keeps only some.
    pub fn retain(&mut self, is_kept: impl Fn(InstanceId) -> bool) {
        self.initializers.retain(|_, initializer| is_kept(*initializer));
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.initializers.is_empty()
    }

    /// What the first use of a class runs: its initializer and those of the classes above.
    pub fn of_class<'a>(
        &'a self,
        program: &'a Program,
        class: ClassId,
    ) -> impl Iterator<Item = (ClassId, InstanceId)> + 'a {
        program.initialized_with(class).filter_map(|class| Some((class, *self.initializers.get(&class)?)))
    }

    /// What code may run.
    pub fn in_code<'a>(
        &'a self,
        program: &'a Program,
        code: &'a Code,
    ) -> impl Iterator<Item = (ClassId, InstanceId)> + 'a {
        let classes = if self.is_empty() { &[][..] } else { &code.initializes };
        classes.iter().flat_map(|class| self.of_class(program, *class))
    }
}

/// The class that is initialized for certain when an instruction has come to its end.
#[must_use]
pub fn used(program: &Program, body: &Body, at: Value) -> Option<ClassId> {
    match body.op(at) {
        Op::New => program.find(body.instruction(at).ty.as_class()?),
        Op::GetStatic(member) | Op::PutStatic(member, _) => {
            Some(program.field(program.resolve_field(program.member(*member))?).class)
        }
        Op::Invoke(Call::Static, member, _) => {
            Some(program.method(program.resolve_method(program.member(*member))?).class)
        }
        _ => None,
    }
}
