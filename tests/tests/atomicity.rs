//! Transactions and lock orders: what is recorded, and what is foreseen from it. The threads of the programs take turns, so that
//! nothing goes wrong; the checkers must find what could.
#![allow(clippy::disallowed_methods, reason = "reads and writes findings")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use facts::event::EventKind;
use facts::index::SiteId;
use facts::name::{dotted, simple};
use facts::site::Action;
use facts::trace::{Record, TraceReader};
use jrace_tests::demos::Demo;
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::{classes, folder, on_every_jdk, on_oldest_and_newest};
use jrace_tests::generator;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::jrace;
use serde_json::Value;
use tempfile::TempDir;

/// A program whose comments say what is not atomic and what can deadlock.
struct Case {
    name: String,
    main: String,
    classes: PathBuf,
    sources: Vec<PathBuf>,
}

impl Case {
    fn new(name: &str) -> Result<Self> {
        Self::of("atomicity", name)
    }

    /// What a case extends of the JDK is not proved of the others in its group.
    fn of(group: &str, name: &str) -> Result<Self> {
        let sources = sources(&folder().join(group).join(name))?;
        Ok(Self { name: name.to_owned(), main: format!("{name}.Main"), classes: classes(group)?, sources })
    }

    /// The demo with a hazard of each kind.
    fn hazards() -> Result<Self> {
        let demo = demo("hazards")?;
        Ok(Self { classes: demo.classes()?, sources: demo.sources()?, main: demo.main, name: demo.name })
    }

    fn all() -> Result<Vec<Self>> {
        let cases = ["blocks", "concurrentmap", "deadlock", "handover", "repeats", "waiting"].map(Self::new);
        let apart = ["attempts", "extended"].map(|name| Self::of(name, name));
        cases.into_iter().chain(apart).chain([Self::hazards()]).collect()
    }

    /// Runs it under the agent and hands on the trace.
    fn recorded(&self, jdk: &Jdk, options: &str, check: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let launch = Launch::main(jdk, &self.classes, &self.main).short();
        record(launch, &format!("exclude=util.*,{options}"), check).with_context(|| self.name.clone())
    }
}

fn demo(name: &str) -> Result<Demo> {
    Demo::all()?.into_iter().find(|demo| demo.name == name).context("no such demo")
}

/// Runs a program under the agent and hands on the trace.
fn record(launch: Launch, options: &str, check: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let options = format!("check=none,record={},{options}", directory.path().display());
    launch.checked(&options).run()?.succeeded()?;
    let traces: Vec<PathBuf> = std::fs::read_dir(directory.path())?.flatten().map(|entry| entry.path()).collect();
    let [trace] = traces.as_slice() else { anyhow::bail!("{} traces", traces.len()) };
    check(trace).context(options)
}

/// The JSON report of a command, which exits with 66 if there is something in it.
fn report(command: &mut Command) -> Result<Value> {
    let output = command.output()?;
    let said = || String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).with_context(said)?;
    ensure!(output.status.code() == Some(if hazards(&report).is_empty() { 0 } else { 66 }), "{}", said());
    Ok(report)
}

/// The hazards of a report as in comments: rule, and simple names of the methods.
fn hazards(report: &Value) -> BTreeSet<(String, String)> {
    let named = |hazard: &Value| {
        let names = hazard["name"].as_str().unwrap_or_default().split(", ").map(|name| {
            let (class, method) = name.rsplit_once('.').unwrap_or_default();
            format!("{}.{method}", simple(&class.replace('.', "/")))
        });
        (hazard["rule"].as_str().unwrap_or_default().to_owned(), names.collect::<Vec<_>>().join(", "))
    };
    report["hazards"].as_array().into_iter().flatten().map(named).collect()
}

fn compare(rule: &str, sources: &[PathBuf], report: &Value) -> Result<()> {
    let found: Vec<String> =
        hazards(report).into_iter().filter(|(found, _)| found == rule).map(|(_, name)| name).collect();
    Expectations::of_rule(rule, sources)?.compare(&found).with_context(|| rule.to_owned())
}

fn replay(jdk: &Jdk, trace: &Path, checker: &str) -> Result<Value> {
    report(jrace(jdk).args(["replay", "--json", "--checker", checker]).arg(trace))
}

