//! The accesses of a component and of what it calls.

use std::collections::BTreeSet;

use static_typer::ir::Value;
use static_typer::points_to::{Access, Code, CodeId, Global, Local, Site, Slot, is_unsafe_container};

use static_typer::program::Name;

use super::Build;
use super::locks::own_locks;
use crate::node::{Cell, Label, Node, NodeId, Nodes, limited};
use crate::solver::Context;
use crate::summary::{Event, EventKey, OwnLock, Parameter, Place, ThreadId};

/// How many calls and an access are told apart.
pub(super) const EVENT_LABELS: usize = 2;

/// Accesses are numbered after calls and copies.
const ACCESSES: u32 = 1 << 25;

impl<'p> Build<'_, '_, 'p> {
    /// Whether a node may be a container whose contents need a lock where an access calls it.
    fn may_be_unsafe(&self, node: NodeId, place: Place) -> bool {
        match self.solver.nodes.get(node) {
            Node::Object(_, Site::New(..) | Site::Copy(..) | Site::Merged(_), ty) => {
                let code = self.solver.graph.code(place.code);
                let call = code.accesses.get(place.number as usize).and_then(|access| code.call_on(access));
                is_unsafe_container(self.solver.program(), *ty, call)
            }
            Node::Object(..) => false,
            _ => true,
        }
    }

    pub(super) fn own_events(&mut self) {
        for code in self.solver.component.clone() {
            let data = self.solver.graph.code(code).clone();
            for (number, access) in data.accesses.iter().enumerate() {
                self.own_event(code, &data, number as u32, access);
            }
        }
    }

    fn own_event(&mut self, code: CodeId, data: &Code, number: u32, access: &Access) {
        let Some(cell) = self.cell_of(access).filter(|_| data.method.is_some()) else { return };
        if self.is_initializing(data, cell) {
            return;
        }
        let this = data.parameters.first().copied().flatten();
        if access.base.is_some() && access.base == this && self.is_fresh(code, data, access.at) {
            return;
        }
        let thread = self.solver.region_of(code);
        let locks = access.held.iter().map(|lock| (self.solver.local(code, lock.local), lock.monitor, lock.shared));
        let locks = self.locks(&locks.collect::<Vec<_>>());
        let event = Event {
            place: Place { code, number },
            labels: [].into(),
            write: access.write,
            cell,
            array: access.array,
            nodes: self.accessed(code, access, cell),
            base: self.parameters(code, access.base),
            thread: thread.clone(),
            locks,
            own: self.kept(own_locks(data, access.base, &access.held)),
            started: self.started_before(code, access.at),
            ended: self.ended_before(code, access.at),
        };
        let key: EventKey = ([Label { code, number: ACCESSES + number }].into(), access.write, thread);
        self.add(key, event);
    }

    /// Whether an initializer accesses a variable of its own class: others wait until it has ended (JVMS 5.5).
    fn is_initializing(&self, data: &Code, cell: Cell) -> bool {
        let program = self.solver.program();
        let (Some(method), Cell::Global(Global::Static(field))) = (data.method, cell) else { return false };
        let initializer = program.method(method);
        data.lambda.is_none() && initializer.name == Name::CLINIT && program.field(field).class == initializer.class
    }

    /// Whether nobody else has the object of a constructor yet where it comes to an instruction. Of regions, which are kept without the
    /// order of their instructions, only those constructors count that never show it.
    fn is_fresh(&mut self, code: CodeId, data: &Code, at: Value) -> bool {
        let Some(calls) = self.fresh.showing(self.solver.graph, code) else { return false };
        let program = self.solver.program();
        let mut shown = calls.iter().map(|call| data.calls[*call as usize].at);
        calls.is_empty()
            || !self.is_root && shown.all(|shown| !self.sequence.may_precede(program, (code, data), shown, at))
    }

    /// The nodes whose cell is accessed.
    fn accessed(&self, code: CodeId, access: &Access, cell: Cell) -> BTreeSet<NodeId> {
        match access.base {
            Some(base) => {
                let nodes = self.solver.points(self.solver.local(code, base)).iter().copied();
                nodes.filter(|node| self.solver.may_have(*node, cell)).collect()
            }
            None => BTreeSet::from([Nodes::GLOBAL]),
        }
    }

    /// What an access is of; none if it cannot race.
    fn cell_of(&self, access: &Access) -> Option<Cell> {
        let program = self.solver.program();
        match access.slot {
            Slot::Field(field) if program.field(field).is_volatile() || program.field(field).is_final() => None,
            Slot::Field(field) if program.field(field).is_static() => Some(Cell::Global(Global::Static(field))),
            Slot::Field(_) | Slot::Element | Slot::Content => Some(Cell::Slot(access.slot)),
            _ => None,
        }
    }

