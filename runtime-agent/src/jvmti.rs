//! All conversation with the JVM: the JVMTI environment, and the few JNI calls that have no JVMTI counterpart.

use std::ffi::{CStr, CString};
use std::ptr;
use std::sync::Arc;

use facts::site::Place;
use jvmti_bindings::env::Jvmti;
use jvmti_bindings::sys::jni::{
    JNIEnv, jbyteArray, jclass, jfieldID, jint, jintArray, jmethodID, jobject, jobjectArray, jstring, jvalue,
};
use jvmti_bindings::sys::jvmti::{self, jvmtiError, jvmtiEventCallbacks, jvmtiFrameInfo};
use rustc_hash::FxHashSet;

use crate::agent;

/// The JVMTI environment of the agent, usable from every thread.
pub struct Vm(Jvmti);

// SAFETY: a JVMTI environment may be used by every thread (JVM TI specification, "Environments").
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

/// A class as the JVM hands it out: a local reference of the current native call.
#[derive(Clone, Copy)]
pub struct Class(pub jclass);

/// A method as the JVM names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Method(pub usize);

/// A field that may refer to an object.
pub struct Reference {
    /// What JNI knows it by.
    pub id: jfieldID,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}

/// What is known of a field by its declaring class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldFlags {
    /// Never changes after construction.
    pub is_final: bool,
    /// Synchronizes by itself.
    pub is_volatile: bool,
}

/// Local references that a call may make, all loaded classes or live threads among them: the most that HotSpot lets anybody ask for.
/// It makes room when it is needed, so this only has to satisfy `-Xcheck:jni`.
const LOCAL_REFERENCES: jint = 1 << 16;

/// So many frames are asked whether they are obsolete.
const MOST_FRAMES: jint = 2048;

const ACC_STATIC: jint = 0x8;
const ACC_FINAL: jint = 0x10;
const ACC_VOLATILE: jint = 0x40;

