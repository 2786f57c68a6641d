//! What a focus reports of the small programs of every construct is what checking everything reports: what orders threads is seen though
//! what they access is proved, and what a race hands over is checked once that race was seen.
#![allow(clippy::disallowed_methods, reason = "writes a program")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jrace_tests::fixture::{classes, folder, on_every_jdk, on_newest};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;

use crate::focus::Focused;

/// Constructs with programs of which not all calls can be seen, so that types alone prove something.
const HIDING: [&str; 6] = ["callbacks", "fences", "handles", "internals", "references", "unsafe_memory"];

/// False alarms: the static field by which the end of a class initializer is known is proved, so nobody is told.
const BESIDES: [&str; 2] = ["BeforeTheInitializer.prepared", "BeforeTheInnerInitializer.prepared"];

/// So many in one JVM may order each other by chance, now and then, so what is found in any of these runs counts. And what a race hands
/// over, a focus knows from the second run on.
const RUNS: usize = 4;

const BEGINNING: &str = "public class Every { public static void main(String[] none) throws Exception {
for (java.io.File step : new java.io.File(\".\").listFiles()) { if (step.getName().startsWith(\"step-\")) step.delete(); }
";

#[test]
fn by_types_and_search() -> Result<()> {
    on_every_jdk(|jdk| reports_the_same(jdk, "combined", &|construct| !HIDING.contains(&construct)))
}

#[test]
fn by_types() -> Result<()> {
    on_newest(|jdk| reports_the_same(jdk, "field", &|_| true))
}

/// One program after the other, in one JVM.
fn reports_the_same(jdk: &Jdk, mode: &'static str, is_wanted: &dyn Fn(&str) -> bool) -> Result<()> {
    let of_constructs = classes("constructs")?;
    let made = every(jdk, &of_constructs, is_wanted)?;
    let class_path = [of_constructs.as_path(), made.path()];
    let joined = PathBuf::from(std::env::join_paths(class_path)?);
    let focused = Focused::by(jdk, mode)?;
    let (mut full, mut found) = (BTreeSet::new(), BTreeSet::new());
    let expected = (BTreeSet::new(), BESIDES.map(str::to_owned).into());
    let mut differing = expected.clone();
    for _ in 0..RUNS {
        full.extend(Launch::main(jdk, &joined, "Every").short().checked("").run()?.succeeded()?.racy());
        found.extend(focused.run(&[], &class_path, &["Every"])?.racy());
        differing = (&full - &found, &found - &full);
        if differing == expected {
            return Ok(());
        }
    }
    bail!("lost: {:?}, besides: {:?}", differing.0, differing.1)
}

/// A program that runs those of all constructs that are wanted. It may be run again where it was run: what forces schedules is deleted.
fn every(jdk: &Jdk, classes: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Result<tempfile::TempDir> {
    let folders = std::fs::read_dir(folder().join("constructs"))?.flatten();
    let mut constructs: Vec<String> = folders
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != "schedule")
        .collect();
    constructs.sort();
    let wanted = constructs.iter().filter(|construct| is_wanted(construct));
    let calls: String = wanted.map(|construct| format!("{construct}.Main.main(none);\n")).collect();
    let text = format!("{BEGINNING}{calls}}} }}\n");
    let made = tempfile::tempdir()?;
    let source = made.path().join("Every.java");
    std::fs::write(&source, text)?;
    let class_path = classes.to_str().context("a path that is no text")?;
    jdk.compile(&[source], made.path(), &["--release", "17", "-cp", class_path])?;
    Ok(made)
}
