//! Every race that the comments of the seeded programs expect is reported, or stands here with the reason why not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jrace_tests::fixture::{self, compiled};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use modular::analysis::{Analysis, Limits};
use modular::check::{Race, Variable};
use modular::environment::Begin;
use modular::node::Node;
use static_typer::classpath::ClassPath;
use static_typer::ir::Body;
use static_typer::points_to::Site;
use static_typer::program::{Program, Type};

pub type Line = (String, u16);

/// What is not found, by file and lines, and why.
const MISSED: Lines = &[
    ("EnumConstants.java", &[12, 15, 16, 17], "constants for which the JDK asks a class"),
    ("Mirrors.java", &[9, 10, 11, 12, 21, 22], "what is called and stored by reflection"),
    ("OwnContainers.java", &[74, 75], "maps in access order that are only read"),
    (
        "Reflected.java",
        &[11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 28, 96],
        "what is called and made by reflection",
    ),
];

/// What is reported though it cannot happen, and why.
const FALSE_ALARMS: Lines = &[
    ("AllTasks.java", &[13], "tasks of executors that have ended"),
    ("CancelledTasks.java", &[17], "what a library gets, it may keep"),
    ("Clones.java", &[16, 43, 58], "what is cloned may be the original"),
    ("CopiesOf.java", &[14, 15, 16, 19], "what `instanceof` tells of a value"),
    ("Disjoint.java", &[12, 13, 33, 42, 56, 57, 67, 68, 86], "what each of several threads has for itself"),
    (
        "EndedTasks.java",
        &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 62],
        "tasks of executors that have ended",
    ),
    ("EnumConstants.java", &[64], "what a library gets, it may keep"),
    ("GivenTasks.java", &[39, 40, 41], "tasks of executors that have ended"),
    ("Initialized.java", &[9, 10, 11, 12, 14, 106], "initializers run by themselves"),
    ("Joined.java", &[5, 6, 7, 8], "join"),
    ("JoinedArrays.java", &[22, 23, 24], "join"),
    ("JoinedLists.java", &[10, 11, 12, 13], "join"),
    ("Lambdas.java", &[8, 9, 10, 11, 12, 13, 14], "what is handed over may be called in any thread"),
    (
        "LockHelpers.java",
        &[38, 40, 41, 42, 44, 49, 50, 53, 55, 56],
        "where a callee gives up one lock of its callers', all count as given up",
    ),
    ("Mirrors.java", &[14, 23], "objects of reflection"),
    ("OwnJoins.java", &[10, 11, 12, 41, 45, 46, 52, 375], "join"),
    ("PerThread.java", &[9, 10, 11, 12, 28, 43], "thread locals"),
    ("Prints.java", &[5, 6, 7], "what is printed may be called in any thread"),
    ("Published.java", &[14, 16, 48, 131], "order by volatile fields"),
    ("Published.java", &[307], "initializers run by themselves"),
    ("Reflected.java", &[155, 157, 164], "objects of reflection"),
    ("Settled.java", &[11, 12, 13, 14, 15, 395], "locks that are elements of arrays"),
    ("Settled.java", &[62], "arrays that are made and filled before one of several threads is started"),
    ("Stale.java", &[22, 27, 28, 29, 30], "join"),
    ("TakenForCallers.java", &[38], "order by volatile fields"),
    ("Uncaught.java", &[7, 8], "join, and handlers run in any thread"),
];

/// Files and lines, with a reason.
pub type Lines = &'static [(&'static str, &'static [u16], &'static str)];

pub fn lines(of: Lines) -> BTreeSet<Line> {
    of.iter().flat_map(|(file, lines, _)| lines.iter().map(move |line| ((*file).to_owned(), *line))).collect()
}

pub fn commented(files: &[PathBuf], word: &str) -> Result<BTreeSet<Line>> {
    let mut found = BTreeSet::new();
    for path in files {
        let file = path.file_name().and_then(|name| name.to_str()).context("a file name")?;
        for (n, line) in std::fs::read_to_string(path)?.lines().enumerate() {
            if line.split_once("// ").is_some_and(|(_, comment)| comment.starts_with(word)) {
                found.insert((file.to_owned(), u16::try_from(n + 1)?));
            }
        }
    }
    Ok(found)
}