#[test]
fn cases_say_what_is_not_atomic_and_what_can_deadlock() -> Result<()> {
    on_every_jdk(|jdk| {
        for case in Case::all()? {
            case.recorded(jdk, "atomicity=block,deadlocks=1", |trace| {
                compare("atomicity", &case.sources, &replay(jdk, trace, "block")?)?;
                compare("deadlock", &case.sources, &replay(jdk, trace, "deadlock")?)
            })?;
        }
        Ok(())
    })
}

/// A pipe in the place of a second trace keeps the checker waiting once it has looked at the first.
#[test]
fn a_signal_shows_what_replayed_traces_have_until_then() -> Result<()> {
    let (jdk, case) = (Jdk::oldest(), Case::hazards()?);
    case.recorded(&jdk, "atomicity=block", |trace| {
        let whole = replay(&jdk, trace, "block")?;
        ensure!(!hazards(&whole).is_empty());
        let pipe = trace.with_extension("pipe");
        ensure!(Command::new("mkfifo").arg(&pipe).status()?.success());
        let mut command = jrace(&jdk);
        command.args(["replay", "--json", "--checker", "block"]).args([trace, &pipe]).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        // Opens as soon as the other end does.
        let writer = File::options().write(true).open(&pipe)?;
        ensure!(Command::new("kill").arg(child.id().to_string()).status()?.success());
        let said: Value = serde_json::from_reader(child.stdout.take().context("output")?)?;
        ensure!(child.wait()?.code() == Some(66));
        drop(writer);
        ensure!(hazards(&said) == hazards(&whole), "{said:#}");
        let note = "a signal came before everything was looked at: hazards may be missing";
        ensure!(said.to_string().contains(note), "{said:#}");
        Ok(())
    })
}

/// Reduction has more false alarms, but misses nothing that blocks find.
#[test]
fn reduction_finds_what_blocks_find() -> Result<()> {
    on_every_jdk(|jdk| {
        for case in Case::all()? {
            case.recorded(jdk, "atomicity=reduction", |trace| {
                let (blocks, reduction) = (replay(jdk, trace, "block")?, replay(jdk, trace, "reduction")?);
                let missed: Vec<_> = hazards(&blocks).difference(&hazards(&reduction)).cloned().collect();
                ensure!(missed.is_empty(), "{missed:?}");
                Ok(())
            })?;
        }
        Ok(())
    })
}

/// Every beginning has its end, the innermost first, also when an exception leaves the code; other traces have neither.
#[test]
fn transactions_nest_in_traces() -> Result<()> {
    on_every_jdk(|jdk| {
        for (options, expected) in [("atomicity=block", true), ("", false)] {
            Case::new("waiting")?.recorded(jdk, options, |trace| {
                let mut open = BTreeMap::<_, Vec<_>>::new();
                let (mut n_begun, mut n_threads) = (0, 0);
                for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
                    let Record::Event(event) = record? else { continue };
                    let open = open.entry(event.thread).or_default();
                    match event.action {
                        EventKind::Enter => {
                            n_begun += 1;
                            open.push(event.site);
                        }
                        EventKind::Exit => ensure!(open.pop() == Some(event.site), "{event:?}"),
                        EventKind::End => n_threads += 1,
                        _ => {}
                    }
                }
                ensure!(open.values().all(Vec::is_empty), "{open:?}");
                ensure!(if expected { n_begun >= 10 } else { n_begun == 0 }, "{n_begun} begin");
                ensure!(n_threads >= 7, "{n_threads} threads end");
                Ok(())
            })?;
        }
        Ok(())
    })
}

/// To reduction, a monitor is given back where it was taken: to find the very line took longer than all the rest.
#[test]
fn releases_have_the_place_of_their_acquisitions() -> Result<()> {
    Case::new("blocks")?.recorded(&Jdk::oldest(), "atomicity=reduction", |trace| {
        let (mut held, mut n_released) = (BTreeMap::<_, Vec<_>>::new(), 0);
        for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
            let Record::Event(event) = record? else { continue };
            match event.action {
                EventKind::Acquire(lock, _) => held.entry((event.thread, lock)).or_default().push(event.site),
                EventKind::Release(lock, _) => {
                    let taken = held.entry((event.thread, lock)).or_default().pop();
                    ensure!(event.site != SiteId(0) && taken == Some(event.site), "{event:?} {taken:?}");
                    n_released += 1;
                }
                _ => {}
            }
        }
        ensure!(n_released >= 5, "{n_released} releases");
        Ok(())
    })
}

