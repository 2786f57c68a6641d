//! What code gives on of the objects that its variables have: stores elsewhere, returns, copies or passes to a call that does so.

use rustc_hash::FxHashSet;

use crate::points_to::{Code, Global, InstanceId, Local, ObjectSet, PointsTo, Slot, Use};
use crate::program::{ClassId, FieldId, Program};

/// How far calls are followed.
const MAX_CALLS: usize = 3;

/// Fields that an instance loads and that it stores elsewhere or passes on, or of which it makes a copy.
pub fn passed_on<'a>(
    program: &'a Program,
    points_to: &'a PointsTo,
    instance: InstanceId,
) -> impl Iterator<Item = FieldId> + 'a {
    let code = points_to.code(instance);
    let of_objects = code.all_uses().iter().filter_map(|(_, used)| match used {
        Use::Load(Slot::Field(field), to, _) => Some((*field, *to)),
        _ => None,
    });
    let of_classes = code.global_loads.iter().filter_map(|(to, global, _)| match global {
        Global::Static(field) => Some((*field, *to)),
        _ => None,
    });
    let loads = of_objects.chain(of_classes);
    let is_given = move |local| is_passed_on(points_to, instance, local) || is_stored(code, local);
    let given = loads.filter(move |(_, to)| is_given(*to)).map(|(field, _)| field);
    given.chain(cloned(program, points_to, instance))
}

/// Fields of objects that are cloned: the copies have the same arrays.
fn cloned(program: &Program, points_to: &PointsTo, instance: InstanceId) -> FxHashSet<FieldId> {
    let uses = points_to.code(instance).all_uses().iter();
    let cloned =
        uses.filter(|(_, used)| matches!(used, Use::Clone(_))).map(|(base, _)| points_to.local(instance, *base));
    let class = |object| program.find(points_to.objects.ty(object).as_class()?);
    let classes: FxHashSet<ClassId> = cloned.flat_map(ObjectSet::iter).filter_map(class).collect();
    let above = classes.into_iter().flat_map(|class| program.superclasses(class));
    above.flat_map(|class| program.fields_of(class)).collect()
}

/// Whether more is done with a variable than to use its object, here or in calls, and to store that in fields here.
#[must_use]
pub fn is_passed_on(points_to: &PointsTo, instance: InstanceId, local: Local) -> bool {
    is_passed_on_within(points_to, instance, local, MAX_CALLS)
}

fn is_passed_on_within(points_to: &PointsTo, instance: InstanceId, local: Local, calls: usize) -> bool {
    let code = points_to.code(instance);
    let gives = |(base, used): &(Local, Use)| match used {
        Use::Store(Slot::Field(_), _) => false,
        Use::Store(_, from) => *from == local,
        Use::Clone(_) | Use::Open(_) | Use::Resize(..) | Use::Call(_) => *base == local,
        _ => false,
    };
    let mut globals = code.global_stores.iter();
    code.all_uses().iter().any(gives)
        || globals.any(|(global, from)| *from == local && !matches!(global, Global::Static(_)))
        || code.copies.iter().any(|(_, from, _)| *from == local)
        || code.result == Some(local)
        || (0..code.calls.len()).any(|call| is_kept_by_call(points_to, instance, call, local, calls))
}

/// Whether a call is given a variable, and may do more than use its object.
fn is_kept_by_call(points_to: &PointsTo, instance: InstanceId, call: usize, local: Local, calls: usize) -> bool {
    let site = &points_to.code(instance).calls[call];
    let places: Vec<usize> = (0..site.arguments.len()).filter(|place| site.arguments[*place] == Some(local)).collect();
    let mut callees = points_to.calls(instance).iter().filter(|edge| edge.call as usize == call).peekable();
    let is_unknown = site.is_fork || calls == 0 || callees.peek().is_none();
    let is_kept = |callee: InstanceId| {
        let code = points_to.code(callee);
        let mut parameters = places.iter().filter_map(|place| code.parameters.get(*place).copied().flatten());
        // What a lambda has captured moves its parameters.
        code.parameters.len() != site.arguments.len()
            || parameters.any(|parameter| {
                is_stored(code, parameter) || is_passed_on_within(points_to, callee, parameter, calls - 1)
            })
    };
    !places.is_empty() && (is_unknown || callees.any(|edge| is_kept(edge.callee)))
}

/// Whether a variable is stored in a field.
fn is_stored(code: &Code, local: Local) -> bool {
    let mut uses = code.all_uses().iter();
    uses.any(|(_, used)| matches!(used, Use::Store(Slot::Field(_), from) if *from == local))
        || code.global_stores.iter().any(|(global, from)| *from == local && matches!(global, Global::Static(_)))
}
