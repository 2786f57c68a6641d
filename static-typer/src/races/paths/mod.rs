//! Call paths: how a thread gets from where it begins to an access of an object.
//!
//! A path is one that can happen as far as the points-to result can tell: each call may pass on what gets the code after it to
//! the object, and may be made on what the method is called on. That is followed backwards from the access ([`carried`]).
//! `naive` follows it forwards, object by object, and must find paths of the same length; `plain` is the same search with nothing
//! remembered, and must find the same paths.

pub mod naive;
pub mod plain;

mod calls;
mod carried;
mod exploration;
mod origins;
mod states;

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::points_to::{InstanceId, Local, ObjectSet, PointsTo};
use crate::races::initialization::definite::Beginning;
use crate::races::locks::guards::Guard;
use crate::races::search::Races;

use calls::Calls;
use exploration::{Exploration, Start};
use states::States;

/// How far searches go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// More states than that are not looked at for a path.
    pub states: usize,
    /// More ways than that by which a call may pass the object on are taken for any way.
    pub ways: usize,
    /// More than about so many things are not remembered of searches; what they find does not depend on it.
    pub known: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { states: 1 << 14, ways: 32, known: 1 << 22 }
    }
}

/// A call on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who calls.
    pub caller: InstanceId,
    /// The call in its code.
    pub call: u32,
}

/// A shortest path: where the thread begins, and every call from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallPath {
    /// The code that the thread begins with.
    pub root: InstanceId,
    /// The calls.
    pub steps: Vec<Step>,
    /// Whether the object was followed along all of it. Where calls may pass it on in too many ways, any is taken to do.
    pub is_followed: bool,
}

/// What a search has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The path, if it was found.
    pub path: Option<CallPath>,
    /// Whether the search ended at its bound: there may be a path.
    pub is_cut: bool,
    /// Whether none was found and locks kept it from calls, so that a search for paths that hold them may find more.
    pub is_kept: bool,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// The code.
    pub instance: InstanceId,
    /// What it begins with.
    pub by: Beginning,
    /// The variable that is to refer to one of some objects there; none for a static field.
    pub object: Option<(Local, &'a ObjectSet)>,
}

/// Which paths are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Those that can happen.
    Possible,
    /// Whatever calls lead there.
    Any,
}

/// Finds paths. Searches to one goal go on with each other, and share what leads to a state.
#[derive(Debug)]
pub struct Callers<'a> {
    calls: Calls<'a>,
    known: RefCell<Known>,
    bounds: Bounds,
}

/// What earlier searches have found.
#[derive(Default, Debug)]
struct Known {
    states: States,
    explorations: FxHashMap<Start, Exploration>,
    n_explored: usize,
}

impl<'a> Callers<'a> {
    /// Turns the calls around.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, races: &'a Races, bounds: Bounds) -> Self {
        Self { calls: Calls::of(points_to, races, bounds.ways), known: RefCell::default(), bounds }
    }

    /// The shortest path to a goal from where a thread begins, none of `avoided`, or a class initializer. No call on it holds one
    /// of the locks in `unheld`.
    #[must_use]
    pub fn path(&self, kind: Kind, to: &Goal<'_>, avoided: &[InstanceId], unheld: &[Guard]) -> Found {
        let mut known = self.known.borrow_mut();
        known.forget(self.bounds.known);
        let known = &mut *known;
        let first = self.calls.first(kind, to).into_iter().map(|needs| known.states.number(needs)).collect();
        let start = Start { kind, by: to.by, instance: to.instance, first, unheld: unheld.to_vec() };
        let exploration = known.explorations.entry(start.clone()).or_insert_with(|| Exploration::new(start));
        let before = exploration.len();
        let found = exploration.path(&self.calls, &mut known.states, avoided, self.bounds.states);
        known.n_explored += exploration.len() - before;
        found
    }

    /// The locks that are held at calls of a path.
    #[must_use]
    pub fn held(&self, path: &CallPath) -> Vec<Guard> {
        path.steps.iter().flat_map(|step| self.calls.held(step.caller, step.call)).collect()
    }

    /// Where threads begin that may come to an instance.
    #[must_use]
    pub fn roots_of(&self, to: InstanceId) -> Vec<InstanceId> {
        self.calls.roots_of(to)
    }
}

impl Known {
    /// Forgets what would be too much. Without the states nothing is known of the searches.
    fn forget(&mut self, max_known: usize) {
        if self.states.len() > max_known {
            *self = Self::default();
        } else if self.n_explored > max_known / 4 {
            self.explorations.clear();
            self.n_explored = 0;
        }
    }
}
