//! The safety check of paper 003 (section 4, definitions 6 to 8) on the summary of everything.
//!
//! Beyond the paper:
//! - Two accesses of one abstract thread that is many are two threads' and may race, as a write under a lock and a read without
//!   it do; the paper asks for different abstract threads. Nothing that the paper reports is lost by that.
//! - A write in many threads is no race if it holds one must-lock (all of them hold it then), or a lock of the very object that is
//!   accessed: two threads at the same object hold the same lock.
//! - An access that no start comes before, of a thread that is one, comes before all that these starts lead to. Its thread is one,
//!   so that there is no other run of it that has started them before.
//! - An access after a `join` of a thread of which there is one comes after all that the thread did.
//! - Objects that no other thread can get at do not race: they are neither in static fields nor handed to other threads, nor
//!   in what is.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use static_typer::points_to::{Global, Slot};
use static_typer::program::{FieldId, Type};

use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Node, NodeId};
use crate::summary::{Event, EventKey, Lock, OwnLock, Place, Summary, ThreadId};

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
    /// Elements of arrays of a type.
    Elements(Type),
    /// What containers of the JDK of a type hold that are not thread-safe.
    Contents(Type),
}

/// Two accesses that may race; the same one twice for [`Warning::MultipleWrite`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race<'a> {
    /// What kind.
    pub warning: Warning,
    /// What is accessed.
    pub variable: Variable,
    /// The accesses; the first one writes.
    pub sides: [&'a Event; 2],
}

impl Race<'_> {
    /// The objects that both may access.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.sides[0].nodes.intersection(&self.sides[1].nodes).copied()
    }
}

/// What was found.
#[derive(Default, Debug)]
pub struct Found<'a> {
    /// The races, by variable and places; of those that are alike in these, the first, and of each variable so many as are to be
    /// listed.
    pub races: Vec<Race<'a>>,
    /// How many there are.
    pub counts: BTreeMap<(Variable, Warning), u64>,
}

/// What was found, without what it was found in.
#[derive(Clone, Default, Debug)]
pub struct Listed {
    /// The races that are listed, by what tells events apart.
    pub races: Vec<(Warning, Variable, [EventKey; 2])>,
    /// How many there are.
    pub counts: Vec<(Variable, Warning, u64)>,
}

impl Found<'_> {
    /// The same without the events.
    #[must_use]
    pub fn listed(&self) -> Listed {
        let key = |event: &Event| (event.labels.clone(), event.write, event.thread.clone());
        let races = self.races.iter().map(|race| (race.warning, race.variable, race.sides.map(key)));
        let counts = self.counts.iter().map(|((variable, warning), pairs)| (*variable, *warning, *pairs));
        Listed { races: races.collect(), counts: counts.collect() }
    }
}

impl Listed {
    /// What was found, with the events of a summary.
    #[must_use]
    pub fn found<'a>(&self, root: &'a Summary) -> Found<'a> {
        let race = |(warning, variable, [a, b]): &(Warning, Variable, [EventKey; 2])| {
            Some(Race { warning: *warning, variable: *variable, sides: [root.events.get(a)?, root.events.get(b)?] })
        };
        let counts = self.counts.iter().map(|(variable, warning, pairs)| ((*variable, *warning), *pairs));
        Found { races: self.races.iter().filter_map(race).collect(), counts: counts.collect() }
    }
}

/// Every race in the summary of everything, of which some threads begin by themselves; at most so many of each variable are listed.
#[must_use]
pub fn races<'a>(root: &'a Summary, begin: &'a [ThreadId], max_listed: usize) -> Found<'a> {
    let mut children: BTreeMap<&Option<ThreadId>, Vec<&ThreadId>> = BTreeMap::new();
    for (id, data) in &root.threads {
        data.parents.iter().for_each(|parent| children.entry(parent).or_default().push(id));
    }
    Check { root, begin, children, earlier: FxHashMap::default() }.races(max_listed)
}

struct Check<'a> {
    root: &'a Summary,
    begin: &'a [ThreadId],
    /// What each thread starts.
    children: BTreeMap<&'a Option<ThreadId>, Vec<&'a ThreadId>>,
    /// The threads that may have been started before something: by thread and what it may have started before.
    earlier: FxHashMap<(ThreadId, BTreeSet<ThreadId>), BTreeSet<ThreadId>>,
}

