//! Which threads run class initializers, and what these call: those that use a class which is not initialized for certain. One of
//! them runs its initializer, once.
//!
//! Only initializers of the application count. Which locks are held where a class is used first is not known.

use std::collections::BTreeMap;

use crate::ir::Value;
use crate::points_to::{Access, InstanceId, ObjectSet, PointsTo, Slot};
use crate::program::{ClassId, Program};
use crate::races::locks::guards::Guards;
use crate::races::locks::settled::Settled;
use crate::races::pairs::variable::Variable;
use crate::races::reach::leading_to;
use crate::races::threads::{RunBy, Threads};

use super::definite::{Beginning, Definite};
use super::effects::{Effects, Of};
use super::triggers::Triggers;

/// Initializers that access what is not their own, or lead to those that do.
pub struct Executions<'a> {
    /// What they run.
    pub effects: Effects<'a>,
    /// What runs them.
    pub triggers: Triggers,
    /// Where they have run.
    pub definite: Definite,
    /// The locks that they hold.
    pub guards: Guards<'a>,
    run_by: Vec<RunBy>,
    /// The classes whose initializers access a variable.
    accessing: BTreeMap<Variable, Vec<ClassId>>,
}

impl<'a> Executions<'a> {
    /// Follows them; there is none if they are not `wanted`.
    #[must_use]
    pub fn of(
        program: &'a Program,
        points_to: &'a PointsTo,
        threads: &Threads,
        settled: &'a Settled,
        wanted: bool,
    ) -> Self {
        let mut triggers = Triggers::of(program, points_to, |class| wanted && program.class(class).is_application);
        let effects = Effects::of(program, points_to, threads, &triggers);
        let matters = matters(program, points_to, &triggers, &effects);
        triggers.retain(|initializer| matters[initializer.index()]);
        let roots: Vec<InstanceId> = triggers.all().map(|(_, initializer)| initializer).collect();
        let mut executions = Self {
            definite: Definite::of(program, points_to, &triggers),
            guards: Guards::of(program, points_to, &roots, settled),
            run_by: vec![RunBy::None; points_to.instances().count()],
            accessing: BTreeMap::new(),
            effects,
            triggers,
        };
        executions.follow(program, points_to, threads);
        executions.list(points_to);
        executions
    }

    /// Where what initializers run begins.
    #[must_use]
    pub fn roots(&self) -> Vec<InstanceId> {
        let roots = self.triggers.all().map(|(_, initializer)| initializer);
        roots.filter(|root| self.run_by(*root) != RunBy::None).collect()
    }

    /// Which threads may run an instance in an initializer.
    #[must_use]
    pub fn run_by(&self, instance: InstanceId) -> RunBy {
        self.run_by[instance.index()]
    }

    /// Whose initializer runs an instance.
    #[must_use]
    pub fn run(&self, instance: InstanceId) -> Of {
        self.effects.run(instance)
    }

    /// What [`Effects::others`] says of what threads run.
    #[must_use]
    pub fn others(&self, instance: InstanceId, access: &Access) -> Option<Option<ObjectSet>> {
        if self.run_by(instance) == RunBy::None { None } else { self.effects.others(instance, access) }
    }

    /// The classes with an initializer that accesses a variable and has ended before an instruction, sorted.
    #[must_use]
    pub fn ended(
        &self,
        points_to: &PointsTo,
        variable: Variable,
        (instance, by, at): (InstanceId, Beginning, Value),
    ) -> Vec<ClassId> {
        let Some(accessing) = self.accessing.get(&variable) else { return Vec::new() };
        let mut ended = self.definite.before(points_to, instance, by, at);
        ended.retain(|class| accessing.binary_search(class).is_ok());
        ended
    }

    fn follow(&mut self, program: &Program, points_to: &PointsTo, threads: &Threads) {
        let mut open = Vec::new();
        for instance in points_to.instances() {
            let by = if instance == points_to.root { of_root(points_to, threads) } else { threads.run_by(instance) };
            for initializer in self.triggered(program, points_to, instance, Beginning::Thread) {
                self.run_by[initializer.index()] = self.run_by(initializer).join(by);
                open.push(initializer);
            }
        }
        while let Some(instance) = open.pop() {
            let by = self.run_by(instance);
            let nested = self.triggered(program, points_to, instance, Beginning::Initializer);
            for callee in points_to.callees(instance).chain(nested) {
                let joined = self.run_by(callee).join(by);
                if std::mem::replace(&mut self.run_by[callee.index()], joined) != joined {
                    open.push(callee);
                }
            }
        }
    }

    /// The initializers that an instance may be the first to need.
    fn triggered(
        &self,
        program: &Program,
        points_to: &PointsTo,
        instance: InstanceId,
        by: Beginning,
    ) -> Vec<InstanceId> {
        let known = self.definite.on_entry(instance, by);
        let triggered = self.triggers.in_code(program, points_to.code(instance));
        triggered.filter(|(class, _)| known.binary_search(class).is_err()).map(|(_, initializer)| initializer).collect()
    }

    fn list(&mut self, points_to: &PointsTo) {
        for instance in points_to.instances() {
            let (code, of) = (points_to.code(instance), self.run(instance));
            for access in code.accesses.iter().filter(|_| code.is_checked) {
                let (Of::Class(class), Some(variable)) = (of, variable(access.slot)) else { continue };
                if self.others(instance, access).is_some() {
                    self.accessing.entry(variable).or_default().push(class);
                }
            }
        }
        for classes in self.accessing.values_mut() {
            classes.sort_unstable();
            classes.dedup();
        }
    }
}

fn variable(slot: Slot) -> Option<Variable> {
    match slot {
        Slot::Field(field) => Some(Variable::Field(field)),
        Slot::Element => Some(Variable::Element),
        Slot::Content => Some(Variable::Content),
        Slot::Captured(_) | Slot::PerThread => None,
    }
}

/// The environment uses classes as the threads do that it starts.
fn of_root(points_to: &PointsTo, threads: &Threads) -> RunBy {
    let started = points_to.calls(points_to.root).iter().map(|edge| threads.run_by(edge.callee));
    started.fold(RunBy::None, RunBy::join)
}

/// The instances that lead to an access to what is not the initializer's own, by calls or by using classes.
fn matters(program: &Program, points_to: &PointsTo, triggers: &Triggers, effects: &Effects<'_>) -> Vec<bool> {
    let accesses = |instance: &InstanceId| {
        let code = points_to.code(*instance);
        code.is_checked && code.accesses.iter().any(|access| effects.others(*instance, access).is_some())
    };
    let mut callers = vec![Vec::new(); points_to.instances().count()];
    for caller in points_to.instances() {
        let used = triggers.in_code(program, points_to.code(caller)).map(|(_, initializer)| initializer);
        points_to.callees(caller).chain(used).for_each(|callee| callers[callee.index()].push(caller.index()));
    }
    leading_to(&callers, points_to.instances().filter(accesses).map(InstanceId::index).collect())
}
