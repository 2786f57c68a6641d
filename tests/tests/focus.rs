//! Focus loses nothing: no run shows a race on what the static types prove race-free.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use facts::access::LockMode;
use facts::event::{EventKind, Location};
use facts::finding::{Access, Finding, Grade, Variable};
use facts::focus::{Elided, FocusSet, Proof};
use facts::index::{ObjectId, ThreadId};
use facts::trace::{Record, TraceReader};
use jrace_tests::demos::Demo;
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::{self, compiled, on_every_jdk, on_jdks, on_oldest_and_newest};
use jrace_tests::generator::{self, constructions, constructions::Constructions};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::{self, Launch};
use jrace_tests::pairs::Pairs;
use jrace_tests::root;
use jrace_tests::run::{Run, agent, command, jrace, only_trace, records};
use tempfile::TempDir;

use crate::replayed;

/// Seconds that all random programs may take, one after the other, beside other tests.
const PATIENCE: u64 = 300;

/// What `jrace check` proves about classes; it is written to `file`.
fn prove(classes: &Path, jdk: &Jdk, file: &Path) -> Result<FocusSet> {
    let output = jrace(jdk).arg("check").arg(classes).arg("--focus-set").arg(file).output()?;
    let code = output.status.code();
    ensure!(code == Some(0) || code == Some(66), "{code:?} {}", String::from_utf8_lossy(&output.stderr));
    read(file)
}

/// The same without a search, for a focus by fields or by methods.
fn by_types(classes: &Path, jdk: &Jdk, mode: &str, file: &Path) -> Result<FocusSet> {
    let mut command = jrace(jdk);
    let output = command.arg("check").arg(classes).args(["--focus", mode, "--focus-set"]).arg(file).output()?;
    ensure!(output.status.code().is_some_and(|code| code != 2), "{}", String::from_utf8_lossy(&output.stderr));
    read(file)
}

/// A focused run finds what a full one finds, but for what is proved: the programs do the same in every run. Returns what it finds
/// besides.
fn loses_nothing(jdk: &Jdk, classes: &Path, set: &Path, full: &Run) -> Result<Vec<Variable>> {
    let options = format!("exclude=support.Support,focus_set={}", set.display());
    let focused = Launch::main(jdk, classes, "All").short().patience(PATIENCE).checked(&options).run()?.succeeded()?;
    ensure!(focused.stderr().is_empty(), "{}", focused.stderr());
    let variables = |run: &Run| run.findings().map(|finding| finding.variable.clone()).collect::<BTreeSet<_>>();
    let (found, all) = (variables(&focused), variables(full));
    let set = read(set)?;
    let contradicted: BTreeSet<_> = contradictions(&set, full).into_iter().map(|finding| &finding.variable).collect();
    let lost: Vec<_> = all.difference(&found).filter(|variable| !contradicted.contains(variable)).collect();
    ensure!(lost.is_empty(), "lost: {lost:#?}");
    Ok(found.difference(&all).cloned().collect())
}

/// Accesses that are taken to hold the monitor of their object hold it, in recorded runs of some programs.
fn held_accesses_hold(jdk: &Jdk, classes: &Path, set: &FocusSet) -> Result<()> {
    const PROGRAMS: usize = 3;
    let mut n_held = 0;
    for seed in generator::seeds(0..40).take(PROGRAMS) {
        let traces = tempfile::tempdir()?;
        let options = format!("exclude=support.Support,record={}", traces.path().display());
        Launch::main(jdk, classes, "All")
            .short()
            .patience(PATIENCE)
            .args([format!("g{seed}")])
            .checked(&options)
            .run()?
            .succeeded()?;
        n_held += holding(set, &only_trace(traces.path())?)?;
    }
    ensure!(n_held > 0 || std::env::var_os("JRACE_PROGRAMS").is_some(), "no access is left out");
    Ok(())
}

/// How many accesses of a trace are left out as they hold the monitor of their object.
fn holding(set: &FocusSet, trace: &Path) -> Result<usize> {
    let (mut held, mut sites) = (BTreeMap::<ThreadId, Vec<ObjectId>>::new(), BTreeMap::new());
    let mut n = 0;
    for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
        let event = match record? {
            Record::Event(event) => event,
            Record::Site(id, site) => {
                let place = site.place;
                let of_method = set.method(&place.class, &place.method, &place.descriptor);
                sites.insert(id, (of_method.proof(place.offset) == Some(Proof::Held), place));
                continue;
            }
            _ => continue,
        };
        let held = held.entry(event.thread).or_default();
        match event.action {
            EventKind::Acquire(lock, LockMode::Exclusive) => held.push(lock),
            EventKind::Release(lock, LockMode::Exclusive) => {
                held.iter().rposition(|other| *other == lock).map(|at| held.remove(at));
            }
            EventKind::Access(_, Location::Field(object, _)) => {
                let Some((true, place)) = sites.get(&event.site) else { continue };
                ensure!(held.contains(&object), "not held: {place:?}");
                n += 1;
            }
            _ => {}
        }
    }
    Ok(n)
}

fn read(file: &Path) -> Result<FocusSet> {
    Ok(FocusSet::read(BufReader::new(File::open(file)?))?)
}

/// What a run reports although it is proved.
fn contradictions<'a>(set: &FocusSet, run: &'a Run) -> Vec<&'a Finding> {
    let fields: BTreeSet<_> = set.classes().flat_map(|class| &class.fields).collect();
    let is_proved_access = |finding: &Finding| {
        let accesses = finding.conflicts.iter().flat_map(|conflict| [&conflict.current, &conflict.previous]);
        accesses.into_iter().any(|access| is_proved_access(set, access))
    };
    let is_proved = |finding: &&Finding| match &finding.variable {
        Variable::Field { .. } if is_proved_access(finding) => true,
        Variable::Field { class, name, descriptor } | Variable::Static { class, name, descriptor } => {
            fields.contains(&(class.clone(), name.clone(), descriptor.clone()))
        }
        Variable::Array { .. } => is_proved_access(finding),
        // Nothing is proved of contents.
        Variable::Object { .. } | Variable::Contents { .. } => false,
    };
    run.findings().filter(is_proved).collect()
}

/// Whether recorded runs of its program alone, until the check by order reports the variable in one, show no two accesses that
/// account for that: such an object was handed over by a race, and locked ever since.
fn is_false_alarm(jdk: &Jdk, classes: &Path, finding: &Finding) -> Result<bool> {
    const RUNS: usize = 5;
    let program = program_of(&finding.variable);
    for _ in 0..RUNS {
        let traces = tempfile::tempdir()?;
        let options = format!("check=none,exclude=support.Support,record={}", traces.path().display());
        Launch::main(jdk, classes, "All")
            .short()
            .patience(PATIENCE)
            .args([program])
            .checked(&options)
            .run()?
            .succeeded()?;
        let trace = only_trace(traces.path())?;
        if replayed_by_order(jdk, &trace)?.contains(&finding.variable) {
            return Ok(!is_race(&Pairs::read(&trace)?, finding));
        }
    }
    Ok(false)
}

