//! `jrace replay`: a checker on recorded traces, or a trace in the form of other analysers.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use checkers::granularity::Granularities;
use facts::finding::{self, Jvm, Summary};
use facts::options::{Atomicity, Check, Options};
use facts::trace::std_format::StdWriter;
use facts::trace::{Damage, DamageKind, Record, TraceReader};
use indicatif::{ProgressBar, ProgressStyle};

use super::proved;
use crate::args::{ExportForm, Replay, ReplayChecker};
use crate::exit;
use crate::formats::Outlets;
use crate::output::{Stream, say};
use crate::report::judge::Judges;
use crate::report::merge::Merged;
use crate::report::predicted::{self, Prediction, Search};
use crate::report::replayed::Replayed;
use crate::report::terminal::Detail;
use crate::report::{self, Form, Shown};
use crate::settings::{self, Settings};
use crate::signals;

/// A trace that is being read.
pub type Trace = TraceReader<BufReader<Box<dyn Read>>>;

/// Replays traces, or exports one.
///
/// # Errors
/// A file that is no trace, or an output that cannot be written.
pub fn replay(args: &Replay) -> Result<u8> {
    let settings = Settings::gather(flags(args)?)?;
    match args.export {
        Some(ExportForm::Std) => export(args, &settings),
        None => check(args, &settings),
    }
}

fn flags(args: &Replay) -> Result<Vec<(String, String)>> {
    let mut flags = settings::flags(None, &args.judging, &args.showing)?;
    for (name, value) in [("granularity", &args.granularity), ("arrays", &args.arrays)] {
        flags.extend(value.iter().map(|value| (name.to_owned(), value.clone())));
    }
    Ok(flags)
}

fn check(args: &Replay, settings: &Settings) -> Result<u8> {
    let options = settings.options();
    let judges = Judges::read(settings)?;
    let shown = shown(args)?;
    let proved = proved::atomic_methods(&args.proved)?;
    let mut merged = Merged::default();
    for path in &args.traces {
        let of_trace = match look_for(args.checker, options) {
            LookFor::Races(check) => find_races(path, check, settings)?,
            LookFor::Hazards(search) => {
                let so_far = SoFar { before: merged.clone(), args, judges: &judges, settings };
                foresee(path, search, &proved, so_far)?
            }
        };
        merged = merged.union(of_trace);
    }
    signals::report();
    let complete = merged.is_complete(options.allow_none);
    let exit_code = |findings| exit::of_report(findings, options.exitcode, complete);
    report::show(&merged, &judges, settings, &shown, exit_code)
}

fn shown(args: &Replay) -> Result<Shown<'_>> {
    let form = Form::of(args.json, &args.forms, Detail::of(&args.showing)).only_new(args.only_new);
    let shown = Shown::new("jrace replay", form, Stream::Out, Outlets::of(&args.forms)?);
    Ok(Shown { unlikely: args.showing.unlikely, ..shown })
}

/// What is shown if a signal comes while more is looked for.
struct SoFar<'a> {
    /// What earlier traces have.
    before: Merged,
    args: &'a Replay,
    judges: &'a Judges,
    settings: &'a Settings,
}

impl SoFar<'_> {
    fn is(&self, of_trace: Merged) {
        let (args, judges, settings) = (self.args.clone(), self.judges.clone(), self.settings.clone());
        let found = self.before.clone().union(of_trace).union(Merged::of_unread(signals::CUT.to_owned()));
        signals::at_end(move |number| {
            let exit_code = |findings| exit::of_signal(findings, settings.options().exitcode, number);
            report::show(&found, &judges, &settings, &shown(&args).ok()?, exit_code).ok()
        });
    }
}

/// What a checker is for.
enum LookFor {
    Races(Check),
    Hazards(Search),
}

fn look_for(checker: ReplayChecker, options: &Options) -> LookFor {
    let (atomicity, deadlocks) = match checker {
        ReplayChecker::Eraser => return LookFor::Races(Check::Eraser),
        ReplayChecker::HappensBefore => return LookFor::Races(Check::HappensBefore),
        ReplayChecker::Hybrid => return LookFor::Races(Check::Hybrid),
        ReplayChecker::Block => (Atomicity::Block, false),
        ReplayChecker::Reduction => (Atomicity::Reduction, false),
        ReplayChecker::Deadlock => (Atomicity::Off, true),
    };
    LookFor::Hazards(search_for(atomicity, deadlocks, options))
}

/// A search within the bounds of the options.
pub fn search_for(atomicity: Atomicity, deadlocks: bool, options: &Options) -> Search {
    let time = options.atomicity_time.map(|seconds| Duration::from_secs(seconds.into()));
    Search { atomicity, deadlocks, memory: options.atomicity_memory, time }
}

