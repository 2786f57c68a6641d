//! The agent's state: made once, when the library is loaded.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{SystemTime, UNIX_EPOCH};

use checkers::lock_set::LockSets;
use checkers::sampling::Sampling;
use facts::access::{ArrayGranularity, Granularity};
use facts::config;
use facts::finding::{FORMAT, Jvm};
use facts::hook::Events;
use facts::models::Models;
use facts::options::{Atomicity, Check, Options};
use facts::secret;
use jvmti_bindings::env::Jvmti;
use jvmti_bindings::sys::jni::JavaVM;
use parking_lot::Mutex;

use crate::callers::Callers;
use crate::classes::Filter;
use crate::evidence::Evidence;
use crate::focus::Focus;
use crate::helper::{Engine, Words};
use crate::internal::Internal;
use crate::jvmti::Vm;
use crate::record::Recorder;
use crate::reflection::{self, Reflection};
use crate::settled::Settled;
use crate::sink::Sink;
use crate::sites::Sites;
use crate::suite::Suite;
use crate::threads::Threads;
use crate::{events, layout, log, roll};

/// Oldest JDK the agent works on.
const OLDEST_JDK: u32 = 17;

/// Everything the agent knows.
pub struct Agent {
    /// The JVM.
    pub vm: Vm,
    /// What the user asked for.
    pub options: Options,
    /// Which events are woven into checked classes.
    pub events: Events,
    /// Which classes are checked.
    pub filter: Filter,
    /// What methods do that jrace knows, or the user tells of.
    pub models: Models,
    /// What the user tells of.
    pub told: Models,
    /// What need not be checked in them.
    pub focus: Focus,
    /// Where events come from.
    pub sites: Sites,
    /// Where those inside the JDK come from.
    pub callers: Callers,
    pub internal: Internal,
    /// Lock sets by number.
    pub sets: LockSets,
    /// Threads by number.
    pub threads: Threads,
    /// Tests by number.
    pub suite: Suite,
    /// Accesses and races seen.
    pub evidence: Evidence,
    /// Fields that need no checks any more.
    pub settled: Settled,
    /// The trace, when one is recorded.
    pub recorder: Option<Recorder>,
    /// Which objects are looked at, when the trace is for type discovery.
    pub sampling: Option<Mutex<Sampling>>,
    /// What is reached by reflection, when that is noted.
    pub reflection: Option<Reflection>,
    /// Findings to disk.
    pub sink: Sink,
    /// Whether the helper class works, so that classes may call it.
    pub ready: AtomicBool,
    /// Whether woven fields leave those of their class where they are.
    pub shadows_last: bool,
    /// What weaving did.
    pub counts: Counts,
}

impl Agent {
    /// Whether the words of threads are in fields of `Thread`, and not beside their locals: discovery looks at them seldom, and who
    /// only learns classes never.
    pub fn extends_thread(&self) -> bool {
        self.options.discover.is_none() && !self.events.is_empty()
    }

    /// Whether woven code tells all that orders threads: to a check, or to a trace that has everything.
    pub fn knows_order(&self) -> bool {
        self.events.contains(Events::EDGES)
    }

    /// Whether accesses are checked by order, too.
    pub fn checks_by_order(&self) -> bool {
        self.events.contains(Events::STATES)
    }

    /// Which versions of the helper classes this JVM gets.
    pub fn helper_versions(&self) -> (Words, Engine) {
        let words = if self.extends_thread() { Words::InThread } else { Words::BesideLocals };
        let engine = match (self.options.record.is_some(), self.options.check.checks_accesses()) {
            _ if self.sampling.is_some() => Engine::Discovery,
            (false, _) if self.checks_by_order() => Engine::Hybrid,
            (true, _) if self.checks_by_order() => Engine::RecorderAndHybrid,
            (false, _) => Engine::Eraser,
            (true, false) => Engine::Recorder,
            (true, true) => Engine::RecorderAndEraser,
        };
        (words, engine)
    }
}

/// Counters for the summary.
#[derive(Default)]
pub struct Counts {
    /// Classes woven.
    pub woven: AtomicU64,
    /// Classes left alone because they could not be woven.
    pub unwoven: AtomicU64,
    /// Methods left alone because they could not be woven.
    pub unwoven_methods: AtomicU64,
    /// Methods that weaving made too large for compilation.
    pub huge_methods: AtomicU64,
    /// How often a thread was asked which monitors it owns, as not all may have been reported.
    pub monitor_looks: AtomicU64,
    /// Nanoseconds spent weaving.
    pub nanos: AtomicU64,
}

