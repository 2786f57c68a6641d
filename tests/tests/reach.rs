//! Proofs by threads lose nothing: however a second thread comes to run code, or two threads by one array, what races is found with a
//! focus. Of each program by itself, `proofs` of the static typer asks the same.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use jrace_tests::generator::reach;
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, jrace};

/// The programs in which something races.
fn racy(run: &Run) -> BTreeSet<String> {
    let outermost = |name: &String| name.split(['$', '.']).next().unwrap_or_default().to_owned();
    run.racy().iter().map(outermost).collect()
}

#[test]
fn no_way_to_reach_code_or_arrays_is_overlooked() -> Result<()> {
    let (made, jdk, folder) = (reach::program(), Jdk::oldest(), tempfile::tempdir()?);
    let (source, classes) = (folder.path().join("Main.java"), folder.path().join("classes"));
    std::fs::write(&source, &made.source)?;
    jdk.compile(&[source], &classes, &["--release", "17"])?;
    let launch =
        Launch::main(&jdk, &classes, "reach.Main").jvm(["-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"]);
    let found = |options: &str| -> Result<BTreeSet<String>> {
        let options = format!("exclude=reach.Support{options}");
        Ok(racy(&launch.clone().checked(&options).run()?.succeeded()?))
    };
    let expected: BTreeSet<String> = made.fields.iter().chain(&made.arrays).cloned().collect();
    let full = found("")?;
    ensure!(full == expected, "without a focus: {:?}", full.symmetric_difference(&expected).collect::<Vec<_>>());
    let set = folder.path().join("focus-set");
    let output = jrace(&jdk).arg("check").arg(&classes).arg("--focus-set").arg(&set).output()?;
    ensure!(output.status.code().is_some_and(|code| code != 2), "{}", String::from_utf8_lossy(&output.stderr));
    let focused = found(&format!(",focus_set={}", set.display()))?;
    ensure!(focused == full, "lost {:#?}", full.difference(&focused).collect::<Vec<_>>());
    Ok(())
}
