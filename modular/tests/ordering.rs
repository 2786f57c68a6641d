//! Which events of an abstract execution are ordered by locks, and which race (paper 003, section 4).
//!
//! A lock encloses an event if it is taken before it more often than left, and left after it more often than taken. The paper
//! says it with injective maps from exits to the enters that they end. Of those only the numbers count: enters and exits match
//! if their lock sets are equal, so that a lock is left over if there are more of one than of the other, and then every one of
//! them is by some map. Maps are as large as possible here, not total: an exit too many, as compilers make for exceptions,
//! takes nothing from other locks.

use std::collections::{BTreeMap, BTreeSet};

use super::execution::{Event, Execution, Kind};

/// Locks that are left over, by what they are.
type Net = BTreeSet<BTreeSet<(u32, u32)>>;

/// Whether one takes what the other leaves (definition 5).
#[must_use]
pub fn matches(a: &Event, b: &Event) -> bool {
    let is_monitor = |event: &Event| matches!(event.kind, Kind::Enter | Kind::Exit);
    is_monitor(a) && is_monitor(b) && a.kind != b.kind && a.locations == b.locations
}

/// The locks that the event's thread takes before it and does not leave before it: NetN.
#[must_use]
pub fn net_enters(execution: &Execution, event: &Event) -> Net {
    let own = |other: &&Event| other.thread == event.thread && other.multiplicity == event.multiplicity;
    let before = execution.before.iter().filter(|(_, later)| later == event).map(|(earlier, _)| earlier);
    left_over(before.filter(own), Kind::Enter)
}

/// The locks that the event's thread leaves after it without having taken them after it: NetX.
#[must_use]
pub fn net_exits(execution: &Execution, event: &Event) -> Net {
    let own = |other: &&Event| other.thread == event.thread && other.multiplicity == event.multiplicity;
    let after = execution.before.iter().filter(|(earlier, _)| earlier == event).map(|(_, later)| later);
    left_over(after.filter(own), Kind::Exit)
}

fn left_over<'a>(monitors: impl Iterator<Item = &'a Event>, kind: Kind) -> Net {
    let mut counts: BTreeMap<&BTreeSet<(u32, u32)>, i64> = BTreeMap::new();
    for event in monitors.filter(|event| matches!(event.kind, Kind::Enter | Kind::Exit)) {
        *counts.entry(&event.locations).or_default() += if event.kind == kind { 1 } else { -1 };
    }
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(lock, _)| lock.clone()).collect()
}

/// The locks that enclose an event: on both of its sides.
#[must_use]
pub fn enclosing(execution: &Execution, event: &Event) -> Net {
    let exits = net_exits(execution, event);
    net_enters(execution, event).into_iter().filter(|lock| !lock.is_empty() && exits.contains(lock)).collect()
}

/// Whether two events are of one thread, or a lock orders them in both directions: ord.
#[must_use]
pub fn are_ordered(execution: &Execution, a: &Event, b: &Event) -> bool {
    let crosses = |x: &Event, y: &Event| {
        let exits = net_exits(execution, y);
        net_enters(execution, x).iter().any(|lock| !lock.is_empty() && exits.contains(lock))
    };
    a.thread == b.thread || matches(a, b) && !a.locations.is_empty() || crosses(a, b) && crosses(b, a)
}

/// Whether two events of different threads access one variable and one of them writes (definition 6).
#[must_use]
pub fn conflict(a: &Event, b: &Event) -> bool {
    let accesses = |event: &Event| matches!(event.kind, Kind::Read | Kind::Write);
    let writes = a.kind == Kind::Write || b.kind == Kind::Write;
    accesses(a) && accesses(b) && writes && a.thread != b.thread && !a.locations.is_disjoint(&b.locations)
}

/// Whether an event writes in threads of which there may be many (definition 7).
#[must_use]
pub fn is_multiple_write(event: &Event) -> bool {
    event.kind == Kind::Write && event.multiplicity.is_many()
}

/// Whether nothing races (definition 8).
#[must_use]
pub fn is_race_free(execution: &Execution) -> bool {
    let events = &execution.events;
    let is_safe = |a: &Event| events.iter().all(|b| !conflict(a, b) || are_ordered(execution, a, b));
    events.iter().all(|event| !is_multiple_write(event) && is_safe(event))
}
