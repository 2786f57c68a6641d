//! What runs have come to by reflection or by handles.

use rustc_hash::FxHashSet;

use super::{ClassId, FieldId, MethodId, Name, Program};

/// Members that something reaches other than by an instruction that names them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reflected {
    /// Fields that are read or written.
    pub fields: FxHashSet<FieldId>,
    /// Methods that are called.
    pub methods: FxHashSet<MethodId>,
    /// Names of methods that are looked up, be they of libraries.
    pub names: FxHashSet<Name>,
    /// Classes of which objects are made.
    pub classes: FxHashSet<ClassId>,
    /// Those of them that constants at look-ups name.
    pub looked_up: FxHashSet<ClassId>,
}

impl Reflected {
    /// Whether a class of the JDK is a lock, which reflection may give back.
    #[must_use]
    pub fn is_lock(class: &str) -> bool {
        class.starts_with(facts::focus::LOCKS)
    }
}

impl Program {
    /// Notes that a run has accessed by reflection a member: its class, name and descriptor, a constructor for objects that are made.
    pub fn add_reflected(&mut self, class: &str, name: &str, descriptor: &str) {
        if Reflected::is_lock(class) {
            self.reflected.names.extend(self.names().named(name));
        }
        let Some(class) = self.class_named(class).filter(|class| self.class(*class).is_application) else { return };
        if name == "<init>" {
            self.reflected.classes.insert(class);
        } else if descriptor.starts_with('(') {
            let is_meant = |method: &MethodId| {
                self.names().text(self.method(*method).name) == name
                    && self.names().text(self.signature(*method).text) == descriptor
            };
            self.reflected.methods.extend(self.methods_of(class).find(is_meant));
        } else {
            // No class has two fields of a name in source code.
            let is_meant = |field: &FieldId| self.names().text(self.field(*field).name) == name;
            let fields: Vec<FieldId> = self.fields_of(class).filter(is_meant).collect();
            self.reflected.fields.extend(fields);
        }
    }

    /// What runs have accessed by reflection.
    #[must_use]
    pub const fn reflected(&self) -> &Reflected {
        &self.reflected
    }
}
