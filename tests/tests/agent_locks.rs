//! Locks: every way to take one and to give it back.

use anyhow::{Result, ensure};
use jrace_tests::fixture::{classes, compare, on_oldest_and_newest, same_as_without};
use jrace_tests::launch::Launch;

jrace_tests::cases! {
    "locks";
    monitors: "";
    methods: "";
    unwound: "";
    reentrant: "";
    readwrite: "";
    stamped: "";
    handover: "";
    waiting: "";
    wrappers: "";
    excluded: "exclude=excluded.Unchecked";
    recursion: "";
}

/// Numbers of lock sets run out, so a lock under which nothing is shared takes none.
#[test]
fn fresh_locks() -> Result<()> {
    let classes = classes("locks")?;
    on_oldest_and_newest(|jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, "fresh.Main"), "")?;
        compare(&run, "locks", "fresh")?;
        let n_sets = run.summaries().1[0].lock_sets;
        ensure!(n_sets < 100, "{n_sets} lock sets");
        Ok(())
    })
}