#[test]
fn patterns_choose_transactions() -> Result<()> {
    let jdk = Jdk::oldest();
    Case::hazards()?.recorded(&jdk, "atomicity=block,transactions=hazards.Point.moveBad:*.sum", |trace| {
        let found = hazards(&replay(&jdk, trace, "block")?);
        ensure!(found == [("atomicity".to_owned(), "Point.moveBad".to_owned())].into(), "{found:?}");
        Ok(())
    })
}

/// `jrace run` foresees when the command has ended, keeps what it found for `jrace report`, and leaves no trace.
#[test]
fn runs_foresee() -> Result<()> {
    let jdk = Jdk::oldest();
    let (directory, temporary) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let command = |arguments: &[&str]| {
        let mut command = jrace(&jdk);
        command.current_dir(directory.path()).env("TMPDIR", temporary.path()).args(arguments);
        command
    };
    let hazards = Case::hazards()?;
    let run = |flags: &[&str], hazard: &str| -> Result<(Option<i32>, String)> {
        let mut run = command(&["run"]);
        run.args(flags).arg("--").arg(jdk.home.join("bin/java")).arg("-cp").arg(&hazards.classes);
        let output = run.args([&hazards.main, hazard]).output()?;
        let last = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
        Ok((output.status.code(), last))
    };
    let summary = |what: &str, exit| {
        let line =
            format!("SUMMARY: jrace: 0 races in 0 variables{what} (0 suppressed, 0 in baseline), 1 JVM, exit {exit}");
        (Some(exit), line)
    };
    ensure!(run(&[], "transfer")? == summary("", 0));
    ensure!(run(&["--deadlocks"], "transfer")? == summary(", 0 potential deadlocks", 0));
    ensure!(run(&["--atomicity=reduction"], "append")?.1.contains(" atomicity violation"));
    ensure!(
        run(&["--atomicity", "--deadlocks"], "transfer")?
            == summary(", 1 atomicity violation, 0 potential deadlocks", 66)
    );
    let kept = report(&mut command(&["report", "--last", "--json"]))?;
    let bank: Vec<PathBuf> = hazards.sources.iter().filter(|source| source.ends_with("Bank.java")).cloned().collect();
    compare("atomicity", &bank, &kept)?;
    std::fs::write(directory.path().join("known"), "atomicity:^hazards.Bank.transferBad$\n")?;
    let flags = ["--atomicity", "--suppressions", "known"];
    let (code, line) = run(&flags, "transfer")?;
    ensure!(code == Some(0) && line.contains("0 atomicity violations (1 suppressed"), "{line}");
    ensure!(std::fs::read_dir(temporary.path())?.flatten().next().is_none(), "a trace is left");
    Ok(())
}

/// A trace that has reached its limit is read up to there, and both sides say so.
#[test]
fn limits_are_kept_and_said() -> Result<()> {
    let jdk = Jdk::oldest();
    let directory = tempfile::tempdir()?;
    let traces = directory.path().join("traces");
    let mut run = jrace(&jdk);
    run.current_dir(directory.path()).args(["run", "--check", "none", "--atomicity", "--option", "record_limit=1"]);
    run.arg("--record").arg(&traces).arg("--").arg(jdk.home.join("bin/java")).arg("-cp");
    let output = run.arg(classes("atomicity")?).args(["waiting.Main", "100000"]).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(said.contains("it has reached record_limit") && said.contains(" is cut short from byte "), "{said}");
    for trace in std::fs::read_dir(&traces)?.flatten() {
        let length = trace.metadata()?.len();
        ensure!((900_000..=1 << 20).contains(&length), "{length} bytes");
    }
    Ok(())
}

