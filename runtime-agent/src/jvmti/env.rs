//! The few JNI calls that have no JVMTI counterpart.

use std::ffi::{CStr, CString};
use std::ptr;

use jvmti_bindings::sys::jni::{JNIEnv, jbyteArray, jfieldID, jint, jintArray, jobject, jobjectArray, jstring, jvalue};

use super::{Class, Method};

/// Local references that a call may make, all loaded classes or live threads among them: the most that HotSpot lets anybody ask for.
/// It makes room when it is needed, so this only has to satisfy `-Xcheck:jni`.
const LOCAL_REFERENCES: jint = 1 << 16;

/// The JNI environment of the current native call.
#[derive(Clone, Copy)]
pub struct Env(pub *mut JNIEnv);

impl Env {
    /// Runs `body`, then frees the local references that it made: the JVM frees them only when the native call returns.
    pub fn in_local_frame<T>(self, body: impl FnOnce() -> T) -> T {
        // SAFETY: a live environment; a failure leaves an exception, and no frame to pop.
        let pushed = unsafe { ((**self.0).PushLocalFrame)(self.0, LOCAL_REFERENCES) } == 0;
        let result = body();
        if pushed {
            // SAFETY: the frame pushed above; no reference leaves it.
            unsafe { ((**self.0).PopLocalFrame)(self.0, ptr::null_mut()) };
        } else {
            self.forget_exception();
        }
        result
    }

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
