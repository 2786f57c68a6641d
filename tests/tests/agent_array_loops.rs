//! What is taken for the elements that a loop has accessed: of random loops, no race is reported that checks of each element do not report.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use jrace_tests::fixture::{compiled_text, on_oldest_and_newest};
use jrace_tests::generator::{loops, seeds};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;

/// Of so many loops of a program, some race for certain where no element has a state of its own before.
const FEWEST: usize = 5;

fn agrees(jdk: &Jdk, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let classes = compiled_text(folder.path(), "Main.java", &loops::program(seed))?;
    let racy = |options: &str| -> Result<BTreeSet<String>> {
        let done = folder.path().join(format!("done-{options}"));
        let launch = Launch::main(jdk, &classes, "Main").args([done]).checked(options);
        Ok(launch.run()?.succeeded()?.racy().into_iter().collect())
    };
    let (found, exact) = (racy("")?, racy("arrays=element")?);
    let invented: Vec<_> = found.difference(&exact).collect();
    ensure!(
        invented.is_empty() && found.len() >= FEWEST,
        "program {seed}: {} races, no race: {invented:?}",
        found.len()
    );
    Ok(())
}

#[test]
fn of_random_loops_no_race_is_invented() -> Result<()> {
    on_oldest_and_newest(|jdk| seeds(0..4).try_for_each(|seed| agrees(jdk, seed)))
}
