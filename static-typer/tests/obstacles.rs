//! Programs, one for each obstacle: what stands in the way of a proof is told of each by the comment in its file.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::jdk::{Jdk, sources};
use static_typer::classpath::{ClassPath, FoundClass};
use static_typer::program::{ClassId, Program};
use static_typer::types::{Bodies, Cause, FieldType, Obstacle, Supposed, Types};

use crate::common::compiled;

/// A class that a program is analysed without, so that code names what is not there.
const GONE: &str = "Gone";

/// A program of one package.
struct Alone {
    program: Program,
    bodies: Bodies,
    types: Types,
}

impl Alone {
    fn of(package: &str, together: &Program, path: &mut ClassPath) -> Self {
        let name = |id: ClassId| together.class_name(id).into_owned();
        let is_in = |id: &ClassId| name(*id).starts_with(&format!("{package}/")) && !name(*id).ends_with(GONE);
        let found = |id| FoundClass { bytes: together.bytes(id).to_vec(), origin: PathBuf::new() };
        let classes = together.application().filter(is_in).map(found).collect();
        let program = Program::of(classes, |name| path.find(name).filter(|_| !name.ends_with(GONE)));
        let bodies = Bodies::of(&program);
        let types = Types::infer(&program, &bodies);
        Self { program, bodies, types }
    }

    fn hits(&self) -> Result<&FieldType> {
        let is_hits = |field: &&FieldType| self.program.field_name(field.field).ends_with("X.hits");
        self.types.fields.iter().find(is_hits).context("no field hits")
    }
}

/// `Reach Static, …`.
fn shown(obstacles: &[Obstacle]) -> String {
    let each: Vec<String> = obstacles.iter().map(|Obstacle { way, cause, .. }| format!("{way:?} {cause:?}")).collect();
    each.join(", ")
}

/// A package, with the lines of its comment: what stands in the way of `X.hits`, and without what alone it would be proved.
struct Expected {
    package: String,
    lines: [String; 2],
}

fn packages() -> Result<Vec<Expected>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/obstacles");
    let mut packages = Vec::new();
    for file in sources(&folder)? {
        let text = std::fs::read_to_string(&file)?;
        let package = file.parent().and_then(Path::file_name).and_then(|name| name.to_str()).context("a package")?;
        let mut comment = text.lines().map_while(|line| line.strip_prefix("// ")).map(str::to_owned);
        let lines = [(); 2].map(|()| comment.next().unwrap_or_default());
        packages.push(Expected { package: package.to_owned(), lines });
    }
    Ok(packages)
}

/// Compares what is found of each program with one line of its comment.
fn compare(line: usize, mut found: impl FnMut(&Alone, &FieldType) -> String) -> Result<()> {
    let classes = compiled("obstacles", &["--release", "17", "-Xlint:-removal"]);
    let mut path = ClassPath::open(&[classes], &[], Some(&Jdk::oldest().home))?;
    let together = Program::load(&mut path);
    let mut wrong = String::new();
    for Expected { package, lines } in packages()? {
        let alone = Alone::of(&package, &together, &mut path);
        let found = found(&alone, alone.hits().with_context(|| package.clone())?);
        if found != lines[line] {
            wrong += &format!("{package}: {found}\n");
        }
    }
    ensure!(wrong.is_empty(), "\n{wrong}");
    Ok(())
}

#[test]
fn what_stands_in_the_way_is_told() -> Result<()> {
    let mut met = BTreeSet::new();
    compare(0, |_, hits| {
        assert_eq!(hits.owner.is_none(), !hits.obstacles.is_empty());
        met.extend(hits.obstacles.iter().map(|obstacle| obstacle.cause));
        shown(&hits.obstacles)
    })?;
    let of_arrays = [Cause::LibraryArray];
    let missing: Vec<Cause> =
        ALL.iter().filter(|cause| !met.contains(cause) && !of_arrays.contains(cause)).copied().collect();
    ensure!(missing.is_empty(), "no program meets {missing:?}");
    Ok(())
}

#[test]
fn what_would_be_proved_without_one_obstacle_is_found_out() -> Result<()> {
    compare(1, |Alone { program, bodies, types }, hits| {
        let is_alone = |obstacle: &&Obstacle| {
            let supposed = Supposed::without(types, program, bodies, obstacle.way, obstacle.cause);
            supposed.is_some_and(|supposed| supposed.fields.contains(&hits.field))
        };
        let alone: Vec<Obstacle> = hits.obstacles.iter().filter(is_alone).copied().collect();
        if alone.is_empty() { String::new() } else { format!("alone: {}", shown(&alone)) }
    })
}

/// Every cause.
const ALL: [Cause; 32] = [
    Cause::Static,
    Cause::Thrown,
    Cause::Lambda,
    Cause::Container,
    Cause::Task,
    Cause::Library,
    Cause::Returned,
    Cause::LibraryArray,
    Cause::Reflection,
    Cause::Superclass,
    Cause::Finalizer,
    Cause::Client,
    Cause::Kept,
    Cause::Element,
    Cause::Object,
    Cause::Interface,
    Cause::Above,
    Cause::Below,
    Cause::Initializer,
    Cause::Asked,
    Cause::CalledBack,
    Cause::Uncalled,
    Cause::Later,
    Cause::Construction,
    Cause::Unknown,
    Cause::NoLock,
    Cause::SomeUnlocked,
    Cause::OtherLocks,
    Cause::Cloned,
    Cause::TwoOwners,
    Cause::Unkept,
    Cause::Unheld,
];

#[test]
fn an_array_tells_what_stands_in_its_way() -> Result<()> {
    let classes = compiled("arrays", &["--release", "17"]);
    let mut path = ClassPath::open(&[classes], &[], Some(&Jdk::oldest().home))?;
    let program = Program::load(&mut path);
    let types = Types::infer(&program, &Bodies::of(&program));
    let found = types.unsafe_arrays.iter().map(|array| (program.names().show(array.ty), shown(&array.obstacles)));
    let found: BTreeSet<(String, String)> = found.map(|(ty, shown)| (ty.to_string(), shown)).collect();
    let expected = [
        ("java/lang/StackTraceElement[]", "Reach LibraryArray, Begin LibraryArray"),
        ("long[]", "Reach Static, Begin Static"),
        ("short[]", "Reach Element, Begin Static"),
        ("short[][]", "Reach Static, Begin Static"),
    ];
    assert_eq!(found, expected.map(|(ty, shown)| (ty.to_owned(), shown.to_owned())).into());
    Ok(())
}
