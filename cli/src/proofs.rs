//! The focus set of what was learnt, within limits of time and memory: a process of its own makes it, which is ended when it goes
//! beyond them. Then what it has proved by then counts, which is less, so that more is checked; what was in vain is noted, so that the
//! next run does not try it again.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::ValueEnum as _;
use facts::focus::FocusSet;
use facts::options::Options;
use serde::{Deserialize, Serialize};

use crate::analysis::{searches, write_set};
use crate::args::Focus;
use crate::exit;
use crate::learnt::Learnt;
use crate::output::{clear_line, say};

/// What is in vain and takes less than this is tried again: the next run may have classes with which it is not.
const CHEAP: Duration = Duration::from_secs(5);

/// How often the process is looked at.
const OFTEN: Duration = Duration::from_millis(20);

/// What proofs may take.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Limits {
    /// Seconds, if they are limited.
    seconds: Option<u32>,
    megabytes: u32,
}

impl Limits {
    /// Those of the options.
    pub fn of(options: &Options) -> Self {
        Self { seconds: options.focus_time, megabytes: options.focus_memory }
    }

    fn are_within(self, others: Self) -> bool {
        let is_shorter = match (self.seconds, others.seconds) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own <= other,
        };
        is_shorter && self.megabytes <= others.megabytes
    }
}

/// What was tried in vain.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct Vain {
    /// Whether that was the search only: types have proved something.
    is_typed: bool,
    /// Why, as the end of a sentence about it.
    reason: String,
    limits: Limits,
    /// The bytes of all classes.
    size: u64,
    version: String,
}

impl Vain {
    /// Whether it would be in vain again, as far as anybody can say: for about as many classes, and no wider limits.
    fn is_again(&self, size: u64, limits: Limits) -> bool {
        let (small, large) = (size.min(self.size), size.max(self.size));
        self.version == env!("JRACE_VERSION") && limits.are_within(self.limits) && small >= large / 4 * 3
    }

    fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }
}

/// The files of a focus set that is made.
struct Files {
    set: PathBuf,
    typed: PathBuf,
    searched: PathBuf,
    vain: PathBuf,
}

impl Files {
    fn of(set: PathBuf) -> Self {
        let beside = |extension| set.with_extension(extension);
        Self { typed: beside("typed"), searched: beside("searched"), vain: beside("in-vain"), set }
    }

    fn clear(&self) {
        [&self.set, &self.typed, &self.searched].iter().for_each(|file| _ = fs::remove_file(file));
    }

    /// Takes over a set that was made; says whether it was.
    fn takes(&self, made: &Path) -> Result<bool> {
        match fs::rename(made, &self.set) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            moved => moved.map(|()| true).with_context(|| format!("cannot write `{}`", self.set.display())),
        }
    }

    fn note(&self, vain: &Vain) -> Result<()> {
        let written = fs::write(&self.vain, serde_json::to_vec(vain)?);
        written.with_context(|| format!("cannot write `{}`", self.vain.display()))
    }
}

/// How the process has ended.
enum Ended {
    ByItself(ExitStatus),
    /// Why it was ended, as the end of a sentence about it.
    Limited(String),
}

/// The focus set of what was learnt; it is made anew if that is not what it was the last time. Without proofs, it is empty.
///
/// # Errors
/// The classes cannot be read, or the set cannot be written.
pub fn focus_set(learnt: &Learnt, focus: Focus, limits: Limits) -> Result<PathBuf> {
    let files = Files::of(learnt.set_of(focus));
    if learnt.is_current(&files.set)? {
        return Ok(files.set);
    }
    files.clear();
    let size = learnt.size()?;
    let vain = Vain::read(&files.vain).filter(|vain| vain.is_again(size, limits));
    if let Some(Vain { reason, is_typed: false, .. }) = &vain {
        say(&format!("everything is checked, as typing the classes {reason} in an earlier run"));
        return nothing(files);
    }
    let began = Instant::now();
    let wants_search = searches(focus) && vain.is_none();
    let ended = prove(learnt, focus, limits, &files, wants_search)?;
    let note = |is_typed, reason: &str| {
        let version = env!("JRACE_VERSION").to_owned();
        files.note(&Vain { is_typed, reason: reason.to_owned(), limits, size, version })
    };
    if wants_search && files.takes(&files.searched)? {
        let is_in_vain = matches!(&ended, Ended::ByItself(status) if status.code() == Some(exit::IN_VAIN.into()));
        if is_in_vain && began.elapsed() >= CHEAP {
            note(true, "proved nothing")?;
        }
        return Ok(files.set);
    }
    let is_typed = files.takes(&files.typed)?;
    match (ended, vain) {
        (Ended::ByItself(status), _) if !is_typed && status.code().is_some() => {
            bail!("the classes of earlier runs could not be typed: remove `{}`", learnt.folder().display())
        }
        (_, Some(Vain { reason, .. })) if is_typed => {
            say(&format!("the focus is by the types of fields only, as a search for races {reason} in an earlier run"));
        }
        (Ended::ByItself(_), None) if is_typed && !wants_search => {}
        (ended, _) => {
            let reason = match ended {
                Ended::Limited(reason) => reason,
                Ended::ByItself(status) => format!("was ended ({status})"),
            };
            note(is_typed, &reason)?;
            say(&match is_typed {
                true => format!("the focus is by the types of fields only, as the search for races {reason}"),
                false => format!("everything is checked, as typing the classes {reason}"),
            });
        }
    }
    if is_typed { Ok(files.set) } else { nothing(files) }
}

