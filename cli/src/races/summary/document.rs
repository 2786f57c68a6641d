//! A summary as a page: a picture of its graph, and the same in tables.

use std::collections::BTreeMap;

use super::model::{AccessOf, ContentsView, MethodSummary, NodeKind, NodeView, PROGRAM, PartView};
use crate::document::Document;
use crate::document::graph::{Arrow, Graph, Line, Look, Node};
use crate::document::page::{List, Page};
use crate::document::table::{Column, Table};
use crate::races::report::Frame;
use crate::report::words::{count, printable};

/// So many nodes are in the picture.
const MAX_NODES: usize = 40;

/// So many names are in a cell of a table.
const MAX_NAMED: usize = 3;

/// So many lines are in a box.
const MAX_LINES: usize = 14;

/// So many arrows begin at a line.
const MAX_ARROWS: usize = 6;

/// The thread that calls the method, in words.
const CALLER: &str = "the thread that calls it";

/// The page.
pub fn of(summary: &MethodSummary) -> Document<'_> {
    let MethodSummary { method, entries, jrace, .. } = summary;
    let page = Page {
        heading: format!("Summary of {}", printable(method)),
        about: format!(
            "What jrace {jrace} keeps of the method, by itself and by what it calls; nothing was run. Callers decide what is open. \
             Entries: {entries}."
        ),
        facts: facts(summary),
        graph: summary.collapsed.is_none().then(|| Picture::of(summary).graph()),
        lists: lists(summary),
        ..Page::default()
    };
    Document {
        command: "jrace explain",
        rules: &[],
        findings: Vec::new(),
        tables: vec![accesses(summary), objects(summary), threads(summary), contents(summary)],
        times: Vec::new(),
        notes: Vec::new(),
        is_complete: true,
        page,
    }
}

fn facts(summary: &MethodSummary) -> Vec<(usize, &'static str)> {
    let is_made = |node: &&NodeView| node.kind == NodeKind::Object;
    let n_made = summary.nodes.iter().filter(is_made).count();
    vec![
        (summary.accesses.len(), "accesses"),
        (n_made, "objects that it makes"),
        (summary.threads.len(), "threads besides its own"),
        (summary.size, "entries"),
        (summary.limit, "entries at most"),
    ]
}

fn lists(summary: &MethodSummary) -> Vec<List> {
    let releases = summary
        .releases
        .then(|| "It may release explicit locks of its callers: theirs do not count around the call.".to_owned());
    let limits = summary.collapsed.iter().chain(&summary.shortened).map(|text| format!("{text}.")).chain(releases);
    let returns = summary.returns.iter().map(|node| text_of(summary, *node));
    [
        ("limits", "Limits", limits.collect::<Vec<_>>()),
        ("returns", "Returns", returns.collect()),
        ("hand-overs", "Handed to libraries", summary.hand_overs.clone()),
        ("comes-to", "Comes to collapsed methods", summary.comes_to.clone()),
        ("together", "Methods that have the same summary", summary.together_with.clone()),
    ]
    .map(|(id, title, entries)| List { id, title, entries: entries.iter().map(|entry| printable(entry)).collect() })
    .into()
}

fn text_of(summary: &MethodSummary, node: u32) -> String {
    summary.nodes.get(node as usize).map(|node| node.text.clone()).unwrap_or_default()
}

fn joined(summary: &MethodSummary, nodes: &[u32]) -> String {
    first_of(&nodes.iter().map(|node| text_of(summary, *node)).collect::<Vec<_>>())
}

/// `a or b or c or 4 more`.
fn first_of(texts: &[String]) -> String {
    let (shown, more) = texts.split_at(texts.len().min(MAX_NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" or {} more", more.len()) };
    shown.join(" or ") + &more
}

fn position(place: Option<&Frame>) -> String {
    place.map(Frame::position).unwrap_or_default()
}

fn locks(access: &AccessOf) -> String {
    if access.locks.is_empty() { "none".to_owned() } else { access.locks.join(", ") }
}

