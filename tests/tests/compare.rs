//! `jrace compare` measures every mode and finds the same in all that check.
#![allow(clippy::disallowed_methods, reason = "writes the program that it compares")]

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use jrace_tests::jdk::Jdk;
use jrace_tests::run::{agent, command};
use serde_json::Value;

/// A race on `racy` and none on `guarded`; with an argument, the program fails where the agent is.
const PROGRAM: &str = r#"
public final class Compared {
    static int racy;
    private static int guarded;
    private static final Object lock = new Object();

    static void work() {
        for (int i = 0; i < 1000; i++) {
            racy++;
            synchronized (lock) { guarded++; }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("not for the report");
        Thread thread = new Thread(Compared::work);
        thread.start();
        work();
        thread.join();
        String options = System.getenv("JAVA_TOOL_OPTIONS");
        if (arguments.length > 1) new Never();
        boolean woven = options != null && options.contains("libjrace");
        System.exit(arguments.length > 0 && !woven ? 5 : 3);
    }

    static final class Never {}
}
"#;

fn compare(folder: &Path, flags: &[&str], arguments: &[&str]) -> Result<Output> {
    let jdk = Jdk::oldest();
    let source = folder.join("Compared.java");
    std::fs::write(&source, PROGRAM)?;
    let classes = folder.join("classes");
    jdk.compile(&[source], &classes, &["--release", "17"])?;
    let mut jrace = Command::new(command());
    jrace.current_dir(folder).env("JRACE_AGENT", agent()).env("JAVA_HOME", &jdk.home);
    jrace.env_remove("JRACE_OPTIONS").env_remove("JAVA_TOOL_OPTIONS");
    jrace.env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    jrace.arg("compare").args(flags).arg("--").arg(jdk.home.join("bin/java")).arg("-cp").arg(classes);
    jrace.arg("Compared").args(arguments).output().context("jrace cannot be started")
}

#[test]
fn every_mode_is_measured() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = compare(folder.path(), &["-n", "1", "--html", "page.html", "--github"], &[])?;
    let (out, err) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    ensure!(output.status.code() == Some(0), "{out}\n{err}");
    ensure!(err.matches("no run has loaded Compared$Never, so less is proved").count() == 1, "{err}");
    let summary = out.lines().last().unwrap_or_default();
    ensure!(summary.starts_with("SUMMARY: jrace compare: 1 round; base "), "{out}");
    ensure!(summary.ends_with(", 1 variable; 0 lost"), "{out}");
    ensure!(out.contains("\nrace-unsafe fields: 1 of 3; untyped methods: 1 of 4\n"), "{out}");
    ensure!(out.contains("` (exit status: 3)\n") && !out.contains("not for the report"), "{out}");
    // The unmeasured run failed, as every other one; it is shown once.
    ensure!(err.matches("not for the report").count() == 1, "{err}");
    let page = std::fs::read_to_string(folder.path().join("page.html"))?;
    ensure!(page.starts_with("<!DOCTYPE html>") && page.matches("<rect").count() == 5, "{page}");
    let summary = std::fs::read_to_string(folder.path().join("summary.md"))?;
    let rows = summary.lines().filter(|line| line.starts_with("| ")).count();
    ensure!(summary.starts_with("### jrace compare\n") && rows == 2 + 5, "{summary}");

    let output = compare(folder.path(), &["-n", "1", "--json"], &[])?;
    let json: Value = serde_json::from_slice(&output.stdout)?;
    let names: Vec<&str> =
        json["modes"].as_array().into_iter().flatten().filter_map(|mode| mode["name"].as_str()).collect();
    ensure!(names == ["base", "full", "field", "method", "combined"], "{json}");
    ensure!(json["modes"][1]["runs"][0]["time"].as_f64() > Some(0.0), "{json}");
    ensure!(json["findings"][0]["variable"] == "static field Compared.racy (int)", "{json}");
    ensure!(json["findings"][0]["runs"]["combined"] == 1, "{json}");

    // The classes are known by now.
    let output = compare(folder.path(), &["-n", "1", "--include", "other.*"], &[])?;
    let err = String::from_utf8(output.stderr)?;
    let sentence = "so nothing was checked: do the patterns of `include=other.*` fit?\n";
    ensure!(output.status.code() == Some(2) && err.ends_with(sentence), "{err}");
    Ok(())
}

/// `work` increments twice, so that the other thread can come in between.
#[test]
fn transactions_are_compared() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = compare(folder.path(), &["-n", "1", "--atomicity", "--json"], &[])?;
    ensure!(output.status.code() == Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout)?;
    let modes = json["modes"].as_array().context("modes")?;
    let names: Vec<&str> = modes.iter().filter_map(|mode| mode["name"].as_str()).collect();
    ensure!(names == ["base", "unfocused", "focused"], "{json}");
    for mode in &modes[1..] {
        ensure!(mode["checker"]["median"].as_f64() > Some(0.0) && mode["interception"].is_number(), "{json}");
        ensure!(mode["fraction"].as_f64() < Some(1.0) && mode["findings"] == 1, "{json}");
    }
    ensure!(json["findings"][0]["transaction"] == "method Compared.work", "{json}");
    ensure!(json["findings"][0]["lost"].as_array().is_some_and(Vec::is_empty), "{json}");

    let output = compare(folder.path(), &["-n", "1", "--atomicity=reduction"], &[])?;
    let out = String::from_utf8(output.stdout)?;
    ensure!(out.contains("\nevery mode that checks found the same transactions\nSUMMARY: "), "{out}");
    Ok(())
}

#[test]
fn runs_that_end_differently_are_not_compared() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = compare(folder.path(), &["-n", "1"], &["differently"])?;
    let err = String::from_utf8(output.stderr)?;
    let sentence = "jrace: the command ended with exit status: 5 in the mode `base` and with exit status: 3 before: compare a \
                    command that always ends alike\n";
    ensure!(output.status.code() == Some(2) && err.ends_with(sentence), "{err}");
    let output = compare(folder.path(), &["--halt-on-error"], &[])?;
    let err = String::from_utf8(output.stderr)?;
    let sentence = "jrace: `jrace compare` cannot compare runs with the option `halt_on_error`: leave it out, or add `--option \
                    halt_on_error=0`\n";
    ensure!(output.status.code() == Some(2) && err == sentence, "{err}");
    Ok(())
}