/// What a recorded run shows.
fn pairs_of(launch: &Launch) -> Result<Pairs> {
    let traces = tempfile::tempdir()?;
    launch.clone().checked(&format!("check=none,record={}", traces.path().display())).run()?.succeeded()?;
    Pairs::read(&only_trace(traces.path())?)
}

fn is_only_possible(finding: &Finding) -> bool {
    finding.conflicts.iter().all(|conflict| conflict.grade > Some(Grade::Certain))
}

/// What the check by order finds in a trace.
fn replayed_by_order(jdk: &Jdk, trace: &Path) -> Result<Vec<Variable>> {
    let output = jrace(jdk).args(["replay", "--checker", "hybrid", "--json"]).arg(trace).output()?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let findings = report["findings"].as_array().context("a list of findings")?;
    findings.iter().map(|finding| Ok(serde_json::from_value(finding["variable"].clone())?)).collect()
}

/// The package of a variable; an array's is that of the field or method it is named after.
fn program_of(variable: &Variable) -> &str {
    let (Variable::Field { class, .. }
    | Variable::Static { class, .. }
    | Variable::Object { class }
    | Variable::Array { origin: class, .. }
    | Variable::Contents { origin: class, .. }) = variable;
    class.split('/').next().unwrap_or_default()
}

/// Whether two accesses account for a finding, and not three of which any two have a lock in common.
fn is_race(pairs: &Pairs, finding: &Finding) -> bool {
    let accesses = finding.conflicts.iter().flat_map(|conflict| [&conflict.current, &conflict.previous]);
    let places: Vec<_> = accesses.filter_map(|access| access.stack.first().cloned()).collect();
    pairs.race_on(&finding.variable, &places)
}

fn is_proved_access(set: &FocusSet, access: &Access) -> bool {
    let Some(place) = access.stack.first() else { return false };
    let of_method = set.method(&place.class, &place.method, &place.descriptor);
    of_method.proof(place.offset) == Some(Proof::RaceFree)
}

#[test]
fn no_random_program_contradicts_its_types() -> Result<()> {
    let (sources, classes) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let write = |name: String, text: &str| {
        let path = sources.path().join(name);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        std::fs::write(&path, text)?;
        Ok::<_, anyhow::Error>(path)
    };
    let mut all = vec![write("support/Support.java".to_owned(), generator::SUPPORT)?];
    let mut main = String::from("public final class All { public static void main(String[] arguments) {\n");
    for seed in generator::seeds(0..40) {
        all.push(write(format!("g{seed}/Main.java"), &generator::program(seed))?);
        main += &format!("if (arguments.length == 0 || arguments[0].equals(\"g{seed}\")) g{seed}.Main.run();\n");
    }
    all.push(write("All.java".to_owned(), &(main + "}}\n"))?);
    let oldest = Jdk::oldest();
    oldest.compile(&all, classes.path(), &["--release", "17"])?;
    let proved = sources.path().join("focus-set");
    let set = prove(classes.path(), &oldest, &proved)?;
    let by_methods = sources.path().join("by-methods");
    held_accesses_hold(&oldest, classes.path(), &by_types(classes.path(), &oldest, "method", &by_methods)?)?;
    let mut false_alarms = BTreeSet::new();
    on_oldest_and_newest(|jdk| {
        let run = Launch::main(jdk, classes.path(), "All")
            .short()
            .patience(PATIENCE)
            .checked("exclude=support.Support")
            .run()?
            .succeeded()?;
        for finding in contradictions(&set, &run) {
            let variable = &finding.variable;
            // The programs do the same on every JDK.
            if false_alarms.insert(variable.clone()) {
                ensure!(is_false_alarm(jdk, classes.path(), finding)?, "contradicted: {variable:#?}");
            }
        }
        if *jdk == oldest {
            loses_nothing(jdk, classes.path(), &by_methods, &run)?;
            let added = loses_nothing(jdk, classes.path(), &proved, &run)?;
            ensure!(added.is_empty(), "added: {added:#?}");
            let sets = [&set, &read(&by_methods)?];
            let launch = Launch::main(jdk, classes.path(), "All").short().patience(PATIENCE);
            let left_out = replayed::loses_nothing(&launch, "exclude=support.Support,", &sets)?;
            ensure!(left_out.iter().all(|n| *n > 0), "nothing was left out of the trace");
        }
        let variables = run.racy().len();
        ensure!(variables > 2, "too few races: {variables}");
        Ok(())
    })?;
    let n_fields = set.classes().map(|class| class.fields.len()).sum::<usize>();
    let references = set.classes().flat_map(|class| &class.fields);
    // Nodes have no lock of their own, and others than `x` and `y` are used without one.
    let of_nodes = references.filter(|(class, field, _)| class.contains("/L") && matches!(&**field, "x" | "y"));
    let n_owned = of_nodes.collect::<BTreeSet<_>>().len();
    let is_enough = n_fields > 500 && n_owned > 30;
    ensure!(is_enough || std::env::var_os("JRACE_PROGRAMS").is_some(), "too few proofs: {n_fields}, {n_owned} owned");
    let methods = set.classes().flat_map(|class| class.methods.values());
    let n_idle = methods.filter(|method| method.has_idle_locks()).count();
    ensure!(n_idle > 0 || std::env::var_os("JRACE_PROGRAMS").is_some(), "too few locks are left out: {n_idle}");
    Ok(())
}

/// Programs that race because an object leaks from its owner: a proof by owners that overlooks the way loses the race. What does
/// nearly the same with objects that stay is proved.
#[test]
fn no_way_to_leak_from_an_owner_is_overlooked() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let (text, ways) = generator::leaks::program();
    let files = [("Support.java", generator::SUPPORT), ("Main.java", text.as_str())];
    let sources = files.map(|(name, _)| folder.path().join(name));
    for (path, (_, text)) in sources.iter().zip(files) {
        std::fs::write(path, text)?;
    }
    let (classes, set) = (folder.path().join("classes"), folder.path().join("focus-set"));
    jdk.compile(&sources, &classes, &["--release", "17"])?;
    let output = jrace(&jdk).arg("check").arg(&classes).args(["--focus=field", "--focus-set"]).arg(&set).output()?;
    ensure!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let options = format!("exclude=support.Support,focus_set={}", set.display());
    let run = Launch::main(&jdk, &classes, "leaks.Main").short().checked(&options).run()?.succeeded()?;
    let mut expected: Vec<String> = ways.iter().map(|(leaks, _)| format!("{leaks}$Node.hits")).collect();
    expected.sort();
    ensure!(run.racy() == expected, "{:?}\nare not {expected:?}\n{}", run.racy(), run.stderr());
    let set = read(&set)?;
    for (_, stays) in &ways {
        let node = format!("leaks/{stays}$Node");
        let keeper = set.get(&format!("leaks/{stays}$Keeper")).context("no keeper")?;
        ensure!(keeper.is_race_free(&node, "hits", "I"), "{node} is not proved");
    }
    Ok(())
}