/// The claim of a call takes two locked sections.
#[test]
fn the_elevator_is_not_atomic() -> Result<()> {
    let demo = demo("elevator")?;
    let runs_as_expected = |jdk: &Jdk, focus: &[&str]| {
        let directory = tempfile::tempdir()?;
        let mut run = jrace(jdk);
        run.current_dir(directory.path()).args(["run", "--atomicity", "--deadlocks"]).args(focus).arg("--");
        run.arg(jdk.home.join("bin/java")).arg("-cp").arg(demo.classes()?).arg(&demo.main).args(&demo.args);
        ensure!(run.output()?.status.code() == Some(66));
        let kept = report(jrace(jdk).current_dir(directory.path()).args(["report", "--json"]))?;
        compare("atomicity", &demo.sources()?, &kept)?;
        compare("deadlock", &demo.sources()?, &kept)
    };
    runs_as_expected(&Jdk::oldest(), &["--focus"])?;
    on_every_jdk(|jdk| runs_as_expected(jdk, &[]))
}

/// What the static types prove.
struct Proved {
    /// Atomic methods, `package.Class.method`; of those that are overloaded, if all are.
    methods: BTreeSet<String>,
    /// Race-free fields, `package.Class.field`.
    fields: BTreeSet<String>,
}

impl Proved {
    fn of(jdk: &Jdk, classes: &Path) -> Result<Self> {
        let output = jrace(jdk).args(["explain", "*"]).arg(classes).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (mut methods, mut others, mut fields) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for line in String::from_utf8(output.stdout)?.lines().filter(|line| !line.starts_with(' ')) {
            let Some((name, what)) = line.split_once(": ") else { continue };
            let is_unsafe = ["race-unsafe", "not always guarded", "volatile"].iter().any(|word| what.starts_with(word));
            match name.split_once('(') {
                Some((method, _)) if what == "cmpd" => _ = others.insert(method.to_owned()),
                Some((method, _)) => _ = methods.insert(method.to_owned()),
                None if is_unsafe => {}
                None => _ = fields.insert(name.to_owned()),
            }
        }
        Ok(Self { methods: &methods - &others, fields })
    }

    /// Whether a hazard is one of a method that is proved atomic. Reduction, unlike blocks, also reports what Eraser takes for a
    /// race: that is no contradiction if the field is proved race-free.
    fn is_contradicted(&self, hazard: &Value) -> bool {
        let steps = hazard["scenarios"].as_array().into_iter().flatten();
        let mut steps = steps.flat_map(|scenario| scenario["steps"].as_array().into_iter().flatten());
        let is_race_free = |step: &Value| {
            let (class, name) = (step["variable"]["class"].as_str(), step["variable"]["name"].as_str());
            let name = class.zip(name).map(|(class, name)| format!("{}.{name}", dotted(class)));
            name.is_some_and(|name| self.fields.contains(&name))
        };
        let is_known = hazard["evidence"] == "reduction" && steps.any(is_race_free);
        hazard["name"].as_str().is_some_and(|name| self.methods.contains(name)) && !is_known
    }

    /// Replays a trace with both checkers: no execution of a method that is proved atomic is broken. Returns how many such
    /// methods were transactions.
    fn agrees(&self, jdk: &Jdk, trace: &Path) -> Result<usize> {
        for checker in ["block", "reduction"] {
            let report = replay(jdk, trace, checker)?;
            let hazards = report["hazards"].as_array().into_iter().flatten();
            let wrong: Vec<&Value> = hazards.filter(|hazard| self.is_contradicted(hazard)).collect();
            ensure!(wrong.is_empty(), "proved atomic, but broken by {checker}: {wrong:#?}");
        }
        let mut executed = BTreeSet::new();
        for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
            if let Record::Site(_, site) = record?
                && site.action == Action::Transaction
            {
                executed.insert(format!("{}.{}", dotted(&site.place.class), site.place.method));
            }
        }
        Ok(executed.intersection(&self.methods).count())
    }
}

/// What need not be observed for transactions.
fn unshared(jdk: &Jdk, classes: &Path, file: &Path) -> Result<()> {
    let output =
        jrace(jdk).arg("check").arg(classes).args(["--focus", "unshared", "--focus-set"]).arg(file).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() != Some(2) && said.is_empty(), "{said}");
    Ok(())
}

