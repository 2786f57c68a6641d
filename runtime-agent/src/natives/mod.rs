//! The native methods of the helper classes.
//!
//! The JVM finds them by their exported names. They receive numbers and shadow words and never touch the Java heap: the
//! helper classes read and write the words themselves.

use facts::access::AccessKind;
use facts::index::ThreadId;
use jvmti_bindings::sys::jni::{jboolean, jint};

/// Exports each function under the name by which the JVM finds a native method of `JraceAgent`, and lists what it takes and returns.
///
/// A body has the agent and the JNI environment. Where there is no agent, the body panics or comes to no value, the function returns
/// what stands after `else`.
macro_rules! natives {
    (@run $agent:ident $body:block) => {
        crate::guard((), || {
            crate::state::get().and_then(|$agent| -> Option<()> {
                $body
                Some(())
            });
        })
    };
    (@run $agent:ident $body:block $fallback:expr) => {{
        let fallback = $fallback;
        crate::guard(fallback, || crate::state::get().and_then(|$agent| $body).unwrap_or(fallback))
    }};
    ($(
        #[$doc:meta]
        fn $name:ident($agent:ident, $env:ident $(, $arg:ident: $type:ty)*) $(-> $result:ty, else $fallback:expr =>)? $body:block
    )*) => {
        $(
            #[$doc]
            #[unsafe(export_name = concat!("Java_java_lang_JraceAgent_", stringify!($name)))]
            #[allow(clippy::too_many_arguments, reason = "the helper classes pass what they have in registers")]
            #[allow(non_snake_case, reason = "the name of the native method")]
            #[allow(unused_variables, reason = "not every one needs the agent and the environment")]
            pub extern "system" fn $name(
                $env: *mut jvmti_bindings::sys::jni::JNIEnv,
                _class: jvmti_bindings::sys::jni::jclass
                $(, $arg: $type)*
            ) $(-> $result)? {
                let $env = crate::jvmti::Env($env);
                natives!(@run $agent $body $($fallback)?)
            }
        )*

        /// Of each function its name, and the types of its arguments and of its result.
        #[cfg(test)]
        pub const NATIVES: &[super::Native] =
            &[$((stringify!($name), &[$(stringify!($type)),*], concat!($(stringify!($result))?))),*];
    };
}

mod fields;
mod locks;
mod program;
mod races;
mod recording;

/// The name of a function, and the types of its arguments and of its result.
#[cfg(test)]
type Native = (&'static str, &'static [&'static str], &'static str);

fn kind(is_write: jboolean) -> AccessKind {
    if is_write != 0 { AccessKind::Write } else { AccessKind::Read }
}

fn thread_id(thread: jint) -> ThreadId {
    ThreadId(thread as u32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ristretto_classfile::MethodAccessFlags;

    use super::{Native, fields, locks, program, races, recording};
    use crate::helper::tests::{text, versions};

    /// The native methods that the helper classes declare, with their descriptors.
    fn declared() -> BTreeMap<String, String> {
        let mut natives = BTreeMap::new();
        for (name, class) in versions().flatten() {
            for method in class.methods.iter().filter(|method| method.access_flags.contains(MethodAccessFlags::NATIVE))
            {
                assert_eq!(name, "java/lang/JraceAgent", "the agent exports natives of this class only");
                assert!(method.access_flags.contains(MethodAccessFlags::STATIC));
                let pool = &class.constant_pool;
                natives.insert(text(pool, method.name_index), text(pool, method.descriptor_index));
            }
        }
        natives
    }

    /// What the JVM passes or takes for a type of a descriptor.
    fn accepts(rust: &str, java: &str) -> bool {
        match rust {
            "" => java == "V",
            "jint" => java == "I",
            "jlong" => java == "J",
            "jboolean" => java == "Z",
            "jstring" => java == "Ljava/lang/String;",
            "jclass" => java == "Ljava/lang/Class;",
            "jbyteArray" => java == "[B",
            "jintArray" => java == "[I",
            "jobjectArray" => java.starts_with("[L"),
            "jobject" => java.starts_with('L'),
            _ => false,
        }
    }

    /// The types in a descriptor, that of the result last.
    fn types(descriptor: &str) -> Vec<&str> {
        let (arguments, result) = descriptor[1..].split_once(')').expect("a descriptor");
        let mut types = Vec::new();
        let mut rest = arguments;
        while !rest.is_empty() {
            let base = rest.find(|letter| letter != '[').expect("a type");
            let end = if rest[base..].starts_with('L') { rest.find(';').expect("a class") + 1 } else { base + 1 };
            types.push(&rest[..end]);
            rest = &rest[end..];
        }
        types.push(result);
        types
    }

    /// A native method that Java declares otherwise than it is exported would read its arguments from the wrong registers.
    #[test]
    fn natives_are_exported_as_they_are_declared() {
        let mut declared = declared();
        let exported: [&[Native]; 5] =
            [fields::NATIVES, locks::NATIVES, program::NATIVES, races::NATIVES, recording::NATIVES];
        for (name, arguments, result) in exported.into_iter().flatten() {
            let descriptor = declared.remove(*name).unwrap_or_else(|| panic!("no class declares {name}"));
            let exported = arguments.iter().chain([result]);
            let java = types(&descriptor);
            assert_eq!(java.len(), arguments.len() + 1, "{name}{descriptor}");
            let agree = exported.zip(&java).all(|(rust, java)| accepts(rust, java));
            assert!(agree, "{name}{descriptor} is exported with {arguments:?} and {result:?}");
        }
        assert!(declared.is_empty(), "not exported: {declared:?}");
    }

    #[test]
    fn types_of_descriptors_are_told_apart() {
        assert_eq!(types("(I[BLjava/lang/String;[[Lx;Z)V"), ["I", "[B", "Ljava/lang/String;", "[[Lx;", "Z", "V"]);
        assert!(!accepts("jint", "J") && !accepts("jobject", "[B") && !accepts("jstring", "Ljava/lang/Object;"));
    }
}
