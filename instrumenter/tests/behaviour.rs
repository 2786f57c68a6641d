//! Woven programs do what they did before, call the hooks they should, and are still compiled.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::common::{self, Numbers};
use facts::access::Granularity;
use facts::focus::{ClassFocus, Elided, MethodFocus, Proof};
use facts::hook::Events;
use facts::models::{Effect, Model};
use facts::site::{Action, Site};
use instrumenter::{Outcome, Plan, Reason, weave};
use jrace_tests::jdk::Jdk;

/// Effects of methods of `Subject`.
fn models() -> Vec<Model> {
    let effects = [
        ("acquires", Effect::Acquires(0)),
        ("acquiresIf", Effect::AcquiresIf(1)),
        ("acquiresStamp", Effect::AcquiresStamp(2)),
        ("releases", Effect::Releases(3)),
        ("starts", Effect::Starts),
        ("joins", Effect::Joins),
    ];
    effects.map(|(method, effect)| Model { method: method.to_owned(), descriptor: None, effect }).into()
}

const LOGGING: &str = "log.append(\"HOOK \");";
const LOG: &str = "public static final StringBuilder log = new StringBuilder();";

#[test]
fn traps_print_the_same() {
    for jdk in Jdk::oldest_and_newest() {
        let directory = tempfile::tempdir().unwrap();
        let sources = [with_wide_locals(directory.path()), far_branches(directory.path())];
        let plain = directory.path().join("plain");
        jdk.compile(&sources, &plain, &["--release", "17"]).unwrap();
        let expected = run(&jdk, &plain, None, &["Traps"]);
        common::compile_hooks(&jdk, &directory.path().join("hooks"), "", "");
        for (events, granularity) in [
            (Events::ALL | Events::TRANSACTIONS, Granularity::Field),
            (Events::ERASER, Granularity::Object),
            (Events::FIELDS, Granularity::Field),
        ] {
            let woven = directory.path().join("woven");
            let plan = Plan { shadows: true, granularity, ..Plan::new(events) };
            // Far.giant does not fit; everything else does.
            let unwoven = weave_directory(&plain, &woven, &plan);
            assert_eq!(unwoven, [("giant()I".to_owned(), Reason::TooLargeToCheck)]);
            assert_eq!(run(&jdk, &woven, Some(&directory.path().join("hooks")), &["Traps"]), expected);
        }
    }
}

/// The smallest case of what ProGuard and R8 make: the loop's frame has no `this`, whose field the array came from.
#[test]
fn code_behind_a_frame_without_its_receiver_does_not_load_it() {
    for jdk in Jdk::oldest_and_newest() {
        let directory = tempfile::tempdir().unwrap();
        let [javac, plain, woven, hooks] = ["javac", "plain", "woven", "hooks"].map(|name| directory.path().join(name));
        jdk.compile(&[fixture("Dead.java")], &javac, &[]).unwrap();
        common::compile_hooks(&jdk, &hooks, "", "");
        let forget = &mut |bytes: &[u8]| Some(instrumenter::forget_dead_locals(bytes).unwrap());
        instrumenter::archive::instrument(&javac, &plain, forget).unwrap();
        let expected = run(&jdk, &plain, None, &["Dead"]);
        assert_ne!(std::fs::read(plain.join("Dead.class")).unwrap(), std::fs::read(javac.join("Dead.class")).unwrap());
        for events in [Events::ERASER | Events::CONTENTS, Events::ALL | Events::TRANSACTIONS] {
            assert_eq!(weave_directory(&plain, &woven, &Plan { shadows: true, ..Plan::new(events) }), []);
            assert_eq!(run(&jdk, &woven, Some(&hooks), &["Dead"]), expected);
        }
    }
}

