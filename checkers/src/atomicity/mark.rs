//! An access of a transaction.

use std::ops::Deref;
use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::Location;
use facts::index::{SiteId, ThreadId};

use super::path::Path;
use crate::checker::Access;
use crate::stream::holding::Locks;
use crate::stream::segments::SegmentId;

/// An access as one of the transactions that it is in has it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub mark: Arc<Mark>,
    /// The outermost transaction that it is in inside of this one, by the number of the event that began it, if what blocks there are in
    /// that one are left to it.
    pub inside: Option<u64>,
}

impl Part {
    /// Whether a transaction inside makes what blocks there are of the two.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.inside.is_some() && self.inside == other.inside
    }
}

impl Deref for Part {
    type Target = Mark;

    fn deref(&self) -> &Mark {
        &self.mark
    }
}

/// An access with all that blocks need to know.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// Number of the event.
    pub event: u64,
    pub thread: ThreadId,
    pub site: SiteId,
    pub kind: AccessKind,
    pub variable: Location,
    pub location: Location,
    pub segment: SegmentId,
    pub locks: Arc<Locks>,
    /// The transactions that the thread was in.
    pub around: Option<Arc<Path>>,
    /// The call of a method proved atomic that this stands for, by the number of the event that began it.
    pub call: Option<u64>,
}

impl Mark {
    /// The access as evidence.
    pub fn access(&self) -> Access {
        let Self { event, thread, site, kind, location, .. } = *self;
        Access { event, thread, site, kind, location, locks: Arc::clone(self.locks.held()) }
    }

    /// Whether nothing has changed from here to the other.
    pub fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.locks.moment() == other.locks.moment()
            && self.segment == other.segment
            && self.call == other.call
    }

    /// Whether both stand for one call of a method proved atomic: nothing comes between them.
    pub fn is_of_call(&self, other: &Self) -> bool {
        self.call.is_some() && self.call == other.call
    }
}
