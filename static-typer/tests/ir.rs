//! Every method of real programs has a body that verifies, and its text reads back as the same body.
//!
//! Of the JDKs some methods stand for all; `JRACE_SWEEP=1` takes every one, and the libraries of `libraries/pom.xml` too.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::path::{Path, PathBuf};

use jrace_tests::jdk::{Jdk, is_sweep};
use jrace_tests::{maven, root};
use rayon::prelude::*;
use static_typer::classpath::{ClassPath, FoundClass};
use static_typer::ir::{Body, verify};
use static_typer::program::{MethodId, Program};

/// What is wrong with a method, if anything is.
fn fault(program: &Program, method: MethodId) -> Option<String> {
    let body = match Body::of(program, method)? {
        Ok(body) => body,
        Err(reason) => return Some(format!("no body: {reason}")),
    };
    if let Err(reason) = verify(program, &body) {
        return Some(format!("{reason}\n{}", body.print(program)));
    }
    let text = body.print(program);
    match Body::parse(program, method, &text) {
        Err(error) => Some(error.to_string()),
        Ok(back) if back.print(program) != text => Some("the text reads back as another body".to_owned()),
        Ok(_) => None,
    }
}

/// Says how many bodies there are. One of `one_of` methods is tried.
fn check(name: &str, program: &Program, one_of: usize) -> usize {
    assert_eq!(program.problems(), [], "{name}");
    let methods = program.application().flat_map(|class| program.methods_of(class));
    let methods: Vec<MethodId> = methods.step_by(one_of).collect();
    let with_code = methods.iter().filter(|method| program.code(**method).is_some()).count();
    let faults: Vec<String> = methods
        .par_iter()
        .filter_map(|method| Some(format!("{}: {}", program.method_name(*method), fault(program, *method)?)))
        .collect();
    let some: Vec<&str> = faults.iter().take(3).map(|fault| fault.get(..3000).unwrap_or(fault)).collect();
    assert!(faults.is_empty(), "{name}: {} of {with_code} bodies: {}", faults.len(), some.join("\n"));
    with_code
}

#[test]
fn methods_of_the_jdks() {
    let one_of = if is_sweep() { 1 } else { 10 };
    for jdk in Jdk::all() {
        let path = ClassPath::open(&[], &[], Some(&jdk.home)).expect("a JDK");
        let classes: Vec<FoundClass> = path.jdk();
        let program = Program::of(classes, |_| None);
        let bodies = check(&jdk.home.display().to_string(), &program, one_of);
        assert!(bodies > 100_000 / one_of, "JDK {}: {bodies} bodies", jdk.feature);
    }
}

/// Each jar of a directory is the application once, with the others and a JDK as its libraries.
fn check_jars(folder: &Path) -> usize {
    let directory = maven::jars(folder).expect("the jars");
    let entries = std::fs::read_dir(&directory).expect("a directory");
    let mut jars: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    jars.retain(|path| path.extension().is_some_and(|extension| extension == "jar"));
    jars.sort();
    let libraries = [directory.join("*")];
    let check_jar = |jar: &PathBuf| {
        let jdk = Jdk::oldest().home;
        let mut path = ClassPath::open(std::slice::from_ref(jar), &libraries, Some(&jdk)).expect("a jar");
        check(&jar.display().to_string(), &Program::load(&mut path), 1)
    };
    jars.iter().map(check_jar).sum()
}

#[test]
fn every_method_of_some_jars() {
    for (name, least) in [("h2", 9_000), ("lang3", 40_000)] {
        let bodies = check_jars(&root().join("tests/java/real").join(name));
        assert!(bodies > least, "{name}: {bodies} bodies");
    }
}

#[test]
fn every_method_of_many_libraries() {
    if !is_sweep() {
        return;
    }
    let bodies = check_jars(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libraries"));
    assert!(bodies > 200_000, "{bodies} bodies");
}
