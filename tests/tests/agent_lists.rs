//! Elements of lists are variables of their own: of random calls, those that race are reported, and no others.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use facts::finding::{Finding, Grade};
use jrace_tests::fixture::{compiled_text, on_oldest_and_newest};
use jrace_tests::generator::{lists, seeds};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::short_name;

fn are_as_expected(jdk: &Jdk, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let program = lists::program(seed);
    let classes = compiled_text(folder.path(), "Main.java", &program.text)?;
    let launch = Launch::main(jdk, &classes, "Main").args([folder.path().join("done")]).checked("check=hybrid");
    let run = launch.run()?.succeeded()?;
    let graded = |grades: &[Grade]| -> BTreeSet<String> {
        let of = run.findings().filter(|finding| grade(finding).is_some_and(|grade| grades.contains(&grade)));
        of.map(|finding| list(&short_name(&finding.variable))).collect()
    };
    let racy: BTreeSet<String> = program.racy.into_iter().collect();
    let certain = graded(&[Grade::Certain]);
    let invented: Vec<_> = certain.difference(&racy).filter(|name| !program.invented.contains(name)).collect();
    let found = graded(&[Grade::Certain, Grade::Possible, Grade::Unlikely]);
    let missed: Vec<_> = racy.difference(&found).filter(|name| !program.missed.contains(name)).collect();
    ensure!(invented.is_empty() && missed.is_empty(), "program {seed}: no race: {invented:?}, missed: {missed:?}");
    Ok(())
}

/// How sure the surest race of a finding is.
fn grade(finding: &Finding) -> Option<Grade> {
    finding.conflicts.iter().filter_map(|of| of.grade).min()
}

/// The list that a race is on, which a wrapper may have led to.
fn list(variable: &str) -> String {
    variable.trim_start_matches("Main.").replace('w', "l")
}

#[test]
fn random_calls_race_where_they_come_to_the_same_elements() -> Result<()> {
    on_oldest_and_newest(|jdk| seeds(0..3).try_for_each(|seed| are_as_expected(jdk, seed)))
}
