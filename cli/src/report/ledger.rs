//! What was not checked, and why: JVMs, files, classes and methods.

use std::collections::{BTreeMap, BTreeSet};

use facts::name::dotted;

use super::judge::Verdict;
use super::merge::{self, JvmFacts, JvmId, Unwoven};
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
        .map(|facts| format!("{} {}", jvm_name(facts), no_end(facts)));
    damaged
        .chain(unchecked)
        .chain(some)
        .chain(nothing_ran(verdict.jvms))
        .chain(cut)
        .chain(verdict.jvms.values().filter_map(displaced))
        .collect()
}

/// Why a JVM has not written its last record.
fn no_end(facts: &JvmFacts) -> &'static str {
    if facts.jvm.options.iter().any(|option| option == "halt_on_error=1") {
        "was ended at its first finding, as `halt_on_error` wants, or killed: what it would have done then was not checked"
    } else {
        "did not write its last record: it was killed or still runs"
    }
}

/// That there was nothing to check, if so, and what to do.
pub fn nothing_ran(jvms: &BTreeMap<JvmId, JvmFacts>) -> Option<String> {
    if !merge::ran_nothing(jvms) {
        return None;
    }
    let choices = jvms.values().flat_map(|facts| &facts.jvm.options).filter(|option| is_choice(option));
    let choices: BTreeSet<String> = choices.map(|option| format!("`{option}`")).collect();
    let remedy = if choices.is_empty() {
        "did the build skip its tests, have nothing to do, or start them without JAVA_TOOL_OPTIONS? Classes of build tools, loggers and the like count where `--include` names them"
            .to_owned()
    } else {
        format!("do the patterns of {} fit?", Vec::from_iter(choices).join(" and "))
    };
    Some(format!("not one class of the program was loaded, so nothing was checked: {remedy}"))
}

/// Whether an option chooses the classes that are checked.
fn is_choice(option: &str) -> bool {
    option.starts_with("include=") || option.starts_with("exclude=")
}

/// Races with threads that have ended, which were not looked for any more.
fn displaced(facts: &JvmFacts) -> Option<String> {
    let displacing = facts.summary.map_or(0, |summary| summary.displacing_threads);
    (displacing > 0).then(|| {
        format!(
            "{}: {} took the places of others that had ended before anybody knew what they had done: their races with these are missed",
            jvm_name(facts),
            count(displacing, "thread")
        )
    })
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
    let program = program(&facts.jvm.command).map(|program| if is_fork(program) { FORK } else { program });
    let program = program.map(|program| format!(" ({})", printable(program))).unwrap_or_default();
    format!("JVM {}{program}", facts.jvm.pid)
}

/// The main class or jar of a command. In the path of a jar there may be spaces; of one that begins as a class does, they end it.
fn program(command: &str) -> Option<&str> {
    let ends = command.match_indices(".jar").map(|(at, jar)| at + jar.len());
    let mut jars = ends.filter(|end| command[*end..].chars().next().is_none_or(char::is_whitespace));
    match jars.next().filter(|_| command.starts_with('/')) {
        Some(end) => Some(&command[..end]),
        None => command.split_whitespace().next(),
    }
}

/// The main class of the JVMs in which Maven runs tests.
const FORK: &str = "org.apache.maven.surefire.booter.ForkedBooter";

/// Whether a jar is one that surefire writes for such a JVM, with a class path in it and a name that differs from run to run.
fn is_fork(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    name.starts_with("surefirebooter") && name.ends_with(".jar")
}

#[cfg(test)]
mod tests {
    use facts::finding::{Record, Summary};

    use super::super::fixtures::file;
    use super::super::judge::Judges;
    use super::super::merge::Merged;
    use super::*;

    fn unwoven(class: &str, method: Option<&str>, reason: &str) -> Record {
        Record::Unwoven { class: class.into(), method: method.map(str::to_owned), reason: reason.into() }
    }

    fn with_options(options: &[&str], records: Vec<Record>) -> Merged {
        let mut merged = file(1, records);
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        merged.jvms.values_mut().for_each(|facts| facts.jvm.options.clone_from(&options));
        merged
    }

