//! What is kept of methods: the part of their points-to graph that callers see, and the events of their threads.
//!
//! Instead of the edges between events (paper 003, section 3.1) each access keeps the locks that are held at it on every way:
//! what NetN and NetX have in common in structured code. A loop does not lose them, as it does by counting, and an exit that only
//! an exception takes does not count twice.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use static_typer::points_to::CodeId;
use static_typer::program::{FieldId, Type};

use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Labels, NodeId, Nodes};

/// A thread: the calls that lead to where it is started, and that place.
pub type ThreadId = Labels;

/// An access in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The code.
    pub code: CodeId,
    /// The number of the access there.
    pub number: u32,
}

/// A lock that is held, by the nodes that it may be: a must-lock only if that is one object in the end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lock {
    /// What it may be.
    pub nodes: BTreeSet<NodeId>,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
}

/// A parameter of code, by its number.
pub type Parameter = (CodeId, u16);

/// A lock by the object that is accessed: it, or what one of its final fields refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OwnLock {
    /// The field.
    pub field: Option<FieldId>,
    /// Whether it is the monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
}

impl OwnLock {
    /// Whether two accesses to one object, one with each lock, are kept apart.
    #[must_use]
    pub fn excludes(self, other: Self) -> bool {
        (self.field, self.monitor) == (other.field, other.monitor) && !(self.shared && other.shared)
    }
}

/// Accesses at a place, by one abstract thread, reached by the same last calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Where.
    pub place: Place,
    /// The last calls that lead there, and the access.
    pub labels: Labels,
    /// Whether it writes.
    pub write: bool,
    /// Of what is accessed.
    pub cell: Cell,
    /// The type of the array, as the code says.
    pub array: Option<Type>,
    /// What is accessed.
    pub nodes: BTreeSet<NodeId>,
    /// The parameter that is accessed for sure, by the code that callers call: they may hold its lock.
    pub base: BTreeSet<Parameter>,
    /// Who does it; nobody but the thread that runs the method, if there is none.
    pub thread: Option<ThreadId>,
    /// The locks that are held.
    pub locks: Vec<Lock>,
    /// Which locks of the very object are held.
    pub own: BTreeSet<OwnLock>,
    /// The threads that its thread may have started before.
    pub started: BTreeSet<ThreadId>,
    /// The threads that have ended before for sure, if each is one.
    pub ended: BTreeSet<ThreadId>,
}

impl Summary {
    /// How many nodes, edges and events it has.
    #[must_use]
    pub fn size(&self) -> usize {
        let contents = self.contents.iter().map(|contents| contents.cells.len() + contents.nodes.len());
        self.multiplicities.len()
            + contents.sum::<usize>()
            + self.events.len()
            + self.hand_overs.len()
            + self.separations.len()
    }
}

impl Event {
    /// Makes it stand for another one, too, which the same calls lead to.
    pub fn join(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.locks.retain(|lock| other.locks.contains(lock));
        self.own.retain(|lock| other.own.contains(lock));
        self.started.extend(other.started);
        self.ended.retain(|thread| other.ended.contains(thread));
        self.base.retain(|parameter| other.base.contains(parameter));
    }
}

/// Cells that have the same in them: one, or those that a library fills with each other's.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contents {
    /// The cells, each once.
    pub cells: Vec<(NodeId, Cell)>,
    /// What is in each of them.
    pub nodes: BTreeSet<NodeId>,
}

/// Cells in the order in which they came: by number they would be in another order in another program.
pub type Cells = IndexSet<(NodeId, Cell), FxBuildHasher>;

/// What tells events apart: calls and instruction, whether it writes, and the thread.
pub type EventKey = (Labels, bool, Option<ThreadId>);

/// What starts threads.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Thread {
    /// How many there may be.
    pub multiplicity: Multiplicity,
    /// Who starts them; the thread that runs the method, if there is none.
    pub parents: BTreeSet<Option<ThreadId>>,
}

/// Objects that were handed to a library, which may call them back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandOver {
    /// The calls that lead there.
    pub labels: Labels,
    /// Which of their methods.
    pub calls: crate::library::Calls,
    /// The objects.
    pub receivers: BTreeSet<NodeId>,
    /// What they may be called with.
    pub data: BTreeSet<NodeId>,
    /// The thread that calls them, if that is another one.
    pub runs_in: Option<ThreadId>,
    /// Whether the multiplicity of the objects is that of the thread.
    pub is_start: bool,
    /// Who hands over.
    pub thread: Option<ThreadId>,
    /// The locks that are held.
    pub locks: Vec<Lock>,
    /// The threads that may have been started before.
    pub started: BTreeSet<ThreadId>,
    /// The multiplicity of the place.
    pub multiplicity: Multiplicity,
    /// The objects of which the calls are in the summary.
    pub done: BTreeSet<NodeId>,
}

/// Two arguments of a call that are to be different objects, by the alias sets of the method that it names (appendix A of paper 003),
/// and may be one as far as is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Separation {
    /// The last calls that lead there; in the end the call itself.
    pub labels: Labels,
    /// The arguments; of a method that is not static the first one is the object that it is called on.
    pub arguments: [u16; 2],
    /// What each of them may refer to.
    pub nodes: [BTreeSet<NodeId>; 2],
}

/// A region, and the thread that comes to it; that which runs the method, if there is none.
pub type Entry = (ThreadId, Option<ThreadId>);

/// The summary of methods that call each other, or of one.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// Its nodes.
    pub nodes: Nodes,
    /// The nodes that its edges, results and events name, with the multiplicity of internal ones.
    pub multiplicities: BTreeMap<NodeId, Multiplicity>,
    /// What was put where.
    pub contents: Vec<Contents>,
    /// Whose cells the nodes stand for that are beyond the limit.
    pub beyond: BTreeMap<NodeId, Cells>,
    /// What each method returns.
    pub results: BTreeMap<CodeId, BTreeSet<NodeId>>,
    /// The events.
    pub events: BTreeMap<EventKey, Event>,
    /// The threads.
    pub threads: BTreeMap<ThreadId, Thread>,
    /// The regions that are entered.
    pub entries: BTreeSet<Entry>,
    /// What waits for objects to be known.
    pub hand_overs: Vec<HandOver>,
    /// What callers have to keep apart.
    pub separations: BTreeSet<Separation>,
    /// Internal nodes that are handed to other threads, or that such nodes lead to.
    pub shared: BTreeSet<NodeId>,
    /// Whether it may release explicit locks of its callers.
    pub releases: bool,
    /// Whether limits made it say less than it could.
    pub is_collapsed: bool,
}
