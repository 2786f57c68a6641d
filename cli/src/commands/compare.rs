//! `jrace compare`: a command without the agent, fully checked and focused, again and again, side by side; for races, or for
//! transactions that are not atomic.
//!
//! One unmeasured run learns the command's classes as they are now, also where earlier runs have learnt them: a focus set of
//! older classes would leave less unchecked than it could. It also makes the first measured run like the others. Measured
//! runs learn nothing, so that the focus set stays the same and the copying of classes is not taken for checking.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use facts::finding::Grade;
use facts::options::{Atomicity, Options};
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::attach::{self, Attached};
use super::foresight::Foresight;
use super::launch::Streams;
use super::{proved, run};
use crate::analysis::Analysis;
use crate::args::{Checking, Compare, Focus, Judging, Showing};
use crate::comparison::mode::{self, Mode, Prepared, order};
use crate::comparison::{Column, Comparison, Fields, Methods, Run, Subject, document, json, text};
use crate::document::spot::Locator;
use crate::formats::Outlets;
use crate::learnt::Learnt;
use crate::measure::{measured, measured_here};
use crate::models;
use crate::output::{Stream, out, say};
use crate::report::judge::{Judges, Status};
use crate::report::ledger::nothing_ran;
use crate::report::merge::Merged;
use crate::report::{load, words};
use crate::settings::{self, Settings};
use crate::signals::Temporary;

/// How much of what a failed run wrote is shown.
const SHOWN_BYTES: u64 = 64 * 1024;

/// Compares the modes.
///
/// # Errors
/// The command cannot be run as it should be, does not always end alike, or the page cannot be written.
pub fn compare(args: &Compare) -> Result<u8> {
    let settings = gather(&args.checking)?;
    let outlets = Outlets::of_tables(&args.forms)?;
    let comparison = Bench::new(args, &settings)?.compare(args.runs.into())?;
    if args.json {
        out(&json::document(&comparison)?);
    } else {
        Stream::Out.show(&text::text(&comparison));
    }
    if outlets.are_wanted() {
        outlets.write(&document::of(&comparison), &mut Locator::none())?;
    }
    Ok(0)
}

fn gather(checking: &Checking) -> Result<Settings> {
    ensure!(checking.focus.is_none(), "`jrace compare` runs with and without a focus by itself: leave out --focus");
    let settings = Settings::gather(settings::flags(Some(checking), &Judging::default(), &Showing::default())?)?;
    if let Some((name, off)) = obstacle(settings.options()) {
        bail!(
            "`jrace compare` cannot compare runs with the option `{name}`: leave it out, or add `--option {name}={off}`"
        );
    }
    settings.options().models.as_deref().map(models::read).transpose()?;
    run::try_reflection_log(&settings)?;
    Ok(settings)
}

/// An option that would make the modes, or their times, those of something else; and how it is turned off.
fn obstacle(options: &Options) -> Option<(&'static str, &'static str)> {
    let obstacles = [
        (options.focus_set.is_some(), ("focus_set", "")),
        (options.classes.is_some(), ("classes", "")),
        (options.record.is_some(), ("record", "")),
        (options.deadlocks, ("deadlocks", "0")),
        (options.halt_on_error, ("halt_on_error", "0")),
        (options.tasks, ("tasks", "0")),
    ];
    obstacles.into_iter().find(|(is_set, _)| *is_set).map(|(_, obstacle)| obstacle)
}

/// Where everything is measured.
struct Bench<'a> {
    settings: &'a Settings,
    attached: Attached<'a>,
    command: &'a [String],
    modes: &'static [Mode],
    judges: Judges,
    /// Findings of one run at a time, and the focus set.
    folder: Temporary,
    progress: ProgressBar,
    is_interrupted: Arc<AtomicBool>,
}