fn foresee(path: &Path, search: Search, proved: &BTreeSet<String>, so_far: SoFar<'_>) -> Result<Merged> {
    let checker = so_far.args.checker;
    let merged = |jvm: &Jvm, records: Vec<finding::Record>| {
        let jvm = Jvm { check: format!("{checker:?}, replayed").to_lowercase(), ..jvm.clone() };
        Merged::of_file(jvm, records.into_iter().chain([finding::Record::End(Summary::default())]))
    };
    so_far.is(Merged::default());
    let tell = |jvm: &Jvm, records| so_far.is(merged(jvm, records));
    let (jvm, Prediction { records, problems, .. }) = predict(path, search, proved, so_far.settings, tell)?;
    let merged = merged(&jvm, records);
    Ok(problems.into_iter().map(Merged::of_problem).fold(merged, Merged::union))
}

/// Looks for hazards in a trace, where some methods are proved atomic. Where it is damaged is said among the problems. What is known
/// so far is told now and then.
///
/// # Errors
/// It cannot be read.
pub fn predict(
    path: &Path,
    search: Search,
    proved: &BTreeSet<String>,
    settings: &Settings,
    mut so_far: impl FnMut(&Jvm, Vec<finding::Record>),
) -> Result<(Jvm, Prediction)> {
    let jvm = open(path)?.jvm().clone();
    let pass = |take: &mut dyn FnMut(Record)| {
        each(open(path)?, path, |record| {
            take(record);
            Ok(())
        })
    };
    let mut prediction =
        predicted::predict(search, granularities(settings), proved, pass, |records| so_far(&jvm, records))?;
    let damage = prediction.damage.map(|damage| damage_sentence(damage, &settings.shown(path)));
    prediction.problems.extend(damage);
    Ok((jvm, prediction))
}

fn granularities(settings: &Settings) -> Granularities {
    let options = settings.options();
    Granularities { fields: options.granularity, arrays: options.arrays }
}

fn find_races(path: &Path, check: Check, settings: &Settings) -> Result<Merged> {
    let trace = open(path)?;
    let mut replayed = Replayed::new(trace.jvm().clone(), check, granularities(settings));
    let damage = each(trace, path, |record| {
        replayed.record(record);
        Ok(())
    })?;
    let merged = replayed.finish();
    Ok(match damage {
        Some(damage) => merged.union(Merged::of_problem(damage_sentence(damage, &settings.shown(path)))),
        None => merged,
    })
}

fn export(args: &Replay, settings: &Settings) -> Result<u8> {
    let [path] = args.traces.as_slice() else {
        bail!("--export takes one trace: events of several JVMs in one file would mean nothing");
    };
    let out: Box<dyn Write> = match &args.output {
        Some(output) => Box::new(File::create(output).with_context(|| {
            format!("cannot write the events to `{}`; choose another file with --output", output.display())
        })?),
        None => Box::new(io::stdout().lock()),
    };
    match write_std(path, out) {
        Ok(damage) => {
            if let Some(damage) = damage {
                say(&damage_sentence(damage, &settings.shown(path)));
            }
            Ok(0)
        }
        // `jrace replay --export std | head`
        Err(error) if is_broken_pipe(&error) => Ok(0),
        Err(error) => Err(error),
    }
}

fn write_std(path: &Path, out: Box<dyn Write>) -> Result<Option<Damage>> {
    let mut writer = StdWriter::new(BufWriter::new(out));
    let damage = each(open(path)?, path, |record| match record.event() {
        Some(event) => writer.event(&event).context("cannot write the exported trace"),
        None => Ok(()),
    })?;
    writer.into_inner().flush().context("cannot write the exported trace")?;
    Ok(damage)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Opens a trace, with a progress bar when standard error is a terminal.
pub fn open(path: &Path) -> Result<Trace> {
    ensure!(!path.is_dir(), "`{}` is a directory: name a trace in it", path.display());
    let file = File::open(path).with_context(|| {
        format!("cannot read the trace `{}`; name one that `jrace run --record DIR` has written", path.display())
    })?;
    let length = file.metadata().map(|data| data.len()).unwrap_or_default();
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}");
    let bar = ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let input: Box<dyn Read> = Box::new(bar.wrap_read(file));
    TraceReader::new(BufReader::new(input)).with_context(|| {
        format!("cannot replay `{}`; name a trace that `jrace run --record DIR` has written", path.display())
    })
}

/// Hands every record on, and returns the damage at which the trace stops.
pub fn each(trace: Trace, path: &Path, mut take: impl FnMut(Record) -> Result<()>) -> Result<Option<Damage>> {
    for record in trace {
        match record.with_context(|| format!("cannot read the trace `{}`", path.display()))? {
            Record::Damage(damage) => return Ok(Some(damage)),
            record => take(record)?,
        }
    }
    Ok(None)
}

/// Where a trace stops, as a sentence.
pub fn damage_sentence(damage: Damage, name: &str) -> String {
    let what = match damage.kind {
        DamageKind::CutShort => "cut short",
        DamageKind::Corrupt => "corrupt",
    };
    format!("`{name}` is {what} from byte {} on and was read up to there", damage.offset)
}
