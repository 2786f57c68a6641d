//! Woven code does what it did, and stays code that the JIT compiles.

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{classes, on_every_jdk, same_as_without};
use jrace_tests::launch::Launch;

#[test]
fn woven_methods_are_compiled() -> Result<()> {
    let classes = classes("jit")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "hot.Main").jvm(["-XX:+PrintCompilation", "-Xbatch"]);
        let run = launch.checked("").run()?.succeeded()?;
        let log = run.stdout();
        let refused: Vec<&str> = log
            .lines()
            .filter(|line| {
                line.contains("COMPILE SKIPPED") || line.contains("not compilable") || line.contains("not retryable")
            })
            .collect();
        ensure!(refused.is_empty(), "{}", refused.join("\n"));
        for method in ["method", "staticMethod", "several", "block", "nested", "loop", "throwing", "accesses"] {
            // Tier 4 is C2.
            let compiled = log.lines().any(|line| {
                line.contains(&format!(" hot.Main::{method} (")) && line.split_whitespace().any(|word| word == "4")
            });
            ensure!(compiled, "{method} was not compiled by C2");
        }
        Ok(())
    })
}

/// Hooks stand before calls that the JVM refuses, and some in their place.
#[test]
fn calls_on_nothing_throw_what_they_threw() -> Result<()> {
    let classes = classes("nulls")?;
    let folder = tempfile::tempdir()?;
    let record = format!("record={}", folder.path().display());
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "nulls.Main");
        for mode in
            ["check=hybrid", "check=eraser", &format!("{record},atomicity=block"), &format!("{record},discover=1")]
        {
            same_as_without(&launch, mode).with_context(|| mode.to_owned())?;
        }
        Ok(())
    })
}
