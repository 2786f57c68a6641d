//! What the main thread does before it starts another one. Nothing runs in parallel with that, and a start orders what comes
//! before it before everything that the started thread does (JLS 17.4.5).

use rustc_hash::FxHashSet;

use crate::ir::{Block, Body, Value};
use crate::points_to::{InstanceId, PointsTo};
use crate::program::Program;

use super::threads::{RunBy, Threads};

/// The instructions of each instance before which another thread may have been started.
#[derive(Debug)]
pub struct Phase {
    /// Instances that begin before any start, and their instructions that may come after one.
    early: Vec<Option<FxHashSet<Value>>>,
    /// Instances that may start a thread.
    starting: Vec<bool>,
}

impl Phase {
    /// Follows the main thread, if there is one only, from its start.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads) -> Self {
        let n_instances = points_to.instances().count();
        let mut phase = Self { early: vec![None; n_instances], starting: starting(points_to) };
        let Some((main, rest)) = points_to.calls(points_to.root).split_first() else { return phase };
        let is_main = |instance: InstanceId| threads.run_by(instance) == RunBy::One(main.callee);
        let repeats = points_to.code(points_to.root).calls[main.call as usize].repeats;
        if repeats || !is_main(main.callee) || !rest.iter().all(|edge| is_main(edge.callee)) {
            return phase;
        }
        let by_main: Vec<InstanceId> = points_to.instances().filter(|instance| is_main(*instance)).collect();
        for instance in &by_main {
            phase.early[instance.index()] = Some(late_values(program, points_to, *instance, &phase.starting));
        }
        rest.iter().for_each(|edge| phase.early[edge.callee.index()] = None);
        phase.retract(points_to, by_main);
        phase
    }

    /// Whether nothing else runs yet when the instruction does.
    #[must_use]
    pub fn is_early(&self, instance: InstanceId, at: Value) -> bool {
        self.early[instance.index()].as_ref().is_some_and(|late| !late.contains(&at))
    }

    /// The instructions of an instance that may run after one that starts a thread.
    #[must_use]
    pub fn after_start(&self, program: &Program, points_to: &PointsTo, instance: InstanceId) -> FxHashSet<Value> {
        late_values(program, points_to, instance, &self.starting)
    }

    /// Takes back what was assumed of instances that are called late.
    fn retract(&mut self, points_to: &PointsTo, by_main: Vec<InstanceId>) {
        let mut open = by_main;
        while let Some(caller) = open.pop() {
            let code = points_to.code(caller);
            for edge in points_to.calls(caller) {
                let is_early = self.is_early(caller, code.calls[edge.call as usize].at);
                if !is_early && self.early[edge.callee.index()].take().is_some() {
                    open.push(edge.callee);
                }
            }
        }
    }
}

/// The instances that may start a thread that may come to an access, themselves or by what they call.
fn starting(points_to: &PointsTo) -> Vec<bool> {
    let mut callers = vec![Vec::new(); points_to.instances().count()];
    for caller in points_to.instances() {
        points_to.calls(caller).iter().for_each(|edge| callers[edge.callee.index()].push(caller));
    }
    let with_accesses = points_to.instances().filter(|instance| !points_to.code(*instance).accesses.is_empty());
    let matters = above(&callers, with_accesses.collect());
    let starts = |caller: &InstanceId| {
        let code = points_to.code(*caller);
        let mut edges = points_to.calls(*caller).iter();
        edges.any(|edge| code.calls[edge.call as usize].is_fork && matters[edge.callee.index()])
    };
    above(&callers, points_to.instances().filter(starts).collect())
}

/// Some instances, and everything that calls them.
fn above(callers: &[Vec<InstanceId>], mut open: Vec<InstanceId>) -> Vec<bool> {
    let mut above = vec![false; callers.len()];
    while let Some(instance) = open.pop() {
        if !std::mem::replace(&mut above[instance.index()], true) {
            open.extend(&callers[instance.index()]);
        }
    }
    above
}

/// The instructions of an instance that may run after one that starts a thread.
fn late_values(program: &Program, points_to: &PointsTo, instance: InstanceId, starting: &[bool]) -> FxHashSet<Value> {
    let code = points_to.code(instance);
    let starts: FxHashSet<Value> = points_to
        .calls(instance)
        .iter()
        .filter(|edge| starting[edge.callee.index()])
        .map(|edge| code.calls[edge.call as usize].at)
        .collect();
    let body = code.method.filter(|_| code.lambda.is_none()).and_then(|method| Body::of(program, method)?.ok());
    let Some(body) = body.filter(|_| !starts.is_empty()) else {
        return if starts.is_empty() { FxHashSet::default() } else { code.calls.iter().map(|site| site.at).collect() };
    };
    let mut late = FxHashSet::default();
    let mut done = FxHashSet::default();
    let mut open: Vec<Block> = Vec::new();
    for block in body.blocks() {
        let mut values = body.values(block).skip_while(|value| !starts.contains(value));
        if values.next().is_some() {
            late.extend(values);
            open.extend(following(&body, block));
        }
    }
    while let Some(block) = open.pop() {
        if done.insert(block) {
            late.extend(body.values(block));
            open.extend(following(&body, block));
        }
    }
    late
}

fn following(body: &Body, block: Block) -> Vec<Block> {
    let handlers = body.block(block).handlers.iter().map(|(_, handler)| *handler);
    body.successors(block).into_iter().chain(handlers).collect()
}
