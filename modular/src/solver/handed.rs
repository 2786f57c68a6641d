//! What is handed to libraries, and what these call of it.

use std::collections::{BTreeMap, BTreeSet};

use static_typer::points_to::{CodeId, Site};
use static_typer::program::Type;

use super::{Context, Hook, Solver, Var};
use crate::call_graph::Target;
use crate::library::{self, Calls};
use crate::multiplicity::Multiplicity;
use crate::node::{Labels, Node, NodeId};
use crate::regions::is_region;
use crate::summary::ThreadId;

/// What was handed to a library.
#[derive(Debug)]
pub struct Handed {
    /// Who does it, and where.
    pub context: Context,
    /// Which methods are called.
    pub calls: Calls,
    /// The objects that are called.
    pub receivers: Var,
    /// What is passed.
    pub data: Var,
    /// The thread that calls.
    pub runs_in: Option<ThreadId>,
    /// Whether the objects are threads.
    pub is_start: bool,
    /// What has been called.
    pub done: BTreeSet<NodeId>,
    pub(super) instances: BTreeMap<CodeId, usize>,
}

impl Handed {
    pub(super) fn new(context: Context, calls: Calls, receivers: Var, data: Var, runs_in: Option<ThreadId>) -> Self {
        let (done, instances) = (BTreeSet::new(), BTreeMap::new());
        Self { context, calls, receivers, data, runs_in, is_start: false, done, instances }
    }

    /// Where what a library calls back is run from.
    pub(super) fn context_of_callback(&self) -> Context {
        let mut outer = self.context.clone();
        // A library may call again what it has called; what stands for a call in code it calls once.
        if !matches!(self.calls, Calls::Run | Calls::Only(_)) {
            outer.multiplicity = Multiplicity::Many;
        }
        let labels = if self.is_start { outer.labels.clone() } else { Labels::default() };
        let context = match &self.runs_in {
            Some(thread) => {
                Context { multiplicity: outer.multiplicity, thread: Some(thread.clone()), ..Context::default() }
            }
            None => Context { call: None, ..outer },
        };
        Context { labels, is_callback: true, ..context }
    }
}

impl<'p> Solver<'_, 'p> {
    pub(super) fn hand_over(
        &mut self,
        context: Context,
        calls: Calls,
        runs_in: Option<ThreadId>,
        is_start: bool,
        data: Var,
        key: (CodeId, u32, bool),
    ) -> usize {
        let receivers = if matches!(calls, Calls::Only(_)) { self.var() } else { data };
        let context = Context { call: None, ..context };
        self.handed.push(Handed { is_start, ..Handed::new(context, calls, receivers, data, runs_in) });
        let index = self.handed.len() - 1;
        self.by_handing.insert(key, index);
        self.hook(receivers, Hook::CalledBack(index));
        index
    }

    pub(super) fn call_back(&mut self, node: NodeId, index: usize) {
        let Node::Object(_, site, ty) = self.nodes.get(node).clone() else { return };
        if matches!(site, Site::Returned(_)) || !self.handed[index].done.insert(node) {
            return;
        }
        for callee in self.callbacks(self.handed[index].calls, site, ty) {
            let is_of_region = self.handed[index].context.thread.as_ref().is_some_and(is_region);
            if is_of_region {
                self.adopt(callee);
            }
            self.used.callees.insert(callee);
            let is_inside = if self.is_root { is_of_region } else { self.members.contains(&callee) };
            if is_inside {
                self.called_back_inside(node, index, callee);
            } else if self.known.regions.thread(callee).is_some() {
                self.called_back_in_region(node, index, callee);
            } else {
                self.called_back(node, index, callee);
            }
        }
    }

    /// What is called of an object.
    fn callbacks(&mut self, calls: Calls, site: Site, ty: Type) -> Vec<CodeId> {
        if let Calls::Only(method) = calls {
            return match self.graph.dispatch(method, site, ty) {
                Target::Code(code) => vec![code],
                Target::Library(selected) => {
                    self.used.absent.extend(selected);
                    Vec::new()
                }
                Target::Nothing => Vec::new(),
            };
        }
        let all = self.graph.callbacks(site, ty).into_iter();
        all.filter(|(method, _)| library::is_called(self.program(), calls, *method, ty)).map(|(_, code)| code).collect()
    }

    /// A library calls the component itself.
    fn called_back_inside(&mut self, node: NodeId, index: usize, callee: CodeId) {
        let data = self.handed[index].data;
        let parameters = self.graph.code(callee).parameters.clone();
        for (n, parameter) in parameters.iter().enumerate() {
            let Some(parameter) = parameter else { continue };
            let to = self.local(callee, *parameter);
            if n > 0 {
                self.copy(data, to, self.parameter_type(callee, n));
            }
        }
        if let Some(receiver) = parameters.first().copied().flatten() {
            let to = self.local(callee, receiver);
            self.insert(to, node);
        }
        let result = self.results[&callee];
        self.copy(result, data, None);
        if self.is_root {
            if let Some(region) = self.region_of(callee) {
                self.enter(region, self.handed[index].context_of_callback());
            }
        } else if let Some(thread) = self.handed[index].runs_in.clone() {
            self.own_threads.insert(thread);
        }
    }

    fn called_back(&mut self, node: NodeId, index: usize, callee: CodeId) {
        let data = self.handed[index].data;
        let Some(instance) = self.instance_of_callback(index, callee) else { return };
        for n in 1..self.graph.code(callee).parameters.len() {
            let to = self.instances[instance].parameters[n];
            let ty = self.parameter_type(callee, n);
            self.copy(data, to, ty);
        }
        let result = self.instances[instance].result;
        self.copy(result, data, None);
        if let Some(receiver) = self.instances[instance].parameters.first().copied() {
            self.insert(receiver, node);
        }
    }

    /// The instance of what a library calls back: one for each thread and place, or for each thread that is started, so that
    /// libraries that call what hands over more come to an end.
    fn instance_of_callback(&mut self, index: usize, callee: CodeId) -> Option<usize> {
        if let Some(instance) = self.handed[index].instances.get(&callee) {
            return Some(*instance);
        }
        let context = self.handed[index].context_of_callback();
        let place = context.position.as_ref().map(|position| (position.code, position.number));
        let key = (callee, context.thread.clone(), context.locks.clone(), place);
        let instance = match self.by_callback.get(&key) {
            Some(instance) => {
                self.instances[*instance].context.multiplicity = Multiplicity::Many;
                *instance
            }
            None => {
                let instance = self.instantiate(callee, context)?;
                self.by_callback.insert(key, instance);
                instance
            }
        };
        self.handed[index].instances.insert(callee, instance);
        Some(instance)
    }
}
