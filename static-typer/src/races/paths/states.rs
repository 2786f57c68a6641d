//! States of searches, by numbers, and from which of them a call leads to each: found once for all searches.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

use crate::points_to::{CallEdge, InstanceId};

use super::Kind;
use super::calls::Calls;
use super::carried::Needs;

/// What code must have been passed, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NeedsId(u32);

impl NeedsId {
    /// Nothing.
    pub const NOTHING: Self = Self(0);
}

/// Code, and what it must have been passed.
pub type State = (InstanceId, NeedsId);

/// A state, and the call by which it leads to another.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    /// The call in its code.
    pub call: u32,
    /// The state.
    pub state: State,
    /// Whether what is passed was followed, and not any way taken.
    pub is_followed: bool,
}

/// What is known of states.
#[derive(Debug)]
pub struct States {
    needs: IndexSet<Needs, FxBuildHasher>,
    before: FxHashMap<(Kind, State), Rc<[Before]>>,
    n_before: usize,
}

impl Default for States {
    fn default() -> Self {
        let needs = std::iter::once(Needs::new()).collect();
        Self { needs, before: FxHashMap::default(), n_before: 0 }
    }
}

impl States {
    /// About how many things are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        // Needs have sets.
        8 * self.needs.len() + 4 * self.before.len() + self.n_before
    }

    /// The needs of a number.
    #[must_use]
    pub fn needs(&self, id: NeedsId) -> &Needs {
        &self.needs[id.0 as usize]
    }

    /// The number of needs.
    pub fn number(&mut self, needs: Needs) -> NeedsId {
        NeedsId(self.needs.insert_full(needs).0 as u32)
    }

    /// The states from which calls lead to a state; those by one call follow each other.
    pub fn before(&mut self, calls: &Calls<'_>, kind: Kind, state: State) -> Rc<[Before]> {
        if let Some(known) = self.before.get(&(kind, state)) {
            return Rc::clone(known);
        }
        let (callee, id) = state;
        let needs = self.needs(id).clone();
        let mut before = Vec::new();
        for (caller, call) in calls.callers(callee) {
            let ways = calls.before(kind, *caller, CallEdge { call: *call, callee }, &needs);
            let is_followed = ways.is_followed;
            for needs in ways.needs {
                before.push(Before { call: *call, state: (*caller, self.number(needs)), is_followed });
            }
        }
        self.n_before += before.len();
        let before: Rc<[Before]> = before.into();
        self.before.insert((kind, state), Rc::clone(&before));
        before
    }
}
