//! Threads: many of them, virtual ones, and what findings tell of them.
#![allow(clippy::disallowed_methods, reason = "writes the program that it makes")]

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use facts::access::AccessKind;
use facts::finding::{Access, Finding};
use jrace_tests::fixture::{
    classes, compare, compiled, folder, on_every_jdk, on_jdks, on_newest, on_oldest_and_newest, same_as_without,
};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, short_name};

jrace_tests::cases! {
    "threads";
    pools: "";
    locals: "";
    named: "";
}

fn finding<'a>(run: &'a Run, variable: &str) -> Result<&'a Finding> {
    run.findings().find(|finding| short_name(&finding.variable) == variable).context("the finding")
}

fn methods(access: &Access) -> Vec<&str> {
    access.stack.iter().map(|place| place.method.as_str()).collect()
}

#[test]
fn findings_name_threads_and_stacks() -> Result<()> {
    let classes = classes("threads")?;
    on_every_jdk(|jdk| {
        let run = Launch::main(jdk, &classes, "named.Main").checked("").run()?.succeeded()?;
        let conflict = &finding(&run, "Main.racy")?.conflicts[0];
        let (current, previous) = (&conflict.current, &conflict.previous);
        ensure!(
            (current.thread.name.as_str(), previous.thread.name.as_str()) == ("second-𝒯hread", "first-thread"),
            "{conflict:#?}"
        );
        ensure!(current.thread.alive == Some(true) && previous.thread.alive == Some(false), "{conflict:#?}");
        let kinds = [current.kind, previous.kind];
        ensure!(!kinds.contains(&None) && kinds.contains(&Some(AccessKind::Write)), "{conflict:#?}");
        for access in [current, previous] {
            ensure!(methods(access).starts_with(&["increment", "middle"]), "{access:#?}");
            ensure!(access.stack[0].line == Some(16), "{access:#?}");
            let created: Vec<_> = access.thread.created.iter().map(|place| place.method.as_str()).collect();
            let launched = created.windows(2).any(|pair| pair == ["launch", "main"]);
            ensure!(launched && !access.thread.is_virtual, "{created:?}");
        }
        let conflict = &finding(&run, "Main.racyUnderLocks")?.conflicts[0];
        let held = |access: &Access| access.locks.as_ref().map(|locks| locks.len());
        ensure!(held(&conflict.current) == Some(1) && held(&conflict.previous) == Some(2), "{conflict:#?}");
        let classes: Vec<_> = conflict.previous.locks.iter().flatten().map(|lock| lock.class.as_str()).collect();
        ensure!(classes == ["java/lang/Class", "java/lang/Object"], "{classes:?}");
        ensure!(
            conflict.current.locks.iter().flatten().all(|lock| lock.class == "[Ljava/lang/String;"),
            "{conflict:#?}"
        );
        Ok(())
    })
}

#[test]
fn ten_thousand_live_threads() -> Result<()> {
    let classes = classes("threads")?;
    on_newest(|jdk| {
        let launch = Launch::main(jdk, &classes, "many.Main").jvm(["-Xss256k"]).args(["10000"]).patience(120);
        let run = launch.checked("").run()?.succeeded()?;
        ensure!(run.stdout() == "10000\n" && run.stderr().is_empty(), "{}{}", run.stdout(), run.stderr());
        compare(&run, "threads", "many")
    })
}

/// Virtual threads came with JDK 21.
fn with_virtual() -> Result<(Vec<Jdk>, Option<PathBuf>)> {
    let jdks: Vec<Jdk> = Jdk::all().into_iter().filter(|jdk| jdk.feature >= 21).collect();
    let all = sources(&folder().join("virtual"))?;
    let classes =
        jdks.iter().find(|jdk| jdk.has("javac")).map(|jdk| compiled(jdk, &all, &["--release", "21"])).transpose()?;
    Ok((jdks, classes))
}

#[test]
fn virtual_threads() -> Result<()> {
    let (jdks, Some(classes)) = with_virtual()? else { return Ok(()) };
    on_jdks(&jdks, |jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, "virtual.Main"), "")?.succeeded()?;
        compare(&run, "virtual", "virtual")?;
        let conflict = &finding(&run, "Data.mixed")?.conflicts[0];
        let (current, previous) = (&conflict.current.thread, &conflict.previous.thread);
        ensure!(current.name == "platform-second" && !current.is_virtual, "{current:?}");
        ensure!(previous.name == "virtual-first" && previous.is_virtual, "{previous:?}");
        ensure!(!previous.created.is_empty(), "no creation stack");
        Ok(())
    })
}