impl Vm {
    /// Takes the environment over.
    pub fn new(environment: Jvmti) -> Self {
        Self(environment)
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

    /// The methods that a class declares.
    pub fn methods_of(&self, class: Class) -> Vec<Method> {
        // SAFETY: a class reference of this call.
        let methods = unsafe { self.0.get_class_methods(class.0) }.unwrap_or_default();
        methods.into_iter().map(|method| Method(method as usize)).collect()
    }

    /// Whether the class itself declares a method.
    pub fn has_method(&self, class: Class, name: &str, descriptor: &str) -> bool {
        let is_same = |(own, types): (String, String)| own == name && types == descriptor;
        self.methods_of(class).into_iter().filter_map(|method| self.name_of(method)).any(is_same)
    }

    /// Name and descriptor of a method.
    pub fn name_of(&self, method: Method) -> Option<(String, String)> {
        // SAFETY: a method that the JVM has handed out.
        unsafe { self.0.get_method_name(method.0 as jmethodID) }.ok().map(|(name, descriptor, _)| (name, descriptor))
    }

    /// Whether everybody may call a method.
    pub fn is_public(&self, method: Method) -> bool {
        const ACC_PUBLIC: jint = 0x1;
        // SAFETY: as above.
        unsafe { self.0.get_method_modifiers(method.0 as jmethodID) }.is_ok_and(|flags| flags & ACC_PUBLIC != 0)
    }

    /// The class that declares a method.
    pub fn class_of_method(&self, method: Method) -> Option<Class> {
        // SAFETY: as above.
        unsafe { self.0.get_method_declaring_class(method.0 as jmethodID) }.ok().map(Class)
    }

    /// Whether a frame stands at an instruction that calls an instance method.
    pub fn is_at_call(&self, frame: &Frame) -> bool {
        const INVOKEVIRTUAL: u8 = 0xb6;
        const INVOKESPECIAL: u8 = 0xb7;
        // SAFETY: see `place`.
        let code = unsafe { self.0.get_bytecodes(frame.0 as jmethodID) }.unwrap_or_default();
        let opcode = usize::try_from(frame.1).ok().and_then(|at| code.get(at).copied());
        matches!(opcode, Some(INVOKEVIRTUAL | INVOKESPECIAL))
    }

    /// The monitors that the current thread owns, as local references.
    ///
    /// # Errors
    /// The JVM does not say, as for virtual threads before they are supported.
    pub fn owned_monitors(&self) -> Result<Vec<jobject>, jvmtiError> {
        // SAFETY: null stands for the current thread.
        unsafe { self.0.get_owned_monitor_info(ptr::null_mut()) }
    }

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
    pub fn retransform(&self, classes: &[jclass]) -> Result<(), jvmtiError> {
        // SAFETY: the references are live in this native call.
        unsafe { self.0.retransform_classes(classes) }
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

    /// The methods that classes declare, as frames name them.
    pub fn methods(&self, classes: &[Class]) -> FxHashSet<usize> {
        // SAFETY: class references of this call.
        let of = |class: &Class| unsafe { self.0.get_class_methods(class.0) }.unwrap_or_default();
        classes.iter().flat_map(of).map(|method| method as usize).collect()
    }

    /// Every class that is loaded; none if the JVM does not say.
    pub fn loaded_classes(&self) -> Vec<Class> {
        self.0.get_loaded_classes().unwrap_or_default().into_iter().map(Class).collect()
    }

    /// Type descriptor of a class: `Ljava/util/List;`, `[I`.
    pub fn descriptor(&self, class: Class) -> Option<String> {
        // SAFETY: a class reference of this call.
        unsafe { self.0.get_class_signature(class.0) }.ok().map(|(signature, _)| signature)
    }

    /// Internal name of a class that is not an array; of a hidden class, the name that its own constant pool knows, without
    /// the suffix that differs from run to run (JVM TI, `GetClassSignature`).
    pub fn internal_name(&self, class: Class) -> Option<String> {
        let descriptor = self.descriptor(class)?;
        let name = descriptor.strip_prefix('L')?.strip_suffix(';')?;
        Some(name.split_once('.').map_or(name, |(plain, _)| plain).to_owned())
    }

    /// The loader of a class; null for the boot loader.
    pub fn loader(&self, class: Class) -> jobject {
        // SAFETY: a class reference of this call.
        unsafe { self.0.get_class_loader(class.0) }.unwrap_or(ptr::null_mut())
    }

    /// Whether the class is linked, so that its code may run and its fields can be asked for.
    pub fn is_prepared(&self, class: Class) -> bool {
        // SAFETY: a class reference of this call.
        unsafe { self.0.get_class_status(class.0) }.is_ok_and(|status| status & jvmti::JVMTI_CLASS_STATUS_PREPARED != 0)
    }

    /// Whether the class declares a field that weaving has added; none if that cannot be asked as long as it is not linked.
    pub fn is_woven(&self, class: Class) -> Option<bool> {
        let is_added = |field: jfieldID| {
            self.field_name(class, field).is_some_and(|(name, _)| name.starts_with(facts::hook::MEMBER_PREFIX))
        };
        self.is_prepared(class).then(|| self.fields(class).into_iter().any(is_added))
    }

    /// Names of the fields that the class itself declares and that are like this, by name and descriptor.
    pub fn fields_like(&self, class: Class, is_like: impl Fn(&str, &str) -> bool) -> Vec<String> {
        let names = self.fields(class).into_iter().filter_map(|field| self.field_name(class, field));
        names.filter(|(name, descriptor)| is_like(name, descriptor)).map(|(name, _)| name).collect()
    }

    /// Whether the class itself declares this field, and how.
    pub fn declares(&self, class: Class, name: &str, descriptor: &str) -> Option<FieldFlags> {
        let field = self
            .fields(class)
            .into_iter()
            .find(|&field| self.field_name(class, field).is_some_and(|(n, d)| n == name && d == descriptor))?;
        // SAFETY: a field of this class.
        let flags = unsafe { self.0.get_field_modifiers(class.0, field) }.ok()?;
        Some(FieldFlags { is_final: flags & ACC_FINAL != 0, is_volatile: flags & ACC_VOLATILE != 0 })
    }

    /// The fields that a class itself declares and that refer to objects which are not arrays.
    pub fn references(&self, class: Class) -> Vec<Reference> {
        let reference = |id: jfieldID| {
            let (name, descriptor) = self.field_name(class, id)?;
            // SAFETY: a field of this class.
            let flags = unsafe { self.0.get_field_modifiers(class.0, id) }.ok()?;
            let is_own = descriptor.starts_with('L') && !name.starts_with(facts::hook::MEMBER_PREFIX);
            is_own.then_some(Reference { id, name, descriptor, is_static: flags & ACC_STATIC != 0 })
        };
        self.fields(class).into_iter().filter_map(reference).collect()
    }

    fn fields(&self, class: Class) -> Vec<jfieldID> {
        // SAFETY: a class reference of this call; an unprepared class gives an error.
        unsafe { self.0.get_class_fields(class.0) }.unwrap_or_default()
    }

    /// Name and descriptor of a field that a class declares.
    pub fn field_name(&self, class: Class, field: jfieldID) -> Option<(String, String)> {
        // SAFETY: a field of this class.
        unsafe { self.0.get_field_name(class.0, field) }.ok().map(|(name, descriptor, _)| (name, descriptor))
    }

    /// The current stack, innermost frame first, as the JVM holds it.
    pub fn frames(&self, depth: u16) -> Frames {
        // The frames of the helper classes come on top: a native method, its callers, the hook.
        const HELPER_FRAMES: jint = 8;
        // SAFETY: null stands for the current thread.
        let frames = unsafe { self.0.get_stack_trace(ptr::null_mut(), 0, jint::from(depth) + HELPER_FRAMES) };
        Frames::Unresolved(
            frames.unwrap_or_default().into_iter().map(|frame| Frame(frame.method as usize, frame.location)).collect(),
        )
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
            .find(|class| !self.internal_name(*class).is_some_and(|name| is_helper(&name)))
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
        let method = frame.0 as jmethodID;
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
            offset: u32::try_from(frame.1).unwrap_or(0),
            line: self.line(frame),
            file,
        })
    }

