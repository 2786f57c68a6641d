//! Transactions and lock orders: what is recorded, and what is foreseen from it. The threads of the programs take turns, so that
//! nothing goes wrong; the checkers must find what could.
#![allow(clippy::disallowed_methods, reason = "reads and writes findings")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use facts::event::EventKind;
use facts::name::simple;
use facts::trace::{Record, TraceReader};
use jrace_tests::demos::Demo;
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::{classes, folder, on_every_jdk};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::jrace;
use serde_json::Value;

const CASES: [&str; 8] =
    ["append", "checkthenact", "deadlock", "point", "sizethenpop", "stalecopy", "transfer", "waiting"];

/// Runs a case under the agent and hands on the trace.
fn recorded(jdk: &Jdk, case: &str, options: &str, check: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let options = format!("check=none,exclude=util.*,record={},{options}", directory.path().display());
    let launch = Launch::main(jdk, &classes("atomicity")?, &format!("{case}.Main"));
    launch.checked(&options).run()?.succeeded()?;
    let traces: Vec<PathBuf> = std::fs::read_dir(directory.path())?.flatten().map(|entry| entry.path()).collect();
    let [trace] = traces.as_slice() else { anyhow::bail!("{} traces", traces.len()) };
    check(trace).with_context(|| format!("{case}, {options}"))
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
        for case in CASES {
            let sources = sources(&folder().join("atomicity").join(case))?;
            recorded(jdk, case, "atomicity=block,deadlocks=1", |trace| {
                compare("atomicity", &sources, &replay(jdk, trace, "block")?)?;
                compare("deadlock", &sources, &replay(jdk, trace, "deadlock")?)
            })?;
        }
        Ok(())
    })
}

/// Reduction has more false alarms, but misses nothing that blocks find.
#[test]
fn reduction_finds_what_blocks_find() -> Result<()> {
    on_every_jdk(|jdk| {
        for case in CASES {
            recorded(jdk, case, "atomicity=reduction", |trace| {
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
            recorded(jdk, "waiting", options, |trace| {
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

#[test]
fn patterns_choose_transactions() -> Result<()> {
    recorded(&Jdk::oldest(), "point", "atomicity=block,transactions=point.Point.moveBad:*.sum", |trace| {
        let found = hazards(&replay(&Jdk::oldest(), trace, "block")?);
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
    let run = |flags: &[&str], case: &str| -> Result<(Option<i32>, String)> {
        let mut run = command(&["run", "--exclude", "util.*"]);
        run.args(flags).arg("--").arg(jdk.home.join("bin/java")).arg("-cp").arg(classes("atomicity")?);
        let output = run.arg(format!("{case}.Main")).output()?;
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
    ensure!(run(&["--atomicity=reduction"], "waiting")?.1.contains(" atomicity violation"));
    ensure!(
        run(&["--atomicity", "--deadlocks"], "transfer")?
            == summary(", 1 atomicity violation, 0 potential deadlocks", 66)
    );
    let kept = report(&mut command(&["report", "--last", "--json"]))?;
    compare("atomicity", &sources(&folder().join("atomicity/transfer"))?, &kept)?;
    std::fs::write(directory.path().join("known"), "atomicity:^transfer.Bank.transferBad$\n")?;
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
    let demo = Demo::all()?.into_iter().find(|demo| demo.name == "elevator").context("the elevator")?;
    on_every_jdk(|jdk| {
        let directory = tempfile::tempdir()?;
        let mut run = jrace(jdk);
        run.current_dir(directory.path()).args(["run", "--atomicity", "--deadlocks", "--"]);
        run.arg(jdk.home.join("bin/java")).arg("-cp").arg(demo.classes()?).arg(&demo.main).args(&demo.args);
        ensure!(run.output()?.status.code() == Some(66));
        let kept = report(jrace(jdk).current_dir(directory.path()).args(["report", "--json"]))?;
        compare("atomicity", &demo.sources()?, &kept)?;
        compare("deadlock", &demo.sources()?, &kept)
    })
}
