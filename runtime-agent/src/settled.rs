//! Fields about which nothing new will be reported, and for type discovery sites of which enough is known: their accesses are woven
//! without checks from then on.
//!
//! The word of a static field does not change any more once its race has all its evidence, and of an instance field only the
//! first few races are looked at. What further checks cost brings no finding, only a number. Discovery wants a few objects of each
//! site. A thread of the agent's own takes the checks out, which holds up the program, so it waits a while for more of them and
//! rests in proportion to the work.
//!
//! The thread lives only while there is work: a JVM that ends waits 300 ms for threads in native code (HotSpot,
//! `VM_Exit::wait_for_threads_in_native_to_block`).

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use facts::access::Granularity;
use facts::finding::Variable;
use facts::focus::ClassFocus;
use facts::options::Options;
use facts::site::{FieldRef, Place};
use jvmti_bindings::sys::jni::{JNIEnv, jclass};
use jvmti_bindings::sys::jvmti::jvmtiEnv;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agent::{self, Agent};
use crate::guard;
use crate::jvmti::{Class, Env, Vm};

/// How long fields, and sites of discovery, are collected before classes are woven again. Sites are observed that much longer.
const PATIENCE: Duration = Duration::from_millis(50);
const PATIENCE_OF_DISCOVERY: Duration = Duration::from_millis(500);

/// How many times as long as the last weaving took no further one begins.
const REST: u32 = 20;

/// The fields and sites, and those that are still checked.
#[derive(Default)]
pub struct Settled {
    references: RwLock<FxHashSet<FieldRef>>,
    is_any: AtomicBool,
    /// Accesses of which enough is known, by class.
    known: RwLock<FxHashMap<String, Arc<ClassFocus>>>,
    waiting: Mutex<Waiting>,
    /// Whether there is something in `waiting`.
    is_waiting: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    variables: Vec<Variable>,
    sites: Vec<u32>,
    /// A thread that is not started yet, as a global reference; none while there is one at work.
    thread: Option<usize>,
    at_work: Option<usize>,
    rest_until: Option<Instant>,
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.sites.is_empty()
    }
}

/// Whether these options want checks of fields to end: a trace has every event, and an object's one word is never done with.
fn wants_fields(options: &Options) -> bool {
    options.settle
        && options.check.checks_accesses()
        && options.record.is_none()
        && options.granularity == Granularity::Field
}

/// Whether they want observation of sites to end.
fn wants_sites(options: &Options) -> bool {
    options.settle && options.discover.is_some()
}

unsafe extern "system" fn run(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, _argument: *mut c_void) {
    guard((), || {
        let Some(agent) = agent::get() else { return };
        let discovers = agent.options.discover.is_some();
        std::thread::sleep(if discovers { PATIENCE_OF_DISCOVERY } else { PATIENCE });
        Vm::in_local_frame(Env(env), || agent.settled.work(agent, Env(env)));
    });
}

impl Settled {
    /// Makes a thread, while no code of the program runs yet of which it could inherit something.
    pub fn prepare(&self, agent: &Agent, env: Env) {
        if wants_fields(&agent.options) || wants_sites(&agent.options) {
            // Without it, everything stays checked.
            self.waiting.lock().thread = env.new_thread("jrace-settled");
        }
    }

    /// Nothing new will be reported about the variable.
    pub fn add(&self, agent: &Agent, variable: &Variable) {
        if wants_fields(&agent.options) && matches!(variable, Variable::Field { .. } | Variable::Static { .. }) {
            self.waiting.lock().variables.push(variable.clone());
            self.is_waiting.store(true, Relaxed);
            self.begin(agent);
        }
    }

    /// Discovery has seen enough of the accesses at a site.
    pub fn add_site(&self, agent: &Agent, site: u32) {
        if wants_sites(&agent.options) {
            self.waiting.lock().sites.push(site);
            self.is_waiting.store(true, Relaxed);
            self.begin(agent);
        }
    }

    /// Starts the thread if there is work, and it has rested.
    pub fn begin(&self, agent: &Agent) {
        if !self.is_waiting.load(Relaxed) {
            return;
        }
        let mut waiting = self.waiting.lock();
        // The thread may have taken all of it since.
        if waiting.is_empty() || waiting.rest_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        let Some(thread) = waiting.thread.take() else { return };
        waiting.at_work = Some(thread);
        drop(waiting);
        let _ = agent.vm.run_agent_thread(thread, run);
    }

    fn work(&self, agent: &Agent, env: Env) {
        let begun = Instant::now();
        let mut waiting = self.waiting.lock();
        let (variables, sites) = (std::mem::take(&mut waiting.variables), std::mem::take(&mut waiting.sites));
        drop(waiting);
        let mut names = self.settle(agent, &variables);
        names.extend(self.know(agent, &sites));
        weave_again(agent, env, &names);
        let thread = env.new_thread("jrace-settled");
        let mut waiting = self.waiting.lock();
        waiting.rest_until = Some(Instant::now() + begun.elapsed() * REST);
        waiting.thread = thread;
        waiting.at_work.take().into_iter().for_each(|old| env.free(old));
        self.is_waiting.store(!waiting.is_empty(), Relaxed);
    }

    /// Whether accesses through this reference need no check.
    pub fn has(&self, reference: &FieldRef) -> bool {
        self.references.read().contains(reference)
    }

    /// Whether there are any.
    pub fn is_any(&self) -> bool {
        self.is_any.load(Relaxed)
    }

    /// The accesses of a class of which enough is known.
    pub fn known(&self, class: &str) -> Option<Arc<ClassFocus>> {
        self.known.read().get(class).cloned()
    }

    /// The classes that access these variables.
    fn settle(&self, agent: &Agent, variables: &[Variable]) -> FxHashSet<String> {
        if variables.is_empty() {
            return FxHashSet::default();
        }
        let (references, names) = agent.evidence.accesses_to(agent, variables);
        self.references.write().extend(references);
        self.is_any.store(true, Relaxed);
        names
    }

    /// The classes that these sites are in.
    fn know(&self, agent: &Agent, sites: &[u32]) -> FxHashSet<String> {
        let mut known = self.known.write();
        let places = sites.iter().filter_map(|&site| agent.sites.place(site));
        places.map(|place| add(&mut known, place)).collect()
    }
}

fn add(known: &mut FxHashMap<String, Arc<ClassFocus>>, place: Place) -> String {
    let of_class = known.entry(place.class.clone()).or_default();
    let accesses = &mut Arc::make_mut(of_class).accesses;
    let offsets = accesses.entry(format!("{}{}", place.method, place.descriptor)).or_default();
    if let Err(at) = offsets.binary_search(&place.offset) {
        offsets.insert(at, place.offset);
    }
    place.class
}

fn weave_again(agent: &Agent, env: Env, names: &FxHashSet<String>) {
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
