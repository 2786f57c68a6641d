//! The part of the graph that goes into the summary.

use std::collections::{BTreeMap, BTreeSet};

use super::Build;
use crate::node::{Cell, Node, NodeId};
use crate::solver::Var;
use crate::summary::Contents;

impl<'p> Build<'_, '_, 'p> {
    /// The part of the graph that callers can see, or that something named in the summary leads to.
    pub(super) fn graph(&mut self) {
        for code in self.solver.component.clone() {
            let result: BTreeSet<NodeId> = self.solver.result(code).iter().copied().collect();
            self.summary.results.insert(code, result);
        }
        let named = self.reachable(self.named());
        // Nobody calls everything.
        if !self.is_root {
            self.contents(&named);
        }
        for node in &named {
            let multiplicity = self.multiplicities.get(node).copied().unwrap_or_default();
            self.summary.multiplicities.insert(*node, multiplicity);
        }
        let is_internal = |node: &&NodeId| !self.solver.nodes.is_external(**node);
        self.summary.shared =
            self.shared.iter().filter(is_internal).filter(|node| named.contains(node)).copied().collect();
        self.summary.beyond.clone_from(&self.solver.beyond);
    }

    /// What results, events and hand-overs name, and what callers decide.
    fn named(&self) -> Vec<NodeId> {
        let mut open: Vec<NodeId> = self.summary.results.values().flatten().copied().collect();
        for event in self.summary.events.values() {
            open.extend(event.nodes.iter().chain(event.locks.iter().flat_map(|lock| &lock.nodes)).copied());
        }
        for waiting in &self.summary.hand_overs {
            let locks = waiting.locks.iter().flat_map(|lock| &lock.nodes);
            open.extend(waiting.receivers.iter().chain(&waiting.data).chain(&waiting.done).chain(locks).copied());
        }
        open.extend(self.summary.separations.iter().flat_map(|separation| &separation.nodes).flatten().copied());
        let external = self.solver.cells.keys().map(|(node, _)| *node);
        open.extend(external.filter(|node| self.solver.nodes.is_external(*node)));
        for bases in self.solver.beyond.values() {
            open.extend(bases.iter().map(|(base, _)| *base));
        }
        open
    }

    /// What the cells of named nodes contain.
    fn contents(&mut self, named: &BTreeSet<NodeId>) {
        let mut cells: BTreeMap<Var, Vec<(NodeId, Cell)>> = BTreeMap::new();
        for ((node, cell), (var, _)) in &self.solver.cells {
            if named.contains(node) && !self.solver.points(*var).is_empty() {
                cells.entry(self.solver.find(*var)).or_default().push((*node, *cell));
            }
        }
        for (var, cells) in cells {
            let mut nodes: BTreeSet<NodeId> = self.solver.points(var).iter().copied().collect();
            // What a node requires of itself says nothing.
            let is_own = |of: &NodeId| matches!(self.solver.nodes.get(*of), Node::Required(node, cell) if cells.len() == 1 && cells.contains(&(*node, *cell)));
            nodes.retain(|node| !is_own(node));
            if !nodes.is_empty() {
                self.summary.contents.push(Contents { cells, nodes });
            }
        }
    }
}
