//! Objects that have come to another thread by a race: whoever has got one so does not know what was done to it before, be it while
//! nobody else had it.
//!
//! By types, as in [`Confinement`]: what a reference that has raced may refer to, and whatever that holds.

use facts::models::called::Called;
use rustc_hash::FxHashSet;

use crate::program::{FieldId, Program, Raced, Type};

use super::confined::Confinement;
use super::flows::Flows;

/// Types of which objects have been handed over by a race.
#[derive(Default, Debug)]
pub struct HandedOver(Option<Confinement>);

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
            let reached = Confinement::beginning_with(program, flows, begun.iter().copied());
            let n_begun = begun.len();
            begun.extend(reached.types().flat_map(|ty| flows.captured.get(&ty)).flatten());
            if reached.types().any(|ty| holds_unseen(program, ty)) {
                begun.extend(flows.shared.keys().map(|(ty, _)| *ty));
            }
            if begun.len() == n_begun {
                return Self(Some(reached));
            }
        }
    }

    /// Whether objects with an instance field are among them.
    #[must_use]
    pub fn has_field(&self, program: &Program, field: FieldId) -> bool {
        let is_static = program.field(field).is_static();
        self.0.as_ref().is_some_and(|others| !is_static && !others.confines_field(program, field))
    }

    /// Whether objects of a type are.
    #[must_use]
    pub fn has(&self, ty: Type) -> bool {
        self.0.as_ref().is_some_and(|others| !others.confines(ty))
    }
}

/// Whether code that is not followed may have put anything into an object of a type.
fn holds_unseen(program: &Program, ty: Type) -> bool {
    let Some(class) = ty.as_class() else { return false };
    let is_application = program.find(class).is_some_and(|class| program.class(class).is_application);
    let is_value = Called::built_in().of_class(&program.names().text(class)).any(|row| row.objects.is_value);
    !is_application && !is_value
}
