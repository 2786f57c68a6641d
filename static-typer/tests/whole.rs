//! What a search over a whole real program takes, in work done and not in seconds, and that it ends.

use std::cell::Cell;

use anyhow::{Context, Result};
use jrace_tests::jdk::Jdk;
use jrace_tests::{maven, root};
use static_typer::classpath::ClassPath;
use static_typer::points_to::{Code, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::Program;

/// How many sets may go along an edge: a fifth more than on JDK 17 when this was written.
const MAX_FLOWS: u64 = 25_600_000;
const MEGABYTE: u64 = 1 << 20;

fn shell(resolution: &Resolution<'_>) -> Code {
    let mut mains = resolution.program.main_methods();
    mains.retain(|main| resolution.program.class_name(resolution.program.method(*main).class) == "org/h2/tools/Shell");
    environment::mains(resolution, &mains)
}

#[test]
fn a_database_is_searched_with_no_more_work_than_before() -> Result<()> {
    let jars = maven::jars(&root().join("tests/java/real/h2"))?;
    let jar = std::fs::read_dir(jars)?.flatten().map(|entry| entry.path());
    let jar = jar.filter(|path| path.extension().is_some_and(|end| end == "jar")).min().context("a jar")?;
    let program = Program::load_whole(&mut ClassPath::open(&[jar], &[], Some(&Jdk::oldest().home))?);
    let resolution = Resolution::of(&program);
    let found = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), shell(&resolution), 1000 * MEGABYTE, &|_| {});
    let n_flows = found.context("contexts take too much memory")?.n_flows();
    assert!((MAX_FLOWS / 2..MAX_FLOWS).contains(&n_flows), "{n_flows}");
    // What is not to be had is given up before much is done: two sites tell apart what factories of values make for everyone.
    let n_instances = Cell::new(0);
    let progress = |n| n_instances.set(n);
    let found = PointsTo::of(&resolution, &Sensitivity::Hybrid(2), shell(&resolution), 200 * MEGABYTE, &progress);
    assert!(found.is_none() && n_instances.get() < 150_000, "{}", n_instances.get());
    Ok(())
}
