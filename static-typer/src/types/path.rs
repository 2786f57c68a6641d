//! Access paths: how a lock or an object is written, from where the path begins through final fields.

use crate::ir::Value;
use crate::program::{FieldId, Name, Type};

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// A parameter of the method, the receiver being the first.
    Parameter(u16),
    /// Another value of the method, the one it had last.
    Value(Value),
    /// A final static field.
    Static(FieldId),
    /// The object of a class.
    Class(Type),
    /// A string constant, which is one object everywhere (JLS 3.10.5).
    Text(Name),
    /// The owner of the object in a parameter of the method (`owned`).
    Owner(u16),
}

/// A final expression: a root, then final fields, then perhaps a view of a read-write lock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Path {
    /// Where it begins.
    pub root: Root,
    /// The fields that lead on.
    pub fields: Vec<FieldId>,
    /// The half of a read-write lock, or the object itself.
    pub half: Half,
}

/// A half of a `ReadWriteLock`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Half {
    /// The object itself.
    Whole,
    /// `readLock()`.
    Read,
    /// `writeLock()`.
    Write,
}

/// Longer paths stand for nothing that is worth knowing, and recursive structures have them of any length.
const MAX_FIELDS: usize = 6;

impl Path {
    /// A path without fields.
    #[must_use]
    pub const fn of(root: Root) -> Self {
        Self { root, fields: Vec::new(), half: Half::Whole }
    }

    /// The path that leads on from here, if it is not too long.
    #[must_use]
    pub fn then(&self, fields: &[FieldId], half: Half) -> Option<Self> {
        let fields = [&self.fields, fields].concat();
        (self.half == Half::Whole && fields.len() <= MAX_FIELDS).then_some(Self { root: self.root, fields, half })
    }

    /// The fields that lead from `base` to this path.
    #[must_use]
    pub fn from(&self, base: &Self) -> Option<&[FieldId]> {
        if self.root == base.root && base.half == Half::Whole {
            self.fields.strip_prefix(base.fields.as_slice())
        } else {
            None
        }
    }

    /// Whether it means the same in every method.
    #[must_use]
    pub const fn is_global(&self) -> bool {
        matches!(self.root, Root::Static(_) | Root::Class(_) | Root::Text(_))
    }
}
