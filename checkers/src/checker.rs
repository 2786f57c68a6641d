//! What every checker is: a consumer of events that collects findings.

use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::{Event, Location};
use facts::finding::Grade;
use facts::index::{SiteId, ThreadId};
use facts::site::Site;

use crate::held::Hold;

/// A checker of an event stream.
pub trait Checker {
    /// Takes the next event.
    fn event(&mut self, event: &Event);

    /// What stands at a site, before the first event there.
    fn define(&mut self, _id: SiteId, _site: &Site) {}

    /// The stream has ended, perhaps in the middle: what is still going on will not go on.
    fn finish(&mut self) {}

    /// The races found so far, in the order in which they were found; none from a checker that looks for something else.
    fn races(&self) -> &[Race] {
        &[]
    }
}

/// A location on which a checker found a race; each is reported once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    /// What raced, at the checker's granularity.
    pub variable: Location,
    /// How sure it is; `None` where the checker knows no order between threads.
    pub grade: Option<Grade>,
    /// The access at which the race was found.
    pub current: Access,
    /// The latest access by another thread; where the checker knows order, the latest that races.
    pub previous: Access,
    /// The latest write by another thread, if there was one; it says more than `previous` if `current` is a read. Where the checker
    /// knows order, none.
    pub previous_write: Option<Access>,
}

/// An access as evidence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Number of the event in the stream, from 0.
    pub event: u64,
    /// Who.
    pub thread: ThreadId,
    /// Where in the program.
    pub site: SiteId,
    /// Read or write.
    pub kind: AccessKind,
    /// What exactly was accessed.
    pub location: Location,
    /// Locks held, outermost first, each lock and mode once.
    pub locks: Arc<[Hold]>,
}
