//! Objects that methods make, copy (`table.clone()`) or have made for them by a factory: from where on other threads may see one, as of what a
//! constructor makes. What is made once more, in a loop, is another object.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::points_to::{Code, InstanceId, Local, ObjectSet, PointsTo, Site, Use};
use crate::program::Program;
use crate::races::reach::following_values_until;
use crate::races::sources::{Source, Sources};

use super::each::seen_of_each;
use super::leading::Basis;
use super::origins::{Origins, Variable};
use super::seen::Seen;
use super::start::{Leads, Own, Start, Wanted};

/// What is seen of objects that methods of the application make, by the variable that has each; none if nobody else sees it there.
pub type Made = FxHashMap<Variable, Option<Seen>>;

/// What is seen of them. Those that no other thread ever gets at are left out.
#[must_use]
pub fn made(program: &Program, points_to: &PointsTo, escaping: &ObjectSet) -> Made {
    let basis = Basis::of(points_to, escaping);
    let wanted: Vec<Wanted> =
        points_to.instances().flat_map(|instance| makings(program, points_to, &basis.origins, instance)).collect();
    let seen = seen_of_each(program, &basis, &wanted);
    let variables = wanted.iter().map(|of| (of.start.instance, of.start.local));
    let mut seen: Made = variables.zip(seen).collect();
    let casts: Vec<_> = seen.keys().flat_map(|of| casts(program, points_to, *of)).collect();
    for (to, from) in casts {
        let of_original = seen[&from].clone();
        seen.insert(to, of_original);
    }
    seen
}

/// What an instance of a method of the application makes, copies or has made for it that other threads ever get at, and where.
fn makings(program: &Program, points_to: &PointsTo, origins: &Origins<'_>, instance: InstanceId) -> Vec<Wanted> {
    let code = points_to.code(instance);
    let is_plain = code.is_checked && code.lambda.is_none() && code.mirrors.is_none();
    let Some(method) = code.method.filter(|_| is_plain) else { return Vec::new() };
    let sources = Sources::of(code);
    let is_only = |local: &Local| sources.to(*local).is_empty();
    let allocated = code.allocations.iter().filter_map(|(to, site, _)| match site {
        Site::New(by, at, 0) if *by == method && is_only(to) => Some((*to, *at)),
        _ => None,
    });
    let copies = code.all_uses().iter().filter_map(|(_, used)| match used {
        Use::Clone(to) if is_only(to) => Some(*to),
        _ => None,
    });
    let copied = copies.filter_map(|to| Some((to, call_to(program, code, to)?)));
    let returned = code.calls.iter().enumerate().filter_map(|(call, site)| {
        let to = site.result.filter(|to| matches!(sources.to(*to), [Source::Returned(_)]))?;
        origins.is_made_by(instance, call as u32).then_some((to, site.at))
    });
    let made = allocated.chain(copied).chain(returned);
    let shared = made.filter(|(local, _)| origins.is_shared((instance, *local)));
    let wanted = |(local, at)| {
        let start = Start { instance, local, leads: Leads::Makers };
        Wanted { start, own: Own::MadeBy(at), early: early(program, code, local, at) }
    };
    shared.map(wanted).collect()
}

/// The call whose result a variable is.
fn call_to(program: &Program, code: &Code, result: Local) -> Option<Value> {
    let body = code.method.and_then(|method| Body::of(program, method)?.ok())?;
    let mut calls = body.all_values().filter(|value| matches!(body.op(*value), Op::Invoke(..)));
    calls.find(|value| code.find_local(*value) == Some(result))
}

/// Further names of a variable, which casts give it: `(int[]) table.clone()`.
fn casts(program: &Program, points_to: &PointsTo, of: Variable) -> Vec<(Variable, Variable)> {
    let (instance, local) = of;
    let code = points_to.code(instance);
    if !code.copies.iter().any(|(_, from, _)| *from == local) {
        return Vec::new();
    }
    let Some(body) = code.method.and_then(|method| Body::of(program, method)?.ok()) else { return Vec::new() };
    let names = body.all_values().filter_map(|value| match body.op(value) {
        Op::Cast(from) if code.find_local(*from) == Some(local) => code.find_local(value),
        _ => None,
    });
    names.filter(|name| *name != local).map(|name| ((instance, name), of)).collect()
}

/// The variables that get what they have between an instruction that makes an object and the first one that does something with it:
/// `map` in `new HashMap<>(map)`. In a loop, what was made in the round before is another object. A factory does something with what it makes.
fn early(program: &Program, code: &Code, local: Local, made: Value) -> FxHashSet<Local> {
    let Some(body) = code.method.and_then(|method| Body::of(program, method)?.ok()) else {
        return FxHashSet::default();
    };
    let is_called = matches!(body.op(made), Op::Invoke(..));
    let is_use = |value: &Value| is_called && *value == made || has_operand(code, &body, *value, local);
    let uses: FxHashSet<Value> = body.all_values().filter(is_use).collect();
    let mut late = following_values_until(&body, &uses, made);
    late.extend(uses);
    let (late, early): (Vec<Value>, Vec<Value>) = body.all_values().partition(|value| late.contains(value));
    let late: FxHashSet<Local> = late.into_iter().filter_map(|value| code.find_local(value)).collect();
    early.into_iter().filter_map(|value| code.find_local(value)).filter(|local| !late.contains(local)).collect()
}

fn has_operand(code: &Code, body: &Body, value: Value, local: Local) -> bool {
    let mut has = false;
    body.op(value).for_each_operand(|operand| has |= code.find_local(operand) == Some(local));
    has
}
