//! The manual: chapters that are all listed, links that lead somewhere, and commands that do what they say.
//!
//! Every line of a block of commands is run, in a folder where its files are: the demo `bank` stands for the program and its tests, and a
//! script for `mvn` that starts it.
#![allow(clippy::disallowed_methods, reason = "reads the checkout's own documents")]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::jdk::Jdk;
use jrace_tests::{root, run};

const DOCUMENTS: [&str; 13] = [
    "README.md",
    "ARCHITECTURE.md",
    "ACCURACY.md",
    "CONTRIBUTING.md",
    "BENCHMARKS.md",
    "checkers/README.md",
    "cli/README.md",
    "demo-apps/README.md",
    "facts/README.md",
    "instrumenter/README.md",
    "modular/README.md",
    "runtime-agent/README.md",
    "static-typer/README.md",
];

fn chapters() -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root().join("book/src"))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect())
}

/// The targets of links in a text, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let prose = text.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    let of_line = |line: &str| -> Vec<String> {
        let parts = line.split("](").skip(1);
        parts.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
    };
    prose.flat_map(of_line).collect()
}

/// As hosts of code and mdBook make it of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

fn leads_somewhere(from: &Path, link: &str) -> Result<bool> {
    if link.contains("://") {
        return Ok(true);
    }
    let (file, section) = link.split_once('#').map_or((link, None), |(file, section)| (file, Some(section)));
    let target = if file.is_empty() { from.to_owned() } else { from.parent().context("a folder")?.join(file) };
    let Some(section) = section else { return Ok(target.exists()) };
    let text = std::fs::read_to_string(&target).unwrap_or_default();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    Ok(headings.any(|line| anchor(line.trim_start_matches('#')) == section))
}

#[test]
fn links_lead_somewhere() -> Result<()> {
    let documents = DOCUMENTS.iter().map(|name| root().join(name)).chain(chapters()?);
    let mut n = 0;
    for path in documents {
        for link in links(&std::fs::read_to_string(&path)?) {
            ensure!(leads_somewhere(&path, &link)?, "{}: {link}", path.display());
            n += 1;
        }
    }
    ensure!(n > 30, "only {n} links");
    let reading = root().join("book/src/reading.md");
    ensure!(!leads_somewhere(&reading, "#no-such-section")? && !leads_somewhere(&reading, "none.md")?);
    leads_somewhere(&reading, "#how-sure-a-race-is").map(|_| ())
}

/// The tables of a document, each with what stands before it in its section.
fn tables(text: &str) -> Vec<(String, Vec<&str>)> {
    let (mut before, mut tables) = (String::new(), Vec::<(String, Vec<&str>)>::new());
    let mut is_table = false;
    for line in text.lines() {
        if line.starts_with('#') {
            before.clear();
        }
        match (line.starts_with('|'), is_table) {
            (true, true) => tables.last_mut().into_iter().for_each(|(_, rows)| rows.push(line)),
            (true, false) => tables.push((before.clone(), vec![line])),
            (false, _) => before += &format!("{line}\n"),
        }
        is_table = line.starts_with('|');
    }
    tables
}

fn has_day(text: &str) -> bool {
    let is_digits = |part: &str, n: usize| part.len() >= n && part[..n].bytes().all(|byte| byte.is_ascii_digit());
    text.match_indices("20").any(|(at, _)| {
        let parts: Vec<&str> = text[at..].splitn(3, '-').collect();
        matches!(parts[..], [year, month, day] if year.len() == 4 && is_digits(year, 4) && month.len() == 2 && is_digits(month, 2) && is_digits(day, 2))
    })
}

fn has_command(text: &str) -> bool {
    let code = text.split('`').skip(1).step_by(2);
    let mut first_words = code.flat_map(|code| code.split_whitespace().find(|word| !word.contains('=')));
    first_words.any(|word| ["cargo", "just", "jrace", "java"].contains(&word) || word.ends_with(".sh"))
}

#[test]
fn every_benchmark_says_its_command_and_day() -> Result<()> {
    let text = std::fs::read_to_string(root().join("BENCHMARKS.md"))?;
    let tables = tables(&text);
    ensure!(tables.len() > 25, "{} tables", tables.len());
    for (before, rows) in &tables {
        ensure!(has_day(before) && has_command(before), "{}", rows[0]);
    }
    ensure!(!has_day("20 of 2-3, 2026-1-02") && !has_command("`target/jdks`, `--focus`"));
    // What `tests/tables.py` takes again: the command above its table says what it is.
    let mut n = 0;
    for block in text.split("<!-- measured: ").skip(1) {
        let (command, rest) = block.split_once(" -->\n").context("a block without a command")?;
        let (table, _) = rest.split_once("<!-- end -->\n").with_context(|| format!("no end of {command}"))?;
        ensure!(table.starts_with(&format!("`{command}`; 20")) && table.contains(":\n\n| "), "{command}: {table}");
        n += 1;
    }
    ensure!(n >= 6, "{n} blocks");
    Ok(())
}

#[test]
fn every_chapter_is_listed_and_the_first_pages_are_short() -> Result<()> {
    let readme = std::fs::read_to_string(root().join("README.md"))?;
    let architecture = std::fs::read_to_string(root().join("ARCHITECTURE.md"))?;
    let summary = std::fs::read_to_string(root().join("book/src/SUMMARY.md"))?;
    let named = |text: &str, folder: &str| -> BTreeSet<String> {
        let chapters = links(text).into_iter().filter(|link| link.ends_with(".md"));
        chapters.filter_map(|link| link.strip_prefix(folder).map(str::to_owned)).collect()
    };
    let files: BTreeSet<String> = chapters()?
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .filter(|name| name != "SUMMARY.md")
        .collect();
    ensure!(named(&summary, "") == files, "{files:?}");
    ensure!(named(&readme, "book/src/") == files, "{files:?}");
    ensure!(readme.lines().count() <= 120, "{} lines", readme.lines().count());
    ensure!(architecture.lines().count() <= 150, "{} lines", architecture.lines().count());
    Ok(())
}