/// The classes of some ways out of constructors, compiled.
fn constructions(ways: &[constructions::Way], jdk: &Jdk, folder: &Path) -> Result<(Constructions, PathBuf)> {
    let made = constructions::program(ways);
    let (source, classes) = (folder.join("Main.java"), folder.join("classes"));
    std::fs::write(&source, &made.source)?;
    jdk.compile(&[source], &classes, &["--release", "17"])?;
    Ok((made, classes))
}

/// `hits` of classes with a class `X`.
fn hits(classes: &[String]) -> BTreeSet<String> {
    classes.iter().map(|class| format!("{class}$X.hits")).collect()
}

/// Races on objects that get out of their constructors are found by a search and with each focus. Returns the classes of objects
/// that get out late or never and are not proved to be free of races all the same.
fn no_way_out_is_overlooked(ways: &[constructions::Way], modes: &[&str]) -> Result<Vec<String>> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let (made, classes) = constructions(ways, &jdk, folder.path())?;
    let racy = hits(&made.racy);
    let found = |options: &str| -> Result<BTreeSet<String>> {
        let options = format!("exclude=constructions.Gate{options}");
        let run = Launch::main(&jdk, &classes, "constructions.Main").short().checked(&options).run()?.succeeded()?;
        Ok(run.racy().into_iter().filter(|name| name.ends_with(".hits")).collect())
    };
    let full = found("")?;
    ensure!(full == racy, "without a focus: {:?}", full.symmetric_difference(&racy).collect::<Vec<_>>());
    for mode in modes {
        let set = folder.path().join(mode);
        by_types(&classes, &jdk, mode, &set)?;
        let focused = found(&format!(",focus_set={}", set.display()))?;
        ensure!(focused == full, "{mode} lost {:?}", full.difference(&focused).collect::<Vec<_>>());
    }
    let set = read(&folder.path().join("combined"))?;
    let is_proved = |class: &String| {
        let x = format!("constructions/{class}$X");
        set.get(&x).is_some_and(|class| class.is_race_free(&x, "hits", "I"))
    };
    Ok(made.clean.into_iter().filter(|class| !is_proved(class)).collect())
}

#[test]
fn no_way_out_of_a_constructor_is_overlooked() -> Result<()> {
    let unproved = no_way_out_is_overlooked(&constructions::Way::each(), &["combined", "field", "method"])?;
    ensure!(unproved.is_empty(), "not proved: {unproved:#?}");
    Ok(())
}

#[test]
fn no_random_way_out_of_a_constructor_is_overlooked() -> Result<()> {
    let seeds = generator::seeds(0..40);
    no_way_out_is_overlooked(&constructions::Way::random(seeds.start, seeds.count()), &["combined"])?;
    Ok(())
}

/// `jrace run --focus` on a command, again and again: it keeps what it learns.
pub struct Focused {
    jdk: Jdk,
    folder: TempDir,
    mode: &'static str,
}

impl Focused {
    /// Nothing is known yet.
    pub fn new(jdk: &Jdk) -> Result<Self> {
        Ok(Self { jdk: jdk.clone(), folder: tempfile::tempdir()?, mode: "combined" })
    }

    /// By the types of fields only, so that nothing counts on calls.
    pub fn by_fields(jdk: &Jdk) -> Result<Self> {
        Self::by(jdk, "field")
    }

    /// In another mode.
    pub fn by(jdk: &Jdk, mode: &'static str) -> Result<Self> {
        Ok(Self { mode, ..Self::new(jdk)? })
    }

    /// Exit code 66 is a success.
    pub fn run(&self, flags: &[&str], class_path: &[&Path], arguments: &[&str]) -> Result<Run> {
        let before = self.runs()?;
        let mut command = jrace(&self.jdk);
        let mode = format!("--focus={}", self.mode);
        command.current_dir(&self.folder).args(["run", "--fail-on=possible", &mode]).args(flags).arg("--");
        let output = command
            .arg(self.jdk.home.join("bin/java"))
            .args([launch::SHORT, "-cp"])
            .arg(std::env::join_paths(class_path)?)
            .args(arguments)
            .output()?;
        let new = self.runs()?.into_iter().find(|run| !before.contains(run));
        let run = Run { output, records: new.map_or_else(|| Ok(Vec::new()), |new| records(&new))? };
        let expected = if run.findings().next().is_some() { 66 } else { 0 };
        ensure!(run.output.status.code() == Some(expected), "{}\n{}", run.output.status, run.stderr());
        Ok(run)
    }

    fn runs(&self) -> Result<Vec<PathBuf>> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join(".jrace")) else { return Ok(Vec::new()) };
        let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        Ok(paths.into_iter().filter(|path| !path.ends_with("focus")).collect())
    }

    /// What is proved by now.
    pub fn set(&self) -> Result<FocusSet> {
        read(&self.file())
    }

    /// When that was written.
    pub fn written(&self) -> Result<SystemTime> {
        Ok(std::fs::metadata(self.file())?.modified()?)
    }

    fn file(&self) -> PathBuf {
        let name = if self.mode == "field" { "focus-set-field" } else { "focus-set" };
        self.folder.path().join(".jrace/focus").join(name)
    }
}

const LEARNS: &str = "jrace: the first run with --focus only learns the classes; the second one checks them\n";

/// A full and a focused run of a demo. What is proved must not be reported by a full run, whatever its schedule; the rest of
/// what it reports, the focused run reports too.
fn lose_nothing(demo: &Demo, jdk: &Jdk) -> Result<()> {
    let classes = demo.classes()?;
    let launch = Launch::main(jdk, &classes, &demo.main).args(&demo.args);
    let full = launch.clone().checked("").run()?.succeeded()?;
    let focused = Focused::new(jdk)?;
    let mut arguments = vec![demo.main.as_str()];
    arguments.extend(demo.args.iter().map(String::as_str));
    let run = focused.run(&[], &[&classes], &arguments)?;
    let said = run.stderr();
    ensure!(said.starts_with(LEARNS) && !said.contains("everything is checked"), "{said}");
    // The run that learns compiles as always.
    ensure!(said.matches("-XX:InlineSmallCode=5000 -agentpath:").count() == 1, "{said}");
    let file = focused.folder.path().join("proved");
    // A run that shows a race on a reference leaves no set.
    let has_raced = focused.folder.path().join(".jrace/focus/raced").exists();
    let set = if has_raced { prove(&classes, jdk, &file)? } else { focused.set()? };
    let mut wrong = contradictions(&set, &full);
    if !wrong.is_empty() {
        // A lock that hands an object over is no order to the check.
        let pairs = pairs_of(&launch)?;
        wrong.retain(|finding| !is_only_possible(finding) || is_race(&pairs, finding));
    }
    ensure!(wrong.is_empty(), "proved, and yet reported: {wrong:#?}");
    let (found, all) = (run.racy(), full.racy());
    let expected = Expectations::of(&demo.sources()?)?;
    let comes_about = |name: &&String| !expected.0.get(*name).is_some_and(|expected| expected.is_by_chance());
    let lost: Vec<_> = all.iter().filter(comes_about).filter(|name| !found.contains(name)).collect();
    ensure!(lost.is_empty(), "lost: {lost:?}");
    ensure!(n_sites(&run)? < n_sites(&full)?, "nothing was left out");
    let of_types = |mode| by_types(&classes, jdk, mode, &file);
    let sets = [set, of_types("field")?, of_types("method")?];
    let left_out = replayed::loses_nothing(&launch, "", &sets.each_ref())?;
    ensure!(left_out[0] > 0, "nothing was left out of the trace");
    Ok(())
}

