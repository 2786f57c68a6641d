//! Bodies mean what the JVM does: an interpreter of the intermediate form gives what a Java program prints.

use crate::common::{assert_same, compiled, interpreted, methods, printed, program};
use static_typer::ir::{Body, verify};

const CLASSES: [&str; 5] = ["Failures", "Flow", "Locks", "Numbers", "Objects"];

/// javac compiles for the release: `finally`, lambda expressions, nested classes and strings come out differently.
fn check(release: &str) {
    let classes = compiled("meaning", &["--release", release, "-Xlint:-options"]);
    let program = program(&classes);
    for body in methods(&program).filter_map(|method| Body::of(&program, method)) {
        assert_eq!(verify(&program, &body.expect("a body")), Ok(()));
    }
    assert_same(&interpreted(&program, &CLASSES), &printed(&[&classes], &CLASSES));
}

#[test]
fn classes_of_java_8() {
    check("8");
}

#[test]
fn classes_of_java_17() {
    check("17");
}
