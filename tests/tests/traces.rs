//! Traces: what is recorded from a JVM, replayed through the reference checker, gives what the agent found as it ran.
#![allow(clippy::disallowed_methods, reason = "reads and cuts traces")]

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use facts::finding::Variable;
use jrace_tests::fixture::{classes, on_every_jdk};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, command, short_name};

/// Programs whose threads run one after another, so that the trace has the one order that there was.
const PROGRAMS: [(&str, &[&str]); 2] = [
    (
        "locks",
        &["monitors", "methods", "unwound", "reentrant", "readwrite", "stamped", "waiting", "recursion", "fresh"],
    ),
    ("variables", &["fields", "statics", "arrays", "objects", "failing"]),
];

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
    let run = Launch::main(jdk, &classes(group)?, &format!("{case}.Main")).checked(&options).run()?.succeeded()?;
    let traces: Vec<PathBuf> = std::fs::read_dir(directory.path())?.flatten().map(|entry| entry.path()).collect();
    let [trace] = traces.as_slice() else { anyhow::bail!("{} traces", traces.len()) };
    check(&run, trace).with_context(|| format!("{group}/{case}, {options}"))
}

/// What `jrace replay` prints.
fn replay(trace: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(command()).arg("replay").arg(trace).args(arguments).output()?;
    ensure!([Some(0), Some(66)].contains(&output.status.code()), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

fn replayed(trace: &Path, arguments: &[&str]) -> Result<Vec<String>> {
    let text = replay(trace, &[&["--json"], arguments].concat())?;
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
    on_every_jdk(|jdk| {
        for (group, cases) in PROGRAMS {
            for case in cases {
                recorded(jdk, group, case, "", |run, trace| {
                    let (live, later) = (run.racy(), replayed(trace, &[])?);
                    ensure!(live == later, "the agent: {live:?}\nthe replay: {later:?}");
                    Ok(())
                })?;
            }
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
        recorded(jdk, "locks", "monitors", "", |_, trace| {
            let text = replay(trace, &["--export", "std"])?;
            let mut held = std::collections::BTreeMap::<(&str, &str), u32>::new();
            for line in text.lines() {
                let parts: Vec<&str> = line.split('|').collect();
                let [thread, operation, place] = parts[..] else { anyhow::bail!("{line}") };
                let (name, operand) = operation.split_once('(').with_context(|| line.to_owned())?;
                ensure!(thread.starts_with('T') && place.parse::<u32>().is_ok(), "{line}");
                let count = held.entry((thread, operand)).or_default();
                match name {
                    "acq" => *count += 1,
                    "rel" => *count = count.checked_sub(1).with_context(|| format!("{line}: not held"))?,
                    _ => {}
                }
            }
            ensure!(!held.is_empty() && held.values().all(|count| *count == 0), "a lock is held at the end");
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