/// How many places in the code were woven.
fn n_sites(run: &Run) -> Result<u64> {
    Ok(run.summaries().1.first().context("no summary")?.sites)
}

#[test]
fn no_demo_loses_a_race() -> Result<()> {
    let failed = |jdk: &Jdk, demo: &Demo| {
        lose_nothing(demo, jdk).with_context(|| format!("{} on JDK {}", demo.name, jdk.feature)).err()
    };
    let oldest = Jdk::oldest();
    let demos = Demo::all()?;
    let mut failures: Vec<_> = demos.iter().filter_map(|demo| failed(&oldest, demo)).collect();
    let small = |demo: &&Demo| ["bank", "pingpong", "shop"].contains(&demo.name.as_str());
    for jdk in Jdk::all().iter().filter(|jdk| **jdk != oldest) {
        failures.extend(demos.iter().filter(small).filter_map(|demo| failed(jdk, demo)));
    }
    let failures: Vec<String> = failures.iter().map(|failure| format!("{failure:#}")).collect();
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Arrays are named after the first method that accesses them, of two lambdas of one. Of two copies within one array, a run may miss the race:
/// what its first thread did was to the array, not to elements.
#[test]
fn arrays_that_are_accessed_by_calls_only_race_under_a_focus_too() -> Result<()> {
    const RACY: [&str; 5] = ["cloned", "copiedFrom", "copiedTo", "filled", "sorted"];
    let source = root().join("tests/java/races/seeds/ArrayCalls.java");
    let classes = compiled(&Jdk::oldest(), &[source], &["--release", "17"])?;
    let racy = |run: &Run| -> BTreeSet<String> {
        let names = run.racy().into_iter().filter_map(|name| Some(name.split('$').nth(1)?.to_owned()));
        names.filter(|name| name != "copiedByBoth").collect()
    };
    on_oldest_and_newest(|jdk| {
        let full = racy(&Launch::main(jdk, &classes, "seeds.ArrayCalls").checked("").run()?);
        let focused = racy(&Focused::new(jdk)?.run(&[], &[&classes], &["seeds.ArrayCalls"])?);
        ensure!(full == RACY.map(str::to_owned).into() && focused == full, "{full:?} {focused:?}");
        Ok(())
    })
}

/// The classes of `late` without those that come late.
fn typed() -> Result<PathBuf> {
    let late = [sources(&fixture::folder().join("focus"))?, sources(&fixture::folder().join("util"))?].concat();
    let early: Vec<PathBuf> = late.into_iter().filter(|source| !source.ends_with("Plugin.java")).collect();
    compiled(&Jdk::oldest(), &early, &["--release", "17"])
}

/// The same with a box whose methods take no lock.
fn changed() -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("Main.java");
    let text = std::fs::read_to_string(fixture::folder().join("focus/late/Main.java"))?;
    std::fs::write(&source, text.replace("synchronized ", ""))?;
    let util = sources(&fixture::folder().join("util"))?;
    Jdk::oldest().compile(&[&[source][..], &util].concat(), folder.path(), &["--release", "17"])?;
    Ok(folder)
}

/// The typed classes, a focus set about them, and every class, for one JDK after the other.
struct Late {
    typed: PathBuf,
    all: PathBuf,
    folder: TempDir,
}

impl Late {
    fn new() -> Result<Self> {
        Ok(Self { typed: typed()?, all: fixture::classes("focus")?, folder: tempfile::tempdir()? })
    }

    fn set(&self) -> PathBuf {
        self.folder.path().join("focus-set")
    }

    fn prove(&self, jdk: &Jdk) -> Result<()> {
        let set = prove(&self.typed, jdk, &self.set())?;
        let of_box = set.classes().find(|class| class.class == "late/Box").context("no box")?;
        ensure!(of_box.is_race_free("late/Box", "value", "I"), "nothing is proved: {of_box:?}");
        Ok(())
    }

    /// A run with the focus set; `first` comes before the classes.
    fn run(&self, jdk: &Jdk, options: &str, first: &Path, arguments: &[&str]) -> Result<Run> {
        let class_path = PathBuf::from(std::env::join_paths([first, &self.all])?);
        let options = format!("focus_set={},{options}", self.set().display());
        Launch::main(jdk, &class_path, "late.Main").args(arguments).checked(&options).run()?.succeeded()
    }

    fn full(&self, jdk: &Jdk, arguments: &[&str]) -> Result<Run> {
        Launch::main(jdk, &self.all, "late.Main").args(arguments).checked("").run()?.succeeded()
    }
}

#[test]
fn classes_that_come_late_void_the_proofs() -> Result<()> {
    let late = Late::new()?;
    on_oldest_and_newest(|jdk| {
        late.prove(jdk)?;
        let without = late.run(jdk, "", &late.typed, &[])?;
        ensure!(without.racy().is_empty() && without.stderr().is_empty(), "{:?} {}", without.racy(), without.stderr());
        ensure!(n_sites(&without)? < n_sites(&late.full(jdk, &[])?)?, "nothing was left out");
        // What is not checked itself may still call what is.
        for options in ["", "exclude=late.Plugin"] {
            let run = late.run(jdk, options, &late.typed, &["late.Plugin", "late.Another"])?;
            let sentence = "jrace: late.Plugin uses typed classes but was not typed with them, so everything is checked: \
                            run `jrace check --focus-set` again\n";
            ensure!(run.stderr() == sentence, "{options}: {}", run.stderr());
            fixture::compare(&run, "focus", "late")?;
        }
        Ok(())
    })
}

/// Its superclass is being looked for: it is woven by the proofs, and not among the loaded classes yet.
#[test]
fn a_class_that_is_being_loaded_when_the_proofs_become_void_is_woven_again() -> Result<()> {
    let late = Late::new()?;
    on_oldest_and_newest(|jdk| {
        late.prove(jdk)?;
        let set = read(&late.set())?;
        let counter = set.get("loading/Counter").context("it is not typed")?;
        ensure!(counter.is_race_free("loading/Counter", "counted", "I"), "nothing is proved: {counter:?}");
        let options = format!("check=eraser,focus_set={}", late.set().display());
        let run = Launch::main(jdk, &late.all, "loading.Main").checked(&options).run()?.succeeded()?;
        let sentence = "loading.Plugin uses typed classes but was not typed with them, so everything is checked";
        ensure!(run.stderr().lines().count() == 1 && run.stderr().contains(sentence), "{}", run.stderr());
        fixture::compare(&run, "focus", "loading")
    })
}

