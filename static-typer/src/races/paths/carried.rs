//! What a call has to pass so that code gets at an object, backwards from a variable to the parameters that the object comes in
//! by, or that it is found in.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::points_to::{CallEdge, Code, Dispatch, InstanceId, Local, ObjectSet, PointsTo, Use};

/// What parameters must refer to, by their places: one of so many objects each.
pub type Needs = BTreeMap<usize, ObjectSet>;

/// More ways than that are taken for any way.
const MAX_WAYS: usize = 32;

/// What must have been passed to code so that a variable refers to one of some objects: one of these. Nothing, where the code
/// gets at one by itself.
#[must_use]
pub fn ways(points_to: &PointsTo, instance: InstanceId, local: Local, objects: &ObjectSet) -> Vec<Needs> {
    let code = points_to.code(instance);
    let mut known: FxHashMap<Local, ObjectSet> = FxHashMap::default();
    let mut open = vec![(local, objects.clone())];
    while let Some((local, objects)) = open.pop() {
        let objects = objects.common(points_to.local(instance, local));
        if objects.is_empty() || !known.entry(local).or_default().insert_all(&objects) {
            continue;
        }
        if is_given(points_to, code, local, &objects) {
            return vec![Needs::new()];
        }
        open.extend(sources(points_to, instance, local, &objects));
    }
    let parameters = code.parameters.iter().enumerate();
    let passed = parameters.filter_map(|(place, local)| Some((place, known.remove(&(*local)?)?)));
    passed.map(|need| Needs::from([need])).collect()
}

/// What the caller must have been passed so that a call may pass on what the called code needs; nothing at all if it cannot be.
#[must_use]
pub fn before(points_to: &PointsTo, caller: InstanceId, edge: CallEdge, needs: &Needs) -> Vec<Needs> {
    let site = &points_to.code(caller).calls[edge.call as usize];
    let mut needs = needs.clone();
    let this = points_to.code(edge.callee).parameters.first().copied().flatten();
    if let Some(this) = this.filter(|_| site.dispatch != Dispatch::Static) {
        needs.entry(0).or_insert_with(|| points_to.local(edge.callee, this).clone());
    }
    let mut all = vec![Needs::new()];
    for (place, objects) in &needs {
        let Some(argument) = site.arguments.get(*place).copied().flatten() else { return Vec::new() };
        all = both(&all, &ways(points_to, caller, argument, objects));
        if all.len() > MAX_WAYS {
            return vec![Needs::new()];
        }
    }
    all
}

/// Whether a call may pass what code needs, whoever makes it.
#[must_use]
pub fn may_pass(points_to: &PointsTo, caller: InstanceId, call: u32, needs: &Needs) -> bool {
    let site = &points_to.code(caller).calls[call as usize];
    needs.iter().all(|(place, objects)| {
        let argument = site.arguments.get(*place).copied().flatten();
        argument.is_some_and(|argument| points_to.local(caller, argument).intersects(objects))
    })
}

/// Whether code has one of the objects by itself: it makes one, finds it in a variable of the whole program, or gets it from a
/// call.
fn is_given(points_to: &PointsTo, code: &Code, local: Local, objects: &ObjectSet) -> bool {
    let is_made = |site| objects.iter().any(|object| points_to.objects.get(object).site == site);
    let is_global = |global| points_to.global(global).intersects(objects);
    code.allocations.iter().any(|(to, site, _)| *to == local && is_made(*site))
        || code.global_loads.iter().any(|(to, global, _)| *to == local && is_global(*global))
        || code.calls.iter().any(|site| site.result == Some(local))
}

/// The variables of the code that one of the objects may come from.
fn sources(points_to: &PointsTo, instance: InstanceId, local: Local, objects: &ObjectSet) -> Vec<(Local, ObjectSet)> {
    let code = points_to.code(instance);
    let copies = code.copies.iter().filter(|(to, ..)| *to == local).map(|(_, from, _)| (*from, objects.clone()));
    let mut sources: Vec<(Local, ObjectSet)> = copies.collect();
    let mut bases: Vec<Local> = code.used_locals().collect();
    bases.dedup();
    for base in bases {
        for (_, used) in code.uses(base) {
            let all = points_to.local(instance, base);
            match used {
                Use::Load(slot, to, _) if *to == local => {
                    let holds = |object: &_| points_to.slot(*object, *slot).intersects(objects);
                    sources.push((base, all.iter().filter(holds).collect()));
                }
                Use::Clone(to) | Use::Open(to) | Use::Resize(to, ..) | Use::ClassOf(to, _) if *to == local => {
                    sources.push((base, all.clone()));
                }
                _ => {}
            }
        }
    }
    sources
}

/// Every way that is one of the first and one of the others; a parameter is one object.
fn both(first: &[Needs], second: &[Needs]) -> Vec<Needs> {
    let mut all: Vec<Needs> = Vec::new();
    for a in first {
        for b in second {
            all.extend(merged(a, b).filter(|needs| !all.contains(needs)));
        }
    }
    all
}

fn merged(a: &Needs, b: &Needs) -> Option<Needs> {
    let mut needs = a.clone();
    for (place, objects) in b {
        let common = needs.get(place).map_or_else(|| objects.clone(), |known| known.common(objects));
        if common.is_empty() {
            return None;
        }
        needs.insert(*place, common);
    }
    Some(needs)
}
