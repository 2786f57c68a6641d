//! Signals that end a process. While a command runs they are handed on to it: it may want to end in its own way, and what was found
//! until then is reported. Without one they end jrace, whatever it is about, and no temporary directory is left behind.

use std::fs::{self, File};
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

/// A signal that comes so soon after the end of a command was meant for that: `timeout` sends two of them, to all that runs.
const LATE: Duration = Duration::from_millis(500);

static STATE: Mutex<State> = Mutex::new(State { follows: false, command: None, ended: None, folders: Vec::new() });

struct State {
    /// Whether signals are handled at all yet.
    follows: bool,
    command: Option<Pid>,
    /// When the latest command has ended.
    ended: Option<Instant>,
    folders: Vec<PathBuf>,
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
        if !mem::replace(&mut state.follows, true) {
            let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
            std::thread::spawn(move || signals.forever().for_each(take));
        }
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
    let state = state();
    match state.command {
        // Ctrl-C at the terminal reaches the command without our help.
        Some(_) if number == SIGINT && is_foreground() => {}
        // It may just have ended.
        Some(command) => _ = kill_process(command, named(number)),
        None if state.ended.is_some_and(|ended| ended.elapsed() < LATE) => {}
        None => {
            state.folders.iter().for_each(|folder| _ = fs::remove_dir_all(folder));
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
pub struct Temporary(TempDir);

impl Temporary {
    /// Makes one whose name begins like this.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn named(prefix: &str) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir()?;
        state().folders.push(folder.path().to_owned());
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        state().folders.retain(|folder| folder != self.0.path());
    }
}
