//! What would be proved if one obstacle were gone: how much it is worth to take it away.

use rustc_hash::FxHashSet;

use crate::ir::Value;
use crate::program::{FieldId, MethodId, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::confined::Confinement;
use super::infer::Types;
use super::obstacle::{Cause, Way};
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
            Way::Reach | Way::Begin => {
                let confinement = Confinement::of(program, &types.flows, &counted);
                let fields = types.unsafe_fields().map(|field| field.field);
                let arrays = types.unsafe_arrays.iter().filter(|array| confinement.confines(array.ty));
                Some(Self {
                    fields: fields.filter(|field| confinement.confines_field(program, *field)).collect(),
                    arrays: arrays.map(|array| (array.method, array.value)).collect(),
                })
            }
            Way::Threads => {
                let calls = CallGraph::of(program, bodies);
                let calls = if types.has_clients { calls.open(program) } else { calls };
                let threads = Threads::of(program, &calls, bodies, types.has_clients, &counted);
                let is_main_only = |field: &&super::owner::FieldType| {
                    field.accesses.iter().all(|access| threads.is_main_only(access.method))
                };
                let fields = types.unsafe_fields().filter(is_main_only).map(|field| field.field);
                Some(Self { fields: fields.collect(), ..Self::default() })
            }
            Way::Write | Way::Lock | Way::Owner => None,
        }
    }
}
