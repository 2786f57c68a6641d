//! What parts of the JDK call that a program enters only by naming a type of theirs.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::jdk::{Jdk, is_sweep};
use static_typer::classpath::ClassPath;
use static_typer::points_to::{PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::Program;

use crate::common::{compiled, methods};

/// Packages of the fixture: each names types of one part, and the first one of none.
const PACKAGES: [&str; 14] = [
    "nothing",
    "security",
    "archives",
    "network",
    "files",
    "charsets",
    "texts",
    "resources",
    "times",
    "patterns",
    "loggers",
    "own_logger",
    "loading",
    "handles",
];

#[test]
fn what_parts_of_the_jdk_call_is_reached() -> Result<()> {
    let all = compiled("parts", &["--release", "17", "-nowarn"]);
    for package in PACKAGES {
        let own = tempfile::tempdir()?;
        std::fs::create_dir(own.path().join(package))?;
        for class in std::fs::read_dir(all.join(package))? {
            let class = class?;
            std::fs::copy(class.path(), own.path().join(package).join(class.file_name()))?;
        }
        for jdk in Jdk::oldest_and_newest() {
            let lost = lost(own.path(), &jdk)?;
            ensure!(lost.is_empty(), "JDK {}, {package}: {lost:?}", jdk.feature);
        }
    }
    Ok(())
}

/// The methods that the JDK ought to call, and does not as far as is known.
fn lost(classes: &Path, jdk: &Jdk) -> Result<Vec<String>> {
    let program = Program::load_whole(&mut ClassPath::open(&[classes.to_owned()], &[], Some(&jdk.home))?);
    let reached = reached(&Resolution::of(&program))?;
    let called = methods(&program).map(|method| program.method_name(method)).filter(|name| name.contains(".called("));
    let called: Vec<String> = called.collect();
    ensure!(!called.is_empty(), "nothing is called");
    Ok(called.into_iter().filter(|method| !reached.contains(method)).collect())
}

/// Methods outside the JDK that are reached.
fn reached(resolution: &Resolution<'_>) -> Result<BTreeSet<String>> {
    let program = resolution.program;
    let code = environment::mains(resolution, &program.main_methods());
    let points_to = PointsTo::of(resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).context("no limit")?;
    let reached = points_to.instances().filter_map(|instance| points_to.code(instance).method);
    let outside = reached.filter(|method| !program.is_of_jdk(program.method(*method).class));
    Ok(outside.map(|method| program.method_name(method)).collect())
}

#[test]
fn parts_that_are_left_out_lead_to_nothing_of_the_program() -> Result<()> {
    let count = if is_sweep() { usize::MAX } else { 3 };
    for demo in Demo::all()?.into_iter().take(count) {
        let mut path = ClassPath::open(&[demo.classes()?], &[], Some(&Jdk::oldest().home))?;
        let program = Program::load_whole(&mut path);
        let found = reached(&Resolution::of(&program))?;
        let expected = reached(&Resolution::of(&program).with_every_part())?;
        ensure!(found == expected, "{}: {:?}", demo.name, expected.symmetric_difference(&found).collect::<Vec<_>>());
    }
    Ok(())
}