/// Why the agent does not run.
pub enum LoadError {
    /// The options cannot be right: the JVM must not start.
    Options(String),
    /// The agent cannot work here: the program runs unchecked, and why was said.
    StepAside,
}

static AGENT: OnceLock<Agent> = OnceLock::new();

/// The agent, once it is loaded.
pub fn get() -> Option<&'static Agent> {
    AGENT.get()
}

/// Loads the agent.
///
/// # Errors
/// See [`LoadError`]. A second load into the same JVM is no error: the first one counts.
pub fn load(vm: *mut JavaVM, text: &str) -> Result<(), LoadError> {
    let options = parse(text)?;
    let told = told(&options)?;
    if AGENT.get().is_some() {
        return Ok(());
    }
    // SAFETY: the JVM's own pointer, in its call of Agent_OnLoad.
    let vm = unsafe { Jvmti::from_java_vm_raw(vm) }.map(Vm::new);
    let jvm = jvm(vm.as_ref().ok(), &options);
    let refuse = |reason: String| {
        log::say(&format!("the program runs unchecked: {reason}"));
        roll::tell(&options.output, &jvm, &reason);
        LoadError::StepAside
    };
    if let Some(path) = &options.log_path {
        log::redirect(path)
            .map_err(|error| refuse(format!("log_path {} cannot be opened: {error}", path.display())))?;
    }
    let vm = vm.map_err(|code| refuse(format!("this JVM offers no JVM TI (error {code})")))?;
    if vm.feature() < OLDEST_JDK {
        return Err(refuse(format!("this is JDK {}, and jrace needs JDK {OLDEST_JDK} or later", vm.feature())));
    }
    let sink = Sink::create(&options.output, &jvm).map_err(|error| {
        refuse(format!(
            "findings cannot be written to {}: {error}; choose another directory with output=DIR",
            options.output.display()
        ))
    })?;
    let recorder = match &options.record {
        None => None,
        Some(directory) => Some(Recorder::create(directory, &jvm, &options).map_err(|error| {
            sink.give_up(&format!(
                "the trace cannot be written to {}: {error}; choose another directory with record=DIR",
                directory.display()
            ));
            LoadError::StepAside
        })?),
    };
    let events = woven_events(&options);
    let agent = Agent {
        events,
        focus: Focus::new(&options, events, &vm.property("java.vm.version"), &vm.property("sun.java.command")),
        filter: Filter::new(&options),
        models: Models::built_in().clone().and(told.clone()),
        told,
        sites: Sites::default(),
        callers: Callers::default(),
        internal: Internal::default(),
        sets: LockSets::new(),
        threads: Threads::default(),
        suite: Suite::default(),
        evidence: Evidence::default(),
        settled: Settled::default(),
        recorder,
        reflection: Reflection::of(&options),
        sampling: options.discover.map(|seed| Mutex::new(Sampling::new(seed))),
        sink,
        ready: AtomicBool::new(false),
        shadows_last: !events.is_empty() && layout::put_groups_last(),
        counts: Counts::default(),
        vm,
        options,
    };
    let agent = AGENT.get_or_init(|| agent);
    let started = agent.vm.start(events::callbacks(), agent.extends_thread(), agent.focus.state().is_some());
    if agent.recorder.is_some() {
        drain(agent);
    }
    if started.is_ok() && agent.reflection.is_some() {
        reflection::follow(agent);
    }
    started.and_then(|()| if agent.recorder.is_some() { agent.vm.follow_ends() } else { Ok(()) }).map_err(|error| {
        agent.sink.give_up(&format!("the JVM refuses what the agent needs ({error:?})"));
        LoadError::StepAside
    })
}