#[test]
fn hooks_are_called_where_they_should_be() {
    for jdk in Jdk::oldest_and_newest() {
        let directory = tempfile::tempdir().unwrap();
        let plain = directory.path().join("plain");
        let subjects = ["Subject.java", "Needless.java", "Loops.java", "Sparing.java"].map(fixture);
        jdk.compile(&subjects, &plain, &[]).unwrap();
        common::compile_hooks(&jdk, &directory.path().join("hooks"), LOGGING, LOG);
        let models = models();
        let every = Plan { models: &models, ..Plan::new(Events::ALL) };
        let checked = Plan { shadows: true, ..Plan::new(Events::ERASER) };
        let sparing = Plan { leaves_out_redundant: true, ..every };
        for (subject, plan) in subjects.iter().zip([&every, &checked, &checked, &sparing]) {
            assert_eq!(weave_directory(&plain, &directory.path().join("woven"), plan), []);
            check_hooks(&jdk, directory.path(), subject);
        }
    }
}

#[test]
fn transactions_begin_and_end() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let (plain, woven) = (directory.path().join("plain"), directory.path().join("woven"));
        jdk.compile(&[fixture("Transactional.java")], &plain, &[]).unwrap();
        common::compile_hooks(&jdk, &directory.path().join("hooks"), LOGGING, LOG);
        assert_eq!(weave_directory(&plain, &woven, &Plan::new(Events::ALL | Events::TRANSACTIONS)), []);
        check_hooks(&jdk, directory.path(), &fixture("Transactional.java"));
    }
}

/// Patterns take the place of the heuristic, also for blocks; what is idle is none. Without the events nothing of all this is
/// woven.
#[test]
fn transactions_are_chosen_by_pattern() {
    let directory = tempfile::tempdir().unwrap();
    Jdk::oldest().compile(&[fixture("Transactional.java")], directory.path(), &[]).unwrap();
    let bytes = std::fs::read(directory.path().join("Transactional.class")).unwrap();
    let woven = |plan: &Plan<'_>| {
        let mut sites: Vec<Site> = Vec::new();
        let Ok(Outcome::Woven(woven)) = weave(&bytes, plan, &mut sites) else { panic!("it is woven") };
        sites.retain(|site| site.action == Action::Transaction);
        (woven.bytes, sites.into_iter().map(|site| site.place.method).collect::<Vec<_>>())
    };
    let wanted = |method: &str| ["Transactional.once", "Transactional.block"].contains(&method);
    let patterns = Plan { transactions: Some(&wanted), ..Plan::new(Events::ALL | Events::TRANSACTIONS) };
    assert_eq!(woven(&patterns).1, ["once", "block", "claimed"]);
    let idle = MethodFocus { elided: BTreeSet::from([Elided::Transaction]), ..MethodFocus::default() };
    let methods = ["block()V", "once()V"].map(|method| (method.to_owned(), idle.clone())).into();
    let focus = ClassFocus { class: "Transactional".to_owned(), methods, ..ClassFocus::default() };
    assert_eq!(woven(&Plan { focus: Some(&focus), ..patterns }).1, ["claimed"]);
    for events in [Events::ALL, Events::ERASER] {
        let without = woven(&Plan::new(events));
        assert_eq!(woven(&Plan { transactions: Some(&wanted), ..Plan::new(events) }), without);
        assert_eq!(without.1, Vec::<String>::new());
    }
}

/// A framework's methods are around tests; a class that only has a similar name is a program's.
#[test]
fn nothing_of_a_test_framework_is_a_transaction() {
    let directory = tempfile::tempdir().unwrap();
    let transactions = |package: &str, plan: &Plan<'_>| {
        let source = directory.path().join("Runner.java");
        let body = "int x; public void runs() { synchronized (this) { x++; } } synchronized void calls() { x++; }";
        std::fs::write(&source, format!("package {package}; public class Runner {{ {body} }}")).unwrap();
        Jdk::oldest().compile(&[source], directory.path(), &[]).unwrap();
        let class = directory.path().join(package.replace('.', "/")).join("Runner.class");
        let mut sites: Vec<Site> = Vec::new();
        let Ok(Outcome::Woven(woven)) = weave(&std::fs::read(class).unwrap(), plan, &mut sites) else { panic!() };
        let begins_block = woven.bytes.windows(11).any(|bytes| bytes == b"enterAtomic");
        (sites.iter().filter(|site| site.action == Action::Transaction).count(), begins_block)
    };
    let plan = Plan::new(Events::ALL | Events::TRANSACTIONS);
    for framework in ["org.junit.platform.engine", "junit.framework", "org.testng"] {
        assert_eq!(transactions(framework, &plan), (0, false), "{framework}");
    }
    assert_eq!(transactions("org.junitx", &plan), (2, true));
    assert_eq!(transactions("org.testng", &Plan { transactions: Some(&|_| true), ..plan }), (2, true));
}

