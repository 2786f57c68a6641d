//! What was not checked, and why: JVMs, files, classes and methods.

use std::collections::{BTreeMap, BTreeSet};

use facts::name::dotted;

use super::judge::Verdict;
use super::merge::{JvmFacts, Unwoven};
use super::words::{count, printable, some_of};

/// How many unwoven classes are named where there is little room.
const MAX_UNWOVEN: usize = 5;

/// Options by which something is not checked, and what.
const LEAVING_OUT: [(&str, &str); 5] = [
    ("arrays", "elements of arrays, as far as it is said by"),
    ("contents", "what collections hold, by"),
    ("exclude", "classes of"),
    ("focus_set", "what is proved race-free by"),
    ("include", "classes other than those of"),
];

/// For the end of a report.
pub fn in_short(verdict: &Verdict<'_>) -> Vec<String> {
    let all: Vec<&Unwoven> = verdict.unwoven().into_iter().collect();
    let names: Vec<String> = all.iter().map(|unwoven| with_reason(unwoven)).collect();
    let some = some_of(&names, MAX_UNWOVEN);
    let unwoven =
        (!all.is_empty()).then(|| format!("not checked, because they could not be woven: {}: {some}", number(&all)));
    lines(verdict).into_iter().chain(unwoven).map(|line| printable(&line)).collect()
}

/// For a page: every class and method by its reason, and what nobody asked to be checked.
pub fn in_full(verdict: &Verdict<'_>) -> Vec<String> {
    let mut by_reason = BTreeMap::<&str, Vec<&Unwoven>>::new();
    for unwoven in verdict.unwoven() {
        by_reason.entry(unwoven.reason.trim_end_matches('.')).or_default().push(unwoven);
    }
    let unwoven = by_reason.into_iter().map(|(reason, all)| {
        let names: Vec<String> = all.iter().map(|unwoven| name(unwoven)).collect();
        format!("{} could not be woven ({reason}): {}", number(&all), names.join(", "))
    });
    lines(verdict).into_iter().chain(unwoven).chain(not_asked_for(verdict)).map(|line| printable(&line)).collect()
}

/// JVMs and files.
fn lines(verdict: &Verdict<'_>) -> Vec<String> {
    let damaged = verdict.unread.iter().chain(verdict.problems).cloned();
    let numbers = verdict.numbers();
    let unchecked = verdict.jvms.values().flat_map(|facts| facts.unchecked.iter().map(move |reason| (facts, reason)));
    let unchecked = unchecked.map(|(facts, reason)| format!("{} ran unchecked: {reason}", jvm_name(facts)));
    let some = (numbers.jvms < numbers.started).then(|| {
        format!("{} of {} known to have started were checked", numbers.jvms, count(numbers.started as u64, "JVM"))
    });
    let cut = verdict
        .jvms
        .values()
        .filter(|facts| facts.summary.is_none() && facts.unchecked.is_empty())
        .map(|facts| format!("{} did not write its last record: it was killed or still runs", jvm_name(facts)));
    damaged.chain(unchecked).chain(some).chain(cut).collect()
}

/// What options leave out.
fn not_asked_for(verdict: &Verdict<'_>) -> Vec<String> {
    let checked: Vec<&JvmFacts> = verdict.jvms.values().filter(|facts| facts.unchecked.is_empty()).collect();
    let given: BTreeSet<&str> = checked.iter().flat_map(|facts| &facts.jvm.options).map(String::as_str).collect();
    let left_out = given.iter().filter_map(|option| {
        let (name, _) = option.split_once('=')?;
        let (_, what) = LEAVING_OUT.iter().find(|(leaving_out, _)| *leaving_out == name)?;
        Some(format!("{what} `{option}`"))
    });
    let has_jdk = |facts: &&JvmFacts| facts.jvm.options.iter().any(|option| option == "jdk=1");
    let jdk = (!checked.iter().all(has_jdk)).then(|| "accesses by classes of the JDK, without `jdk=1`".to_owned());
    left_out.chain(jdk).collect()
}

/// `2 classes and 1 method`.
fn number(all: &[&Unwoven]) -> String {
    let n_methods = all.iter().filter(|unwoven| unwoven.method.is_some()).count() as u64;
    let n_classes = all.len() as u64 - n_methods;
    let classes = if n_classes == 1 { "1 class".to_owned() } else { format!("{n_classes} classes") };
    match (n_classes, n_methods) {
        (_, 0) => classes,
        (0, _) => count(n_methods, "method"),
        _ => format!("{classes} and {}", count(n_methods, "method")),
    }
}

fn with_reason(unwoven: &Unwoven) -> String {
    format!("{} ({})", name(unwoven), unwoven.reason.trim_end_matches('.'))
}

fn name(unwoven: &Unwoven) -> String {
    let method = unwoven.method.as_deref().and_then(|method| method.split('(').next());
    let method = method.map(|name| format!(".{name}")).unwrap_or_default();
    format!("{}{method}", dotted(&unwoven.class))
}

/// A JVM by its number and its program.
pub fn jvm_name(facts: &JvmFacts) -> String {
    let program = facts.jvm.command.split_whitespace().next();
    let program = program.map(|program| format!(" ({})", printable(program))).unwrap_or_default();
    format!("JVM {}{program}", facts.jvm.pid)
}
