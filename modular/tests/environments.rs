//! Libraries that clients use, and tests: what the comments of the programs expect is reported, with any limits, and remembered.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use modular::analysis::{Analysis, Limits};
use modular::environment::Begin;
use static_typer::classpath::ClassPath;
use static_typer::points_to::{Client, Resolution, environment, test_methods};
use static_typer::program::{ClassId, Program};

use crate::seeds::{Line, Lines, commented, lines, places};
use crate::store::{LIMITS, agrees_from};

/// Programs, and what is reported of them though it cannot happen, with the reason.
const CALLED: &[(&str, Lines)] = &[
    (
        "client",
        &[
            ("Client.java", &[17], "an array that is filled before it is given out"),
            ("Client.java", &[100], "a part that each object makes for itself"),
        ],
    ),
    ("chosen", &[]),
    (
        "constructors",
        &[
            ("Box.java", &[32], "a constructor that stores its object"),
            ("Box.java", &[54, 55, 56], "methods that only a constructor calls"),
        ],
    ),
    ("handlers", &[]),
    ("implemented", &[("Bus.java", &[86], "what a library gets, it may pass to what it calls")]),
    ("suite", &[("Provided.java", &[60], "a stream that another thread may go through, as far as its class says")]),
];

/// Who calls a program.
fn begin(resolution: &Resolution<'_>, name: &str) -> Begin {
    let program = resolution.program;
    let is_chosen = |class: ClassId| {
        name != "chosen"
            || ["chosen/Chosen", "chosen/Hidden", "chosen/Given", "chosen/Kept"].contains(&&*program.class_name(class))
    };
    let code = match name {
        "suite" => environment::tests(resolution, &test_methods(program, &|_| true)),
        _ => environment::harness(resolution, &Client::of(program, &is_chosen)).0,
    };
    Begin::Environment(Box::new(code))
}

/// What is reported of a program, with some limits.
fn found(files: &[PathBuf], resolution: &Resolution<'_>, begin: &Begin, limits: Limits) -> Result<BTreeSet<Line>> {
    let analysis = Analysis::of(resolution, begin, limits);
    let races = analysis.races(usize::MAX).races;
    let found: Result<Vec<_>> = races.iter().map(|race| places(files, resolution.program, &analysis, race)).collect();
    Ok(found?.into_iter().flatten().collect())
}

#[test]
fn what_clients_and_tests_race_on_is_found_and_remembered() -> Result<()> {
    let jdk = Jdk::oldest();
    let (mut missed, mut alarms) = (Vec::new(), Vec::new());
    for (name, more) in CALLED {
        let files = sources(&root().join("tests/java/races").join(name))?;
        let classes = compiled(&jdk, &files, &["--release", "17"])?;
        let program = Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
        let resolution = modular::resolution(&program);
        let begin = begin(&resolution, name);
        let expected = commented(&files, "race")?;
        for limits in LIMITS {
            let found = found(&files, &resolution, &begin, limits)?;
            missed.extend(expected.difference(&found).map(|line| (*name, limits, line.clone())));
            if limits == Limits::default() {
                let other: BTreeSet<Line> = found.difference(&expected).cloned().collect();
                alarms.extend(other.symmetric_difference(&lines(more)).cloned());
            }
            agrees_from(&resolution, &begin, limits)?;
        }
    }
    assert_eq!((missed, alarms), (Vec::new(), Vec::new()));
    Ok(())
}