/// Starts the thread that writes the trace. Signals are for the program's threads.
fn drain(agent: &'static Agent) {
    let run = || {
        if let Some(recorder) = &agent.recorder {
            let body = || recorder.run(agent);
            crate::guard((), body);
            // If that was a panic, nobody reads any more.
            recorder.lanes.close();
        }
    };
    let started = without_signals(|| std::thread::Builder::new().name("jrace-trace".to_owned()).spawn(run));
    if let (Err(error), Some(recorder)) = (started, &agent.recorder) {
        agent.sink.give_up(&format!("nothing is recorded: {error}"));
        recorder.lanes.close();
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

/// The file that `config` names comes first, then `JRACE_OPTIONS`, then the agent's own string.
fn parse(text: &str) -> Result<Options, LoadError> {
    let environment = std::env::var("JRACE_OPTIONS").unwrap_or_default();
    let mut named = Options::default();
    apply(&mut named, &environment, text)?;
    let mut options = Options::default();
    if let Some(path) = named.config {
        let bad = |error: &dyn std::fmt::Display| LoadError::Options(format!("{}: {error}", path.display()));
        #[allow(clippy::disallowed_methods, reason = "the one file that is read before there is an agent")]
        let read = std::fs::read_to_string(&path);
        for (name, value) in config::of(&path, read).map_err(|error| bad(&error))? {
            options.set(&name, &value).map_err(|error| bad(&error))?;
        }
    }
    apply(&mut options, &environment, text)?;
    if options.discover.is_some() { for_discovery(options) } else { Ok(options) }
}

/// Discovery looks at fields and at nothing else.
fn for_discovery(options: Options) -> Result<Options, LoadError> {
    if options.record.is_none() {
        return Err(LoadError::Options("option `discover` needs `record=DIR`, where the trace is written".to_owned()));
    }
    Ok(Options {
        check: Check::None,
        granularity: Granularity::Field,
        arrays: ArrayGranularity::Off,
        record_covered: true,
        atomicity: Atomicity::Off,
        deadlocks: false,
        ..options
    })
}

/// The models of the user's file.
fn told(options: &Options) -> Result<Models, LoadError> {
    let Some(path) = &options.models else { return Ok(Models::default()) };
    let bad = |error: &dyn std::fmt::Display| LoadError::Options(format!("models {}: {error}", path.display()));
    #[allow(clippy::disallowed_methods, reason = "like the options, it is read before there is an agent")]
    let text = std::fs::read_to_string(path).map_err(|error| bad(&format!("it cannot be read: {error}")))?;
    Models::read(&text).map_err(|error| bad(&error))
}

fn apply(options: &mut Options, environment: &str, text: &str) -> Result<(), LoadError> {
    options.apply(environment).map_err(|error| LoadError::Options(format!("JRACE_OPTIONS: {error}")))?;
    options.apply(text).map_err(|error| LoadError::Options(error.to_string()))
}

fn woven_events(options: &Options) -> Events {
    let recorded = match &options.record {
        Some(_) if options.discover.is_some() => Events::DISCOVERY,
        Some(_) if options.atomicity != Atomicity::Off => Events::ALL | Events::TRANSACTIONS,
        Some(_) => Events::ALL,
        None => Events::NONE,
    };
    let checked = match options.check {
        Check::None => Events::NONE,
        Check::Hybrid | Check::HappensBefore => Events::HYBRID,
        Check::Eraser => Events::ERASER,
    };
    let contents = if checks_contents(options) { Events::CONTENTS } else { Events::NONE };
    // A trace that only the checkers of transactions read can do without.
    let keeps_all = recorded.contains(Events::ALL) && options.record_covered;
    let edges = if keeps_all { Events::EDGES } else { Events::NONE };
    let arrays = if options.arrays == ArrayGranularity::Off { Events::ARRAYS } else { Events::NONE };
    (recorded | checked | contents | edges).without(arrays)
}

/// Whether objects of the library carry words for their contents.
pub fn checks_contents(options: &Options) -> bool {
    options.check.checks_accesses() && options.contents
}

fn jvm(vm: Option<&Vm>, options: &Options) -> Jvm {
    let property = |name| vm.map(|vm| vm.property(name)).unwrap_or_default();
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Jvm {
        format: FORMAT,
        pid: std::process::id(),
        started: u64::try_from(started.as_millis()).unwrap_or(0),
        version: format!("{} {}", property("java.vm.name"), property("java.vm.version")),
        command: secret::masked(&property("sun.java.command")),
        check: format!("{}, {}", options.check.name(), options.granularity.name()),
    }
}
