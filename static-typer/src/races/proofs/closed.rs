//! Whether the call graph has everything that a program may run. What it cannot follow, it must not find: a proof by what is
//! *not* called or *not* shared is one only if nothing is hidden.

use std::collections::{BTreeMap, BTreeSet};

use facts::models::called::Called;

use crate::ir::Value;
use crate::points_to::reflection::{ByCall, Reflection, Resolved, resolved};
use crate::points_to::{CallSite, Code, PointsTo};
use crate::program::{MethodId, Program, Type};

use super::hiding::{is_hiding, is_unfollowed};

/// Methods that streams of objects call on what they come upon in other objects, in the thread that writes. Reading needs no such
/// list: who makes a stream to read from is in that of `hiding`.
const CALLED_BY_STREAMS: &[(&str, &str)] = &[
    ("writeExternal", "(Ljava/io/ObjectOutput;)V"),
    ("writeObject", "(Ljava/io/ObjectOutputStream;)V"),
    ("writeReplace", "()Ljava/lang/Object;"),
];
/// Methods that the JVM calls by itself.
const CALLED_BY_JVM: &[(&str, &str)] = &[("finalize", "()V")];

/// The methods of the program and of its libraries that may call what the analysis does not see, or that get objects from there,
/// each with the first such call; and those that are called from there besides where it sees it, each with itself. As long as none
/// of them runs, nothing is hidden.
///
/// # Errors
/// In words: what hides calls or objects whichever methods run.
pub fn hiding(program: &Program, points_to: &PointsTo) -> Result<BTreeMap<MethodId, MethodId>, String> {
    // Other classes that are missing void the proofs when they come.
    if let Some(class) =
        program.classes().find(|class| !program.is_of_jdk(*class) && program.class(*class).is_incomplete)
    {
        return Err(format!("what is above {}, which cannot be found,", program.class_name(class)));
    }
    if let Some(problem) = program.problems().first() {
        return Err(format!("{}, which cannot be read", problem.class));
    }
    let is_ours = |method: &MethodId| !program.is_of_jdk(program.method(*method).class);
    let unread = points_to.missing().iter().copied().find(is_ours);
    if let Some(method) = unread.or_else(|| called_by_jvm(program)) {
        return Err(program.method_name(method));
    }
    let resolved = resolved(program, points_to);
    let mut hiding = BTreeMap::new();
    for code in points_to.instances().map(|instance| points_to.code(instance)) {
        let Some(method) = code.method.filter(is_ours) else { continue };
        if let Some(native) = code.unknown.first() {
            return Err(program.method_name(*native));
        }
        if let Some(hidden) = hides(program, &resolved, code) {
            hiding.entry(method).or_insert(hidden);
        } else if is_one_of(CALLED_BY_STREAMS, program, method) {
            // It is found to be called, so no guard would tell that a stream calls it, too.
            hiding.entry(method).or_insert(method);
        }
    }
    Ok(hiding)
}

/// What hides calls or objects from the analysis if everything runs that it has found, in words; none if nothing does that is known
/// to.
#[must_use]
pub fn hidden(program: &Program, points_to: &PointsTo) -> Option<String> {
    match hiding(program, points_to) {
        Ok(hiding) => hiding.first_key_value().map(|(method, hidden)| hidden_by(program, *method, *hidden)),
        Err(reason) => Some(reason),
    }
}

/// Calls outside the JDK that run code of the program which is not followed: the caller, the instruction, and what is called.
#[must_use]
pub fn unfollowed(program: &Program, points_to: &PointsTo) -> BTreeSet<(MethodId, Value, MethodId)> {
    // What calls a handle has the descriptor of the call (JVMS 2.9.3), so it names no method.
    let invoke =
        program.method_named("java/lang/invoke/MethodHandle", "invoke", "([Ljava/lang/Object;)Ljava/lang/Object;");
    let codes = points_to.instances().map(|instance| points_to.code(instance));
    let of_code = |code: &Code| {
        let caller = code.method.filter(|method| !program.is_of_jdk(program.method(*method).class));
        let by_name = code.calls.iter().filter(|site| is_unfollowed(program, site.method));
        let by_name = by_name.map(|site| (site.at, site.method));
        let by_handle = code.by_unknown_handles.iter().filter_map(|at| Some((*at, invoke?)));
        let calls = by_name.chain(by_handle);
        caller.map(|caller| calls.map(|(at, called)| (caller, at, called)).collect::<Vec<_>>()).unwrap_or_default()
    };
    codes.flat_map(of_code).collect()
}

/// `a/B.m()V, which c/D.n()V calls,`.
#[must_use]
pub fn hidden_by(program: &Program, method: MethodId, hidden: MethodId) -> String {
    if method == hidden {
        return format!("a stream of objects, which calls {},", program.method_name(method));
    }
    format!("{}, which {} calls,", program.method_name(hidden), program.method_name(method))
}

fn hides(program: &Program, resolved: &ByCall, code: &Code) -> Option<MethodId> {
    let is_known = |site: &CallSite| {
        // The class of a proxy is made as the program runs, and what that runs is not found.
        let Some(known) = site.reflection.as_ref().filter(|known| !known.is_proxy()) else { return false };
        let found = resolved.get(&(known.caller, known.at));
        found.is_some_and(|(_, resolved)| *resolved == Resolved::Exactly) || reads_value(program, known)
    };
    // What a log has reached is never all.
    let may_hide = |site: &&CallSite| (site.is_logged || is_hiding(program, site.method)) && !is_known(site);
    code.calls.iter().find(may_hide).map(|site| site.method)
}

/// Whether a field is read and only a number or a text can be used of it: whichever field that is, no object of the program comes from it.
fn reads_value(program: &Program, known: &Reflection) -> bool {
    let is_value = |ty: &Type| {
        let class = ty.as_class().map(|name| program.names().text(name));
        class.is_some_and(|class| Called::built_in().of_class(&class).any(|row| row.objects.is_value))
    };
    known.is_get() && known.is_only_cast && known.casts.iter().all(is_value)
}

fn called_by_jvm(program: &Program) -> Option<MethodId> {
    let ours = program.classes().filter(|class| !program.is_of_jdk(*class));
    ours.flat_map(|class| program.methods_of(class)).find(|method| is_one_of(CALLED_BY_JVM, program, *method))
}

/// Whether a method has one of these names with its descriptor.
fn is_one_of(named: &[(&str, &str)], program: &Program, method: MethodId) -> bool {
    let name = program.names().text(program.method(method).name);
    let descriptor = program.names().text(program.signature(method).text);
    named.iter().any(|(called, with)| *called == name && *with == descriptor)
}