    pub(super) fn events_of_instances(&mut self) {
        for index in 0..self.solver.instances.len() {
            let summary = self.solver.instances[index].summary.clone();
            let context = self.solver.instances[index].context.clone();
            let before = self.before(&context);
            for (key, event) in &summary.events {
                self.event_of(index, &context, &before, key, event);
            }
        }
    }

    fn event_of(
        &mut self,
        index: usize,
        context: &Context,
        before: &BTreeSet<ThreadId>,
        key: &EventKey,
        event: &Event,
    ) {
        let thread = match &event.thread {
            Some(thread) => Some(self.solver.thread_of(index, thread)),
            None => context.thread.clone(),
        };
        let nodes = self.nodes_of(index, &event.nodes);
        let mut locks = self.locks_of(index, &event.locks);
        let mut started: BTreeSet<ThreadId> =
            event.started.iter().map(|thread| self.solver.thread_of(index, thread)).collect();
        let mut ended: BTreeSet<ThreadId> =
            event.ended.iter().map(|thread| self.solver.thread_of(index, thread)).collect();
        if let Some(position) = context.position.as_ref().filter(|_| event.thread.is_none() && context.thread.is_none())
        {
            ended.extend(self.ended_before(position.code, position.at));
        }
        if event.thread.is_none() {
            locks.extend(self.locks(&context.locks));
            locks.sort();
            locks.dedup();
            started.extend(before.iter().cloned());
        }
        let (base, own) = self.base_of(index, context, event);
        let (labels, is_cut) = limited(context.labels.iter().chain(key.0.iter()).copied(), EVENT_LABELS);
        self.solver.is_limited |= is_cut && self.solver.limit == 1;
        let key = (labels, event.write, thread.clone());
        self.add(key, Event { nodes, base, thread, locks, own, started, ended, ..event.clone() });
    }

    /// The parameters that are accessed, and the locks of them that are held, with those of the caller.
    fn base_of(&self, index: usize, context: &Context, event: &Event) -> (BTreeSet<Parameter>, BTreeSet<OwnLock>) {
        let (mut base, mut own) = (BTreeSet::new(), event.own.clone());
        let callee = self.solver.instances[index].callee;
        let passed = event.base.iter().find(|(code, _)| *code == callee && event.thread.is_none());
        if let Some(((code, number), (_, n))) = context.call.zip(passed) {
            let data = self.solver.graph.code(code);
            let site = &data.calls[number as usize];
            let argument = site.arguments.get(usize::from(*n)).copied().flatten();
            own.extend(own_locks(data, argument, &site.held_within(self.solver.program())));
            base = self.parameters(code, argument);
        }
        (base, self.kept(own))
    }

    /// The parameters that a local is for sure, by the code of the component that callers call: there the parameters of other code
    /// are nothing. It is none if what calls itself may pass another object on, of which callers do not hold the lock.
    fn parameters(&self, code: CodeId, local: Option<Local>) -> BTreeSet<Parameter> {
        let Some(local) = local else { return BTreeSet::new() };
        let mut found = BTreeSet::new();
        for node in self.solver.points(self.solver.local(code, local)).iter() {
            let Node::Parameter(code, n) = self.solver.nodes.get(*node) else { return BTreeSet::new() };
            found.insert((*code, *n));
        }
        let is_one = |(code, _): &Parameter| found.range((*code, 0)..=(*code, u16::MAX)).count() == 1;
        found.iter().copied().filter(is_one).collect()
    }

    /// Adds an event, or joins it with the one that the same calls lead to.
    pub(super) fn add(&mut self, key: EventKey, mut event: Event) {
        self.restrict(&mut event);
        if event.nodes.is_empty() {
            return;
        }
        event.labels.clone_from(&key.0);
        match self.summary.events.get_mut(&key) {
            Some(known) => known.join(event),
            None => drop(self.summary.events.insert(key, event)),
        }
    }

    /// Only nodes that other threads see and that may have the cell.
    fn restrict(&self, event: &mut Event) {
        event.nodes.retain(|node| self.is_seen(*node) && self.solver.may_have(*node, event.cell));
        if let Some(array) = event.array {
            event.nodes.retain(|node| self.solver.may_be(*node, array));
        }
        if event.cell == Cell::Slot(Slot::Content) {
            let place = event.place;
            event.nodes.retain(|node| self.may_be_unsafe(*node, place));
        }
    }
}
