//! Races by happens-before alone: two accesses, one a write, that nothing ordered in this run (Java Language Specification, 17.4.5).
//!
//! They are the certain races of [`hybrid`](super::hybrid). That no lock protects both is asked here, too: it follows where the
//! stream has every acquisition, and where it lacks some the lock still keeps the accesses apart.
//!
//! **False alarms**: accesses that something orders of which no event tells. Of the races of a variable only the first is sure to be
//! possible in itself: those after it may depend on what it let happen.
//!
//! **Misses**: what locks, or hand-over, have ordered by chance in this run; and what class initializers do (`relation`).

use facts::event::Event;
use facts::index::SiteId;
use facts::site::Site;

use super::relation::Relation;
use super::variables::Variables;
use crate::checker::{Checker, Race};
use crate::granularity::Granularities;

/// The reference checker.
#[derive(Debug)]
pub struct HappensBefore(Variables);

impl HappensBefore {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(granularities: Granularities) -> Self {
        Self(Variables::new(Relation::HappensBefore, granularities))
    }
}

impl Default for HappensBefore {
    fn default() -> Self {
        Self::new(Granularities::default())
    }
}

impl Checker for HappensBefore {
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
