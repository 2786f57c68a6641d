//! What callers have to know of a method: which parameters it lets escape, what it does to locks, and what it returns.

use facts::models::called::{Called, Does};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{MemberRef, MethodId, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::final_expressions::Getters;
use super::lock_calls::LockCalls;
use super::origin::origin;
use super::releases::Others;

/// A set of parameters; those after the 63rd share a bit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Parameters(u64);

impl Parameters {
    /// Whether a parameter is in the set.
    #[must_use]
    pub const fn contains(self, n: usize) -> bool {
        self.0 & bit(n) != 0
    }

    /// What two sets have in common.
    #[must_use]
    pub const fn common(a: Self, b: Self) -> Self {
        Self(a.0 & b.0)
    }

    /// Adds a parameter.
    pub const fn insert(&mut self, n: usize) {
        self.0 |= bit(n);
    }
}

const fn bit(n: usize) -> u64 {
    1 << if n < 63 { n } else { 63 }
}

/// The summaries of every method.
#[derive(Default, Debug)]
pub struct Summaries {
    escaping: FxHashMap<MethodId, Parameters>,
    locks: LockCalls,
}

impl Summaries {
    /// Summarizes every body.
    #[must_use]
    pub fn of(program: &Program, calls: &CallGraph, bodies: &Bodies) -> Self {
        Self::beside(program, calls, bodies, Others::GiveBack)
    }

    /// The same beside code that does so with locks.
    #[must_use]
    pub fn beside(program: &Program, calls: &CallGraph, bodies: &Bodies, others: Others) -> Self {
        let mut summaries = Self { locks: LockCalls::of(program, calls, bodies, others), ..Self::default() };
        summaries.find_escaping(program, calls, bodies);
        summaries
    }

    /// What getters return.
    #[must_use]
    pub const fn getters(&self) -> &Getters {
        &self.locks.getters
    }

    /// What calls do to locks.
    #[must_use]
    pub const fn locks(&self) -> &LockCalls {
        &self.locks
    }

    /// Whether an instruction may release a lock that its method holds.
    #[must_use]
    pub fn may_release(&self, program: &Program, calls: &CallGraph, body: &Body, value: Value) -> bool {
        self.locks.may_release(program, calls, body, value)
    }

    /// Whether an argument of a call may be reachable by other threads when the call returns, or by a second name.
    #[must_use]
    pub fn lets_escape(&self, program: &Program, calls: &CallGraph, body: &Body, call: Value, argument: usize) -> bool {
        let Op::Invoke(_, member, _) = body.op(call) else { return true };
        let targets = calls.targets(body.method, call);
        let in_library = targets.library && !is_harmless(program, calls, *member, argument);
        let in_method = |target: &MethodId| self.escaping.get(target).copied().unwrap_or_default().contains(argument);
        in_library || targets.methods.iter().any(in_method)
    }

    /// The same for what a call of a library may keep.
    #[must_use]
    pub fn lets_escape_into_library(
        &self,
        program: &Program,
        calls: &CallGraph,
        body: &Body,
        call: Value,
        argument: usize,
    ) -> bool {
        let Op::Invoke(_, member, _) = body.op(call) else { return true };
        calls.targets(body.method, call).library && !is_harmless(program, calls, *member, argument)
    }

    fn find_escaping(&mut self, program: &Program, calls: &CallGraph, bodies: &Bodies) {
        let mut open: Vec<MethodId> = bodies.iter().map(|body| body.method).collect();
        while !open.is_empty() {
            let found: Vec<(MethodId, Parameters)> = open
                .par_iter()
                .filter_map(|method| Some((*method, self.escaping_parameters(program, calls, bodies.get(*method)?))))
                .collect();
            let mut next = FxHashSet::default();
            for (method, parameters) in found {
                let known = self.escaping.entry(method).or_default();
                if std::mem::replace(known, parameters) != parameters {
                    next.extend(calls.callers(method));
                }
            }
            open = next.into_iter().collect();
            open.sort_unstable();
        }
    }

    fn escaping_parameters(&self, program: &Program, calls: &CallGraph, body: &Body) -> Parameters {
        let mut escaping = Parameters::default();
        for value in body.all_values() {
            self.for_each_escape(program, calls, body, value, &mut |escaped| {
                if let Op::Parameter(n) = body.op(origin(body, escaped)) {
                    escaping.insert(usize::from(*n));
                }
            });
        }
        escaping
    }

    /// The values that an instruction makes reachable by other names: what it stores, passes on, returns or merges.
    pub fn for_each_escape(
        &self,
        program: &Program,
        calls: &CallGraph,
        body: &Body,
        value: Value,
        escape: &mut dyn FnMut(Value),
    ) {
        match body.op(value) {
            Op::PutField(_, _, stored) | Op::PutStatic(_, stored) | Op::StoreElement(_, _, stored) => escape(*stored),
            Op::Return(Some(left)) | Op::Throw(left) => escape(*left),
            Op::Phi(merged) => merged.iter().for_each(|merged| escape(*merged)),
            Op::InvokeDynamic(_, _, _, arguments) => arguments.iter().for_each(|argument| escape(*argument)),
            Op::Invoke(_, _, arguments) => {
                for (n, argument) in arguments.iter().enumerate() {
                    if self.lets_escape(program, calls, body, value, n) {
                        escape(*argument);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The type of what a reference is put into once its object is gone.
const REFERENCE_QUEUE: &str = "Ljava/lang/ref/ReferenceQueue;";

/// A library's constructor does not publish the object that it is called on, but for references, which the JVM puts into the queue that they get; nor
/// do those that the models say keep nothing.
fn is_harmless(program: &Program, calls: &CallGraph, member: MemberRef, argument: usize) -> bool {
    let Some(id) = calls.named(member) else { return false };
    let method = program.method(id);
    let class = program.class_name(method.class);
    if method.is_constructor() && argument == 0 {
        return class.starts_with("java/")
            && !program.names().text(program.signature(id).text).contains(REFERENCE_QUEUE);
    }
    let name = program.names().text(method.name);
    let parameter = argument.checked_sub(usize::from(!method.is_static()));
    let ty = parameter.and_then(|n| program.signature(id).parameters.get(n));
    let of_numbers = ty.and_then(|ty| ty.element()).is_some_and(|element| !element.is_reference());
    let says =
        |what: Does| Called::built_in().of_call(&class, &name, "", |does| (*does == what).then_some(())).is_some();
    says(Does::KeepsNothing) || of_numbers && says(Does::KeepsNoNumbers)
}