/// The hazards that a checker finds in a trace with a focus and in one without, of a program that always does the same.
/// Blocks and locks are the same; reduction loses false alarms, of data that is handed over without a lock. Returns the lengths
/// of the traces.
fn compare_focused(jdk: &Jdk, launch: &Launch, options: &str, set: &Path) -> Result<[u64; 2]> {
    let full = Foreseen::of(jdk, launch, options)?;
    let focused = Foreseen::of(jdk, launch, &format!("{options},focus_set={}", set.display()))?;
    ensure!((&focused.block, &focused.deadlock) == (&full.block, &full.deadlock), "{focused:#?} of {full:#?}");
    let reduction = &focused.reduction;
    ensure!(reduction.is_subset(&full.reduction) && reduction.is_superset(&full.block), "{focused:#?} of {full:#?}");
    Ok([full.length, focused.length])
}

/// The hazards that each checker finds in a trace.
#[derive(Debug)]
struct Foreseen {
    /// Bytes of the trace.
    length: u64,
    block: BTreeSet<(String, String)>,
    deadlock: BTreeSet<(String, String)>,
    reduction: BTreeSet<(String, String)>,
}

impl Foreseen {
    fn of(jdk: &Jdk, launch: &Launch, options: &str) -> Result<Self> {
        let mut foreseen = None;
        record(launch.clone(), options, |trace| {
            let found = |checker| Ok::<_, anyhow::Error>(hazards(&replay(jdk, trace, checker)?));
            let [block, deadlock, reduction] = [found("block")?, found("deadlock")?, found("reduction")?];
            foreseen = Some(Self { length: std::fs::metadata(trace)?.len(), block, deadlock, reduction });
            Ok(())
        })?;
        foreseen.context("no trace")
    }
}

/// What a trace with transactions leaves out because earlier accesses cover it, no checker misses. Returns the lengths of the
/// traces.
fn compare_without_redundant(jdk: &Jdk, classes: &Path, main: &str, options: &str) -> Result<[u64; 2]> {
    let launch = Launch::main(jdk, classes, main).short();
    let full = Foreseen::of(jdk, &launch, options)?;
    let left = Foreseen::of(jdk, &launch, &format!("{options},record_redundant=0"))?;
    let [of_full, of_left] = [&full, &left].map(|found| (&found.block, &found.deadlock, &found.reduction));
    ensure!(of_full == of_left, "{left:#?} of {full:#?}");
    Ok([full.length, left.length])
}

/// Demos whose threads do the same in every run, but for who comes first.
#[test]
fn what_is_redundant_matters_to_no_demo() -> Result<()> {
    let jdk = Jdk::oldest();
    for demo in Demo::all()?.iter().filter(|demo| ["elevator", "moldyn", "montecarlo"].contains(&demo.name.as_str())) {
        let few = ["4", "2", "2"].map(str::to_owned);
        let arguments = if demo.name == "moldyn" { &few[..] } else { &demo.args[..] };
        let launch = Launch::main(&jdk, &demo.classes()?, &demo.main).args(arguments);
        let full = Foreseen::of(&jdk, &launch, "atomicity=block")?;
        let left = Foreseen::of(&jdk, &launch, "atomicity=block,record_redundant=0")?;
        ensure!(left.block == full.block, "{}: {left:#?} of {full:#?}", demo.name);
    }
    Ok(())
}

/// With methods that types prove atomic (paper 004, section 6.2), the same transactions of the same trace are accused.
fn compare_proved(jdk: &Jdk, classes: &Path, trace: &Path) -> Result<()> {
    let full = hazards(&replay(jdk, trace, "block")?);
    let mut focused = jrace(jdk);
    focused.args(["replay", "--json", "--checker", "block", "--proved"]).arg(classes).arg(trace);
    let focused = hazards(&report(&mut focused)?);
    ensure!(focused == full, "{focused:?} of {full:?}");
    Ok(())
}

