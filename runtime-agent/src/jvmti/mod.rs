//! All conversation with the JVM: the JVMTI environment, and JNI where that has no counterpart.

mod env;
mod frames;
mod vm;

use jvmti_bindings::sys::jni::{jclass, jfieldID};

pub use env::Env;
pub use frames::Frames;
pub use vm::Vm;

/// What the names of the helper classes begin with.
pub const HELPERS: &str = "java/lang/Jrace";

/// A class as the JVM hands it out: a local reference of the current native call.
#[derive(Clone, Copy)]
pub struct Class(pub jclass);

/// A method as the JVM names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Method(pub usize);

/// One frame as the JVM names it. Held across native calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The method that runs.
    pub method: Method,
    /// The index of its instruction.
    pub at: i64,
}

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
