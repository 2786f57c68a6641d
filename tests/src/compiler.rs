//! A javac that stays: it starts once for each JDK and program of tests, as most of what a small compilation takes is the start.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};

use crate::jdk::Jdk;
use crate::root;

/// Those that were started. Their input ends with this process, and they with it.
static STARTED: Mutex<BTreeMap<PathBuf, Compiler>> = Mutex::new(BTreeMap::new());

struct Compiler {
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// Runs the javac of a JDK.
///
/// # Errors
/// What javac says.
pub fn run(jdk: &Jdk, arguments: &[String]) -> Result<()> {
    let mut started = STARTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let compiler = match started.entry(jdk.home.clone()) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(Compiler::start(jdk)?),
    };
    let (code, said) = compiler.compile(arguments).context("the compiler of the tests has ended")?;
    ensure!(code == 0, "javac failed:\n{said}");
    Ok(())
}

impl Compiler {
    fn start(jdk: &Jdk) -> Result<Self> {
        let mut command = jdk.tool("java");
        command
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"])
            .arg(root().join("tests/java/compiler/Compiler.java"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("java cannot be started")?;
        let (requests, answers) = child.stdin.zip(child.stdout).context("a compiler without input and output")?;
        Ok(Self { requests, answers: BufReader::new(answers) })
    }

    /// Compiles; returns the exit code of javac and what it says.
    fn compile(&mut self, arguments: &[String]) -> Result<(i32, String)> {
        if let Some(argument) = arguments.iter().find(|argument| argument.contains(['\t', '\n'])) {
            bail!("`{argument}` has a tab or is of several lines");
        }
        writeln!(self.requests, "{}", arguments.join("\t"))?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let (code, length) = line.trim_end().split_once(' ').context("no answer")?;
        let mut said = vec![0; length.parse()?];
        self.answers.read_exact(&mut said)?;
        Ok((code.parse()?, String::from_utf8_lossy(&said).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_after_an_error() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let (bad, good) = (folder.path().join("Bad.java"), folder.path().join("Good.java"));
        std::fs::write(&bad, "class Bad { int x = \"ü\"; }")?;
        std::fs::write(&good, "class Good { }")?;
        let jdk = Jdk::oldest();
        let error = jdk.compile(&[bad], folder.path(), &[]).expect_err("no error").to_string();
        assert!(error.contains("Bad.java:1: error: incompatible types"), "{error}");
        jdk.compile(&[good], folder.path(), &["--release", "17"])?;
        assert!(folder.path().join("Good.class").exists());
        Ok(())
    }
}
