//! A command with the agent in its JVMs: what `jrace run` and `jrace compare` have in common.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, Result};

use super::archives::Archives;
use super::daemons;
use super::launch::{self, JvmOptions, Streams};
use crate::abandoned;
use crate::agent;
use crate::args::Checking;
use crate::learnt::Learnt;
use crate::output;
use crate::report::merge::Merged;
use crate::roll::Roll;
use crate::settings::{self, Settings};

/// HotSpot inlines no method that it has compiled to more machine code than this; the default of 2500 bytes suits code without
/// checks. A loop in which few are left would be as fast as one without any, or half as fast, depending on whether the method with
/// the check or the loop that calls it was compiled first (moldyn, BENCHMARKS.md). Every HotSpot with its second compiler knows it.
const INLINED_CODE: &str = "-XX:InlineSmallCode=5000";

/// Hooks are inlined by HotSpot's second compiler where profiles say that they run often. With more than five methods a compiler thread
/// waiting (`Tier3DelayOn`), the first compiler leaves profiles out, and a loop keeps calling its hooks: raytracer then took twice as
/// long in every other run (BENCHMARKS.md). Every HotSpot with both compilers knows it.
const PROFILES: &str = "-XX:Tier3DelayOn=1000";

/// A command and the agent for its JVMs.
pub struct Attached<'a> {
    agent: PathBuf,
    jvm_options: &'a [String],
    command: &'a [String],
    archives: Archives,
    gradle: Option<String>,
}

impl<'a> Attached<'a> {
    /// Finds the agent for a command, and says which archives of classes are switched off.
    ///
    /// # Errors
    /// There is none.
    pub fn new(checking: &'a Checking, command: &'a [String]) -> Result<Self> {
        let agent = agent::locate(checking.agent.as_deref())?;
        let archives = Archives::of(command, &checking.jvm_options);
        archives.say();
        let gradle = daemons::gradle_options(command, Path::new("."));
        Ok(Self { agent, jvm_options: &checking.jvm_options, command, archives, gradle })
    }

    /// Runs the command; findings go to `output`. Also returns what JVMs have told that could not write there.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(&self, settings: &Settings, output: &Path, streams: Streams<'_>) -> Result<(ExitStatus, Merged)> {
        let options = settings.agent_string(output)?;
        let inlined = settings.options().focus_set.is_some().then_some(INLINED_CODE);
        let first: Vec<&str> = [PROFILES].into_iter().chain(inlined).collect();
        let tool = launch::tool_options(&first, Some((&self.agent, &options)), self.jvm_options)?;
        let options = JvmOptions { tool, last: self.archives.last_options(), gradle: self.gradle.clone() };
        // Without a socket nobody tells anything, which is not worse than not to run at all.
        let roll = Roll::listen(output).ok();
        let status = launch::run_command(self.command, &options, streams)?;
        Ok((status, roll.map(|roll| roll.end(output)).unwrap_or_default()))
    }

    /// Runs the command without the agent, the rest being the same.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run_alone(&self, streams: Streams<'_>) -> Result<ExitStatus> {
        let tool = launch::tool_options(&[], None, self.jvm_options)?;
        launch::run_command(self.command, &JvmOptions { tool, last: None, gradle: self.gradle.clone() }, streams)
    }

    /// Runs the command without checks, to learn its classes.
    ///
    /// # Errors
    /// It cannot be started, or the classes cannot be kept.
    pub fn learn(&self, settings: &Settings, learnt: &Learnt, streams: Streams<'_>) -> Result<ExitStatus> {
        let folder = learnt.of_run();
        let settings = settings.with("classes", &settings::text(&folder)?)?.with("check", "none")?;
        let settings = settings.with("atomicity", "off")?.with("deadlocks", "0")?;
        let (status, _) = self.run(&settings, &folder.join("output"), streams)?;
        learnt.take()?;
        Ok(status)
    }
}

/// Clears what runs have left that were killed, in the temporary directory and in that for output.
pub fn clear_abandoned(settings: &Settings) {
    abandoned::clear(&std::env::temp_dir(), abandoned::PREFIX);
    abandoned::clear(Learnt::of(&settings.options().output, settings.options().models.as_deref()).folder(), "run-");
}

/// Makes the output directory, or one in it.
///
/// # Errors
/// It cannot be made.
pub fn create_output(settings: &Settings, directory: &Path) -> Result<()> {
    let name = settings.shown(&settings.options().output);
    output::create_private(directory)
        .with_context(|| format!("cannot write to the output directory `{name}`; choose another with --output"))
}
