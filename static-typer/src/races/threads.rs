//! Abstract threads: what each may run, and which of them are one thread only.
//!
//! A thread is the code that it begins with, in a context: on the thread object, for a context-sensitive analysis. Two runs of
//! one abstract thread race like two threads do, unless it is certain that there is one run.

use crate::points_to::{Context, InstanceId, ObjectId, PointsTo, Site};
use crate::program::{Name, Program};

/// Which threads may run code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RunBy {
    /// No thread: only class initializers, and what they call.
    None,
    /// One, by the code that it begins with.
    One(InstanceId),
    /// Two threads, or one that may be started twice.
    Several,
}

/// The threads of a program.
#[derive(Debug)]
pub struct Threads {
    /// The code that threads begin with.
    pub roots: Vec<InstanceId>,
    run_by: Vec<RunBy>,
    /// Instances that run at most once.
    once: Vec<bool>,
    /// Objects of which there is at most one.
    single: Vec<bool>,
}

impl Threads {
    /// Follows every call from where threads begin.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let n_instances = points_to.instances().count();
        let mut threads = Self {
            roots: Vec::new(),
            run_by: vec![RunBy::None; n_instances],
            once: run_once(program, points_to),
            single: Vec::new(),
        };
        threads.single = threads.single_objects(points_to);
        let forks = forks(points_to);
        threads.roots = forks.iter().map(|(_, root)| *root).collect();
        threads.roots.sort_unstable();
        threads.roots.dedup();
        let sequential = sequential(points_to);
        for root in threads.roots.clone() {
            let by = match sequential.first() {
                Some(first) if sequential.contains(&root) => RunBy::One(*first),
                _ if threads.is_one(points_to, &forks, root) => RunBy::One(root),
                _ => RunBy::Several,
            };
            threads.follow(points_to, root, by);
        }
        threads
    }

    /// Which threads may run an instance.
    #[must_use]
    pub fn run_by(&self, instance: InstanceId) -> RunBy {
        self.run_by[instance.index()]
    }

    /// Whether there is at most one such object in a run.
    #[must_use]
    pub fn is_single(&self, object: ObjectId) -> bool {
        self.single[object.0 as usize]
    }

    /// A thread that is started on an object of which there is one, or by a call that runs once.
    fn is_one(&self, points_to: &PointsTo, forks: &[(Fork, InstanceId)], root: InstanceId) -> bool {
        let by: Vec<&Fork> = forks.iter().filter(|(_, other)| *other == root).map(|(fork, _)| fork).collect();
        let receiver = points_to.code(root).parameters.first().copied().flatten();
        let on_one = receiver.and_then(|receiver| points_to.local(root, receiver).only());
        let is_on_one = on_one.is_some_and(|object| self.is_single(object));
        let is_called_once = match by[..] {
            [fork] => self.once[fork.caller.index()] && !fork.repeats,
            _ => false,
        };
        is_on_one && by.iter().all(|fork| fork.is_start) || is_called_once
    }

    fn follow(&mut self, points_to: &PointsTo, root: InstanceId, by: RunBy) {
        let mut open = vec![root];
        while let Some(instance) = open.pop() {
            let known = &mut self.run_by[instance.index()];
            let joined = match *known {
                RunBy::None => by,
                same if same == by => continue,
                RunBy::Several => continue,
                RunBy::One(_) => RunBy::Several,
            };
            *known = joined;
            let code = points_to.code(instance);
            let calls = points_to.calls(instance).iter();
            open.extend(calls.filter(|edge| !code.calls[edge.call as usize].is_fork).map(|edge| edge.callee));
        }
    }

    fn single_objects(&self, points_to: &PointsTo) -> Vec<bool> {
        let mut n_makers = vec![0_u32; points_to.objects.len()];
        let mut single = vec![true; points_to.objects.len()];
        for instance in points_to.instances() {
            let code = points_to.code(instance);
            for (to, site, _) in &code.allocations {
                let repeats = match site {
                    Site::New(_, at, _) | Site::Lambda(_, at, _) => code.repeated.contains(at),
                    Site::Class(_) => continue,
                    _ => true,
                };
                let made =
                    points_to.local(instance, *to).iter().filter(|object| points_to.objects.get(*object).site == *site);
                for object in made.filter(|object| is_made_in(points_to, *object, points_to.context(instance))) {
                    n_makers[object.0 as usize] += 1;
                    single[object.0 as usize] &= !repeats && self.once[instance.index()];
                }
            }
        }
        let is_constant = |object: ObjectId| matches!(points_to.objects.get(object).site, Site::Class(_));
        let is_single =
            |object: ObjectId| is_constant(object) || single[object.0 as usize] && n_makers[object.0 as usize] == 1;
        points_to.objects.iter().map(is_single).collect()
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
    repeats: bool,
    /// Whether a thread object is started, which happens once in its life.
    is_start: bool,
}

/// The roots that one thread runs one after the other, and that nothing else starts.
fn sequential(points_to: &PointsTo) -> Vec<InstanceId> {
    let is_sequential = points_to.code(points_to.root).is_sequential;
    let code = points_to.code(points_to.root);
    let edges = points_to.calls(points_to.root).iter().filter(|edge| code.calls[edge.call as usize].is_fork);
    edges.filter(|_| is_sequential).map(|edge| edge.callee).collect()
}

fn forks(points_to: &PointsTo) -> Vec<(Fork, InstanceId)> {
    let mut forks = Vec::new();
    for caller in points_to.instances() {
        let code = points_to.code(caller);
        for edge in points_to.calls(caller) {
            let site = &code.calls[edge.call as usize];
            if site.is_fork {
                let is_start = code.method.is_some();
                forks.push((Fork { caller, repeats: site.repeats, is_start }, edge.callee));
            }
        }
    }
    forks
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
