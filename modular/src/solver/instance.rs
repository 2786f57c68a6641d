//! Summaries where they are called, as the constraints that they are.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use static_typer::points_to::CodeId;

use super::handed::Handed;
use super::{Context, Hook, Origin, Solver, Var};
use crate::library::Calls;
use crate::node::{Node, NodeId};
use crate::summary::{Contents, HandOver, Summary, ThreadId};

/// A summary at a call.
#[derive(Debug)]
pub struct Instance {
    /// The method.
    pub callee: CodeId,
    /// Its summary.
    pub summary: Rc<Summary>,
    /// Where and how it is called.
    pub context: Context,
    /// What its nodes are here.
    pub vars: FxHashMap<NodeId, Var>,
    pub(super) parameters: Vec<Var>,
    pub(super) result: Var,
}

impl<'p> Solver<'_, 'p> {
    /// A summary at a place; none if there is none yet, which is so for code that nothing is known of.
    pub fn instantiate(&mut self, callee: CodeId, context: Context) -> Option<usize> {
        self.used.callees.insert(callee);
        let summary = self.known.summary(callee)?;
        Some(self.instantiate_summary(callee, summary, context))
    }

    /// A summary that is at hand, at a place.
    pub fn instantiate_summary(&mut self, callee: CodeId, summary: Rc<Summary>, context: Context) -> usize {
        let index = self.instances.len();
        let size = summary.multiplicities.len() + summary.contents.len() + summary.events.len();
        self.steps = self.steps.saturating_sub(size as u64);
        let result = self.var();
        self.instances.push(Instance {
            callee,
            summary: summary.clone(),
            context,
            vars: FxHashMap::default(),
            parameters: Vec::new(),
            result,
        });
        self.edges_of(index, &summary);
        for thread in summary.threads.keys() {
            let mapped = self.thread_of(index, thread);
            self.threads.entry(mapped).or_default().insert(Origin::Instance(index, thread.clone()));
        }
        for n in 0..summary.hand_overs.len() {
            self.hand_on(index, n);
        }
        // Events name nodes that may be in no edge.
        for node in summary.multiplicities.keys() {
            self.of_node(index, *node);
        }
        index
    }

    /// The edges of a summary's graph: of its parameters, its contents and its results.
    fn edges_of(&mut self, index: usize, summary: &Summary) {
        let Instance { callee, result, .. } = self.instances[index];
        for n in 0..self.graph.code(callee).parameters.len() {
            let node = summary.nodes.find(&Node::Parameter(callee, n as u16));
            let var = match node {
                Some(node) => self.of_node(index, node),
                None => self.var(),
            };
            self.instances[index].parameters.push(var);
        }
        for contents in &summary.contents {
            self.contents_of(index, contents);
        }
        for node in summary.results.get(&callee).into_iter().flatten() {
            let from = self.of_node(index, *node);
            self.copy(from, result, None);
        }
    }

    /// What cells of a summary contain.
    fn contents_of(&mut self, index: usize, contents: &Contents) {
        let from = self.var_of(index, &contents.nodes);
        for (base, cell) in &contents.cells {
            let base = self.of_node(index, *base);
            let is_one = contents.cells.len() == 1;
            self.hook(base, if is_one { Hook::Store(*cell, from) } else { Hook::Join(*cell, from) });
        }
    }

    /// What a summary has handed over waits on here.
    fn hand_on(&mut self, index: usize, n: usize) {
        let summary = self.instances[index].summary.clone();
        let from = &summary.hand_overs[n];
        if !from.is_start
            && !matches!(from.calls, Calls::Only(_))
            && let Some(all) = self.all_libraries()
        {
            return self.hand_to_all(index, from, all);
        }
        let (receivers, data) = self.handed_nodes(index, from);
        let mut done = BTreeSet::new();
        for node in &from.done {
            let var = self.of_node(index, *node);
            done.extend(self.points(var).iter().copied());
        }
        let runs_in = from.runs_in.as_ref().map(|thread| self.thread_of(index, thread));
        let context = self.context_of(index, from);
        self.handed.push(Handed {
            context,
            calls: from.calls,
            receivers,
            data,
            runs_in,
            is_start: from.is_start,
            done,
            instances: BTreeMap::new(),
        });
        let handed = self.handed.len() - 1;
        self.hook(receivers, Hook::CalledBack(handed));
    }

    /// What a summary has handed over goes where all goes that is.
    fn hand_to_all(&mut self, index: usize, from: &HandOver, all: Var) {
        for node in from.data.iter().chain(&from.receivers) {
            let var = self.of_node(index, *node);
            self.copy(var, all, None);
        }
        self.hook(all, Hook::Filled(all));
        let context = self.context_of(index, from);
        self.call_back_any(context, from.calls, from.runs_in.is_some(), all);
    }

    /// The variables of what is called and of what is passed.
    fn handed_nodes(&mut self, index: usize, from: &HandOver) -> (Var, Var) {
        let (receivers, data) = (self.var(), self.var());
        for (nodes, to) in [(&from.receivers, receivers), (&from.data, data)] {
            for node in nodes {
                let var = self.of_node(index, *node);
                self.copy(var, to, None);
            }
        }
        if !matches!(from.calls, Calls::Only(_)) {
            if from.calls != Calls::Run {
                self.hook(data, Hook::Filled(data));
            }
            self.copy(data, receivers, None);
        }
        (receivers, data)
    }

    fn context_of(&mut self, index: usize, from: &HandOver) -> Context {
        let outer = self.instances[index].context.clone();
        let locks = self.locks_held(index, from);
        let mut started: BTreeSet<ThreadId> = from.started.iter().map(|thread| self.thread_of(index, thread)).collect();
        if from.thread.is_none() && outer.thread.is_none() {
            started.extend(outer.started);
        }
        let thread = from.thread.as_ref().map(|thread| self.thread_of(index, thread)).or(outer.thread);
        Context {
            labels: self.labels_of(index, &from.labels),
            multiplicity: outer.multiplicity.times(from.multiplicity),
            position: outer.position.filter(|_| thread.is_none()),
            thread,
            locks,
            started,
            call: None,
            is_callback: outer.is_callback,
        }
    }

    /// The locks that are held where something is handed over, with those of the caller. Of what a library calls within what it
    /// calls, no locks are kept: there would be no end of them.
    fn locks_held(&mut self, index: usize, from: &HandOver) -> Vec<(Var, bool, bool)> {
        if self.instances[index].context.is_callback {
            return Vec::new();
        }
        let mut locks: Vec<(Var, bool, bool)> = Vec::new();
        for lock in &from.locks {
            locks.push((self.lock_of(index, lock), lock.monitor, lock.shared));
        }
        if from.thread.is_none() {
            locks.extend(self.instances[index].context.locks.iter().copied());
        }
        locks
    }
}
