//! Every call from the callee's side, and where paths may begin.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{CallEdge, InstanceId, PointsTo};
use crate::races::initialization::definite::Beginning;
use crate::races::locks::guards::{Guard, common, guard};
use crate::races::search::Races;
use crate::races::threads::Threads;

use super::carried::{Carried, Needs, Ways};
use super::{Goal, Kind};

/// The calls of a program, turned around.
#[derive(Debug)]
pub struct Calls<'a> {
    points_to: &'a PointsTo,
    carried: Carried<'a>,
    threads: &'a Threads,
    callers: Vec<Vec<(InstanceId, u32)>>,
    /// The calls that start threads.
    starts: FxHashMap<InstanceId, Vec<(InstanceId, u32)>>,
    /// By beginning.
    roots: [FxHashSet<InstanceId>; 2],
}

impl<'a> Calls<'a> {
    /// Turns the calls around.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, races: &'a Races, max_ways: usize) -> Self {
        let mut callers = vec![Vec::new(); points_to.instances().count()];
        let mut starts: FxHashMap<InstanceId, Vec<(InstanceId, u32)>> = FxHashMap::default();
        for caller in points_to.instances() {
            let code = points_to.code(caller);
            for CallEdge { call, callee } in points_to.calls(caller) {
                if code.calls[*call as usize].is_fork {
                    starts.entry(*callee).or_default().push((caller, *call));
                } else {
                    callers[callee.index()].push((caller, *call));
                }
            }
        }
        let roots = [&races.threads.roots, &races.initializers].map(|roots| roots.iter().copied().collect());
        let carried = Carried::of(points_to, max_ways);
        Self { points_to, carried, threads: &races.threads, callers, starts, roots }
    }

    /// Who calls code, and by which call.
    #[must_use]
    pub fn callers(&self, instance: InstanceId) -> &[(InstanceId, u32)] {
        &self.callers[instance.index()]
    }

    /// Where threads begin that may come to an instance.
    #[must_use]
    pub fn roots_of(&self, to: InstanceId) -> Vec<InstanceId> {
        let is_root = |instance: &InstanceId| self.roots[Beginning::Thread as usize].contains(instance);
        let mut roots: Vec<InstanceId> = self.leading_to(to).into_iter().filter(is_root).collect();
        roots.retain(|root| self.threads.may_run(*root, to));
        roots.sort_unstable();
        roots
    }

    /// Every instance from which calls lead to another, and that itself.
    fn leading_to(&self, to: InstanceId) -> FxHashSet<InstanceId> {
        let mut seen = FxHashSet::default();
        let mut open = vec![to];
        while let Some(instance) = open.pop() {
            if seen.insert(instance) {
                open.extend(self.callers(instance).iter().map(|(caller, _)| *caller));
            }
        }
        seen
    }

    /// What the code of a goal must have been passed: one of these.
    #[must_use]
    pub fn first(&self, kind: Kind, to: &Goal<'_>) -> Vec<Needs> {
        let object = to.object.filter(|_| kind == Kind::Possible);
        let any = || vec![Needs::new()];
        object.map_or_else(any, |(local, objects)| self.carried.ways(to.instance, local, objects))
    }

    /// What a caller must have been passed so that a call passes on what the called code needs: one of these.
    #[must_use]
    pub fn before(&self, kind: Kind, caller: InstanceId, edge: CallEdge, needs: &Needs) -> Ways {
        match kind {
            Kind::Possible => self.carried.before(caller, edge, needs),
            Kind::Any => vec![Needs::new()].into(),
        }
    }

    /// Whether a thread, or a class initializer, may begin with code and what it needs.
    #[must_use]
    pub fn begins(&self, by: Beginning, instance: InstanceId, needs: &Needs) -> bool {
        let passes = |(caller, call): &(InstanceId, u32)| self.carried.may_pass(*caller, *call, needs);
        self.roots[by as usize].contains(&instance)
            && (needs.is_empty() || self.starts.get(&instance).is_some_and(|starts| starts.iter().any(passes)))
    }

    /// Whether a thread that begins with some code may run all of other code.
    pub fn may_run(&self, root: InstanceId, mut run: impl Iterator<Item = InstanceId>) -> bool {
        run.all(|instance| self.threads.may_run(root, instance))
    }

    /// Whether one of some locks is held at a call.
    #[must_use]
    pub fn holds(&self, caller: InstanceId, call: u32, locks: &[Guard]) -> bool {
        if locks.is_empty() {
            return false;
        }
        let held: Vec<Guard> = self.held(caller, call).collect();
        common(&held, locks).next().is_some()
    }

    /// The locks that code itself holds at a call, each of which is one object.
    pub fn held(&self, caller: InstanceId, call: u32) -> impl Iterator<Item = Guard> {
        let held = &self.points_to.code(caller).calls[call as usize].held;
        held.iter().filter_map(move |lock| guard(self.points_to, caller, lock))
    }
}
