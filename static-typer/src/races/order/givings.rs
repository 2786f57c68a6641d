//! What a method makes and gives to executors of the JDK, and where all runs of that have ended.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Op, Value};
use crate::points_to::{Code, InstanceId, Local, ObjectId, PointsTo, Site};
use crate::program::{MethodId, Program};
use crate::races::threads::Threads;

use super::ended::End;
use super::executors::GIVES;
use super::reading::Reading;

/// What runs a task that is an object of a class.
pub const RUNS: [&str; 4] = ["call", "compute", "get", "run"];
/// What gives a task to a pool and returns a future that more can be done with.
const ASYNC: [&str; 2] = ["runAsync", "supplyAsync"];
/// What runs a list of tasks.
const ALL: &str = "invokeAll";
/// Where all this is.
pub const PACKAGE: &str = "java/util/concurrent/";
/// What may be done with a future that leaves it to the run to end it, and to end with it: who has cancelled it gets no result.
const WAITS: [&str; 6] = ["cancel", "get", "isCancelled", "isCompletedExceptionally", "isDone", "join"];
/// A task that a method makes, and only executors run.
pub struct Task {
    /// Whose code gives it.
    pub instance: InstanceId,
    /// What it is.
    pub object: ObjectId,
    /// Whether it is run once at most.
    pub is_once: bool,
    /// Where all its runs have ended.
    pub ends: Vec<End>,
}

/// Whether an instance may give tasks to executors.
#[must_use]
pub fn gives(program: &Program, points_to: &PointsTo, instance: InstanceId) -> bool {
    let code = points_to.code(instance);
    let is_giving = |method| {
        let data = program.method(method);
        let name = program.names().text(data.name);
        (GIVES.contains(&&*name) || ASYNC.contains(&&*name) || name == ALL)
            && program.class_name(data.class).starts_with(PACKAGE)
    };
    code.is_checked && code.lambda.is_none() && code.calls.iter().any(|site| is_giving(site.method))
}

/// The tasks that a method makes and gives to executors.
#[must_use]
pub fn in_method(
    program: &Program,
    points_to: &PointsTo,
    threads: &Threads,
    instance: InstanceId,
    is_cancelled: bool,
) -> Vec<Task> {
    let Some(Ok(body)) = points_to.code(instance).method.and_then(|method| Body::of(program, method)) else {
        return Vec::new();
    };
    let reading = Reading { program, points_to, instance, body: &body };
    let method = Method { reading, givings: reading.givings(), is_cancelled };
    method.tasks().into_iter().filter_map(|task| method.task(threads, task)).collect()
}

/// A place that gives a task to an executor.
#[derive(Clone, Copy)]
struct Giving {
    /// The call; its result is the future.
    at: Value,
    task: Value,
    /// None for `CompletableFuture`'s.
    executor: Option<Value>,
}

impl Reading<'_> {
    fn givings(&self) -> Vec<Giving> {
        self.body.all_values().filter_map(|at| self.giving(at)).collect()
    }

    fn giving(&self, at: Value) -> Option<Giving> {
        let (name, arguments) = self.call(at)?;
        if ASYNC.contains(&&*name) && self.owner(at)? == "java/util/concurrent/CompletableFuture" {
            let is_known = arguments.get(1).is_none_or(|executor| self.is_executor(*executor));
            return is_known.then(|| Giving { at, task: self.origin(arguments[0]), executor: None });
        }
        let is_giving = GIVES.contains(&&*name) && self.is_on_executor(at) && arguments.len() > 1;
        // What is the result of a task, too, is had by whoever has the future.
        let is_result = || arguments[2..].iter().any(|other| self.origin(*other) == self.origin(arguments[1]));
        (is_giving && !is_result()).then(|| Giving {
            at,
            task: self.origin(arguments[1]),
            executor: Some(self.origin(arguments[0])),
        })
    }

    /// The list that a call runs all tasks of, if that is made here for it.
    fn invoked(&self, at: Value) -> Option<Vec<(Value, Value)>> {
        let (name, arguments) = self.call(at)?;
        let &[_, list] = arguments else { return None };
        if name != ALL || self.repeats(at) || !self.is_on_executor(at) {
            return None;
        }
        self.added_but(self.origin(list), |user| user == at)
    }
}

struct Method<'a> {
    reading: Reading<'a>,
    givings: Vec<Giving>,
    /// Whether the program may cancel tasks.
    is_cancelled: bool,
}

