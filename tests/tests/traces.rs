//! Traces: what is recorded from a JVM, replayed through the reference checker, gives what the agent found as it ran.
#![allow(clippy::disallowed_methods, reason = "reads and cuts traces")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::finding::Variable;
use facts::index::{FieldId, ObjectId, ThreadId};
use facts::trace::{Record, TraceReader};
use jrace_tests::fixture::{classes, expectations, folder, on_every_jdk, on_oldest_and_newest};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, command, only_trace, short_name};

/// Programs whose threads run one after another, so that the trace has the one order that there was.
const PROGRAMS: [(&str, &[&str]); 2] = [
    (
        "locks",
        &["monitors", "methods", "unwound", "reentrant", "readwrite", "stamped", "waiting", "recursion", "fresh"],
    ),
    ("variables", &["fields", "statics", "arrays", "objects", "failing"]),
];

/// A trace does not tell an optimistic read, which is validated, from one without a lock.
const OPTIMISTIC: [&str; 10] = [
    "AskedByOthers.x",
    "AskedByOthers.y",
    "AskedByOthers.z",
    "AsksElsewhere.x",
    "Data.optimistic",
    "NestedHopes.x",
    "Optimistic.x",
    "Optimistic.y",
    "OptimisticLoop.x",
    "OptimisticWhileWritten.x",
];

/// What constructors of subclasses write: the trace has the end of the constructor of the class that declares the finalizer.
const FINALIZED: &[&str] = &["Finalized$FileHandle.name", "Finalized$FileHandle.tail", "Finalized$Tail.length"];

/// Nor that a clone's fields are written when it is made.
const CLONED: &[&str] = &["PublishedClone$Order.items", "Cloned$Item.ofClone"];

/// Runs a case under the agent, which checks and records, and hands on the run and the trace.
fn recorded(
    jdk: &Jdk,
    group: &str,
    case: &str,
    options: &str,
    check: impl FnOnce(&Run, &Path) -> Result<()>,
) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let options = format!("record={},{options}", directory.path().display());
    let run =
        Launch::main(jdk, &classes(group)?, &format!("{case}.Main")).short().checked(&options).run()?.succeeded()?;
    let trace = only_trace(directory.path())?;
    check(&run, &trace).with_context(|| format!("{group}/{case}, {options}"))
}

/// What `jrace replay` prints: its report, and what it says besides.
fn replay_apart(trace: &Path, arguments: &[&str]) -> Result<(String, String)> {
    let output = Command::new(command()).arg("replay").arg(trace).args(arguments).output()?;
    let [report, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    ensure!([Some(0), Some(66)].contains(&output.status.code()), "{said}");
    Ok((report, said))
}

fn replay(trace: &Path, arguments: &[&str]) -> Result<String> {
    let (report, said) = replay_apart(trace, arguments)?;
    Ok(report + &said)
}

fn replayed(trace: &Path, arguments: &[&str]) -> Result<Vec<String>> {
    let (text, _) = replay_apart(trace, &[&["--json"], arguments].concat())?;
    let report: serde_json::Value = serde_json::from_str(&text)?;
    let findings = report["findings"].as_array().context("a list of findings")?;
    let names = findings.iter().map(|finding| {
        let variable: Variable = serde_json::from_value(finding["variable"].clone())?;
        Ok(short_name(&variable))
    });
    let mut names = names.collect::<Result<Vec<String>>>()?;
    names.sort();
    names.dedup();
    Ok(names)
}

#[test]
fn replay_finds_what_the_agent_found() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        for (group, cases) in PROGRAMS {
            for case in cases {
                recorded(jdk, group, case, "check=eraser", |run, trace| {
                    let (live, mut later) = (run.racy(), replayed(trace, &["--checker", "eraser"])?);
                    later.retain(|variable| !OPTIMISTIC.contains(&variable.as_str()));
                    ensure!(live == later, "the agent: {live:?}\nthe replay: {later:?}");
                    Ok(())
                })?;
            }
        }
        Ok(())
    })
}

/// Missed by a replay: where there are handles, a trace tells of an object and not of its volatile field.
const TOGETHER: [&str; 2] = ["HandedOverLater.data", "OtherOfVolatile.data"];

/// The check by order runs on the execution that is recorded.
#[test]
fn replay_by_order_finds_what_the_agent_found() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        for (group, cases) in PROGRAMS {
            // That of fresh locks takes long, and has nothing to do with order.
            for case in cases.iter().filter(|case| **case != "fresh") {
                recorded(jdk, group, case, "check=hybrid", |run, trace| {
                    let (live, mut later) = (run.racy(), replayed(trace, &[])?);
                    // A trace does not tell how long an array is.
                    later.retain(|variable| variable != "Main.outOfBounds" && !OPTIMISTIC.contains(&variable.as_str()));
                    ensure!(live == later, "the agent: {live:?}\nthe replay: {later:?}");
                    Ok(())
                })?;
            }
        }
        Ok(())
    })
}

