//! Tasks that a method makes and gives to executors of the JDK, and where all their runs have ended.
//!
//! A method that runs once makes the task, and nobody but these executors has it, nor its futures: so what runs it is known, and each
//! run begins with a place that gives it away. All runs have ended
//! - when the executor has terminated, if the method has made it, and every place gives the task to that one: `awaitTermination` or
//!   `isTerminated` was true, or `close` has returned;
//! - when `invokeAll` has returned, if that is all that is done with the list of tasks, and nobody cancels one of them;
//! - when each future of the task has given its result: `get` or `join` has returned, of the only one, or in a loop over all.
//!
//! What a task has done comes before that (the package's page on memory consistency).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{CallSite, Code, Dispatch, InstanceId, Local, ObjectId, PointsTo, Site, Use};
use crate::program::{ClassId, Program, flag};
use crate::races::must::{calls, flow_from};
use crate::races::threads::Threads;
use crate::races::worklist::Worklist;

use super::ended::Ended;
use super::givings::{PACKAGE, RUNS, Task, gives, in_method, is_of_jdk, is_own_call};

/// Tasks of which all runs are known, and what runs as a part of them only.
#[derive(Debug, Default)]
pub struct Tasks {
    /// Where all runs of one have ended.
    pub ended: Vec<Ended>,
    /// The tasks in whose runs alone each instance is run; empty if there are none at all.
    within: Vec<Option<Vec<Within>>>,
}

/// A task in whose runs alone something happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Within {
    /// The task.
    pub task: ObjectId,
    /// Whether it is run once at most.
    pub is_once: bool,
}

impl Tasks {
    /// Looks at all methods of the application that run once.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads) -> Self {
        let is_cancelled = || calls_others(program, points_to, |name, _| CANCELS.contains(&name));
        let mut tasks: Vec<Task> = points_to
            .instances()
            .filter(|instance| threads.runs_once(*instance) && gives(program, points_to, *instance))
            .flat_map(|instance| in_method(program, points_to, threads, instance, is_cancelled()))
            .collect();
        let leaking = leaking(program, points_to, &tasks.iter().map(|task| task.object).collect());
        let are_stolen = !tasks.is_empty() && steals(program, points_to);
        tasks.retain(|task| !are_stolen && !leaking.contains(&task.object));
        let ended = tasks.iter().flat_map(|task| {
            let Task { instance, object, .. } = *task;
            task.ends.iter().map(move |end| Ended { instance, end: *end, object })
        });
        let ended = ended.collect();
        let known = tasks.iter().map(|task| (task.object, task.is_once)).collect();
        let within = if tasks.is_empty() { Vec::new() } else { within(program, points_to, threads, &known) };
        Self { ended, within }
    }

    /// Whether an object is one of which something is known to end.
    #[must_use]
    pub fn has(&self, object: ObjectId) -> bool {
        self.ended.iter().any(|ended| ended.object == object)
    }

    /// The tasks in whose runs alone an instance is run.
    #[must_use]
    pub fn within(&self, instance: InstanceId) -> &[Within] {
        self.within.get(instance.index()).and_then(Option::as_deref).unwrap_or_default()
    }
}

/// What ends a future before the task has ended.
const CANCELS: [&str; 4] = ["cancel", "complete", "completeExceptionally", "quietlyComplete"];
/// Classes of the JDK's from which tasks may be: those do nothing with them before they run.
const SUPERCLASSES: [&str; 4] = [
    "java/lang/Object",
    "java/util/concurrent/ForkJoinTask",
    "java/util/concurrent/RecursiveAction",
    "java/util/concurrent/RecursiveTask",
];

/// Those of some tasks whose own code gives them away, or runs them, be it a library's, or is the JDK's. Nobody else gets one: not from the
/// method that makes it, and executors keep it to themselves.
fn leaking(program: &Program, points_to: &PointsTo, tasks: &FxHashSet<ObjectId>) -> FxHashSet<ObjectId> {
    let is_plain = |object: &ObjectId| {
        let class = points_to.objects.ty(*object).as_class().and_then(|name| program.find(name));
        let above: Vec<ClassId> = class.into_iter().flat_map(|class| program.superclasses(class)).collect();
        let is_known = |above: &ClassId| SUPERCLASSES.contains(&&*program.class_name(*above));
        let is_lambda = matches!(points_to.objects.get(*object).site, Site::Lambda(..));
        is_lambda
            || above.last().is_some_and(is_known) && above.iter().all(|it| !program.is_of_jdk(*it) || is_known(it))
    };
    let mut leaking: FxHashSet<ObjectId> = tasks.iter().copied().filter(|object| !is_plain(object)).collect();
    for instance in points_to.instances().filter(|_| !tasks.is_empty()) {
        let code = points_to.code(instance);
        let is_others = !is_of_jdk(program, code);
        let this = this(program, code).filter(|this| is_others && gives_away(program, points_to, instance, *this));
        let given = this.into_iter().flat_map(|this| points_to.local(instance, this).iter());
        leaking.extend(given.filter(|object| tasks.contains(object)));
    }
    leaking
}

