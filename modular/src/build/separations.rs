//! Arguments that are to be different objects: what of that callers have to say, and in the end what is not so.

use std::collections::{BTreeMap, BTreeSet};

use static_typer::points_to::CodeId;
use static_typer::types::separate;

use super::Build;
use super::events::EVENT_LABELS;
use crate::environment::ENVIRONMENT;
use crate::node::{Label, Labels, NodeId, limited};
use crate::summary::Separation;

/// More of one call than that are not told apart by what they refer to together.
const MAX_APART: usize = 8;

/// What both arguments of a call may refer to.
type Sides = [BTreeSet<NodeId>; 2];

impl<'p> Build<'_, '_, 'p> {
    pub(super) fn separations(&mut self) {
        for code in self.solver.component.clone() {
            self.own_separations(code);
        }
        for index in 0..self.solver.instances.len() {
            self.separations_of(index);
        }
        self.join_separations();
    }

    /// Those of the calls of code, by the method that each names.
    fn own_separations(&mut self, code: CodeId) {
        let data = self.solver.graph.code(code).clone();
        if code == ENVIRONMENT || data.method.is_none() {
            return;
        }
        for (number, site) in data.calls.iter().enumerate() {
            for arguments in separate(self.solver.program(), site.method) {
                let local = |n: u16| site.arguments.get(usize::from(n)).copied().flatten();
                let points = |n: u16| local(n).map(|local| self.solver.points(self.solver.local(code, local)));
                let nodes = arguments.map(|n| points(n).into_iter().flat_map(|set| set.iter().copied()).collect());
                let labels = [Label { code, number: number as u32 }].into();
                self.add_separation(Separation { labels, arguments, nodes });
            }
        }
    }

    fn separations_of(&mut self, index: usize) {
        let instance = &self.solver.instances[index];
        let (summary, outer) = (instance.summary.clone(), instance.context.labels.clone());
        for Separation { labels, arguments, nodes } in &summary.separations {
            let (labels, _) = limited(outer.iter().chain(labels.iter()).copied(), EVENT_LABELS);
            let [a, b] = nodes;
            let nodes = [self.nodes_of(index, a), self.nodes_of(index, b)];
            self.add_separation(Separation { labels, arguments: *arguments, nodes });
        }
    }

    /// What is one object for sure or may be, as callers decide what it is.
    fn add_separation(&mut self, new: Separation) {
        let [a, b] = &new.nodes;
        let is_open = |nodes: &BTreeSet<NodeId>| nodes.iter().any(|node| self.solver.nodes.is_external(*node));
        let may_be_one = !a.is_disjoint(b) || !self.is_root && (is_open(a) || is_open(b));
        if may_be_one && !a.is_empty() && !b.is_empty() {
            self.summary.separations.insert(new);
        }
    }

    /// Bounds what one call may have.
    fn join_separations(&mut self) {
        let mut of_call: BTreeMap<(Labels, [u16; 2]), Vec<Sides>> = BTreeMap::new();
        for Separation { labels, arguments, nodes } in std::mem::take(&mut self.summary.separations) {
            of_call.entry((labels, arguments)).or_default().push(nodes);
        }
        for ((labels, arguments), mut all) in of_call {
            if all.len() > MAX_APART {
                let joined = |n: usize| all.iter().flat_map(|nodes| &nodes[n]).copied().collect();
                all = vec![[joined(0), joined(1)]];
            }
            let separation = |nodes| Separation { labels: labels.clone(), arguments, nodes };
            self.summary.separations.extend(all.into_iter().map(separation));
        }
    }
}
