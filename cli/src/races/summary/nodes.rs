//! Words for what a summary names: parameters, what they refer to, and what is made.

use std::collections::BTreeSet;

use facts::name::dotted;
use modular::CallGraph;
use modular::node::{Cell, Label, Labels, Node, NodeId};
use modular::regions;
use modular::summary::{Summary, ThreadId};
use static_typer::points_to::{CodeId, Global, Site, Slot};
use static_typer::program::{FieldId, MethodId, Program};

use crate::races::names::Names;
use crate::races::report::Frame;
use crate::report::words::some_of;

/// How many nodes are named.
const MAX_NAMED: usize = 3;

/// Words for the nodes of a summary.
pub struct Nodes<'a> {
    pub graph: &'a CallGraph<'a>,
    pub names: Names<'a>,
    pub summary: &'a Summary,
    /// The method whose parameters need no name.
    pub code: CodeId,
}

impl<'a> Nodes<'a> {
    fn program(&self) -> &'a Program {
        self.graph.program
    }

    /// Some nodes, of which it is one.
    pub fn any(&self, nodes: impl IntoIterator<Item = NodeId>) -> String {
        self.each(nodes, |node| self.node(node))
    }

    /// Something of each of some nodes; of many, those that say most.
    pub fn each(&self, nodes: impl IntoIterator<Item = NodeId>, name: impl Fn(NodeId) -> String) -> String {
        let mut nodes: Vec<NodeId> = nodes.into_iter().collect();
        nodes.sort_by_key(|node| (self.distance(*node), *node));
        let mut names: Vec<String> = Vec::new();
        for name in nodes.into_iter().map(name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(MAX_NAMED);
        names.truncate(MAX_NAMED);
        let more = if more == 0 { String::new() } else { format!(" or {more} more") };
        names.join(" or ") + &more
    }

    /// How far something is from what a reader of the method knows: parameters, their fields, what is made, and the rest.
    pub fn distance(&self, node: NodeId) -> u8 {
        match self.summary.nodes.get(node) {
            Node::Global | Node::Parameter(..) => 0,
            Node::Required(base, Cell::Slot(Slot::Field(_))) => self.distance(*base).max(1),
            Node::Required(_, Cell::Global(Global::Static(_))) => 1,
            Node::Object(..) => 2,
            _ => 3,
        }
    }

    /// A node.
    pub fn node(&self, node: NodeId) -> String {
        match self.summary.nodes.get(node) {
            Node::Global => "the program".to_owned(),
            Node::Parameter(code, n) => self.parameter(*code, *n),
            Node::Required(base, cell) => self.within(*base, *cell),
            Node::Beyond(cell) => format!("{} of something further away", self.part(*cell)),
            Node::Object(labels, site, ty) => self.object(labels, *site, simple(&self.names.ty(*ty))),
        }
    }

    fn object(&self, labels: &Labels, site: Site, ty: &str) -> String {
        let made = match site {
            Site::Returned(method) => format!("{ty} that {} returns", self.simple_method(method)),
            Site::Given(_) => format!("{ty} of the client"),
            site => self.names.made(site, ty),
        };
        made + &self.by_calls(labels)
    }

    /// ` in the call at Bank.java:12`, for what is not done by the method itself.
    pub fn by_calls(&self, labels: &Labels) -> String {
        let mut calls: Vec<String> = self.calls(labels).iter().map(Frame::position).collect();
        calls.dedup();
        if calls.is_empty() { String::new() } else { format!(", called at {}", calls.join(", called at ")) }
    }

    /// The same of a call that the method may make itself.
    pub fn at_calls(&self, labels: &Labels) -> String {
        self.by_calls(labels).replacen(", called at", ", at", 1)
    }

    /// What a cell of a node refers to.
    pub fn within(&self, base: NodeId, cell: Cell) -> String {
        let whole = || self.node(base);
        match cell {
            Cell::Slot(Slot::Field(field)) => self.field_of(base, field),
            Cell::Slot(Slot::Element) => format!("an element of {}", whole()),
            Cell::Slot(Slot::Captured(_)) => format!("what {} has captured", whole()),
            Cell::Slot(Slot::Content) => format!("what {} holds", whole()),
            Cell::Slot(Slot::PerThread) => format!("what {} holds for the thread", whole()),
            _ => self.part(cell),
        }
    }

    /// A field of a node: `this.next`, `next of Entry made at List.java:8`.
    pub fn field_of(&self, base: NodeId, field: FieldId) -> String {
        let name = self.field(field);
        match self.summary.nodes.get(base) {
            Node::Object(..) => format!("{name} of {}", self.node(base)),
            _ => format!("{}.{name}", self.node(base)),
        }
    }

    /// The simple name of a field.
    pub fn field(&self, field: FieldId) -> String {
        self.program().names().text(self.program().field(field).name).into_owned()
    }

    /// A cell, without what it is of.
    pub fn part(&self, cell: Cell) -> String {
        match cell {
            Cell::Slot(Slot::Field(field)) => self.field(field),
            Cell::Slot(Slot::Element) => "an element".to_owned(),
            Cell::Slot(_) => "a part".to_owned(),
            Cell::Global(Global::Static(field)) => self.names.field(field),
            Cell::Global(Global::Thrown) => "anything that is thrown".to_owned(),
            Cell::Global(Global::Threads) => "any thread that is started".to_owned(),
            Cell::Global(Global::ThreadLocals) => "any ThreadLocal".to_owned(),
            Cell::Global(Global::Pool) => "anything that clients have".to_owned(),
            Cell::Pooled(ty) => format!("any {} that clients have", self.names.ty(ty)),
            Cell::Argument(code, n) => format!("{} of any caller", self.parameter(code, n)),
            Cell::Result(code) => format!("what {} returns", self.method(code)),
        }
    }

    fn parameter(&self, code: CodeId, n: u16) -> String {
        let data = self.graph.find(code);
        let method = data.and_then(|data| data.method).filter(|_| data.is_some_and(|data| data.lambda.is_none()));
        let is_static = method.is_some_and(|method| self.program().method(method).is_static());
        let name = match n {
            0 if !is_static => "this".to_owned(),
            n => format!("argument {}", n + u16::from(is_static)),
        };
        if code == self.code { name } else { format!("{name} of {}", self.method(code)) }
    }

    /// `Comparator.comparing`.
    fn simple_method(&self, method: MethodId) -> String {
        let data = self.program().method(method);
        let class = dotted(&self.program().class_name(data.class));
        format!("{}.{}", simple(&class), self.program().names().text(data.name))
    }

    /// The method of code.
    pub fn method(&self, code: CodeId) -> String {
        let method: Option<MethodId> = self.graph.find(code).and_then(|data| data.method);
        method.map_or_else(|| "a method".to_owned(), |method| self.names.method(method))
    }

    /// Where a label's call stands.
    fn call(&self, label: &Label) -> Option<Frame> {
        let data = self.graph.find(label.code)?;
        let site = data.calls.get(label.number as usize)?;
        Some(self.names.place(data.method?, site.at))
    }

    /// The calls of a string of labels, the innermost first.
    fn calls(&self, labels: &Labels) -> Vec<Frame> {
        labels.iter().rev().filter_map(|label| self.call(label)).collect()
    }

    /// A thread, by where it is started.
    pub fn thread(&self, thread: &ThreadId) -> String {
        if let Some(code) = regions::method_of(thread) {
            return format!("whoever comes to {}", self.method(code));
        }
        let is_many = self.summary.threads.get(thread).is_some_and(|data| data.multiplicity.is_many());
        let place = self.start(thread);
        if is_many { format!("threads started at {place}") } else { format!("the thread started at {place}") }
    }

    /// Where a thread is started.
    fn start(&self, thread: &ThreadId) -> String {
        self.calls(thread).first().map_or_else(|| "a library".to_owned(), Frame::position)
    }

    /// Where some threads are started.
    pub fn all_starts<'t>(&self, threads: impl IntoIterator<Item = &'t ThreadId>) -> String {
        let name = |thread| regions::method_of(thread).map_or_else(|| self.start(thread), |code| self.method(code));
        let names: BTreeSet<String> = threads.into_iter().map(name).collect();
        some_of(&names.into_iter().collect::<Vec<_>>(), MAX_NAMED)
    }
}

/// A name without its package.
fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
