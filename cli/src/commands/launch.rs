//! Starting a command with the agent in every JVM it starts.
//!
//! The agent travels in `JAVA_TOOL_OPTIONS`, which every HotSpot JVM reads whatever starts it. HotSpot splits the variable at
//! white space; single or double quotes, anywhere in a word, keep white space and the other quote; there is no escape.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

use super::archives::LAST;
use super::daemons;
use crate::settings::text;
use crate::signals::Running;

const VARIABLE: &str = "JAVA_TOOL_OPTIONS";

/// Where a command reads and writes.
#[derive(Clone, Copy)]
pub enum Streams<'a> {
    /// Where jrace does.
    Inherited,
    /// It reads nothing, and what it writes goes to this file.
    Kept(&'a File),
}

impl Streams<'_> {
    fn apply(self, command: &mut Command) -> io::Result<()> {
        if let Self::Kept(file) = self {
            command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?);
        }
        Ok(())
    }
}

/// Options for all JVMs that a command starts.
#[derive(Default)]
pub struct JvmOptions {
    /// Those that the command overrules.
    pub tool: String,
    /// Those that overrule the command's.
    pub last: Option<String>,
    /// Those of Gradle.
    pub gradle: Option<String>,
}

/// What `JAVA_TOOL_OPTIONS` must be: those that come `first`, over which all that follows has the last word, its present value, the agent with its
/// options, and further options.
///
/// # Errors
/// A value that already loads the agent (a JVM cannot hold two), or that cannot be read.
pub fn tool_options(first: &[&str], agent: Option<(&Path, &str)>, jvm_options: &[String]) -> Result<String> {
    let present = match std::env::var(VARIABLE) {
        Ok(value) => value,
        Err(std::env::VarError::NotPresent) => String::new(),
        Err(error) => return Err(error).context(format!("{VARIABLE} cannot be read")),
    };
    if present.contains("libjrace.so") {
        bail!("{VARIABLE} loads jrace already: unset it, or leave out the inner `jrace run`");
    }
    let agent = agent.map(|(path, options)| agent_option(path, options)).transpose()?;
    Ok(joined(first, &present, agent.iter().chain(jvm_options)))
}

fn joined<'a>(first: &[&str], present: &str, added: impl Iterator<Item = &'a String>) -> String {
    let kept = first.iter().copied().chain([present]).filter(|value| !value.trim().is_empty()).map(str::to_owned);
    kept.chain(added.map(|option| quote(option))).collect::<Vec<_>>().join(" ")
}

fn agent_option(agent: &Path, options: &str) -> Result<String> {
    Ok(format!("-agentpath:{}={options}", text(agent)?))
}

/// A word that HotSpot reads back as it is.
fn quote(word: &str) -> String {
    let is_plain = |character: char| !character.is_whitespace() && character != '\'' && character != '"';
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // Double quotes around runs without double quotes, single quotes around the double quotes.
    let mut quoted = String::new();
    for (index, run) in word.split('"').enumerate() {
        if index > 0 {
            quoted.push_str("'\"'");
        }
        quoted.push_str(&format!("\"{run}\""));
    }
    quoted
}

/// Runs a command to its end; SIGINT, SIGTERM and SIGHUP that reach jrace are handed on.
///
/// # Errors
/// A command that cannot be started.
pub fn run_command(command: &[String], options: &JvmOptions, streams: Streams<'_>) -> Result<ExitStatus> {
    let (program, arguments) = command.split_first().context("no command was given")?;
    let mut command = Command::new(program);
    command.args(arguments);
    // A JVM would mention even an empty variable.
    if !options.tool.is_empty() {
        command.env(VARIABLE, &options.tool);
    }
    if let Some(last) = &options.last {
        command.env(LAST, last);
    }
    if let Some(gradle) = &options.gradle {
        command.env(daemons::VARIABLE, gradle);
    }
    let started = Running::start(|| streams.apply(&mut command).and_then(|()| command.spawn()));
    let running = started.map_err(|error| {
        let remedy = remedy(&error, Path::new(program));
        anyhow::Error::new(error).context(format!("cannot start `{program}`; {remedy}"))
    })?;
    running.wait().with_context(|| format!("cannot wait for `{program}`"))
}

/// What to do when a program cannot be started.
fn remedy(error: &io::Error, program: &Path) -> &'static str {
    match error.kind() {
        _ if program.extension().is_some_and(|extension| extension == "jar") => {
            "run a jar with `jrace run -- java -jar FILE`"
        }
        io::ErrorKind::PermissionDenied if program.is_dir() => "it is a directory: name the program in it",
        io::ErrorKind::PermissionDenied => {
            "make it executable, or name the program that runs it, as in `jrace run -- sh FILE`"
        }
        _ => "name a program that is on the PATH, or its path",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What HotSpot's `Arguments::parse_options_buffer` does.
    fn split(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut rest = text.chars().peekable();
        loop {
            while rest.next_if(|character| character.is_ascii_whitespace()).is_some() {}
            if rest.peek().is_none() {
                return words;
            }
            let mut word = String::new();
            while let Some(character) = rest.next_if(|character| !character.is_ascii_whitespace()) {
                if character == '\'' || character == '"' {
                    word.extend(rest.by_ref().take_while(|inner| *inner != character));
                } else {
                    word.push(character);
                }
            }
            words.push(word);
        }
    }

    proptest! {
        #[test]
        fn words_survive_quoting(words in prop::collection::vec("[a 'é\"=,\\\\]{1,8}", 0..4)) {
            let line = words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(split(&line), words);
        }
    }

    #[test]
    fn what_comes_first_can_be_overruled() {
        let added = ["-agentpath:/a b.so=".to_owned()];
        assert_eq!(joined(&["-Xss1m"], "-Xss2m -Dx=y", added.iter()), "-Xss1m -Xss2m -Dx=y \"-agentpath:/a b.so=\"");
        assert_eq!(joined(&[], " ", added[..0].iter()), "");
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!(quote("-agentpath:/a/b.so=x=1,y=*"), "-agentpath:/a/b.so=x=1,y=*");
        assert_eq!(quote("/a b"), "\"/a b\"");
        assert_eq!(quote("a\"b"), "\"a\"'\"'\"b\"");
    }
}