/// But for contents, which a trace does not have, arrays, whose elements the replay tells apart, optimistic reads, and what constructors of
/// subclasses write that a finalizer reads.
#[test]
fn replay_by_order_finds_what_the_agent_found_of_each_construct() -> Result<()> {
    let mut constructs: Vec<_> = std::fs::read_dir(folder().join("constructs"))?.flatten().collect();
    constructs.retain(|entry| entry.file_name() != "schedule");
    let mut errors = Vec::new();
    for entry in constructs {
        let construct = entry.file_name().to_string_lossy().into_owned();
        let same = recorded(&Jdk::oldest(), "constructs", &construct, "check=hybrid", |run, trace| {
            let fields = |variable: &&Variable| matches!(variable, Variable::Field { .. } | Variable::Static { .. });
            let live = run.findings().map(|finding| &finding.variable).filter(fields).map(short_name);
            let is_less = |name: &str| CLONED.contains(&name) || TOGETHER.contains(&name);
            let live: BTreeSet<String> = live.filter(|name| !is_less(name)).collect();
            // Arrays that come from no field are named after the method.
            let is_array = |name: &str| name.ends_with("[]") || name.contains("lambda$");
            let later = replayed(trace, &[])?.into_iter().filter(|name| !is_array(name));
            let is_known = |name: &str| OPTIMISTIC.contains(&name) || FINALIZED.contains(&name);
            let later: BTreeSet<String> = later.filter(|name| !is_known(name)).collect();
            ensure!(later == live, "the agent: {live:?}\nthe replay: {later:?}");
            Ok(())
        });
        errors.extend(same.err().map(|error| format!("{error:#}")));
    }
    ensure!(errors.is_empty(), "{}", errors.join("\n"));
    Ok(())
}

/// Each case orders two threads in one way, or seems to: the trace has it, whatever was checked meanwhile.
#[test]
fn traces_have_what_orders_threads() -> Result<()> {
    on_every_jdk(|jdk| {
        for options in ["check=none", "check=eraser", "check=none,atomicity=block"] {
            recorded(jdk, "order", "edges", options, |_, trace| {
                expectations("order", "edges")?.compare(&replayed(trace, &[])?)?;
                let certain = replayed(trace, &["--checker", "happens-before"])?;
                ensure!(!certain.contains(&"ByChance.x".to_owned()), "only a lock has ordered it: {certain:?}");
                Ok(())
            })?;
        }
        Ok(())
    })
}

#[test]
fn granularity_is_chosen_at_replay() -> Result<()> {
    on_every_jdk(|jdk| {
        for (option, flags) in
            [("arrays=element", ["--arrays", "element"]), ("granularity=object", ["--granularity", "object"])]
        {
            recorded(jdk, "variables", "granularity", option, |run, trace| {
                let (live, later) = (run.racy(), replayed(trace, &flags)?);
                ensure!(live == later, "the agent: {live:?}\nthe replay: {later:?}");
                Ok(())
            })?;
        }
        Ok(())
    })
}

/// The form of other analysers: `thread|operation(operand)|location`, and every release of a lock that is held.
#[test]
fn exported_traces_are_well_formed() -> Result<()> {
    on_every_jdk(|jdk| {
        recorded(jdk, "order", "edges", "check=none", |_, trace| {
            let text = replay(trace, &["--export", "std"])?;
            let mut held = BTreeMap::<(&str, &str), u32>::new();
            let mut ended = BTreeSet::new();
            for line in text.lines() {
                let parts: Vec<&str> = line.split('|').collect();
                let [thread, operation, place] = parts[..] else { anyhow::bail!("{line}") };
                let (name, operand) = operation.split_once('(').with_context(|| line.to_owned())?;
                ensure!(thread.starts_with('T') && place.parse::<u32>().is_ok(), "{line}");
                let count = held.entry((thread, operand)).or_default();
                match name {
                    "acq" => *count += 1,
                    "join" => _ = ended.insert(operand.trim_end_matches(')')),
                    "rel" => *count = count.checked_sub(1).with_context(|| format!("{line}: not held"))?,
                    _ => {}
                }
            }
            // Threads of the JDK go on: on JDK 21, the cleaner waits for a condition under its lock.
            let kept = held.iter().filter(|((thread, _), count)| **count > 0 && ended.contains(thread)).count();
            ensure!(!held.is_empty() && !ended.is_empty() && kept == 0, "{kept} locks are held at the end");
            Ok(())
        })
    })
}

#[test]
fn cut_traces_are_read_up_to_the_cut() -> Result<()> {
    recorded(&Jdk::oldest(), "locks", "monitors", "", |_, trace| {
        let bytes = std::fs::read(trace)?;
        let cut = trace.with_extension("cut");
        let mut seen = Vec::new();
        for length in [bytes.len() / 3, bytes.len() - 1, bytes.len()] {
            std::fs::write(&cut, &bytes[..length])?;
            let text = replay(&cut, &[])?;
            ensure!(text.contains("cut short") == (length < bytes.len()), "{length} bytes: {text}");
            seen.push(replayed_count(&text)?);
        }
        ensure!(seen.is_sorted() && seen[2] > 0, "{seen:?}");
        Ok(())
    })
}

