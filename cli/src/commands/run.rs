//! `jrace run`: a command with the agent in its JVMs, and then the report of this run.
//!
//! The run gets its own directory in the output directory, so that earlier runs neither show up in its report nor count for
//! its exit code. The program owns standard output; the report goes to standard error.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use facts::focus::FocusSet;
use facts::name::dotted;
use facts::options::{Atomicity, Check, Options};

use super::attach::{self, Attached};
use super::daemons;
use super::foresight::Foresight;
use super::launch::Streams;
use super::proved;
use crate::args::{Checking, Focus, Forms, Run};
use crate::exit;
use crate::formats::Outlets;
use crate::formats::test_reports::TestReports;
use crate::learnt::Learnt;
use crate::models;
use crate::output::{self, Destination, Stream, err, say};
use crate::proofs::{self, Limits};
use crate::races::reflection_log;
use crate::report::judge::Judges;
use crate::report::merge::Merged;
use crate::report::terminal::Detail;
use crate::report::{self, Form, Shown, load};
use crate::settings::{self, Settings};
use crate::signals;

/// What keeps a command's JVMs from being checked: nobody can tell which of these it was.
pub const NO_JVM: &str = "no JVM loaded the agent: the command started no JVM, started it without JAVA_TOOL_OPTIONS or where the \
                          agent cannot be read, or handed its work to a daemon that was running before";

/// A command to run, and how.
pub struct Job<'a> {
    /// The merged options.
    pub settings: &'a Settings,
    /// The agent and options for the JVMs.
    pub checking: &'a Checking,
    /// What the report shows in full.
    pub detail: Detail,
    /// The forms besides the report.
    pub forms: &'a Forms,
    /// The file for the JSON document.
    pub json: Option<&'a Path>,
    /// Whether tests that findings name are marked in their reports.
    pub fails_tests: bool,
    /// Whether findings outlive this process.
    pub keeps_findings: bool,
    /// The command and its arguments.
    pub command: &'a [String],
}

impl<'a> Job<'a> {
    fn shown(&self) -> Result<Shown<'a>> {
        let shown = shown(self.forms, self.json, self.detail)?;
        let reports = self.fails_tests.then(|| TestReports::from_now(self.settings.directory()));
        Ok(Shown { outlets: shown.outlets.with_test_reports(reports), ..shown })
    }
}

/// How the report is shown: the program owns standard output.
fn shown<'a>(forms: &'a Forms, json: Option<&'a Path>, detail: Detail) -> Result<Shown<'a>> {
    let (form, outlets) = (Form::of(false, forms, detail), Outlets::of(forms)?);
    let json = json.map(|path| Destination::at(path, "the document", "--json")).transpose()?;
    Ok(Shown { json, unlikely: detail.unlikely, ..Shown::new("jrace run", form, Stream::Err, outlets) })
}

/// Runs the command.
///
/// # Errors
/// Anything that keeps the command from being started as it should be.
pub fn run(args: &Run) -> Result<u8> {
    let settings = Settings::gather(settings::flags(Some(&args.checking), &args.judging, &args.showing)?)?;
    run_job(&Job {
        settings: &settings,
        checking: &args.checking,
        detail: Detail::of(&args.showing),
        forms: &args.forms,
        json: args.json.as_deref(),
        fails_tests: args.fail_test,
        keeps_findings: true,
        command: &args.command,
    })
}

/// Proofs go by threads, and possible races are of one check only.
fn try_tasks(checking: &Checking, options: &Options) -> Result<()> {
    let is_focused = checking.focus.is_some() || options.focus_set.is_some();
    ensure!(
        !options.tasks || !is_focused,
        "what one thread does is not told apart by task where it is proved: leave out the focus, or set `tasks` to 0"
    );
    ensure!(
        !options.tasks || options.check == Check::Hybrid,
        "races of tasks are possible ones, which only `--check hybrid` reports: leave out `--check {}`, or set `tasks` to 0",
        options.check.name()
    );
    Ok(())
}