    fn line(&self, frame: &Frame) -> Option<u32> {
        // SAFETY: see `place`.
        let table = unsafe { self.0.get_line_number_table(frame.0 as jmethodID) }.ok()?;
        table
            .iter()
            .filter(|entry| entry.start_location <= frame.1)
            .max_by_key(|entry| entry.start_location)
            .and_then(|entry| u32::try_from(entry.line_number).ok())
    }

    /// Runs `body`, then frees the local references that it made: the JVM frees them only when the native call returns.
    pub fn in_local_frame<T>(env: Env, body: impl FnOnce() -> T) -> T {
        // SAFETY: a live environment; a failure leaves an exception, and no frame to pop.
        let pushed = unsafe { ((**env.0).PushLocalFrame)(env.0, LOCAL_REFERENCES) } == 0;
        let result = body();
        if pushed {
            // SAFETY: the frame pushed above; no reference leaves it.
            unsafe { ((**env.0).PopLocalFrame)(env.0, ptr::null_mut()) };
        } else {
            env.forget_exception();
        }
        result
    }

    /// Whether a live platform thread has this value in this field of `Thread`.
    pub fn some_platform_thread_has(&self, env: Env, field: jfieldID, value: jint) -> bool {
        let threads = self.0.get_all_threads().unwrap_or_default();
        // SAFETY: the field belongs to java.lang.Thread.
        threads.into_iter().any(|thread| unsafe { ((**env.0).GetIntField)(env.0, thread, field) } == value)
    }
}

fn is_helper(class: &str) -> bool {
    class.starts_with("java/lang/Jrace")
}

/// One frame as the JVM names it: method id and bytecode index. Held across native calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame(usize, i64);

impl Frame {
    /// The method that runs.
    pub fn method(&self) -> Method {
        Method(self.0)
    }
}

