//! Which casts may fail, as far as is known. That is no finding; the fewer, the more precise the analysis (others count them too).

use std::collections::BTreeMap;

use crate::ir::Value;
use crate::points_to::core::object::Objects;
use crate::points_to::core::set::ObjectSet;
use crate::program::{MethodId, Program, Type};

use super::{NOTHING, PointsTo};

/// Every cast of code that is reached, and whether it may fail in some context. One of `null`, or of nothing, does not.
#[must_use]
pub fn casts(program: &Program, points_to: &PointsTo) -> BTreeMap<(MethodId, Value), bool> {
    let mut casts = BTreeMap::new();
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        let Some(method) = code.method else { continue };
        for (at, from, to) in &code.casts {
            let objects = from.map_or(&NOTHING, |from| points_to.local(instance, from));
            let fails = casts.entry((method, *at)).or_insert(false);
            *fails = *fails || may_fail(program, &points_to.objects, objects, *to);
        }
    }
    casts
}

/// Whether not all of some objects are of a type. Of arrays whose type is not known it is not known either.
pub fn may_fail(program: &Program, objects: &Objects, of: &ObjectSet, to: Type) -> bool {
    let is_of = |ty: Type| if ty == Type::NULL { to == Type::OBJECT } else { program.is_subtype(ty, to) };
    of.iter().any(|object| !is_of(objects.ty(object)))
}
