//! Abstract threads: what each may run, and which of them are one thread only.
//!
//! A thread is the code that it begins with, in a context: on the thread object, for a context-sensitive analysis. Two runs of
//! one abstract thread race like two threads do, unless it is certain that there is one run.

pub mod alone;
pub mod disjoint;
pub mod own;
pub mod within;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::points_to::{Code, Context, InstanceId, ObjectId, PointsTo, Site};
use crate::program::{Name, Program};

use own::{OwnThreads, Start};

/// Which threads may run code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RunBy {
    /// No thread.
    None,
    /// One, by the code that it begins with.
    One(InstanceId),
    /// Any number of threads that begin alike.
    Alike(InstanceId),
    /// Threads that begin with different code.
    Several,
}

impl RunBy {
    /// Which threads may run what two of these do.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, by) | (by, Self::None) => by,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }
}

/// The threads of a program.
#[derive(Debug)]
pub struct Threads {
    /// The code that threads begin with.
    pub roots: Vec<InstanceId>,
    /// Threads of one kind begin alike; with some roots, they go on.
    kinds: IndexSet<RunBy, FxBuildHasher>,
    /// The kind of thread that is at a root.
    at_root: FxHashMap<InstanceId, usize>,
    run_by: Vec<RunBy>,
    /// What the threads of each object begin with.
    begun_on: FxHashMap<ObjectId, Begun>,
    /// What threads begin with, and whether `Thread.start` of the object that it is called on is all that begins it.
    is_by_start: FxHashMap<InstanceId, bool>,
    /// Instances that run at most once.
    once: Vec<bool>,
    /// How objects are made.
    made: Vec<Made>,
    own: OwnThreads,
}

/// What is known of the threads that begin on an object, as far as they begin on no other.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// What they begin with; what else begins on the object they go on with.
    root: InstanceId,
    /// Whether `Thread.start` is all that begins them.
    is_by_start: bool,
}

/// How the objects are made that an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Made {
    /// At most once.
    Once,
    /// By one run of one method.
    InOneRun,
    /// In any way.
    Anyhow,
}