/// Checks everything that can be checked beforehand, runs the command, and shows the report.
///
/// # Errors
/// See [`run`].
pub fn run_job(job: &Job<'_>) -> Result<u8> {
    let settings = job.settings;
    let options = settings.options();
    let judges = Judges::read(settings)?;
    let shown = job.shown()?;
    try_tasks(job.checking, options)?;
    try_focus_set(settings)?;
    options.models.as_deref().map(models::read).transpose()?;
    let attached = Attached::new(job.checking, job.command)?;
    create_record_directory(settings)?;
    try_reflection_log(settings)?;
    let foresees = options.atomicity != Atomicity::Off || options.deadlocks;
    attach::clear_abandoned(settings);
    let mode = job.checking.focus.map(|mode| if foresees { Focus::Unshared } else { mode });
    let learnt = mode.map(|mode| (Learnt::of(&options.output, options.models.as_deref()), mode));
    let _owner = learnt.as_ref().map(|(learnt, _)| learnt.own_run()).transpose()?;
    let focused = learnt.as_ref().map(|(learnt, mode)| focus(job, &attached, learnt, *mode)).transpose()?;
    if let Some(number) = signals::got() {
        say("a signal came, so the command is not run a second time; what was learnt is kept for the next run");
        return Ok(exit::of_signal(false, 0, number));
    }
    let foresight = Foresight::prepare(focused.unwrap_or_else(|| settings.clone()))?;
    let directory = create_run_directory(settings)?;
    let ended = attached.run(&foresight.settings, &directory, Streams::Inherited);
    if let Ok((status, told)) = &ended {
        show_at_end(job, &judges, &directory, *status, told);
    }
    let problems = look_further(learnt.as_ref().map(|(learnt, _)| learnt), &foresight, &directory);
    signals::report();
    let merged = load::load_run(&directory, &|path| settings.shown(path));
    // Only an empty directory goes away.
    let _ = fs::remove_dir(&directory);
    let (status, told) = ended?;
    if !status.success()
        && let Err(error) = load::note_failure(&directory, exit::of_command(status))
    {
        say(&format!("that the command failed cannot be noted beside its findings: {error}"));
    }
    let shown = Shown { command_exit: Some(exit::of_command(status)), ..shown };
    let merged = merged?.union(problems).union(told);
    let unchecked = daemons::unchecked(&merged);
    let merged = merged.union(unchecked);
    let merged = match &learnt {
        Some((learnt, _)) => note_raced(learnt, merged),
        None => merged,
    };
    say_what_was_found(&merged, &directory, job, status);
    let complete = merged.is_complete(options.allow_none);
    let exit_code = |findings| exit::of_run(findings, options, status, complete);
    report::show(&merged, &judges, settings, &shown, exit_code)
}

/// Takes over the classes of a run and looks into its traces. Returns what may have been missed: what was found already must not be
/// lost for it.
fn look_further(learnt: Option<&Learnt>, foresight: &Foresight, directory: &Path) -> Merged {
    let unread = |error: anyhow::Error| Merged::of_unread(format!("{error:#}"));
    let (proved, unlearnt) = match learnt.map_or_else(|| Ok(BTreeSet::new()), |learnt| take(learnt, foresight)) {
        Ok(proved) => (proved, Merged::default()),
        Err(error) => (BTreeSet::new(), unread(error)),
    };
    foresight.write(directory, &proved).unwrap_or_else(unread).union(unlearnt)
}

/// Has the next run know which references have raced.
fn note_raced(learnt: &Learnt, merged: Merged) -> Merged {
    let noted = learnt.add_raced(merged.findings().map(|(key, _)| &key.variable));
    match noted {
        Ok(()) => merged,
        Err(error) => merged.union(Merged::of_unread(format!("{error:#}"))),
    }
}

/// Shows what JVMs have found if a signal comes while more is looked for.
fn show_at_end(job: &Job<'_>, judges: &Judges, directory: &Path, status: ExitStatus, told: &Merged) {
    let (settings, judges, directory, told) =
        (job.settings.clone(), judges.clone(), directory.to_owned(), told.clone());
    let (forms, json, detail) = (job.forms.clone(), job.json.map(Path::to_owned), job.detail);
    signals::at_end(move |number| {
        let found = load::load_run(&directory, &|path| settings.shown(path)).ok()?.union(told);
        let exit_code = |findings| exit::of_signal(findings, exit::of_findings(settings.options(), status), number);
        let found = found.union(Merged::of_unread(signals::CUT.to_owned()));
        let shown = shown(&forms, json.as_deref(), detail).ok()?;
        let shown = Shown { command_exit: Some(exit::of_command(status)), ..shown };
        report::show(&found, &judges, &settings, &shown, exit_code).ok()
    });
}