#[test]
fn changed_classes_void_the_proofs() -> Result<()> {
    let (late, changed) = (Late::new()?, changed()?);
    on_oldest_and_newest(|jdk| {
        late.prove(jdk)?;
        let run = late.run(jdk, "", changed.path(), &[])?;
        let sentence = "late.Box has changed since it was typed, so everything is checked";
        ensure!(run.stderr().lines().count() == 1 && run.stderr().contains(sentence), "{}", run.stderr());
        fixture::compare(&run, "focus", "late")
    })
}

#[test]
fn a_focus_set_that_cannot_be_read_leaves_nothing_out() -> Result<()> {
    let late = Late::new()?;
    late.prove(&Jdk::oldest())?;
    let whole = std::fs::read(late.set())?;
    let at = whole.windows(5).position(|name| name == b"value").context("a field")?;
    let damaged = [&whole[..at], b"valve", &whole[at + 5..]].concat();
    let cases = [
        (None, "No such file or directory (os error 2)"),
        (Some(&b""[..]), "it is no focus set of this version of jrace"),
        (Some(b"{\"focus_set\":1}\n"), "it is no focus set of this version of jrace"),
        (Some(&whole[..whole.len() / 2]), "it is damaged"),
        (Some(&damaged), "it is damaged"),
    ];
    on_jdks(&[Jdk::oldest()], |jdk| {
        let full = late.full(jdk, &["late.Plugin"])?;
        for (bytes, reason) in cases {
            let _ = std::fs::remove_file(late.set());
            bytes.map_or(Ok(()), |bytes| std::fs::write(late.set(), bytes))?;
            let run = late.run(jdk, "", &late.all, &["late.Plugin"])?;
            let path = late.set().display().to_string();
            let sentence = format!("jrace: everything is checked, as the focus set {path} cannot be read: {reason}\n");
            ensure!(run.stderr() == sentence, "{}", run.stderr());
            ensure!(n_sites(&run)? == n_sites(&full)?, "something was left out: {reason}");
            fixture::compare(&run, "focus", "late")?;
            let mut command = jrace(jdk);
            command.current_dir(&late.folder).args(["run", "--focus-set", "focus-set", "--", "echo", "ran"]);
            let output = command.output()?;
            let sentence = format!(
                "jrace: cannot use the focus set `focus-set`; write one with `jrace check --focus-set`: {reason}\n"
            );
            let ended = (output.status.code(), String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
            ensure!(ended == (Some(2), String::new(), sentence), "{ended:?}");
        }
        Ok(())
    })
}

/// What goes beyond its limits leaves more to check, and is tried again only with wider ones.
#[test]
fn proofs_that_take_too_much_are_given_up_and_not_tried_again() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let run = |options: &[&str], sentence: Option<&str>| {
            let run = focused.run(options, &[&all], &["late.Main", "late.Plugin"])?;
            let said = run.stderr();
            let given_up = said.lines().find(|line| line.contains("typing the classes"));
            ensure!(given_up.map(|line| line.strip_prefix("jrace: ").unwrap_or(line)) == sentence, "{said}");
            fixture::compare(&run, "focus", "late")
        };
        let little = ["--option", "focus_memory=1"];
        let why = "everything is checked, as typing the classes took more than 1 MB (`focus_memory`)";
        run(&little, Some(why))?;
        ensure!(focused.set()?.classes().next().is_none(), "something is proved");
        run(&little, Some(&format!("{why} in an earlier run")))?;
        run(&[], None)
    })
}

/// A command may run for hours, while somebody installs another jrace.
#[test]
fn proofs_are_made_though_the_program_file_is_gone() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let folder = tempfile::tempdir()?;
        let copy = folder.path().join("jrace");
        std::fs::copy(command(), &copy)?;
        let mut run = Command::new(&copy);
        run.current_dir(&folder)
            .env("JRACE_AGENT", agent())
            .env("JAVA_HOME", &jdk.home)
            .env_remove("JAVA_TOOL_OPTIONS");
        run.args(["run", "--focus=field", "--", "sh", "-c", "rm -f \"$0\" && exec \"$@\""]).arg(&copy);
        let output = run.arg(jdk.home.join("bin/java")).arg("-cp").arg(&all).arg("late.Main").output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && said.starts_with(LEARNS), "{}\n{said}", output.status);
        ensure!(folder.path().join(".jrace/focus/focus-set-field").exists(), "nothing was proved: {said}");
        Ok(())
    })
}

#[test]
fn focused_runs_follow_the_classes() -> Result<()> {
    let (all, changed) = (fixture::classes("focus")?, changed()?);
    on_oldest_and_newest(|jdk| {
        let focused = Focused::by_fields(jdk)?;
        let run =
            |first: &Path, arguments: &[&str]| focused.run(&[], &[first, &all], &[&["late.Main"], arguments].concat());
        let clean = run(&all, &[])?;
        ensure!(clean.racy().is_empty() && clean.stderr().starts_with(LEARNS), "{}", clean.stderr());
        let again = run(&all, &[])?;
        ensure!(again.racy().is_empty() && !again.stderr().contains("\njrace: "), "{}", again.stderr());

        let plugin = ["late.Plugin"];
        let voided = run(&all, &plugin)?;
        ensure!(voided.stderr().contains("late.Plugin uses typed classes but"), "{}", voided.stderr());
        fixture::compare(&voided, "focus", "late")?;
        let known = run(&all, &plugin)?;
        ensure!(!known.stderr().contains("everything is checked"), "{}", known.stderr());
        fixture::compare(&known, "focus", "late")?;

        let voided = run(changed.path(), &[])?;
        ensure!(voided.stderr().contains("late.Box has changed since"), "{}", voided.stderr());
        fixture::compare(&voided, "focus", "late")?;
        let known = run(changed.path(), &[])?;
        ensure!(!known.stderr().contains("everything is checked"), "{}", known.stderr());
        fixture::compare(&known, "focus", "late")
    })
}

#[test]
fn code_that_is_not_checked_is_typed_with_what_it_uses() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::by_fields(jdk)?;
        for _ in 0..2 {
            let run = focused.run(&["--exclude", "late.Plugin"], &[&all], &["late.Main", "late.Plugin"])?;
            ensure!(!run.stderr().contains("everything is checked"), "{}", run.stderr());
            fixture::compare(&run, "focus", "late")?;
        }
        ensure!(focused.set()?.has("late/Plugin"), "it was not typed");
        Ok(())
    })
}

