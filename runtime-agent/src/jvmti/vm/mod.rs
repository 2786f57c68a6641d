//! The JVMTI environment: what the agent asks for, and is told of.

mod members;
mod stack;

use std::ptr;

use jvmti_bindings::env::Jvmti;
use jvmti_bindings::sys::jni::{JavaVM, jclass, jfieldID, jint, jmethodID, jobject};
use jvmti_bindings::sys::jvmti::{self, jvmtiError, jvmtiEventCallbacks};

use super::{Class, Env, Method};

/// The JVMTI environment of the agent, usable from every thread.
pub struct Vm(Jvmti);

// SAFETY: a JVMTI environment may be used by every thread (JVM TI specification, "Environments").
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

impl Vm {
    /// The environment that a JVM offers.
    ///
    /// # Errors
    /// It offers none.
    ///
    /// # Safety
    /// The JVM must be in its call of `Agent_OnLoad`, with this pointer.
    pub unsafe fn of(vm: *mut JavaVM) -> Result<Self, jint> {
        // SAFETY: the caller vouches for the pointer.
        unsafe { Jvmti::from_java_vm_raw(vm) }.map(Self)
    }

    /// Feature release of the JDK.
    pub fn feature(&self) -> u32 {
        let version = self.0.get_version_number().unwrap_or(0);
        (version as u32 >> 16) & 0xfff
    }

    /// Asks for what the agent needs and installs its callbacks; which monitors threads own can be asked for only now, and only now
    /// can it be told of the classes that the JVM boots with, at the cost of all that HotSpot shares.
    ///
    /// # Errors
    /// The JVM cannot give a capability, for instance because another agent has it for itself.
    pub fn start(
        &self,
        callbacks: jvmtiEventCallbacks,
        sees_boot: bool,
        asks_for_monitors: bool,
    ) -> Result<(), jvmtiError> {
        self.0.add_capabilities_with(|wanted| {
            wanted.set_can_generate_all_class_hook_events(true);
            wanted.set_can_generate_early_class_hook_events(sees_boot);
            wanted.set_can_retransform_classes(true);
            wanted.set_can_retransform_any_class(true);
            wanted.set_can_get_line_numbers(true);
            wanted.set_can_get_source_file_name(true);
            wanted.set_can_get_owned_monitor_info(asks_for_monitors);
        })?;
        self.0.set_event_callbacks(callbacks)?;
        for event in [jvmti::JVMTI_EVENT_VM_START, jvmti::JVMTI_EVENT_VM_INIT, jvmti::JVMTI_EVENT_VM_DEATH] {
            self.enable(event)?;
        }
        if sees_boot { self.follow_classes() } else { Ok(()) }
    }

