//! Models of the user's own: what methods hand over, lock and unlock of which jrace knows nothing.
#![allow(clippy::disallowed_methods, reason = "writes files of models")]

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use facts::finding::Record;
use jrace_tests::fixture::{classes, expectations, folder, on_every_jdk, on_oldest_and_newest, same_as_without};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, command};

/// Who makes the pipes is not the program that is checked.
const EXCLUDED: &str = "exclude=told.Mailbox:told.Gate:told.Wire";

fn models() -> PathBuf {
    folder().join("models/models.toml")
}

fn run(jdk: &Jdk, options: &str) -> Result<Run> {
    same_as_without(&Launch::main(jdk, &classes("models")?, "told.Main"), &format!("{EXCLUDED},{options}"))
}

#[test]
fn what_the_user_tells_orders_and_locks() -> Result<()> {
    let expected = expectations("models", "told")?;
    let models = models();
    on_every_jdk(|jdk| {
        let untold = run(jdk, "")?;
        for variable in ["Letter.before", "Guarded.same", "Guarded.tried"] {
            ensure!(
                untold.racy().iter().any(|racy| racy == variable),
                "{variable} is known without: {:?}",
                untold.racy()
            );
        }
        let told = run(jdk, &format!("models={}", models.display()))?;
        Ok(expected.compare(&told.racy())?)
    })
}

/// A lock of the user's counts for lock sets, too; what is handed over does not.
#[test]
fn locks_of_the_user_s_are_in_lock_sets() -> Result<()> {
    on_oldest_and_newest(|jdk| {
        let told = run(jdk, &format!("check=eraser,models={}", models().display()))?;
        let racy: Vec<_> = told.racy().into_iter().filter(|racy| racy.starts_with("Guarded")).collect();
        ensure!(racy == ["Guarded.other", "Guarded.untaken"], "{racy:?}");
        Ok(())
    })
}

/// A row that fits no method is named: what it was to tell is not known.
#[test]
fn rows_that_fit_nothing_are_named() -> Result<()> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("mine.toml");
    let text = "[[model]]\nclass = 'told.Gate'\n[model.methods]\n\
                entr = 'acquires this'\n'leave()I' = 'releases this'\nleave = 'acquires this if true'\nenter = 'acquires this'\n";
    std::fs::write(&file, text)?;
    on_oldest_and_newest(|jdk| {
        let run = run(jdk, &format!("models={}", file.display()))?;
        let unwoven = run.records.iter().filter_map(|record| match record {
            Record::Unwoven { class, method, reason } => Some((class.as_str(), method.as_deref(), reason.as_str())),
            _ => None,
        });
        let reason = "its model fits no method with code that this class declares";
        let mut found: Vec<_> = unwoven.collect();
        found.sort_unstable();
        let expected = ["entr", "leave", "leave"].map(|method| ("told/Gate", Some(method), reason));
        ensure!(found == expected, "{found:?}");
        Ok(())
    })
}

#[test]
fn mistakes_in_models_stop_the_run_before_it_starts() -> Result<()> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("mine.toml");
    for (text, sentence) in [
        (None, "No such file or directory"),
        (Some("[[model]]\n"), "model 1 of the file names no class"),
        (
            Some("[[model]]\nclass = 'a.B'\n[model.methods]\nput = 'publish arg0'"),
            "`a.B.put` cannot have the effect `publish arg0`",
        ),
    ] {
        if let Some(text) = text {
            std::fs::write(&file, text)?;
        }
        let mut run = Command::new(command());
        run.arg("run").arg("--models").arg(&file).args(["--", "touch", "started"]).current_dir(directory.path());
        let output = run.output().context("jrace run")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.code() == Some(2) && stderr.contains(sentence) && stderr.contains("mine.toml"),
            "{stderr}"
        );
        ensure!(!directory.path().join("started").exists(), "the command was started");
        let agent = Launch::main(&Jdk::oldest(), &classes("models")?, "told.Main");
        let run = agent.checked(&format!("models={}", file.display())).run()?;
        ensure!(!run.output.status.success() && run.stderr().contains(sentence), "{}", run.stderr());
        let _ = std::fs::remove_file(&file);
    }
    Ok(())
}
