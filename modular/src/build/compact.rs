//! A summary has its own nodes: of those of the solver the ones that it names, in the same order.

use std::collections::{BTreeMap, BTreeSet};

use crate::node::{Node, NodeId, Nodes};
use crate::summary::{Cells, Lock, Summary};

impl Summary {
    /// Takes over the nodes that it names, and what these are named by.
    pub(crate) fn take_nodes(&mut self, from: &Nodes) {
        let mut used: BTreeSet<NodeId> = self.multiplicities.keys().copied().collect();
        used.insert(Nodes::GLOBAL);
        let mut open: Vec<NodeId> = used.iter().copied().collect();
        while let Some(node) = open.pop() {
            if let Node::Required(base, _) = from.get(node)
                && used.insert(*base)
            {
                open.push(*base);
            }
        }
        let (mut nodes, mut new) = (Nodes::new(), BTreeMap::new());
        for old in used {
            let node = match from.get(old).clone() {
                Node::Required(base, cell) => Node::Required(new[&base], cell),
                node => node,
            };
            new.insert(old, nodes.intern(node));
        }
        self.rename(&new);
        self.nodes = nodes;
    }

    fn rename(&mut self, new: &BTreeMap<NodeId, NodeId>) {
        let set = |nodes: &mut BTreeSet<NodeId>| *nodes = nodes.iter().map(|node| new[node]).collect();
        let locks = |locks: &mut Vec<Lock>| locks.iter_mut().for_each(|lock| set(&mut lock.nodes));
        self.multiplicities = self.multiplicities.iter().map(|(node, of)| (new[node], *of)).collect();
        for contents in &mut self.contents {
            contents.cells.iter_mut().for_each(|(base, _)| *base = new[base]);
            set(&mut contents.nodes);
        }
        // Of what nobody names nobody asks what it stands for.
        let beyond = std::mem::take(&mut self.beyond).into_iter().filter(|(node, _)| new.contains_key(node));
        let cells = |cells: Cells| cells.into_iter().map(|(base, cell)| (new[&base], cell)).collect();
        self.beyond = beyond.map(|(node, of)| (new[&node], cells(of))).collect();
        self.results.values_mut().for_each(set);
        for event in self.events.values_mut() {
            set(&mut event.nodes);
            locks(&mut event.locks);
        }
        for waiting in &mut self.hand_overs {
            [&mut waiting.receivers, &mut waiting.data, &mut waiting.done].into_iter().for_each(set);
            locks(&mut waiting.locks);
        }
        for mut separation in std::mem::take(&mut self.separations) {
            separation.nodes.iter_mut().for_each(set);
            self.separations.insert(separation);
        }
        set(&mut self.shared);
    }
}
