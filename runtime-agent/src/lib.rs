//! `libjrace.so`: the agent that weaves classes as they load and checks them as they run.
//!
//! Entry points only. The agent steps aside: bad options refuse the JVM at load; any later failure leaves the program
//! running unchecked, with one sentence. No panic crosses into the JVM: every exported function runs inside `guard`.

mod callers;
mod classes;
mod copies;
mod events;
mod evidence;
mod focus;
mod helper;
mod internal;
mod jdk;
mod jvmti;
mod layout;
mod load;
mod loading;
mod locks;
mod log;
mod mode;
mod natives;
mod own;
mod private;
mod record;
mod reflection;
mod retired;
mod reweave;
mod roll;
mod sink;
mod sites;
mod state;
mod suite;
mod telemetry;
mod threads;
mod tools;
mod variables;

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use jvmti_bindings::sys::jni::{JNI_ERR, JNI_OK, JavaVM, jint};

/// Called by the JVM when `-agentpath` names this library.
///
/// Returns `JNI_ERR`, so that the JVM refuses to start, for options that cannot be right; `JNI_OK` otherwise, even when the
/// agent then cannot work.
///
/// # Safety
/// Called by the JVM with its own pointers.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(vm: *mut JavaVM, options: *mut c_char, _reserved: *mut c_void) -> jint {
    guard(JNI_OK, || {
        let text = if options.is_null() {
            String::new()
        } else {
            // SAFETY: the JVM passes a NUL-terminated string.
            unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned()
        };
        match load::load(vm, &text) {
            Ok(()) => JNI_OK,
            Err(load::LoadError::Options(error)) => {
                log::say(&error);
                JNI_ERR
            }
            // What the program runs without has been said.
            Err(load::LoadError::StepAside) => JNI_OK,
        }
    })
}

/// Runs `body`; a panic becomes one sentence and `fallback`.
fn guard<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        tell_fault(what.unwrap_or("a panic"));
        fallback
    })
}

fn tell_fault(what: &str) {
    match state::get() {
        Some(agent) => agent.evidence.fault(what),
        None => drop(log::once(&format!("a mistake of jrace's own, and the program goes on: {what}"))),
    }
}
