//! Which field refers to a lock of a class of the JDK: readers of the source know it by that name. One of a class of the program is
//! known by its class.
//!
//! Looked for where locks mostly are: in the accessed object, in the objects that enclose it, and in static fields of their
//! classes and of the classes on the stack.

use facts::site::FieldRef;
use jvmti_bindings::sys::jni::jobject;

use crate::jvmti::{Class, Env, Reference, Vm};

/// How many objects around an inner one are looked at.
const ENCLOSING: usize = 3;
/// Where the library keeps what stands for its locks.
const LIBRARY: &str = "java/util/concurrent/";

/// A search for the field of one lock.
pub struct Search<'a> {
    pub vm: &'a Vm,
    pub env: Env,
    /// The object that stands for the lock.
    pub lock: jobject,
}

impl Search<'_> {
    /// A field that refers to the lock; the object is the accessed one, null for a static field.
    pub fn field(&self, object: jobject) -> Option<FieldRef> {
        if !self.is_of_jdk(self.env.class_of(self.lock)) {
            return None;
        }
        let on_stack = || self.vm.classes_on_stack().into_iter().find_map(|class| self.in_class(class, None));
        self.in_object(object, ENCLOSING).or_else(on_stack)
    }

    fn in_object(&self, object: jobject, enclosing: usize) -> Option<FieldRef> {
        if object.is_null() || self.env.same(object, self.lock) {
            return None;
        }
        let classes = self.classes(object);
        let outer = || {
            let references = classes.iter().flat_map(|class| self.vm.references(*class));
            let field = references.filter(|field| field.name.starts_with("this$")).last()?;
            self.in_object(self.env.object(object, field.id)?, enclosing.checked_sub(1)?)
        };
        classes.iter().find_map(|class| self.in_class(*class, Some(object))).or_else(outer)
    }

    /// Looks at the static fields of a class, and at the others in an object.
    fn in_class(&self, class: Class, object: Option<jobject>) -> Option<FieldRef> {
        if self.is_of_jdk(class) {
            return None;
        }
        let found = self.vm.references(class).into_iter().find(|field| self.leads_to_lock(class, field, object))?;
        Some(FieldRef { class: self.vm.internal_name(class)?, name: found.name, descriptor: found.descriptor })
    }

    fn leads_to_lock(&self, class: Class, field: &Reference, object: Option<jobject>) -> bool {
        let value = match (field.is_static, object) {
            (true, _) => self.env.static_object(class, field.id),
            (false, Some(object)) => self.env.object(object, field.id),
            (false, None) => None,
        };
        value.is_some_and(|value| self.is_lock(value))
    }

    /// Whether this is the lock, or the object of the library for which the lock stands.
    fn is_lock(&self, value: jobject) -> bool {
        self.env.same(value, self.lock)
            || self.synchronizer(value).is_some_and(|synchronizer| self.env.same(synchronizer, self.lock))
    }

    fn synchronizer(&self, lock: jobject) -> Option<jobject> {
        let is_library = |class: &Class| self.vm.internal_name(*class).is_some_and(|name| name.starts_with(LIBRARY));
        let class = self.classes(lock).into_iter().find(is_library)?;
        let field = self.vm.references(class).into_iter().find(|field| field.name == "sync" && !field.is_static)?;
        self.env.object(lock, field.id)
    }

    fn is_of_jdk(&self, class: Class) -> bool {
        self.vm.loader(class).is_null()
    }

    /// The class of an object and all above it.
    fn classes(&self, object: jobject) -> Vec<Class> {
        std::iter::successors(Some(self.env.class_of(object)), |class| self.env.superclass(*class)).collect()
    }
}