/// Nothing is woven at idle locks, neither where they are taken nor where they are given back; a trace has them all the same.
#[test]
fn idle_locks_have_no_hooks() {
    let directory = tempfile::tempdir().unwrap();
    Jdk::oldest().compile(&[fixture("Locks.java")], directory.path(), &[]).unwrap();
    let bytes = std::fs::read(directory.path().join("Locks.class")).unwrap();
    let woven = |events: Events, focus: Option<&ClassFocus>| {
        let mut sites: Vec<Site> = Vec::new();
        let outcome = weave(&bytes, &Plan { focus, ..Plan::new(events) }, &mut sites).unwrap();
        let method = |site: &Site| format!("{}{}", site.place.method, site.place.descriptor);
        (sites.iter().map(method).collect::<BTreeSet<_>>(), outcome)
    };
    let (methods, full) = woven(Events::LOCKS, None);
    assert!(methods.len() > 2, "{methods:?}");
    let mut focus = ClassFocus { class: "Locks".to_owned(), ..ClassFocus::default() };
    let mut named: Vec<String> = methods.iter().cloned().collect();
    let last = named.pop().unwrap();
    let idle = MethodFocus {
        proofs: BTreeMap::from([(Proof::Idle, (0..0x1_0000).collect())]),
        elided: BTreeSet::from([Elided::Lock]),
        ..MethodFocus::default()
    };
    let name = |focus: &mut ClassFocus, names: &[String]| {
        focus.methods = names.iter().map(|name| (name.clone(), idle.clone())).collect();
    };
    name(&mut focus, &named);
    assert_eq!(woven(Events::LOCKS, Some(&focus)).0, BTreeSet::from([last]));
    name(&mut focus, &methods.into_iter().collect::<Vec<_>>());
    let (left, outcome) = woven(Events::LOCKS, Some(&focus));
    assert!(left.is_empty());
    match outcome {
        Outcome::Unchanged => {}
        Outcome::Woven(woven) => assert_eq!(woven.bytes, bytes),
    }
    assert_eq!(woven(Events::LOCKS | Events::ORDER, Some(&focus)), woven(Events::LOCKS | Events::ORDER, None));
    assert_ne!(full, Outcome::Unchanged);
}

#[test]
fn methods_with_locks_are_compiled() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let plain = directory.path().join("plain");
        jdk.compile(&[fixture("Locks.java")], &plain, &[]).unwrap();
        common::compile_hooks(&jdk, &directory.path().join("hooks"), "", "");
        let woven = directory.path().join("woven");
        let expected = run(&jdk, &plain, None, &["Locks"]);
        for events in [Events::ERASER | Events::CONTENTS, Events::ALL | Events::TRANSACTIONS] {
            weave_directory(&plain, &woven, &Plan { shadows: true, ..Plan::new(events) });
            let options = ["-Xbatch", "-XX:+PrintCompilation", "Locks"];
            let log = run(&jdk, &woven, Some(&directory.path().join("hooks")), &options);
            assert!(log.contains(expected.trim()), "{log}");
            assert_eq!(refused(&log), Vec::<&str>::new());
            for method in ["block", "nested", "loop", "caught", "method", "staticMethod", "call"] {
                let name = format!("Locks::{method} ");
                let at_top = |line: &str| line.contains(&name) && line.split_whitespace().any(|field| field == "4");
                assert!(log.lines().any(at_top), "C2 did not compile {method}:\n{log}");
            }
        }
    }
}

/// The methods that a compiler gave up in a compilation log; those that it tries again do not count.
fn refused(log: &str) -> Vec<&str> {
    let passing = ["concurrent class loading", "retry at different tier"];
    let counts = |line: &&str| line.contains("COMPILE SKIPPED") && !passing.iter().any(|reason| line.contains(reason));
    log.lines().filter(counts).collect()
}

