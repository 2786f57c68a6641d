//! A class on its way into the JVM, and who loads it.

use std::sync::OnceLock;

use jvmti_bindings::sys::jni::jobject;

use crate::jvmti::Env;

/// Who loads a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loader {
    /// The boot loader or the platform loader: part of the JDK.
    Jdk,
    /// Any other.
    Application,
}

/// A class that is about to be defined or redefined.
#[derive(Clone, Copy)]
pub struct Loading<'a> {
    /// Internal name.
    pub name: &'a str,
    /// Who loads it.
    pub loader: Loader,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// For a redefinition: whether the present class has shadow words. Its fields must stay as they are.
    pub redefined: Option<bool>,
}

/// Tells loaders apart.
#[derive(Default)]
pub struct Loaders {
    /// That of platform classes, as a global reference, once the JVM runs.
    platform: OnceLock<usize>,
}

impl Loaders {
    /// Asks for the loader of platform classes, once the JVM runs.
    pub fn prepare(&self, env: Env) {
        if let Some(loader) = env.platform_loader() {
            let _ = self.platform.set(loader);
        }
    }

    /// Whether a loader is one of the JDK's.
    pub fn kind(&self, env: Env, loader: jobject) -> Loader {
        let is_platform = self.platform.get().is_some_and(|&platform| {
            env.make_room();
            env.same(loader, platform as jobject)
        });
        if loader.is_null() || is_platform { Loader::Jdk } else { Loader::Application }
    }
}
