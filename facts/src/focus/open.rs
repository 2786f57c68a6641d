//! What the proofs about a class take to be accessed in other ways than instructions that name it: by reflection, handles, frameworks.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What of a class may be accessed unseen. What is not here, the proofs of all classes take to be reached by instructions alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Names of fields of which nothing is proved.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub fields: BTreeSet<String>,
    /// Names and descriptors of methods that any thread may call.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub methods: BTreeSet<String>,
    /// Whether objects may be made, and be anybody's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_made: bool,
    /// Names of final fields that lead to locks, or hold flags that are never set back. Nothing is checked of final fields, but these are to
    /// keep their values.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub locks: BTreeSet<String>,
}

/// Where the locks of the JDK are. Reflection may give one back that the proofs take to be held.
pub const LOCKS: &str = "java/util/concurrent/locks/";

/// A member that is accessed by reflection or a handle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ReflectedMember {
    /// Internal name of the class that declares it.
    pub class: String,
    /// Its name; `<init>` stands for objects that are made, by whatever constructor or none.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// What is accessed by reflection of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// A field is read or written.
    Field {
        /// Whether it is final.
        is_final: bool,
    },
    /// A method is called.
    Method,
    /// An object is made.
    Object,
}

impl ReflectedMember {
    /// The file name of notes about what runs have accessed by reflection, a line each.
    pub const NOTES: &'static str = "reflected";

    /// Whether it gives back a lock of the JDK.
    #[must_use]
    pub fn is_release(&self) -> bool {
        self.class.starts_with(LOCKS) && self.name.starts_with("unlock")
    }

    /// What kind of member it is; `is_final` is of fields.
    #[must_use]
    pub fn member(&self, is_final: bool) -> Member {
        match () {
            () if self.name == "<init>" => Member::Object,
            () if self.descriptor.starts_with('(') => Member::Method,
            () => Member::Field { is_final },
        }
    }
}

impl Open {
    /// Whether the proofs hold though something else accesses this member.
    #[must_use]
    pub fn allows(&self, reflected: &ReflectedMember, member: Member) -> bool {
        match member {
            Member::Object => self.is_made,
            Member::Method => self.methods.contains(&format!("{}{}", reflected.name, reflected.descriptor)),
            Member::Field { is_final: true } => !self.locks.contains(&reflected.name),
            Member::Field { is_final: false } => self.fields.contains(&reflected.name),
        }
    }
}
