//! The agent's state: made once, when the library is loaded. Only where the JVM calls the agent is the whole of it known; its parts have
//! what they need of each other.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use checkers::discovery::sampling::Sampling;
use parking_lot::Mutex;

use crate::callers::Callers;
use crate::classes::Weaver;
use crate::evidence::Evidence;
use crate::focus::Focus;
use crate::internal::Internal;
use crate::jvmti::Vm;
use crate::loading::Loaders;
use crate::locks::Locks;
use crate::mode::Mode;
use crate::own::Own;
use crate::record::Recorder;
use crate::reflection::Reflection;
use crate::retired::Retired;
use crate::reweave::Retirement;
use crate::sink::Sink;
use crate::sites::Sites;
use crate::suite::Suite;
use crate::threads::Threads;
use crate::variables::Variables;

/// Everything the agent knows.
pub struct Agent {
    /// What the user asked for.
    pub mode: Arc<Mode>,
    /// The JVM.
    pub vm: Arc<Vm>,
    /// Whether the JVM is a build tool's own, and has loaded no class of the user's yet.
    pub waits: AtomicBool,
    /// Tells loaders of classes apart.
    pub loaders: Arc<Loaders>,
    /// Weaves classes.
    pub weaver: Weaver,
    /// What need not be checked in them.
    pub focus: Arc<Focus>,
    /// Where events come from.
    pub sites: Arc<Sites>,
    /// What accesses are to.
    pub variables: Arc<Variables>,
    /// Where those inside the JDK come from.
    pub callers: Callers,
    /// What the JDK synchronizes for itself.
    pub internal: Internal,
    /// What is the program's own.
    pub own: Own,
    /// Locks, and sets of them.
    pub locks: Arc<Locks>,
    /// Threads by number.
    pub threads: Arc<Threads>,
    /// Tests by number.
    pub suite: Arc<Suite>,
    /// Accesses and races seen.
    pub evidence: Arc<Evidence>,
    /// Fields that need no checks any more.
    pub retired: Arc<Retired>,
    /// Takes their checks out.
    pub retirement: Retirement,
    /// The trace, when one is recorded.
    pub recorder: Option<Recorder>,
    /// Which objects are looked at, when the trace is for type discovery.
    pub sampling: Option<Mutex<Sampling>>,
    /// What is accessed by reflection, when that is noted.
    pub reflection: Option<Reflection>,
    /// Findings to disk.
    pub sink: Arc<Sink>,
}

static AGENT: OnceLock<Agent> = OnceLock::new();

/// The agent, once it is loaded.
pub fn get() -> Option<&'static Agent> {
    AGENT.get()
}

/// Makes an agent the one of this JVM, unless there is one.
pub fn keep(agent: Agent) -> &'static Agent {
    AGENT.get_or_init(|| agent)
}