impl Threads {
    /// Follows every call from where threads begin.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let n_instances = points_to.instances().count();
        let mut threads = Self {
            roots: Vec::new(),
            kinds: IndexSet::default(),
            at_root: FxHashMap::default(),
            run_by: vec![RunBy::None; n_instances],
            begun_on: FxHashMap::default(),
            is_by_start: FxHashMap::default(),
            once: run_once(program, points_to),
            made: Vec::new(),
            own: OwnThreads::default(),
        };
        threads.made = threads.made(points_to);
        let forks = forks(program, points_to);
        threads.roots = forks.iter().map(|(_, root)| *root).collect();
        threads.roots.sort_unstable();
        threads.roots.dedup();
        threads.begun_on = begun_on(points_to, &forks);
        for (fork, root) in &forks {
            *threads.is_by_start.entry(*root).or_insert(true) &= fork.is_by_start;
        }
        let sequential = sequential(points_to, &forks);
        let starts: Vec<Start> = forks.iter().map(|(fork, root)| (fork.caller, fork.call, *root)).collect();
        let mut own = Vec::new();
        for root in threads.roots.clone() {
            let by = match sequential.first() {
                Some(first) if sequential.contains(&root) => RunBy::One(*first),
                _ if threads.is_one(points_to, &forks, root) => RunBy::One(threads.began(points_to, &forks, root)),
                _ => RunBy::Alike(threads.began(points_to, &forks, root)),
            };
            let (kind, _) = threads.kinds.insert_full(by);
            threads.at_root.insert(root, kind);
            if !sequential.contains(&root) && OwnThreads::is_own(program, points_to, root) {
                own.push((root, by));
            } else {
                threads.follow(points_to, root, by);
            }
        }
        // Following ends where the same thread has come before, so these come last.
        threads.follow_own(program, points_to, &starts, &own);
        threads
    }

    /// Which threads may run an instance.
    #[must_use]
    pub fn run_by(&self, instance: InstanceId) -> RunBy {
        self.run_by[instance.index()]
    }

    /// How many kinds of threads there are.
    #[must_use]
    pub fn n_kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of thread, by number, that begins or goes on with a root.
    #[must_use]
    pub fn begins(&self, root: InstanceId) -> Option<usize> {
        self.at_root.get(&root).copied()
    }

    /// The kind of threads, by number, if they are of one.
    #[must_use]
    pub fn kind_of(&self, by: RunBy) -> Option<usize> {
        self.kinds.get_index_of(&by)
    }

    /// Whether there is at most one such object in a run.
    #[must_use]
    pub fn is_single(&self, object: ObjectId) -> bool {
        self.made[object.0 as usize] == Made::Once
    }

    /// Whether one run of one method makes all such objects.
    #[must_use]
    pub fn is_made_in_one_run(&self, object: ObjectId) -> bool {
        self.made[object.0 as usize] <= Made::InOneRun
    }

    /// Whether an instance runs at most once.
    #[must_use]
    pub fn runs_once(&self, instance: InstanceId) -> bool {
        self.once[instance.index()]
    }

    /// What a thread object's threads begin with, if `Thread.start` is all that begins them.
    #[must_use]
    pub fn begun_on(&self, object: ObjectId) -> Option<InstanceId> {
        self.begun_on.get(&object).filter(|begun| begun.is_by_start).map(|begun| begun.root)
    }

    /// Whether `Thread.start` is all that makes threads begin with an instance, on their own object; none if no thread does.
    #[must_use]
    pub fn is_by_start(&self, root: InstanceId) -> Option<bool> {
        self.is_by_start.get(&root).copied()
    }

    /// What the threads began with that go on with a root; the root itself, if not only starts lead there.
    fn began(&self, points_to: &PointsTo, forks: &[(Fork, InstanceId)], root: InstanceId) -> InstanceId {
        let is_started = forks.iter().filter(|(_, other)| *other == root).all(|(fork, _)| fork.is_start);
        let object = receiver(points_to, root).filter(|_| is_started);
        object.and_then(|object| self.begun_on.get(&object)).map_or(root, |begun| begun.root)
    }

    /// A thread that is started on an object of which there is one, or by a call that runs once.
    fn is_one(&self, points_to: &PointsTo, forks: &[(Fork, InstanceId)], root: InstanceId) -> bool {
        let by: Vec<&Fork> = forks.iter().filter(|(_, other)| *other == root).map(|(fork, _)| fork).collect();
        let is_on_one = receiver(points_to, root).is_some_and(|object| self.is_single(object));
        let is_called_once = match by[..] {
            [fork] => self.once[fork.caller.index()] && !fork.repeats,
            _ => false,
        };
        is_on_one && by.iter().all(|fork| fork.is_start) || is_called_once
    }

    /// Whether a thread that begins with a root may run an instance to which calls lead from there.
    #[must_use]
    pub fn may_run(&self, root: InstanceId, instance: InstanceId) -> bool {
        self.own.run(root).is_none_or(|run| run.contains(&instance))
    }

    /// Follows threads of the JDK's own, closely if that makes a difference to what one thread of the program runs.
    fn follow_own(&mut self, program: &Program, points_to: &PointsTo, starts: &[Start], roots: &[(InstanceId, RunBy)]) {
        let before = self.run_by.clone();
        roots.iter().for_each(|(root, by)| self.follow(points_to, *root, *by));
        let is_new = |instance: InstanceId| self.run_by[instance.index()] != before[instance.index()];
        let mut checked = points_to.instances().filter(|instance| points_to.code(*instance).is_checked);
        if !checked.any(is_new) {
            return;
        }
        self.run_by = before;
        let own: Vec<InstanceId> = roots.iter().map(|(root, _)| *root).collect();
        self.own = OwnThreads::of(program, points_to, starts, &own);
        for (root, by) in roots {
            for instance in self.own.run(*root).into_iter().flatten() {
                let known = &mut self.run_by[instance.index()];
                *known = known.join(*by);
            }
        }
    }

    fn follow(&mut self, points_to: &PointsTo, root: InstanceId, by: RunBy) {
        let mut open = vec![root];
        while let Some(instance) = open.pop() {
            let known = &mut self.run_by[instance.index()];
            let joined = known.join(by);
            if std::mem::replace(known, joined) == joined {
                continue;
            }
            open.extend(points_to.callees(instance));
        }
    }

    fn made(&self, points_to: &PointsTo) -> Vec<Made> {
        let mut n_makers = vec![0_u32; points_to.objects.len()];
        let mut made = vec![Made::Once; points_to.objects.len()];
        for instance in points_to.instances() {
            let code = points_to.code(instance);
            for (to, site, _) in &code.allocations {
                let how = match site {
                    Site::Class(_) => continue,
                    Site::New(_, at, _) | Site::Lambda(_, at, _) | Site::Reflected(_, at, _)
                        if self.once[instance.index()] =>
                    {
                        if code.repeated.contains(at) {
                            Made::InOneRun
                        } else {
                            Made::Once
                        }
                    }
                    _ => Made::Anyhow,
                };
                let objects =
                    points_to.local(instance, *to).iter().filter(|object| points_to.objects.get(*object).site == *site);
                for object in objects.filter(|object| is_made_in(points_to, *object, points_to.context(instance))) {
                    let index = object.0 as usize;
                    n_makers[index] += 1;
                    made[index] = made[index].max(how);
                }
            }
        }
        let is_constant = |object: ObjectId| matches!(points_to.objects.get(object).site, Site::Class(_));
        let how = |object: ObjectId| match n_makers[object.0 as usize] {
            _ if is_constant(object) => Made::Once,
            1 => made[object.0 as usize],
            _ => Made::Anyhow,
        };
        points_to.objects.iter().map(how).collect()
    }
}

