//! A class on its way into the JVM, and who loads it.

use std::sync::{Arc, OnceLock};

use jvmti_bindings::sys::jni::jobject;

use crate::jvmti::{Env, Vm};
use crate::tools::{self, Own};

/// Who loads a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loader {
    /// The boot loader or the platform loader: part of the JDK.
    Jdk,
    /// A build tool, for itself and its plugins.
    Tool,
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
pub struct Loaders {
    vm: Arc<Vm>,
    /// That of platform classes, as a global reference, once the JVM runs.
    platform: OnceLock<usize>,
    /// What a build tool has loaded for itself, if the JVM is one's own.
    of_tool: Option<Own>,
}

impl Loaders {
    /// Those of a JVM.
    pub fn of(vm: Arc<Vm>) -> Self {
        let of_tool = tools::own(&vm.property("sun.java.command"));
        Self { vm, platform: OnceLock::new(), of_tool }
    }

    /// Asks for the loader of platform classes, once the JVM runs.
    pub fn prepare(&self, env: Env) {
        if let Some(loader) = env.platform_loader() {
            let _ = self.platform.set(loader);
        }
    }

    /// Whether the JVM is a build tool's own, with loaders that tell what is the tool's.
    pub fn are_of_tool(&self) -> bool {
        self.of_tool.is_some()
    }

    /// Who has loaded a class of which only the name is known, if it is none of the JDK's.
    pub fn unknown(&self) -> Loader {
        if self.are_of_tool() { Loader::Tool } else { Loader::Application }
    }

    /// Whose a loader is.
    pub fn kind(&self, env: Env, loader: jobject) -> Loader {
        let is_platform = self.platform.get().is_some_and(|&platform| {
            env.make_room();
            env.same(loader, platform as jobject)
        });
        if loader.is_null() || is_platform {
            Loader::Jdk
        } else if self.is_of_tool(env, loader) {
            Loader::Tool
        } else {
            Loader::Application
        }
    }

    fn is_of_tool(&self, env: Env, loader: jobject) -> bool {
        self.of_tool.is_some_and(|own| match own {
            Own::All => true,
            Own::LoadedBy(classes) => {
                let class = env.in_local_frame(|| self.vm.descriptor(env.class_of(loader)));
                class.is_some_and(|class| classes.contains(&&*class))
            }
        })
    }
}
