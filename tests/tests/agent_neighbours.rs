//! Other agents in the same JVM, and libraries that look at classes: everything as without jrace.
#![allow(clippy::disallowed_methods, reason = "compares reports")]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{compare, compiled, folder, on_every_jdk, on_oldest_and_newest, same_as_without};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::maven;
use jrace_tests::run::{Run, jrace};

/// The jars of Maven Central that the fixtures use.
struct Jars(PathBuf);

impl Jars {
    fn get() -> Result<Self> {
        Ok(Self(maven::jars(&folder().join("neighbours"))?))
    }

    /// The jar whose name begins so.
    fn jar(&self, prefix: &str) -> Result<PathBuf> {
        let mut names: Vec<PathBuf> = std::fs::read_dir(&self.0)?.flatten().map(|entry| entry.path()).collect();
        names.sort();
        let begins = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
        names.into_iter().find(begins).with_context(|| format!("no jar {prefix}"))
    }

    fn class_path(&self, classes: &Path) -> PathBuf {
        PathBuf::from(format!("{}:{}/*", classes.display(), self.0.display()))
    }
}

/// One case of a group, compiled with the jars.
fn case(jars: &Jars, group: &str, case: &str) -> Result<PathBuf> {
    let mut all = sources(&folder().join(group).join(case))?;
    all.extend(sources(&folder().join("util"))?);
    compiled(&Jdk::oldest(), &all, &["--release", "17", "-cp", &format!("{}/*", jars.0.display())])
}

/// JaCoCo's report of a run, as CSV.
fn coverage(jdk: &Jdk, jars: &Jars, exec: &Path, classes: &Path) -> Result<String> {
    let csv = exec.with_extension("csv");
    let arguments = [
        "-jar".into(),
        jars.jar("org.jacoco.cli")?,
        "report".into(),
        exec.to_owned(),
        "--classfiles".into(),
        classes.join("covered"),
        "--csv".into(),
        csv.clone(),
    ];
    let run = Launch::new(jdk, arguments).run()?.succeeded()?;
    let said = run.stdout() + &run.stderr();
    ensure!(!said.contains("does not match"), "{said}");
    Ok(std::fs::read_to_string(csv)?)
}

fn jacoco(jars: &Jars, exec: &Path) -> Result<String> {
    Ok(format!("-javaagent:{}=destfile={}", jars.jar("org.jacoco.agent")?.display(), exec.display()))
}

fn no_finding_of_jacoco(run: &Run) -> Result<()> {
    ensure!(!run.racy().iter().any(|name| name.contains("jacoco")), "{:?}", run.racy());
    Ok(())
}

#[test]
fn jacoco_covers_the_same() -> Result<()> {
    let jars = Jars::get()?;
    let classes = case(&jars, "neighbours", "covered")?;
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let exec = |name: &str| folder.path().join(name).with_extension("exec");
        let launch = Launch::main(jdk, &classes, "covered.Main").short();
        launch.clone().before([jacoco(&jars, &exec("alone"))?]).run()?.succeeded()?;
        let alone = coverage(jdk, &jars, &exec("alone"), &classes)?;
        ensure!(alone.contains(",Data,"), "{alone}");
        let before = launch.clone().before([jacoco(&jars, &exec("before"))?]).checked("").run()?.succeeded()?;
        let after = launch.clone().jvm([jacoco(&jars, &exec("after"))?]).checked("").run()?.succeeded()?;
        for (run, name) in [(before, "before"), (after, "after")] {
            compare(&run, "neighbours", "covered")?;
            no_finding_of_jacoco(&run)?;
            let both = coverage(jdk, &jars, &exec(name), &classes)?;
            ensure!(both == alone, "JaCoCo {name} jrace:\n{both}\nalone:\n{alone}");
        }
        Ok(())
    })
}

