//! Random programs: every race that runs of them show is reported by summaries, and so is what is reported where each method is there
//! once for each depth of calls, so that none calls itself.

mod java;
mod language;
mod machine;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use jrace_tests::generator::Random;
use jrace_tests::jdk::Jdk;
use modular::CallGraph;
use modular::analysis::{Analysis, Limits};
use modular::check::Variable;
use modular::environment::Begin;
use modular::summary::Place;
use static_typer::classpath::ClassPath;
use static_typer::ir::Body;
use static_typer::points_to::Resolution;
use static_typer::program::Program;

/// A variable's name, and the statements of two accesses.
type Race = (String, usize, usize);

fn race(name: &str, a: usize, b: usize) -> Race {
    (name.to_owned(), a.min(b), a.max(b))
}

/// A program in Java, by the name of its class.
pub struct Printed {
    program: language::Program,
    pub class: String,
    statements: BTreeMap<u16, usize>,
}

/// Random programs, and their classes.
pub fn compiled(seeds: Range<u64>, is_unfolded: bool) -> Result<(Vec<Printed>, Program)> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let (mut files, mut programs) = (Vec::new(), Vec::new());
    for seed in seeds {
        let (program, class) = (language::Program::random(seed), format!("P{seed}"));
        let (source, statements) = java::source(&program, &class, is_unfolded);
        files.push(folder.path().join(format!("{class}.java")));
        std::fs::write(folder.path().join(format!("{class}.java")), source)?;
        programs.push(Printed { program, class, statements });
    }
    jdk.compile(&files, folder.path(), &["--release", "17"])?;
    let classes = Program::load(&mut ClassPath::open(&[folder.path().to_owned()], &[], Some(&jdk.home))?);
    Ok((programs, classes))
}

/// What runs of a program show.
fn shown(program: &language::Program) -> BTreeSet<Race> {
    let races = [false, true].into_iter().flat_map(|runs_late| machine::races(program, runs_late));
    races.map(|(name, a, b)| race(name, a, b)).collect()
}

fn statement(graph: &CallGraph<'_>, printed: &Printed, place: Place) -> Result<usize> {
    let (method, at) = graph.place(place).context("a place")?;
    let body = Body::of(graph.program, method).context("code")?.ok().context("a body")?;
    let line = body.line(at).context("a line")?;
    printed.statements.get(&line).copied().context("a statement")
}

/// What summaries report of a program.
fn reported(resolution: &Resolution<'_>, printed: &Printed, limits: Limits) -> Result<BTreeSet<Race>> {
    let (program, class) = (resolution.program, &printed.class);
    let mut mains = program.main_methods();
    mains.retain(|main| program.class_name(program.method(*main).class) == class.as_str());
    let analysis = Analysis::of(resolution, &Begin::mains(&mains), limits);
    let mut found = BTreeSet::new();
    for found_race in analysis.races(usize::MAX).races {
        let name = match found_race.variable {
            Variable::Field(field) => program.names().text(program.field(field).name),
            _ => "[]".into(),
        };
        let [a, b] = found_race.sides.each_ref().map(|side| statement(&analysis.graph, printed, side.place));
        found.insert(race(&name, a?, b?));
    }
    Ok(found)
}

#[test]
fn what_runs_show_is_reported() -> Result<()> {
    let (programs, classes) = compiled(0..200, false)?;
    let resolution = modular::resolution(&classes);
    let (mut n_shown, mut n_reported, mut n_clean) = (0, 0, 0);
    for printed in &programs {
        let (shown, reported) = (shown(&printed.program), reported(&resolution, printed, Limits::default())?);
        let missed: Vec<&Race> = shown.difference(&reported).collect();
        ensure!(missed.is_empty(), "{} misses {missed:?}", printed.class);
        n_shown += shown.len();
        n_reported += reported.len();
        n_clean += usize::from(reported.is_empty());
    }
    println!("shown {n_shown}, reported {n_reported}, {n_clean} programs without a race");
    // Programs without races would show nothing, and a search that reports everything would miss nothing.
    ensure!(n_shown > 200 && n_clean > 20);
    Ok(())
}

/// Whatever is collapsed, what runs show is reported: methods without a summary of their own, labels and sites that are not told
/// apart, and all methods as one region.
#[test]
fn what_runs_show_is_reported_within_any_limits() -> Result<()> {
    let (programs, classes) = compiled(200..400, false)?;
    let resolution = modular::resolution(&classes);
    let (mut random, mut n_shown) = (Random(24), 0);
    for printed in &programs {
        let shown = shown(&printed.program);
        n_shown += shown.len();
        for _ in 0..3 {
            let limits = Limits {
                labels: 1 + random.below(3),
                size: if random.one_in(4) { 0 } else { 20 + random.below(120) },
                steps: random.pick(&[100, 1000, 1_000_000, 1_000_000]),
                root_steps: random.pick(&[1, 2000, 500_000_000, 500_000_000]),
            };
            let reported = reported(&resolution, printed, limits)?;
            let missed: Vec<&Race> = shown.difference(&reported).collect();
            ensure!(missed.is_empty(), "{} misses {missed:?} with {limits:?}", printed.class);
        }
    }
    ensure!(n_shown > 200, "{n_shown} races");
    Ok(())
}

/// Theorem 1 of paper 003, for the analysis itself. The copies of a method may say more, as accesses that the same two calls lead to
/// keep only the locks that each of them names: in these programs they do not.
#[test]
fn recursion_reports_what_it_reports_unfolded() -> Result<()> {
    let (folded, classes) = compiled(0..30, false)?;
    let (unfolded, unfolded_classes) = compiled(0..30, true)?;
    let (resolution, unfolded_resolution) = (modular::resolution(&classes), modular::resolution(&unfolded_classes));
    // What is collapsed is no theorem's: copies make summaries longer, and labels that are cut off are of other calls.
    let limits = Limits { labels: 8, size: 20_000, steps: 30_000_000, ..Limits::default() };
    let mut n_expected = 0;
    for (folded, unfolded) in folded.iter().zip(&unfolded) {
        let expected = reported(&unfolded_resolution, unfolded, limits)?;
        let found = reported(&resolution, folded, limits)?;
        let missed: Vec<&Race> = expected.difference(&found).collect();
        ensure!(missed.is_empty(), "{} misses {missed:?}", folded.class);
        n_expected += expected.len();
    }
    ensure!(n_expected > 100, "{n_expected} races");
    Ok(())
}
