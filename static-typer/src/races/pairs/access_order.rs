//! Maps in access order (`new LinkedHashMap<>(16, 0.75f, true)`, as caches are made): to look something up changes them.

use crate::ir::{Body, Op};
use crate::points_to::{CallSite, Code, ObjectSet, PointsTo};
use crate::program::{Constant, MethodId, Program};

/// All that the constructor with an order has been called on, unless it is said there that it is the other order.
#[must_use]
pub fn in_access_order(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let mut found = ObjectSet::default();
    let Some(constructor) = program.method_named("java/util/LinkedHashMap", "<init>", "(IFZ)V") else { return found };
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        for site in
            code.calls.iter().filter(|site| site.method == constructor && !is_insertion_order(program, code, site))
        {
            let made = site.arguments.first().copied().flatten();
            made.into_iter().for_each(|made| _ = found.insert_all(points_to.local(instance, made)));
        }
    }
    found
}

fn is_insertion_order(program: &Program, code: &Code, site: &CallSite) -> bool {
    let body = |method: MethodId| Body::of(program, method)?.ok();
    let Some(body) = code.method.and_then(body) else { return false };
    match body.op(site.at) {
        Op::Invoke(_, _, arguments) => {
            arguments.last().is_some_and(|last| matches!(body.op(*last), Op::Constant(Constant::Int(0))))
        }
        _ => false,
    }
}