/// Whether an object's makers are those of a context, as far as it keeps them.
fn is_made_in(points_to: &PointsTo, object: ObjectId, context: Context) -> bool {
    match (&points_to.objects.get(object).makers[..], context) {
        ([], _) => true,
        ([maker, ..], Some(context)) => points_to.objects.get(context).site == *maker,
        _ => false,
    }
}

struct Fork {
    caller: InstanceId,
    call: u32,
    repeats: bool,
    /// Whether a thread object is started, which happens once in its life.
    is_start: bool,
    /// Whether that is by `Thread.start`.
    is_by_start: bool,
}

/// The only object that an instance is called on.
fn receiver(points_to: &PointsTo, instance: InstanceId) -> Option<ObjectId> {
    let receiver = points_to.code(instance).parameters.first().copied().flatten()?;
    points_to.local(instance, receiver).only()
}

fn begun_on(points_to: &PointsTo, forks: &[(Fork, InstanceId)]) -> FxHashMap<ObjectId, Begun> {
    let mut begun_on: FxHashMap<ObjectId, Begun> = FxHashMap::default();
    let (starts, others): (Vec<_>, Vec<_>) = forks.iter().partition(|(fork, _)| fork.is_start);
    for (_, root) in &starts {
        let Some(object) = receiver(points_to, *root) else { continue };
        let begun = begun_on.entry(object).or_insert(Begun { root: *root, is_by_start: true });
        begun.root = begun.root.min(*root);
    }
    // Clients may run what begins on a thread object too.
    for (fork, root) in starts.iter().chain(&others) {
        if let Some(begun) = receiver(points_to, *root).and_then(|object| begun_on.get_mut(&object)) {
            begun.is_by_start &= fork.is_by_start;
        }
    }
    begun_on
}

/// The roots that one thread runs one after the other, and that nothing else starts.
fn sequential(points_to: &PointsTo, forks: &[(Fork, InstanceId)]) -> Vec<InstanceId> {
    let environment = points_to.code(points_to.root);
    if !environment.is_sequential {
        return Vec::new();
    }
    let is_started = |(fork, _): &&(Fork, InstanceId)| fork.caller != points_to.root && environment.is_of_tests();
    let started: FxHashSet<InstanceId> = forks.iter().filter(is_started).map(|(_, root)| *root).collect();
    let own = forks.iter().filter(|(fork, root)| fork.caller == points_to.root && !started.contains(root));
    own.map(|(_, root)| *root).collect()
}

fn forks(program: &Program, points_to: &PointsTo) -> Vec<(Fork, InstanceId)> {
    let mut forks = Vec::new();
    for caller in points_to.instances() {
        let code = points_to.code(caller);
        let (is_start, is_by_start) = (code.method.is_some(), is_thread_method(program, code, "start"));
        for edge in points_to.calls(caller) {
            let site = &code.calls[edge.call as usize];
            if site.is_fork {
                forks.push((
                    Fork { caller, call: edge.call, repeats: site.repeats, is_start, is_by_start },
                    edge.callee,
                ));
            }
        }
    }
    forks
}

/// Whether code is that of the method of `Thread` which has that name and no parameters.
#[must_use]
pub fn is_thread_method(program: &Program, code: &Code, name: &str) -> bool {
    let Some(method) = code.method.filter(|_| code.lambda.is_none()) else { return false };
    let data = program.method(method);
    program.class_name(data.class) == "java/lang/Thread"
        && program.names().text(data.name) == name
        && program.signature(method).parameters.is_empty()
}

/// Which instances run at most once: one call leads there, from code that runs once itself and does not repeat the call.
/// Class initializers run once.
fn run_once(program: &Program, points_to: &PointsTo) -> Vec<bool> {
    let mut n_calls = vec![0_u32; points_to.instances().count()];
    for caller in points_to.instances() {
        points_to.calls(caller).iter().for_each(|edge| n_calls[edge.callee.index()] += 1);
    }
    let is_initializer = |instance: InstanceId| {
        let method = points_to.code(instance).method.filter(|_| points_to.code(instance).lambda.is_none());
        method.is_some_and(|method| program.method(method).name == Name::CLINIT)
    };
    let mut once = vec![false; n_calls.len()];
    let uncalled = points_to.instances().filter(|instance| n_calls[instance.index()] == 0);
    let mut open: Vec<InstanceId> = uncalled.filter(|root| *root == points_to.root || is_initializer(*root)).collect();
    while let Some(instance) = open.pop() {
        once[instance.index()] = true;
        let code = points_to.code(instance);
        for edge in points_to.calls(instance) {
            if n_calls[edge.callee.index()] == 1 && !code.calls[edge.call as usize].repeats {
                open.push(edge.callee);
            }
        }
    }
    once
}
