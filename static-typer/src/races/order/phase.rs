//! What the main thread does before it starts another one, itself or by a third. A start orders what comes before it before everything that
//! the started thread does (JLS 17.4.5).

use rustc_hash::FxHashMap;

use crate::ir::{Body, Value};
use crate::points_to::{InstanceId, PointsTo};
use crate::program::{ClassId, Program};
use crate::races::initialization::definite::Beginning;
use crate::races::initialization::executions::Executions;
use crate::races::initialization::triggers::used;
use crate::races::threads::{RunBy, Threads};

use super::starts::{After, Starts, ThreadKinds};

/// The threads that may have been started before each instruction of instances that only the main thread runs.
#[derive(Debug)]
pub struct Phase {
    /// Before it begins with an instance; by beginning.
    before: [Vec<Option<ThreadKinds>>; 2],
    /// Since then.
    since: FxHashMap<InstanceId, After>,
}

impl Phase {
    /// Follows the main thread, if there is one only, from its start.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads, executions: &Executions<'_>) -> Self {
        let nothing = vec![None; points_to.instances().count()];
        let mut phase = Self { before: [nothing.clone(), nothing], since: FxHashMap::default() };
        let Some(main) = main(points_to, threads) else { return phase };
        let starts = Starts::of(program, points_to, threads);
        let by_main = points_to.instances().filter(|instance| threads.run_by(*instance) == main);
        let initializes = |instance: &InstanceId| executions.run_by(*instance) == main;
        let in_initializers = points_to.instances().filter(initializes);
        let by_main: Vec<(InstanceId, Beginning)> = by_main
            .map(|instance| (instance, Beginning::Thread))
            .chain(in_initializers.map(|instance| (instance, Beginning::Initializer)))
            .collect();
        for (instance, by) in &by_main {
            phase.before[*by as usize][instance.index()] = Some(starts.none());
            phase.since.entry(*instance).or_insert_with(|| starts.after(program, points_to, threads, *instance));
        }
        for (instance, by, started) in from_root(program, points_to, &starts) {
            let known = phase.before[by as usize][instance.index()].as_mut();
            known.into_iter().for_each(|known| known.union_with(&started));
        }
        Search { program, points_to, executions, starts: &starts, phase: &mut phase }.follow(by_main);
        phase
    }

    /// The threads that may have been started before an instruction; none if it is not known that only the main thread comes there.
    #[must_use]
    pub fn started(&self, instance: InstanceId, by: Beginning, at: Value) -> Option<ThreadKinds> {
        let mut started = self.before[by as usize][instance.index()].clone()?;
        let since = self.since.get(&instance).into_iter().flatten();
        since.filter(|(_, after)| after.contains(&at)).for_each(|(kinds, _)| started.union_with(kinds));
        Some(started)
    }
}

/// The main thread, if that is one and runs all that nothing starts.
fn main(points_to: &PointsTo, threads: &Threads) -> Option<RunBy> {
    let (first, rest) = points_to.calls(points_to.root).split_first()?;
    let main = RunBy::One(first.callee);
    let repeats = points_to.code(points_to.root).calls[first.call as usize].repeats;
    let mut begun = std::iter::once(first).chain(rest);
    (!repeats && begun.all(|edge| threads.run_by(edge.callee) == main)).then_some(main)
}

/// What may have been started before what the environment runs: class initializers, in any order, then `main`, then the rest.
fn from_root(program: &Program, points_to: &PointsTo, starts: &Starts) -> Vec<(InstanceId, Beginning, ThreadKinds)> {
    let initializers: Vec<InstanceId> = starts.initializers(program, points_to, points_to.root).collect();
    let by_them = initializers.iter().fold(starts.none(), |all, initializer| &all | starts.by(*initializer));
    let first = initializers.into_iter().map(|initializer| (initializer, Beginning::Initializer, by_them.clone()));
    let begun = points_to.calls(points_to.root).iter().enumerate().map(|(n, edge)| {
        let started = if n == 0 { by_them.clone() } else { starts.all() };
        (edge.callee, Beginning::Thread, started)
    });
    first.chain(begun).collect()
}

struct Search<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    executions: &'a Executions<'a>,
    starts: &'a Starts,
    phase: &'a mut Phase,
}

impl Search<'_> {
    /// Takes what may have been started along calls and uses of classes.
    fn follow(&mut self, mut open: Vec<(InstanceId, Beginning)>) {
        while let Some((caller, by)) = open.pop() {
            for (callee, by, started) in self.led_to(caller, by) {
                let known = &mut self.phase.before[by as usize][callee.index()];
                if let Some(known) = known.as_mut().filter(|known| !started.is_subset(known)) {
                    known.union_with(&started);
                    open.push((callee, by));
                }
            }
        }
    }

    fn led_to(&self, caller: InstanceId, by: Beginning) -> Vec<(InstanceId, Beginning, ThreadKinds)> {
        let code = self.points_to.code(caller);
        let called = self.points_to.calls(caller).iter().filter_map(|edge| {
            let site = &code.calls[edge.call as usize];
            let to = if site.is_fork { Beginning::Thread } else { by };
            Some((edge.callee, to, self.phase.started(caller, by, site.at)?))
        });
        let used = self.executions.triggers.in_code(self.program, code).filter_map(|(class, initializer)| {
            Some((initializer, Beginning::Initializer, self.before_first_use((caller, by), class)?))
        });
        called.chain(used).collect()
    }

    /// What may have been started where an instance may use a class for the first time.
    fn before_first_use(&self, (instance, by): (InstanceId, Beginning), class: ClassId) -> Option<ThreadKinds> {
        let is_known = |known: &[ClassId]| known.binary_search(&class).is_ok();
        let definite = &self.executions.definite;
        if is_known(definite.on_entry(instance, by)) {
            return None;
        }
        let before = self.phase.before[by as usize][instance.index()].as_ref()?;
        let code = self.points_to.code(instance);
        let body = code.method.filter(|_| code.lambda.is_none());
        let body = body.and_then(|method| Body::of(self.program, method)?.ok());
        let uses = |body: &Body, at: Value| {
            let used = used(self.program, body, at).into_iter();
            let mut used = used.flat_map(|used| self.executions.triggers.of_class(self.program, used));
            used.any(|(used, _)| used == class)
        };
        let is_first = |at: &Value| !is_known(&definite.before(self.points_to, instance, by, *at));
        let uses = body.iter().flat_map(|body| body.all_values().filter(|at| uses(body, *at)));
        let started: Vec<ThreadKinds> =
            uses.filter(is_first).filter_map(|at| self.phase.started(instance, by, at)).collect();
        // Other uses have no place.
        let anywhere = || vec![before | self.starts.by(instance)];
        let started = if started.is_empty() { anywhere() } else { started };
        Some(started.iter().fold(before.clone(), |all, started| &all | started))
    }
}