/// The compiler as a large program: woven as the agent does it, it writes the same class files.
#[test]
fn a_woven_javac_compiles_the_same() {
    for jdk in Jdk::all().into_iter().filter(|jdk| jdk.has("javac")) {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let sources = ["Traps.java", "Locks.java", "LoadAll.java"].map(fixture);
        let sources = [&[far_branches(directory.path())], &sources[1..]].concat();
        jdk.compile(&sources, &path("expected"), &[]).unwrap();
        let mut classes = common::jdk_classes(&jdk);
        classes.retain(|class| class.module == "jdk.compiler");
        common::compile_hooks(&jdk, &path("java.base"), "", "");
        let plan = Plan { shadows: true, ..Plan::new(Events::ERASER) };
        common::weave_into(directory.path(), &classes, &plan, &mut Numbers::default());
        let mut java = jdk.tool("java");
        for module in ["java.base", "jdk.compiler"] {
            java.arg(format!("--patch-module={module}={}", path(module).display()));
        }
        java.args(["-XX:+PrintCompilation", "-m", "jdk.compiler/com.sun.tools.javac.Main", "-g", "-nowarn", "-d"]);
        let output = java.arg(path("found")).args(&sources).output().unwrap();
        let log = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{log}{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(refused(&log), Vec::<&str>::new());
        for entry in std::fs::read_dir(path("expected")).unwrap().flatten() {
            let found = std::fs::read(path("found").join(entry.file_name())).unwrap();
            assert!(found == std::fs::read(entry.path()).unwrap(), "{} differs", entry.path().display());
        }
    }
}

/// Logs the calling class too, and whether its lock is held.
const LOGGING_CALLER: &str =
    "log(\"HOOK\", StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass());";
const LOG_CALLER: &str = "private static void log(String hook, Class<?> caller) {
    log.append(hook + \":\" + caller.getName() + (Thread.holdsLock(caller) ? \".class \" : \" \")); }";

/// A class file of version 48 cannot load its class as a constant, and has no frames.
#[test]
fn old_class_files_are_woven() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        jdk.compile(&[fixture("Old.java")], &path("plain"), &["--release", "8"]).unwrap();
        call_object(&path("plain/Old.class"));
        ["plain/Old.class", "plain/OldBase.class"].iter().for_each(|class| make_old(&path(class)));
        assert_eq!(weave_directory(&path("plain"), &path("woven"), &Plan::new(Events::ALL)), []);
        common::compile_hooks(&jdk, &path("hooks"), LOGGING_CALLER, &[LOG, LOG_CALLER].concat());
        check_hooks(&jdk, directory.path(), &fixture("Old.java"));
    }
}

/// Gives a class file version 48.
fn make_old(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[7] = 48;
    std::fs::write(path, &bytes).unwrap();
}

/// Runs the methods of a subject, which is in the folder `woven`.
fn check_hooks(jdk: &Jdk, directory: &Path, subject: &Path) {
    let woven = directory.join("woven");
    jdk.compile(&[fixture("Behaviour.java")], &woven, &[]).unwrap();
    let output = run(jdk, &woven, Some(&directory.join("hooks")), &["Behaviour", subject.to_str().unwrap()]);
    let n_cases = std::fs::read_to_string(subject).unwrap().matches("// hooks: ").count();
    assert_eq!(output, format!("checked {n_cases}\n"), "JDK {}", jdk.feature);
}

/// Whatever class a call names, it is known for one of `Object.wait`, unless it is of something else.
#[test]
fn waits_are_found_through_other_classes() {
    for (jdk, release) in Jdk::oldest_and_newest().into_iter().flat_map(|jdk| [(jdk.clone(), "8"), (jdk, "17")]) {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        jdk.compile(&[fixture("Waits.java")], &path("plain"), &["--release", release]).unwrap();
        ["plain/Waits.class", "plain/Private.class"].iter().for_each(|class| call_object(&path(class)));
        ["plain/Gone.class", "plain/Lost.class"].iter().for_each(|class| std::fs::remove_file(path(class)).unwrap());
        assert_eq!(weave_directory(&path("plain"), &path("woven"), &Plan::new(Events::ALL)), []);
        common::compile_hooks(&jdk, &path("hooks"), LOGGING, LOG);
        check_hooks(&jdk, directory.path(), &fixture("Waits.java"));
    }
}

