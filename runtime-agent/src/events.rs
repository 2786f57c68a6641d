//! The callback table: what the JVM tells the agent.

use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::slice;
use std::sync::atomic::Ordering::Relaxed;

use checkers::eraser::lock_set::SetId;
use facts::finding::{Record, Summary};
use facts::hook;
use jvmti_bindings::mutf8;
use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jmethodID, jobject, jthread};
use jvmti_bindings::sys::jvmti::{jlocation, jvmtiEnv, jvmtiEventCallbacks};

use crate::jvmti::{Class, Env, Method};
use crate::loading::{Loader, Loading};
use crate::state::{self, Agent};
use crate::{guard, helper, log};

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

/// Runs a callback's body with the agent; what goes wrong in it stays in it.
fn with_agent(body: impl FnOnce(&'static Agent)) {
    guard((), || _ = state::get().map(body));
}

/// JNI works from here on, so the helper class can be defined; no application code runs yet.
unsafe extern "system" fn vm_start(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv) {
    with_agent(|agent| {
        let (words, engine) = agent.mode.helper_versions();
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
    with_agent(|agent| {
        let env = Env(env);
        let has_words = !agent.mode.extends_thread() || agent.threads.prepare(env);
        if !has_words || !initialize_helper(env) {
            agent.sink.give_up("the helper class does not work on this JVM");
            return;
        }
        agent.loaders.prepare(env);
        if !agent.mode.extends_thread()
            && let Err(error) = agent.vm.follow_classes()
        {
            agent.sink.give_up(&format!("its classes are not seen ({error:?})"));
        }
        // As long as there is nothing but the build tool's, nothing needs to be known of what orders its threads.
        let waits = agent.loaders.are_of_tool() && agent.mode.options.include.is_empty();
        agent.waits.store(waits, Relaxed);
        if !waits {
            begin(agent, env);
        }
    });
}

/// From here on classes are woven.
fn begin(agent: &Agent, env: Env) {
    agent.weaver.ready.store(true, Relaxed);
    env.in_local_frame(|| weave_library(agent, env));
    agent.retired.prepare(env);
    if let Some(reflection) = &agent.reflection {
        reflection.prepare(env);
    }
}

fn initialize_helper(env: Env) -> bool {
    let exit = hook::Hook::Exit;
    let helper = env.find_class(hook::HELPER_CLASS);
    helper.is_some_and(|class| env.initialize(class, exit.name(), exit.descriptor()))
}

/// What is not loaded yet is woven when it is. To look a class up by its name would initialize it: that of `VirtualThread` loads
/// 280 classes (30 ms of Hello World on JDK 25).
fn weave_library(agent: &Agent, env: Env) {
    let is_modelled =
        |class: &Class| agent.vm.internal_name(*class).is_some_and(|name| agent.weaver.library.reports(&name));
    let (modelled, others): (Vec<_>, Vec<_>) = agent.vm.loaded_classes().into_iter().partition(is_modelled);
    others.into_iter().for_each(|class| env.release(class));
    if let Err(error) = agent.vm.retransform(&modelled) {
        log::say(&format!("library locks are not seen: their classes cannot be woven ({error:?})"));
    }
}

/// A platform thread ends, before anybody can see that it has; only asked for to be recorded.
unsafe extern "system" fn thread_end(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, thread: jthread) {
    with_agent(|agent| {
        let Some(recorder) = &agent.recorder else { return };
        // By now a thread has lost its locals, and what was beside them.
        let number = agent.threads.number(Env(env), thread).unwrap_or_else(|_| recorder.current());
        number.into_iter().for_each(|thread| recorder.end(thread));
    });
}

/// A class is ready to run; only asked for once the proofs of the focus set are void.
unsafe extern "system" fn class_prepare(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, _thread: jthread, class: jclass) {
    with_agent(|agent| Env(env).in_local_frame(|| agent.focus.prepared(Class(class))));
}

/// A reflective method of the JDK begins; only asked for to be noted.
unsafe extern "system" fn breakpoint(
    _jvmti: *mut jvmtiEnv,
    env: *mut JNIEnv,
    _thread: jthread,
    method: jmethodID,
    _location: jlocation,
) {
    with_agent(|agent| {
        if let Some(reflection) = &agent.reflection {
            Env(env).in_local_frame(|| reflection.begins(Env(env), Method(method as usize)));
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
    with_agent(|agent| {
        if let Some(reflection) = agent.reflection.as_ref().filter(|_| failed == 0) {
            Env(env).in_local_frame(|| reflection.ends(Env(env), Method(method as usize)));
        }
    });
}

/// What the thread of the agent does that takes checks out.
pub unsafe extern "system" fn retire(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, _argument: *mut c_void) {
    with_agent(|agent| agent.retirement.run(Env(env)));
}

/// The last event: counts that only the end knows.
unsafe extern "system" fn vm_death(_jvmti: *mut jvmtiEnv, _env: *mut JNIEnv) {
    with_agent(|agent| {
        agent.weaver.ready.store(false, Relaxed);
        agent.evidence.flush();
        if let Some(recorder) = &agent.recorder {
            recorder.finish();
        }
        let summary = summary(agent);
        agent.sink.write(&Record::End(summary));
        if summary.lock_sets + 1 >= SetId::ALL.0 {
            log::say("races may have been missed: the program used more lock sets than there are numbers for");
        }
        if agent.mode.options.verbose >= 1 {
            log::say(&format!(
                "{} classes woven in {} ms, {} sites, {} threads, {} variables with races, {} looks for unreported monitors",
                summary.woven_classes,
                summary.weaving_nanos / 1_000_000,
                summary.sites,
                summary.threads,
                agent.evidence.n_variables(),
                agent.focus.n_monitor_looks()
            ));
        }
    });
}

fn summary(agent: &Agent) -> Summary {
    let counts = &agent.weaver.counts;
    Summary {
        checked_classes: Some(counts.checked.load(Relaxed)),
        woven_classes: counts.woven.load(Relaxed),
        unwoven_classes: counts.unwoven.load(Relaxed),
        unwoven_methods: counts.unwoven_methods.load(Relaxed),
        huge_methods: counts.huge_methods.load(Relaxed),
        sites: agent.sites.count(),
        threads: agent.threads.count(),
        displacing_threads: agent.threads.displacing.load(Relaxed),
        lock_sets: agent.locks.sets.n_ids(),
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
    with_agent(|agent| {
        // SAFETY: the JVM passes `length` bytes.
        let bytes = unsafe { slice::from_raw_parts(data, usize::try_from(length).unwrap_or(0)) };
        let Some(name) = class_name(name, bytes) else { return };
        let env = Env(env);
        let loader = agent.loaders.kind(env, loader);
        if loader == Loader::Application && agent.waits.swap(false, Relaxed) {
            begin(agent, env);
        }
        // Of a class that is not linked, its fields cannot be asked for: it was woven as it was loaded, which the JDK's may have been
        // before there was anything to weave.
        let is_woven = || agent.vm.is_woven(Class(redefined)).unwrap_or(loader != Loader::Jdk);
        let redefined = (!redefined.is_null()).then(is_woven);
        let class = Loading { name: &name, loader, bytes, redefined };
        let Some(woven) = agent.weaver.weave(class) else { return };
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
    Some(mutf8::decode_cstr_lossy(unsafe { CStr::from_ptr(name) }))
}