/// A stack that is resolved to places when it is reported, or before its methods change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frames {
    /// As the JVM holds it, with the helper's own frames.
    Unresolved(Arc<[Frame]>),
    /// As it is reported.
    Resolved(Arc<[Place]>),
}

impl Default for Frames {
    fn default() -> Self {
        Self::Resolved(Arc::default())
    }
}

impl Frames {
    /// The places, innermost first, without the helper's own frames.
    pub fn places(&self) -> Vec<Place> {
        let frames = match self {
            Self::Unresolved(frames) => frames,
            Self::Resolved(places) => return places.to_vec(),
        };
        let Some(agent) = agent::get() else { return Vec::new() };
        let depth = usize::from(agent.options.stack_depth);
        frames
            .iter()
            .filter_map(|frame| agent.vm.place(frame))
            .skip_while(|place| is_helper(&place.class))
            .take(depth)
            .collect()
    }

    /// Resolves a stack in which one of these methods is, which are about to change.
    pub fn resolve(&mut self, methods: &FxHashSet<usize>) {
        if self.unresolved().iter().any(|frame| methods.contains(&frame.0)) {
            *self = Self::Resolved(self.places().into());
        }
    }

    /// The frames of a stack that is not resolved, innermost first, the helper's own too.
    pub fn unresolved(&self) -> &[Frame] {
        match self {
            Self::Unresolved(frames) => frames,
            Self::Resolved(_) => &[],
        }
    }

    /// Whether nothing was kept.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Unresolved(frames) => frames.is_empty(),
            Self::Resolved(places) => places.is_empty(),
        }
    }
}

/// The JNI environment of the current native call.
#[derive(Clone, Copy)]
pub struct Env(pub *mut JNIEnv);

impl Env {
    /// The class of an object.
    pub fn class_of(self, object: jobject) -> Class {
        // SAFETY: `object` is a live reference and not null.
        Class(unsafe { ((**self.0).GetObjectClass)(self.0, object) })
    }

    /// The superclass, if there is one.
    pub fn superclass(self, class: Class) -> Option<Class> {
        // SAFETY: a live class reference.
        let superclass = unsafe { ((**self.0).GetSuperclass)(self.0, class.0) };
        (!superclass.is_null()).then_some(Class(superclass))
    }

    /// A class of the JDK by internal name.
    pub fn find_class(self, name: &str) -> Option<Class> {
        let name = CString::new(name).ok()?;
        // SAFETY: a NUL-terminated name.
        let class = unsafe { ((**self.0).FindClass)(self.0, name.as_ptr()) };
        self.forget_exception();
        (!class.is_null()).then_some(Class(class))
    }

    /// Frees a local reference to a class before the native call returns.
    pub fn release(self, class: Class) {
        // SAFETY: a local reference of this call, which is not used again.
        unsafe { ((**self.0).DeleteLocalRef)(self.0, class.0) };
    }

    /// Defines a class of the boot loader.
    pub fn define_class(self, name: &str, bytes: &[u8]) -> Option<Class> {
        let name = CString::new(name).ok()?;
        // SAFETY: the bytes live through the call; a null loader is the boot loader.
        let class = unsafe {
            ((**self.0).DefineClass)(self.0, name.as_ptr(), ptr::null_mut(), bytes.as_ptr().cast(), bytes.len() as jint)
        };
        self.forget_exception();
        (!class.is_null()).then_some(Class(class))
    }

    /// Initializes a class by looking up one of its static methods; false if that failed.
    pub fn initialize(self, class: Class, method: &str, descriptor: &str) -> bool {
        let (Ok(method), Ok(descriptor)) = (CString::new(method), CString::new(descriptor)) else { return false };
        // SAFETY: a live class reference and NUL-terminated names.
        let id = unsafe { ((**self.0).GetStaticMethodID)(self.0, class.0, method.as_ptr(), descriptor.as_ptr()) };
        self.forget_exception();
        !id.is_null()
    }

