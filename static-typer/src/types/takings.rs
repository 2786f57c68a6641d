//! Locks that methods take for their callers: what is held on every way to a return that was not held before.

use rustc_hash::FxHashMap;

use crate::ir::{Body, Value};
use crate::program::MethodId;

use super::calls::CallGraph;
use super::common::common;
use super::final_expressions::Paths;
use super::locks::Mode;
use super::path::{Half, Path};

/// A lock that is held.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hold {
    /// The lock, or a half of a read-write lock.
    pub path: Path,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// How what is called `path` is taken.
    pub mode: Mode,
}

/// What a method takes for its callers, in terms of its parameters; no monitors, which are given back where they are taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Taking {
    /// Whatever it returns; sorted.
    pub always: Vec<Hold>,
    /// When it returns true; sorted.
    pub if_true: Vec<Hold>,
}

impl Taking {
    /// Whether it takes nothing.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.always.is_empty() && self.if_true.is_empty()
    }

    /// What is taken besides when it returns true.
    pub fn only_if_true(&self) -> impl Iterator<Item = &Hold> {
        let mut always = self.always.iter().peekable();
        self.if_true.iter().filter(move |hold| {
            while always.next_if(|other| other < hold).is_some() {}
            always.next_if(|other| other == hold).is_none()
        })
    }

    /// What is taken whichever of two methods runs.
    fn common(&self, other: &Self) -> Self {
        Self { always: common(&self.always, &other.always), if_true: common(&self.if_true, &other.if_true) }
    }

    /// The same as a caller writes it.
    fn in_caller(&self, paths: &Paths, arguments: &[Value]) -> Self {
        let renamed = |holds: &[Hold]| {
            let mut holds: Vec<Hold> = holds.iter().filter_map(|hold| hold.in_caller(paths, arguments)).collect();
            holds.sort_unstable();
            holds
        };
        Self { always: renamed(&self.always), if_true: renamed(&self.if_true) }
    }
}

impl Hold {
    /// The lock, or the read-write lock that it is a half of.
    #[must_use]
    pub fn whole(&self) -> Path {
        Path { half: Half::Whole, ..self.path.clone() }
    }

    /// Whether readers hold it together, for all that is known; `if_unknown` where only objects tell.
    #[must_use]
    pub const fn is_shared(&self, if_unknown: bool) -> bool {
        match (self.path.half, self.mode) {
            (Half::Read, _) | (_, Mode::Shared) => true,
            (Half::Write, _) | (_, Mode::Exclusive | Mode::Once) => false,
            (Half::Whole, Mode::Unknown) => if_unknown,
        }
    }

    fn in_caller(&self, paths: &Paths, arguments: &[Value]) -> Option<Self> {
        Some(Self { path: paths.lock_in_caller(&self.path, arguments)?, ..self.clone() })
    }
}

/// What every method takes; those that take nothing are not in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Takings(FxHashMap<MethodId, Taking>);

impl FromIterator<(MethodId, Taking)> for Takings {
    fn from_iter<T: IntoIterator<Item = (MethodId, Taking)>>(takings: T) -> Self {
        Self(takings.into_iter().filter(|(_, taking)| !taking.is_nothing()).collect())
    }
}

impl Takings {
    /// Whether a call may run what takes something.
    #[must_use]
    pub fn may_take(&self, calls: &CallGraph, body: &Body, call: Value) -> bool {
        calls.targets(body.method, call).methods.iter().any(|target| self.0.contains_key(target))
    }

    /// What a call takes, in the caller's terms: nothing unless all that it may run does.
    #[must_use]
    pub fn of_call(&self, calls: &CallGraph, paths: &Paths, body: &Body, call: Value, arguments: &[Value]) -> Taking {
        let targets = calls.targets(body.method, call);
        if targets.library || !self.may_take(calls, body, call) {
            return Taking::default();
        }
        let of = |target| self.0.get(target).map(|taking| taking.in_caller(paths, arguments)).unwrap_or_default();
        targets.methods.iter().map(of).reduce(|a, b| a.common(&b)).unwrap_or_default()
    }
}