impl Method<'_> {
    /// What is made here and given to executors.
    fn tasks(&self) -> Vec<Value> {
        let reading = self.reading;
        let invoked = reading.body.all_values().filter_map(|at| reading.invoked(at)).flatten().map(|(_, task)| task);
        let mut tasks: Vec<Value> = self.givings.iter().map(|giving| giving.task).chain(invoked).collect();
        tasks.sort_unstable();
        tasks.dedup();
        tasks.retain(|task| matches!(reading.body.op(*task), Op::New | Op::InvokeDynamic(..)));
        tasks
    }

    /// The only object that a task is, if that is made by this run alone.
    fn object(&self, threads: &Threads, task: Value) -> Option<ObjectId> {
        let Reading { points_to, instance, body, .. } = self.reading;
        let object = points_to.value(instance, task).only()?;
        let is_made_here = match points_to.objects.get(object).site {
            Site::New(method, at, _) | Site::Lambda(method, at, _) => method == body.method && at == task,
            _ => false,
        };
        let is_it = is_made_here && threads.is_made_in_one_run(object) && self.is_had_by_name(task, object);
        is_it.then_some(object)
    }

    /// Whether no other variable of the method has a task, which it might give away.
    fn is_had_by_name(&self, task: Value, object: ObjectId) -> bool {
        let Reading { points_to, instance, body, .. } = self.reading;
        let code = points_to.code(instance);
        let names = body.all_values().filter(|value| self.reading.origin(*value) == task);
        let names: FxHashSet<Local> = names.filter_map(|value| code.find_local(value)).collect();
        let has = |local: &Local| points_to.local(instance, *local).contains(object);
        (0..code.n_locals).map(Local).filter(has).all(|local| names.contains(&local))
    }

    /// What is known of a task that only executors run.
    fn task(&self, threads: &Threads, task: Value) -> Option<Task> {
        let object = self.object(threads, task)?;
        let (mut givings, mut lists) = (Vec::new(), Vec::new());
        for user in self.reading.users(task) {
            if let Some(giving) = self.givings.iter().find(|giving| giving.at == user && giving.task == task) {
                givings.push(*giving);
            } else if let Some(at) = self.list_of(user, task) {
                lists.push((user, at));
            } else if !self.only_makes(user, task) {
                return None;
            }
        }
        let (is_once, ends) = match (&givings[..], &lists[..]) {
            _ if !givings.iter().all(|giving: &Giving| self.is_only_waited(giving.at)) => return None,
            (_, []) => {
                let ends = [self.by_executor(&givings), self.by_futures(&givings)].concat();
                (self.is_given_once(&givings), ends)
            }
            ([], &[(add, at)]) if self.are_only_waited(at, |_| false) => {
                let executor = self.reading.receiver(at).filter(|executor| self.reading.is_own_executor(*executor));
                let terminated = executor.map(|executor| self.reading.terminations(executor)).unwrap_or_default();
                // Somebody who has the executor may find tasks there, and it does not wait for one that is cancelled.
                let invoked = (executor.is_some() || !self.is_cancelled).then_some(End::After(at));
                (!self.reading.repeats(add), invoked.into_iter().chain(terminated).collect())
            }
            _ => return None,
        };
        let is_once = is_once && threads.is_single(object);
        Some(Task { instance: self.reading.instance, object, is_once, ends })
    }

    /// Whether one place gives a task away, once, to be run once: what refuses a bare one may do with it what it likes.
    fn is_given_once(&self, givings: &[Giving]) -> bool {
        let &[Giving { at, executor, .. }] = givings else { return false };
        let name = self.reading.call(at).map(|(name, _)| name);
        let is_bare = name.as_deref() == Some("execute");
        let is_periodic = name.is_some_and(|name| name.starts_with("scheduleAt") || name.starts_with("scheduleWith"));
        let is_own = || executor.is_some_and(|executor| self.reading.is_own_executor(executor));
        !self.reading.repeats(at) && !is_periodic && (!is_bare || is_own())
    }

    /// The call that runs all of the list to which an instruction adds a task.
    fn list_of(&self, add: Value, task: Value) -> Option<Value> {
        let reading = self.reading;
        let runs = |at: &Value| reading.invoked(*at).is_some_and(|added| added.contains(&(add, task)));
        reading.body.all_values().find(runs)
    }

    /// Whether an instruction constructs a task, or uses its fields.
    fn only_makes(&self, user: Value, task: Value) -> bool {
        let reading = self.reading;
        match reading.body.op(user) {
            Op::GetField(..) => true,
            Op::PutField(of, _, stored) => reading.origin(*of) == task && reading.origin(*stored) != task,
            _ => reading.call(user).is_some_and(|(_, arguments)| {
                let is_receiver = arguments[1..].iter().all(|argument| reading.origin(*argument) != task);
                is_receiver
                    && reading.receiver(user) == Some(task)
                    && is_own_call(reading.program, reading.points_to, reading.instance, user)
            }),
        }
    }

    /// Where the executor has terminated that is given the task at every place.
    fn by_executor(&self, givings: &[Giving]) -> Vec<End> {
        let Some(Some(executor)) = givings.first().map(|giving| giving.executor) else { return Vec::new() };
        let is_it = |giving: &Giving| giving.executor == Some(executor);
        if !givings.iter().all(is_it) || !self.reading.is_own_executor(executor) {
            return Vec::new();
        }
        self.reading.terminations(executor)
    }

    /// Where every future has given its result.
    fn by_futures(&self, givings: &[Giving]) -> Vec<End> {
        let reading = self.reading;
        let waits = reading.body.all_values().filter(|at| {
            let is_wait = |name: &str| matches!(name, "get" | "join");
            reading.call(*at).is_some_and(|(name, _)| is_wait(&name))
                && reading.owner(*at).is_some_and(|owner| owner.starts_with("java/util/concurrent/"))
        });
        waits.filter_map(|wait| self.by_future(givings, wait).or_else(|| self.by_loop(givings, wait))).collect()
    }

    fn by_future(&self, givings: &[Giving], wait: Value) -> Option<End> {
        let &[giving] = givings else { return None };
        let is_it = self.reading.receiver(wait) == Some(giving.at) && !self.reading.repeats(giving.at);
        is_it.then_some(End::After(wait))
    }

    fn by_loop(&self, givings: &[Giving], wait: Value) -> Option<End> {
        let reading = self.reading;
        let collected = reading.collected(wait)?;
        let late = reading.reached(&reading.body.following(collected.header), None);
        let is_collected = |giving: &Giving| {
            let mut stores = collected.stores.iter().filter(|(_, what)| *what == giving.at);
            let is_kept = |store: Value| reading.comes_past(giving.at, store, collected.header, giving.at);
            !late.contains(&reading.body.block_of(giving.at)) && stores.any(|(store, _)| is_kept(*store))
        };
        let is_all = !givings.is_empty() && givings.iter().all(is_collected);
        is_all.then_some(End::Edge(collected.header, collected.exit))
    }

    /// Whether all that is done with a future is to wait for it: others may complete one, or run the task by it once more.
    fn is_only_waited(&self, future: Value) -> bool {
        let reading = self.reading;
        reading.users(future).all(|user| self.only_waits(user, future) || self.is_only_kept(user, future))
    }

    /// Whether an instruction puts a future into a collection of the method's own, from which it is taken to wait for it.
    fn is_only_kept(&self, store: Value, future: Value) -> bool {
        let reading = self.reading;
        let (collection, stores) = match reading.body.op(store) {
            Op::StoreElement(array, ..) => (reading.origin(*array), reading.stored(reading.origin(*array))),
            _ => {
                let Some(list) = reading.receiver(store) else { return false };
                (list, reading.added(list))
            }
        };
        let adds = |user: Value| stores.iter().flatten().any(|(at, _)| *at == user);
        let makes = |user: Value| reading.call(user).is_some_and(|(name, _)| matches!(&*name, "<init>" | "toString"));
        stores.iter().flatten().any(|kept| *kept == (store, future))
            && self.are_only_waited(collection, |user| adds(user) || makes(user))
    }

    fn are_only_waited(&self, collection: Value, is_known: impl Fn(Value) -> bool) -> bool {
        let taken = self.reading.taken(collection, is_known);
        let is_waited = |future: &Value| self.reading.users(*future).all(|user| self.only_waits(user, *future));
        taken.is_some_and(|taken| taken.iter().all(is_waited))
    }

    fn only_waits(&self, user: Value, future: Value) -> bool {
        let name = self.reading.call(user).map(|(name, _)| name);
        let is_wait = || name.is_some_and(|name| WAITS.contains(&&*name));
        self.reading.receiver(user) == Some(future) && is_wait()
    }
}

/// Whether what a call runs constructs a task or is code outside the JDK that does not run it: what a `ForkJoinTask` is by the JDK may run
/// it, too.
#[must_use]
pub fn is_own_call(program: &Program, points_to: &PointsTo, caller: InstanceId, at: Value) -> bool {
    let code = points_to.code(caller);
    let is_constructor = |method: MethodId| program.method(method).is_constructor();
    let is_own = |callee: &Code| {
        let is_run = |method: MethodId| RUNS.contains(&&*program.names().text(program.method(method).name));
        callee.method.is_some_and(|method| {
            is_constructor(method) || callee.lambda.is_none() && !is_of_jdk(program, callee) && !is_run(method)
        })
    };
    let runs = |call: usize| {
        let mut edges = points_to.calls(caller).iter().filter(|edge| edge.call as usize == call);
        edges.all(|edge| is_own(points_to.code(edge.callee)))
    };
    (0..code.calls.len()).filter(|call| code.calls[*call].at == at).all(runs)
}

/// Whether code is the JDK's, its lambdas among it.
#[must_use]
pub fn is_of_jdk(program: &Program, code: &Code) -> bool {
    code.method.is_some_and(|method| program.is_of_jdk(program.method(method).class))
}
