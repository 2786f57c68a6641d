//! Variables: what is one, and which of them are checked.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use facts::finding::Access;
use jrace_tests::fixture::{self, classes, on_every_jdk, reports};
use jrace_tests::launch::Launch;
use jrace_tests::run::Run;

/// An array of each type, which three threads write without a lock.
const KINDS: &[&str] = &[
    "Data.booleans[]",
    "Data.bytes[]",
    "Data.chars[]",
    "Data.shorts[]",
    "Data.longs[]",
    "Data.floats[]",
    "Data.doubles[]",
    "Data.objects[]",
    "Data.grid[][]",
    "Data.cube[][][]",
];

jrace_tests::cases! {
    "variables";
    fields: "";
    statics: "";
    objects: "";
    loops: "";
    failing: "";
    characters: "";
}

#[test]
fn arrays_are_one_variable() -> Result<()> {
    reports(
        "variables",
        "arrays",
        "check=eraser,arrays=object",
        &[&["Data.disjoint[]", "Data.shared[]", "Data.pair[]"], KINDS].concat(),
    )?;
    // As long as nothing races.
    reports("variables", "arrays", "arrays=object", &[&["Data.shared[]", "Data.pair[]", "Main.local"], KINDS].concat())
}

#[test]
fn array_elements_are_variables() -> Result<()> {
    // Elements of one array are named after the field they were reached through, or the method.
    reports("variables", "arrays", "arrays=element", &[&["Data.shared[]", "Data.pair[]", "Main.local"], KINDS].concat())
}

#[test]
fn arrays_can_be_left_alone() -> Result<()> {
    reports("variables", "arrays", "arrays=off", &[])
}

#[test]
fn each_field_has_its_state() -> Result<()> {
    reports("variables", "granularity", "granularity=field", &["Pair.racy"])
}

#[test]
fn each_object_has_its_state() -> Result<()> {
    // One name for each class whose objects are racy: that of the topmost class with a word.
    reports("variables", "granularity", "granularity=object", &["Pair"])
}

/// The stacks of every finding.
fn stacks(run: &Run) -> BTreeSet<String> {
    let stack = |access: &Access| format!("{:?} {:?}", access.kind, access.stack);
    let pairs = run.findings().flat_map(|finding| {
        finding
            .conflicts
            .iter()
            .map(|pair| format!("{:?} {} {}", finding.variable, stack(&pair.current), stack(&pair.previous)))
    });
    pairs.collect()
}

/// With retired fields, the same variables are reported, and no stacks but those that are reported without: the lines of those
/// that were taken before classes were woven again are right.
#[test]
fn retired_fields_are_not_checked_any_more() -> Result<()> {
    let classes = classes("variables")?;
    on_every_jdk(|jdk| {
        let run = |options: &str, pause: &str| {
            let launch = Launch::main(jdk, &classes, "retired.Main").args([pause]).checked(options);
            let run = launch.run()?.succeeded()?;
            fixture::compare(&run, "variables", "retired")?;
            let woven = run.summaries().1.first().context("no summary")?.woven_classes;
            Ok::<_, anyhow::Error>((stacks(&run), woven))
        };
        let retired = run("retire=1", "2000")?;
        ensure!(retired.1 > run("retire=0", "0")?.1, "no class was woven again");
        // Which accesses show a race depends on the schedule where order counts.
        let (all, retired) = (run("check=eraser,retire=0", "0")?, run("check=eraser,retire=1", "2000")?);
        let wrong: Vec<_> = retired.0.difference(&all.0).take(1).collect();
        ensure!(wrong.is_empty(), "{wrong:#?}");
        ensure!(retired.1 > all.1, "no class was woven again, by locks");
        Ok(())
    })
}
