//! Resolution of fields (JVMS 5.4.3.2), and where their shadow words are.

use facts::access::Granularity;
use facts::hook;

use super::{Declared, Variables};
use crate::jvmti::{Class, Env, FieldFlags};
use crate::sites::Target;

impl Variables {
    /// Finds the class that declares the field of a site, starting at one that is or extends the class that the reference names, and
    /// takes note of it; `None` when accesses need no check.
    pub fn resolve(&self, env: Env, start: Class, site: u32, is_static: bool) -> Option<Class> {
        let Target::Field(field) = self.sites.target(site) else { return None };
        let mut class = start;
        while self.vm.internal_name(class)? != field.class {
            class = env.superclass(class)?;
        }
        let flags = loop {
            match self.vm.declares(class, &field.name, &field.descriptor) {
                Some(flags) => break flags,
                None => class = env.superclass(class)?,
            }
        };
        let name = self.vm.internal_name(class)?;
        self.declare(site, name.clone(), flags);
        let loader = self.loaders.kind(env, self.vm.loader(class));
        let needs_none = flags.is_final || flags.is_volatile && !self.mode.checks_by_order();
        if needs_none || !self.filter.checks(&name, loader) {
            return None;
        }
        if !is_static && !flags.is_volatile && self.mode.options.granularity == Granularity::Object {
            return self.topmost_with_word(env, class, site, flags);
        }
        Some(class)
    }

    /// At object granularity the word lies in the topmost checked class.
    fn topmost_with_word(&self, env: Env, class: Class, site: u32, flags: FieldFlags) -> Option<Class> {
        let descriptor = self.mode.events.shadow_descriptor();
        let has_word = |class: &Class| self.vm.declares(*class, hook::OBJECT_SHADOW, descriptor).is_some();
        let above = std::iter::successors(Some(class), |class| env.superclass(*class));
        let topmost = above.filter(has_word).last()?;
        self.declare(site, self.vm.internal_name(topmost)?, flags);
        Some(topmost)
    }

    fn declare(&self, site: u32, class: String, flags: FieldFlags) {
        self.fields.lock().insert(site, Declared { class, flags });
    }
}
