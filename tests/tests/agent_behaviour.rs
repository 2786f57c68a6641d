//! Woven code stays code that the JIT compiles.

use anyhow::{Result, ensure};
use jrace_tests::fixture::{classes, on_every_jdk};
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
