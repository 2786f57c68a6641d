//! Small programs by construct, each racy in a variable that its comments name, or clean: what the checks say of them, and the table
//! in ACCURACY.md.
#![allow(clippy::disallowed_methods, reason = "writes the table, if asked to")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::access::{AccessKind, LockMode};
use facts::finding::{Access, Conflict, Finding, Grade, HeldLock};
use jrace_tests::expect::{Expectations, Expected};
use jrace_tests::fixture::{classes, compiled, expectations, folder, on_every_jdk, on_newest};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::root;
use jrace_tests::run::{Run, short_name};

/// A run may come out otherwise where a rule is missing.
const RUNS: usize = 2;
/// The release that programs with virtual threads need.
const VIRTUAL: u32 = 21;
/// The constructs that are previews in these releases.
const PREVIEWS: [&str; 2] = ["scopes", "stable"];
/// Opens the JDK's own way to memory.
const EXPORTED: [&str; 2] = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"];
/// Virtual threads that spin need a carrier each.
const CARRIERS: [&str; 2] =
    ["-Djdk.virtualThreadScheduler.parallelism=16", "-Djdk.virtualThreadScheduler.maxPoolSize=64"];
/// What the programs run by starts virtual threads, and has written a volatile field by an updater before.
const OTHERWISE: [(&str, &str, &str); 2] = [
    ("Schedule", "new Thread(runnable(body))", "Thread.ofVirtual().unstarted(runnable(body))"),
    (
        "Program",
        "for (Program program : programs) {",
        "java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Written.class, \"field\").set(new Written(), 1);
        for (Program program : programs) {",
    ),
];
const WRITTEN: &str = "final class Written { volatile int field; }
";

/// One test for each construct, so that they run side by side.
macro_rules! constructs {
    ($($construct:ident)*) => {
        const CONSTRUCTS: &[&str] = &[$(stringify!($construct)),*];

        $(
            #[test]
            fn $construct() -> Result<()> {
                let classes = classes("constructs")?;
                on_every_jdk(|jdk| says_what_comments_say(jdk, &classes, "constructs", stringify!($construct)))
            }
        )*
    };
}

constructs! {
    arrays atomics barriers callbacks clones collections executors fences flags futures handles handovers indirect inherited internals lists lockhandovers locks maps monitors operands publication queues references
    semaphores sockets streams suspension synchronizers threads unsafe_memory
}

#[test]
fn virtual_threads() -> Result<()> {
    on_newer_jdks("virtual", |release| release >= VIRTUAL)
}

#[test]
fn structured_tasks() -> Result<()> {
    on_newer_jdks("scopes", |release| release >= VIRTUAL)
}

#[test]
fn gatherers() -> Result<()> {
    on_newer_jdks("gatherers", |release| release >= 24)
}

/// The next release gives the class another name.
#[test]
fn stable_values() -> Result<()> {
    on_newer_jdks("stable", |release| release == 25)
}

#[test]
fn addresses() -> Result<()> {
    let mut all = sources(&folder().join("unexported"))?;
    all.extend(sources(&folder().join("constructs/schedule"))?);
    on_every_jdk(|jdk| says_what_comments_say(jdk, &compiled(jdk, &all, &EXPORTED)?, "unexported", "addresses"))
}

/// What is said is the same in virtual threads, and where volatile fields may be written in other ways.
#[test]
fn all_in_virtual_threads_with_an_updater() -> Result<()> {
    let classes = classes("constructs")?;
    let directory = tempfile::tempdir()?;
    on_newest(|jdk| {
        if jdk.feature < VIRTUAL || !jdk.has("javac") {
            return Ok(());
        }
        let class_path = std::env::join_paths([&run_otherwise(jdk, directory.path())?, &classes])?;
        CONSTRUCTS.iter().try_for_each(|construct| {
            let expected = expectations("constructs", construct)?;
            let reported = reports(jdk, Path::new(&class_path), construct, "check=hybrid", &CARRIERS)?;
            expected.compare(&reported.names()).with_context(|| (*construct).to_owned())
        })
    })
}

/// The classes by which programs run, changed.
fn run_otherwise(jdk: &Jdk, directory: &Path) -> Result<PathBuf> {
    let mut sources = Vec::new();
    for (name, usual, other) in OTHERWISE {
        let text = std::fs::read_to_string(folder().join(format!("constructs/schedule/{name}.java")))?;
        ensure!(text.contains(usual), "{name} has no {usual}");
        let source = directory.join(format!("{name}.java"));
        std::fs::write(&source, text.replace(usual, other) + if name == "Program" { WRITTEN } else { "" })?;
        sources.push(source);
    }
    let classes = directory.join("classes");
    jdk.compile(&sources, &classes, &["--release", "21"])?;
    Ok(classes)
}

fn on_newer_jdks(construct: &str, has: impl Fn(u32) -> bool) -> Result<()> {
    let Some(classes) = classes_with_virtual_threads()? else { return Ok(()) };
    on_every_jdk(|jdk| match has(jdk.feature) {
        true => says_what_comments_say(jdk, &classes, "constructs21", construct),
        false => Ok(()),
    })
}

/// None without a compiler that knows them.
fn classes_with_virtual_threads() -> Result<Option<PathBuf>> {
    let Some(jdk) = Jdk::all().into_iter().find(|jdk| jdk.feature >= VIRTUAL && jdk.has("javac")) else {
        return Ok(None);
    };
    let mut all = sources(&folder().join("constructs21"))?;
    all.extend(sources(&folder().join("constructs/schedule"))?);
    compiled(&jdk, &all, &["--release", "21"]).map(Some)
}

#[test]
fn every_construct_has_a_test() -> Result<()> {
    let folders: BTreeSet<String> = std::fs::read_dir(folder().join("constructs"))?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != "schedule")
        .collect();
    ensure!(folders == CONSTRUCTS.iter().map(|name| (*name).to_owned()).collect(), "{folders:?}");
    Ok(())
}