/// Whether code does more with the object that it is called on than to use its fields and to call methods of its own on it.
fn gives_away(program: &Program, points_to: &PointsTo, instance: InstanceId, this: Local) -> bool {
    let code = points_to.code(instance);
    let gives = |(base, used): &(Local, Use)| match used {
        Use::Store(_, from) => *from == this,
        Use::Clone(_) | Use::Open(_) | Use::Resize(..) => *base == this,
        _ => false,
    };
    let passes = |site: &CallSite| {
        let is_own = || is_own_call(program, points_to, instance, site.at) || is_bridge(program, code);
        let others = usize::from(site.dispatch != Dispatch::Static && is_own());
        site.arguments.iter().skip(others).any(|argument| *argument == Some(this))
    };
    code.all_uses().iter().any(gives)
        || code.global_stores.iter().any(|(_, from)| *from == this)
        || code.copies.iter().any(|(_, from, _)| *from == this)
        || code.result == Some(this)
        || code.calls.iter().any(passes)
}

/// Whether code is what the compiler makes of `Integer call()` for those who call `Object call()`: it is a run, too.
fn is_bridge(program: &Program, code: &Code) -> bool {
    code.lambda.is_none()
        && code.method.is_some_and(|method| {
            let data = program.method(method);
            data.access & flag::BRIDGE != 0 && RUNS.contains(&&*program.names().text(data.name))
        })
}

/// The object that code is called on.
fn this(program: &Program, code: &Code) -> Option<Local> {
    let is_called_on = code.lambda.is_some() || code.method.is_some_and(|method| !program.method(method).is_static());
    code.parameters.first().copied().flatten().filter(|_| is_called_on)
}

/// Whether code outside the JDK calls a method of `java.util.concurrent` of some name and class.
fn calls_others(program: &Program, points_to: &PointsTo, is_it: impl Fn(&str, &str) -> bool) -> bool {
    let is_called = |site: &CallSite| {
        let data = program.method(site.method);
        let class = program.class_name(data.class);
        class.starts_with(PACKAGE) && is_it(&program.names().text(data.name), &class)
    };
    let codes = points_to.instances().map(|instance| points_to.code(instance));
    codes.filter(|code| !is_of_jdk(program, code)).any(|code| code.calls.iter().any(is_called))
}

/// Whether the program takes tasks out of a `ForkJoinPool`, to do with them what it likes.
fn steals(program: &Program, points_to: &PointsTo) -> bool {
    calls_others(program, points_to, |name, class| {
        class.contains("/ForkJoin") && (name.starts_with("poll") || name == "drainTasksTo")
    })
}

/// The only object that an instance runs as a task.
fn begun(program: &Program, points_to: &PointsTo, instance: InstanceId) -> Option<ObjectId> {
    let code = points_to.code(instance);
    let name = program.names().text(program.method(code.method?).name);
    let is_run = code.lambda.is_some() || RUNS.contains(&&*name);
    points_to.local(instance, this(program, code)?).only().filter(|_| is_run)
}

/// On all ways to an instance, the tasks that run there. What another thread is started with is no part of them, as that is a root.
fn within(
    program: &Program,
    points_to: &PointsTo,
    threads: &Threads,
    known: &FxHashMap<ObjectId, bool>,
) -> Vec<Option<Vec<Within>>> {
    let n_instances = points_to.instances().count();
    let mut is_called = vec![false; n_instances];
    points_to.instances().flat_map(|at| points_to.calls(at)).for_each(|edge| is_called[edge.callee.index()] = true);
    let uncalled = points_to.instances().filter(|instance| !is_called[instance.index()]);
    let roots: Vec<InstanceId> = threads.roots.iter().copied().chain(uncalled).collect();
    let mut within = vec![None; n_instances];
    roots.iter().for_each(|root| within[root.index()] = Some(Vec::new()));
    let mut open: Worklist<InstanceId> = roots.into_iter().collect();
    while let Some(caller) = open.pop() {
        for (_, edges) in calls(points_to, caller) {
            for edge in edges {
                let before = within[caller.index()].iter().flatten().copied();
                let task = begun(program, points_to, edge.callee);
                let task = task.and_then(|task| Some(Within { task, is_once: *known.get(&task)? }));
                let mut held: Vec<Within> = before.chain(task).collect();
                held.sort_unstable();
                held.dedup();
                open.extend(flow_from(&mut within[edge.callee.index()], &held).then_some(edge.callee));
            }
        }
    }
    within
}