impl<'a> Bench<'a> {
    fn new(args: &'a Compare, settings: &'a Settings) -> Result<Self> {
        attach::clear_abandoned(settings);
        let folder = Temporary::named("compare-");
        let style = ProgressStyle::with_template("{spinner} {pos} of {len} runs, {msg} ({elapsed})");
        let modes = if finds_races(settings) { mode::RACES } else { mode::ATOMICITY };
        let progress = ProgressBar::new(1 + u64::from(args.runs) * modes.len() as u64);
        let is_interrupted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&is_interrupted)).context("signals cannot be handled")?;
        }
        Ok(Self {
            settings,
            attached: Attached::new(&args.checking, &args.command)?,
            command: &args.command,
            modes,
            judges: Judges::read(settings)?,
            folder: folder.context("no temporary directory for findings: set TMPDIR to one that can be written to")?,
            progress: progress.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            is_interrupted,
        })
    }

    fn compare(&self, rounds: usize) -> Result<Comparison> {
        self.progress.enable_steady_tick(Duration::from_millis(100));
        let (ending, learnt) = self.learn()?;
        let prepared = Prepared { settings: self.settings, folder: self.folder.path().to_owned() };
        // The analysis shows progress of its own.
        let subject = self.progress.suspend(|| analyse(&learnt, &prepared))?;
        let settings = self.modes.iter().map(|mode| (mode.settings)(&prepared)).collect::<Result<Vec<_>>>()?;
        let proved = if finds_races(self.settings) { BTreeSet::new() } else { proved::atomic_methods_of(&learnt)? };
        let columns = self.columns(rounds, &settings, ending, &proved)?;
        self.progress.finish_and_clear();
        Ok(Comparison { command: self.command.to_vec(), ending: ending.to_string(), subject, columns })
    }

    /// Every mode in every round; `settings` are those of the modes. Those with a focus know of methods `proved` atomic.
    fn columns(
        &self,
        rounds: usize,
        settings: &[Option<Settings>],
        ending: ExitStatus,
        proved: &BTreeSet<String>,
    ) -> Result<Vec<Column>> {
        let none = BTreeSet::new();
        let column = |mode: &Mode| Column { name: mode.name, meaning: mode.meaning, runs: Vec::new() };
        let mut columns: Vec<Column> = self.modes.iter().map(column).collect();
        for round in 0..rounds {
            for mode in order(round, self.modes.len()) {
                let name = self.modes[mode].name;
                self.progress.set_message(format!("round {} of {rounds}: {name}", round + 1));
                let settings = settings[mode].as_ref();
                let is_focused = settings.is_some_and(|settings| settings.options().focus_set.is_some());
                let proved = if is_focused { proved } else { &none };
                columns[mode].runs.push(self.run(name, settings, ending, proved)?);
            }
        }
        Ok(columns)
    }

    /// The unmeasured run, which says how every other one must end.
    fn learn(&self) -> Result<(ExitStatus, Learnt)> {
        let output = &self.settings.options().output;
        attach::create_output(self.settings, output)?;
        let learnt = Learnt::of(output, self.settings.options().models.as_deref());
        self.progress.set_message("learning classes");
        let written = kept()?;
        let ending = self.attached.learn(self.settings, &learnt, Streams::Kept(&written))?;
        self.ended(written, !ending.success())?;
        ensure!(
            !learnt.is_empty(),
            "no class was learnt ({ending}), so there is nothing to compare: the command must start a JVM that reads \
             JAVA_TOOL_OPTIONS, and `include` must match classes that it runs"
        );
        Ok((ending, learnt))
    }

    fn run(
        &self,
        mode: &str,
        settings: Option<&Settings>,
        expected: ExitStatus,
        proved: &BTreeSet<String>,
    ) -> Result<Run> {
        let written = kept()?;
        let output = self.folder.path().join("findings");
        fs::create_dir_all(&output).context("findings cannot be kept: set TMPDIR to a directory with room")?;
        let foresight = settings.map(|settings| Foresight::prepare(settings.clone())).transpose()?;
        let (status, command) = measured(|| match &foresight {
            Some(foresight) => {
                self.attached.run(&foresight.settings, &output, Streams::Kept(&written)).map(|(status, _)| status)
            }
            None => self.attached.run_alone(Streams::Kept(&written)),
        });
        let status = status?;
        self.ended(written, status != expected)?;
        ensure!(
            status == expected,
            "the command ended with {status} in the mode `{mode}` and with {expected} before: compare a command that \
             always ends alike"
        );
        // Looking into traces shows progress of its own.
        let foresee = || foresight.map(|foresight| foresight.write(&output, proved)).transpose();
        let (foreseen, checker) = measured_here(|| self.progress.suspend(foresee));
        let findings = foreseen?.map(|problems| self.findings(&output, problems)).transpose()?;
        fs::remove_dir_all(&output).context("findings cannot be removed")?;
        Ok(Run { command, checker, findings })
    }

    /// Stops when a signal has come, and otherwise shows what a run wrote, if it has failed.
    fn ended(&self, mut written: File, has_failed: bool) -> Result<()> {
        self.progress.inc(1);
        ensure!(!self.is_interrupted.load(Ordering::Relaxed), "the comparison was interrupted: start it again");
        if has_failed {
            self.progress.suspend(|| show_end(&mut written)).context("what the command wrote cannot be shown")?;
        }
        Ok(())
    }

    /// The variables or the code whose findings count, with their grades.
    fn findings(&self, directory: &Path, problems: Merged) -> Result<BTreeMap<String, Option<Grade>>> {
        let merged = load::load_run(directory, &|path| self.settings.shown(path))?.union(problems);
        ensure!(
            merged.n_checked() > 0,
            "no JVM loaded the agent: the command must start a JVM that reads JAVA_TOOL_OPTIONS"
        );
        if let Some(sentence) = nothing_ran(&merged.jvms) {
            bail!("there is nothing to compare: {sentence}");
        }
        for problem in merged.unread.iter().chain(&merged.problems) {
            self.progress.suspend(|| say(problem));
        }
        let verdict = self.judges.judge(&merged);
        let races = verdict.with(Status::New).map(|judged| (words::subject(&judged.key.variable), judged.grade()));
        let hazards = verdict.hazards_with(Status::New).map(|judged| (words::code(&judged.key.subject), None));
        Ok(races.chain(hazards).collect())
    }
}