fn says_what_comments_say(jdk: &Jdk, classes: &Path, group: &str, construct: &str) -> Result<()> {
    let expected = expectations(group, construct)?;
    let flags: &[&str] = match construct {
        preview if PREVIEWS.contains(&preview) => &["--enable-preview"],
        "addresses" => &EXPORTED,
        _ => &[],
    };
    for _ in 0..RUNS {
        let reported = reports(jdk, classes, construct, "check=hybrid", flags)?;
        expected.compare(&reported.names()).with_context(|| construct.to_owned())?;
    }
    Ok(())
}

/// The variables that a run reports, by how sure it is of their races. What is unlikely says that most probably nothing is wrong: it counts as not reported.
struct Reports {
    all: Vec<Reported>,
    certain: Vec<Reported>,
    unlikely: Vec<Reported>,
}

impl Reports {
    fn names(&self) -> Vec<String> {
        self.all.iter().map(|reported| reported.name.clone()).collect()
    }
}

/// `A$B.field`, as the class around it and as `B.field`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Reported {
    outer: String,
    name: String,
}

impl Reported {
    fn new(name: &str) -> Self {
        let (class, member) = name.rsplit_once('.').unwrap_or((name, ""));
        let outer = class.split('$').next().unwrap_or(class).to_owned();
        Self { outer, name: format!("{}.{member}", class.rsplit('$').next().unwrap_or(class)) }
    }
}

fn reports(jdk: &Jdk, classes: &Path, construct: &str, options: &str, flags: &[&str]) -> Result<Reports> {
    let launch = Launch::main(jdk, classes, &format!("{construct}.Main")).short().jvm(flags);
    let run = launch.checked(options).run()?.succeeded()?;
    // Newer JDKs warn of who uses `sun.misc.Unsafe`.
    let is_quiet = run.stderr().lines().all(|line| line.starts_with("WARNING: "));
    ensure!(run.stdout() == "done\n" && is_quiet, "{}\n{}", run.stdout(), run.stderr());
    if options != "check=eraser" {
        run.findings().flat_map(|finding| &finding.conflicts).try_for_each(shares_no_lock)?;
    }
    let of = |least| names(&run, move |grade| grade <= least);
    let all = of(Some(Grade::Possible));
    let unlikely = of(Some(Grade::Unlikely)).into_iter().filter(|reported| !all.contains(reported)).collect();
    Ok(Reports { all, certain: of(Some(Grade::Certain)), unlikely })
}

/// What is shown as a race are two accesses that no lock keeps apart.
fn shares_no_lock(conflict: &Conflict) -> Result<()> {
    let protecting = |access: &Access| -> BTreeSet<_> {
        let is_read = access.kind == Some(AccessKind::Read);
        let protects = |lock: &&HeldLock| is_read || lock.mode == LockMode::Exclusive;
        access.locks.iter().flatten().filter(protects).map(|lock| lock.id).collect()
    };
    let [current, previous] = [&conflict.current, &conflict.previous].map(protecting);
    ensure!(current.is_disjoint(&previous), "both hold a lock: {conflict:#?}");
    Ok(())
}

/// Those with a race of such a grade.
fn names(run: &Run, is_wanted: impl Fn(Option<Grade>) -> bool) -> Vec<Reported> {
    let is_any = |finding: &&Finding| finding.conflicts.iter().any(|conflict| is_wanted(conflict.grade));
    let findings = run.findings().filter(is_any);
    let names: BTreeSet<Reported> = findings.map(|finding| Reported::new(&short_name(&finding.variable))).collect();
    names.into_iter().collect()
}

// ---- the table ----------------------------------------------------------------------------------------------------

/// How many variables a check reports that race, and in how many programs it reports one that does not.
#[derive(Clone, Copy, Default)]
struct Score {
    found: usize,
    false_alarms: usize,
}

