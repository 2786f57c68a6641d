//! The callback table: what the JVM tells the agent.

use std::ffi::{CStr, c_char, c_uchar};
use std::slice;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;

use checkers::lock_set::SetId;
use checkers::word;
use facts::finding::{Record, Summary};
use facts::hook;
use facts::index::ThreadId;
use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jfieldID, jint, jmethodID, jobject, jthread};
use jvmti_bindings::sys::jvmti::{jlocation, jvmtiEnv, jvmtiEventCallbacks};

use crate::agent::{self, Agent};
use crate::classes::{self, Loader, Loading};
use crate::helper;
use crate::jvmti::{Class, Env, Method, Vm};
use crate::{guard, log, natives};

/// The field of `Thread` that holds the complement of its exclusive word, once the JVM runs; and the loader of platform classes.
static THREAD_OTHERS: OnceLock<usize> = OnceLock::new();
static PLATFORM_LOADER: OnceLock<usize> = OnceLock::new();

/// The callbacks that the agent installs.
pub fn callbacks() -> jvmtiEventCallbacks {
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMStart = Some(vm_start);
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ThreadEnd = Some(thread_end);
    callbacks.Breakpoint = Some(breakpoint);
    callbacks.FramePop = Some(frame_pop);
    callbacks.ClassFileLoadHook = Some(class_file_load_hook);
    callbacks.ClassPrepare = Some(class_prepare);
    callbacks
}

/// The field of `Thread` that holds the complement of its exclusive word.
pub fn thread_others() -> Option<jfieldID> {
    THREAD_OTHERS.get().map(|&field| field as jfieldID)
}

/// JNI works from here on, so the helper class can be defined; no application code runs yet.
unsafe extern "system" fn vm_start(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv) {
    guard((), || {
        let Some(agent) = agent::get() else { return };
        let (words, engine) = agent.helper_versions();
        for (name, bytes) in helper::classes(words, engine) {
            match Env(env).define_class(name, bytes) {
                // There are more of them than a native frame has room for.
                Some(class) => Env(env).release(class),
                None => agent.sink.give_up(&format!("{name} cannot be defined")),
            }
        }
    });
}

/// Initializes the helper class and weaves the library classes that are loaded already.
unsafe extern "system" fn vm_init(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, _thread: jthread) {
    guard((), || {
        let (Some(agent), env) = (agent::get(), Env(env)) else { return };
        let own = || {
            let thread = env.find_class("java/lang/Thread")?;
            env.field(thread, hook::THREAD_FIELDS[0].0, hook::THREAD_FIELDS[0].1)
        };
        let own = if agent.extends_thread() { own().map(Some) } else { Some(None) };
        let helper = env.find_class(hook::HELPER_CLASS);
        let exit = hook::Hook::Exit;
        let initialized = helper.is_some_and(|class| env.initialize(class, exit.name(), exit.descriptor()));
        let (Some(own), true) = (own, initialized) else {
            agent.sink.give_up("the helper class does not work on this JVM");
            return;
        };
        own.into_iter().for_each(|own| _ = THREAD_OTHERS.set(own as usize));
        if let Some(loader) = env.platform_loader() {
            let _ = PLATFORM_LOADER.set(loader);
        }
        agent.ready.store(true, Relaxed);
        if !agent.extends_thread()
            && let Err(error) = agent.vm.follow_classes()
        {
            agent.sink.give_up(&format!("its classes are not seen ({error:?})"));
        }
        Vm::in_local_frame(env, || weave_library(agent, env));
        agent.settled.prepare(agent, env);
        if let Some(reflection) = &agent.reflection {
            reflection.prepare(agent, env);
        }
    });
}

/// What is not loaded yet is woven when it is. To look a class up by its name would initialize it: that of `VirtualThread` loads
/// 280 classes (30 ms of Hello World on JDK 25).
fn weave_library(agent: &Agent, env: Env) {
    let is_modelled =
        |class: Class| agent.vm.internal_name(class).is_some_and(|name| classes::is_modelled(agent, &name));
    let (modelled, others): (Vec<_>, Vec<_>) =
        agent.vm.loaded_classes().into_iter().partition(|&class| is_modelled(class));
    others.into_iter().for_each(|class| env.release(class));
    let classes: Vec<jclass> = modelled.into_iter().map(|class| class.0).collect();
    if let Err(error) = agent.vm.retransform(&classes) {
        log::say(&format!("library locks are not seen: their classes cannot be woven ({error:?})"));
    }
}

/// A platform thread ends, before anybody can see that it has; only asked for to be recorded.
unsafe extern "system" fn thread_end(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, thread: jthread) {
    guard((), || {
        let recorder = agent::get().and_then(|agent| agent.recorder.as_ref());
        if let Some((recorder, thread)) = recorder.zip(number(Env(env), thread)) {
            recorder.lanes.end(thread);
        }
    });
}

/// The number of the thread that ends; one that did nothing has none.
fn number(env: Env, thread: jthread) -> Option<ThreadId> {
    // By now a thread has lost its locals, and what was beside them.
    let Some(field) = thread_others() else { return natives::recording_thread() };
    let others = env.int(thread, field);
    (others != 0).then_some(ThreadId(!others as u32 & word::PAYLOAD))
}

