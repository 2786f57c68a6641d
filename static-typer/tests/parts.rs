//! What parts of the JDK call that a program enters only by naming a type of theirs.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::fixture;
use jrace_tests::jdk::{Jdk, is_sweep};
use static_typer::classpath::ClassPath;
use static_typer::points_to::{ClosedParts, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::Program;

use crate::common::{compiled, methods};

/// Packages of the fixture: each names types of one part, and the first one of none. Each caller has classes of its own, though some are
/// alike: else one that is lost would seem to be called where another one is.
const PACKAGES: [&str; 14] = [
    "nothing",
    "security",
    "archives",
    "network",
    "files",
    "charsets",
    "texts",
    "resources",
    "times",
    "patterns",
    "loggers",
    "own_logger",
    "loading",
    "handles",
];

#[test]
fn what_parts_of_the_jdk_call_is_reached() -> Result<()> {
    let all = compiled("parts", &["--release", "17", "-nowarn"]);
    for package in PACKAGES {
        let own = tempfile::tempdir()?;
        std::fs::create_dir(own.path().join(package))?;
        for class in std::fs::read_dir(all.join(package))? {
            let class = class?;
            std::fs::copy(class.path(), own.path().join(package).join(class.file_name()))?;
        }
        for jdk in Jdk::oldest_and_newest() {
            let program = Program::load_whole(&mut ClassPath::open(&[own.path().to_owned()], &[], Some(&jdk.home))?);
            let points_to = solved(&Resolution::of(&program))?;
            let (lost, handed) = (lost(&program, &points_to), handed(&program, &points_to));
            ensure!(lost.is_empty() && handed.is_empty(), "JDK {}, {package}: {lost:?} {handed:?}", jdk.feature);
        }
    }
    Ok(())
}

/// The methods that the JDK ought to call, and does not as far as is known.
fn lost(program: &Program, points_to: &PointsTo) -> Vec<String> {
    let reached = reached(program, points_to);
    let called = methods(program).map(|method| program.method_name(method)).filter(|name| name.contains(".called("));
    let called: Vec<String> = called.collect();
    assert!(!called.is_empty(), "nothing is called");
    called.into_iter().filter(|method| !reached.contains(method)).collect()
}

/// Methods outside the JDK that are reached.
fn reached(program: &Program, points_to: &PointsTo) -> BTreeSet<String> {
    let reached = points_to.instances().filter_map(|instance| points_to.code(instance).method);
    let outside = reached.filter(|method| !program.is_of_jdk(program.method(*method).class));
    outside.map(|method| program.method_name(method)).collect()
}

fn solved(resolution: &Resolution<'_>) -> Result<PointsTo> {
    let code = environment::mains(resolution, &resolution.program.main_methods());
    PointsTo::of(resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).context("no limit")
}

/// If it were, such a part might call the program.
#[test]
fn nothing_of_the_program_is_handed_to_parts_that_are_left_out() -> Result<()> {
    let mut path = ClassPath::open(&[fixture::classes("constructs")?], &[], Some(&Jdk::oldest().home))?;
    let program = Program::load_whole(&mut path);
    let handed = handed(&program, &solved(&Resolution::of(&program))?);
    ensure!(handed.is_empty(), "{handed:#?}");
    Ok(())
}

/// Methods of such parts with what they are handed of the program. Whether something is equal, anything is asked; a constant of code is
/// an object to whoever writes it.
fn handed(program: &Program, points_to: &PointsTo) -> BTreeSet<(String, String)> {
    let closed = ClosedParts::of(&Resolution::of(program));
    let mut handed = BTreeSet::new();
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        let Some(method) = code.method.filter(|method| closed.have(program, program.method(*method).class)) else {
            continue;
        };
        let declared = &program.signature(method).parameters;
        for (parameter, ty) in code.parameters.iter().rev().zip(declared.iter().rev()) {
            let objects = parameter.iter().flat_map(|local| points_to.local(instance, *local).iter());
            for object in objects.map(|object| points_to.objects.ty(object)) {
                let class = object.as_class().and_then(|name| program.find(name));
                let class = class.filter(|class| !program.is_of_jdk(*class) && program.is_subtype(object, *ty));
                handed.extend(class.map(|class| (program.method_name(method), program.class_name(class).into_owned())));
            }
        }
    }
    let asks = |method: &str| method.ends_with(".equals(Ljava/lang/Object;)Z") || method.contains(".visitLdcInsn(");
    handed.retain(|(method, _)| !asks(method));
    handed
}

#[test]
fn parts_that_are_left_out_lead_to_nothing_of_the_program() -> Result<()> {
    let count = if is_sweep() { usize::MAX } else { 3 };
    for demo in Demo::all()?.into_iter().take(count) {
        let mut path = ClassPath::open(&[demo.classes()?], &[], Some(&Jdk::oldest().home))?;
        let program = Program::load_whole(&mut path);
        let found = reached(&program, &solved(&Resolution::of(&program))?);
        let expected = reached(&program, &solved(&Resolution::of(&program).with_every_part())?);
        ensure!(found == expected, "{}: {:?}", demo.name, expected.symmetric_difference(&found).collect::<Vec<_>>());
    }
    Ok(())
}