impl<'a> Check<'a> {
    fn races(mut self, max_listed: usize) -> Found<'a> {
        let mut groups: BTreeMap<Cell, Vec<&'a Event>> = BTreeMap::new();
        let mut of_clients = FxHashSet::default();
        for event in self.root.events.values() {
            if !self.is_of_client(event) || of_clients.insert(apart_from_thread(event)) {
                groups.entry(event.cell).or_default().push(event);
            }
        }
        let mut found = Found::default();
        for events in groups.into_values() {
            let mut listed: BTreeMap<Variable, BTreeMap<_, Race<'a>>> = BTreeMap::new();
            self.of_cell(&events, |race| {
                *found.counts.entry((race.variable, race.warning)).or_default() += 1;
                let known = listed.entry(race.variable).or_default();
                if known.len() < max_listed {
                    let [a, b] = race.sides;
                    known.insert((a.place, b.place, b.write), race);
                }
            });
            found.races.extend(listed.into_values().flat_map(BTreeMap::into_values));
        }
        found
    }

    /// Whether it is done by a thread that is many and begins by itself. Two such threads are in no order, nor is one with itself, and
    /// all others are in the same order with both.
    fn is_of_client(&self, event: &Event) -> bool {
        event.thread.as_ref().is_some_and(|thread| self.begin.contains(thread) && self.is_many(thread))
    }

    /// The races of a cell, each pair of places once.
    fn of_cell(&mut self, events: &[&'a Event], mut tell: impl FnMut(Race<'a>)) {
        let by_node = by_node(events);
        let mut seen = FxHashSet::default();
        for (n, first) in events.iter().copied().enumerate() {
            for second in at_same(&by_node, first, n).into_iter().map(|second| events[second]) {
                let (a, b) = if first.write { (first, second) } else { (second, first) };
                if !a.write || seen.contains(&(a.place, b.place, b.write)) {
                    continue;
                }
                if let Some(race) = self.race(a, b) {
                    seen.insert((a.place, b.place, b.write));
                    tell(race);
                }
            }
        }
    }

    fn race(&mut self, a: &'a Event, b: &'a Event) -> Option<Race<'a>> {
        let (s, t) = (a.thread.as_ref()?, b.thread.as_ref()?);
        if !a.write || s == t && !self.is_many(s) {
            return None;
        }
        let node = a.nodes.intersection(&b.nodes).next()?;
        if self.is_guarded(a, b)
            || self.comes_before(a, t)
            || self.comes_before(b, s)
            || self.comes_after(a, t)
            || self.comes_after(b, s)
        {
            return None;
        }
        let warning = if a == b { Warning::MultipleWrite } else { Warning::ConflictingAccess };
        Some(Race { warning, variable: self.variable(a.cell, *node), sides: [a, b] })
    }

    fn variable(&self, cell: Cell, node: NodeId) -> Variable {
        let ty = match self.root.nodes.get(node) {
            Node::Object(_, _, ty) => *ty,
            _ => Type::OBJECT,
        };
        match cell {
            Cell::Slot(Slot::Field(field)) | Cell::Global(Global::Static(field)) => Variable::Field(field),
            Cell::Slot(Slot::Content) => Variable::Contents(ty),
            _ => Variable::Elements(ty),
        }
    }

    fn multiplicity(&self, thread: &ThreadId) -> Multiplicity {
        self.root.threads.get(thread).map_or(Multiplicity::One, |data| data.multiplicity)
    }

    fn is_many(&self, thread: &ThreadId) -> bool {
        self.multiplicity(thread).is_many()
    }

    /// Whether a lock orders them.
    fn is_guarded(&self, a: &Event, b: &Event) -> bool {
        let is_same = |x: &Lock, y: &Lock| {
            x.nodes == y.nodes && x.monitor == y.monitor && !(x.shared && y.shared) && self.is_must(x)
        };
        let is_own = a.own.iter().any(|x| b.own.iter().any(|y| x.excludes(*y)));
        is_own || a.locks.iter().any(|x| b.locks.iter().any(|y| is_same(x, y)))
    }

    /// Whether it is one object for sure.
    fn is_must(&self, lock: &Lock) -> bool {
        let one = lock.nodes.first().filter(|_| lock.nodes.len() == 1);
        one.is_some_and(|node| {
            let is_many = self.root.multiplicities.get(node).is_none_or(|multiplicity| multiplicity.is_many());
            !self.root.nodes.is_external(*node) && !is_many
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

    /// Whether an access comes after everything that a thread does: that has ended, and there is no other such thread.
    fn comes_after(&self, event: &Event, other: &ThreadId) -> bool {
        event.ended.contains(other) && !self.is_many(other) && event.thread.as_ref() != Some(other)
    }

    /// The threads that may have been started before: those that it has started, what the others have started, and so on.
    fn started_earlier(&self, thread: &ThreadId, started: &BTreeSet<ThreadId>) -> BTreeSet<ThreadId> {
        let threads = &self.root.threads;
        let orphans = threads.iter().filter(|(_, data)| data.parents.iter().all(Option::is_none)).map(|(id, _)| id);
        // A thread that may have started itself may have started anything that it does.
        let others = self.begin.iter().chain(orphans).filter(|id| *id != thread);
        let mut open: Vec<ThreadId> = others.chain(started).cloned().collect();
        let mut seen: BTreeSet<ThreadId> = open.iter().cloned().collect();
        while let Some(parent) = open.pop() {
            let children = self.children.get(&Some(parent)).into_iter().flatten();
            for child in children.copied().filter(|child| *child != thread) {
                if seen.insert(child.clone()) {
                    open.push(child.clone());
                }
            }
        }
        seen
    }
}

/// What tells events of clients apart.
type OfClient<'a> = (Place, bool, &'a BTreeSet<NodeId>, &'a Vec<Lock>, &'a BTreeSet<OwnLock>);

fn apart_from_thread(event: &Event) -> OfClient<'_> {
    (event.place, event.write, &event.nodes, &event.locks, &event.own)
}

/// The events of each node, by their numbers.
fn by_node(events: &[&Event]) -> BTreeMap<NodeId, Vec<usize>> {
    let mut found: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for (n, event) in events.iter().enumerate() {
        event.nodes.iter().for_each(|node| found.entry(*node).or_default().push(n));
    }
    found
}

/// The events, from a number on, that may be at the same object as one is.
fn at_same(by_node: &BTreeMap<NodeId, Vec<usize>>, event: &Event, from: usize) -> BTreeSet<usize> {
    let of_nodes = event.nodes.iter().filter_map(|node| by_node.get(node));
    of_nodes.flat_map(|events| &events[events.partition_point(|n| *n < from)..]).copied().collect()
}