/// Names methods of `Object` in a class whose source could not.
fn call_object(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    for [from, to] in [["wxit", "wait"], ["notifx", "notify"], ["Arr", "[[I"], ["Waitimg", "Waiting"]] {
        let constant = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        if let Some(at) = bytes.windows(from.len() + 3).position(|window| window == constant(from)) {
            bytes[at..at + from.len() + 3].copy_from_slice(&constant(to));
        }
    }
    std::fs::write(path, bytes).unwrap();
}

/// Weaving is a function of its input, and a woven class is not woven again.
#[test]
fn weaving_is_repeatable_and_happens_once() {
    let directory = tempfile::tempdir().unwrap();
    Jdk::oldest().compile(&[fixture("Locks.java")], directory.path(), &[]).unwrap();
    let bytes = std::fs::read(directory.path().join("Locks.class")).unwrap();
    let plan = Plan { shadows: true, ..Plan::new(Events::ALL) };
    let woven = |bytes: &[u8]| weave(bytes, &plan, &mut Numbers::default());
    let Ok(Outcome::Woven(first)) = woven(&bytes) else { panic!("Locks is woven") };
    assert_eq!(woven(&bytes), Ok(Outcome::Woven(first.clone())));
    assert_eq!(woven(&first.bytes), Err(instrumenter::WeaveError::AlreadyWoven));
    assert_eq!(weave(&bytes, &Plan::new(Events::NONE), &mut Numbers::default()), Ok(Outcome::Unchanged));
    let fields = instrumenter::dump::listing(&first.bytes).unwrap().fields;
    assert_eq!(fields, ["$jrace$I$value", "$jrace$A$array", "$jrace$L$list", "$jrace$number"]);
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(name)
}

/// `Traps.java` with so many locals that most need wide instructions.
fn with_wide_locals(directory: &Path) -> PathBuf {
    let locals = (10..150).fold(String::new(), |mut text, n| {
        write!(text, "long a{n} = a{} + 1; ", n - 1).unwrap();
        text
    });
    let source = std::fs::read_to_string(fixture("Traps.java")).unwrap();
    let path = directory.join("Traps.java");
    std::fs::write(&path, source.replace("WIDE\n", &(locals + "a9 = a149;\n"))).unwrap();
    path
}

/// Methods whose branches become too long, and one that becomes too long itself.
fn far_branches(directory: &Path) -> PathBuf {
    let counts = |n| "count++; ".repeat(n);
    let source = format!(
        "class Far {{ static int count; int own;
            static int near(int n) {{ if (n < 0) return -1; if (n > 2) {{ {} if (n == 7) return 7; {} }} return count; }}
            static int loop(int n) {{ if (n < 0) return -1; int i = 0; String s = \"\";
                while (i < n) {{ long x = i; try {{ {} }} finally {{ i++; }} s += x; }} return s.length(); }}
            int giant() {{ if (own == 0) own++; {} return own; }} }}",
        counts(1100),
        counts(1100),
        counts(2000),
        "own++; ".repeat(6000),
    );
    let path = directory.join("Far.java");
    std::fs::write(&path, source).unwrap();
    path
}

/// Weaves the classes of a directory; returns what was left out.
fn weave_directory(from: &Path, to: &Path, plan: &Plan<'_>) -> Vec<(String, Reason)> {
    let mut left_out = Vec::new();
    let mut sites = Numbers::default();
    instrumenter::archive::instrument(from, to, &mut |bytes| match weave(bytes, plan, &mut sites) {
        Ok(Outcome::Woven(woven)) => {
            left_out.extend(woven.unwoven_methods);
            Some(woven.bytes)
        }
        Ok(Outcome::Unchanged) => None,
        Err(error) => panic!("{error}"),
    })
    .unwrap();
    left_out
}

/// Standard output of `java`, with full verification.
fn run(jdk: &Jdk, classes: &Path, hooks: Option<&Path>, arguments: &[&str]) -> String {
    let mut java = jdk.tool("java");
    java.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote"]);
    if let Some(hooks) = hooks {
        java.arg(format!("--patch-module=java.base={}", hooks.display()));
    }
    let output = java.arg("-cp").arg(classes).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}
