//! Signals that end a process. While a command runs they are handed on to it: it may want to end in its own way, and what
//! was found until then is reported. Without one they end jrace, whatever it is about: what it has found by then is shown,
//! and no temporary directory is left behind. A report that is being shown is shown to its end, unless a second signal
//! comes.

use std::fs::File;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgrp, kill_process};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tempfile::TempDir;

use crate::abandoned::{self, Owner};

/// A signal that comes so soon after the end of a command was meant for that: `timeout` sends two of them, to all that runs.
const LATE: Duration = Duration::from_millis(500);

/// That a signal has ended what jrace was about.
pub const CUT: &str = "a signal came before everything was looked at: hazards may be missing";

static STATE: Mutex<State> = Mutex::new(State {
    follows: false,
    command: None,
    ended: None,
    got: None,
    folders: Vec::new(),
    last: Last::Nothing,
});

struct State {
    /// Whether signals are handled at all yet.
    follows: bool,
    command: Option<Pid>,
    /// When the latest command has ended.
    ended: Option<Instant>,
    /// The first signal that came for a command.
    got: Option<i32>,
    folders: Vec<PathBuf>,
    last: Last,
}

/// What there is to say when a signal ends jrace.
enum Last {
    Nothing,
    /// What was found so far; the exit code follows from it, unless that of the signal does.
    Words(Box<dyn FnOnce(i32) -> Option<u8> + Send>),
    /// It is being said.
    Report,
}

/// Has this done when a signal ends jrace from now on: it is given the signal's number, and returns an exit code, or `None`
/// for that of the signal.
pub fn at_end(words: impl FnOnce(i32) -> Option<u8> + Send + 'static) {
    let mut state = state();
    // Without handlers a signal ends jrace, with nothing said.
    let _ = state.follow();
    state.last = Last::Words(Box::new(words));
}

/// From now on a report is shown, and a first signal changes nothing about that.
pub fn report() {
    state().last = Last::Report;
}

/// The signal that came for a command, if one has: whoever sent it wants no other command to start.
pub fn got() -> Option<i32> {
    state().got
}

impl State {
    /// Handles signals from now on.
    fn follow(&mut self) -> io::Result<()> {
        if !mem::replace(&mut self.follows, true) {
            let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
            std::thread::spawn(move || signals.forever().for_each(take));
        }
        Ok(())
    }
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command that gets the signals.
pub struct Running(Child);

impl Running {
    /// Starts a command; no signal is lost in between.
    ///
    /// # Errors
    /// Signals cannot be handled, or what `start` says.
    pub fn start(start: impl FnOnce() -> io::Result<Child>) -> io::Result<Self> {
        let mut state = state();
        state.follow()?;
        let child = start()?;
        state.command = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Self(child))
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// It cannot be waited for.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        self.0.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = state();
        (state.command, state.ended) = (None, Some(Instant::now()));
    }
}

fn take(number: i32) {
    // As long as this is held, no other report begins.
    let mut state = state();
    let is_late = state.ended.is_some_and(|ended| ended.elapsed() < LATE);
    if state.command.is_some() || is_late {
        state.got.get_or_insert(number);
    }
    match state.command {
        // Ctrl-C at the terminal reaches the command without our help.
        Some(_) if number == SIGINT && is_foreground() => {}
        // It may just have ended.
        Some(command) => _ = kill_process(command, named(number)),
        None if is_late => {}
        None => {
            let last = mem::replace(&mut state.last, Last::Nothing);
            let code = match last {
                Last::Report => return,
                Last::Words(words) => words(number).filter(|code| i32::from(*code) != 128 + number),
                Last::Nothing => None,
            };
            state.folders.iter().for_each(|folder| abandoned::remove(folder));
            if let Some(code) = code {
                std::process::exit(code.into());
            }
            let _ = emulate_default_handler(number);
        }
    }
}

fn named(number: i32) -> Signal {
    match number {
        SIGINT => Signal::INT,
        SIGHUP => Signal::HUP,
        _ => Signal::TERM,
    }
}

/// Whether the command shares our process group, and that is the terminal's.
fn is_foreground() -> bool {
    let terminal = File::open("/dev/tty");
    terminal.is_ok_and(|terminal| tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp()))
}

/// A temporary directory that goes away with this, or with jrace.
pub struct Temporary {
    folder: TempDir,
    _owner: Owner,
}

impl Temporary {
    /// Makes one whose name begins with `jrace-` and this.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn named(prefix: &str) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(&format!("{}{prefix}", abandoned::PREFIX)).tempdir()?;
        let owner = Owner::of(folder.path())?;
        state().folders.push(folder.path().to_owned());
        Ok(Self { folder, _owner: owner })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        state().folders.retain(|folder| folder != self.folder.path());
    }
}
