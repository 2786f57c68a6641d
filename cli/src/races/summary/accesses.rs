//! The accesses of a summary, by the thread that makes them.

use std::collections::{BTreeMap, BTreeSet};

use modular::node::{Cell, NodeId};
use modular::summary::{Event, Lock, OwnLock, ThreadId};
use static_typer::points_to::{Global, Slot};

use super::nodes::Nodes;
use super::section;

impl Nodes<'_> {
    /// All accesses: what is accessed, and below it where and under which locks.
    pub fn accesses(&self) -> Vec<String> {
        let mut threads: BTreeMap<Option<&ThreadId>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for event in self.summary.events.values() {
            let of_thread = threads.entry(event.thread.as_ref()).or_default();
            of_thread.entry(self.what(event)).or_default().insert(format!("  {}", self.how(event)));
        }
        let lines = |of: BTreeMap<String, BTreeSet<String>>| {
            of.into_iter().flat_map(|(what, how)| std::iter::once(what).chain(how)).collect::<Vec<_>>()
        };
        let heading = |thread: Option<&ThreadId>| match thread {
            Some(thread) => format!("accesses by {}:", self.thread(thread)),
            None => "accesses by the thread that calls it:".to_owned(),
        };
        threads.into_iter().flat_map(|(thread, of)| section(&heading(thread), lines(of))).collect()
    }

    /// `reads this.count`.
    fn what(&self, event: &Event) -> String {
        let does = if event.write { "writes" } else { "reads" };
        let nodes = || self.any(event.nodes.iter().copied());
        let target = match event.cell {
            Cell::Slot(Slot::Field(field)) => self.each(event.nodes.iter().copied(), |node| self.field_of(node, field)),
            Cell::Global(Global::Static(field)) => format!("static field {}", self.names.field(field)),
            Cell::Slot(Slot::Content) => format!("the contents of {}", nodes()),
            _ => format!("elements of {}", nodes()),
        };
        format!("{does} {target}")
    }

    /// `at Counter.java:5, under the lock of this`.
    fn how(&self, event: &Event) -> String {
        let place = self.graph.place(event.place).map(|(method, at)| self.names.place(method, at).position());
        let locks = self.locks_of(event);
        let locks =
            if locks.is_empty() { "no lock".to_owned() } else { format!("the lock of {}", locks.join(" and of ")) };
        format!("at {}{}, under {locks}{}", place.unwrap_or_default(), self.by_calls(&event.labels), self.order(event))
    }

    /// The locks that are held, each once.
    pub fn locks_of(&self, event: &Event) -> Vec<String> {
        let own = event.own.iter().map(|lock| self.own(event, lock));
        let locks: BTreeSet<String> = event.locks.iter().map(|lock| self.lock(lock)).chain(own).collect();
        locks.into_iter().collect()
    }

    /// What has been started before, where something is.
    fn order(&self, event: &Event) -> String {
        match (event.started.is_empty(), self.summary.threads.is_empty() || event.thread.is_some()) {
            (_, true) => String::new(),
            (true, false) => ", before anything is started".to_owned(),
            (false, false) => format!(", perhaps after the start at {}", self.all_starts(&event.started)),
        }
    }

    fn lock(&self, lock: &Lock) -> String {
        self.kind(self.any(lock.nodes.iter().copied()), lock.monitor, lock.shared)
    }

    /// A lock of the very object that is accessed.
    fn own(&self, event: &Event, lock: &OwnLock) -> String {
        let nodes: Vec<NodeId> = event.nodes.iter().copied().collect();
        let object = match (lock.field, &nodes[..]) {
            (None, _) => self.any(nodes),
            (Some(field), [node]) => self.field_of(*node, field),
            (Some(field), _) => format!("its {}", self.field(field)),
        };
        self.kind(object, lock.monitor, false)
    }

    fn kind(&self, lock: String, is_monitor: bool, is_shared: bool) -> String {
        let kind = if is_monitor { "" } else { " (java.util.concurrent)" };
        let shared = if is_shared { " for reading" } else { "" };
        lock + kind + shared
    }
}