fn table(id: &'static str, title: &'static str, columns: &[&'static str], rows: Vec<Vec<String>>) -> Table {
    let shown = |row: Vec<String>| row.iter().map(|text| printable(text)).collect();
    let rows = rows.into_iter().map(shown).collect();
    Table { id, title, columns: columns.iter().map(|name| Column::words(name)).collect(), rows }
}

fn accesses(summary: &MethodSummary) -> Table {
    let row = |access: &AccessOf| {
        let thread = access.thread.map_or_else(|| CALLER.to_owned(), |thread| summary.threads[thread].text.clone());
        let of =
            if access.nodes == [PROGRAM] { String::new() } else { format!(" of {}", joined(summary, &access.nodes)) };
        let what = format!("{} {}{of}", access.kind, access.part);
        vec![thread, what, position(access.place.as_ref()), locks(access)]
    };
    let rows = summary.accesses.iter().map(row).collect();
    table("accesses", "Accesses", &["by", "what", "at", "locks held"], rows)
}

fn objects(summary: &MethodSummary) -> Table {
    let made = summary.nodes.iter().filter(|node| node.kind == NodeKind::Object);
    let row = |node: &NodeView| {
        let shared = if node.shared { "yes" } else { "" };
        vec![node.text.clone(), node.count.unwrap_or_default().to_owned(), shared.to_owned()]
    };
    table(
        "objects",
        "Objects that it makes",
        &["object", "how many", "shown to other threads"],
        made.map(row).collect(),
    )
}

fn threads(summary: &MethodSummary) -> Table {
    let name = |by: &Option<usize>| by.map_or_else(|| CALLER.to_owned(), |by| summary.threads[by].text.clone());
    let rows = summary.threads.iter().map(|thread| {
        let by = thread.started_by.iter().map(name).collect::<Vec<_>>().join(" or ");
        vec![thread.text.clone(), thread.count.to_owned(), by]
    });
    table("threads", "Threads", &["thread", "how many", "started by"], rows.collect())
}

fn contents(summary: &MethodSummary) -> Table {
    let rows = summary.contents.iter().map(|contents| {
        let part = |part: &PartView| format!("{} of {}", part.part, text_of(summary, part.node));
        vec![first_of(&contents.parts.iter().map(part).collect::<Vec<_>>()), joined(summary, &contents.nodes)]
    });
    table("contents", "What is put where", &["into", "what"], rows.collect())
}

/// The picture: threads above, and below them what callers know best.
struct Picture<'a> {
    summary: &'a MethodSummary,
    /// The boxes of nodes.
    at: BTreeMap<u32, usize>,
    /// How many boxes stand for threads.
    n_actors: usize,
    n_left_out: usize,
}

impl<'a> Picture<'a> {
    fn of(summary: &'a MethodSummary) -> Self {
        let n_actors = 1 + summary.threads.len();
        let mut shown: Vec<u32> = (0..summary.nodes.len() as u32).filter(|node| is_shown(summary, *node)).collect();
        let n_left_out = shown.len().saturating_sub(MAX_NODES);
        // What is near the method has been numbered first.
        shown.truncate(MAX_NODES);
        let at = shown.into_iter().enumerate().map(|(n, node)| (node, n_actors + n)).collect();
        Self { summary, at, n_actors, n_left_out }
    }

    fn graph(&self) -> Graph {
        let threads = (0..self.n_actors).map(|n| self.actor(n.checked_sub(1)));
        let nodes = self.at.keys().map(|node| self.node(*node));
        let mixed = self.mixed().map(|contents| self.library(contents));
        let more = (self.n_left_out > 0).then(|| format!("{} not shown", count(self.n_left_out as u64, "more node")));
        let method = &self.summary.method;
        Graph {
            label: format!("Threads, what they access, and what refers to what, in the summary of {method}"),
            nodes: threads.chain(nodes).chain(mixed).collect(),
            more,
        }
    }

    /// What libraries put into each other has a box for itself: arrows from each to each would say nothing.
    fn mixed(&self) -> impl Iterator<Item = &ContentsView> {
        self.summary.contents.iter().filter(|contents| contents.parts.len() > 1)
    }

    fn library(&self, contents: &ContentsView) -> Node {
        let text = format!("any of {}", count(contents.nodes.len() as u64, "node"));
        let line = Line { text, arrow: Arrow::Plain, to: self.to(&contents.nodes) };
        let title = "whatever a library gets of it into each other".to_owned();
        Node { look: Look::Solid, kind: "put by libraries".to_owned(), title, lines: vec![line] }
    }

