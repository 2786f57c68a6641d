//! Order between threads: what the library promises, and what it does not.

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{classes, compare, on_every_jdk, same_as_without};
use jrace_tests::launch::Launch;

/// A run may come out otherwise where a rule is missing, so each JDK has several.
const RUNS: usize = 3;

/// Each case orders two threads in one way, or seems to.
#[test]
fn promised_edges_order_and_others_do_not() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        for _ in 0..RUNS {
            let run = same_as_without(&Launch::main(jdk, &classes, "edges.Main"), "check=hybrid")?;
            compare(&run, "order", "edges")?;
        }
        Ok(())
    })
}

/// What only locks have ordered may race in another schedule: happens-before alone does not say so.
#[test]
fn what_only_locks_order_is_possible() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "edges.Main").args(["ByChance"]);
        let hybrid = launch.clone().checked("check=hybrid").run().context("hybrid")?;
        let happens_before = launch.checked("check=happens-before").run().context("happens-before")?;
        ensure!(hybrid.racy() == ["ByChance.x"], "hybrid: {:?}", hybrid.racy());
        ensure!(happens_before.racy().is_empty(), "happens-before: {:?}", happens_before.racy());
        Ok(())
    })
}

/// Of an earlier access that was not remembered, the place is shown where only one can be meant, and that one is right.
#[test]
fn places_of_earlier_accesses_are_right() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let mut places = 0;
        for seed in 0..RUNS {
            let run =
                same_as_without(&Launch::main(jdk, &classes, "places.Main").args([seed.to_string()]), "check=hybrid")?;
            for conflict in run.findings().flat_map(|finding| &finding.conflicts) {
                let [current, previous] = [&conflict.current, &conflict.previous].map(|access| access.stack.first());
                let Some((current, previous)) = current.zip(previous) else { continue };
                let Some(expected) = current.method.strip_prefix("after") else { continue };
                let found = previous.method.trim_matches(['<', '>']);
                ensure!(found.eq_ignore_ascii_case(expected), "seed {seed}: {conflict:#?}");
                places += usize::from(conflict.previous.stack.len() == 1);
            }
        }
        ensure!(places > 0, "no place was known");
        Ok(())
    })
}
