//! The few JNI calls that have no JVMTI counterpart. The agent's own failed look-ups leave no exception behind.

use std::ptr;

use jvmti_bindings::env::JniEnv;
use jvmti_bindings::sys::jni::{JNIEnv, jbyteArray, jfieldID, jint, jintArray, jobject, jobjectArray, jstring, jvalue};

use super::{Class, Method};

/// Local references that a call may make, all loaded classes or live threads among them: the most that HotSpot lets anybody ask for.
/// It makes room when it is needed, so this only has to satisfy `-Xcheck:jni`.
const LOCAL_REFERENCES: jint = 1 << 16;

/// The JNI environment of the current native call.
#[derive(Clone, Copy)]
pub struct Env(pub *mut JNIEnv);

impl Env {
    fn jni(self) -> JniEnv {
        // SAFETY: the JVM has passed the pointer to this call, on this thread.
        unsafe { JniEnv::from_raw(self.0) }
    }

    /// What a call gives, without the exception that it leaves if it fails. Whether it has is asked in any case, as JNI demands it of
    /// calls that run Java code.
    fn quietly<T>(self, call: impl FnOnce(&JniEnv) -> T) -> T {
        let jni = self.jni();
        let result = call(&jni);
        jni.exception_clear();
        result
    }

    /// Runs `body`, then frees the local references that it made: the JVM frees them only when the native call returns.
    pub fn in_local_frame<T>(self, body: impl FnOnce() -> T) -> T {
        let jni = self.jni();
        let frame = self.quietly(|_| jni.push_local_frame(LOCAL_REFERENCES).ok());
        let result = body();
        // No reference leaves it.
        drop(frame);
        result
    }

    /// The class of an object.
    pub fn class_of(self, object: jobject) -> Class {
        // SAFETY: `object` is a live reference and not null.
        Class(unsafe { self.jni().get_object_class(object) })
    }

    /// The superclass, if there is one.
    pub fn superclass(self, class: Class) -> Option<Class> {
        // SAFETY: a live class reference.
        unsafe { self.jni().get_superclass(class.0) }.map(Class)
    }

    /// A class of the JDK by internal name.
    pub fn find_class(self, name: &str) -> Option<Class> {
        self.quietly(|jni| jni.find_class(name)).map(Class)
    }

    /// Frees a local reference to a class before the native call returns.
    pub fn release(self, class: Class) {
        // SAFETY: a local reference of this call, which is not used again.
        unsafe { self.jni().delete_local_ref(class.0) };
    }

    /// Defines a class of the boot loader.
    pub fn define_class(self, name: &str, bytes: &[u8]) -> Option<Class> {
        // SAFETY: a null loader is the boot loader.
        self.quietly(|jni| unsafe { jni.define_class(name, ptr::null_mut(), bytes) }).map(Class)
    }

    /// Initializes a class by looking up one of its static methods; false if that failed.
    pub fn initialize(self, class: Class, method: &str, descriptor: &str) -> bool {
        // SAFETY: a live class reference.
        self.quietly(|jni| unsafe { jni.get_static_method_id(class.0, method, descriptor) }).is_some()
    }

    /// An instance field.
    pub fn field(self, class: Class, name: &str, descriptor: &str) -> Option<jfieldID> {
        // SAFETY: a live class reference.
        self.quietly(|jni| unsafe { jni.get_field_id(class.0, name, descriptor) })
    }

    /// The value of a field that refers to an object, unless it is null.
    pub fn object(self, of: jobject, field: jfieldID) -> Option<jobject> {
        // SAFETY: a live reference, and a field of its class.
        non_null(unsafe { self.jni().get_object_field(of, field) })
    }

    /// The value of a static field of an initialized class that refers to an object, unless it is null.
    pub fn static_object(self, class: Class, field: jfieldID) -> Option<jobject> {
        // SAFETY: a live class, and a static field of it.
        non_null(unsafe { self.jni().get_static_object_field(class.0, field) })
    }

    /// The method or constructor that an object of `java.lang.reflect` stands for.
    pub fn reflected_method(self, object: jobject) -> Method {
        // SAFETY: a live reference to a `Method` or `Constructor`.
        Method(unsafe { self.jni().from_reflected_method(object) } as usize)
    }

    /// The field that an object of `java.lang.reflect` stands for.
    pub fn reflected_field(self, object: jobject) -> jfieldID {
        // SAFETY: a live reference to a `Field`.
        unsafe { self.jni().from_reflected_field(object) }
    }

    /// The value of an `int` field.
    pub fn int(self, object: jobject, field: jfieldID) -> jint {
        // SAFETY: a live reference, and a field of its class.
        unsafe { self.jni().get_int_field(object, field) }
    }

