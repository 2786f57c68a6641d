//! Every method of real programs has a body that verifies, and its text reads back as the same body.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use jrace_tests::jdk::Jdk;
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

/// Says how many bodies there are.
fn check(name: &str, program: &Program) -> usize {
    assert_eq!(program.problems(), [], "{name}");
    let methods: Vec<MethodId> = program.application().flat_map(|class| program.methods_of(class)).collect();
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
fn every_method_of_the_jdks() {
    for jdk in Jdk::all() {
        let path = ClassPath::open(&[], &[], Some(&jdk.home)).expect("a JDK");
        let classes: Vec<FoundClass> = path.jdk();
        let program = Program::of(classes, |_| None);
        let bodies = check(&jdk.home.display().to_string(), &program);
        assert!(bodies > 100_000, "JDK {}: {bodies} bodies", jdk.feature);
    }
}
