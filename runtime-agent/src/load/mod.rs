//! Loads the agent: makes its parts, and has the JVM tell it what they need.

mod parts;
mod settings;

use std::time::{SystemTime, UNIX_EPOCH};

use facts::finding::{FORMAT, Jvm};
use facts::options::Options;
use facts::secret;
use jvmti_bindings::sys::jni::{JavaVM, jint};
use jvmti_bindings::sys::jvmti::jvmtiError;

use crate::jvmti::Vm;
use crate::record::Recorder;
use crate::sink::Sink;
use crate::state::{self, Agent};
use crate::{events, guard, log, roll, tools};

/// Oldest JDK the agent works on.
const OLDEST_JDK: u32 = 17;

/// Why the agent does not run.
pub enum LoadError {
    /// The options cannot be right: the JVM must not start.
    Options(String),
    /// The agent cannot work here: the program runs unchecked, and why was said, unless it is none of the user's.
    StepAside,
}

/// Loads the agent.
///
/// # Errors
/// See [`LoadError`]. A second load into the same JVM is no error: the first one counts.
pub fn load(vm: *mut JavaVM, text: &str) -> Result<(), LoadError> {
    let (options, given) = settings::parse(text).map_err(LoadError::Options)?;
    let told = settings::models(&options).map_err(LoadError::Options)?;
    if state::get().is_some() {
        return Ok(());
    }
    // SAFETY: the JVM's own pointer, in its call of Agent_OnLoad.
    let vm = unsafe { Vm::of(vm) };
    if vm.as_ref().is_ok_and(|vm| tools::runs_no_test(&vm.property("sun.java.command"))) {
        return Err(LoadError::StepAside);
    }
    let jvm = jvm(vm.as_ref().ok(), &options, given);
    let (vm, sink) = open(vm, &options, &jvm).map_err(|reason| {
        log::say(&format!("the program runs unchecked: {reason}"));
        roll::tell(&options.output, &jvm, &reason);
        LoadError::StepAside
    })?;
    let agent = parts::assemble(options, told, vm, sink, &jvm).ok_or(LoadError::StepAside)?;
    let agent = state::keep(agent);
    start(agent).map_err(|error| {
        agent.sink.give_up(&format!("the JVM refuses what the agent needs ({error:?})"));
        LoadError::StepAside
    })
}

/// The JVM, if the agent works in it, and where findings go.
fn open(vm: Result<Vm, jint>, options: &Options, jvm: &Jvm) -> Result<(Vm, Sink), String> {
    if let Some(path) = &options.log_path {
        log::redirect(path).map_err(|error| format!("log_path {} cannot be opened: {error}", path.display()))?;
    }
    let vm = vm.map_err(|code| format!("this JVM offers no JVM TI (error {code})"))?;
    if vm.feature() < OLDEST_JDK {
        return Err(format!("this is JDK {}, and jrace needs JDK {OLDEST_JDK} or later", vm.feature()));
    }
    let sink = Sink::create(&options.output, jvm).map_err(|error| {
        let directory = options.output.display();
        format!("findings cannot be written to {directory}: {error}; choose another directory with output=DIR")
    })?;
    Ok((vm, sink))
}

/// Has the JVM tell what the agent needs to know.
fn start(agent: &'static Agent) -> Result<(), jvmtiError> {
    let started = agent.vm.start(events::callbacks(), agent.mode.extends_thread(), agent.focus.state().is_some());
    if let Some(recorder) = &agent.recorder {
        drain(recorder, &agent.sink);
    }
    started?;
    if let Some(reflection) = &agent.reflection {
        reflection.follow();
    }
    if agent.recorder.is_some() { agent.vm.follow_ends() } else { Ok(()) }
}

/// Starts the thread that writes the trace. Signals are for the program's threads.
fn drain(recorder: &'static Recorder, sink: &Sink) {
    let run = || {
        guard((), || recorder.run());
        // If that was a panic, nobody reads any more.
        recorder.close();
    };
    let started = without_signals(|| std::thread::Builder::new().name("jrace-trace".to_owned()).spawn(run));
    if let Err(error) = started {
        sink.give_up(&format!("nothing is recorded: {error}"));
        recorder.close();
    }
}

/// Runs `start`; a thread that it starts gets no signals.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    // SAFETY: plain memory, which the calls below fill.
    let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = unsafe { std::mem::zeroed() };
    // SAFETY: both sets are the caller's own.
    unsafe {
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
    }
    let result = start();
    // SAFETY: as above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut()) };
    result
}

fn jvm(vm: Option<&Vm>, options: &Options, given: Vec<String>) -> Jvm {
    let property = |name| vm.map(|vm| vm.property(name)).unwrap_or_default();
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Jvm {
        format: FORMAT,
        pid: std::process::id(),
        started: u64::try_from(started.as_millis()).unwrap_or(0),
        version: format!("{} {}", property("java.vm.name"), property("java.vm.version")),
        command: secret::masked(&property("sun.java.command")),
        check: format!("{}, {}", options.check.name(), options.granularity.name()),
        options: given,
        directory: std::env::current_dir().map(|path| path.display().to_string()).unwrap_or_default(),
    }
}
