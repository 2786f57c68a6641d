//! The search for a path as it is defined: each by itself, breadth first, with nothing remembered. What [`super::Callers`] finds
//! must be the same.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::points_to::{CallEdge, InstanceId};
use crate::races::locks::guards::Guard;

use super::carried::Needs;
use super::{CallPath, Callers, Found, Goal, Kind, Step};

/// Code, and what it must have been passed.
type State = (InstanceId, Needs);
/// The states in the order in which they were found, each with the call that leads on to another, and whether it was followed.
type States = IndexMap<State, Option<(u32, usize, bool)>, FxBuildHasher>;

/// The same as [`Callers::path`].
#[must_use]
pub fn path(callers: &Callers<'_>, kind: Kind, to: &Goal<'_>, avoided: &[InstanceId], unheld: &[Guard]) -> Found {
    let (calls, max_states) = (&callers.calls, callers.bounds.states);
    let first = calls.first(kind, to);
    // Code that is led on from whatever it is passed, which no state is needed of besides.
    let mut free: FxHashSet<InstanceId> = FxHashSet::default();
    free.extend(first.iter().filter(|needs| needs.is_empty()).map(|_| to.instance));
    let mut states = States::default();
    states.extend(first.into_iter().map(|needs| ((to.instance, needs), None)));
    let mut is_kept = false;
    for at in 0..max_states {
        let Some((state, _)) = states.get_index(at) else { return Found { path: None, is_cut: false, is_kept } };
        let (instance, needs) = state.clone();
        if !avoided.contains(&instance) && calls.begins(to.by, instance, &needs) {
            let path = unwind(&states, at);
            if calls.may_run(instance, path.steps.iter().map(|step| step.caller).chain([to.instance])) {
                return Found { path: Some(path), is_cut: false, is_kept: false };
            }
        }
        for (caller, call) in calls.callers(instance) {
            if free.contains(caller) {
                continue;
            }
            let ways = calls.before(kind, *caller, CallEdge { call: *call, callee: instance }, &needs);
            if calls.holds(*caller, *call, unheld) {
                is_kept |= !ways.needs.is_empty();
                continue;
            }
            for needs in ways.needs {
                if needs.is_empty() {
                    free.insert(*caller);
                }
                states.entry((*caller, needs)).or_insert(Some((*call, at, ways.is_followed)));
            }
        }
    }
    Found { path: None, is_cut: states.len() > max_states, is_kept }
}

fn unwind(states: &States, mut at: usize) -> CallPath {
    let mut path = CallPath { root: InstanceId(u32::MAX), steps: Vec::new(), is_followed: true };
    while let Some(((instance, _), next)) = states.get_index(at) {
        if path.steps.is_empty() {
            path.root = *instance;
        }
        let Some((call, to, is_followed)) = *next else { break };
        path.is_followed &= is_followed;
        path.steps.push(Step { caller: *instance, call });
        at = to;
    }
    path
}
