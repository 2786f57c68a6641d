//! Locks and the sets of them that threads hold.

use std::ptr;

use checkers::eraser::lock_set::SetId;
use checkers::eraser::word;
use jvmti_bindings::sys::jni::{jboolean, jint, jlong, jobject, jobjectArray};

/// The lock set in a thread's word.
pub fn set(thread_word: jint) -> SetId {
    SetId(thread_word as u32 & word::PAYLOAD)
}

natives! {
    /// A thread's word with one lock more.
    fn withLock(agent, env, before: jint, lock: jint, object: jobject) -> jint, else before => {
        if before as u32 == word::SHARED_MODIFIED {
            agent.locks.describe(env, lock as u32, object);
        }
        Some(word::write_word(agent.locks.with(set(before), lock as u32)) as jint)
    }

    /// Looks for the field that refers to a lock; says whether there is one. The object is the one that is accessed.
    fn nameLock(agent, env, lock: jint, held: jobject, object: jobject) -> jboolean, else 0 => {
        Some(agent.locks.name(env, lock as u32, held, object).into())
    }

    /// A lock has died.
    fn forget(agent, env, lock: jint) {
        agent.locks.forget(lock as u32);
    }

    /// Where it stands how far the proofs of the focus set hold; 0 if every lock is reported anyway.
    fn proofs(agent, env) -> jlong, else 0 => {
        Some(agent.focus.state()? as *const _ as jlong)
    }

    /// The monitors that the thread owns if some may not be reported, else null. A null among them stands for what is not known.
    fn monitors(agent, env) -> jobjectArray, else ptr::null_mut() => {
        let monitors = agent.focus.unreported(env)?;
        env.new_objects(monitors.as_deref().unwrap_or(&[ptr::null_mut()]))
    }
}