/// A set without proofs: the JVMs are to know which classes were learnt.
fn nothing(files: Files) -> Result<PathBuf> {
    write_set(&FocusSet::default(), &files.set)?;
    Ok(files.set)
}

fn prove(learnt: &Learnt, focus: Focus, limits: Limits, files: &Files, wants_search: bool) -> Result<Ended> {
    // By what it is and not by its name, under which another version may have been installed since it was started.
    let mut command = Command::new("/proc/self/exe");
    command.arg0(std::env::current_exe().context("jrace cannot find itself")?);
    let focus = focus.to_possible_value().context("each focus has a name")?;
    command.arg("prove").arg(learnt.output()).arg(focus.get_name()).arg("--typed").arg(&files.typed);
    learnt.models().iter().for_each(|models| _ = command.arg("--models").arg(models));
    command.arg("--memory").arg(limits.megabytes.to_string());
    if wants_search {
        command.arg("--searched").arg(&files.searched);
    }
    // It ends with its input, which ends with this process.
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().context("jrace cannot start itself")?;
    let ended = wait(&mut child, limits);
    if !matches!(ended, Ok(Ended::ByItself(_))) {
        let _ = child.kill();
        let _ = child.wait();
        clear_line();
    }
    ended.context("the process that types classes is lost")
}

fn wait(child: &mut Child, limits: Limits) -> io::Result<Ended> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::ByItself(status));
        }
        if let Some(seconds) =
            limits.seconds.filter(|seconds| began.elapsed() >= Duration::from_secs((*seconds).into()))
        {
            return Ok(Ended::Limited(format!("took more than {seconds} s (`focus_time`)")));
        }
        if resident_kilobytes(child.id()).is_some_and(|kilobytes| kilobytes / 1024 > limits.megabytes.into()) {
            return Ok(Ended::Limited(format!("took more than {} MB (`focus_memory`)", limits.megabytes)));
        }
        sleep(OFTEN);
    }
}

/// What of a process is in memory.
fn resident_kilobytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { seconds: Some(60), megabytes: 100 };

    #[test]
    fn what_was_in_vain_is_tried_again_with_wider_limits_or_another_program() {
        let version = env!("JRACE_VERSION").to_owned();
        let vain = Vain { is_typed: true, reason: String::new(), limits: LIMITS, size: 1000, version };
        assert!(vain.is_again(1000, LIMITS) && vain.is_again(1300, LIMITS) && vain.is_again(760, LIMITS));
        assert!(!vain.is_again(1400, LIMITS) && !vain.is_again(700, LIMITS));
        assert!(vain.is_again(1000, Limits { seconds: Some(10), ..LIMITS }));
        for wider in [Limits { seconds: Some(61), ..LIMITS }, Limits { seconds: None, ..LIMITS }] {
            assert!(!vain.is_again(1000, wider));
        }
        assert!(!vain.is_again(1000, Limits { megabytes: 101, ..LIMITS }));
        assert!(!Vain { version: "0".to_owned(), ..vain }.is_again(1000, LIMITS));
    }

    #[test]
    fn a_process_ends_within_its_time() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let ended = wait(&mut child, Limits { seconds: Some(0), ..LIMITS }).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(matches!(ended, Ended::Limited(reason) if reason == "took more than 0 s (`focus_time`)"));
    }

    #[test]
    fn memory_in_use_is_known() {
        assert!(resident_kilobytes(std::process::id()).unwrap() > 100);
    }
}
