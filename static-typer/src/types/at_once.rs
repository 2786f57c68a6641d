//! Lambdas whose body runs where they are made, while their maker waits: `list.forEach(x -> sum += x)` under a lock holds it throughout.
//!
//! That is certain of a lambda that is made in one place and used for one call only: of its own method, or of a method of `java.util` that is
//! specified to be through with a function when it returns. Streams may run theirs in other threads.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Call, Op, Value};
use crate::program::{Constant, MethodId, Program, flag};

use super::bodies::Bodies;
use super::state::Context;

/// Names, and what their descriptors begin with.
const AT_ONCE: &[(&str, &str)] = &[
    ("compute", "(Ljava/lang/Object;Ljava/util/function/BiFunction;)"),
    ("computeIfAbsent", "(Ljava/lang/Object;Ljava/util/function/Function;)"),
    ("computeIfPresent", "(Ljava/lang/Object;Ljava/util/function/BiFunction;)"),
    ("forEach", "(Ljava/util/function/BiConsumer;)"),
    ("forEach", "(Ljava/util/function/Consumer;)"),
    ("forEachRemaining", "(Ljava/util/function/Consumer;)"),
    ("ifPresent", "(Ljava/util/function/Consumer;)"),
    ("merge", "(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/function/BiFunction;)"),
    ("orElseGet", "(Ljava/util/function/Supplier;)"),
    ("removeIf", "(Ljava/util/function/Predicate;)"),
    ("replaceAll", "(Ljava/util/function/"),
    ("sort", "(Ljava/util/Comparator;)"),
    ("sort", "(Ljava/util/List;Ljava/util/Comparator;)"),
    ("sort", "([Ljava/lang/Object;Ljava/util/Comparator;)"),
];

/// A body that a call runs, and what its first parameters are: the values that the lambda has captured.
type Run = (MethodId, Vec<Value>);

/// Which there are.
#[derive(Default, Debug)]
pub struct AtOnce {
    by_call: FxHashMap<(MethodId, Value), Vec<Run>>,
    bodies: FxHashSet<MethodId>,
}

impl AtOnce {
    /// Looks for them in the application.
    #[must_use]
    pub fn of(context: Context<'_>, bodies: &Bodies) -> Self {
        let mut n_made: FxHashMap<MethodId, usize> = FxHashMap::default();
        let mut found = Vec::new();
        for body in bodies.iter() {
            let lambdas = references(context, body).filter(|lambda| is_body(context, lambda.method));
            for Reference { made, method, captured } in lambdas {
                *n_made.entry(method).or_default() += 1;
                if let Some(call) = only_call(context, body, made) {
                    found.push(((body.method, call), (method, captured.to_vec())));
                }
            }
        }
        let mut at_once = Self::default();
        for (call, run) in found.into_iter().filter(|(_, (run, _))| n_made[run] == 1) {
            at_once.bodies.insert(run.0);
            at_once.by_call.entry(call).or_default().push(run);
        }
        at_once
    }

    /// Whether a method is the body of such a lambda.
    #[must_use]
    pub fn has(&self, method: MethodId) -> bool {
        self.bodies.contains(&method)
    }

    /// What a call runs.
    #[must_use]
    pub fn run_by(&self, caller: MethodId, call: Value) -> &[Run] {
        self.by_call.get(&(caller, call)).map_or(&[], Vec::as_slice)
    }
}

/// A lambda or a reference to a method.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'b> {
    /// The instruction that makes it.
    pub made: Value,
    /// The method that it refers to: that with the body of a lambda.
    pub method: MethodId,
    /// What it captures.
    pub captured: &'b [Value],
}

/// Those that a body makes.
pub fn references<'b>(context: Context<'b>, body: &'b Body) -> impl Iterator<Item = Reference<'b>> + 'b {
    let Context { program, calls, .. } = context;
    body.all_values().filter_map(move |made| {
        let Op::InvokeDynamic(bootstrap, _, _, captured) = body.op(made) else { return None };
        let bootstrap = program.bootstrap(program.method(body.method).class, *bootstrap)?;
        let method = bootstrap.arguments.iter().find_map(|argument| match argument {
            Constant::Handle(handle) => calls.named(handle.member),
            _ => None,
        })?;
        Some(Reference { made, method, captured })
    })
}

/// Whether a method is the body of a lambda, which nothing else runs.
fn is_body(context: Context<'_>, method: MethodId) -> bool {
    let access = context.program.method(method).access;
    access & flag::PRIVATE != 0 && access & flag::SYNTHETIC != 0 && !context.calls.is_reflected(method)
}

/// The only instruction that uses a lambda or a reference, if it runs it at once.
pub fn only_call(context: Context<'_>, body: &Body, lambda: Value) -> Option<Value> {
    let Context { program, calls, .. } = context;
    let mut users = body.all_values().filter(|user| {
        let mut uses = false;
        body.op(*user).for_each_operand(|operand| uses |= operand == lambda);
        uses
    });
    let user = users.next().filter(|_| users.next().is_none())?;
    let Op::Invoke(call, member, arguments) = body.op(user) else { return None };
    let named = calls.named(*member)?;
    let is_own = arguments.first() == Some(&lambda) && *call == Call::Interface;
    // A class of the program's own may keep the function.
    let is_of_jdk = || calls.targets(body.method, user).methods.is_empty() && is_at_once(program, named);
    let runs = if is_own { program.method(named).access & flag::ABSTRACT != 0 } else { is_of_jdk() };
    (runs && arguments.iter().filter(|argument| **argument == lambda).count() == 1).then_some(user)
}

fn is_at_once(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    let (class, name) = (program.class_name(data.class), program.names().text(data.name));
    let descriptor = program.names().text(program.signature(method).text);
    (class.starts_with("java/util/") || class == "java/lang/Iterable")
        && !class.starts_with("java/util/stream/")
        && AT_ONCE.iter().any(|(called, begins)| *called == name && descriptor.starts_with(begins))
}