/// How many races the last line speaks of.
fn replayed_count(text: &str) -> Result<u32> {
    let line = text.lines().find(|line| line.starts_with("SUMMARY: jrace: ")).context("a summary")?;
    Ok(line.split_whitespace().nth(2).context("a number")?.parse()?)
}

/// What a trace says of threads that recorded at once.
#[derive(Default)]
struct Crowd {
    /// By thread: the elements it wrote outside of locks.
    written: BTreeMap<ThreadId, Vec<u32>>,
    owners: BTreeMap<ObjectId, ThreadId>,
    n_acquired: usize,
    handed_on: Vec<ThreadId>,
}

impl Crowd {
    fn read(trace: &Path) -> Result<Self> {
        let (mut crowd, mut handed_on) = (Self::default(), None);
        // The JDK's own locks may have been taken before they were watched.
        let mut locks = BTreeSet::new();
        for record in TraceReader::new(std::io::BufReader::new(std::fs::File::open(trace)?))? {
            match record? {
                Record::Field(id, field) if field.name == "handedOn" => handed_on = Some(id),
                Record::Object(id, class) if class == "java/lang/Object" => _ = locks.insert(id),
                Record::Event(Event { action: EventKind::Acquire(lock, _) | EventKind::Release(lock, _), .. })
                    if !locks.contains(&lock) => {}
                Record::Event(event) => crowd.event(event, handed_on)?,
                Record::Damage(damage) => anyhow::bail!("{damage:?}"),
                _ => {}
            }
        }
        Ok(crowd)
    }

    fn event(&mut self, event: Event, handed_on: Option<FieldId>) -> Result<()> {
        let thread = event.thread;
        match event.action {
            EventKind::Acquire(lock, _) => {
                let owner = self.owners.insert(lock, thread);
                ensure!(owner.is_none_or(|owner| owner == thread), "{lock:?} is taken twice");
                self.n_acquired += 1;
            }
            EventKind::Release(lock, _) => {
                let owner = self.owners.remove(&lock);
                ensure!(owner == Some(thread), "{lock:?} is released by {thread:?}, and {owner:?} has it");
            }
            EventKind::Access(AccessKind::Write, Location::Element(_, index))
                if !self.owners.values().any(|owner| *owner == thread) =>
            {
                self.written.entry(thread).or_default().push(index);
            }
            EventKind::Access(AccessKind::Write, Location::Field(_, id)) if handed_on == Some(id) => {
                self.handed_on.push(thread);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Threads, rounds, steps: those of `crowd.Main`.
const CROWD: (usize, usize, usize) = (8, 40, 100);

fn check_crowd(trace: &Path) -> Result<()> {
    let mut crowd = Crowd::read(trace)?;
    let (threads, rounds, steps) = CROWD;
    // The class initializer fills an array too.
    crowd.written.retain(|thread, _| crowd.handed_on.contains(thread));
    ensure!(crowd.written.len() == threads, "{} threads", crowd.written.len());
    for (thread, indices) in &crowd.written {
        ensure!(indices.iter().copied().eq(0..(rounds * steps) as u32), "{thread:?} has not the order of its program");
    }
    ensure!(crowd.n_acquired >= 2 * threads * rounds, "{} acquisitions", crowd.n_acquired);
    ensure!(crowd.handed_on.len() == threads * rounds, "{} turns", crowd.handed_on.len());
    let turns: Vec<&[ThreadId]> = crowd.handed_on.chunks(threads).collect();
    ensure!(turns.iter().all(|turn| *turn == turns[0]), "the turns have another order");
    Ok(())
}

/// Each thread's events have the order of its program, a lock has one owner at a time, and accesses that something unknown has
/// ordered have that order.
#[test]
fn threads_that_record_at_once_are_ordered() -> Result<()> {
    on_every_jdk(|jdk| {
        let kinds: &[&[&str]] = if jdk.feature < 21 { &[&[]] } else { &[&[], &["virtual"]] };
        for arguments in kinds {
            for options in ["check=none", "check=eraser", "check=hybrid"] {
                let directory = tempfile::tempdir()?;
                let options = format!("record={},{options}", directory.path().display());
                let launch = Launch::main(jdk, &classes("threads")?, "crowd.Main").args(arguments.iter().copied());
                let run = launch.checked(&options).run()?.succeeded()?;
                let trace = only_trace(directory.path())?;
                check_crowd(&trace).with_context(|| format!("{arguments:?}, {options}"))?;
                let later = replayed(&trace, &["--checker", "eraser"])?;
                ensure!(later == ["Main$Data.handedOn", "Main$Data.racy"], "{later:?}");
                let live = run.racy();
                match options.rsplit('=').next() {
                    Some("eraser") => ensure!(live == later, "the agent: {live:?}"),
                    Some("hybrid") => {
                        let by_order = replayed(&trace, &[])?;
                        ensure!(live == ["Main$Data.racy"] && by_order == live, "{live:?}, replayed {by_order:?}");
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    })
}