/// A class is ready to run; only asked for once the proofs of the focus set are void.
unsafe extern "system" fn class_prepare(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, _thread: jthread, class: jclass) {
    guard((), || {
        if let Some(agent) = agent::get() {
            Vm::in_local_frame(Env(env), || agent.focus.prepared(agent, Class(class)));
        }
    });
}

/// A reflective method of the JDK begins; only asked for to be noted.
unsafe extern "system" fn breakpoint(
    _jvmti: *mut jvmtiEnv,
    env: *mut JNIEnv,
    _thread: jthread,
    method: jmethodID,
    _location: jlocation,
) {
    guard((), || {
        if let Some((agent, reflection)) = agent::get().and_then(|agent| Some((agent, agent.reflection.as_ref()?))) {
            Vm::in_local_frame(Env(env), || reflection.begins(agent, Env(env), Method(method as usize)));
        }
    });
}

/// One that was waited for ends.
unsafe extern "system" fn frame_pop(
    _jvmti: *mut jvmtiEnv,
    env: *mut JNIEnv,
    _thread: jthread,
    method: jmethodID,
    failed: jboolean,
) {
    guard((), || {
        if let Some((agent, reflection)) = agent::get().and_then(|agent| Some((agent, agent.reflection.as_ref()?)))
            && failed == 0
        {
            Vm::in_local_frame(Env(env), || reflection.ends(agent, Env(env), Method(method as usize)));
        }
    });
}

/// The last event: counts that only the end knows.
unsafe extern "system" fn vm_death(_jvmti: *mut jvmtiEnv, _env: *mut JNIEnv) {
    guard((), || {
        let Some(agent) = agent::get() else { return };
        agent.ready.store(false, Relaxed);
        agent.evidence.flush(agent);
        if let Some(recorder) = &agent.recorder {
            recorder.finish(agent);
        }
        let summary = summary(agent);
        agent.sink.write(&Record::End(summary));
        if summary.lock_sets + 1 >= SetId::ALL.0 {
            log::say("races may have been missed: the program used more lock sets than there are numbers for");
        }
        if agent.options.verbose >= 1 {
            log::say(&format!(
                "{} classes woven in {} ms, {} sites, {} threads, {} variables with races, {} looks for unreported monitors",
                summary.woven_classes,
                summary.weaving_nanos / 1_000_000,
                summary.sites,
                summary.threads,
                agent.evidence.n_variables(),
                agent.counts.monitor_looks.load(Relaxed)
            ));
        }
    });
}

fn summary(agent: &Agent) -> Summary {
    let counts = &agent.counts;
    Summary {
        woven_classes: counts.woven.load(Relaxed),
        unwoven_classes: counts.unwoven.load(Relaxed),
        unwoven_methods: counts.unwoven_methods.load(Relaxed),
        huge_methods: counts.huge_methods.load(Relaxed),
        sites: agent.sites.count(),
        threads: agent.threads.count(),
        lock_sets: agent.sets.n_ids(),
        weaving_nanos: counts.nanos.load(Relaxed),
    }
}

/// Weaves a class on its way into the JVM.
unsafe extern "system" fn class_file_load_hook(
    _jvmti: *mut jvmtiEnv,
    env: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _protection_domain: jobject,
    length: jint,
    data: *const c_uchar,
    new_length: *mut jint,
    new_data: *mut *mut c_uchar,
) {
    guard((), || {
        let Some(agent) = agent::get() else { return };
        // SAFETY: the JVM passes `length` bytes.
        let bytes = unsafe { slice::from_raw_parts(data, usize::try_from(length).unwrap_or(0)) };
        let Some(name) = class_name(name, bytes) else { return };
        let loader = kind_of_loader(Env(env), loader);
        // Of a class that is not linked, its fields cannot be asked for: it was woven as it was loaded, which the JDK's may have been
        // before there was anything to weave.
        let is_woven = || agent.vm.is_woven(Class(redefined)).unwrap_or(loader == Loader::Application);
        let redefined = (!redefined.is_null()).then(is_woven);
        let class = Loading { name: &name, loader, bytes, redefined };
        let Some(woven) = classes::weave(agent, class) else { return };
        let (Ok(woven_length), Some(memory)) = (jint::try_from(woven.len()), agent.vm.copy_out(&woven)) else { return };
        // SAFETY: the JVM's own out-parameters.
        unsafe {
            *new_length = woven_length;
            *new_data = memory;
        }
    });
}

/// Hidden classes and classes defined by JNI come without a name.
fn class_name(name: *const c_char, bytes: &[u8]) -> Option<String> {
    if name.is_null() {
        return instrumenter::header(bytes).ok().map(|header| header.name.into_owned());
    }
    // SAFETY: the JVM passes a NUL-terminated name.
    Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// Whether a loader is one of the JDK's.
pub fn kind_of_loader(env: Env, loader: jobject) -> Loader {
    let platform = PLATFORM_LOADER.get().is_some_and(|&platform| {
        env.make_room();
        env.same(loader, platform as jobject)
    });
    if loader.is_null() || platform { Loader::Jdk } else { Loader::Application }
}
