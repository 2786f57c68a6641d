//! Starts JVMs with everything a test may want to set, and does not wait for ever.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::jdk::Jdk;
use crate::run::{Run, agent, records};

/// Longer than any program of the tests takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// For a JVM whose program ends soon: the second compiler takes a third of the processor time, and nothing gets faster.
pub const SHORT: &str = "-XX:TieredStopAtLevel=1";

/// A JVM to be started.
#[derive(Clone, Debug)]
pub struct Launch {
    jdk: Jdk,
    /// The agent's options, without `output`; `None` starts the JVM without the agent.
    options: Option<String>,
    before: Vec<OsString>,
    after: Vec<OsString>,
    program: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    patience: Duration,
}

impl Launch {
    /// `java ARGUMENTS`, without the agent.
    pub fn new<A: Into<OsString>>(jdk: &Jdk, arguments: impl IntoIterator<Item = A>) -> Self {
        Self {
            jdk: jdk.clone(),
            options: None,
            before: Vec::new(),
            after: Vec::new(),
            program: arguments.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
            patience: PATIENCE,
        }
    }

    /// A main class on a class path.
    #[must_use]
    pub fn main(jdk: &Jdk, class_path: &Path, main: &str) -> Self {
        Self::new(jdk, [OsString::from("-cp"), class_path.into(), main.into()])
    }

    /// With the agent, and these options (`name=value,…`, without `output`).
    #[must_use]
    pub fn checked(mut self, options: &str) -> Self {
        self.options = Some(options.to_owned());
        self
    }

    /// Without the agent.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.options = None;
        self
    }

    /// JVM arguments that come before `-agentpath`.
    #[must_use]
    pub fn before<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.before.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// JVM arguments that come after `-agentpath`.
    #[must_use]
    pub fn jvm<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.after.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Of a program that ends soon, see [`SHORT`].
    #[must_use]
    pub fn short(self) -> Self {
        self.before([SHORT])
    }

    /// Arguments of the program.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.program.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// An environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// How long the JVM may run.
    #[must_use]
    pub fn patience(mut self, seconds: u64) -> Self {
        self.patience = Duration::from_secs(seconds);
        self
    }

    /// Runs it to its end; its findings go to a directory of their own.
    ///
    /// # Errors
    /// It cannot be started, takes too long, or its findings cannot be read.
    pub fn run(&self) -> Result<Run> {
        let directory = tempfile::tempdir()?;
        let output = finish(self.start(directory.path())?, self.patience)?;
        Ok(Run { output, records: records(directory.path())? })
    }

    /// Starts it with pipes for its output; its findings go to `directory`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(&self, directory: &Path) -> Result<Child> {
        self.command(directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("java cannot be started")
    }

    fn command(&self, directory: &Path) -> Command {
        let mut command = self.jdk.tool("java");
        command.env_remove("JRACE_OPTIONS").envs(self.environment.iter().cloned()).current_dir(directory);
        command.args(&self.before);
        if let Some(options) = &self.options {
            command.arg(agent_argument(options, directory));
        }
        command.args(&self.after).args(&self.program);
        command
    }
}

/// `-agentpath:…` with the findings in `directory`, unless the options say where they go.
#[must_use]
pub fn agent_argument(options: &str, directory: &Path) -> String {
    let output = if options.contains("output=") { String::new() } else { format!("output={},", directory.display()) };
    format!("-agentpath:{}={output}{options}", agent().display())
}

/// Waits for the end of a process and collects its output.
///
/// # Errors
/// It takes longer than `patience`: it is killed.
pub fn finish(mut child: Child, patience: Duration) -> Result<Output> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (stdout, stderr) = (thread::spawn(|| all(stdout)), thread::spawn(|| all(stderr)));
    let deadline = Instant::now() + patience;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if Instant::now() > deadline => break None,
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let join = |reader: thread::JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    let (stdout, stderr) = (join(stdout), join(stderr));
    match status {
        Some(status) => Ok(Output { status, stdout, stderr }),
        None => bail!(
            "no end after {} s; output so far:\n{}\n{}",
            patience.as_secs(),
            String::from_utf8_lossy(&stdout),
            String::from_utf8_lossy(&stderr)
        ),
    }
}

fn all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What was read before an error is what there is.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
