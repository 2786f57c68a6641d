//! Which classes bodies have initialized for certain before each instruction: by an instruction that uses the class, or by a call
//! that is no virtual one and does so on every way to its return.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Block, Body, Op, Value};
use crate::points_to::{Code, CodeId, Dispatch, PointsTo};
use crate::program::{ClassId, Program};
use crate::races::must::flow;

use super::triggers::{Triggers, used};

/// Sorted.
pub type Classes = Vec<ClassId>;

/// Adds classes.
pub fn join(classes: &mut Classes, others: &[ClassId]) {
    if !others.is_empty() {
        classes.extend(others);
        classes.sort_unstable();
        classes.dedup();
    }
}

/// What is initialized before the instructions of code by those before, where that is anything.
pub fn summarize(
    program: &Program,
    points_to: &PointsTo,
    triggers: &Triggers,
) -> FxHashMap<CodeId, FxHashMap<Value, Classes>> {
    let calls = Calls::of(points_to);
    let mut within = Within { program, triggers, bodies: BTreeMap::new(), calls, on_return: FxHashMap::default() };
    within.read(points_to);
    within.solve();
    within.bodies.iter().map(|(code, body)| (*code, within.before(*code, body))).collect()
}

/// The calls of the application of which it is certain what they run.
struct Calls {
    callees: BTreeMap<(CodeId, Value), Vec<CodeId>>,
    callers: FxHashMap<CodeId, Vec<CodeId>>,
}

impl Calls {
    fn of(points_to: &PointsTo) -> Self {
        let mut calls = Self { callees: BTreeMap::new(), callers: FxHashMap::default() };
        for instance in points_to.instances().filter(|instance| points_to.code(*instance).is_checked) {
            let code = points_to.code(instance);
            for edge in points_to.calls(instance) {
                let at = code.calls[edge.call as usize].at;
                if is_certain(code, at) {
                    calls.add(points_to.code_id(instance), at, points_to.code_id(edge.callee));
                }
            }
        }
        calls
    }

    fn add(&mut self, caller: CodeId, at: Value, callee: CodeId) {
        let callees = self.callees.entry((caller, at)).or_default();
        if !callees.contains(&callee) {
            callees.push(callee);
            self.callers.entry(callee).or_default().push(caller);
        }
    }

    fn callers(&self, callee: CodeId) -> &[CodeId] {
        self.callers.get(&callee).map_or(&[], Vec::as_slice)
    }
}

fn is_certain(code: &Code, at: Value) -> bool {
    let mut sites = code.calls.iter().filter(|site| site.at == at);
    sites.all(|site| site.dispatch != Dispatch::Virtual && !site.is_fork)
}

struct Within<'a> {
    program: &'a Program,
    triggers: &'a Triggers,
    /// The bodies that use classes, themselves or by what they call.
    bodies: BTreeMap<CodeId, Body>,
    calls: Calls,
    /// What is initialized when they return; nothing is known of what has not been seen to.
    on_return: FxHashMap<CodeId, Option<Classes>>,
}

impl Within<'_> {
    fn read(&mut self, points_to: &PointsTo) {
        let codes: BTreeMap<CodeId, &Code> =
            points_to.instances().map(|instance| (points_to.code_id(instance), points_to.code(instance))).collect();
        let uses = |code: &Code| self.triggers.in_code(self.program, code).next().is_some();
        let mut open: Vec<CodeId> = codes.iter().filter(|(_, code)| uses(code)).map(|(id, _)| *id).collect();
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                let method = codes[&id].method.filter(|_| codes[&id].lambda.is_none());
                let body = method.and_then(|method| Body::of(self.program, method)?.ok());
                self.bodies.extend(body.map(|body| (id, body)));
                open.extend(self.calls.callers(id));
            }
        }
        self.on_return = self.bodies.keys().map(|id| (*id, None)).collect();
    }

    /// The greatest solution: everything may be initialized where nothing is known to return yet.
    fn solve(&mut self) {
        let mut open: Vec<CodeId> = self.bodies.keys().copied().collect();
        while let Some(id) = open.pop() {
            let mut returned = self.on_return.get(&id).cloned().flatten();
            let mut is_news = false;
            self.for_each(id, &self.bodies[&id], |body, at, classes| {
                if matches!(body.op(at), Op::Return(_)) {
                    is_news |= flow(&mut returned, classes.to_vec());
                }
            });
            if is_news {
                self.on_return.insert(id, returned);
                open.extend(self.calls.callers(id).iter().filter(|caller| self.bodies.contains_key(caller)));
            }
        }
    }

    fn before(&self, id: CodeId, body: &Body) -> FxHashMap<Value, Classes> {
        let mut before = FxHashMap::default();
        self.for_each(id, body, |_, at, classes| {
            if !classes.is_empty() {
                before.insert(at, classes.to_vec());
            }
        });
        before
    }

    /// Calls `visit` with every instruction that can be reached and what is initialized before it.
    fn for_each(&self, id: CodeId, body: &Body, mut visit: impl FnMut(&Body, Value, &[ClassId])) {
        let at_start = self.at_start(id, body);
        for block in body.blocks() {
            let Some(mut classes) = at_start[block.index()].clone() else { continue };
            for at in body.values(block) {
                visit(body, at, &classes);
                let Some(after) = self.step(id, body, at, classes) else { break };
                classes = after;
            }
        }
    }

    fn at_start(&self, id: CodeId, body: &Body) -> Vec<Option<Classes>> {
        let mut at_start = vec![None; body.blocks.len()];
        at_start[0] = Some(Vec::new());
        let mut open = vec![Block(0)];
        while let Some(block) = open.pop() {
            let Some(classes) = at_start[block.index()].clone() else { continue };
            // Classes only come to be initialized in a block: wherever it throws, what held at its start holds.
            for (_, handler) in &body.block(block).handlers {
                open.extend(flow(&mut at_start[handler.index()], classes.clone()).then_some(*handler));
            }
            let end = body.values(block).try_fold(classes, |classes, at| self.step(id, body, at, classes));
            let Some(classes) = end else { continue };
            for to in body.successors(block) {
                open.extend(flow(&mut at_start[to.index()], classes.clone()).then_some(to));
            }
        }
        at_start
    }

    /// What is initialized after an instruction that comes to its end; none if it calls what has not been seen to return.
    fn step(&self, id: CodeId, body: &Body, at: Value, mut classes: Classes) -> Option<Classes> {
        let used = used(self.program, body, at).into_iter();
        let used: Classes = used.flat_map(|class| self.triggers.of_class(self.program, class)).map(|of| of.0).collect();
        join(&mut classes, &used);
        let mut gained: Option<Classes> = None;
        let callees = self.calls.callees.get(&(id, at)).map_or(&[][..], Vec::as_slice);
        for callee in callees {
            match self.on_return.get(callee) {
                Some(Some(returned)) => _ = flow(&mut gained, returned.clone()),
                Some(None) => {}
                None => _ = flow(&mut gained, Vec::new()),
            }
        }
        if gained.is_none() && !callees.is_empty() {
            return None;
        }
        join(&mut classes, &gained.unwrap_or_default());
        Some(classes)
    }
}
