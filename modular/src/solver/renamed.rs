//! What nodes, locks, threads and labels of a summary are at its instance.

use std::collections::BTreeSet;

use super::{Hook, Maker, Solver, Var};
use crate::node::{Cell, Labels, Node, NodeId, Nodes, is_contextual, limited};
use crate::regions::is_region;
use crate::summary::{Lock, ThreadId};

use static_typer::points_to::Site;
use static_typer::program::Type;

impl<'p> Solver<'_, 'p> {
    /// A variable for nodes of a summary.
    pub(super) fn var_of(&mut self, index: usize, nodes: &BTreeSet<NodeId>) -> Var {
        let var = self.var();
        for node in nodes {
            let from = self.of_node(index, *node);
            self.copy(from, var, None);
        }
        var
    }

    /// A variable for what a lock of a summary may be.
    pub fn lock_of(&mut self, index: usize, lock: &Lock) -> Var {
        self.var_of(index, &lock.nodes)
    }

    /// A string of labels at an instance.
    pub fn labels_of(&mut self, index: usize, labels: &Labels) -> Labels {
        let outer = &self.instances[index].context.labels;
        let (labels, is_cut) = limited(outer.iter().chain(labels.iter()).copied(), self.limit);
        self.is_limited |= is_cut;
        labels
    }

    /// A thread of a summary at an instance.
    pub fn thread_of(&mut self, index: usize, thread: &ThreadId) -> ThreadId {
        if is_region(thread) {
            return thread.clone();
        }
        // Threads that threads start are told apart by their own start: they may start each other in any order.
        if self.instances[index].context.is_callback {
            self.is_limited |= thread.len() > 1;
            return limited(thread.iter().copied(), 1).0;
        }
        self.labels_of(index, thread)
    }

    /// The variable that stands for a node of a summary.
    pub fn of_node(&mut self, index: usize, node: NodeId) -> Var {
        if let Some(var) = self.instances[index].vars.get(&node) {
            return *var;
        }
        let summary = self.instances[index].summary.clone();
        let var = match summary.nodes.get(node).clone() {
            Node::Global => self.constant(Nodes::GLOBAL),
            Node::Object(labels, site, ty) => {
                let here = self.object_of(index, labels, site, ty);
                self.makers.entry(here).or_default().insert(Maker::Instance(index, node));
                self.constant(here)
            }
            _ => self.var(),
        };
        self.instances[index].vars.insert(node, var);
        match *summary.nodes.get(node) {
            Node::Required(base, cell) => self.require(index, base, cell, var),
            Node::Beyond(_) => {
                for (base, cell) in summary.beyond.get(&node).into_iter().flatten() {
                    self.require(index, *base, *cell, var);
                }
            }
            _ => {}
        }
        var
    }

    /// An object of a summary at an instance.
    fn object_of(&mut self, index: usize, labels: Labels, site: Site, ty: Type) -> NodeId {
        let is_of_region = self.instances[index].context.thread.as_ref().is_some_and(is_region);
        let made = if is_of_region { self.made(site, ty) } else { site };
        // Whatever clients call they may call again: by which calls they come to a site tells nothing apart that another call could not make.
        let is_for_clients = self.is_root && self.graph.environment().is_some();
        let labels = match is_contextual(&made) && !(is_of_region && self.merges) && !is_for_clients {
            true => self.labels_of(index, &labels),
            false => Labels::default(),
        };
        self.nodes.intern(Node::Object(labels, made, ty))
    }

    /// What a summary requires of a node is loaded from what that is here.
    fn require(&mut self, index: usize, base: NodeId, cell: Cell, to: Var) {
        let base = self.of_node(index, base);
        self.hook(base, Hook::Load(cell, to, None));
    }
}
