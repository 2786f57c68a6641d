//! `jrace discover`: a command whose JVMs record traces, and from these a type log and the owners of fields.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, Result, ensure};
use facts::type_log::{ClassUse, Run, TypeLog};

use super::attach::{self, Attached};
use super::foresight;
use super::launch::Streams;
use super::replay;
use super::run::NO_JVM;
use crate::args::{Checking, Discover, Judging, Showing};
use crate::discovered::Discovered;
use crate::document::spot::Locator;
use crate::exit;
use crate::formats::Outlets;
use crate::learnt;
use crate::output::{self, Stream, say};
use crate::report::ledger::{jvm_name, nothing_ran};
use crate::report::load;
use crate::report::owners::Owners;
use crate::report::words::printable;
use crate::settings::{self, Settings, text};
use crate::signals::Temporary;

/// Where the log is, in the output directory.
const NAME: &str = "types.jsonl";

/// Runs the command, adds what is seen to the log, and shows it.
///
/// # Errors
/// A log that cannot be used, or anything that keeps the command from being started as it should be.
pub fn discover(args: &Discover) -> Result<u8> {
    let checking = checking(args);
    let flags = settings::flags(Some(&checking), &Judging::default(), &Showing::default())?;
    let settings = Settings::gather(flags)?;
    let path = args.output.clone().unwrap_or_else(|| settings.options().output.join(NAME));
    ensure!(
        path.exists() || !args.command.is_empty() || !args.merge.is_empty(),
        "there is no type log `{}`: `jrace discover -- COMMAND` makes one, and --output names another",
        settings.shown(&path)
    );
    let outlets = Outlets::of_tables(&args.forms)?;
    let mut log = known(args, &path)?;
    let status =
        if args.command.is_empty() { None } else { Some(observe(args, &checking, &settings, &path, &mut log)?) };
    if status.is_some() || !args.merge.is_empty() {
        write(&path, &log)?;
    }
    let stream = if status.is_some() { Stream::Err } else { Stream::Out };
    let owners = Owners::of(&log, settings.shown(&path));
    if args.json {
        stream.write(&owners.json()?);
    } else {
        stream.show(&owners.text());
    }
    if outlets.are_wanted() {
        outlets.write(&owners.document(), &mut Locator::none())?;
    }
    Ok(status.map_or(0, |(status, complete)| exit::without_findings(status, complete)))
}

/// What the log and those that are to be merged have already.
fn known(args: &Discover, path: &Path) -> Result<TypeLog> {
    let log = if path.exists() { read(path)? } else { TypeLog::default() };
    args.merge.iter().try_fold(log, |log, path| Ok(log.merge(read(path)?)))
}

/// Runs the command and adds what is seen to a log, which will be written to `path`. Returns how it ended, and whether all
/// was seen.
fn observe(
    args: &Discover,
    checking: &Checking,
    settings: &Settings,
    path: &Path,
    log: &mut TypeLog,
) -> Result<(ExitStatus, bool)> {
    try_folder(path)?;
    attach::clear_abandoned(settings);
    let observation = Observation::new(settings, args.seed)?;
    let attached = Attached::new(checking, &args.command)?;
    let findings = observation.folder("findings");
    let (status, told) = attached.run(&observation.settings, &findings, Streams::Inherited)?;
    let told =
        if findings.exists() { told.union(load::load_run(&findings, &|path| settings.shown(path))?) } else { told };
    for (jvm, reason) in told.jvms.values().flat_map(|facts| facts.unchecked.iter().map(move |reason| (facts, reason)))
    {
        say(&format!("{} was not observed: {}", jvm_name(jvm), printable(reason)));
    }
    nothing_ran(&told.jvms).iter().for_each(|sentence| say(sentence));
    let (observed, is_whole) = observation.log()?;
    *log = std::mem::take(log).merge(observed);
    Ok((status, is_whole && told.is_complete(args.allow_none)))
}

/// What the agent is told, besides where it writes.
fn checking(args: &Discover) -> Checking {
    Checking {
        check: Some("none".to_owned()),
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        jvm_options: args.jvm_options.clone(),
        options: args.options.clone(),
        agent: args.agent.clone(),
        ..Checking::default()
    }
}