#[test]
fn calls_that_were_not_foreseen_void_the_proofs() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let run = focused.run(&[], &[&all], &["unforeseen.Main"])?;
        let sentence = "jrace: unforeseen.Main$Box.<init> runs, though no call of it was found, so everything is checked: \
                        the next run with --focus learns from it\n";
        ensure!(run.stderr().contains(sentence), "{}", run.stderr());
        fixture::compare(&run, "focus", "unforeseen")?;
        let again = focused.run(&[], &[&all], &["unforeseen.Main"])?;
        let sentence = "jrace: the focus is by the types of fields only, as unforeseen.Main$Box.<init> ran";
        ensure!(again.stderr().contains(sentence) && !again.stderr().contains("everything"), "{}", again.stderr());
        fixture::compare(&again, "focus", "unforeseen")
    })
}

#[test]
fn what_only_tells_of_members_voids_nothing() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        for _ in 0..2 {
            let run = focused.run(&[], &[&all], &["told.Main"])?;
            let said = run.stderr();
            ensure!(!said.contains("types of fields only") && !said.contains("everything"), "{said}");
            fixture::compare(&run, "focus", "told")?;
        }
        let set = focused.set()?;
        let is_proved = set.get("told/Main").is_some_and(|main| main.is_race_free("told/Main$Own", "sum", "I"));
        ensure!(is_proved, "the search proves nothing");
        Ok(())
    })
}

/// Classes of libraries that void the proofs are known to the next run, whether a class that is checked names them or not.
#[test]
fn classes_of_libraries_that_are_added_void_the_proofs_once() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let added = [("lid", "added.Lid is used by typed classes"), ("added.Label", "added.Label uses typed classes")];
        for (part, sentence) in added {
            let focused = Focused::new(jdk)?;
            for (arguments, is_void) in [(&[][..], false), (&[part], true), (&[part], false)] {
                let arguments = [&["added.Main"], arguments].concat();
                let run = focused.run(&["--include", "added.Main:util.*"], &[&all], &arguments)?;
                let said = run.stderr();
                ensure!(!said.contains("types of fields only"), "{arguments:?} {said}");
                ensure!(said.contains("everything is checked") == is_void, "{arguments:?} {said}");
                ensure!(said.contains(sentence) == is_void, "{arguments:?} {said}");
                fixture::compare(&run, "focus", "added").with_context(|| format!("{arguments:?}"))?;
            }
        }
        Ok(())
    })
}

/// Serialization calls what the search does not see. That counts only once it runs.
#[test]
fn what_hides_calls_voids_the_proofs_once_it_runs() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let clean = focused.run(&[], &[&all], &["hidden.Main"])?;
        let said = clean.stderr();
        ensure!(
            clean.racy().is_empty() && !said.contains("types of fields only") && !said.contains("everything"),
            "{said}"
        );
        let is_proved = |set: &FocusSet| {
            let named = set.get("hidden/Main$Box");
            named.is_some_and(|named| named.is_race_free("hidden/Main", "resolved", "I"))
        };
        ensure!(is_proved(&focused.set()?), "the search proves nothing");
        let surprised = focused.run(&[], &[&all], &["hidden.Main", "restore"])?;
        let sentence = "jrace: hidden.Main.restore runs, which may call what cannot be seen, so everything is checked";
        ensure!(surprised.stderr().contains(sentence), "{}", surprised.stderr());
        fixture::compare(&surprised, "focus", "hidden")?;
        let known = focused.run(&[], &[&all], &["hidden.Main", "restore"])?;
        let sentence = "jrace: the focus is by the types of fields only, as hidden.Main.restore ran, which may call what cannot be seen\n";
        ensure!(known.stderr().contains(sentence) && !known.stderr().contains("everything"), "{}", known.stderr());
        ensure!(!is_proved(&focused.set()?), "it is still proved");
        fixture::compare(&known, "focus", "hidden")
    })
}

/// What is written is seen where it is given to the stream, not where the stream comes upon it in another object.
#[test]
fn what_streams_call_by_themselves_voids_the_proofs() -> Result<()> {
    let focused = Focused::new(&Jdk::oldest())?;
    let run = focused.run(&[], &[&fixture::classes("focus")?], &["written.Main"])?;
    ensure!(!run.stderr().contains("types of fields only"), "nothing is searched: {}", run.stderr());
    fixture::compare(&run, "focus", "written")?;
    let sentence =
        "jrace: written.Main$Part.writeExternal runs, which may call what cannot be seen, so everything is checked";
    ensure!(run.stderr().contains(sentence), "{}", run.stderr());
    Ok(())
}

/// What is presumed to be owned is held to its owner, whoever calls.
#[test]
fn accesses_are_held_to_presumed_owners() -> Result<()> {
    let (all, folder) = (fixture::classes("focus")?, tempfile::tempdir()?);
    on_oldest_and_newest(|jdk| {
        let (by_fields, by_methods) = (folder.path().join("field"), folder.path().join("method"));
        let output =
            jrace(jdk).arg("check").arg(&all).args(["--focus", "field", "--focus-set"]).arg(&by_fields).output()?;
        ensure!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        by_types(&all, jdk, "method", &by_methods)?;
        // Where order counts, an access is not held to an owner.
        let run = |options: &str| {
            Launch::main(jdk, &all, "owned.Main").checked(&format!("check=eraser,{options}")).run()?.succeeded()
        };
        let full = run("")?;
        fixture::compare(&full, "focus", "owned")?;
        let focused = run(&format!("focus_set={}", by_methods.display()))?;
        ensure!(focused.stderr().is_empty(), "{}", focused.stderr());
        ensure!(
            focused.racy() == [&full.racy()[..], &["Main$Box.settled".to_owned()]].concat(),
            "{:?}",
            focused.racy()
        );
        let field = run(&format!("focus_set={}", by_fields.display()))?;
        ensure!(field.racy() == full.racy() && n_sites(&focused)? < n_sites(&field)?, "{:?}", field.racy());
        let by_object = run(&format!("granularity=object,focus_set={}", by_methods.display()))?;
        ensure!(n_sites(&by_object)? == n_sites(&field)?, "owners are presumed of objects");
        Ok(())
    })
}

/// What the ledger of a focus by methods says of `owned`.
const HELD: [&str; 3] = [
    "  checked with --focus=method: its object is presumed to own it; 2 of 3 accesses, whose method takes the object's monitor, are \
     not checked, the others are held to it\n",
    "  checked with --focus=method: 1 of its 1 accesses; it is untyped\n  owned.Main$Box.forgotten at owned.Main$Box.forget \
     (Main.java:25), for holding its object's monitor\n",
    "  checked with --focus=method: 2 of its 2 accesses; it is untyped\n  owned.Main$Box.helped at owned.Main$Box.help (",
];

#[test]
fn the_ledger_says_what_is_held_to_its_owner() -> Result<()> {
    let output = jrace(&Jdk::oldest())
        .args(["explain", "--focus=method", "owned.*"])
        .arg(fixture::classes("focus")?)
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    let absent: Vec<_> = HELD.iter().filter(|line| !said.contains(**line)).collect();
    ensure!(absent.is_empty(), "{absent:#?} are not in {said}");
    Ok(())
}

