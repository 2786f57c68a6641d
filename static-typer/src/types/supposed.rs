//! What would be proved if one obstacle were gone: how much it is worth to take it away.

use rustc_hash::FxHashSet;

use crate::ir::Value;
use crate::program::{FieldId, MethodId, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::confined::Confinement;
use super::infer::Types;
use super::obstacle::{Cause, Way};
use super::owner::FieldType;
use super::threads::Threads;

/// What is not proved, and would be.
#[derive(Default, Debug)]
pub struct Supposed {
    /// Fields.
    pub fields: FxHashSet<FieldId>,
    /// Array accesses.
    pub arrays: FxHashSet<(MethodId, Value)>,
}

impl Supposed {
    /// Without one cause in one way. Nothing is known of ways that are not found out about step by step.
    #[must_use]
    pub fn without(types: &Types, program: &Program, bodies: &Bodies, way: Way, cause: Cause) -> Option<Self> {
        let counted = |other: Cause| other != cause;
        match way {
            Way::Reach | Way::Begin => Some(Self::confined(types, program, &counted)),
            Way::Threads => Some(Self::by_main(types, program, bodies, &counted)),
            Way::Write | Way::Lock | Way::Owner => None,
        }
    }

    fn confined(types: &Types, program: &Program, counted: &dyn Fn(Cause) -> bool) -> Self {
        let confinement = Confinement::of(program, &types.flows, counted);
        let arrays = types.unsafe_arrays.iter().filter(|array| confinement.confines(array.ty));
        Self {
            fields: of(types, |field| confinement.confines_field(program, field.field)),
            arrays: arrays.map(|array| (array.method, array.value)).collect(),
        }
    }

    fn by_main(types: &Types, program: &Program, bodies: &Bodies, counted: &dyn Fn(Cause) -> bool) -> Self {
        let calls = CallGraph::in_world(program, bodies, types.has_clients);
        let threads = Threads::of(program, &calls, bodies, types.has_clients, counted);
        let is_main_only = |field: &FieldType| field.accesses.iter().all(|access| threads.is_main_only(access.method));
        Self { fields: of(types, is_main_only), arrays: FxHashSet::default() }
    }
}

/// The unproved fields of which something holds. What code does that cannot be analysed, and what is reached by
/// reflection, is not known without the obstacle either.
fn of(types: &Types, holds: impl Fn(&FieldType) -> bool) -> FxHashSet<FieldId> {
    types
        .unsafe_fields()
        .filter(|field| !field.is_unknown && !field.is_reflected && holds(field))
        .map(|field| field.field)
        .collect()
}
