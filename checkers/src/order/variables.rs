//! What is known of all variables, by either relation.

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::finding::Grade;
use facts::index::SiteId;
use facts::site::Site;
use rustc_hash::FxHashMap;

use super::history::{History, Timed};
use super::relation::{Order, Relation, View};
use crate::checker::{Access, Race};
use crate::granularity::Granularities;

/// A variable until it has a certain race.
#[derive(Debug, Default)]
struct Variable {
    history: History,
    /// The surest that was reported.
    reported: Option<Grade>,
}

/// A checker by one relation: of each variable the first access with a certain race is reported, and the first with a weaker one of each
/// grade if that comes before.
#[derive(Debug)]
pub struct Variables {
    relation: Relation,
    granularities: Granularities,
    order: Order,
    /// `None` if a certain race was reported.
    variables: FxHashMap<Location, Option<Variable>>,
    races: Vec<Race>,
    n_events: u64,
}

impl Variables {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(relation: Relation, granularities: Granularities) -> Self {
        let (order, variables) = (Order::default(), FxHashMap::default());
        Self { relation, granularities, order, variables, races: Vec::new(), n_events: 0 }
    }

    /// What stands at a site.
    pub fn define(&mut self, id: SiteId, site: &Site) {
        if let Some(hands) = site.action.hands_over() {
            self.order.hands_over_at(id, hands);
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: &Event) {
        self.order.event(event);
        if let EventKind::Access(kind, location) = event.action {
            self.access(event, kind, location);
        }
        self.n_events += 1;
    }

    /// The races found so far.
    #[must_use]
    pub fn races(&self) -> &[Race] {
        &self.races
    }

    fn access(&mut self, event: &Event, kind: AccessKind, location: Location) {
        let Some(variable) = self.granularities.variable(location) else { return };
        let slot = self.variables.entry(variable).or_insert_with(|| Some(Variable::default()));
        let Some(known) = slot else { return };
        let (thread, site) = (event.thread, event.site);
        let locks = self.order.held(thread).snapshot();
        let access = Access { event: self.n_events, thread, site, kind, location, locks };
        let current = Timed { access, moment: self.order.now(thread) };
        let found = known.update(current, self.order.view(thread), self.relation);
        if found.as_ref().is_some_and(|found| found.grade == Grade::Certain) {
            *slot = None;
        }
        let race = |Found { grade, current, previous }| Race {
            variable,
            grade: Some(grade),
            current,
            previous,
            previous_write: None,
        };
        self.races.extend(found.map(race));
    }
}

impl Variable {
    /// Takes an access into account; says what is to be reported.
    fn update(&mut self, current: Timed, view: View<'_>, relation: Relation) -> Option<Found> {
        let found = self.history.race(&current.access, view, relation);
        let news = found.filter(|(grade, _)| self.reported.is_none_or(|reported| *grade < reported));
        let report =
            news.map(|(grade, other)| Found { grade, current: current.access.clone(), previous: other.clone() });
        self.reported = news.map(|(grade, _)| grade).or(self.reported);
        self.history.push(current, view, relation);
        report
    }
}

/// A race that is to be reported.
struct Found {
    grade: Grade,
    current: Access,
    previous: Access,
}