    fn said(merged: &Merged) -> [Vec<String>; 2] {
        let judges = Judges::default();
        let verdict = judges.judge(merged);
        [in_short(&verdict), in_full(&verdict)]
    }

    #[test]
    fn every_class_and_method_is_named_by_its_reason() {
        let many = (0..9).map(|at| unwoven(&format!("a/C{at}"), None, "It is damaged."));
        let merged = with_options(&["jdk=1"], many.chain([unwoven("a/B", Some("m()V"), "Too large.")]).collect());
        let [short, full] = said(&merged);
        assert!(short.iter().any(|line| line.ends_with("C3 (It is damaged) and 5 more")), "{short:?}");
        assert!(full.iter().any(|line| line == "1 method could not be woven (Too large): a.B.m"), "{full:?}");
        assert!(full.iter().any(|line| line.starts_with("9 classes") && line.ends_with("a.C7, a.C8")), "{full:?}");
    }

    #[test]
    fn a_jvm_of_maven_has_one_name_in_every_run() {
        for (command, expected) in [
            ("bank.Main --fast", "JVM 1 (bank.Main)"),
            ("/app/target/surefire/surefirebooter-20261126094717362_6.jar /app x", &format!("JVM 1 ({FORK})")),
            ("/app/surefirebooter/app.jar", "JVM 1 (/app/surefirebooter/app.jar)"),
            ("/my app/a.jars/surefirebooter-1_6.jar /my app x", &format!("JVM 1 ({FORK})")),
            ("bank.Main app.jar", "JVM 1 (bank.Main)"),
            ("", "JVM 1"),
        ] {
            let mut merged = file(1, Vec::new());
            merged.jvms.values_mut().for_each(|facts| facts.jvm.command = command.to_owned());
            let names: Vec<String> = merged.jvms.values().map(jvm_name).collect();
            assert_eq!(names, [expected], "{command}");
        }
    }

    #[test]
    fn a_jvm_that_a_finding_ended_was_not_killed() {
        let said = |options: &[&str]| said(&with_options(options, Vec::new()))[0].concat();
        assert!(said(&["halt_on_error=1"]).contains("JVM 1 (bank.Main) was ended at its first finding"));
        assert!(said(&[]).contains("JVM 1 (bank.Main) did not write its last record"));
    }

    #[test]
    fn that_nothing_ran_is_said_where_every_jvm_says_so() {
        let ended = |n| Record::End(Summary { checked_classes: Some(n), ..Summary::default() });
        let said = |options: &[&str], records| nothing_ran(&with_options(options, records).jvms).unwrap_or_default();
        let chosen = said(&["include=a.*", "exclude=a.B", "jdk=1"], vec![ended(0)]);
        assert!(chosen.ends_with("do the patterns of `exclude=a.B` and `include=a.*` fit?"), "{chosen}");
        assert!(said(&["jdk=1"], vec![ended(0)]).contains("did the build skip its tests"));
        for records in [vec![ended(1)], Vec::new(), vec![ended(0), Record::Unchecked("this is JDK 11".to_owned())]] {
            assert_eq!(said(&["include=a.*"], records), "");
        }
        let idle = file(1, vec![ended(0)]);
        assert!(!idle.is_complete(false) && idle.is_complete(true));
        let both = idle.union(file(2, vec![ended(3)]));
        assert!(nothing_ran(&both.jvms).is_none() && both.is_complete(false));
    }

    #[test]
    fn what_options_leave_out_is_said_on_the_page_only() {
        let [short, full] = said(&with_options(&["exclude=org.lib.*", "stack_depth=9"], Vec::new()));
        assert!(full.contains(&"classes of `exclude=org.lib.*`".to_owned()), "{full:?}");
        assert!(
            full.iter().any(|line| line.contains("JDK")) && !full.iter().any(|line| line.contains("depth")),
            "{full:?}"
        );
        assert!(!short.iter().any(|line| line.contains("exclude") || line.contains("JDK")), "{short:?}");
        let [_, full] = said(&with_options(&["jdk=1"], Vec::new()));
        assert!(!full.iter().any(|line| line.contains("JDK")), "{full:?}");
    }
}
