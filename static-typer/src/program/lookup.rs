//! Classes and members by their names.

use super::{ClassId, FieldId, MethodId, Name, Program, Type};

impl Program {
    /// The class of that internal name.
    #[must_use]
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.find(self.names().named(name)?)
    }

    /// The field that the class of that internal name declares.
    #[must_use]
    pub fn field_named(&self, class: &str, name: &str) -> Option<FieldId> {
        self.declared_field(self.class_named(class)?, self.names().named(name)?)
    }

    /// The field of that name that a class declares.
    #[must_use]
    pub fn declared_field(&self, class: ClassId, name: Name) -> Option<FieldId> {
        self.fields_of(class).find(|field| self.field(*field).name == name)
    }

    /// The method that the class of that internal name declares.
    #[must_use]
    pub fn method_named(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let descriptor = self.names().get_descriptor(&classfile::modified(descriptor))?;
        self.declared_method(self.class_named(class)?, self.names().named(name)?, descriptor)
    }

    /// The class whose methods objects of a type have; arrays have those of `Object`.
    #[must_use]
    pub fn class_of(&self, ty: Type) -> Option<ClassId> {
        self.find(ty.as_class().unwrap_or(Name::OBJECT))
    }
}
