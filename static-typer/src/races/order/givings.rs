//! What a method makes and gives to executors of the JDK, and where all runs of that have ended.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Op, Value};
use crate::points_to::{Code, InstanceId, Local, ObjectId, PointsTo, Site, Slot};
use crate::program::{MethodId, Program};
use crate::races::threads::Threads;

use super::ended::End;
use super::reading::Reading;

/// What runs a task that is an object of a class.
pub const RUNS: [&str; 4] = ["call", "compute", "get", "run"];
/// Static methods of the JDK that make an executor.
const FACTORY: &str = "java/util/concurrent/Executors";
/// Executors that run what they are given and do nothing else with it.
const EXECUTORS: [&str; 4] = [
    "java/util/concurrent/ForkJoinPool",
    "java/util/concurrent/ScheduledThreadPoolExecutor",
    "java/util/concurrent/ThreadPerTaskExecutor",
    "java/util/concurrent/ThreadPoolExecutor",
];
/// What `Executors` makes to pass all on to another executor begins like that.
const DELEGATED: &str = "java/util/concurrent/Executors$";
/// The class and the field in which it has that.
const DELEGATE: (&str, &str) = ("java/util/concurrent/Executors$DelegatedExecutorService", "e");
/// What gives an executor a task, by its name.
const GIVES: [&str; 5] = ["execute", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay", "submit"];
/// What gives a task to a pool and returns a future that more can be done with.
const ASYNC: [&str; 2] = ["runAsync", "supplyAsync"];
/// What runs a list of tasks.
const ALL: &str = "invokeAll";
/// Where all this is.
pub const PACKAGE: &str = "java/util/concurrent/";
/// What a method of the JDK's makes threads for tasks, and nothing else.
const THREADS: &str = "java/util/concurrent/ThreadFactory";
/// Queues that do not compare what they are given.
const QUEUES: [&str; 5] = [
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/SynchronousQueue",
];
/// A unit of time.
const UNIT: &str = "java/util/concurrent/TimeUnit";
/// What may be done with a future that leaves it to the run to end it, and to end with it: who has cancelled it gets no result.
const WAITS: [&str; 6] = ["cancel", "get", "isCancelled", "isCompletedExceptionally", "isDone", "join"];
/// What else may be done with it.
const USES: [&str; 6] = ["<init>", "awaitTermination", "isShutdown", "isTerminated", "invokeAll", "shutdown"];
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

    fn is_on_executor(&self, at: Value) -> bool {
        self.receiver(at).is_some_and(|executor| self.is_executor(executor))
    }

    /// Whether a value is an executor of the JDK's, or passes all on to such a one.
    fn is_executor(&self, value: Value) -> bool {
        let objects = self.points_to.value(self.instance, value);
        let delegate = self.program.field_named(DELEGATE.0, DELEGATE.1).map(Slot::Field);
        let is_known = |object: ObjectId| {
            let Some(name) = self.points_to.objects.ty(object).as_class() else { return false };
            let name = self.program.names().text(name);
            let passed_on = delegate.filter(|_| name.starts_with(DELEGATED) && name.contains("Delegated"));
            let is_passed_on = |slot: Slot| {
                let to = self.points_to.slot(object, slot);
                !to.is_empty() && to.iter().all(|to| self.is_of(to, &EXECUTORS))
            };
            EXECUTORS.contains(&&*name) || passed_on.is_some_and(is_passed_on)
        };
        !objects.is_empty() && objects.iter().all(is_known)
    }

    fn is_of(&self, object: ObjectId, classes: &[&str]) -> bool {
        let name = self.points_to.objects.ty(object).as_class();
        name.is_some_and(|name| classes.contains(&&*self.program.names().text(name)))
    }

    /// Whether all that a value may be is of the JDK's classes.
    fn is_of_jdk(&self, value: Value) -> bool {
        let objects = self.points_to.value(self.instance, value);
        let class = |object| self.program.find(self.points_to.objects.ty(object).as_class()?);
        let is_of_jdk = |object| {
            let is_lambda = matches!(self.points_to.objects.get(object).site, Site::Lambda(method, ..) if
                !self.program.is_of_jdk(self.program.method(method).class));
            !is_lambda && class(object).is_some_and(|class| self.program.is_of_jdk(class))
        };
        !objects.is_empty() && objects.iter().all(is_of_jdk)
    }

    /// Whether an executor is made here, once, and only given tasks and waited for.
    fn is_own_executor(&self, executor: Value) -> bool {
        let makes = match self.body.op(executor) {
            Op::New => {
                let ty = self.body.instruction(executor).ty.as_class();
                let is_known = ty.is_some_and(|name| EXECUTORS.contains(&&*self.program.names().text(name)));
                let is_constructor =
                    |user: &Value| self.call(*user).is_some_and(|(name, _)| name == "<init>") && is_known;
                self.users(executor).find(is_constructor)
            }
            _ => self.owner(executor).filter(|owner| owner == FACTORY).map(|_| executor),
        };
        let is_made = makes.is_some_and(|at| self.is_made_alone(at, executor));
        let is_known = |user: Value| {
            let Some((name, arguments)) = self.call(user) else { return self.branch(user).is_some() };
            let is_receiver = arguments[1..].iter().all(|argument| self.origin(*argument) != executor);
            let is_dropped = || self.users(user).next().is_none();
            is_receiver
                && self.receiver(user) == Some(executor)
                && (GIVES.contains(&&*name)
                    || USES.contains(&&*name)
                    || name == "close" && arguments.len() == 1
                    || name == "shutdownNow" && is_dropped())
        };
        is_made && !self.repeats(executor) && self.users(executor).all(is_known)
    }

    /// Whether an executor is made with nothing that may get its tasks, but for a queue of its own.
    fn is_made_alone(&self, at: Value, executor: Value) -> bool {
        let Some((_, arguments)) = self.call(at) else { return false };
        arguments.iter().map(|argument| self.origin(*argument)).filter(|argument| *argument != executor).all(
            |argument| {
                let ty = self.body.instruction(argument).ty;
                let is_a = |class: &str| ty.as_class().is_some_and(|name| self.program.names().text(name) == class);
                let is_harmless = || is_a(UNIT) || is_a(THREADS) && self.is_of_jdk(argument);
                !ty.is_reference() || is_harmless() || self.is_own_queue(argument, at)
            },
        )
    }

    /// Whether a queue is made for one executor, and orders nothing by code of others.
    fn is_own_queue(&self, queue: Value, made: Value) -> bool {
        let is_number = |argument: &Value| !self.body.instruction(*argument).ty.is_reference();
        let constructs = |user: Value| {
            let call = self.call(user).filter(|(name, _)| name == "<init>");
            call.is_some_and(|(_, arguments)| {
                self.receiver(user) == Some(queue) && arguments[1..].iter().all(is_number)
            })
        };
        matches!(self.body.op(queue), Op::New)
            && self.is_queue(queue)
            && self.users(queue).all(|user| user == made || constructs(user))
    }

    fn is_queue(&self, value: Value) -> bool {
        let ty = self.body.instruction(value).ty.as_class();
        ty.is_some_and(|name| QUEUES.contains(&&*self.program.names().text(name)))
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

    /// Places that follow once an executor has terminated.
    fn terminations(&self, executor: Value) -> Vec<End> {
        let ends = self.users(executor).flat_map(|user| match self.call(user).map(|(name, _)| name).as_deref() {
            Some("close") => vec![End::After(user)],
            Some("awaitTermination" | "isTerminated") => self.if_true(user),
            // There is an executor: nothing comes on the way on which there is none, which leads past `close`.
            None => {
                self.branch(user).map(|(_, null, _)| End::Edge(self.body.block_of(user), null)).into_iter().collect()
            }
            _ => Vec::new(),
        });
        ends.collect()
    }

    /// Where an answer is known to be true.
    fn if_true(&self, answer: Value) -> Vec<End> {
        let branches = self.users(answer).filter_map(|user| Some((user, self.branch(user)?)));
        branches.map(|(user, (_, _, is_true))| End::Edge(self.body.block_of(user), is_true)).collect()
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
        self.reading.receiver(user) == Some(future) && name.is_some_and(|name| WAITS.contains(&&*name))
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
