//! Which methods only the main thread runs.
//!
//! Every other thread begins in code that is not analysed and comes from there, by a call back, to what that reaches in the
//! call graph. A program that calls nothing by which threads come about has one thread, and then all is the main thread's.
//! Without a `main` it is a library, whose clients have threads.

use std::collections::VecDeque;

use facts::models::called::Called;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{MethodId, Name, Program, flag};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::obstacle::{Cause, Obstacle, Way};

/// What other threads than the main thread may run.
#[derive(Debug)]
pub struct Threads {
    /// Whether there may be others.
    pub several: bool,
    /// What other threads may run, by what such a thread begins with.
    others: FxHashMap<MethodId, MethodId>,
    /// Why they may begin with it.
    begun: FxHashMap<MethodId, Cause>,
}

impl Threads {
    /// Follows the calls from everything that other threads may call, for causes that are `counted`. Nobody knows what the threads
    /// of clients do.
    #[must_use]
    pub fn of(
        program: &Program,
        calls: &CallGraph,
        bodies: &Bodies,
        has_clients: bool,
        counted: &dyn Fn(Cause) -> bool,
    ) -> Self {
        let several = has_clients || starts_threads(program, calls, bodies);
        let mut threads = Self { several, others: FxHashMap::default(), begun: FxHashMap::default() };
        if several {
            let mains = program.main_methods();
            // By reference or by reflection, any thread may call it, too.
            let is_begun = |method: MethodId| {
                mains.contains(&method) && !calls.is_referred_to(method) && !calls.is_reflected(method)
            };
            let methods = bodies.iter().map(|body| body.method).filter(|method| !is_begun(*method));
            let begins = |method: MethodId| Some((method, begin(program, calls, method, has_clients)?));
            threads.begun = methods.filter_map(begins).filter(|(_, cause)| counted(*cause)).collect();
            threads.follow(calls, bodies);
        }
        threads
    }

    /// Whether only the main thread runs a method.
    #[must_use]
    pub fn is_main_only(&self, method: MethodId) -> bool {
        !self.others.contains_key(&method)
    }

    /// Why other threads may run one of some methods.
    pub fn obstacle(&self, methods: impl IntoIterator<Item = MethodId>) -> Option<Obstacle> {
        let begin = methods.into_iter().find_map(|method| self.others.get(&method))?;
        let cause = *self.begun.get(begin)?;
        Some(Obstacle { way: Way::Threads, cause, at: Some((*begin, Value(0))) })
    }

    fn follow(&mut self, calls: &CallGraph, bodies: &Bodies) {
        let mut begun: Vec<(Cause, MethodId)> = self.begun.iter().map(|(method, cause)| (*cause, *method)).collect();
        begun.sort_unstable();
        let mut open: VecDeque<(MethodId, MethodId)> = begun.into_iter().map(|(_, method)| (method, method)).collect();
        while let Some((method, by)) = open.pop_front() {
            if self.others.contains_key(&method) {
                continue;
            }
            self.others.insert(method, by);
            if let Some(body) = bodies.get(method) {
                let called = body.all_values().flat_map(|value| &calls.targets(method, value).methods);
                let is_new = |method: &&MethodId| !self.others.contains_key(method);
                open.extend(called.filter(is_new).map(|method| (*method, by)));
            }
        }
    }
}

/// Why other threads may begin with a method, if they may.
fn begin(program: &Program, calls: &CallGraph, method: MethodId, has_clients: bool) -> Option<Cause> {
    let data = program.method(method);
    match () {
        () if calls.is_referred_to(method) => Some(Cause::Lambda),
        () if data.name == Name::CLINIT => Some(Cause::Initializer),
        () if calls.is_called_back(method) => Some(called_back(program, method)),
        () if calls.callers(method).is_empty() => Some(Cause::Uncalled),
        () => (has_clients && calls.is_entry(method)).then_some(Cause::Client),
    }
}

/// What asks objects what they are, or how they compare.
const ASKED: [&str; 5] = ["equals", "hashCode", "toString", "compareTo", "compare"];
/// What threads and executors run.
const RUN: [&str; 3] = ["run", "call", "compute"];

/// Whether a method is what threads and executors run, by its name.
pub fn is_task(program: &Program, method: MethodId) -> bool {
    RUN.contains(&&*name(program, method))
}

fn called_back(program: &Program, method: MethodId) -> Cause {
    match &*name(program, method) {
        name if ASKED.contains(&name) => Cause::Asked,
        _ if is_task(program, method) => Cause::Task,
        _ => Cause::CalledBack,
    }
}

fn name(program: &Program, method: MethodId) -> std::borrow::Cow<'_, str> {
    program.names().text(program.method(method).name)
}

/// Whether the application calls anything by which other threads come to run its code.
fn starts_threads(program: &Program, calls: &CallGraph, bodies: &Bodies) -> bool {
    let methods = program.application().flat_map(|class| program.methods_of(class));
    let mut odd = methods
        .filter(|method| program.method(*method).access & flag::NATIVE != 0 || name(program, *method) == "finalize");
    odd.next().is_some()
        || !bodies.failures().is_empty()
        || bodies.iter().any(|body| calls_concurrent(program, calls, body))
        || calls.referred_to().any(|method| is_concurrent(program, method))
}

fn calls_concurrent(program: &Program, calls: &CallGraph, body: &Body) -> bool {
    body.all_values().any(|value| match body.op(value) {
        Op::Invoke(_, member, _) => calls.named(*member).map_or_else(
            // What cannot be found may do anything; arrays and signature-polymorphic methods do nothing.
            || !program.names().show(program.member(*member).owner).starts_with("java/lang/invoke/"),
            |method| is_concurrent(program, method),
        ),
        _ => false,
    })
}

fn is_concurrent(program: &Program, method: MethodId) -> bool {
    let class = program.method(method).class;
    if program.class(class).is_application {
        return false;
    }
    let descriptor = program.names().text(program.signature(method).text);
    let starts = Called::built_in().starts_threads(&program.class_name(class), &name(program, method), &descriptor);
    starts.unwrap_or(true)
}