#[test]
fn a_hundred_thousand_virtual_threads() -> Result<()> {
    let (jdks, Some(classes)) = with_virtual()? else { return Ok(()) };
    // 25 s of processor time; beside the other tests of CI, on a slow machine, they have taken more than two minutes.
    on_jdks(&jdks[jdks.len() - 1..], |jdk| {
        let launch = Launch::main(jdk, &classes, "millions.Main").args(["100000"]).patience(300);
        let run = launch.checked("").run()?.succeeded()?;
        ensure!(run.stdout() == "100000\n" && run.stderr().is_empty(), "{}{}", run.stdout(), run.stderr());
        compare(&run, "virtual", "millions")
    })
}

/// Threads that have ended have no place in clocks, once somebody who starts another one knows what they have done.
#[test]
fn virtual_threads_that_have_ended_hide_no_races() -> Result<()> {
    let (jdks, Some(classes)) = with_virtual()? else { return Ok(()) };
    on_jdks(&jdks, |jdk| {
        for (how, displaces) in [("joined", false), ("left", true)] {
            let run = Launch::main(jdk, &classes, "ended.Main").args(["6000", how]).checked("").run()?.succeeded()?;
            compare(&run, "virtual", "ended")?;
            let end = run.summaries().1[0];
            ensure!((end.displacing_threads > 0) == displaces, "{how}: {end:?}");
        }
        Ok(())
    })
}

/// HotSpot clears what a thread has bound to scoped values where an `InternalError` is thrown, also one that is caught at once.
#[test]
fn what_is_bound_to_scoped_values_stays_bound() -> Result<()> {
    let (jdks, Some(classes)) = with_virtual()? else { return Ok(()) };
    on_jdks(&jdks, |jdk| {
        let launch = Launch::main(jdk, &classes, "bound.Main").jvm(["--enable-preview"]);
        let run = same_as_without(&launch, "")?.succeeded()?;
        let is_bound = run.stdout().lines().all(|line| line.ends_with(": bound"));
        ensure!(is_bound && run.stdout().lines().count() == 13, "{}", run.stdout());
        Ok(())
    })
}

/// So many places in the code that two threads reach at once.
const PLACES: usize = 1500;
const PLACES_OF_A_CLASS: usize = 250;

/// Two threads that reach each place for the first time side by side, of each kind of access.
fn side_by_side() -> String {
    let kinds = ["h.kept", "h.cells[0]", "h.plain++", "h.flag", "Held.shared++", "Held.once"];
    let mut source = String::from(
        "public final class Main {
             static final class Held {
                 final int kept = Integer.parseInt(\"1\"); final int[] cells = {1}; int plain; volatile int flag;
                 static int shared; static final int once = Integer.parseInt(\"1\");
             }
             static void meet(java.util.concurrent.atomic.AtomicInteger turn, int place) {
                 turn.incrementAndGet();
                 for (int i = 0; turn.get() < 2 * place + 2 && i < 1000; i++) { Thread.onSpinWait(); }
             }\n",
    );
    let turn = "java.util.concurrent.atomic.AtomicInteger turn";
    let mut calls = String::new();
    for class in 0..PLACES / PLACES_OF_A_CLASS {
        let (mut methods, mut body) = (String::new(), String::new());
        for method in 0..PLACES_OF_A_CLASS {
            let place = class * PLACES_OF_A_CLASS + method;
            methods += &format!("static int m{method}(Held h) {{ return {}; }}\n", kinds[place % kinds.len()]);
            body += &format!("meet(turn, {place}); m{method}(h);\n");
        }
        source +=
            &format!("static final class C{class} {{ {methods} static void all(Held h, {turn}) {{ {body} }} }}\n");
        calls += &format!("C{class}.all(held, turn);");
    }
    source
        + &format!(
            "public static void main(String[] arguments) throws Exception {{
                 Held held = new Held();
                 {turn} = new java.util.concurrent.atomic.AtomicInteger();
                 Runnable body = () -> {{ {calls} }};
                 Thread one = new Thread(body), two = new Thread(body);
                 one.start(); two.start(); one.join(); two.join();
                 System.out.println(\"done\");
             }} }}"
        )
}

/// A place that one thread finds out about while another one does was taken for one of another kind, and the JVM crashed.
#[test]
fn places_that_threads_reach_at_once_are_resolved_as_one() -> Result<()> {
    const RUNS: usize = 3;
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("Main.java");
    std::fs::write(&source, side_by_side())?;
    let classes = compiled(&Jdk::oldest(), &[source], &["--release", "17"])?;
    let traces = format!("record={}", folder.path().display());
    let modes = [
        String::new(),
        "check=eraser".to_owned(),
        traces.clone(),
        format!("check=none,{traces}"),
        format!("check=none,atomicity=block,record_redundant=0,{traces}"),
        format!("check=none,discover=1,{traces}"),
    ];
    on_oldest_and_newest(|jdk| {
        for mode in modes.iter().flat_map(|mode| [mode; RUNS]) {
            let run = Launch::main(jdk, &classes, "Main").checked(mode).run()?;
            ensure!(run.stdout() == "done\n", "{mode}: {}{}", run.stdout(), run.stderr());
        }
        Ok(())
    })
}