#[test]
fn what_is_redundant_matters_to_no_transaction() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        for case in Case::all()? {
            let options = "exclude=util.*,atomicity=block,deadlocks=1";
            let [full, left] = compare_without_redundant(jdk, &case.classes, &case.main, options)
                .with_context(|| case.name.clone())?;
            // Accesses in loops without locks, and transactions that do the same again.
            ensure!(case.name != "repeats" || left < full / 50, "{left} of {full} bytes are left");
        }
        Ok(())
    })?;
    let jdk = Jdk::oldest();
    let classes = random_classes(&jdk)?;
    let [full, left] =
        compare_without_redundant(&jdk, classes.path(), "All", "exclude=support.Support,atomicity=block,deadlocks=1")?;
    ensure!(left < full, "nothing was left out of {full} bytes");
    Ok(())
}

/// What a thread has done ten thousand times in a row is left out, and what objects it makes and sees then stays right. Known
/// miss: `stepBad`, which only then adds twice; a run that takes longer than a second may find it, as all is recorded then for a
/// moment.
#[test]
fn known_spans_are_left_out() -> Result<()> {
    let jdk = Jdk::oldest();
    let launch = Launch::main(&jdk, &classes("atomicity")?, "spans.Main");
    let common = "exclude=util.*,atomicity=block,record_redundant=0";
    let every = ["Box.lateBad", "Counter.rareBad", "Counter.stepBad"];
    for (options, expected) in [("retire=0", &every[..]), ("", &every[..2]), ("check=eraser", &every[..2])] {
        record(launch.clone(), &format!("{common},{options}"), |trace| {
            let found: Vec<String> =
                hazards(&replay(&jdk, trace, "block")?).into_iter().map(|(_, name)| name).collect();
            ensure!(found == expected || found == every, "{found:?}");
            Ok(())
        })?;
    }
    Ok(())
}

/// What was done before a start of a thread is new after it.
#[test]
fn starts_make_all_new() -> Result<()> {
    let jdk = Jdk::oldest();
    let launch = Launch::main(&jdk, &classes("atomicity")?, "spans.Forks");
    record(launch, "exclude=util.*,atomicity=block,record_redundant=0", |trace| {
        let found: Vec<String> = hazards(&replay(&jdk, trace, "block")?).into_iter().map(|(_, name)| name).collect();
        ensure!(found == ["Box.lateBad", "Counter.rareBad"], "{found:?}");
        Ok(())
    })
}

/// Of spans that take long, fewer are recorded: of these 250, a hundred, and some more each second.
#[test]
fn long_spans_are_known_sooner() -> Result<()> {
    let launch = Launch::main(&Jdk::oldest(), &classes("atomicity")?, "longspans.Main");
    let length = |options: &str| {
        let mut length = 0;
        record(launch.clone(), &format!("atomicity=block,record_redundant=0,{options}"), |trace| {
            length = std::fs::metadata(trace)?.len();
            Ok(())
        })?;
        Ok::<_, anyhow::Error>(length)
    };
    let [all, left] = [length("retire=0")?, length("")?];
    ensure!((3 * left..6 * left).contains(&(2 * all)), "{left} of {all} bytes are left");
    Ok(())
}

/// Once a second, what is left out is looked at again.
#[test]
fn bursts_find_what_is_late() -> Result<()> {
    let jdk = Jdk::oldest();
    let launch = Launch::main(&jdk, &classes("atomicity")?, "spans.Main").args(&["1500".to_owned()]);
    record(launch, "exclude=util.*,atomicity=block,record_redundant=0", |trace| {
        let found = hazards(&replay(&jdk, trace, "block")?);
        ensure!(found == [("atomicity".to_owned(), "Counter.stepBad".to_owned())].into(), "{found:?}");
        Ok(())
    })
}

#[test]
fn a_focus_loses_no_transaction_of_a_case() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        // Most cases are compiled together.
        let (folder, mut sets) = (tempfile::tempdir()?, BTreeMap::new());
        for case in Case::all()? {
            let n_known = sets.len();
            let set = sets.entry(case.classes.clone()).or_insert_with(|| folder.path().join(n_known.to_string()));
            if !set.exists() {
                unshared(jdk, &case.classes, set)?;
            }
            let launch = Launch::main(jdk, &case.classes, &case.main).short();
            compare_focused(jdk, &launch, "exclude=util.*,atomicity=block,deadlocks=1", set)
                .with_context(|| case.name)?;
        }
        Ok(())
    })
}

