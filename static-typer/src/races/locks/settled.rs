//! Elements of arrays that stay what they are once others may reach them: a constructor or a class initializer makes the array and fills it,
//! and nothing else writes to it. Two loads of one element are of one object then, so `synchronized (floors[i]) { floors[i].calls++; }`
//! locks what it accesses.

use rustc_hash::FxHashSet;

use crate::points_to::{ArrayOf, Global, InstanceId, Local, ObjectSet, PointsTo, Slot, Use};
use crate::program::{FieldId, Program};
use crate::races::escape::making::{Contents, Making, Unseen};

/// What is written later.
#[derive(Default, Debug)]
pub struct Settled {
    /// Arrays.
    arrays: ObjectSet,
    /// Fields.
    fields: FxHashSet<FieldId>,
    /// Methods that may still change what they help to make.
    helpers: FxHashSet<InstanceId>,
    /// What else others may have of arrays in fields.
    contents: Contents,
}

impl Settled {
    /// Looks at all that stores.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, unseen: Unseen<'_>) -> Self {
        let making = |instance| Making::of(program, points_to, instance, unseen);
        let contents = Contents::of(program, points_to, unseen);
        let mut settled = Self { helpers: unseen.helpers.clone(), contents, ..Self::default() };
        for instance in points_to.instances() {
            let making = making(instance);
            let code = points_to.code(instance);
            for (base, used) in code.all_uses() {
                match used {
                    Use::Store(Slot::Element, _) if !making.fills(*base, &settled.contents) => {
                        settled.arrays.insert_all(points_to.local(instance, *base));
                    }
                    Use::Store(Slot::Field(field), _) if !making.sets(*base, *field) => {
                        _ = settled.fields.insert(*field)
                    }
                    _ => {}
                }
            }
            for (global, _) in &code.global_stores {
                if let Global::Static(field) = global
                    && !making.initializes(*field)
                {
                    settled.fields.insert(*field);
                }
            }
        }
        settled
    }

    /// What fields hold while their object or class is made.
    #[must_use]
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Whether two variables of an instance refer to one element that is settled.
    #[must_use]
    pub fn are_one(&self, points_to: &PointsTo, instance: InstanceId, a: Local, b: Local) -> bool {
        let code = points_to.code(instance);
        let Some(((array, one), (_, other))) = code.element(a).zip(code.element(b)) else { return false };
        let is_settled = match one.array {
            ArrayOf::Field(_, field) | ArrayOf::Static(field) => !self.fields.contains(&field),
            ArrayOf::Value(_) => true,
        };
        !self.helpers.contains(&instance)
            && one == other
            && is_settled
            && !points_to.local(instance, array).intersects(&self.arrays)
    }
}