    /// Has classes pass the class file load hook.
    ///
    /// # Errors
    /// The JVM refuses.
    pub fn follow_classes(&self) -> Result<(), jvmtiError> {
        self.enable(jvmti::JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
    }

    /// Has platform threads tell when they end.
    ///
    /// # Errors
    /// The JVM refuses.
    pub fn follow_ends(&self) -> Result<(), jvmtiError> {
        self.enable(jvmti::JVMTI_EVENT_THREAD_END)
    }

    /// Has the JVM tell of each class before its code runs for the first time.
    ///
    /// # Errors
    /// The JVM refuses.
    pub fn follow_preparations(&self) -> Result<(), jvmtiError> {
        self.enable(jvmti::JVMTI_EVENT_CLASS_PREPARE)
    }

    /// Has the JVM stop at breakpoints, and tell when a method ends that [`Vm::await_end`] waits for.
    ///
    /// # Errors
    /// The JVM cannot: a debugger has breakpoints for itself.
    pub fn follow_breakpoints(&self) -> Result<(), jvmtiError> {
        self.0.add_capabilities_with(|wanted| {
            wanted.set_can_generate_breakpoint_events(true);
            wanted.set_can_generate_frame_pop_events(true);
            wanted.set_can_access_local_variables(true);
            wanted.set_can_get_bytecodes(true);
            // Before virtual threads, the capability does not exist.
            wanted.set_can_support_virtual_threads(self.feature() >= 21);
        })?;
        self.enable(jvmti::JVMTI_EVENT_BREAKPOINT)?;
        self.enable(jvmti::JVMTI_EVENT_FRAME_POP)
    }

    /// Sets a breakpoint where a method begins.
    ///
    /// # Errors
    /// The method has no bytecode.
    pub fn break_at(&self, method: Method) -> Result<(), jvmtiError> {
        // SAFETY: a method that the JVM has handed out; those of the JDK's own classes stay.
        unsafe { self.0.set_breakpoint(method.0 as jmethodID, 0) }
    }

    /// Has the JVM tell when the innermost method on the current stack ends.
    ///
    /// # Errors
    /// The JVM refuses.
    pub fn await_end(&self) -> Result<(), jvmtiError> {
        // SAFETY: null stands for the current thread.
        unsafe { self.0.notify_frame_pop(ptr::null_mut(), 0) }
    }

    /// An argument of the innermost method on the current stack, by its slot.
    pub fn argument(&self, slot: jint) -> Option<jobject> {
        // SAFETY: null stands for the current thread; a slot that holds something else gives an error.
        let argument = unsafe { self.0.get_local_object(ptr::null_mut(), 0, slot) }.ok()?;
        (!argument.is_null()).then_some(argument)
    }

    /// The monitors that the current thread owns, as local references.
    ///
    /// # Errors
    /// The JVM does not say, as for virtual threads before they are supported.
    pub fn owned_monitors(&self) -> Result<Vec<jobject>, jvmtiError> {
        // SAFETY: null stands for the current thread.
        unsafe { self.0.get_owned_monitor_info(ptr::null_mut()) }
    }

    fn enable(&self, event: u32) -> Result<(), jvmtiError> {
        // SAFETY: null stands for all threads.
        unsafe { self.0.enable_event(event, ptr::null_mut()) }
    }

    /// A system property, or nothing.
    pub fn property(&self, name: &str) -> String {
        self.0.get_system_property(name).unwrap_or_default()
    }

    /// Memory in which a class file load hook returns its bytes; the JVM frees it.
    pub fn copy_out(&self, bytes: &[u8]) -> Option<*mut u8> {
        // SAFETY: the allocation is handed to the JVM by the caller.
        let memory = unsafe { self.0.allocate_raw(bytes.len() as i64) }.ok()?;
        // SAFETY: `memory` has room for `bytes.len()` bytes and is new.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    /// Has classes pass the class file load hook once more.
    ///
    /// # Errors
    /// One of them cannot be woven; then none is.
    pub fn retransform(&self, classes: &[Class]) -> Result<(), jvmtiError> {
        let classes: Vec<jclass> = classes.iter().map(|class| class.0).collect();
        // SAFETY: the references are live in this native call.
        unsafe { self.0.retransform_classes(&classes) }
    }

    /// The same, one by one where one of them cannot be woven; how many could not.
    pub fn retransform_each(&self, classes: &[Class]) -> usize {
        match self.retransform(classes) {
            Ok(()) => 0,
            Err(_) => classes.iter().filter(|class| self.retransform(&[**class]).is_err()).count(),
        }
    }

    /// Runs `body` on a thread of the agent's own, which the program cannot see; `thread` is from [`Env::new_thread`].
    ///
    /// # Errors
    /// The JVM refuses.
    pub fn run_agent_thread(&self, thread: usize, body: jvmti::jvmtiStartFunction) -> Result<(), jvmtiError> {
        const NORMAL_PRIORITY: jint = 5;
        // SAFETY: a new thread object, and a function that takes no argument.
        unsafe { self.0.run_agent_thread(thread as jobject, body, ptr::null(), NORMAL_PRIORITY) }
    }

    /// Every class that is loaded; none if the JVM does not say.
    pub fn loaded_classes(&self) -> Vec<Class> {
        self.0.get_loaded_classes().unwrap_or_default().into_iter().map(Class).collect()
    }

    /// Whether a live platform thread has this value in this field of `Thread`.
    pub fn some_platform_thread_has(&self, env: Env, field: jfieldID, value: jint) -> bool {
        let threads = self.0.get_all_threads().unwrap_or_default();
        threads.into_iter().any(|thread| env.int(thread, field) == value)
    }
}