/// Where objects of a type are made.
fn sites(analysis: &Analysis<'_>, ty: Type) -> Vec<Site> {
    let codes = analysis.graph.reached().filter_map(|code| analysis.graph.find(code));
    codes.flat_map(|code| &code.allocations).filter(|(_, _, of)| *of == ty).map(|(_, site, _)| *site).collect()
}

/// Where a field is declared, or where the arrays are made.
pub fn places(files: &[PathBuf], program: &Program, analysis: &Analysis<'_>, race: &Race<'_>) -> Result<Vec<Line>> {
    let Variable::Field(field) = race.variable else {
        let made = race.nodes().flat_map(|node| match analysis.root.nodes.get(node) {
            Node::Object(_, Site::Merged(_), ty) => sites(analysis, *ty),
            Node::Object(_, site, _) => vec![*site],
            _ => Vec::new(),
        });
        let line = |site: Site| match site {
            Site::New(method, at, _) | Site::Copy(method, at, _) => {
                let class = program.class(program.method(method).class);
                let line = Body::of(program, method)?.ok()?.line(at)?;
                Some((program.names().text(class.source_file?).into_owned(), line))
            }
            _ => None,
        };
        return Ok(made.filter_map(line).collect());
    };
    let data = program.field(field);
    let name = program.names().text(data.name).into_owned();
    let file = program.class(data.class).source_file.map(|file| program.names().text(file).into_owned());
    let file = file.context("a source file")?;
    let line = fixture::declaration(files, &file, &name)?;
    Ok(vec![(file, line)])
}

fn found(folder: &Path, limits: Limits) -> Result<(BTreeSet<Line>, BTreeSet<Line>)> {
    let (jdk, files) = (Jdk::oldest(), sources(folder)?);
    let classes = compiled(&jdk, &files, &["--release", "17"])?;
    let program = Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let resolution = modular::resolution(&program);
    let mut all = BTreeSet::new();
    for main in program.main_methods() {
        let analysis = Analysis::of(&resolution, &Begin::mains(&[main]), limits);
        for race in analysis.races(usize::MAX).races {
            all.extend(places(&files, &program, &analysis, &race)?);
        }
    }
    Ok((commented(&files, "race")?, all))
}

#[test]
fn seeded_races_are_found() -> Result<()> {
    let (expected, found) = found(&root().join("tests/java/races/seeds"), Limits::default())?;
    let missed: BTreeSet<Line> = expected.difference(&found).cloned().collect();
    let more: BTreeSet<Line> = found.difference(&expected).cloned().collect();
    assert_eq!(missed, lines(MISSED));
    assert_eq!(more, lines(FALSE_ALARMS));
    Ok(())
}

/// Where a lock does not lock, giving it back may give back any.
#[test]
fn locks_that_the_program_overrides_may_not_lock() -> Result<()> {
    let (expected, found) = found(&root().join("tests/java/races/overridden"), Limits::default())?;
    let more = lines(&[(
        "OverriddenLocks.java",
        &[29],
        "where one lock is given back that is not held, all count as given up",
    )]);
    assert_eq!(found, expected.union(&more).cloned().collect());
    Ok(())
}

/// Fewer distinctions report more, never less. Methods that are looked at once for all their callers know what these pass, which may
/// spare a false alarm: what is an alarm for a reason stays.
#[test]
fn limits_take_away_no_race() -> Result<()> {
    let folder = root().join("tests/java/races/seeds");
    let of = Limits::default();
    let (expected, fine) = found(&folder, of)?;
    let collapsing = [Limits { size: 100, ..of }, Limits { size: 0, ..of }, Limits { root_steps: 1, ..of }];
    for limits in [Limits { labels: 1, ..of }].into_iter().chain(collapsing) {
        let (_, coarse) = found(&folder, limits)?;
        let is_wanted = |line: &&Line| limits.labels == 1 || expected.contains(line);
        let lost = fine.difference(&coarse).filter(is_wanted);
        assert_eq!(lost.collect::<Vec<_>>(), Vec::<&Line>::new(), "{limits:?}");
    }
    Ok(())
}
