//! Owners that a focus by methods presumes, against the comments of a fixture.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::focus::{Presumed, Untyped};
use static_typer::program::{MethodId, Program};
use static_typer::types::{Bodies, Types};

/// The lines with a comment.
fn lines(text: &str, comment: &str) -> BTreeSet<u16> {
    let numbered = (1..).zip(text.lines());
    numbered.filter(|(_, line)| line.ends_with(&format!("; // {comment}"))).map(|(n, _)| n).collect()
}

/// The lines of instructions.
fn lines_of(bodies: &Bodies, offsets: &BTreeMap<MethodId, Vec<u16>>) -> BTreeSet<u16> {
    let lines = |(method, offsets): (&MethodId, &Vec<u16>)| {
        let body = bodies.get(*method).expect("a body");
        let at = |value: &_| offsets.contains(&body.instruction(*value).at);
        body.all_values().filter(at).filter_map(|value| body.line(value)).collect::<Vec<_>>()
    };
    offsets.iter().flat_map(lines).collect()
}

#[test]
fn owners_are_presumed_where_most_accesses_keep_to_them() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/presumed");
    let text = std::fs::read_to_string(folder.join("Counter.java"))?;
    let (jdk, mut files) = (Jdk::oldest(), sources(&folder)?);
    files.extend(sources(&root().join("annotations"))?);
    let classes = compiled(&jdk, &files, &["-g", "--release", "17"])?;
    let program = Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let bodies = Bodies::of(&program);
    let types = Types::infer(&program, &bodies);
    let presumed = Presumed::of(&program, &bodies, &types);
    let name = |field| program.names().text(program.field(field).name).into_owned();
    let fields: BTreeSet<String> = presumed.fields.iter().map(|field| name(*field)).collect();
    ensure!(fields == ["helped", "mostly", "said"].map(str::to_owned).into(), "{fields:?}");
    for (comment, offsets) in [("held", &presumed.held), ("conforming", &presumed.conforming)] {
        let (found, expected) = (lines_of(&bodies, offsets), lines(&text, comment));
        ensure!(found == expected, "{comment}: {found:?} are not {expected:?}");
    }
    let untyped = Untyped::of(&bodies, &types, &presumed);
    let method = |method: &MethodId| program.names().text(program.method(*method).name).into_owned();
    let names: BTreeSet<String> = untyped.methods.iter().map(method).collect();
    let expected = ["add", "look", "lookAgain", "ofOther", "others", "stray"].map(str::to_owned);
    ensure!(names == expected.into(), "{names:?}");
    let counter = program.application().find(|class| program.class_name(*class) == "presumed/Counter");
    let with_code = program.methods_of(counter.context("the class")?).count();
    ensure!(untyped.total >= with_code && untyped.total > names.len(), "{} of {with_code}", untyped.total);
    Ok(())
}
