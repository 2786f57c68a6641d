//! Call paths: how a thread gets from where it begins to an access of an object.
//!
//! A path is one that can happen as far as the points-to result can tell: each call may pass on what gets the code after it to
//! the object, and may be made on what the method is called on. That is followed backwards from the access ([`carried`]).
//! `naive` follows it forwards, object by object, and must find paths of the same length.

pub mod naive;

mod carried;
mod origins;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::points_to::{CallEdge, InstanceId, Local, ObjectSet, PointsTo};
use crate::races::initialization::definite::Beginning;
use crate::races::locks::guards::{Guard, common, guard};
use crate::races::search::Races;
use crate::races::threads::Threads;

use carried::{Carried, Needs};

/// More states than that are not looked at for a path.
const MAX_STATES: usize = 1 << 14;

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

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// The code.
    pub instance: InstanceId,
    /// What it begins with.
    pub by: Beginning,
    /// The variable that is to refer to one of some objects there; none for a static field.
    pub object: Option<(Local, &'a ObjectSet)>,
}

/// Which paths are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Those that can happen.
    Possible,
    /// Whatever calls lead there.
    Any,
}

/// Every call, from the callee's side.
#[derive(Debug)]
pub struct Callers<'a> {
    points_to: &'a PointsTo,
    carried: Carried<'a>,
    threads: &'a Threads,
    callers: Vec<Vec<(InstanceId, u32)>>,
    /// The calls that start threads.
    starts: FxHashMap<InstanceId, Vec<(InstanceId, u32)>>,
    /// By beginning.
    roots: [FxHashSet<InstanceId>; 2],
}

/// Code, and what it must have been passed.
type State = (InstanceId, Needs);
/// The states in the order in which they were found, each with the call that leads on to another.
type States = IndexMap<State, Option<(u32, usize)>, FxBuildHasher>;

impl<'a> Callers<'a> {
    /// Turns the calls around.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, races: &'a Races) -> Self {
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
        Self { points_to, carried: Carried::of(points_to), threads: &races.threads, callers, starts, roots }
    }

    /// The shortest path to a goal from where a thread begins, none of `avoided`, or a class initializer. A path that holds none
    /// of the locks in `unheld` is preferred to a shorter one that does.
    #[must_use]
    pub fn path(&self, kind: Kind, to: &Goal<'_>, avoided: &[InstanceId], unheld: &[Guard]) -> Option<CallPath> {
        self.search(kind, to, avoided, unheld).or_else(|| self.search(kind, to, avoided, &[]))
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
                open.extend(self.callers[instance.index()].iter().map(|(caller, _)| *caller));
            }
        }
        seen
    }

    fn search(&self, kind: Kind, to: &Goal<'_>, avoided: &[InstanceId], unheld: &[Guard]) -> Option<CallPath> {
        let object = to.object.filter(|_| kind == Kind::Possible);
        let any = || vec![Needs::new()];
        let first = object.map_or_else(any, |(local, objects)| self.carried.ways(to.instance, local, objects));
        // Code that is led on from whatever it is passed, which no state is needed of besides.
        let mut free: FxHashSet<InstanceId> = FxHashSet::default();
        free.extend(first.iter().filter(|needs| needs.is_empty()).map(|_| to.instance));
        let mut states = States::default();
        states.extend(first.into_iter().map(|needs| ((to.instance, needs), None)));
        for at in 0..MAX_STATES {
            let (state, _) = states.get_index(at)?;
            let (instance, needs) = state.clone();
            if !avoided.contains(&instance) && self.begins(to.by, instance, &needs) {
                let path = unwind(&states, at);
                let mut run = path.steps.iter().map(|step| step.caller).chain([to.instance]);
                if run.all(|run| self.threads.may_run(instance, run)) {
                    return Some(path);
                }
            }
            for (caller, call) in &self.callers[instance.index()] {
                if free.contains(caller) || self.holds(*caller, *call, unheld) {
                    continue;
                }
                let edge = CallEdge { call: *call, callee: instance };
                for needs in self.needs(kind, *caller, edge, &needs) {
                    if needs.is_empty() {
                        free.insert(*caller);
                    }
                    states.entry((*caller, needs)).or_insert(Some((*call, at)));
                }
            }
        }
        None
    }

    fn needs(&self, kind: Kind, caller: InstanceId, edge: CallEdge, needs: &Needs) -> Vec<Needs> {
        match kind {
            Kind::Possible => self.carried.before(caller, edge, needs),
            Kind::Any => vec![Needs::new()],
        }
    }

    /// Whether a thread, or a class initializer, may begin with code and what it needs.
    fn begins(&self, by: Beginning, instance: InstanceId, needs: &Needs) -> bool {
        let passes = |(caller, call): &(InstanceId, u32)| self.carried.may_pass(*caller, *call, needs);
        self.roots[by as usize].contains(&instance)
            && (needs.is_empty() || self.starts.get(&instance).is_some_and(|starts| starts.iter().any(passes)))
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

fn unwind(states: &States, mut at: usize) -> CallPath {
    let mut path = CallPath { root: InstanceId(u32::MAX), steps: Vec::new() };
    while let Some(((instance, _), next)) = states.get_index(at) {
        if path.steps.is_empty() {
            path.root = *instance;
        }
        let Some((call, to)) = *next else { break };
        path.steps.push(Step { caller: *instance, call });
        at = to;
    }
    path
}
