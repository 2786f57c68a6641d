//! Which calls of the JDK may hide others, and which only look like it.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use jrace_tests::jdk::Jdk;
use static_typer::classpath::ClassPath;
use static_typer::points_to::{PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::Program;
use static_typer::races::hiding;

use crate::common::{compiled, methods};

#[test]
fn calls_hide_what_the_names_of_their_methods_say() -> Result<()> {
    let classes = compiled("hiding", &["--release", "17"]);
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], Some(&Jdk::oldest().home))?);
    let resolution = Resolution::of(&program);
    let code = environment::mains(&resolution, &program.main_methods());
    let points_to = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).expect("enough memory");
    let found = hiding(&program, &points_to).map_err(anyhow::Error::msg)?;
    let name = |method| program.names().text(program.method(method).name).into_owned();
    let found: BTreeSet<String> = found.into_keys().map(name).collect();
    let expected: BTreeSet<String> = methods(&program).map(name).filter(|name| name.starts_with("hides")).collect();
    ensure!(expected.len() > 10);
    assert_eq!(found, expected);
    Ok(())
}