/// Lines that are not run, and why.
const NOT_RUN: [(&str, &str); 3] = [
    ("cargo build --release && target/release/jrace demo bank", "takes minutes; `tests/tests/demos.rs` runs the demo"),
    ("cargo test --workspace", "this test is a part of it"),
    (
        "java -agentpath:/path/to/libjrace.so=output=/tmp/findings -jar service.jar",
        "names no file; `agent_options.rs` loads the agent so",
    ),
];

/// The blocks of commands of a document, each a list of lines.
fn blocks(text: &str) -> Vec<Vec<String>> {
    let parts = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    parts
        .map(|block| block.lines().map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned()).collect())
        .collect()
}

/// The rules that a document has for `make`.
fn makefile(text: &str) -> String {
    text.split("```make\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// A folder in which the commands find what they name.
fn workshop(jdk: &Jdk) -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let demo = Demo::all()?.into_iter().find(|demo| demo.name == "bank").context("the demo `bank`")?;
    let at = |name: &str| folder.path().join(name);
    jdk.compile(&demo.sources()?, &at("target/classes"), &["--release", "17", "-g"])?;
    let tests = jrace_tests::jdk::sources(&root().join("tests/java/races/suite"))?;
    jdk.compile(&tests, &at("target/test-classes"), &["--release", "17", "-g"])?;
    let library = at("ObjectPool.java");
    std::fs::write(
        &library,
        "package org.apache.commons.pool; public class ObjectPool { boolean closed; public void close() { closed = true; } \
         public boolean isClosed() { return closed; } }",
    )?;
    jdk.compile(&[library], &at("pool"), &["--release", "17", "-g"])?;
    std::fs::copy(root().join("tests/java/agent/models/models.toml"), at("models.toml"))?;
    for (jar, main, classes) in [
        ("app.jar", Some("bank.Bank"), "target/classes"),
        ("service.jar", Some("bank.Bank"), "target/classes"),
        ("pool.jar", None, "pool"),
    ] {
        let mut command = Command::new(jdk.home.join("bin/jar"));
        command.args(["--create", "--file", jar]).args(main.map(|main| format!("--main-class={main}")));
        ensure!(
            command.args(["-C", classes, "."]).current_dir(folder.path()).status()?.success(),
            "{jar} cannot be made"
        );
    }
    for (name, script) in [
        ("mvn", "exec java -jar service.jar".to_owned()),
        ("jrace", format!("exec '{}' \"$@\"", run::command().display())),
    ] {
        std::fs::create_dir_all(at("bin"))?;
        std::fs::write(at("bin").join(name), format!("#!/bin/sh\n{script}\n"))?;
        std::fs::set_permissions(at("bin").join(name), std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(folder)
}

/// A copy of a workshop, in which nothing has been run yet.
fn like(workshop: &Path) -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let status = Command::new("cp").arg("-a").arg(workshop.join(".")).arg(folder.path()).status()?;
    ensure!(status.success(), "{} cannot be copied", workshop.display());
    Ok(folder)
}

/// A command in a workshop, with jrace, the JDK and what stands for a build on its path.
fn in_workshop(jdk: &Jdk, folder: &Path, mut command: Command) -> Result<Output> {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let first = [folder.join("bin"), jdk.home.join("bin")];
    let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&inherited)))?;
    command.current_dir(folder).env("PATH", path).env("JRACE_AGENT", run::agent()).env("JAVA_HOME", &jdk.home);
    Ok(command.env_remove("JRACE_OPTIONS").env_remove("JAVA_TOOL_OPTIONS").output()?)
}

/// Makes what a line that is not run would have left: findings, for what comes after it.
fn leave_findings(jdk: &Jdk, folder: &Path) -> Result<()> {
    let mut command = run::jrace(jdk);
    command.args(["run", "--output"]).arg(folder.join("findings")).args(["--", "java", "-jar", "service.jar"]);
    in_workshop(jdk, folder, command).map(drop)
}

fn run_line(jdk: &Jdk, folder: &Path, line: &str) -> Result<()> {
    let mut command = Command::new("sh");
    command.args(["-c", &line.replace("/tmp/findings", "findings/run-*")]);
    let output = in_workshop(jdk, folder, command)?;
    let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
    ensure!(code == Some(0) || code == Some(66), "`{line}` ends with {code:?}: {said}");
    Ok(())
}

#[test]
fn commands_do_what_they_say() -> Result<()> {
    let jdk = Jdk::oldest();
    let workshop = workshop(&jdk)?;
    let (mut n, mut left_out) = (0, BTreeSet::new());
    for path in chapters()?.into_iter().chain([root().join("README.md")]) {
        let text = std::fs::read_to_string(&path)?;
        for block in blocks(&text) {
            let folder = like(workshop.path())?;
            std::fs::write(folder.path().join("Makefile"), makefile(&text))?;
            for line in block.iter().filter(|line| !line.is_empty()) {
                if let Some((line, _)) = NOT_RUN.iter().find(|(listed, _)| listed == line) {
                    left_out.insert(*line);
                    leave_findings(&jdk, folder.path())?;
                } else {
                    run_line(&jdk, folder.path(), line).with_context(|| path.display().to_string())?;
                    n += 1;
                }
            }
        }
    }
    ensure!(n >= 18 && left_out.len() == NOT_RUN.len(), "{n} lines were run, and not {left_out:?}");
    Ok(())
}
