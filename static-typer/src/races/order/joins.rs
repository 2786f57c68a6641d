//! Which threads have ended for certain wherever an instance goes: those that are joined on every way there. A join orders all
//! that its thread has done before what follows (JLS 17.4.5).
//!
//! The greatest solution over bodies and calls: what holds before a call holds in what it runs, in threads that it starts too,
//! and what holds at every return holds after it. Threads count that begin on an object of which there is one, or that
//! [`joined_threads`] finds; a join is `join()` without a time limit that comes to its end, after a start that did.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Block, Body, Value};
use crate::points_to::{CallEdge, InstanceId, ObjectId, PointsTo};
use crate::program::{MethodId, Program};
use crate::races::must::weaken;
use crate::races::threads::{Threads, is_thread_method};

use super::ended::{End, Ended};
use super::joined_threads::joined_threads;
use super::tasks::Tasks;

/// What is certain of the threads that begin on an object; once it is so, it stays so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    Started(ObjectId),
    Ended(ObjectId),
}

type Facts = BTreeSet<Fact>;

/// The threads that have ended before each access.
#[derive(Debug, Default)]
pub struct Joins {
    /// None for what is never run.
    on_entry: Vec<Option<Facts>>,
    /// What holds before the instructions of instances that start or join threads, themselves or by what they call.
    within: FxHashMap<InstanceId, FxHashMap<Value, Facts>>,
}

impl Joins {
    /// Follows every call from where threads begin.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads, tasks: &Tasks) -> Self {
        let mut search = Search::new(program, points_to, threads, tasks);
        if search.bodies.is_empty() {
            return Self::default();
        }
        search.solve();
        let passing: Vec<InstanceId> = search.bodies.keys().copied().collect();
        let within = passing.into_iter().map(|instance| (instance, search.before(instance))).collect();
        Self { on_entry: search.on_entry, within }
    }

    /// The thread objects whose threads have ended before an instruction, and the tasks of which all runs have.
    pub fn ended(&self, instance: InstanceId, at: Value) -> impl Iterator<Item = ObjectId> {
        let facts = match self.within.get(&instance) {
            Some(within) => within.get(&at),
            None => self.on_entry.get(instance.index()).and_then(Option::as_ref),
        };
        facts.into_iter().flatten().filter_map(|fact| match fact {
            Fact::Ended(object) => Some(*object),
            Fact::Started(_) => None,
        })
    }
}

