//! A search backwards, breadth first, that goes on where it has stopped when it is asked for another path to the same goal.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::points_to::InstanceId;
use crate::races::initialization::definite::Beginning;
use crate::races::locks::guards::Guard;

use super::calls::Calls;
use super::states::{NeedsId, State, States};
use super::{CallPath, Found, Kind, Step};

/// What a search depends on, besides where paths are not to begin.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// Which paths are looked for.
    pub kind: Kind,
    /// What the goal begins with.
    pub by: Beginning,
    /// Its code.
    pub instance: InstanceId,
    /// What that must have been passed: one of these.
    pub first: Vec<NeedsId>,
    /// Locks that no call on a path holds.
    pub unheld: Vec<Guard>,
}

/// How a state leads on.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// By this call.
    call: u32,
    /// To the state of this number.
    to: u32,
    /// Whether the object was followed from there.
    is_followed: bool,
}

/// A search.
#[derive(Debug)]
pub struct Exploration {
    start: Start,
    /// The states in the order in which they were found, each with how it leads on to another.
    states: IndexMap<State, Option<Link>, FxBuildHasher>,
    /// Code that is led on from whatever it is passed, which no state is needed of besides.
    free: FxHashSet<InstanceId>,
    /// The states that a path may begin with.
    begins: Vec<usize>,
    /// How many states it is known of whether one may begin with them.
    n_seen: usize,
    /// How many states were looked at from which calls lead to them.
    n_left: usize,
    /// Whether a lock kept it from a call.
    is_kept: bool,
}

impl Exploration {
    /// A search that has not begun.
    #[must_use]
    pub fn new(start: Start) -> Self {
        let to = start.instance;
        let free = start.first.iter().filter(|needs| **needs == NeedsId::NOTHING).map(|_| to).collect();
        let states = start.first.iter().map(|needs| ((to, *needs), None)).collect();
        Self { start, states, free, begins: Vec::new(), n_seen: 0, n_left: 0, is_kept: false }
    }

    /// How many states were found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// A shortest path that begins with none of `avoided`, if so many states lead to one.
    pub fn path(&mut self, calls: &Calls<'_>, states: &mut States, avoided: &[InstanceId], max_states: usize) -> Found {
        let known = self.begins.iter().find_map(|at| self.path_from(calls, *at, avoided));
        let path = known.or_else(|| self.go_on(calls, states, avoided, max_states));
        let is_none = path.is_none();
        Found { is_cut: is_none && self.n_left < self.states.len(), is_kept: is_none && self.is_kept, path }
    }

    fn go_on(
        &mut self,
        calls: &Calls<'_>,
        states: &mut States,
        avoided: &[InstanceId],
        max_states: usize,
    ) -> Option<CallPath> {
        while self.n_left < max_states {
            let at = self.n_left;
            let ((instance, needs), _) = self.states.get_index(at)?;
            let (instance, needs) = (*instance, *needs);
            if self.n_seen == at {
                self.n_seen += 1;
                if calls.begins(self.start.by, instance, states.needs(needs)) {
                    self.begins.push(at);
                    let path = self.path_from(calls, at, avoided);
                    if path.is_some() {
                        return path;
                    }
                }
            }
            self.leave(calls, states, (instance, needs));
        }
        None
    }

    /// Finds the states from which calls lead to the next one.
    fn leave(&mut self, calls: &Calls<'_>, states: &mut States, state: State) {
        let before = states.before(calls, self.start.kind, state);
        for by_call in before.chunk_by(|a, b| (a.call, a.state.0) == (b.call, b.state.0)) {
            let (caller, call) = (by_call[0].state.0, by_call[0].call);
            if self.free.contains(&caller) {
                continue;
            }
            if calls.holds(caller, call, &self.start.unheld) {
                self.is_kept = true;
                continue;
            }
            for before in by_call {
                if before.state.1 == NeedsId::NOTHING {
                    self.free.insert(caller);
                }
                let link = Link { call, to: self.n_left as u32, is_followed: before.is_followed };
                self.states.entry(before.state).or_insert(Some(link));
            }
        }
        self.n_left += 1;
    }

    fn path_from(&self, calls: &Calls<'_>, at: usize, avoided: &[InstanceId]) -> Option<CallPath> {
        let ((root, _), _) = self.states.get_index(at)?;
        if avoided.contains(root) {
            return None;
        }
        let (steps, is_followed) = self.steps(at);
        let path = CallPath { root: *root, steps, is_followed };
        let run = path.steps.iter().map(|step| step.caller).chain([self.start.instance]);
        calls.may_run(*root, run).then_some(path)
    }

    /// The calls from a state to the goal, and whether the object was followed along them.
    fn steps(&self, mut at: usize) -> (Vec<Step>, bool) {
        let (mut steps, mut is_followed) = (Vec::new(), true);
        while let Some(((caller, _), Some(link))) = self.states.get_index(at) {
            steps.push(Step { caller: *caller, call: link.call });
            is_followed &= link.is_followed;
            at = link.to as usize;
        }
        (steps, is_followed)
    }
}
