//! Must-facts: what holds on all ways to some code is what every one of them brings along (a greatest solution).

use std::collections::BTreeSet;

use crate::points_to::{CallEdge, CallSite, InstanceId, PointsTo};

/// The calls that an instance makes, and what each runs.
pub fn calls(points_to: &PointsTo, caller: InstanceId) -> impl Iterator<Item = (&CallSite, &[CallEdge])> + use<'_> {
    let code = points_to.code(caller);
    let calls = points_to.calls(caller).chunk_by(|a, b| a.call == b.call);
    calls.map(|edges| (&code.calls[edges[0].call as usize], edges))
}

/// Keeps of what is known on all ways so far what holds on another way too, both sorted; says whether that is news.
pub fn flow<L: Ord>(known: &mut Option<Vec<L>>, held: Vec<L>) -> bool {
    match known {
        Some(known) => keep(known, &held),
        unknown => {
            *unknown = Some(held);
            true
        }
    }
}

/// What [`flow`] does, of sets.
pub fn weaken<T: Ord>(known: &mut Option<BTreeSet<T>>, facts: BTreeSet<T>) -> bool {
    match known {
        Some(known) => {
            let before = known.len();
            known.retain(|fact| facts.contains(fact));
            known.len() < before
        }
        unknown => {
            *unknown = Some(facts);
            true
        }
    }
}

/// What [`flow`] does, for what flows to several places.
pub fn flow_from<L: Ord + Clone>(known: &mut Option<Vec<L>>, held: &[L]) -> bool {
    match known {
        Some(known) => keep(known, held),
        unknown => {
            *unknown = Some(held.to_vec());
            true
        }
    }
}

fn keep<L: Ord>(known: &mut Vec<L>, held: &[L]) -> bool {
    let before = known.len();
    if known.as_slice() != held {
        known.retain(|lock| held.binary_search(lock).is_ok());
    }
    known.len() < before
}
