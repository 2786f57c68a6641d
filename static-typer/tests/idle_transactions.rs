//! Idle transactions are those in which nothing happens that is recorded, whichever way it comes there.
#![allow(clippy::disallowed_methods, reason = "tests read their fixtures")]

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::Jdk;
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::focus::{Goal, Search, search};
use static_typer::ir::Body;
use static_typer::program::Program;
use static_typer::types::{Bodies, Types};

#[test]
fn transactions_are_idle_where_nothing_is_recorded_in_them() -> Result<()> {
    let source = root().join("tests/java/races/quiet/Quiet.java");
    let text = std::fs::read_to_string(&source)?;
    let jdk = Jdk::oldest();
    let classes = compiled(&jdk, &[source], &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let bodies = Bodies::of(&program);
    let types = Types::infer(&program, &bodies);
    let wanted =
        Search { goal: Goal::Unshared, is_parallel: false, has_guards: false, explains: false, memory_bytes: u64::MAX };
    let searched = search(&program, &bodies, &types, &wanted, &|_| {}).map_err(anyhow::Error::msg)?;
    let idle = searched.methods.idle_transactions;
    let mut found = BTreeMap::new();
    for method in program.application().flat_map(|class| program.methods_of(class)) {
        let Some(Ok(body)) = Body::of(&program, method) else { continue };
        let line = body.all_values().find_map(|value| body.line(value)).context("a line")?;
        found.insert(line, idle.contains(&method));
    }
    let verdict = |line: &str| match line.split_once(" // ")?.1 {
        "idle" => Some(true),
        "needed" => Some(false),
        _ => None,
    };
    let expected: BTreeMap<u16, bool> =
        (1_u16..).zip(text.lines()).filter_map(|(n, line)| Some((n, verdict(line)?))).collect();
    found.retain(|line, _| expected.contains_key(line));
    assert_eq!(found, expected);
    // Races are looked for in every method.
    let wanted = Search { goal: Goal::RaceFree, ..wanted };
    let searched = search(&program, &bodies, &types, &wanted, &|_| {}).map_err(anyhow::Error::msg)?;
    ensure!(searched.methods.idle_transactions.is_empty());
    Ok(())
}
