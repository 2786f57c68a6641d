//! Races by order and locks: O'Callahan and Choi, "Hybrid dynamic data race detection" (PPoPP 2003), with three grades.
//!
//! Two accesses race if one of them writes, no lock protects both, and hand-over does not order them. The race is *certain* if
//! happens-before does not order them either, and *possible* if it does: then only the order in which threads took locks kept the
//! accesses apart. It is *unlikely* if what was found under a lock orders them, too: most often an object was handed over so. Of each variable the first
//! access with a certain race is reported, with the latest access that it is with; and the first of each weaker grade, if that comes before.
//!
//! Deviations from the paper: edges are those of the Java Language Specification and of the library's documentation; read locks
//! protect reads only; which accesses are kept is decided by what can race with them, not by their number.
//!
//! **False alarms**: accesses that something orders of which no event tells, as possible or certain races; what only the order of
//! locks keeps apart by intent, as where a number says under a lock who may go on, as possible ones.
//!
//! **Misses**: what hand-over has ordered by chance; what class initializers do (`relation`); a race with one of more than
//! [`History::MOST`](super::history::History::MOST) accesses of one variable that have no lock in common, or with one of more than
//! [`History::ALIKE`](super::history::History::ALIKE) under the same locks, or while four locks are held
//! ([`History::SPREAD`](super::history::History::SPREAD)). Variables are those of the granularity: fields of one
//! object taken together race where none does by itself.

use facts::event::Event;
use facts::index::SiteId;
use facts::site::Site;

use super::relation::Relation;
use super::variables::Variables;
use crate::checker::{Checker, Race};
use crate::granularity::Granularities;

/// The reference checker.
#[derive(Debug)]
pub struct Hybrid(Variables);

impl Hybrid {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(granularities: Granularities) -> Self {
        Self(Variables::new(Relation::HandOver, granularities))
    }
}

impl Default for Hybrid {
    fn default() -> Self {
        Self::new(Granularities::default())
    }
}

impl Checker for Hybrid {
    fn event(&mut self, event: &Event) {
        self.0.event(event);
    }

    fn define(&mut self, id: SiteId, site: &Site) {
        self.0.define(id, site);
    }

    fn races(&self) -> &[Race] {
        self.0.races()
    }
}