    /// An instance field.
    pub fn field(self, class: Class, name: &str, descriptor: &str) -> Option<jfieldID> {
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        // SAFETY: a live class reference and NUL-terminated names.
        let field = unsafe { ((**self.0).GetFieldID)(self.0, class.0, name.as_ptr(), descriptor.as_ptr()) };
        self.forget_exception();
        (!field.is_null()).then_some(field)
    }

    /// The value of a field that refers to an object, unless it is null.
    pub fn object(self, of: jobject, field: jfieldID) -> Option<jobject> {
        // SAFETY: a live reference, and a field of its class.
        let value = unsafe { ((**self.0).GetObjectField)(self.0, of, field) };
        (!value.is_null()).then_some(value)
    }

    /// The value of a static field of an initialized class that refers to an object, unless it is null.
    pub fn static_object(self, class: Class, field: jfieldID) -> Option<jobject> {
        // SAFETY: a live class, and a static field of it.
        let value = unsafe { ((**self.0).GetStaticObjectField)(self.0, class.0, field) };
        (!value.is_null()).then_some(value)
    }

    /// The method or constructor that an object of `java.lang.reflect` stands for.
    pub fn reflected_method(self, object: jobject) -> Method {
        // SAFETY: a live reference to a `Method` or `Constructor`.
        Method(unsafe { ((**self.0).FromReflectedMethod)(self.0, object) } as usize)
    }

    /// The field that an object of `java.lang.reflect` stands for.
    pub fn reflected_field(self, object: jobject) -> jfieldID {
        // SAFETY: a live reference to a `Field`.
        unsafe { ((**self.0).FromReflectedField)(self.0, object) }
    }

    /// The value of an `int` field.
    pub fn int(self, object: jobject, field: jfieldID) -> jint {
        // SAFETY: a live reference, and a field of its class.
        unsafe { ((**self.0).GetIntField)(self.0, object, field) }
    }

    /// The loader of platform classes, as a global reference.
    pub fn platform_loader(self) -> Option<usize> {
        let class = self.find_class("java/lang/ClassLoader")?;
        let (name, descriptor) = (c"getPlatformClassLoader", c"()Ljava/lang/ClassLoader;");
        // SAFETY: live references, NUL-terminated names, and a method without arguments.
        unsafe {
            let method = ((**self.0).GetStaticMethodID)(self.0, class.0, name.as_ptr(), descriptor.as_ptr());
            if method.is_null() {
                self.forget_exception();
                return None;
            }
            let loader = ((**self.0).CallStaticObjectMethodA)(self.0, class.0, method, ptr::null::<jvalue>());
            self.forget_exception();
            Some(((**self.0).NewGlobalRef)(self.0, loader) as usize)
        }
    }

    /// Asks for room in an event: HotSpot counts the references of the code that caused it, and not the room which that has.
    pub fn make_room(self) {
        // SAFETY: a live environment.
        if unsafe { ((**self.0).EnsureLocalCapacity)(self.0, LOCAL_REFERENCES) } != 0 {
            self.forget_exception();
        }
    }

    /// Whether two references name one object.
    pub fn same(self, a: jobject, b: jobject) -> bool {
        // SAFETY: live references or null.
        unsafe { ((**self.0).IsSameObject)(self.0, a, b) != 0 }
    }

    /// A Java string.
    pub fn string(self, text: &str) -> jstring {
        let Ok(text) = CString::new(text) else { return ptr::null_mut() };
        // SAFETY: NUL-terminated; names from class files are modified UTF-8 wherever it matters.
        unsafe { ((**self.0).NewStringUTF)(self.0, text.as_ptr()) }
    }

    /// A Rust string; what is not Unicode is replaced.
    pub fn text(self, string: jstring) -> String {
        if string.is_null() {
            return String::new();
        }
        // SAFETY: a live string reference; the characters are released after the copy.
        unsafe {
            let chars = ((**self.0).GetStringUTFChars)(self.0, string, ptr::null_mut());
            if chars.is_null() {
                self.forget_exception();
                return String::new();
            }
            let text = CStr::from_ptr(chars).to_string_lossy().into_owned();
            ((**self.0).ReleaseStringUTFChars)(self.0, string, chars);
            text
        }
    }