#[test]
fn mockito_mocks_the_same() -> Result<()> {
    let jars = Jars::get()?;
    let classes = case(&jars, "neighbours", "mocked")?;
    on_oldest_and_newest(|jdk| {
        let mockito = format!("-javaagent:{}", jars.jar("mockito-core")?.display());
        let launch = Launch::main(jdk, &jars.class_path(&classes), "mocked.Main").short().jvm(["-Xshare:off"]);
        let loaded = same_as_without(&launch.clone().jvm([&mockito]), "include=mocked.*")?.succeeded()?;
        compare(&loaded, "neighbours", "mocked")?;
        let first = same_as_without(&launch.clone().before([&mockito]), "include=mocked.*")?.succeeded()?;
        compare(&first, "neighbours", "mocked")?;
        // Mockito attaches to its own JVM, and its own classes are woven too.
        let attached = same_as_without(&launch.jvm(["-XX:+EnableDynamicAgentLoading"]), "")?.succeeded()?;
        ensure!(attached.racy().contains(&"Service.calls".to_owned()), "{:?}", attached.racy());
        Ok(())
    })
}

/// Mockito's counters break no transaction of the program.
#[test]
fn calls_of_mocks_leave_methods_atomic() -> Result<()> {
    let jars = Jars::get()?;
    let class_path = jars.class_path(&case(&jars, "neighbours", "counted")?);
    let jdk = Jdk::oldest();
    let broken = |flags: &[&str]| -> Result<bool> {
        let folder = tempfile::tempdir()?;
        let mut command = jrace(&jdk);
        command.current_dir(&folder).args(["run", "--atomicity", "--brief"]).args(flags).arg("--");
        let output = command.arg(jdk.home.join("bin/java")).arg("-cp").arg(&class_path).arg("counted.Main").output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(said.contains("SUMMARY: jrace: "), "{said}");
        Ok(said.contains("counted.Main.twice"))
    };
    ensure!(broken(&["--include", "*"])? && !broken(&[])?, "what Mockito counts is checked, or never");
    Ok(())
}

#[test]
fn all_three_in_one_jvm() -> Result<()> {
    let jars = Jars::get()?;
    let classes = case(&jars, "neighbours", "mocked")?;
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let mockito = format!("-javaagent:{}", jars.jar("mockito-core")?.display());
        let launch = Launch::main(jdk, &jars.class_path(&classes), "mocked.Main").short().jvm([
            "-Xshare:off",
            &mockito,
            &jacoco(&jars, &folder.path().join("x.exec"))?,
        ]);
        let run = same_as_without(&launch, "include=mocked.*")?.succeeded()?;
        no_finding_of_jacoco(&run)?;
        compare(&run, "neighbours", "mocked")
    })
}

#[test]
fn reflection_shows_the_same() -> Result<()> {
    let jars = Jars::get()?;
    let classes = case(&jars, "libraries", "serialized")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "serialized.Main").args(["describe"]);
        for options in ["", "granularity=object", "check=none"] {
            same_as_without(&launch, options)?.succeeded()?;
        }
        Ok(())
    })
}

/// Objects written by a JVM with the agent are read by one without it, and the other way round.
#[test]
fn serialization_round_trip() -> Result<()> {
    let jars = Jars::get()?;
    let classes = case(&jars, "libraries", "serialized")?;
    on_every_jdk(|jdk| {
        let folder = tempfile::tempdir()?;
        let launch = Launch::main(jdk, &classes, "serialized.Main");
        let file = |name: &str| folder.path().join(name).into_os_string();
        let with = |launch: Launch, checked: bool| if checked { launch.checked("") } else { launch };
        let mut bytes = Vec::new();
        let mut printed = Vec::new();
        for (writer, reader) in [(false, false), (true, false), (false, true), (true, true)] {
            let name = format!("{writer}{reader}");
            let write = launch.clone().args(["write".into(), file(&name)]);
            with(write, writer).run()?.succeeded()?;
            let read = launch.clone().args(["read".into(), file(&name)]);
            printed.push(with(read, reader).run()?.succeeded()?.stdout());
            bytes.push(std::fs::read(file(&name))?);
        }
        ensure!(bytes.windows(2).all(|pair| pair[0] == pair[1]), "the written bytes differ");
        ensure!(printed.windows(2).all(|pair| pair[0] == pair[1]), "{printed:#?}");
        Ok(())
    })
}

#[test]
fn json_libraries_write_the_same() -> Result<()> {
    let jars = Jars::get()?;
    let classes = case(&jars, "libraries", "json")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &jars.class_path(&classes), "json.Main").short();
        same_as_without(&launch, "")?.succeeded()?;
        Ok(())
    })
}
