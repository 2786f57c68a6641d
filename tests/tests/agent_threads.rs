//! Threads: many of them, virtual ones, and what findings tell of them.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use facts::access::AccessKind;
use facts::finding::{Access, Finding};
use jrace_tests::fixture::{
    classes, compare, compiled, folder, on_every_jdk, on_jdks, on_oldest_and_newest, same_as_without,
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
            (current.thread.name.as_str(), previous.thread.name.as_str()) == ("second-thread", "first-thread"),
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
    on_oldest_and_newest(|jdk| {
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
    on_jdks(&jdks, |jdk| {
        let launch = Launch::main(jdk, &classes, "millions.Main").args(["100000"]).patience(120);
        let run = launch.checked("").run()?.succeeded()?;
        ensure!(run.stdout() == "100000\n" && run.stderr().is_empty(), "{}{}", run.stdout(), run.stderr());
        compare(&run, "virtual", "millions")
    })
}
