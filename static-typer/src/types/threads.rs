//! Which methods only the main thread runs.
//!
//! Every other thread begins in code that is not analysed and comes from there, by a call back, to what that reaches in the
//! call graph. A program that calls nothing by which threads come about has one thread, and then all is the main thread's.
//! Without a `main` it is a library, whose clients have threads.

use facts::models::called::Called;
use rustc_hash::FxHashSet;

use crate::ir::{Body, Op};
use crate::program::{MethodId, Program, flag};

use super::bodies::Bodies;
use super::calls::CallGraph;

/// What other threads than the main thread may run.
#[derive(Debug)]
pub struct Threads {
    /// Whether there may be others.
    pub several: bool,
    others: FxHashSet<MethodId>,
}

impl Threads {
    /// Follows the calls from everything that other threads may call. Nobody knows what the threads of clients do.
    #[must_use]
    pub fn of(program: &Program, calls: &CallGraph, bodies: &Bodies, has_clients: bool) -> Self {
        let several = has_clients || starts_threads(program, calls, bodies);
        let mut threads = Self { several, others: FxHashSet::default() };
        if several {
            let from_outside = |method: MethodId| {
                calls.is_called_back(method)
                    || calls.callers(method).is_empty()
                    || has_clients && calls.is_entry(method)
            };
            let mains = program.main_methods();
            // By reference, any thread may call it, too.
            let is_begun = |method: MethodId| mains.contains(&method) && !calls.is_referred_to(method);
            let roots =
                bodies.iter().map(|body| body.method).filter(|method| from_outside(*method) && !is_begun(*method));
            threads.follow(calls, bodies, roots.collect());
        }
        threads
    }

    /// Whether only the main thread runs a method.
    #[must_use]
    pub fn is_main_only(&self, method: MethodId) -> bool {
        !self.others.contains(&method)
    }

    fn follow(&mut self, calls: &CallGraph, bodies: &Bodies, mut open: Vec<MethodId>) {
        while let Some(method) = open.pop() {
            if self.others.insert(method)
                && let Some(body) = bodies.get(method)
            {
                let called = body.all_values().flat_map(|value| &calls.targets(method, value).methods);
                open.extend(called.filter(|method| !self.others.contains(method)));
            }
        }
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
