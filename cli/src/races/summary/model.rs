//! A summary as a document for programs: its points-to graph, and who accesses it.

use std::collections::{BTreeMap, BTreeSet};

use modular::analysis::Limits;
use modular::explain::{Explained, Explanation};
use modular::node::{Cell, Node, NodeId, Nodes as Graph};
use modular::summary::{Event, Summary, ThreadId};
use schemars::JsonSchema;
use serde::Serialize;
use static_typer::points_to::{CodeId, Global, Slot};
use static_typer::program::Type;

use super::nodes::Nodes;
use super::{collapsed, how_many, shortened};
use crate::races::names::Names;
use crate::races::report::Frame;
use crate::schema::FORMAT;

/// What is known of a method.
#[derive(Serialize, JsonSchema, Debug)]
pub struct MethodSummary {
    /// Version of this form.
    pub format: u32,
    /// The version of jrace.
    pub jrace: &'static str,
    /// The paths of the application.
    pub application: Vec<String>,
    /// What it begins with, in words.
    pub entries: String,
    /// The method.
    pub method: String,
    /// Those that have the same summary, as they call each other.
    pub together_with: Vec<String>,
    /// Why there is no summary, if there is none.
    pub collapsed: Option<String>,
    /// What limits took from it, in sentences.
    pub shortened: Vec<String>,
    /// How many entries it has.
    pub size: usize,
    /// How many it may have.
    pub limit: usize,
    /// The nodes of the graph, by their numbers.
    pub nodes: Vec<NodeView>,
    /// What is put where.
    pub contents: Vec<ContentsView>,
    /// The threads that are started, or that stand for whoever comes to collapsed methods.
    pub threads: Vec<ThreadView>,
    /// The accesses.
    pub accesses: Vec<AccessOf>,
    /// The nodes of what it returns.
    pub returns: Vec<u32>,
    /// What is handed to libraries and waits for callers, in sentences.
    pub hand_overs: Vec<String>,
    /// The collapsed methods that it comes to, in words.
    pub comes_to: Vec<String>,
    /// Whether it may release explicit locks of its callers.
    pub releases: bool,
}

/// What a node is.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// What holds the variables of the whole program.
    Program,
    /// What a parameter refers to: callers decide.
    Parameter,
    /// What callers may have put somewhere.
    Required,
    /// Such things that are not told apart any more.
    Beyond,
    /// What is made.
    Object,
}

/// A node.
#[derive(Serialize, JsonSchema, Debug)]
pub struct NodeView {
    /// What it is.
    pub kind: NodeKind,
    /// In words.
    pub text: String,
    /// The type of an object.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// How many an object is, in words.
    pub count: Option<&'static str>,
    /// Whether other threads get the object.
    pub shared: bool,
    /// Where a required node is loaded from.
    pub of: Option<PartView>,
}

/// A part of a node: a field, elements, or what a container holds.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PartView {
    /// The node.
    pub node: u32,
    /// Its part.
    pub part: String,
}

/// What lies in some parts: of several, each may have what the others have.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ContentsView {
    /// The parts.
    pub parts: Vec<PartView>,
    /// The nodes in them.
    pub nodes: Vec<u32>,
}

/// A thread.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ThreadView {
    /// In words.
    pub text: String,
    /// How many it is, in words.
    pub count: &'static str,
    /// Which threads start it, by their numbers; `null` is the one that calls the method.
    pub started_by: Vec<Option<usize>>,
}

/// An access.
#[derive(Serialize, JsonSchema, Debug)]
pub struct AccessOf {
    /// `write` or `read`.
    pub kind: &'static str,
    /// What of the nodes: a field, `elements` or `contents`.
    pub part: String,
    /// The nodes.
    pub nodes: Vec<u32>,
    /// The number of the thread; none for the one that calls the method.
    pub thread: Option<usize>,
    /// Where.
    pub place: Option<Frame>,
    /// The locks that are held, in words.
    pub locks: Vec<String>,
    /// The nodes that these locks may be, but for locks of whichever object is accessed.
    pub lock_nodes: Vec<u32>,
    /// Which threads it may come after the start of, by their numbers.
    pub after_start_of: Vec<usize>,
    /// Which threads have ended before, by their numbers.
    pub after_end_of: Vec<usize>,
}

