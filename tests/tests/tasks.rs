//! Tasks that one thread runs one after the other: what another schedule might run at once is a possible race, with `tasks=1`.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::{classes, compare, folder, on_every_jdk, on_oldest_and_newest, same_as_without};
use jrace_tests::generator::{self, tasks};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::{maven, root};

/// Cases of each random program.
const CASES: usize = 40;

#[test]
fn tasks_and_requests_race_where_nothing_orders_them() -> Result<()> {
    let classes = classes("tasks")?;
    on_every_jdk(|jdk| {
        for case in ["pools", "requests"] {
            let launch = Launch::main(jdk, &classes, &format!("{case}.Main"));
            compare(&same_as_without(&launch, "check=hybrid,tasks=1")?, "tasks", case)?;
        }
        Ok(())
    })
}

/// What is found of tasks that one thread runs is what is found without the option where each has a thread of its own.
#[test]
fn which_thread_runs_a_task_does_not_matter() -> Result<()> {
    let directory = tempfile::tempdir()?;
    for seed in generator::seeds(0..2) {
        for (waits, way) in [(true, "worker"), (false, "request")] {
            let classes = directory.path().join(format!("{seed}-{way}"));
            compile(&tasks::program(seed, CASES, waits), &classes)?;
            on_oldest_and_newest(|jdk| {
                let racy = |way: &str, options: &str| -> Result<Vec<String>> {
                    let launch = Launch::main(jdk, &classes, "tasks.Main").args([way]);
                    Ok(launch.checked(options).run()?.succeeded()?.racy())
                };
                let expected = racy("workers", "check=hybrid")?;
                let found = racy(way, "check=hybrid,tasks=1")?;
                ensure!(found == expected, "seed {seed}, by {way}: {found:?}\nby workers: {expected:?}");
                ensure!(expected.len() > CASES / 4 && expected.len() < 2 * CASES, "{} race", expected.len());
                ensure!(racy(way, "check=hybrid")?.is_empty(), "seed {seed}, by {way}: found without the option");
                Ok(())
            })?;
        }
    }
    Ok(())
}

fn compile(program: &str, classes: &std::path::Path) -> Result<()> {
    let folder_of_source = classes.with_extension("sources");
    std::fs::create_dir_all(&folder_of_source)?;
    let mut all: Vec<PathBuf> = sources(&folder().join("tasks/jakarta"))?;
    all.push(folder_of_source.join("Main.java"));
    std::fs::write(folder_of_source.join("Main.java"), program)?;
    Jdk::oldest().compile(&all, classes, &["--release", "17"])
}

#[test]
fn a_model_tells_of_entry_points_of_the_user_s() -> Result<()> {
    let (classes, directory) = (classes("tasks")?, tempfile::tempdir()?);
    let models = directory.path().join("models.toml");
    std::fs::write(&models, "[[model]]\nclass = 'listener.Main'\n[model.methods]\nonMessage = 'runs request'\n")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "listener.Main");
        let told = format!("check=hybrid,tasks=1,models={}", models.display());
        compare(&same_as_without(&launch, &told)?, "tasks", "listener")?;
        ensure!(launch.checked("check=hybrid,tasks=1").run()?.racy().is_empty(), "found without the model");
        Ok(())
    })
}

/// A test of a web application finds the same by mocks and with a server, where a client sends one request after the other.
#[test]
fn requests_of_one_client_race_by_mocks_and_with_a_server() -> Result<()> {
    let folder = root().join("tests/java/real/requests");
    let (source, jars, directory) =
        (folder.join("Requests.java"), maven::jars(&folder)?.join("*"), tempfile::tempdir()?);
    let class_path = jars.to_str().context("a path that is not UTF-8")?;
    let options = ["--release", "17", "-parameters", "-cp", class_path];
    Jdk::oldest().compile(std::slice::from_ref(&source), directory.path(), &options)?;
    let class_path = PathBuf::from(std::env::join_paths([directory.path(), &jars])?);
    let expected = Expectations::of(&[source])?;
    on_oldest_and_newest(|jdk| {
        for way in ["mock", "tomcat"] {
            let own = |options: &str| -> Result<Vec<String>> {
                let launch = Launch::main(jdk, &class_path, "Requests").args([way]);
                let run = launch.checked(options).run()?.succeeded()?;
                Ok(run.racy().into_iter().filter(|name| name.starts_with("Orders")).collect())
            };
            expected.compare(&own("check=hybrid,tasks=1")?).with_context(|| way.to_owned())?;
            ensure!(own("check=hybrid")?.is_empty(), "{way}: found without the option");
        }
        Ok(())
    })
}
