//! The current stack, and where its frames stand.

use std::ptr;

use facts::site::Place;
use jvmti_bindings::sys::jni::{jint, jmethodID};
use jvmti_bindings::sys::jvmti::jvmtiFrameInfo;

use super::Vm;
use crate::jvmti::{Class, Frame, HELPERS, Method};

/// So many frames are asked whether they are obsolete.
const MOST_FRAMES: jint = 2048;

impl Vm {
    /// The methods that the current thread runs in a form that they had before their class was woven again; none if the stack is too
    /// deep to tell.
    pub fn obsolete_methods(&self) -> Option<Vec<Method>> {
        // SAFETY: null stands for the current thread.
        let frames = unsafe { self.0.get_stack_trace(ptr::null_mut(), 0, MOST_FRAMES) }.unwrap_or_default();
        // SAFETY: the JVM has just handed out the method.
        let is_obsolete = |frame: &&jvmtiFrameInfo| unsafe { self.0.is_method_obsolete(frame.method) }.unwrap_or(true);
        let is_whole = !frames.is_empty() && frames.len() < MOST_FRAMES as usize;
        is_whole.then(|| frames.iter().filter(is_obsolete).map(|frame| Method(frame.method as usize)).collect())
    }

    /// Whether a frame stands at an instruction that calls an instance method.
    pub fn is_at_call(&self, frame: &Frame) -> bool {
        const INVOKEVIRTUAL: u8 = 0xb6;
        const INVOKESPECIAL: u8 = 0xb7;
        // SAFETY: see `place`.
        let code = unsafe { self.0.get_bytecodes(frame.method.0 as jmethodID) }.unwrap_or_default();
        let opcode = usize::try_from(frame.at).ok().and_then(|at| code.get(at).copied());
        matches!(opcode, Some(INVOKEVIRTUAL | INVOKESPECIAL))
    }

    /// The current stack, innermost frame first, with the helper's own frames on top.
    pub fn frames(&self, depth: u16) -> Vec<Frame> {
        // The frames of the helper classes come on top: a native method, its callers, the hook.
        const HELPER_FRAMES: jint = 8;
        // SAFETY: null stands for the current thread.
        let frames = unsafe { self.0.get_stack_trace(ptr::null_mut(), 0, jint::from(depth) + HELPER_FRAMES) };
        let frame = |frame: jvmtiFrameInfo| Frame { method: Method(frame.method as usize), at: frame.location };
        frames.unwrap_or_default().into_iter().map(frame).collect()
    }

    /// The class of the innermost method on the current stack that is not the helper's.
    pub fn caller(&self) -> Option<Class> {
        /// More than the helper class ever has on top of its caller.
        const ENOUGH_FRAMES: jint = 16;
        // SAFETY: null stands for the current thread.
        let frames = unsafe { self.0.get_stack_trace(ptr::null_mut(), 0, ENOUGH_FRAMES) }.ok()?;
        frames
            .iter()
            .filter_map(|frame| self.declaring_class(frame))
            .find(|class| !self.internal_name(*class).is_some_and(|name| name.starts_with(HELPERS)))
    }

    /// The classes of the methods on the current stack, innermost first, without those of the boot loader.
    pub fn classes_on_stack(&self) -> Vec<Class> {
        /// Who takes a lock is not far.
        const FRAMES: jint = 40;
        // SAFETY: null stands for the current thread.
        let frames = unsafe { self.0.get_stack_trace(ptr::null_mut(), 0, FRAMES) }.unwrap_or_default();
        let classes = frames.iter().filter_map(|frame| self.declaring_class(frame));
        classes.filter(|class| !self.loader(*class).is_null()).collect()
    }

    fn declaring_class(&self, frame: &jvmtiFrameInfo) -> Option<Class> {
        // SAFETY: the JVM has just handed out the method.
        unsafe { self.0.get_method_declaring_class(frame.method) }.ok().map(Class)
    }

    /// Where a frame stands.
    pub fn place(&self, frame: &Frame) -> Option<Place> {
        let method = frame.method.0 as jmethodID;
        // SAFETY: method ids stay valid memory for the life of the JVM; one of an unloaded class gives an error.
        let (method_name, descriptor, _) = unsafe { self.0.get_method_name(method) }.ok()?;
        // SAFETY: as above.
        let class = Class(unsafe { self.0.get_method_declaring_class(method) }.ok()?);
        // SAFETY: the class was handed out just now.
        let file = unsafe { self.0.get_source_file_name(class.0) }.ok();
        Some(Place {
            class: self.internal_name(class)?,
            method: method_name,
            descriptor,
            offset: u32::try_from(frame.at).unwrap_or(0),
            line: self.line(frame),
            file,
        })
    }

    fn line(&self, frame: &Frame) -> Option<u32> {
        // SAFETY: see `place`.
        let table = unsafe { self.0.get_line_number_table(frame.method.0 as jmethodID) }.ok()?;
        table
            .iter()
            .filter(|entry| entry.start_location <= frame.at)
            .max_by_key(|entry| entry.start_location)
            .and_then(|entry| u32::try_from(entry.line_number).ok())
    }
}