    /// A copy of a Java byte array.
    pub fn bytes(self, array: jbyteArray) -> Option<Vec<u8>> {
        // SAFETY: a live array reference.
        let length = unsafe { ((**self.0).GetArrayLength)(self.0, array) };
        let mut bytes = vec![0_u8; usize::try_from(length).ok()?];
        // SAFETY: the vector has room for `length` bytes.
        unsafe { ((**self.0).GetByteArrayRegion)(self.0, array, 0, length, bytes.as_mut_ptr().cast()) };
        Some(bytes)
    }

    /// A copy of a Java array of `int`.
    pub fn ints(self, array: jintArray) -> Option<Vec<i32>> {
        // SAFETY: a live array reference.
        let length = unsafe { ((**self.0).GetArrayLength)(self.0, array) };
        let mut ints = vec![0; usize::try_from(length).ok()?];
        // SAFETY: the vector has room for `length` numbers.
        unsafe { ((**self.0).GetIntArrayRegion)(self.0, array, 0, length, ints.as_mut_ptr()) };
        Some(ints)
    }

    /// A new Java byte array; none when memory runs out.
    pub fn new_bytes(self, bytes: &[u8]) -> Option<jbyteArray> {
        let length = jint::try_from(bytes.len()).ok()?;
        // SAFETY: a live environment; the array has `length` elements.
        unsafe {
            let array = ((**self.0).NewByteArray)(self.0, length);
            if array.is_null() {
                self.forget_exception();
                return None;
            }
            ((**self.0).SetByteArrayRegion)(self.0, array, 0, length, bytes.as_ptr().cast());
            Some(array)
        }
    }

    /// A new array of objects; none when memory runs out.
    pub fn new_objects(self, objects: &[jobject]) -> Option<jobjectArray> {
        let (class, length) = (self.find_class("java/lang/Object")?, jint::try_from(objects.len()).ok()?);
        // SAFETY: live references; the array has `length` elements.
        unsafe {
            let array = ((**self.0).NewObjectArray)(self.0, length, class.0, ptr::null_mut());
            if array.is_null() {
                self.forget_exception();
                return None;
            }
            for (index, object) in (0..length).zip(objects) {
                ((**self.0).SetObjectArrayElement)(self.0, array, index, *object);
            }
            Some(array)
        }
    }

    /// A thread that is not started yet, in the group of the current one, as a global reference.
    pub fn new_thread(self, name: &str) -> Option<usize> {
        let class = self.find_class("java/lang/Thread")?;
        let descriptor = c"(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;Ljava/lang/String;JZ)V";
        let null = || jvalue { l: ptr::null_mut() };
        let arguments = [null(), null(), jvalue { l: self.string(name) }, jvalue { j: 0 }, jvalue { z: 0 }];
        // SAFETY: live references, NUL-terminated names, and the constructor's arguments.
        let thread = unsafe {
            let constructor = ((**self.0).GetMethodID)(self.0, class.0, c"<init>".as_ptr(), descriptor.as_ptr());
            if constructor.is_null() {
                ptr::null_mut()
            } else {
                ((**self.0).NewObjectA)(self.0, class.0, constructor, arguments.as_ptr())
            }
        };
        self.forget_exception();
        // SAFETY: a live reference or null.
        let thread = unsafe { ((**self.0).NewGlobalRef)(self.0, thread) };
        (!thread.is_null()).then_some(thread as usize)
    }

    /// Frees a global reference.
    pub fn free(self, reference: usize) {
        // SAFETY: a global reference that is not used again.
        unsafe { ((**self.0).DeleteGlobalRef)(self.0, reference as jobject) };
    }

    /// The agent's own failed look-ups leave no exception behind.
    fn forget_exception(self) {
        // SAFETY: a live environment.
        unsafe { ((**self.0).ExceptionClear)(self.0) }
    }
}
