//! Call paths: how a thread gets from where it begins to an access.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{CallEdge, InstanceId, PointsTo};

use super::guards::{Guard, common, guard};
use super::{Beginning, Races, Side};

/// A call on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who calls.
    pub caller: InstanceId,
    /// The call in its code.
    pub call: u32,
}

/// A shortest path: where the thread begins, and every call from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallPath {
    /// The code that the thread begins with.
    pub root: InstanceId,
    /// The calls.
    pub steps: Vec<Step>,
}

/// Every call, from the callee's side.
#[derive(Debug)]
pub struct Callers<'a> {
    points_to: &'a PointsTo,
    callers: Vec<Vec<(InstanceId, u32)>>,
    /// By beginning.
    roots: [FxHashSet<InstanceId>; 2],
}

impl<'a> Callers<'a> {
    /// Turns the calls around.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, races: &Races) -> Self {
        let mut callers = vec![Vec::new(); points_to.instances().count()];
        for caller in points_to.instances() {
            let code = points_to.code(caller);
            for CallEdge { call, callee } in points_to.calls(caller) {
                if !code.calls[*call as usize].is_fork {
                    callers[callee.index()].push((caller, *call));
                }
            }
        }
        let roots = [&races.threads.roots, &races.initializers].map(|roots| roots.iter().copied().collect());
        Self { points_to, callers, roots }
    }

    /// The shortest path to a side of a race from where a thread begins, none of `avoided`, or a class initializer. A path that
    /// holds none of the locks in `unheld` is preferred to a shorter one that does.
    #[must_use]
    pub fn path(&self, to: &Side, avoided: &[InstanceId], unheld: &[Guard]) -> Option<CallPath> {
        self.search(to, avoided, unheld).or_else(|| self.search(to, avoided, &[]))
    }

    /// Where threads begin that may come to an instance.
    #[must_use]
    pub fn roots_of(&self, to: InstanceId) -> Vec<InstanceId> {
        let mut seen = FxHashSet::default();
        let mut open = vec![to];
        while let Some(instance) = open.pop() {
            if seen.insert(instance) {
                open.extend(self.callers[instance.index()].iter().map(|(caller, _)| *caller));
            }
        }
        let mut roots: Vec<InstanceId> =
            seen.into_iter().filter(|instance| self.roots[Beginning::Thread as usize].contains(instance)).collect();
        roots.sort_unstable();
        roots
    }

    fn search(&self, to: &Side, avoided: &[InstanceId], unheld: &[Guard]) -> Option<CallPath> {
        let (to, roots) = (to.instance, &self.roots[to.by as usize]);
        let mut next: FxHashMap<InstanceId, Option<(u32, InstanceId)>> = FxHashMap::default();
        next.insert(to, None);
        let mut open = VecDeque::from([to]);
        while let Some(instance) = open.pop_front() {
            if roots.contains(&instance) && !avoided.contains(&instance) {
                return Some(self.unwind(instance, &next));
            }
            for (caller, call) in &self.callers[instance.index()] {
                if !next.contains_key(caller) && !self.holds(*caller, *call, unheld) {
                    next.insert(*caller, Some((*call, instance)));
                    open.push_back(*caller);
                }
            }
        }
        None
    }

    fn unwind(&self, root: InstanceId, next: &FxHashMap<InstanceId, Option<(u32, InstanceId)>>) -> CallPath {
        let mut steps = Vec::new();
        let mut at = root;
        while let Some(Some((call, callee))) = next.get(&at) {
            steps.push(Step { caller: at, call: *call });
            at = *callee;
        }
        CallPath { root, steps }
    }

    fn holds(&self, caller: InstanceId, call: u32, unheld: &[Guard]) -> bool {
        if unheld.is_empty() {
            return false;
        }
        let site = &self.points_to.code(caller).calls[call as usize];
        let held: Vec<Guard> = site.held.iter().filter_map(|lock| guard(self.points_to, caller, lock)).collect();
        common(&held, unheld).next().is_some()
    }
}