    /// The loader of platform classes, as a global reference.
    pub fn platform_loader(self) -> Option<usize> {
        let class = self.find_class("java/lang/ClassLoader")?;
        let (name, descriptor) = ("getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
        // SAFETY: a live class reference, and a static method of it without arguments.
        let loader = self.quietly(|jni| unsafe {
            let method = jni.get_static_method_id(class.0, name, descriptor)?;
            non_null(jni.call_static_object_method(class.0, method, &[]))
        })?;
        self.keep(loader)
    }

    /// Asks for room in an event: HotSpot counts the references of the code that caused it, and not the room which that has.
    pub fn make_room(self) {
        self.quietly(|jni| jni.ensure_local_capacity(LOCAL_REFERENCES).ok());
    }

    /// Whether two references name one object.
    pub fn same(self, a: jobject, b: jobject) -> bool {
        // SAFETY: live references or null.
        unsafe { self.jni().is_same_object(a, b) }
    }

    /// A Java string; null when memory runs out.
    pub fn string(self, text: &str) -> jstring {
        self.quietly(|jni| jni.new_string_utf(text)).unwrap_or(ptr::null_mut())
    }

    /// A Rust string; what is not Unicode is replaced.
    pub fn text(self, string: jstring) -> String {
        // SAFETY: a live string reference or null.
        self.quietly(|jni| unsafe { jni.get_string_lossy(string) }).unwrap_or_default()
    }

    /// What a method without arguments gives that returns a string; none if the object has no such method, or the method fails.
    pub fn answer(self, object: jobject, method: &str) -> Option<String> {
        let class = self.class_of(object);
        // SAFETY: live references, and a method of the object's class without arguments.
        let answer = self.quietly(|jni| unsafe {
            let method = jni.get_method_id(class.0, method, "()Ljava/lang/String;")?;
            non_null(jni.call_object_method(object, method, &[]))
        });
        answer.map(|answer| self.text(answer))
    }

    /// A copy of a Java byte array.
    pub fn bytes(self, array: jbyteArray) -> Option<Vec<u8>> {
        let jni = self.jni();
        // SAFETY: a live array reference.
        let length = unsafe { jni.get_array_length(array) };
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        // SAFETY: the vector has room for `length` bytes.
        unsafe { jni.get_byte_array_region(array, 0, length, &mut bytes) };
        Some(bytes.into_iter().map(i8::cast_unsigned).collect())
    }

    /// A copy of a Java array of `int`.
    pub fn ints(self, array: jintArray) -> Option<Vec<i32>> {
        let jni = self.jni();
        // SAFETY: a live array reference.
        let length = unsafe { jni.get_array_length(array) };
        let mut ints = vec![0; usize::try_from(length).ok()?];
        // SAFETY: the vector has room for `length` numbers.
        unsafe { jni.get_int_array_region(array, 0, length, &mut ints) };
        Some(ints)
    }

    /// A new Java byte array; none when memory runs out.
    pub fn new_bytes(self, bytes: &[u8]) -> Option<jbyteArray> {
        let length = jint::try_from(bytes.len()).ok()?;
        let array = self.quietly(|jni| jni.new_byte_array(length))?;
        let bytes: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
        // SAFETY: the array has `length` elements.
        unsafe { self.jni().set_byte_array_region(array, 0, length, &bytes) };
        Some(array)
    }

    /// A new array of objects; none when memory runs out.
    pub fn new_objects(self, objects: &[jobject]) -> Option<jobjectArray> {
        let (class, length) = (self.find_class("java/lang/Object")?, jint::try_from(objects.len()).ok()?);
        // SAFETY: a live class reference.
        let array = self.quietly(|jni| unsafe { jni.new_object_array(length, class.0, ptr::null_mut()) })?;
        for (index, object) in (0..length).zip(objects) {
            // SAFETY: live references; the array has `length` elements.
            unsafe { self.jni().set_object_array_element(array, index, *object) };
        }
        Some(array)
    }

    /// A thread that is not started yet, in the group of the current one, as a global reference.
    pub fn new_thread(self, name: &str) -> Option<usize> {
        let class = self.find_class("java/lang/Thread")?;
        let descriptor = "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;Ljava/lang/String;JZ)V";
        let null = || jvalue { l: ptr::null_mut() };
        let arguments = [null(), null(), jvalue { l: self.string(name) }, jvalue { j: 0 }, jvalue { z: 0 }];
        // SAFETY: live references, and the constructor's arguments.
        let thread = self.quietly(|jni| unsafe {
            let constructor = jni.get_method_id(class.0, "<init>", descriptor)?;
            jni.new_object(class.0, constructor, &arguments)
        })?;
        self.keep(thread)
    }

    /// A global reference to an object; none when memory runs out.
    fn keep(self, object: jobject) -> Option<usize> {
        // SAFETY: a live reference.
        non_null(unsafe { self.jni().new_global_ref(object) }).map(|reference| reference as usize)
    }

    /// Frees a global reference.
    pub fn free(self, reference: usize) {
        // SAFETY: a global reference that is not used again.
        unsafe { self.jni().delete_global_ref(reference as jobject) };
    }
}

fn non_null(object: jobject) -> Option<jobject> {
    (!object.is_null()).then_some(object)
}