impl Score {
    fn of(reported: &[Reported], expected: &Expectations) -> Self {
        let races = |reported: &&Reported| expected.0.get(&reported.name).is_some_and(is_race);
        let (found, others): (Vec<_>, Vec<_>) = reported.iter().partition(races);
        let programs: BTreeSet<&str> = others.iter().map(|reported| reported.outer.as_str()).collect();
        Self { found: found.len(), false_alarms: programs.len() }
    }

    fn add(&mut self, other: Self) {
        self.found += other.found;
        self.false_alarms += other.false_alarms;
    }

    fn precision(self) -> f64 {
        self.found as f64 / (self.found + self.false_alarms).max(1) as f64
    }
}

fn is_race(expected: &Expected) -> bool {
    matches!(expected, Expected::Race | Expected::Missed)
}

#[derive(Clone, Copy, Default)]
struct Row {
    programs: usize,
    races: usize,
    eraser: Score,
    hybrid: Score,
    certain: Score,
    unlikely: Score,
}

impl Row {
    fn of(construct: &str, jdk: &Jdk, classes: &Path) -> Result<Self> {
        let expected = expectations("constructs", construct)?;
        let eraser = reports(jdk, classes, construct, "check=eraser", &[])?;
        let hybrid = reports(jdk, classes, construct, "check=hybrid", &[])?;
        let races = expected.0.values().filter(|expected| is_race(expected)).count();
        Ok(Self {
            programs: programs(construct)?,
            races,
            eraser: Score::of(&eraser.all, &expected),
            hybrid: Score::of(&hybrid.all, &expected),
            certain: Score::of(&hybrid.certain, &expected),
            unlikely: Score::of(&hybrid.unlikely, &expected),
        })
    }

    fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.races += other.races;
        self.eraser.add(other.eraser);
        self.hybrid.add(other.hybrid);
        self.certain.add(other.certain);
        self.unlikely.add(other.unlikely);
    }
}

/// How many programs a construct has: those that `main` runs.
fn programs(construct: &str) -> Result<usize> {
    let source = std::fs::read_to_string(folder().join("constructs").join(construct).join("Main.java"))?;
    let (_, all) = source.split_once("Program.all(").context("no programs")?;
    Ok(all.split("new ").count() - 1)
}

fn table(jdk: &Jdk, classes: &Path) -> Result<String> {
    let mut text = "| construct | programs | races | `eraser` finds | false alarms | `hybrid` finds | false alarms | of these certain: finds | false alarms |\n".to_owned();
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    let mut total = Row::default();
    for construct in CONSTRUCTS {
        let row = Row::of(construct, jdk, classes)?;
        line(&mut text, construct, row);
        total.add(row);
    }
    line(&mut text, "**all**", total);
    let rate = |score: Score| (score.precision(), score.found as f64 / total.races as f64);
    for (name, score) in [("eraser", total.eraser), ("hybrid", total.hybrid), ("happens-before", total.certain)] {
        let (precision, recall) = rate(score);
        let _ = write!(text, "\n`--check {name}`: precision {precision:.2}, recall {recall:.2}.\n");
    }
    let Score { found, false_alarms } = total.unlikely;
    let _ = write!(
        text,
        "\nBesides, as *unlikely*, `hybrid` reports: programs without a race {false_alarms}, variables with one {found}.\n"
    );
    Ok(text)
}

fn line(text: &mut String, name: &str, row: Row) {
    let Row { programs, races, eraser, hybrid, certain, .. } = row;
    let scores = [eraser, hybrid, certain].map(|score| format!("{} | {}", score.found, score.false_alarms));
    let _ = writeln!(text, "| {name} | {programs} | {races} | {} |", scores.join(" | "));
}

/// `UPDATE_EXPECT=1` writes the table instead.
/// A table without what lock sets alone report: that goes by the schedule, as they know of no order in which threads come.
fn where_order_counts(text: &str) -> Vec<String> {
    const ERASER: std::ops::Range<usize> = 4..6;
    let cells = |line: &str| -> String {
        let cells = line.split('|').enumerate().filter(|(at, _)| !ERASER.contains(at));
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join("|")
    };
    text.lines().filter(|line| !line.starts_with("`--check eraser`")).map(cells).collect()
}

#[test]
fn the_table_is_what_the_checks_say() -> Result<()> {
    const BEGIN: &str = "<!-- made by tests/tests/constructs.rs -->\n";
    const END: &str = "<!-- end -->";
    let file = root().join("ACCURACY.md");
    let text = std::fs::read_to_string(&file)?;
    let (before, rest) = text.split_once(BEGIN).context("no table")?;
    let (_, after) = rest.split_once(END).context("no end of the table")?;
    let table = table(&Jdk::oldest(), &classes("constructs")?)?;
    let wanted = format!("{before}{BEGIN}\n{table}\n{END}{after}");
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(&file, &wanted)?;
    }
    let told = std::fs::read_to_string(&file)?;
    ensure!(
        where_order_counts(&told) == where_order_counts(&wanted),
        "the table in ACCURACY.md is not that of this build:\n{table}"
    );
    Ok(())
}
