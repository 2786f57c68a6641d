//! Classes and their members, as the JVM knows them.

use std::ptr;

use facts::hook::MEMBER_PREFIX;
use jvmti_bindings::sys::jni::{jfieldID, jint, jmethodID, jobject};
use jvmti_bindings::sys::jvmti;
use rustc_hash::FxHashSet;

use super::Vm;
use crate::jvmti::{Class, FieldFlags, Method, Reference};

const ACC_PUBLIC: jint = 0x1;
const ACC_STATIC: jint = 0x8;
const ACC_FINAL: jint = 0x10;
const ACC_VOLATILE: jint = 0x40;

impl Vm {
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
        // SAFETY: as above.
        unsafe { self.0.get_method_modifiers(method.0 as jmethodID) }.is_ok_and(|flags| flags & ACC_PUBLIC != 0)
    }

    /// The class that declares a method.
    pub fn class_of_method(&self, method: Method) -> Option<Class> {
        // SAFETY: as above.
        unsafe { self.0.get_method_declaring_class(method.0 as jmethodID) }.ok().map(Class)
    }

    /// The methods that classes declare, as frames name them.
    pub fn methods(&self, classes: &[Class]) -> FxHashSet<usize> {
        // SAFETY: class references of this call.
        let of = |class: &Class| unsafe { self.0.get_class_methods(class.0) }.unwrap_or_default();
        classes.iter().flat_map(of).map(|method| method as usize).collect()
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
        let is_added =
            |field: jfieldID| self.field_name(class, field).is_some_and(|(name, _)| name.starts_with(MEMBER_PREFIX));
        self.is_prepared(class).then(|| self.fields(class).into_iter().any(is_added))
    }

    /// Names of the fields that the class itself declares and that are like this.
    pub fn fields_like(&self, class: Class, is_like: impl Fn(&str) -> bool) -> Vec<String> {
        let names = self.fields(class).into_iter().filter_map(|field| self.field_name(class, field));
        names.map(|(name, _)| name).filter(|name| is_like(name)).collect()
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
            let is_own = descriptor.starts_with('L') && !name.starts_with(MEMBER_PREFIX);
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
}
