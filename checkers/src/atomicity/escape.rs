//! Dynamic escape analysis: which accesses count. Those to a variable of only one thread cannot break anything.

use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::Location;
use facts::index::{FieldId, ObjectId, ThreadId};
use rustc_hash::FxHashMap;

use crate::stream::shared::Shared;

/// The judge of accesses.
#[derive(Debug)]
pub(super) enum Escape {
    /// Shared are the variables of this set, from the start.
    Known(Arc<Shared>),
    /// An object, array or static field has escaped when a second thread accesses it. Then its publication has happened
    /// already, so that accesses of the first thread may be lost between the two.
    Observed(FxHashMap<Owner, Scope>),
}

/// What escapes as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Owner {
    Object(ObjectId),
    Static(FieldId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    Only(ThreadId),
    Escaped,
}

impl Escape {
    /// Whether an access by this thread counts.
    pub fn counts(&mut self, thread: ThreadId, kind: AccessKind, variable: Location) -> bool {
        match self {
            Self::Known(shared) => shared.counts(thread, kind, variable),
            Self::Observed(scopes) => {
                let scope = scopes.entry(owner(variable)).or_insert(Scope::Only(thread));
                if *scope != Scope::Only(thread) {
                    *scope = Scope::Escaped;
                }
                *scope == Scope::Escaped
            }
        }
    }
}

fn owner(variable: Location) -> Owner {
    match variable {
        Location::Field(object, _) | Location::Element(object, _) => Owner::Object(object),
        Location::Static(field) => Owner::Static(field),
    }
}
