//! An access after a join, in a summary of everything that is made by hand: what it comes after depends on how many threads there are.

use std::collections::BTreeSet;

use modular::check::races;
use modular::multiplicity::Multiplicity;
use modular::node::{Cell, Label, Node, NodeId};
use modular::summary::{Event, Place, Summary, Thread, ThreadId};
use static_typer::points_to::{CodeId, Site, Slot};
use static_typer::program::Type;

fn thread(number: u32) -> ThreadId {
    [Label { code: CodeId(7), number }].into()
}

/// An access of one object's elements.
fn access(number: u32, write: bool, by: ThreadId, of: NodeId, ended: BTreeSet<ThreadId>) -> Event {
    Event {
        place: Place { code: CodeId(1), number },
        labels: [Label { code: CodeId(1), number }].into(),
        write,
        cell: Cell::Slot(Slot::Element),
        array: None,
        nodes: BTreeSet::from([of]),
        base: BTreeSet::new(),
        thread: Some(by),
        locks: Vec::new(),
        own: BTreeSet::new(),
        started: BTreeSet::from([thread(1)]),
        ended,
    }
}

/// How many races there are if the first thread, of which there is one, writes what the second one reads, with what it has waited for.
fn n_races(multiplicity: Multiplicity, ended: BTreeSet<ThreadId>) -> usize {
    let mut root = Summary::default();
    let node = root.nodes.intern(Node::Object([].into(), Site::Merged(Type::OBJECT), Type::OBJECT));
    root.threads.insert(thread(1), Thread { multiplicity, parents: BTreeSet::from([Some(thread(0))]) });
    let events = [access(0, true, thread(0), node, ended), access(1, false, thread(1), node, BTreeSet::new())];
    for event in events {
        root.events.insert((event.labels.clone(), event.write, event.thread.clone()), event);
    }
    races(&root, &[thread(0)], 8).races.len()
}

#[test]
fn a_join_of_one_of_several_threads_orders_nothing() {
    let joined = || BTreeSet::from([thread(1)]);
    assert_eq!(n_races(Multiplicity::One, joined()), 0);
    assert_eq!(n_races(Multiplicity::Many, joined()), 1);
    assert_eq!(n_races(Multiplicity::One, BTreeSet::new()), 1);
    assert_eq!(n_races(Multiplicity::One, BTreeSet::from([thread(2)])), 1);
}
