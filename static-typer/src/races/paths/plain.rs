//! The search for a path as it is defined: each by itself, breadth first, with nothing remembered. What [`super::Callers`] finds
//! must be the same.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::points_to::{CallEdge, InstanceId};
use crate::races::locks::guards::Guard;

use super::calls::Calls;
use super::carried::Needs;
use super::{CallPath, Callers, Goal, Kind, MAX_STATES, Step};

/// Code, and what it must have been passed.
type State = (InstanceId, Needs);
/// The states in the order in which they were found, each with the call that leads on to another.
type States = IndexMap<State, Option<(u32, usize)>, FxBuildHasher>;

/// The same as [`Callers::path`].
#[must_use]
pub fn path(
    callers: &Callers<'_>,
    kind: Kind,
    to: &Goal<'_>,
    avoided: &[InstanceId],
    unheld: &[Guard],
) -> Option<CallPath> {
    let search = |unheld| search(&callers.calls, kind, to, avoided, unheld);
    search(unheld).or_else(|| search(&[]))
}

fn search(calls: &Calls<'_>, kind: Kind, to: &Goal<'_>, avoided: &[InstanceId], unheld: &[Guard]) -> Option<CallPath> {
    let first = calls.first(kind, to);
    // Code that is led on from whatever it is passed, which no state is needed of besides.
    let mut free: FxHashSet<InstanceId> = FxHashSet::default();
    free.extend(first.iter().filter(|needs| needs.is_empty()).map(|_| to.instance));
    let mut states = States::default();
    states.extend(first.into_iter().map(|needs| ((to.instance, needs), None)));
    for at in 0..MAX_STATES {
        let (state, _) = states.get_index(at)?;
        let (instance, needs) = state.clone();
        if !avoided.contains(&instance) && calls.begins(to.by, instance, &needs) {
            let path = unwind(&states, at);
            if calls.may_run(instance, path.steps.iter().map(|step| step.caller).chain([to.instance])) {
                return Some(path);
            }
        }
        for (caller, call) in calls.callers(instance) {
            if free.contains(caller) || calls.holds(*caller, *call, unheld) {
                continue;
            }
            for needs in calls.before(kind, *caller, CallEdge { call: *call, callee: instance }, &needs) {
                if needs.is_empty() {
                    free.insert(*caller);
                }
                states.entry((*caller, needs)).or_insert(Some((*call, at)));
            }
        }
    }
    None
}

fn unwind(states: &States, mut at: usize) -> CallPath {
    let mut path = CallPath { root: InstanceId(u32::MAX), steps: Vec::new() };
    while let Some(((instance, _), next)) = states.get_index(at) {
        if path.steps.is_empty() {
            path.root = *instance;
        }
        let Some((call, to)) = *next else { break };
        path.steps.push(Step { caller: *instance, call });
        at = to;
    }
    path
}