impl MethodSummary {
    /// What is known of a method.
    pub fn of(
        explained: &Explained<'_>,
        explanation: &Explanation,
        method: String,
        (application, entries): (Vec<String>, String),
    ) -> Self {
        let names = Names::of(explained.graph.program);
        let named = |code: &CodeId| Some(names.method(explained.graph.find(*code)?.method?));
        let others = explanation.component.iter().filter(|code| **code != explanation.code);
        let empty = Summary::default();
        let summary = explanation.summary.as_deref().unwrap_or(&empty);
        let together_with = others.filter_map(named).collect();
        let nodes = Nodes { graph: &explained.graph, names, summary, code: explanation.code };
        let all: BTreeSet<&ThreadId> = nodes.all_threads().collect();
        let threads: Threads<'_> = all.into_iter().enumerate().map(|(number, thread)| (thread, number)).collect();
        let is_there = explanation.summary.is_some();
        Self {
            format: FORMAT,
            jrace: env!("CARGO_PKG_VERSION"),
            application,
            entries,
            method,
            together_with,
            collapsed: (!is_there).then(|| collapsed(&explanation.excess)),
            shortened: if is_there { shortened(summary, &explanation.excess) } else { Vec::new() },
            size: summary.size(),
            limit: Limits::default().size,
            nodes: summary.nodes.iter().map(|(id, node)| nodes.view(id, node)).collect(),
            contents: summary.contents.iter().map(|of| nodes.contents_view(&of.cells, &of.nodes)).collect(),
            threads: threads.keys().map(|thread| nodes.thread_view(thread, &threads)).collect(),
            accesses: summary.events.values().map(|event| nodes.access_view(event, &threads)).collect(),
            returns: summary.results.get(&explanation.code).map(numbers).unwrap_or_default(),
            hand_overs: nodes.each_hand_over(),
            comes_to: nodes.regions(),
            releases: summary.releases,
        }
    }
}

/// The threads by their numbers.
type Threads<'s> = BTreeMap<&'s ThreadId, usize>;

impl Nodes<'_> {
    fn all_threads(&self) -> impl Iterator<Item = &ThreadId> {
        let of_events = self.summary.events.values();
        let named = of_events.flat_map(|event| event.thread.iter().chain(&event.started).chain(&event.ended));
        self.summary.threads.keys().chain(named)
    }

    fn view(&self, id: NodeId, node: &Node) -> NodeView {
        let (kind, ty, of) = match node {
            Node::Global => (NodeKind::Program, None, None),
            Node::Parameter(..) => (NodeKind::Parameter, None, None),
            Node::Required(base, cell) => (NodeKind::Required, None, Some(self.part_view(*base, *cell))),
            Node::Beyond(_) => (NodeKind::Beyond, None, None),
            Node::Object(_, _, ty) => (NodeKind::Object, Some(*ty), None),
        };
        let is_made = kind == NodeKind::Object;
        let multiplicity = self.summary.multiplicities.get(&id).filter(|_| is_made);
        NodeView {
            kind,
            text: self.node(id),
            ty: ty.map(|ty: Type| self.names.ty(ty)),
            count: multiplicity.map(|multiplicity| how_many(*multiplicity)),
            shared: self.summary.shared.contains(&id),
            of,
        }
    }

    fn part_view(&self, base: NodeId, cell: Cell) -> PartView {
        PartView { node: base.0, part: self.label(cell) }
    }

    fn contents_view(&self, cells: &[(NodeId, Cell)], nodes: &BTreeSet<NodeId>) -> ContentsView {
        let parts = cells.iter().map(|(base, cell)| self.part_view(*base, *cell)).collect();
        ContentsView { parts, nodes: numbers(nodes) }
    }

    /// A part in a word, where its node is said.
    fn label(&self, cell: Cell) -> String {
        match cell {
            Cell::Slot(Slot::Element) => "elements".to_owned(),
            Cell::Slot(Slot::Content) => "contents".to_owned(),
            Cell::Slot(Slot::Captured(_)) => "captured".to_owned(),
            Cell::Slot(Slot::PerThread) => "contents for the thread".to_owned(),
            Cell::Global(Global::Static(field)) => self.names.field(field),
            _ => self.part(cell),
        }
    }

    fn thread_view(&self, thread: &ThreadId, threads: &Threads<'_>) -> ThreadView {
        let data = self.summary.threads.get(thread);
        let parents = data.into_iter().flat_map(|data| &data.parents);
        ThreadView {
            text: self.thread(thread),
            count: data.map_or("one for each that comes there", |data| how_many(data.multiplicity)),
            started_by: parents.map(|parent| parent.as_ref().and_then(|parent| threads.get(parent).copied())).collect(),
        }
    }

    fn access_view(&self, event: &Event, threads: &Threads<'_>) -> AccessOf {
        let by_number = |of: &BTreeSet<ThreadId>| of.iter().filter_map(|thread| threads.get(thread).copied()).collect();
        let place = self.graph.place(event.place).map(|(method, at)| self.names.place(method, at));
        let lock_nodes = event.locks.iter().flat_map(|lock| &lock.nodes).copied().collect();
        AccessOf {
            kind: if event.write { "write" } else { "read" },
            part: self.label(event.cell),
            nodes: numbers(&event.nodes),
            thread: event.thread.as_ref().and_then(|thread| threads.get(thread).copied()),
            place,
            locks: self.locks_of(event),
            lock_nodes: numbers(&lock_nodes),
            after_start_of: by_number(&event.started),
            after_end_of: by_number(&event.ended),
        }
    }
}

/// The global node of a graph.
pub const PROGRAM: u32 = Graph::GLOBAL.0;

fn numbers(nodes: &BTreeSet<NodeId>) -> Vec<u32> {
    nodes.iter().map(|node| node.0).collect()
}