/// Reads a type log.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read(path: &Path) -> Result<TypeLog> {
    let log = File::open(path).and_then(|file| TypeLog::read(BufReader::new(file)));
    log.with_context(|| format!("cannot use the type log `{}`; write one with `jrace discover`", path.display()))
}

/// Better now than after the run.
fn try_folder(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    output::create_private(folder).and_then(|()| tempfile::tempfile_in(folder)).map(drop).with_context(|| problem(path))
}

/// In one step, so that the old log is there until the new one is.
fn write(path: &Path, log: &TypeLog) -> Result<()> {
    let written = || -> std::io::Result<()> {
        let folder = folder_of(path);
        output::create_private(folder)?;
        let mut file = BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
        log.write(&mut file)?;
        file.flush()?;
        file.into_inner().map_err(std::io::Error::from)?.persist(path)?;
        Ok(())
    };
    written().with_context(|| problem(path))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn problem(path: &Path) -> String {
    format!("cannot write the type log `{}`; choose another file with --output", path.display())
}

/// A run with its traces and the classes that it loaded; they go away with this.
struct Observation {
    settings: Settings,
    folder: Temporary,
}

impl Observation {
    fn new(settings: &Settings, seed: u64) -> Result<Self> {
        let folder = Temporary::named("discover-");
        let folder = folder.context("no temporary directory for traces; choose one with TMPDIR")?;
        let place = |name: &str| text(&folder.path().join(name));
        let mut settings = settings.with("record", &place("traces")?)?.with("classes", &place("classes")?)?;
        settings = settings.with("discover", &seed.to_string())?;
        if settings.options().record_limit == 0 {
            settings = settings.with("record_limit", foresight::LIMIT)?;
        }
        Ok(Self { settings, folder })
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What all JVMs have seen, and whether every trace could be used.
    fn log(&self) -> Result<(TypeLog, bool)> {
        let hashes = self.hashes()?;
        let (mut log, mut is_whole) = (TypeLog::default(), true);
        let mut traces: Vec<PathBuf> =
            fs::read_dir(self.folder("traces")).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        traces.sort();
        for trace in &traces {
            match fold(trace, &hashes) {
                Ok((run, classes)) => log.add(run, classes),
                Err(error) => {
                    is_whole = false;
                    say(&format!("a JVM is left out: {error:#}"));
                }
            }
        }
        if traces.is_empty() && !self.folder("findings").exists() {
            say(&format!("{NO_JVM}, so nothing was observed"));
        }
        Ok((log, is_whole))
    }

    /// The classes that were observed; of a class with two versions no trace tells which one ran.
    fn hashes(&self) -> Result<BTreeMap<String, u64>> {
        let (mut hashes, mut several) = (BTreeMap::new(), BTreeSet::new());
        let files = learnt::files(&self.folder("classes").join("checked")).context("the classes cannot be read")?;
        for (class, hash) in files.iter().filter_map(|file| learnt::version(file)) {
            if hashes.insert(class.clone(), hash).is_some_and(|other| other != hash) {
                several.insert(class);
            }
        }
        for class in several {
            say(&format!("{} came in several versions and is left out", facts::name::dotted(&class)));
            hashes.remove(&class);
        }
        Ok(hashes)
    }
}

/// What the trace of one JVM shows.
fn fold(path: &Path, hashes: &BTreeMap<String, u64>) -> Result<(Run, Vec<ClassUse>)> {
    let trace = replay::open(path)?;
    let run = Run { started: trace.jvm().started, pid: trace.jvm().pid, command: trace.jvm().command.clone() };
    let mut discovered = Discovered::default();
    let damage = replay::each(trace, path, |record| {
        discovered.record(record);
        Ok(())
    })?;
    if let Some(damage) = damage {
        let name = format!("the trace of JVM {}", run.pid);
        say(&replay::damage_sentence(damage, &name));
    }
    Ok((run, discovered.classes(hashes)))
}
