//! What proofs take to be reached by more than the instructions that are analysed: the rest, they count on.

use rustc_hash::FxHashSet;

use crate::program::{ClassId, FieldId, MethodId, Type};

use super::bodies::Bodies;
use super::confined::Confinement;
use super::owner::{FieldType, Owner};
use super::releases::gives_back;
use super::state::Context;

/// What may be reached unseen, by reflection for instance, without a proof being wrong.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Unseen {
    /// Fields that are known to be, of which nothing is proved.
    pub fields: FxHashSet<FieldId>,
    /// Methods that any thread may call.
    pub methods: FxHashSet<MethodId>,
    /// Classes whose objects may be made, and be anybody's.
    pub classes: FxHashSet<ClassId>,
    /// Classes whose objects reflection makes where constants tell so, which a search follows.
    pub looked_up: FxHashSet<ClassId>,
    /// Final fields of objects that lead to locks which guard fields: these are not to be written again. Nothing writes static ones.
    pub locks: FxHashSet<FieldId>,
    /// Whether locks of the JDK may be given back.
    pub gives_back: bool,
}

impl Unseen {
    /// Reads it off the analyses.
    pub fn of(context: Context<'_>, bodies: &Bodies, confinement: &Confinement, fields: &[FieldType]) -> Self {
        let program = context.program;
        let is_shared = |class: &ClassId| !confinement.confines(Type::class(program.class(*class).name));
        let methods = program.application().flat_map(|class| program.methods_of(class));
        let has_no_body = |method: &MethodId| bodies.get(*method).is_none();
        Self {
            fields: context.calls.reflected().fields.clone(),
            methods: methods.filter(|method| has_no_body(method) || context.calls.is_open(*method)).collect(),
            classes: program.application().filter(is_shared).collect(),
            looked_up: context.calls.reflected().looked_up.clone(),
            locks: fields.iter().filter_map(|field| field.owner.as_ref()).flat_map(locks).collect(),
            gives_back: gives_back(program, context.calls),
        }
    }
}

fn locks(owner: &Owner) -> Vec<FieldId> {
    let Owner::Guarded(guard) = owner else { return Vec::new() };
    guard.path.fields.clone()
}