    fn to(&self, nodes: &[u32]) -> Vec<usize> {
        nodes.iter().filter_map(|node| self.at.get(node).copied()).take(MAX_ARROWS).collect()
    }

    /// A thread, and below it its accesses and the threads that it starts.
    fn actor(&self, thread: Option<usize>) -> Node {
        let accesses = self.summary.accesses.iter().filter(|access| access.thread == thread);
        let started = self.summary.threads.iter().enumerate().filter(|(_, of)| of.started_by.contains(&thread));
        let starts =
            started.map(|(n, of)| Line { text: format!("starts {}", of.text), arrow: Arrow::Plain, to: vec![n + 1] });
        let (kind, title) = match thread {
            None => ("thread".to_owned(), CALLER.to_owned()),
            Some(n) => (format!("thread, {}", self.summary.threads[n].count), self.summary.threads[n].text.clone()),
        };
        Node { look: Look::Actor, kind, title, lines: few(accesses.map(|access| self.access(access)).chain(starts)) }
    }

    fn access(&self, access: &AccessOf) -> Line {
        let locks =
            if access.locks.is_empty() { "no lock".to_owned() } else { format!("lock: {}", access.locks.join(", ")) };
        let text = format!("{}s {} at {}, {locks}", access.kind, access.part, position(access.place.as_ref()));
        let arrow = if access.kind == "write" { Arrow::Strong } else { Arrow::Plain };
        Line { text, arrow, to: self.to(&access.nodes) }
    }

    fn node(&self, number: u32) -> Node {
        let node = &self.summary.nodes[number as usize];
        let shared = if node.shared { ", shown to other threads" } else { "" };
        let (look, kind) = match node.kind {
            NodeKind::Object => (Look::Solid, format!("made here, {}{shared}", node.count.unwrap_or("any number"))),
            NodeKind::Program => (Look::Solid, "static fields".to_owned()),
            NodeKind::Parameter | NodeKind::Required | NodeKind::Beyond => {
                (Look::Open, "open: callers decide".to_owned())
            }
        };
        let is_own = move |part: &&PartView| part.node == number;
        let line = |part: &PartView, to| Line { text: part.part.clone(), arrow: Arrow::Plain, to };
        let single = self.summary.contents.iter().filter(|contents| contents.parts.len() == 1);
        let held = single
            .flat_map(|contents| contents.parts.iter().filter(is_own).map(|part| line(part, self.to(&contents.nodes))));
        let first = self.n_actors + self.at.len();
        let mixed = self.mixed().enumerate().flat_map(|(n, contents)| {
            contents.parts.iter().filter(is_own).map(move |part| line(part, vec![first + n]))
        });
        let required = (0..).zip(&self.summary.nodes).filter_map(|(n, other)| {
            let part = other.of.as_ref().filter(|part| part.node == number)?;
            Some(Line { text: format!("{}, as callers left it", part.part), arrow: Arrow::Dashed, to: self.to(&[n]) })
        });
        Node { look, kind, title: node.text.clone(), lines: few(held.chain(mixed).chain(required)) }
    }
}

/// Whether anything leads to a node or from it.
fn is_shown(summary: &MethodSummary, number: u32) -> bool {
    let holds = |part: &PartView| part.node == number;
    number != PROGRAM
        || summary.accesses.iter().any(|access| access.nodes.contains(&number))
        || summary.contents.iter().any(|contents| contents.parts.iter().any(holds))
        || summary.nodes.iter().any(|node| node.of.as_ref().is_some_and(holds))
}

/// The first lines, those that say the same once, and how many more there are.
fn few(lines: impl Iterator<Item = Line>) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    for line in lines {
        match found.iter_mut().find(|known| known.text == line.text && known.arrow == line.arrow) {
            Some(known) => known.to.extend(line.to),
            None => found.push(line),
        }
    }
    found.iter_mut().for_each(|line| {
        line.to.sort_unstable();
        line.to.dedup();
        line.to.truncate(MAX_ARROWS);
    });
    let more = found.len().saturating_sub(MAX_LINES);
    found.truncate(MAX_LINES);
    if more > 0 {
        found.push(Line {
            text: format!("and {}", count(more as u64, "more line")),
            arrow: Arrow::Plain,
            to: Vec::new(),
        });
    }
    found
}
