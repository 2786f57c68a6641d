//! What a type error is.

use crate::ir::Value;
use crate::program::{ClassId, FieldId, MethodId};

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A field is accessed without the lock that is said to guard it.
    UnguardedAccess,
    /// A method is called without a lock that it says its callers hold.
    UnheldCall,
    /// An annotation names no lock.
    NoLock,
    /// A class that is said to be immutable changes.
    MutableClass,
    /// A class that is said to be thread-safe has a field that may race.
    UnsafeClass,
    /// An object of a class that is said to be local to a thread may reach another one.
    SharedObject,
    /// The objects of a class with a lock parameter have no owner.
    NoOwner,
    /// A field gives a lock parameter what is no lock, or another one than a field before it.
    LockArgument,
}

/// A type error, with what is needed to explain it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TypeError {
    /// What is wrong.
    pub rule: Rule,
    /// The field or method whose annotation is meant, or the field of the class.
    pub subject: Subject,
    /// The annotation's text, for a guard.
    pub lock: String,
    /// The instruction that is at fault, unless the declaration is.
    pub place: Option<(MethodId, Value)>,
}

/// What an annotation is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// A field.
    Field(FieldId),
    /// A method.
    Method(MethodId),
    /// A class.
    Class(ClassId),
}