fn finds_races(settings: &Settings) -> bool {
    settings.options().atomicity == Atomicity::Off
}

/// Proves what can be proved about the classes; for races, counts their fields and methods.
fn analyse(learnt: &Learnt, prepared: &Prepared<'_>) -> Result<Subject> {
    let write = |analysis: &Analysis| analysis.write_focus_set(&prepared.focus_set(analysis.focus));
    if !finds_races(prepared.settings) {
        return write(&learnt.analysis(Focus::Unshared)?).map(|()| Subject::Atomicity);
    }
    write(&learnt.analysis(Focus::Combined)?)?;
    let by_fields = learnt.analysis(Focus::Field)?;
    write(&by_fields)?;
    let by_methods = by_fields.by_methods();
    write(&by_methods)?;
    let (types, untyped) = (&by_methods.types, by_methods.untyped());
    let fields = Fields { race_unsafe: types.unsafe_fields().count(), total: types.fields.len() };
    Ok(Subject::Races(fields, Methods { untyped: untyped.methods.len(), total: untyped.total }))
}

/// A file for what the command writes. A pipe would have to be read meanwhile, at the cost of the command.
fn kept() -> Result<File> {
    tempfile::tempfile().context("no temporary file for what the command writes: set TMPDIR to a directory with room")
}

fn show_end(written: &mut File) -> io::Result<()> {
    let length = written.seek(SeekFrom::End(0))?;
    written.seek(SeekFrom::Start(length.saturating_sub(SHOWN_BYTES)))?;
    io::copy(written, &mut io::stderr().lock())?;
    Ok(())
}
