//! Which locks are held, and which may be released.

use std::collections::BTreeSet;

use static_typer::points_to::{Code, CodeId, Local};
use static_typer::types::may_release;

use super::Build;
use crate::call_graph::CallGraph;
use crate::node::NodeId;
use crate::solver::{Context, Var};
use crate::summary::{Lock, OwnLock};

/// Locks that may be more objects than that are none.
const MAX_LOCK_NODES: usize = 4;

impl<'p> Build<'_, '_, 'p> {
    pub(super) fn locks(&self, locks: &[(Var, bool, bool)]) -> Vec<Lock> {
        let lock = |(var, monitor, shared): &(Var, bool, bool)| Lock {
            nodes: self.solver.points(*var).iter().copied().collect(),
            monitor: *monitor,
            shared: *shared,
        };
        let is_lock = |lock: &Lock| {
            let n_nodes = lock.nodes.len();
            (1..=MAX_LOCK_NODES).contains(&n_nodes) && (lock.monitor || !self.summary.releases)
        };
        let is_few = |(var, ..): &&(Var, bool, bool)| self.solver.points(*var).len() <= MAX_LOCK_NODES;
        let mut found: Vec<Lock> = locks.iter().filter(is_few).map(lock).filter(is_lock).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Without explicit locks where these may be released meanwhile.
    pub(super) fn kept(&self, mut own: BTreeSet<OwnLock>) -> BTreeSet<OwnLock> {
        own.retain(|lock| lock.monitor || !self.summary.releases);
        own
    }

    /// What nodes of a summary are at its instance.
    pub(super) fn nodes_of(&mut self, index: usize, of: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
        let mut nodes = BTreeSet::new();
        for node in of {
            let var = self.solver.of_node(index, *node);
            nodes.extend(self.solver.points(var).iter().copied());
        }
        nodes
    }

    pub(super) fn locks_of(&mut self, index: usize, locks: &[Lock]) -> Vec<Lock> {
        let mut found = Vec::new();
        for lock in locks {
            let nodes = self.nodes_of(index, &lock.nodes);
            if (1..=MAX_LOCK_NODES).contains(&nodes.len()) && (lock.monitor || !self.summary.releases) {
                found.push(Lock { nodes, ..lock.clone() });
            }
        }
        found
    }

    /// Whether explicit locks of callers may be released.
    pub(super) fn releases(&mut self) {
        let own = self.solver.component.iter().any(|code| releases_more(self.solver.graph, *code));
        let in_regions = !self.solver.entered.is_empty() && self.solver.known.regions.releases;
        let graph = self.solver.graph;
        let gives_back_own = |context: &Context| {
            context.call.is_some_and(|(code, number)| graph.code(code).calls[number as usize].gives_back_own)
        };
        let mut releasing = self.solver.instances.iter().filter(|instance| instance.summary.releases);
        let in_instances = releasing.any(|instance| !gives_back_own(&instance.context));
        self.summary.releases = own || in_regions || in_instances;
    }
}

/// The locks of the accessed object that are held: its monitor, or the lock in one of its final fields.
pub(super) fn own_locks(data: &Code, base: Option<Local>, held: &[static_typer::points_to::Lock]) -> BTreeSet<OwnLock> {
    let Some(base) = base else { return BTreeSet::new() };
    let (root, fields) = data.path(base);
    let own = held.iter().filter_map(|lock| {
        let (other, path) = data.path(lock.local);
        let rest = path.strip_prefix(&fields[..]).filter(|_| other == root)?;
        let field = match rest {
            [] => None,
            [field] => Some(*field),
            _ => return None,
        };
        Some(OwnLock { field, monitor: lock.monitor, shared: lock.shared })
    });
    own.collect()
}

/// Whether code releases an explicit lock that it does not hold there.
pub fn releases_more(graph: &CallGraph<'_>, code: CodeId) -> bool {
    graph.code(code).calls.iter().any(|site| may_release(graph.program, site.method) && !site.gives_back_own)
}