#[test]
fn no_case_contradicts_its_atomicities() -> Result<()> {
    let jdk = Jdk::oldest();
    let mut n_executed = 0;
    for case in Case::all()? {
        let proved = Proved::of(&jdk, &case.classes)?;
        case.recorded(&jdk, "atomicity=block", |trace| {
            n_executed += proved.agrees(&jdk, trace)?;
            compare_proved(&jdk, &case.classes, trace)
        })?;
    }
    ensure!(n_executed >= 12, "only {n_executed} atomic methods were run");
    Ok(())
}

#[test]
fn no_demo_contradicts_its_atomicities() -> Result<()> {
    let jdk = Jdk::oldest();
    let (mut n_executed, mut wrong) = (0, Vec::new());
    for demo in Demo::all()? {
        let proved = Proved::of(&jdk, &demo.classes()?)?;
        let launch = Launch::main(&jdk, &demo.classes()?, &demo.main).short().args(&demo.args);
        let of_demo = record(launch, "atomicity=block,record_limit=2", |trace| {
            n_executed += proved.agrees(&jdk, trace)?;
            Ok(())
        });
        wrong.extend(of_demo.err().map(|error| format!("{}: {error:#}", demo.name)));
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    ensure!(n_executed >= 20, "only {n_executed} atomic methods were run");
    Ok(())
}

/// A random program whose recursion ends by its parameter: the fuel that methods share would break every one of them.
fn random_program(seed: u64) -> String {
    let mut text = generator::program(seed)
        .replace("if (!Support.spend()) return;", "if (n < 2) return;")
        .replace("if (Support.spend()) {", "if (n > 2) {")
        .replace("old = null; Support.spend();", "old = null; old == null;")
        .replace(", null, n);", ", null, n - 1);");
    for number in 0..4 {
        text = text.replace(&format!("new K{number}(n)"), &format!("new K{number}(n - 1)"));
        text = text.replace(&format!(" h{number}(n);"), &format!(" h{number}(n - 1);"));
        text = text.replace(&format!("\nh{number}(n);"), &format!("\nh{number}(n - 1);"));
    }
    text
}

/// Compiles random programs; `All` runs them.
fn random_classes(jdk: &Jdk) -> Result<TempDir> {
    let (sources, classes) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let mut main = String::from("public final class All { public static void main(String[] args) {\n");
    let mut files = vec![("support/Support.java".to_owned(), generator::joined())];
    for seed in generator::seeds(0..40) {
        files.push((format!("g{seed}/Main.java"), random_program(seed)));
        main += &format!("g{seed}.Main.run();\n");
    }
    files.push(("All.java".to_owned(), main + "}}\n"));
    let mut all = Vec::new();
    for (name, text) in files {
        let path = sources.path().join(name);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        std::fs::write(&path, text)?;
        all.push(path);
    }
    jdk.compile(&all, classes.path(), &["--release", "17"])?;
    Ok(classes)
}

#[test]
fn a_focus_loses_no_transaction_of_a_random_program() -> Result<()> {
    let jdk = Jdk::oldest();
    let classes = random_classes(&jdk)?;
    let set = classes.path().join("focus-set");
    unshared(&jdk, classes.path(), &set)?;
    let launch = Launch::main(&jdk, classes.path(), "All").short();
    let [full, focused] = compare_focused(&jdk, &launch, "exclude=support.Support,atomicity=block,deadlocks=1", &set)?;
    ensure!(focused < full, "nothing was left out of {full} bytes");
    Ok(())
}

#[test]
fn no_random_program_contradicts_its_atomicities() -> Result<()> {
    let jdk = Jdk::oldest();
    let classes = random_classes(&jdk)?;
    let proved = Proved::of(&jdk, classes.path())?;
    let launch = Launch::main(&jdk, classes.path(), "All").short();
    let mut n_executed = 0;
    record(launch, "exclude=support.Support,atomicity=block", |trace| {
        n_executed = proved.agrees(&jdk, trace)?;
        compare_proved(&jdk, classes.path(), trace)
    })?;
    ensure!(n_executed > generator::seeds(0..40).count(), "only {n_executed} atomic methods were run");
    Ok(())
}