/// Only what is their own is proved.
#[test]
fn initializers_of_classes_run_in_any_thread() -> Result<()> {
    let all = fixture::classes("focus")?;
    let focused = Focused::new(&Jdk::oldest())?;
    // To the check by order, all that follows an initializer comes after it.
    let run = focused.run(&["--check", "eraser"], &[&all], &["initialized.Main"])?;
    ensure!(!run.stderr().contains("jrace: the focus is by the types"), "{}", run.stderr());
    let by_locks = fixture::expectations("focus", "initialized")?.by_locks();
    by_locks.compare(&run.racy()).with_context(|| run.stderr())?;
    let set = focused.set()?;
    let late = set.get("initialized/Main$Late").context("it is not typed")?;
    ensure!(late.is_race_free("initialized/Main$Late", "own", "I"), "what is its own is not proved");
    Ok(())
}

/// Methods that run when the proofs become void know which locks they hold.
#[test]
fn locks_that_were_idle_are_known_when_the_proofs_are_void() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let clean = focused.run(&[], &[&all], &["held.Main"])?;
        ensure!(clean.racy().is_empty(), "{:?}", clean.racy());
        let set = focused.set()?;
        let main = set.get("held/Main").context("it is not typed")?;
        let with_monitors = main.methods.values().filter(|method| method.proofs.contains_key(&Proof::Idle)).count();
        ensure!(main.method("addAfterwards", "()V").elides(Elided::Lock) && with_monitors == 3, "{main:?}");
        let surprised = focused.run(&[], &[&all], &["held.Main", "late"])?;
        let sentence = "held.Main$Late uses typed classes but was not typed with them, so everything is checked";
        ensure!(surprised.stderr().contains(sentence), "{}", surprised.stderr());
        fixture::compare(&surprised, "focus", "held")
    })
}

/// Verification loads classes that nothing links. They keep their fields, and are woven again once they are linked: until then, and
/// in methods that began before, no thread asks the JVM for its monitors at each access.
#[test]
fn classes_that_are_not_linked_keep_nothing_from_being_checked_in_full() -> Result<()> {
    let all = fixture::classes("focus")?;
    on_oldest_and_newest(|jdk| {
        let focused = Focused::new(jdk)?;
        let clean = focused.run(&[], &[&all], &["unlinked.Main"])?;
        ensure!(clean.racy().is_empty(), "{:?}", clean.racy());
        let counter = focused.set()?.get("unlinked/Counter").cloned().context("it is not typed")?;
        ensure!(counter.method("size", "()I").elides(Elided::Lock), "{counter:?}");
        // Where order counts, all locks are told of from the start.
        let by_locks = ["--check", "eraser", "--option", "verbose=1"];
        let run = focused.run(&by_locks, &[&all], &["unlinked.Main", "unlinked.Plugin"])?;
        ensure!(!run.stderr().contains("could not be woven again"), "{}", run.stderr());
        let said = run.stderr();
        let looks = said.lines().find_map(|line| line.strip_suffix(" looks for unreported monitors"));
        let looks: u32 = looks.and_then(|line| line.rsplit(' ').next()).context("no count")?.parse()?;
        ensure!((1..100).contains(&looks), "{}", run.stderr());
        fixture::compare(&run, "focus", "unlinked")
    })
}

/// What is not checked may still call what is.
#[test]
fn unforeseen_calls_of_code_that_is_not_checked_void_the_proofs() -> Result<()> {
    let all = fixture::classes("focus")?;
    let run =
        Focused::new(&Jdk::oldest())?.run(&["--exclude", "unforeseen.Main$Box"], &[&all], &["unforeseen.Main"])?;
    ensure!(run.stderr().contains("unforeseen.Main$Box.<init> runs, though no call of it"), "{}", run.stderr());
    ensure!(run.racy().contains(&"Main.counted".to_owned()), "{:?}", run.racy());
    Ok(())
}

/// A program and its library.
const PARTS: [(&str, &str); 2] = [
    (
        "App.java",
        "public final class App {
            static int[] cells = new int[2];
            int own;
            public static void main(String[] args) {
                for (int i = 0; i < 2; i++) new Thread(() -> { App app = new App(); app.own += Lib.next(); cells[0]++; }).start();
            }
        }",
    ),
    ("Lib.java", "public final class Lib { public static synchronized int next() { return 1; } }"),
];

/// What a search proves holds for the libraries and the JDK that it went through.
#[test]
fn other_libraries_and_other_jdks_void_a_search() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let path = |name: &str| folder.path().join(name);
    for (name, text) in PARTS {
        std::fs::write(path(name), text)?;
    }
    jdk.compile(&[path("Lib.java")], &path("lib"), &["--release", "17"])?;
    jdk.compile(&[path("Lib.java")], &path("newer"), &["--release", "17", "-g:none"])?;
    let library = format!("{}", path("lib").display());
    jdk.compile(&[path("App.java")], &path("app"), &["--release", "17", "-cp", &library])?;
    let output = jrace(&jdk)
        .arg("check")
        .arg(path("app"))
        .args(["--library", &library, "--focus-set"])
        .arg(path("set"))
        .output()?;
    ensure!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = |jdk: &Jdk, lib: &str| -> Result<String> {
        let class_path = PathBuf::from(std::env::join_paths([path("app"), path(lib)])?);
        let options = format!("exclude=Lib,focus_set={}", path("set").display());
        let run = Launch::main(jdk, &class_path, "App").short().checked(&options).run()?.succeeded()?;
        ensure!(run.racy() == ["App.cells[]"], "{:?}", run.racy());
        Ok(run.stderr())
    };
    ensure!(said(&jdk, "lib")?.is_empty());
    ensure!(said(&jdk, "newer")?.starts_with("jrace: Lib has changed since it was typed, so everything is checked"));
    for other in Jdk::all().iter().filter(|other| other.feature != jdk.feature) {
        let said = said(other, "lib")?;
        ensure!(said.contains(" was made with JDK ") && said.starts_with("jrace: everything is checked"), "{said}");
    }
    Ok(())
}

/// A library that writes what it is given, and a program with a race by that.
const WRITES: [(&str, &str); 2] = [
    (
        "App.java",
        "public final class App {
            public static void main(String[] args) throws Exception {
                int[] cells = new int[1];
                Thread thread = new Thread(() -> Lib.count(cells));
                thread.start();
                while (thread.getThreadGroup() != null) Thread.yield();
                count(cells);
            }
            static void count(int[] cells) { cells[0]++; }
        }",
    ),
    ("Lib.java", "public final class Lib { public static void count(int[] cells) { cells[0]++; } }"),
];