/// The settings of a run that checks only what is not proved about the classes that are known; if none are, the command runs
/// once without checks, to learn them.
fn focus(job: &Job<'_>, attached: &Attached<'_>, learnt: &Learnt, mode: Focus) -> Result<Settings> {
    let settings = job.settings.with("classes", &settings::text(&learnt.of_run())?)?;
    if learnt.is_empty() {
        err("jrace: the first run with --focus only learns the classes; the second one checks them\n");
        let status = attached.learn(job.settings, learnt, Streams::Inherited)?;
        if signals::got().is_some() {
            return Ok(settings);
        }
        if learnt.is_empty() {
            say(&format!("no class was learnt ({status}), so everything is checked"));
            return Ok(settings);
        }
    }
    let set = proofs::focus_set(learnt, mode, Limits::of(job.settings.options()))?;
    settings.with("focus_set", &settings::text(&set)?)
}

/// Takes over the classes of the run; says which of their methods are atomic, if that is of use.
fn take(learnt: &Learnt, foresight: &Foresight) -> Result<BTreeSet<String>> {
    let several = learnt.in_versions()?;
    if let Some(class) = &several {
        let class = dotted(class);
        say(&format!(
            "{class} was loaded in several versions, of which one can be typed: when another comes, everything is checked"
        ));
    }
    let is_known = foresight.wants_atomic_methods() && several.is_none();
    learnt.take()?;
    let proved = if is_known { proved::atomic_methods_of(learnt) } else { Ok(BTreeSet::new()) };
    // What was found must not be lost for want of proofs.
    Ok(proved.unwrap_or_else(|error| {
        say(&format!("no method is taken for atomic, so all transactions are checked: {error:#}"));
        BTreeSet::new()
    }))
}

/// The agent would check everything without it, which is not what was asked for.
fn try_focus_set(settings: &Settings) -> Result<()> {
    let Some(path) = &settings.options().focus_set else { return Ok(()) };
    let read = File::open(path).and_then(|file| FocusSet::read(BufReader::new(file)));
    read.map(|_| ()).with_context(|| {
        format!("cannot use the focus set `{}`; write one with `jrace check --focus-set`", settings.shown(path))
    })
}

fn create_record_directory(settings: &Settings) -> Result<()> {
    let Some(record) = &settings.options().record else { return Ok(()) };
    output::create_private(record).with_context(|| {
        format!("cannot write traces to `{}`; choose another directory with --record", settings.shown(record))
    })
}

/// JVMs would append to a file that nobody could read.
///
/// # Errors
/// It cannot be written, or is another file.
pub fn try_reflection_log(settings: &Settings) -> Result<()> {
    let Some(path) = &settings.options().record_reflection else { return Ok(()) };
    let shown = settings.shown(path);
    let advice =
        || format!("cannot append to the reflection log `{shown}`; choose another file with --record-reflection");
    OpenOptions::new().create(true).append(true).open(path).with_context(advice)?;
    let log = reflection_log::read(path).with_context(advice)?;
    ensure!(log.damaged.is_none(), "{}: it is damaged", advice());
    Ok(())
}

fn create_run_directory(settings: &Settings) -> Result<PathBuf> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let directory = settings.options().output.join(load::run_name(since.as_millis(), std::process::id()));
    attach::create_output(settings, &directory)?;
    Ok(directory)
}

fn say_what_was_found(merged: &Merged, directory: &Path, job: &Job<'_>, status: ExitStatus) {
    if merged.jvms.is_empty() && merged.unread.is_empty() {
        let failure = if job.settings.options().allow_none { "" } else { " (--allow-none makes that no failure)" };
        if status.success() {
            say(&format!("{NO_JVM}, so nothing was checked{failure}"));
        } else {
            say(&format!(
                "the command failed ({status}) and no JVM had loaded the agent, so nothing was checked: what it says may tell why"
            ));
        }
        return;
    }
    let options = job.settings.options();
    let is_halted = options.halt_on_error && status.code() == Some(options.exitcode.into());
    if !status.success() && !is_halted {
        say(&format!("the command itself failed ({status})"));
    }
    if job.keeps_findings && (merged.findings().next().is_some() || !merged.hazards.is_empty()) {
        let kept = job.settings.shown(directory);
        say(&format!(
            "findings are kept in `{kept}`; JVMs say `Picked up JAVA_TOOL_OPTIONS` as they take the agent from there"
        ));
    }
}