struct Search<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    threads: &'a Threads,
    /// The bodies of instances in which facts may change.
    bodies: FxHashMap<InstanceId, Body>,
    callers: Vec<Vec<InstanceId>>,
    /// What runs `Thread.start`.
    starts: Vec<InstanceId>,
    /// What runs `Thread.join`.
    joins: Vec<InstanceId>,
    /// What has ended by other ways than one join.
    ended: Vec<Ended>,
    on_entry: Vec<Option<Facts>>,
    /// What holds at every return; none for what has not been seen to return.
    on_return: Vec<Option<Facts>>,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, points_to: &'a PointsTo, threads: &'a Threads, tasks: &Tasks) -> Self {
        let n_instances = points_to.instances().count();
        let mut callers = vec![Vec::new(); n_instances];
        for caller in points_to.instances() {
            points_to.calls(caller).iter().for_each(|edge| callers[edge.callee.index()].push(caller));
        }
        let nothing = vec![None; n_instances];
        let running = |method: &str| {
            let runs = |instance: &InstanceId| is_thread_method(program, points_to.code(*instance), method);
            points_to.instances().filter(runs).collect()
        };
        let mut search = Self {
            program,
            points_to,
            threads,
            bodies: FxHashMap::default(),
            callers,
            starts: running("start"),
            joins: running("join"),
            ended: [joined_threads(program, points_to, threads), tasks.ended.clone()].concat(),
            on_entry: nothing.clone(),
            on_return: nothing,
        };
        let changing = points_to.instances().filter(|instance| search.changes(*instance)).collect();
        search.bodies = search.bodies_above(changing);
        search
    }

    /// Whether an instance joins threads of which something can be known.
    fn changes(&self, instance: InstanceId) -> bool {
        let by_others = self.ended_in(instance).next().is_some();
        let calls = self.points_to.calls(instance);
        by_others || calls.iter().any(|edge| self.told(&self.joins, instance, edge).is_some())
    }

    /// Bodies of the instances that may gain facts: those that join, and those that start what is joined.
    fn bodies_above(&self, joining: Vec<InstanceId>) -> FxHashMap<InstanceId, Body> {
        if joining.is_empty() {
            return FxHashMap::default();
        }
        let starts = |instance: &InstanceId| {
            self.points_to.calls(*instance).iter().any(|edge| self.told(&self.starts, *instance, edge).is_some())
        };
        let mut open: Vec<InstanceId> = self.points_to.instances().filter(starts).chain(joining).collect();
        let mut above = FxHashSet::default();
        while let Some(instance) = open.pop() {
            if above.insert(instance) {
                open.extend(&self.callers[instance.index()]);
            }
        }
        above.into_iter().filter_map(|instance| Some((instance, self.body(instance)?))).collect()
    }

    fn body(&self, instance: InstanceId) -> Option<Body> {
        let code = self.points_to.code(instance);
        let method: MethodId = code.method.filter(|_| code.lambda.is_none())?;
        Body::of(self.program, method)?.ok()
    }

    /// The only thread object on which a call runs one of some instances.
    fn told(&self, running: &[InstanceId], caller: InstanceId, edge: &CallEdge) -> Option<ObjectId> {
        running.binary_search(&edge.callee).ok()?;
        let receiver = self.points_to.code(caller).calls[edge.call as usize].arguments.first().copied().flatten()?;
        let object = self.points_to.local(caller, receiver).only()?;
        (self.threads.is_single(object) && self.threads.begun_on(object).is_some()).then_some(object)
    }

    /// Nothing holds where nothing calls; elsewhere everything may, until a way is found on which it does not.
    fn solve(&mut self) {
        let uncalled = |instance: &InstanceId| self.callers[instance.index()].is_empty();
        let mut open: Vec<InstanceId> = self.points_to.instances().filter(uncalled).collect();
        for instance in &open {
            self.on_entry[instance.index()] = Some(Facts::new());
        }
        while let Some(instance) = open.pop() {
            let (calls, returned) = match self.bodies.get(&instance) {
                Some(body) => self.through(instance, body),
                None => self.past(instance),
            };
            for (callee, facts) in calls {
                open.extend(weaken(&mut self.on_entry[callee.index()], facts).then_some(callee));
            }
            if let Some(facts) = returned
                && weaken(&mut self.on_return[instance.index()], facts)
            {
                open.extend(self.callers[instance.index()].iter().filter(|at| self.on_entry[at.index()].is_some()));
            }
        }
    }

    /// What an instance without a say in it hands on.
    fn past(&self, instance: InstanceId) -> (Vec<(InstanceId, Facts)>, Option<Facts>) {
        let facts = self.on_entry[instance.index()].clone().unwrap_or_default();
        let calls = self.points_to.calls(instance).iter().map(|edge| (edge.callee, facts.clone())).collect();
        (calls, Some(facts))
    }

    /// What holds at the calls of a body, and at its returns.
    fn through(&self, instance: InstanceId, body: &Body) -> (Vec<(InstanceId, Facts)>, Option<Facts>) {
        let code = self.points_to.code(instance);
        let (mut calls, mut returned) = (Vec::new(), None);
        self.for_each(instance, body, |value, facts| {
            let here = self.points_to.calls(instance).iter();
            let here = here.filter(|edge| code.calls[edge.call as usize].at == value);
            calls.extend(here.map(|edge| (edge.callee, facts.clone())));
            if matches!(body.op(value), crate::ir::Op::Return(_)) {
                weaken(&mut returned, facts.clone());
            }
        });
        (calls, returned)
    }

    fn before(&self, instance: InstanceId) -> FxHashMap<Value, Facts> {
        let mut before = FxHashMap::default();
        if self.on_entry[instance.index()].is_some() {
            self.for_each(instance, &self.bodies[&instance], |value, facts| {
                before.insert(value, facts.clone());
            });
        }
        before
    }

    /// Calls `visit` with every instruction that can be reached and what holds before it.
    fn for_each(&self, instance: InstanceId, body: &Body, mut visit: impl FnMut(Value, &Facts)) {
        let at_start = self.at_start(instance, body);
        for block in body.blocks() {
            let Some(mut facts) = at_start[block.index()].clone() else { continue };
            for value in body.values(block) {
                visit(value, &facts);
                let Some(after) = self.step(instance, value, facts) else { break };
                facts = after;
            }
        }
    }

    fn at_start(&self, instance: InstanceId, body: &Body) -> Vec<Option<Facts>> {
        let mut at_start = vec![None; body.blocks.len()];
        at_start[0].clone_from(&self.on_entry[instance.index()]);
        let mut open = BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            let Some(facts) = at_start[block.index()].clone() else { continue };
            // Facts only grow in a block: wherever it throws, what held at its start holds.
            for (_, handler) in &body.block(block).handlers {
                open.extend(weaken(&mut at_start[handler.index()], facts.clone()).then_some(*handler));
            }
            let Some(facts) = body.values(block).try_fold(facts, |facts, value| self.step(instance, value, facts))
            else {
                continue;
            };
            for to in body.successors(block) {
                let mut facts = facts.clone();
                facts.extend(self.ended_at(instance, End::Edge(block, to)));
                open.extend(weaken(&mut at_start[to.index()], facts).then_some(to));
            }
        }
        at_start
    }

    /// What holds after an instruction that comes to its end; none if it calls what has not been seen to return.
    fn step(&self, instance: InstanceId, at: Value, before: Facts) -> Option<Facts> {
        let code = self.points_to.code(instance);
        let mut n_edges = 0;
        let mut gained: Option<Facts> = None;
        for edge in self.points_to.calls(instance) {
            let site = &code.calls[edge.call as usize];
            if site.at == at && !site.is_fork {
                n_edges += 1;
                if let Some(facts) = self.after(instance, edge, &before) {
                    weaken(&mut gained, facts);
                }
            }
        }
        match gained {
            None if n_edges > 0 => None,
            gained => {
                let ended = self.ended_at(instance, End::After(at));
                Some(before.into_iter().chain(gained.into_iter().flatten()).chain(ended).collect())
            }
        }
    }

    fn ended_in(&self, instance: InstanceId) -> impl Iterator<Item = &Ended> {
        self.ended.iter().filter(move |ended| ended.instance == instance)
    }

    fn ended_at(&self, instance: InstanceId, end: End) -> impl Iterator<Item = Fact> {
        self.ended_in(instance).filter(move |ended| ended.end == end).map(|ended| Fact::Ended(ended.object))
    }

    fn after(&self, caller: InstanceId, edge: &CallEdge, before: &Facts) -> Option<Facts> {
        let mut facts = self.on_return[edge.callee.index()].clone()?;
        facts.extend(self.told(&self.starts, caller, edge).map(Fact::Started));
        let joined = self.told(&self.joins, caller, edge).filter(|object| before.contains(&Fact::Started(*object)));
        facts.extend(joined.map(Fact::Ended));
        Some(facts)
    }
}
