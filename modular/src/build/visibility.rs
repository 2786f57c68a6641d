//! What other threads may get at.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::Build;
use crate::node::{Cell, NodeId};
use crate::solver::Var;

impl<'p> Build<'_, '_, 'p> {
    /// What other threads than that of the method may get at, by what is handed to them.
    pub(super) fn shared(&mut self) {
        let handed = self.solver.handed.iter().filter(|handed| handed.runs_in.is_some());
        let mut open: Vec<NodeId> = handed
            .flat_map(|handed| [handed.receivers, handed.data])
            .flat_map(|var| self.solver.points(var).iter().copied())
            .collect();
        let globals = self.solver.cells.iter().filter(|((node, cell), _)| {
            let is_passed = matches!(cell, Cell::Argument(..) | Cell::Result(_));
            self.solver.nodes.is_external(*node) && !is_passed
        });
        open.extend(globals.flat_map(|(_, (var, _))| self.solver.points(*var).iter().copied()));
        for index in 0..self.solver.instances.len() {
            for node in &self.solver.instances[index].summary.clone().shared {
                let var = self.solver.of_node(index, *node);
                open.extend(self.solver.points(var).iter().copied());
            }
        }
        self.shared = self.reachable(open);
    }

    pub(super) fn reachable(&self, mut open: Vec<NodeId>) -> BTreeSet<NodeId> {
        let mut seen: BTreeSet<NodeId> = open.iter().copied().collect();
        let mut inner: BTreeMap<NodeId, Vec<Var>> = BTreeMap::new();
        for ((node, _), (var, _)) in &self.solver.cells {
            inner.entry(*node).or_default().push(self.solver.find(*var));
        }
        let mut followed = FxHashSet::default();
        while let Some(node) = open.pop() {
            for var in inner.get(&node).into_iter().flatten().filter(|var| followed.insert(**var)) {
                open.extend(self.solver.points(*var).iter().copied().filter(|node| seen.insert(*node)));
            }
        }
        seen
    }

    /// Whether another thread may get at a node, here or by what callers do.
    pub(super) fn is_seen(&self, node: NodeId) -> bool {
        let is_external = self.solver.nodes.is_external(node);
        (is_external || !self.is_root && self.solver.escaping.contains(&node)) || self.shared.contains(&node)
    }
}