/// A search that took a class for a library has not looked at what it accesses: neither where it was given as one, nor where it was
/// excluded in earlier runs.
#[test]
fn libraries_that_are_checked_void_a_search() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let path = |name: &str| folder.path().join(name);
    for (name, text) in WRITES {
        std::fs::write(path(name), text)?;
    }
    jdk.compile(&[path("Lib.java")], &path("lib"), &["--release", "17"])?;
    let library = format!("{}", path("lib").display());
    jdk.compile(&[path("App.java")], &path("app"), &["--release", "17", "-cp", &library])?;
    let parts = [path("app"), path("lib")];
    jrace(&jdk).arg("check").arg(path("app")).args(["--library", &library, "--focus-set"]).arg(path("set")).output()?;
    let options = format!("focus_set={}", path("set").display());
    let run = Launch::main(&jdk, &PathBuf::from(std::env::join_paths(&parts)?), "App").checked(&options).run()?;
    let said = "jrace: Lib is checked, though the proofs took it for a library, so everything is checked";
    ensure!(run.stderr().starts_with(said), "{}", run.stderr());
    ensure!(run.racy().len() == 1, "{:?}", run.racy());
    let focused = Focused::new(&jdk)?;
    let parts = parts.each_ref().map(PathBuf::as_path);
    let excluded = focused.run(&["--exclude=Lib"], &parts, &["App"])?;
    ensure!(excluded.racy().is_empty(), "{:?}", excluded.racy());
    for _ in 0..2 {
        let run = focused.run(&[], &parts, &["App"])?;
        ensure!(run.racy().len() == 1, "{:?}\n{}", run.racy(), run.stderr());
    }
    Ok(())
}

/// A program that names a class which knows none of its own.
const LEAF: &str = "public final class Leaf {
    static int shared;
    static void add() { shared++; }
    public static void main(String[] args) throws Exception {
        if (args.length > 0) Late.run(Leaf::add);
        for (int i = 0; i < 3; i++) add();
    }
}
final class Late {
    static void run(Runnable task) throws Exception {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}";

#[test]
fn classes_that_were_missing_void_the_proofs_when_they_come() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let classes = fixture::compiled_text(folder.path(), "Leaf.java", LEAF)?;
    on_every_jdk(|jdk| {
        let focused = Focused::new(jdk)?;
        let clean = focused.run(&[], &[&classes], &["Leaf"])?;
        ensure!(focused.set()?.lacks("Late") && !clean.stderr().contains("types of fields only"), "{}", clean.stderr());
        ensure!(clean.stderr().contains("jrace: no run has loaded Late, so less is proved\n"), "{}", clean.stderr());
        let is_proved = focused.set()?.get("Leaf").is_some_and(|leaf| leaf.is_race_free("Leaf", "shared", "I"));
        ensure!(is_proved && clean.racy().is_empty(), "{:?}", clean.racy());
        let surprised = focused.run(&["--check", "eraser"], &[&classes], &["Leaf", "late"])?;
        let sentence = "jrace: Late is used by typed classes but was not there, so everything is checked";
        ensure!(surprised.stderr().contains(sentence), "{}", surprised.stderr());
        ensure!(surprised.racy() == ["Leaf.shared"], "{:?}", surprised.racy());
        Ok(())
    })
}

/// A program that loads one class from two folders.
const LOADERS: &str = "import java.net.*;
public final class Loaders {
    public static void main(String[] folders) throws Exception {
        for (String folder : folders) {
            URL[] urls = { new java.io.File(folder).toURI().toURL() };
            new URLClassLoader(urls).loadClass(\"Twice\").getMethod(\"add\").invoke(null);
        }
    }
}";

/// One of them is typed. The other one voids the proofs in each run, and it is said why.
#[test]
fn a_class_in_two_versions_voids_the_proofs_and_is_named() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("Loaders.java"), LOADERS)?;
    jdk.compile(&[path("Loaders.java")], &path("classes"), &["--release", "17"])?;
    std::fs::write(path("Twice.java"), "public class Twice { static int n; public static void add() { n++; } }")?;
    for (name, option) in [("one/", "-g"), ("other/", "-g:none")] {
        jdk.compile(&[path("Twice.java")], &path(name), &["--release", "17", option])?;
    }
    let (one, other) = (path("one/"), path("other/"));
    let arguments = ["Loaders", one.to_str().context("a path")?, other.to_str().context("a path")?];
    let said = Focused::new(&jdk)?.run(&[], &[&path("classes")], &arguments)?.stderr();
    ensure!(said.contains("jrace: Twice has changed since it was typed, so everything is checked"), "{said}");
    let sentence = "jrace: Twice was loaded in several versions, of which one can be typed: when another comes, everything is checked\n";
    ensure!(said.contains(sentence), "{said}");
    Ok(())
}

/// Fields with what the ledger says of them.
const LEDGER: &str = "public final class Led {
    static volatile int flag; // not checked with --focus: by its type
    static int racy; // checked with --focus: the search finds accesses that may race
    static int early; // not checked with --focus: of any two accesses, one thread makes both; or one comes before the start of the other's thread
    static int idle; // not checked with --focus: of any two accesses, one thread makes both
    static int elsewhere; // checked with --focus: class initializers use it that are not its own, in any thread
    public static void main(String[] args) throws Exception {
        early++; Led.class.getDeclaredField(\"looked\");
        Thread thread = new Thread(() -> both());
        thread.start();
        idle++;
        both();
        thread.join();
    }
    static final Object lock = new Object();
    static void both() { flag = early; racy++; Late.come(); locks(); }
    static void locks() {
        synchronized (lock) { flag = 2; }
        synchronized (lock) { racy--; }
    }
    static void unused() { idle++; }
    static int looked; // checked with --focus: reflection or a handle accesses it
    static final class Late {
        static { elsewhere++; }
        static void come() {}
    }
}";

/// What the ledger says of the fields of a program, by their names.
#[test]
fn the_ledger_says_what_a_focus_checks_and_why() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let classes = fixture::compiled_text(folder.path(), "Led.java", LEDGER)?;
    let output = jrace(&jdk).args(["explain", "--focus", "Led.*"]).arg(&classes).output()?;
    let said = String::from_utf8(output.stdout)?;
    for line in LEDGER.lines() {
        let Some((declaration, expected)) = line.split_once("; // ") else { continue };
        let name = declaration.rsplit(' ').next().unwrap_or_default();
        let told = said.split_once(&format!("Led.{name}:")).context("a field")?.1;
        let told = told.lines().find(|line| line.contains("checked with --focus: "));
        ensure!(told.is_some_and(|told| told.trim() == expected), "{name}: {told:?}\n{said}");
    }
    ensure!(said.contains("  checked with --focus: 2 of its 4 accesses\n  Led.racy at Led.both (Led.java:"), "{said}");
    let locks = [
        "  taken as a lock at 2 places, of which the agent is not told at 1, where it is idle\n",
        "  the lock taken at Led.locks (Led.java:18) is idle, so the agent is not told of it: nothing that is checked can run under it\n",
        "  the lock taken at Led.locks (Led.java:19) is not idle: what is checked at Led.locks (Led.java:19) is under it\n",
    ];
    let absent: Vec<_> = locks.iter().filter(|line| !said.contains(**line)).collect();
    ensure!(absent.is_empty(), "{absent:?}\n{said}");
    ensure!(
        said.contains(
            "  checked with --focus: 0 of its 2 accesses; everything once it runs, as no call of it is found\n"
        )
    );
    Ok(())
}
