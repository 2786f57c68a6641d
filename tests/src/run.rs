//! Runs Java programs under the agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use facts::finding::{Finding, Jvm, Record, Summary, Variable};

use crate::jdk::Jdk;
use crate::root;

/// The agent library, built once for this test run with the profile of the tests.
///
/// # Panics
/// It does not build.
#[must_use]
pub fn agent() -> &'static Path {
    built("libjrace.so")
}

/// The command `jrace`, built like [`agent`].
///
/// # Panics
/// It does not build.
#[must_use]
pub fn command() -> &'static Path {
    built("jrace")
}

/// [`command`] with the agent and a JDK, and with nothing else from the environment.
#[must_use]
pub fn jrace(jdk: &Jdk) -> Command {
    let mut jrace = Command::new(command());
    jrace.env("JRACE_AGENT", agent()).env("JAVA_HOME", &jdk.home);
    jrace.env_remove("JRACE_OPTIONS").env_remove("JAVA_TOOL_OPTIONS");
    jrace
}

fn built(file: &str) -> &'static Path {
    static TARGET: OnceLock<PathBuf> = OnceLock::new();
    static FILES: OnceLock<BTreeMap<&'static str, PathBuf>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let target = TARGET.get_or_init(build);
        ["libjrace.so", "jrace"].map(|name| (name, target.join(name))).into()
    });
    &files[file]
}

/// `JRACE_BUILT` names a directory in which the agent and the command lie already.
fn build() -> PathBuf {
    if let Ok(built) = std::env::var("JRACE_BUILT") {
        return built.into();
    }
    let release = !cfg!(debug_assertions);
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "runtime-agent", "-p", "cli"]).current_dir(root());
    if release {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo starts");
    assert!(status.success(), "the agent does not build");
    let target = std::env::var("CARGO_TARGET_DIR").map_or_else(|_| root().join("target"), PathBuf::from);
    target.join(if release { "release" } else { "debug" })
}

/// What a run of a Java program under the agent gave.
#[derive(Debug)]
pub struct Run {
    /// The process's own output and status.
    pub output: Output,
    /// Everything in the findings files, JVM by JVM.
    pub records: Vec<Record>,
}

impl Run {
    /// Runs `java ARGUMENTS` under the agent with these options (`name=value,…`, without `output`).
    ///
    /// # Errors
    /// The JVM cannot be started, or a findings file cannot be read.
    pub fn java(jdk: &Jdk, options: &str, arguments: &[&str]) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut command = jdk.tool("java");
        command.arg(format!("-agentpath:{}=output={},{options}", agent().display(), directory.path().display()));
        command.args(arguments);
        let output = command.output().context("java cannot be started")?;
        Ok(Self { output, records: records(directory.path())? })
    }

    /// Standard output as text.
    #[must_use]
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    /// Standard error as text.
    #[must_use]
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Fails unless the program ended with code 0.
    ///
    /// # Errors
    /// The program's output.
    pub fn succeeded(self) -> Result<Self> {
        ensure!(self.output.status.success(), "{}\n{}\n{}", self.output.status, self.stdout(), self.stderr());
        Ok(self)
    }

    /// The findings, in the order in which they were made.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.records.iter().filter_map(|record| match record {
            Record::Finding(finding) => Some(finding),
            _ => None,
        })
    }

    /// The racy variables by their short names, sorted, each once.
    #[must_use]
    pub fn racy(&self) -> Vec<String> {
        let mut names: Vec<String> = self.findings().map(|finding| short_name(&finding.variable)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The header and the summary of each JVM that ended in order.
    #[must_use]
    pub fn summaries(&self) -> (Vec<&Jvm>, Vec<Summary>) {
        let jvms =
            self.records.iter().filter_map(|record| if let Record::Jvm(jvm) = record { Some(jvm) } else { None });
        let ends =
            self.records.iter().filter_map(|record| if let Record::End(end) = record { Some(*end) } else { None });
        (jvms.collect(), ends.collect())
    }
}

/// Every record in the findings files of a directory; a damaged last line is left out.
///
/// # Errors
/// A file cannot be read.
pub fn records(directory: &Path) -> Result<Vec<Record>> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(directory) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => Vec::new(),
    };
    files.sort();
    let mut records = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        let text = std::fs::read_to_string(file)?;
        records.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
    }
    Ok(records)
}

/// The one trace in a directory.
///
/// # Errors
/// There is none, or more.
pub fn only_trace(directory: &Path) -> Result<PathBuf> {
    let traces: Vec<PathBuf> = std::fs::read_dir(directory)?.flatten().map(|entry| entry.path()).collect();
    let [trace] = traces.as_slice() else { anyhow::bail!("{} traces", traces.len()) };
    Ok(trace.clone())
}

/// `Class.field` (also for the contents of what it holds), `Class.field[]`, `Class.method` for an array or contents of unknown origin, or `Class` for a whole object: simple
/// class names, as the comments in fixtures have them.
#[must_use]
pub fn short_name(variable: &Variable) -> String {
    match variable {
        Variable::Field { class, name, .. } | Variable::Static { class, name, .. } => {
            format!("{}.{name}", facts::name::simple(class))
        }
        Variable::Object { class } => facts::name::simple(class).to_owned(),
        Variable::Array { origin, .. } | Variable::Contents { origin, .. } => {
            origin.rsplit('/').next().unwrap_or(origin).to_owned()
        }
    }
}
