//! Objects that have come to another thread by a race (unsafe publication): whoever has got one so does not know what was done to it
//! before, be it while nobody else had it.
//!
//! By types, as in [`Confinement`]: what a reference that has raced may refer to, and whatever that holds.

use facts::models::called::Called;
use rustc_hash::FxHashSet;

use crate::program::{ClassId, FieldId, Program, Raced, Type};

use super::confined::Confinement;
use super::flows::Flows;

/// Types of which objects have been handed over by a race; none at all if no reference has raced.
#[derive(Default, Debug)]
pub struct HandedOver(Option<Reached>);

#[derive(Debug)]
struct Reached {
    types: Confinement,
    /// Classes of such objects, and those above them.
    classes: FxHashSet<ClassId>,
}

impl HandedOver {
    /// What runs have shown of a program.
    #[must_use]
    pub fn of(program: &Program, flows: &Flows) -> Self {
        let references = program.raced().iter().map(|raced| match raced {
            Raced::Field(field) => program.field(*field).ty,
            Raced::Of(ty) => *ty,
        });
        let mut begun: FxHashSet<Type> = references.filter(|ty| ty.is_reference()).collect();
        if begun.is_empty() {
            return Self::default();
        }
        loop {
            let types = Confinement::beginning_with(program, flows, begun.iter().copied());
            let n_begun = begun.len();
            begun.extend(types.types().flat_map(|ty| flows.captured.get(&ty)).flatten());
            if types.types().any(|ty| holds_unseen(program, ty)) {
                begun.extend(flows.shared.keys().map(|(ty, _)| *ty));
            }
            if begun.len() == n_begun {
                return Self(Some(Reached::of(program, types)));
            }
        }
    }

    /// Whether objects with an instance field are among them.
    #[must_use]
    pub fn has_field(&self, program: &Program, field: FieldId) -> bool {
        let field = program.field(field);
        self.0.as_ref().is_some_and(|reached| !field.is_static() && reached.classes.contains(&field.class))
    }

    /// Whether objects of a type are.
    #[must_use]
    pub fn has(&self, ty: Type) -> bool {
        self.0.as_ref().is_some_and(|reached| !reached.types.confines(ty))
    }
}

impl Reached {
    /// Found once, as each access asks for the class of its field.
    fn of(program: &Program, types: Confinement) -> Self {
        let ty = |class: &ClassId| Type::class(program.class(*class).name);
        let made = types.types().filter_map(|ty| program.find(ty.as_class()?));
        let mut classes: FxHashSet<ClassId> = made.flat_map(|class| program.ancestors(class)).collect();
        classes.extend(program.application().filter(|class| !types.confines(ty(class))));
        Self { types, classes }
    }
}

/// Whether code that is not followed may have put anything into an object of a type.
fn holds_unseen(program: &Program, ty: Type) -> bool {
    let Some(class) = ty.as_class() else { return false };
    let is_application = program.find(class).is_some_and(|class| program.class(class).is_application);
    let is_closed = Called::built_in().of_class(&program.names().text(class)).any(|row| row.objects.is_closed);
    !is_application && !is_closed
}
