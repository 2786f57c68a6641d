//! The executors of the JDK that run what they are given and do nothing else with it, and where one has terminated.

use crate::ir::{Op, Value};
use crate::points_to::{ObjectId, Site, Slot};

use super::ended::End;
use super::reading::Reading;

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
/// What gives an executor a task, by its name.
pub const GIVES: [&str; 5] = ["execute", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay", "submit"];
/// What may be done with an executor besides.
const USES: [&str; 6] = ["<init>", "awaitTermination", "isShutdown", "isTerminated", "invokeAll", "shutdown"];

impl Reading<'_> {
    /// Whether a call is made on an executor of the JDK's.
    #[must_use]
    pub fn is_on_executor(&self, at: Value) -> bool {
        self.receiver(at).is_some_and(|executor| self.is_executor(executor))
    }

    /// Whether a value is an executor of the JDK's, or passes all on to such a one.
    #[must_use]
    pub fn is_executor(&self, value: Value) -> bool {
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
    #[must_use]
    pub fn is_own_executor(&self, executor: Value) -> bool {
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

    /// Places that follow once an executor has terminated.
    #[must_use]
    pub fn terminations(&self, executor: Value) -> Vec<End> {
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
