//! What the main thread does before it starts another one. Nothing runs in parallel with that, and a start orders what comes
//! before it before everything that the started thread does (JLS 17.4.5).

use rustc_hash::FxHashSet;

use crate::ir::{Body, Value};
use crate::points_to::{InstanceId, PointsTo};
use crate::program::{ClassId, Program};
use crate::races::initialization::definite::Beginning;
use crate::races::initialization::executions::Executions;
use crate::races::initialization::triggers::{Triggers, used};
use crate::races::reach::{following_values, leading_to};
use crate::races::threads::{RunBy, Threads};

/// The instructions of each instance before which another thread may have been started.
#[derive(Debug)]
pub struct Phase {
    /// Instances that begin before any start, and their instructions that may come after one; by beginning.
    early: [Vec<Option<FxHashSet<Value>>>; 2],
    starts: Starts,
}

/// What may start a thread that may come to an access.
#[derive(Debug)]
struct Starts {
    /// Instances that do, themselves or by what they call or use.
    by: Vec<bool>,
    /// Initializers that may, or that accesses count on.
    triggers: Triggers,
}

impl Phase {
    /// Follows the main thread, if there is one only, from its start.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads, executions: &Executions<'_>) -> Self {
        let nothing = vec![None; points_to.instances().count()];
        let starts = Starts::of(program, points_to);
        let mut phase = Self { early: [nothing.clone(), nothing], starts };
        let Some((main, rest)) = points_to.calls(points_to.root).split_first() else { return phase };
        let is_main = |instance: InstanceId| threads.run_by(instance) == RunBy::One(main.callee);
        let code = points_to.code(points_to.root);
        let repeats = code.calls[main.call as usize].repeats;
        let starts_first = phase.starts.triggers.in_code(program, code).any(|(_, used)| phase.starts.by[used.index()]);
        if repeats || starts_first || !is_main(main.callee) || !rest.iter().all(|edge| is_main(edge.callee)) {
            return phase;
        }
        let by_main = points_to.instances().filter(|instance| is_main(*instance));
        let initializes = |instance: &InstanceId| executions.run_by(*instance) == RunBy::One(main.callee);
        let in_initializers = points_to.instances().filter(initializes);
        let by_main: Vec<(InstanceId, Beginning)> = by_main
            .map(|instance| (instance, Beginning::Thread))
            .chain(in_initializers.map(|instance| (instance, Beginning::Initializer)))
            .collect();
        for (instance, by) in &by_main {
            phase.early[*by as usize][instance.index()] = Some(phase.starts.late_values(program, points_to, *instance));
        }
        rest.iter().for_each(|edge| phase.early[Beginning::Thread as usize][edge.callee.index()] = None);
        phase.retract(program, points_to, executions, by_main);
        phase
    }

    /// Whether nothing else runs yet when the instruction does.
    #[must_use]
    pub fn is_early(&self, instance: InstanceId, by: Beginning, at: Value) -> bool {
        self.early[by as usize][instance.index()].as_ref().is_some_and(|late| !late.contains(&at))
    }

    /// Takes back what was assumed of instances that are called or used late.
    fn retract(
        &mut self,
        program: &Program,
        points_to: &PointsTo,
        executions: &Executions<'_>,
        by_main: Vec<(InstanceId, Beginning)>,
    ) {
        let mut open = by_main;
        while let Some((caller, by)) = open.pop() {
            let code = points_to.code(caller);
            let mut late = Vec::new();
            for edge in points_to.calls(caller) {
                let site = &code.calls[edge.call as usize];
                let to = if site.is_fork { Beginning::Thread } else { by };
                late.extend((!self.is_early(caller, by, site.at)).then_some((edge.callee, to)));
            }
            for (class, initializer) in executions.triggers.in_code(program, code) {
                if self.is_used_late(program, points_to, executions, (caller, by), class) {
                    late.push((initializer, Beginning::Initializer));
                }
            }
            for (callee, to) in late {
                if self.early[to as usize][callee.index()].take().is_some() {
                    open.push((callee, to));
                }
            }
        }
    }

    /// Whether an instance may use a class for the first time after a start.
    fn is_used_late(
        &self,
        program: &Program,
        points_to: &PointsTo,
        executions: &Executions<'_>,
        (instance, by): (InstanceId, Beginning),
        class: ClassId,
    ) -> bool {
        let is_known = |known: &[ClassId]| known.binary_search(&class).is_ok();
        let definite = &executions.definite;
        let late = match &self.early[by as usize][instance.index()] {
            _ if is_known(definite.on_entry(instance, by)) => return false,
            Some(late) if late.is_empty() => return false,
            Some(late) => late,
            None => return true,
        };
        let code = points_to.code(instance);
        let body = code.method.filter(|_| code.lambda.is_none()).and_then(|method| Body::of(program, method)?.ok());
        let Some(body) = body else { return true };
        let uses = |at: &Value| {
            let used = used(program, &body, *at).into_iter();
            used.flat_map(|used| executions.triggers.of_class(program, used)).any(|(used, _)| used == class)
        };
        let mut first = body.all_values().filter(uses);
        let mut first =
            first.by_ref().filter(|at| !is_known(&definite.before(points_to, instance, by, *at))).peekable();
        // Other uses have no place.
        first.peek().is_none() || first.any(|at| late.contains(&at))
    }
}

impl Starts {
    fn of(program: &Program, points_to: &PointsTo) -> Self {
        let triggers = Triggers::of(program, points_to, |class| program.class(class).is_application);
        let mut callers = vec![Vec::new(); points_to.instances().count()];
        for caller in points_to.instances() {
            let used = triggers.in_code(program, points_to.code(caller)).map(|(_, initializer)| initializer);
            let called = points_to.calls(caller).iter().map(|edge| edge.callee);
            called.chain(used).for_each(|callee| callers[callee.index()].push(caller.index()));
        }
        let with_accesses = points_to.instances().filter(|instance| !points_to.code(*instance).accesses.is_empty());
        let matters = leading_to(&callers, with_accesses.map(InstanceId::index).collect());
        let starts = |caller: &InstanceId| {
            let code = points_to.code(*caller);
            let mut edges = points_to.calls(*caller).iter();
            edges.any(|edge| code.calls[edge.call as usize].is_fork && matters[edge.callee.index()])
        };
        let starting = points_to.instances().filter(starts).map(InstanceId::index);
        Self { by: leading_to(&callers, starting.collect()), triggers }
    }

    /// The instructions of an instance that may run after one that starts a thread.
    fn late_values(&self, program: &Program, points_to: &PointsTo, instance: InstanceId) -> FxHashSet<Value> {
        if !self.by[instance.index()] {
            return FxHashSet::default();
        }
        let code = points_to.code(instance);
        let Some(body) =
            code.method.filter(|_| code.lambda.is_none()).and_then(|method| Body::of(program, method)?.ok())
        else {
            return code.calls.iter().map(|site| site.at).collect();
        };
        let calls = points_to.calls(instance).iter().filter(|edge| self.by[edge.callee.index()]);
        let calls = calls.map(|edge| code.calls[edge.call as usize].at);
        let begins = |class| self.triggers.of_class(program, class).any(|(_, used)| self.by[used.index()]);
        let uses: FxHashSet<Value> =
            body.all_values().filter(|at| used(program, &body, *at).is_some_and(begins)).collect();
        // What an instruction accesses or calls that uses a class comes after the class's initializer.
        let mut late = following_values(&body, &calls.chain(uses.iter().copied()).collect());
        late.extend(uses);
        late
    }
}
