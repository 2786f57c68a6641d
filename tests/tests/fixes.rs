//! The three violations that the manual shows (`book/src/atomicity.md`): each is found in the program as it is, and not in the repaired one.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::run::jrace;
use jrace_tests::{maven, root};
use serde_json::Value;

/// The transactions that `jrace run --atomicity` finds to be broken, as `jrace report --json` tells them.
fn broken(jdk: &Jdk, class_path: &str, program: &[String]) -> Result<BTreeSet<String>> {
    let directory = tempfile::tempdir()?;
    let mut run = jrace(jdk);
    run.current_dir(directory.path()).args(["run", "--check", "none", "--atomicity", "--"]);
    let output = run.arg(jdk.home.join("bin/java")).args(["-cp", class_path]).args(program).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(said.contains("SUMMARY: jrace: 0 races"), "{said}");
    let report = jrace(jdk).current_dir(directory.path()).args(["report", "--json"]).output()?;
    let report: Value = serde_json::from_slice(&report.stdout).with_context(|| said.into_owned())?;
    let hazards = report["hazards"].as_array().context("no hazards")?;
    Ok(hazards.iter().filter_map(|hazard| hazard["name"].as_str()).map(str::to_owned).collect())
}

#[test]
fn a_lift_that_asks_and_answers_at_once_is_atomic() -> Result<()> {
    let jdk = Jdk::oldest();
    let demo = Demo::all()?.into_iter().find(|demo| demo.name == "elevator").context("the elevator")?;
    let repaired = sources(&root().join("tests/java/fixes/elevator"))?;
    let is_repaired = |source: &Path| repaired.iter().any(|other| other.file_name() == source.file_name());
    let mut fixed = demo.sources()?;
    fixed.retain(|source| !is_repaired(source));
    fixed.extend(repaired.iter().cloned());
    let fixed = compiled(&jdk, &fixed, &["--release", "17"])?;
    let program: Vec<String> = std::iter::once(demo.main.clone()).chain(demo.args.iter().cloned()).collect();
    let found = |classes: &Path| broken(&jdk, &classes.display().to_string(), &program);
    let before = found(&demo.classes()?)?;
    ensure!(before == ["elevator.Lift.serve".to_owned()].into(), "{before:?}");
    let after = found(&fixed)?;
    ensure!(after.is_empty(), "{after:?}");
    Ok(())
}

/// Every pool of commons-pool under load: `jrace run --atomicity` ends, and finds what the manual says.
#[test]
fn pools_under_load_are_looked_into() -> Result<()> {
    let jdk = Jdk::oldest();
    let class_path = pool_class_path(&jdk, "tests/java/real/pool")?;
    let found = broken(&jdk, &class_path, &["PoolLoad".to_owned()])?;
    ensure!(in_pools().is_subset(&found), "{found:?}");
    Ok(())
}

/// The transactions of the manual.
fn in_pools() -> BTreeSet<String> {
    ["addObject", "returnObject"].map(|name| format!("org.apache.commons.pool.impl.GenericObjectPool.{name}")).into()
}

/// The jars of commons-pool 1.2, with the classes of a program that uses it.
fn pool_class_path(jdk: &Jdk, program: &str) -> Result<String> {
    let jars = maven::jars(&root().join("tests/java/real/pool-1.2"))?;
    let jars = format!("{}/*", jars.display());
    let classes = compiled(jdk, &sources(&root().join(program))?, &["--release", "17", "-cp", &jars])?;
    Ok(format!("{}:{jars}", classes.display()))
}

#[test]
fn a_pool_that_keeps_its_monitor_is_atomic_where_it_was_not() -> Result<()> {
    let jdk = Jdk::oldest();
    let class_path = pool_class_path(&jdk, "tests/java/fixes/pool")?;
    let found = |pool: &str| broken(&jdk, &class_path, &["PoolFixes".to_owned(), pool.to_owned()]);
    let of_methods = |found: BTreeSet<String>| {
        let ends = |name: &String| name.ends_with(".returnObject") || name.ends_with(".addObject");
        found.into_iter().filter(ends).collect::<BTreeSet<_>>()
    };
    let before = of_methods(found("as it is")?);
    ensure!(before == in_pools(), "{before:?}");
    let after = of_methods(found("fixed")?);
    ensure!(after.is_empty(), "{after:?}");
    Ok(())
}
