//! The safety check of paper 003 (section 4, definitions 6 to 8) on the summary of everything.
//!
//! Beyond the paper:
//! - Two accesses of one abstract thread that is many are two threads' and may race, as a write under a lock and a read without
//!   it do; the paper asks for different abstract threads. Nothing that the paper reports is lost by that.
//! - A write in many threads is no race if it holds one must-lock (all of them hold it then), or a lock of the very object that is
//!   accessed: two threads at the same object hold the same lock.
//! - An access that no start comes before, of a thread that is one, comes before all that these starts lead to. Its thread is one,
//!   so that there is no other run of it that has started them before.
//! - Objects that no other thread can get at do not race: they are neither in static fields nor handed to other threads, nor
//!   in what is.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use static_typer::points_to::{Global, Slot};
use static_typer::program::FieldId;

use crate::analysis::Analysis;
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, NodeId};
use crate::summary::{Event, Lock, ThreadId};

/// The kinds of warnings of the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Warning {
    /// Many threads do the same write.
    MultipleWrite,
    /// Two accesses of which one writes.
    ConflictingAccess,
}

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// A field.
    Field(FieldId),
    /// Elements of arrays.
    Elements,
    /// What containers of the JDK hold that are not thread-safe.
    Contents,
}

/// Two accesses that may race; the same one twice for [`Warning::MultipleWrite`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// What kind.
    pub warning: Warning,
    /// What is accessed.
    pub variable: Variable,
    /// The accesses; the first one writes.
    pub sides: [Event; 2],
    /// The objects that both may access.
    pub nodes: BTreeSet<NodeId>,
}

/// Every race, by variable and places; of those that are alike in these, the first.
#[must_use]
pub fn races(analysis: &Analysis<'_>) -> Vec<Race> {
    let check = Check { analysis, earlier: FxHashMap::default() };
    check.races()
}

struct Check<'a, 'p> {
    analysis: &'a Analysis<'p>,
    /// The threads that may have been started before something: by thread and what it may have started before.
    earlier: FxHashMap<(ThreadId, BTreeSet<ThreadId>), BTreeSet<ThreadId>>,
}

impl Check<'_, '_> {
    fn races(mut self) -> Vec<Race> {
        let mut groups: BTreeMap<Variable, Vec<Event>> = BTreeMap::new();
        for event in self.analysis.root.events.values() {
            groups.entry(variable(event.cell)).or_default().push(event.clone());
        }
        let mut found = BTreeMap::new();
        for (variable, events) in groups {
            for (n, first) in events.iter().enumerate() {
                for second in &events[n..] {
                    let (a, b) = if first.write { (first, second) } else { (second, first) };
                    let key = (variable, a.place, b.place, b.write);
                    if !found.contains_key(&key)
                        && let Some(race) = self.race(variable, a, b)
                    {
                        found.insert(key, race);
                    }
                }
            }
        }
        found.into_values().collect()
    }

    fn race(&mut self, variable: Variable, a: &Event, b: &Event) -> Option<Race> {
        let (s, t) = (a.thread.as_ref()?, b.thread.as_ref()?);
        if !a.write || s == t && !self.is_many(s) {
            return None;
        }
        let nodes: BTreeSet<NodeId> = a.nodes.intersection(&b.nodes).copied().collect();
        if nodes.is_empty() || self.is_guarded(a, b) || self.comes_before(a, t) || self.comes_before(b, s) {
            return None;
        }
        let warning = if a == b { Warning::MultipleWrite } else { Warning::ConflictingAccess };
        Some(Race { warning, variable, sides: [a.clone(), b.clone()], nodes })
    }

    fn multiplicity(&self, thread: &ThreadId) -> Multiplicity {
        self.analysis.root.threads.get(thread).map_or(Multiplicity::One, |data| data.multiplicity)
    }

    fn is_many(&self, thread: &ThreadId) -> bool {
        self.multiplicity(thread).is_many()
    }

    /// Whether a lock orders them.
    fn is_guarded(&self, a: &Event, b: &Event) -> bool {
        let is_same = |x: &Lock, y: &Lock| {
            x.nodes == y.nodes && x.monitor == y.monitor && !(x.shared && y.shared) && self.is_must(x)
        };
        !a.own.is_disjoint(&b.own) || a.locks.iter().any(|x| b.locks.iter().any(|y| is_same(x, y)))
    }

    /// Whether it is one object for sure.
    fn is_must(&self, lock: &Lock) -> bool {
        let one = lock.nodes.first().filter(|_| lock.nodes.len() == 1);
        one.is_some_and(|node| {
            let is_many = self.analysis.root.multiplicities.get(node).is_none_or(|multiplicity| multiplicity.is_many());
            !self.analysis.nodes.is_external(*node) && !is_many
        })
    }

    /// Whether an access comes before everything that a thread does.
    fn comes_before(&mut self, event: &Event, other: &ThreadId) -> bool {
        let Some(thread) = event.thread.clone().filter(|thread| !self.is_many(thread) && thread != other) else {
            return false;
        };
        let key = (thread, event.started.clone());
        if !self.earlier.contains_key(&key) {
            let earlier = self.started_earlier(&key.0, &key.1);
            self.earlier.insert(key.clone(), earlier);
        }
        !self.earlier[&key].contains(other)
    }

    /// The threads that may have been started before: those that it has started, what the others have started, and so on.
    fn started_earlier(&self, thread: &ThreadId, started: &BTreeSet<ThreadId>) -> BTreeSet<ThreadId> {
        let threads = &self.analysis.root.threads;
        let roots =
            self.analysis.mains.iter().map(|(id, _)| id).chain(self.analysis.initializers.iter().map(|(id, _)| id));
        let orphans = threads.iter().filter(|(_, data)| data.parents.iter().all(Option::is_none)).map(|(id, _)| id);
        let mut open: Vec<ThreadId> = roots.chain(orphans).chain(started).filter(|id| *id != thread).cloned().collect();
        let mut seen: BTreeSet<ThreadId> = open.iter().cloned().collect();
        while let Some(parent) = open.pop() {
            let parent = Some(parent);
            let children = threads.iter().filter(|(_, data)| data.parents.contains(&parent)).map(|(id, _)| id);
            for child in children.filter(|child| *child != thread) {
                if seen.insert(child.clone()) {
                    open.push(child.clone());
                }
            }
        }
        seen
    }
}

fn variable(cell: Cell) -> Variable {
    match cell {
        Cell::Slot(Slot::Field(field)) | Cell::Global(Global::Static(field)) => Variable::Field(field),
        Cell::Slot(Slot::Content) => Variable::Contents,
        _ => Variable::Elements,
    }
}
