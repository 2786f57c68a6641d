//! Paths by trial: forwards from where threads begin, with one object for each parameter, whichever it may be.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::points_to::{CallEdge, Dispatch, InstanceId, Local, ObjectId, ObjectSet, PointsTo, Use};
use crate::races::{Beginning, Threads};

use super::Goal;

/// Code, and what its parameters refer to.
type State = (InstanceId, Vec<Option<ObjectId>>);

/// Everything that threads can come to, each with the number of calls that it takes.
#[derive(Debug)]
pub struct Reached<'a> {
    points_to: &'a PointsTo,
    states: IndexMap<State, usize, FxBuildHasher>,
}

impl<'a> Reached<'a> {
    /// Tries every call with everything that it may pass.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, threads: &Threads) -> Self {
        let mut reached = Self { points_to, states: IndexMap::default() };
        for caller in points_to.instances() {
            for edge in points_to.calls(caller) {
                if points_to.code(caller).calls[edge.call as usize].is_fork && threads.roots.contains(&edge.callee) {
                    let all = |local| points_to.local(caller, local).clone();
                    reached.call(caller, *edge, &all, 0);
                }
            }
        }
        let mut at = 0;
        while let Some(((instance, parameters), length)) = reached.states.get_index(at) {
            let (instance, length) = (*instance, *length);
            let locals = locals(points_to, instance, parameters);
            for edge in points_to.calls(instance) {
                if !points_to.code(instance).calls[edge.call as usize].is_fork {
                    let of = |local| locals.get(&local).cloned().unwrap_or_default();
                    reached.call(instance, *edge, &of, length + 1);
                }
            }
            at += 1;
        }
        reached
    }

    /// How many calls a shortest path of a thread to a goal has, if there is one.
    #[must_use]
    pub fn length(&self, to: &Goal<'_>) -> Option<usize> {
        assert_eq!(to.by, Beginning::Thread, "what initializers run is not tried");
        let is_there = |(instance, parameters): &State| {
            let refers = |local| locals(self.points_to, *instance, parameters).remove(&local).unwrap_or_default();
            *instance == to.instance && to.object.is_none_or(|(local, objects)| refers(local).intersects(objects))
        };
        self.states.iter().filter(|(state, _)| is_there(state)).map(|(_, length)| *length).min()
    }

    fn call(&mut self, caller: InstanceId, edge: CallEdge, of: &dyn Fn(Local) -> ObjectSet, length: usize) {
        let site = &self.points_to.code(caller).calls[edge.call as usize];
        let mut all: Vec<Vec<Option<ObjectId>>> = vec![Vec::new()];
        for (place, parameter) in self.points_to.code(edge.callee).parameters.iter().enumerate() {
            let argument = site.arguments.get(place).copied().flatten().zip(*parameter);
            let passed = argument.map(|(from, to)| of(from).common(self.points_to.local(edge.callee, to)));
            let is_receiver = place == 0 && site.dispatch != Dispatch::Static;
            let passed = passed.unwrap_or_default();
            let null = (!is_receiver).then_some(None);
            let choices: Vec<Option<ObjectId>> = passed.iter().map(Some).chain(null).collect();
            let with = |one: &Vec<_>| choices.iter().map(|choice| [&one[..], &[*choice]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(with).collect();
        }
        for parameters in all {
            self.states.entry((edge.callee, parameters)).or_insert(length);
        }
    }
}

/// What the variables of code refer to that gets these parameters; what others return may be anything.
fn locals(points_to: &PointsTo, instance: InstanceId, parameters: &[Option<ObjectId>]) -> BTreeMap<Local, ObjectSet> {
    let code = points_to.code(instance);
    let mut locals: BTreeMap<Local, ObjectSet> = BTreeMap::new();
    let passed = code.parameters.iter().zip(parameters);
    locals.extend(passed.filter_map(|(local, object)| Some(((*local)?, ObjectSet::of((*object)?)))));
    loop {
        let before = locals.clone();
        for (to, objects) in flows(points_to, instance, &before) {
            locals.entry(to).or_default().insert_all(&objects.common(points_to.local(instance, to)));
        }
        if locals == before {
            return locals;
        }
    }
}

fn flows(points_to: &PointsTo, instance: InstanceId, locals: &BTreeMap<Local, ObjectSet>) -> Vec<(Local, ObjectSet)> {
    let code = points_to.code(instance);
    let all = |local| points_to.local(instance, local).clone();
    let refers = |local: &Local| locals.get(local).cloned().unwrap_or_default();
    let mut flows = Vec::new();
    for (to, site, _) in &code.allocations {
        flows.push((*to, all(*to).iter().filter(|made| points_to.objects.get(*made).site == *site).collect()));
    }
    flows.extend(code.copies.iter().map(|(to, from, _)| (*to, refers(from))));
    flows.extend(code.global_loads.iter().map(|(to, global, _)| (*to, points_to.global(*global).clone())));
    flows.extend(code.calls.iter().filter_map(|site| Some((site.result?, all(site.result?)))));
    for base in code.used_locals() {
        for (_, used) in code.uses(base) {
            for object in refers(&base).iter() {
                match used {
                    Use::Load(slot, to, _) => flows.push((*to, points_to.slot(object, *slot).clone())),
                    Use::Clone(to) | Use::Open(to) | Use::Resize(to, ..) | Use::ClassOf(to, _) => {
                        flows.push((*to, all(*to)));
                    }
                    Use::Store(..) | Use::Call(_) => {}
                }
            }
        }
    }
    flows
}
