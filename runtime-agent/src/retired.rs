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

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use facts::access::Granularity;
use facts::finding::Variable;
use facts::focus::{ClassFocus, Proof};
use facts::options::Options;
use facts::site::{FieldRef, Place};
use jvmti_bindings::sys::jvmti::jvmtiStartFunction;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::jvmti::{Env, Vm};
use crate::mode::Mode;

/// How long fields, and sites of discovery, are collected before classes are woven again. Sites are observed that much longer.
const PATIENCE: Duration = Duration::from_millis(50);
const PATIENCE_OF_DISCOVERY: Duration = Duration::from_millis(500);

/// The name of the thread that takes checks out.
const THREAD: &str = "jrace-retired";

/// How many times as long as the last weaving took no further one begins.
const REST: u32 = 20;

/// The fields and sites, and those that are still checked.
pub struct Retired {
    mode: Arc<Mode>,
    vm: Arc<Vm>,
    /// What the thread does.
    run: jvmtiStartFunction,
    references: RwLock<FxHashSet<FieldRef>>,
    is_any: AtomicBool,
    /// Accesses of which enough is known, by class.
    known: RwLock<FxHashMap<String, Arc<ClassFocus>>>,
    waiting: Mutex<Waiting>,
    /// Whether there is something in `waiting`.
    is_waiting: AtomicBool,
}

/// What is to be checked no more.
#[derive(Default)]
pub struct Work {
    /// Fields.
    pub variables: Vec<Variable>,
    /// Sites of type discovery.
    pub sites: Vec<u32>,
}

#[derive(Default)]
struct Waiting {
    work: Work,
    /// A thread that is not started yet, as a global reference; none while there is one at work.
    thread: Option<usize>,
    at_work: Option<usize>,
    rest_until: Option<Instant>,
}

impl Work {
    fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.sites.is_empty()
    }
}

/// Whether these options want checks of fields to end: a trace has every event, and an object's one word is never done with.
fn wants_fields(options: &Options) -> bool {
    options.retire
        && options.check.checks_accesses()
        && options.record.is_none()
        && options.granularity == Granularity::Field
}

/// Whether they want observation of sites to end.
fn wants_sites(options: &Options) -> bool {
    options.retire && options.discover.is_some()
}

impl Retired {
    /// Everything is checked. A thread runs `run` when there is work.
    pub fn new(mode: Arc<Mode>, vm: Arc<Vm>, run: jvmtiStartFunction) -> Self {
        Self {
            mode,
            vm,
            run,
            references: RwLock::default(),
            is_any: AtomicBool::new(false),
            known: RwLock::default(),
            waiting: Mutex::default(),
            is_waiting: AtomicBool::new(false),
        }
    }

    /// Makes a thread, while no code of the program runs yet of which it could inherit something.
    pub fn prepare(&self, env: Env) {
        if wants_fields(&self.mode.options) || wants_sites(&self.mode.options) {
            // Without it, everything stays checked.
            self.waiting.lock().thread = env.new_thread(THREAD);
        }
    }

    /// Nothing new will be reported about the variable.
    pub fn add(&self, variable: &Variable) {
        let is_field = matches!(variable, Variable::Field { .. } | Variable::Static { .. });
        if wants_fields(&self.mode.options) && is_field {
            self.waiting.lock().work.variables.push(variable.clone());
            self.is_waiting.store(true, Relaxed);
            self.begin();
        }
    }

    /// Discovery has seen enough of the accesses at a site.
    pub fn add_site(&self, site: u32) {
        if wants_sites(&self.mode.options) {
            self.waiting.lock().work.sites.push(site);
            self.is_waiting.store(true, Relaxed);
            self.begin();
        }
    }

    /// Starts the thread if there is work, and it has rested.
    pub fn begin(&self) {
        if !self.is_waiting.load(Relaxed) {
            return;
        }
        let mut waiting = self.waiting.lock();
        // The thread may have taken all of it since.
        if waiting.work.is_empty() || waiting.rest_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        let Some(thread) = waiting.thread.take() else { return };
        waiting.at_work = Some(thread);
        drop(waiting);
        let _ = self.vm.run_agent_thread(thread, self.run);
    }

    /// Waits a while for more work, and takes what there is. Called by the thread.
    pub fn wait(&self) -> Work {
        std::thread::sleep(if self.mode.discovers() { PATIENCE_OF_DISCOVERY } else { PATIENCE });
        std::mem::take(&mut self.waiting.lock().work)
    }

    /// Checks are taken out again only after a rest in proportion to the time that it took. Called by the thread at its end.
    pub fn rest(&self, env: Env, took: Duration) {
        let thread = env.new_thread(THREAD);
        let mut waiting = self.waiting.lock();
        waiting.rest_until = Some(Instant::now() + took * REST);
        waiting.thread = thread;
        waiting.at_work.take().into_iter().for_each(|old| env.free(old));
        self.is_waiting.store(!waiting.work.is_empty(), Relaxed);
    }

    /// Accesses through these references need no check from now on.
    pub fn retire(&self, references: FxHashSet<FieldRef>) {
        self.references.write().extend(references);
        self.is_any.store(true, Relaxed);
    }

    /// Enough is known of the accesses at these places.
    pub fn know(&self, places: impl Iterator<Item = Place>) {
        let mut known = self.known.write();
        places.for_each(|place| add(&mut known, place));
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
}

fn add(known: &mut FxHashMap<String, Arc<ClassFocus>>, place: Place) {
    let methods = &mut Arc::make_mut(known.entry(place.class).or_default()).methods;
    let method = methods.entry(format!("{}{}", place.method, place.descriptor)).or_default();
    let offsets = method.proofs.entry(Proof::RaceFree).or_default();
    if let Err(at) = offsets.binary_search(&place.offset) {
        offsets.insert(at, place.offset);
    }
}
