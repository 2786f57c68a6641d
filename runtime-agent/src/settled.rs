//! Fields about which nothing new will be reported: their accesses are woven without checks from then on.
//!
//! The word of a static field does not change any more once its race has all its evidence, and of an instance field only the
//! first few races are looked at. What further checks cost brings no finding, only a number. A thread of the agent's own takes
//! them out, which holds up the program, so it waits a while for more such fields and rests in proportion to the work.

use std::ffi::c_void;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use facts::access::Granularity;
use facts::finding::Variable;
use facts::options::{Check, Options};
use facts::site::FieldRef;
use jvmti_bindings::sys::jni::{JNIEnv, jclass};
use jvmti_bindings::sys::jvmti::jvmtiEnv;
use parking_lot::{Condvar, Mutex, RwLock};
use rustc_hash::FxHashSet;

use crate::agent::{self, Agent};
use crate::guard;
use crate::jvmti::{Class, Env, Vm};

/// How long fields are collected before classes are woven again.
const PATIENCE: Duration = Duration::from_millis(50);

/// How many times as long as the last weaving took no further one begins.
const REST: u32 = 20;

/// The fields, and those that the thread is to work on.
#[derive(Default)]
pub struct Settled {
    references: RwLock<FxHashSet<FieldRef>>,
    is_any: AtomicBool,
    waiting: Mutex<Vec<Variable>>,
    arrived: Condvar,
}

/// Whether these options want checks to end: a trace has every event, and an object's one word is never done with.
pub fn is_wanted(options: &Options) -> bool {
    options.settle
        && options.check == Check::Eraser
        && options.record.is_none()
        && options.granularity == Granularity::Field
}

/// Starts the thread. No code of the program runs yet, so that it inherits nothing of the program's.
pub fn start(agent: &Agent, env: Env) {
    if is_wanted(&agent.options)
        && let Some(thread) = env.new_thread("jrace-settled")
    {
        // Without it, everything stays checked.
        let _ = agent.vm.run_agent_thread(thread, run);
    }
}

unsafe extern "system" fn run(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, _argument: *mut c_void) {
    guard((), || {
        let Some(agent) = agent::get() else { return };
        loop {
            let variables = agent.settled.next();
            let begun = Instant::now();
            Vm::in_local_frame(Env(env), || agent.settled.settle(agent, Env(env), &variables));
            std::thread::sleep(begun.elapsed() * REST);
        }
    });
}

impl Settled {
    /// Nothing new will be reported about the variable.
    pub fn add(&self, agent: &Agent, variable: &Variable) {
        if is_wanted(&agent.options) && matches!(variable, Variable::Field { .. } | Variable::Static { .. }) {
            self.waiting.lock().push(variable.clone());
            self.arrived.notify_one();
        }
    }

    /// Whether accesses through this reference need no check.
    pub fn has(&self, reference: &FieldRef) -> bool {
        self.references.read().contains(reference)
    }

    /// Whether there are any.
    pub fn is_any(&self) -> bool {
        self.is_any.load(Relaxed)
    }

    fn next(&self) -> Vec<Variable> {
        let mut waiting = self.waiting.lock();
        while waiting.is_empty() {
            self.arrived.wait(&mut waiting);
        }
        drop(waiting);
        std::thread::sleep(PATIENCE);
        std::mem::take(&mut self.waiting.lock())
    }

    fn settle(&self, agent: &Agent, env: Env, variables: &[Variable]) {
        let (references, names) = agent.evidence.accesses_to(agent, variables);
        self.references.write().extend(references);
        self.is_any.store(true, Relaxed);
        let is_meant = |class: &Class| agent.vm.internal_name(*class).is_some_and(|name| names.contains(&name));
        let (meant, others): (Vec<_>, Vec<_>) = agent.vm.loaded_classes().into_iter().partition(is_meant);
        others.into_iter().for_each(|class| env.release(class));
        let methods = agent.vm.methods(&meant);
        agent.evidence.keep_places(&methods);
        agent.threads.keep_places(&methods);
        let classes: Vec<jclass> = meant.into_iter().map(|class| class.0).collect();
        // What cannot be woven again, like a hidden class, stays checked.
        if agent.vm.retransform(&classes).is_err() {
            classes.iter().for_each(|class| _ = agent.vm.retransform(&[*class]));
        }
    }
}
