//! What runs: threads, tests, and code that was not foreseen.

use std::sync::atomic::Ordering::Relaxed;

use facts::focus::ReflectedMember;
use jvmti_bindings::sys::jni::{jboolean, jint, jobject, jstring};

use crate::internal::Of;
use crate::jvmti::Frames;

natives! {
    /// What the helper classes do, as the bits of `facts::layout::mode`.
    fn mode(agent, env) -> jint, else 0 => {
        Some(agent.mode.bits(agent.focus.presumes_owners()))
    }

    /// A helper class has failed.
    fn fault(agent, env, what: jstring) {
        agent.evidence.fault(&env.text(what));
    }

    /// A thread gets the place in clocks of one that it may race with.
    fn displaces(agent, _env) {
        agent.threads.displacing.fetch_add(1, Relaxed);
    }

    /// Numbers a new thread.
    fn register(agent, env, thread_name: jstring, is_virtual: jboolean, starting: jboolean) -> jint, else 0 => {
        let created = if starting != 0 { agent.evidence.stack() } else { Frames::default() };
        let name = env.text(thread_name);
        let id = agent.threads.register(name.clone(), is_virtual != 0, created);
        if let Some(recorder) = &agent.recorder {
            recorder.thread(id, &name);
        }
        Some(id.0 as jint)
    }

    /// The number of a test, or of what it was part of; 0 if there is none.
    fn test(agent, env, test: jobject, called: jstring, has_ended: jboolean) -> jint, else 0 => {
        let displayed = || env.answer(test, "getDisplayName");
        Some(agent.suite.number(&env.text(called), displayed, has_ended != 0) as jint)
    }

    /// A method runs that was not foreseen, or that one thread is to run.
    fn unreached(agent, env, site: jint) {
        env.in_local_frame(|| agent.focus.guarded(site as u32));
    }

    /// Some member is accessed by reflection or a handle.
    fn reflectedSome(agent, env) {
        env.in_local_frame(|| agent.focus.reflected_some());
    }

    /// A member is accessed by reflection or a handle.
    fn reflected(agent, env, class: jstring, name: jstring, descriptor: jstring, is_final: jboolean) {
        let class = env.text(class).replace('.', "/");
        let reflected = ReflectedMember { class, name: env.text(name), descriptor: env.text(descriptor) };
        env.in_local_frame(|| agent.focus.reflected(&reflected, is_final != 0));
    }

    /// Whether a class is the program's own.
    fn isOwn(agent, env, name: jstring) -> jboolean, else 1 => {
        Some(agent.own.has(&env.text(name).replace('.', "/")).into())
    }

    /// Whether code of the JDK has called the `ThreadLocal` that calls this.
    fn isLocalOfJdk(agent, env) -> jboolean, else 0 => {
        Some(env.in_local_frame(|| agent.own.is_local_of_jdk()).into())
    }

    /// Whether the code at a site is.
    fn isOwnSite(agent, _env, site: jint) -> jboolean, else 1 => {
        Some(agent.sites.place(site as u32).is_none_or(|place| agent.own.has(&place.class)).into())
    }

    /// What threads hand over under locks at a site.
    fn handing(agent, _env, site: jint) -> jint, else 0 => {
        Some(agent.sites.handing(site as u32).bits())
    }

    /// Whether code of the program's own has called what is running of the JDK.
    fn isCallerOwn(agent, env) -> jboolean, else 1 => {
        Some(env.in_local_frame(|| agent.own.has_called()).into())
    }

    /// Whether the JDK calls for itself what is running, or its own synchronizers do, if they count here.
    fn isInternal(agent, env, synchronizers_count: jboolean) -> jboolean, else 0 => {
        let of = if synchronizers_count != 0 { Of::Atomic } else { Of::Collection };
        // With `jdk=1` the code of the JDK is the program's.
        (!agent.mode.options.jdk).then(|| env.in_local_frame(|| agent.internal.is_caller(of)).into())
    }
}
