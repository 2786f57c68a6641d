//! From a solved component to its summary.

use std::collections::{BTreeMap, BTreeSet};

use static_typer::points_to::{Access, Code, CodeId, Global, Local, Site, Slot, is_unsafe_container};
use static_typer::program::{FieldId, Program};

use crate::fresh::Fresh;
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Label, Node, NodeId, is_single, limited};
use crate::sequence::Sequence;
use crate::solver::{Context, Maker, Origin, Solver, Var};
use crate::summary::{Contents, Event, EventKey, HandOver, Lock, OwnLock, Place, Summary, Thread, ThreadId};

/// How many calls and an access are told apart.
const EVENT_LABELS: usize = 2;
/// Locks that may be more objects than that are none.
const MAX_LOCK_NODES: usize = 4;
/// More hand-overs than that are told apart by the threads only, and not by locks and what was started before.
const MAX_HAND_OVERS: usize = 16;
/// Accesses are numbered after calls and copies.
const ACCESSES: u32 = 1 << 25;

/// Builds the summary.
pub struct Build<'s, 'a, 'p> {
    solver: &'s mut Solver<'a, 'p>,
    fresh: &'s mut Fresh,
    sequence: Sequence,
    summary: Summary,
    /// The threads that each call may start.
    starts: BTreeMap<(CodeId, u32), BTreeSet<ThreadId>>,
    multiplicities: BTreeMap<NodeId, Multiplicity>,
    shared: BTreeSet<NodeId>,
    is_root: bool,
}

impl<'s, 'a, 'p> Build<'s, 'a, 'p> {
    /// The summary of what was solved. Of the root nothing is left out.
    pub fn summary(solver: &'s mut Solver<'a, 'p>, fresh: &'s mut Fresh, is_root: bool) -> Summary {
        let mut build = Self {
            solver,
            fresh,
            sequence: Sequence::default(),
            summary: Summary::default(),
            starts: BTreeMap::new(),
            multiplicities: BTreeMap::new(),
            shared: BTreeSet::new(),
            is_root,
        };
        build.threads();
        build.objects();
        build.releases();
        build.calls();
        build.shared();
        build.own_events();
        build.events_of_instances();
        build.hand_overs();
        if !build.solver.own_threads.is_empty() {
            build.run_in_own_threads();
        }
        build.graph();
        build.summary.is_collapsed =
            build.solver.is_limited || build.solver.instances.iter().any(|instance| instance.summary.is_collapsed);
        build.summary
    }

    /// Threads that several things start are many.
    fn threads(&mut self) {
        let origins = self.solver.threads.clone();
        for (thread, origins) in &origins {
            let mut data = Thread::default();
            if origins.len() > 1 {
                data.multiplicity = Multiplicity::Many;
            }
            for origin in origins {
                let (multiplicity, parents) = self.started_by(origin);
                data.multiplicity = data.multiplicity.times(multiplicity);
                data.parents.extend(parents);
            }
            self.summary.threads.insert(thread.clone(), data);
        }
        for thread in self.solver.own_threads.clone() {
            let own = self.solver.own_threads.iter().cloned().map(Some);
            let data = self.summary.threads.entry(thread).or_default();
            data.multiplicity = Multiplicity::Many;
            data.parents.extend(own);
        }
        self.descend();
    }

    /// What many threads start is many.
    fn descend(&mut self) {
        loop {
            let many: BTreeSet<ThreadId> = self.many().cloned().collect();
            for data in self.summary.threads.values_mut() {
                if data.parents.iter().flatten().any(|parent| many.contains(parent)) {
                    data.multiplicity = Multiplicity::Many;
                }
            }
            if self.many().count() == many.len() {
                return;
            }
        }
    }

    fn many(&self) -> impl Iterator<Item = &ThreadId> {
        self.summary.threads.iter().filter(|(_, data)| data.multiplicity.is_many()).map(|(thread, _)| thread)
    }

    fn started_by(&mut self, origin: &Origin) -> (Multiplicity, Vec<Option<ThreadId>>) {
        match origin {
            Origin::Handed(index) => {
                let handed = &self.solver.handed[*index];
                let multiplicity = if handed.is_start { handed.context.multiplicity } else { Multiplicity::Many };
                (multiplicity, vec![handed.context.thread.clone()])
            }
            Origin::Instance(index, thread) => {
                let context = self.solver.instances[*index].context.clone();
                let data = self.solver.instances[*index].summary.threads[thread].clone();
                let parent = |solver: &mut Solver<'_, '_>, parent: Option<ThreadId>| match parent {
                    None => context.thread.clone(),
                    Some(parent) => Some(solver.thread_of(*index, &parent)),
                };
                let parents = data.parents.into_iter().map(|of| parent(self.solver, of)).collect();
                (data.multiplicity.times(context.multiplicity), parents)
            }
        }
    }

    /// How many objects each internal node is; what comes from several places is many.
    fn objects(&mut self) {
        let is_recursive = self.solver.is_recursive;
        for (node, makers) in &self.solver.makers {
            let Node::Object(_, site, _) = self.solver.nodes.get(*node) else { continue };
            let mut found = match site {
                _ if is_single(site) => Multiplicity::One,
                Site::New(..) | Site::Lambda(..) | Site::Reflected(..) | Site::Returned(_) | Site::Copy(..) => {
                    if makers.len() > 1 { Multiplicity::Many } else { Multiplicity::Unknown }
                }
                _ => Multiplicity::Many,
            };
            for maker in makers.iter().filter(|_| !is_single(site)) {
                found = found.times(match maker {
                    Maker::Here(_, _, again) if *again || is_recursive => Multiplicity::Many,
                    Maker::Here(..) => Multiplicity::Unknown,
                    Maker::Instance(index, inner) => {
                        let instance = &self.solver.instances[*index];
                        let threads = &self.summary.threads;
                        let thread = instance.context.thread.as_ref().and_then(|thread| threads.get(thread));
                        let of_thread = thread.map_or(Multiplicity::Unknown, |thread| thread.multiplicity);
                        let inner = instance.summary.multiplicities.get(inner).copied().unwrap_or(Multiplicity::Many);
                        // A thread that is many at the root is so only there.
                        inner.times(instance.context.multiplicity).times(of_thread)
                    }
                });
            }
            self.multiplicities.insert(*node, found);
        }
        self.started_objects();
    }

    /// Threads are as many as the objects that they are.
    fn started_objects(&mut self) {
        for index in 0..self.solver.handed.len() {
            let handed = &self.solver.handed[index];
            let Some(thread) = handed.runs_in.clone().filter(|_| handed.is_start) else { continue };
            let is_many =
                |node: &NodeId| self.multiplicities.get(node).is_some_and(|multiplicity| multiplicity.is_many());
            let is_many = self.solver.points(handed.receivers).iter().any(is_many);
            if is_many && let Some(data) = self.summary.threads.get_mut(&thread) {
                data.multiplicity = Multiplicity::Many;
            }
        }
        self.descend();
        // And what they make.
        let made = self.solver.makers.iter().filter(|(_, makers)| {
            makers.iter().any(|maker| match maker {
                Maker::Instance(index, _) => {
                    let thread = self.solver.instances[*index].context.thread.as_ref();
                    thread.and_then(|thread| self.summary.threads.get(thread)).is_some_and(|t| t.multiplicity.is_many())
                }
                Maker::Here(..) => false,
            })
        });
        for (node, _) in made {
            let is_one = matches!(self.solver.nodes.get(*node), Node::Object(_, site, _) if is_single(site));
            if !is_one {
                self.multiplicities.insert(*node, Multiplicity::Many);
            }
        }
    }

    /// Whether explicit locks of callers may be released.
    fn releases(&mut self) {
        let own = self.solver.component.iter().any(|code| releases(self.solver, *code));
        self.summary.releases = own || self.solver.instances.iter().any(|instance| instance.summary.releases);
    }

    /// Which threads each call may start.
    fn calls(&mut self) {
        for index in 0..self.solver.instances.len() {
            let instance = &self.solver.instances[index];
            let summary = instance.summary.clone();
            let Some(label) = instance.context.position.clone() else { continue };
            for thread in summary.threads.keys() {
                let mapped = self.solver.thread_of(index, thread);
                self.starts.entry((label.code, label.number)).or_default().insert(mapped);
            }
        }
        for handed in &self.solver.handed {
            let position = handed.context.position.as_ref();
            if let (Some(thread), Some(label)) = (&handed.runs_in, position) {
                self.starts.entry((label.code, label.number)).or_default().insert(thread.clone());
            }
        }
        let all: BTreeSet<ThreadId> = self.summary.threads.keys().cloned().collect();
        for (code, number) in &self.solver.inner_calls {
            self.starts.entry((*code, *number)).or_default().extend(all.iter().cloned());
        }
        self.starts.retain(|_, threads| !threads.is_empty());
    }

    /// The threads that may be started before an instruction of a component's code.
    fn started_before(&mut self, code: CodeId, at: static_typer::ir::Value) -> BTreeSet<ThreadId> {
        if self.solver.is_recursive {
            return self.summary.threads.keys().cloned().collect();
        }
        let data = self.solver.graph.code(code).clone();
        let program = self.solver.program();
        let mut found = BTreeSet::new();
        let from = Label { code, number: 0 };
        for ((_, number), threads) in self.starts.range((from.code, 0)..=(code, u32::MAX)) {
            let call = data.calls.get(*number as usize).map(|site| site.at);
            let precedes = call.is_none_or(|call| self.sequence.may_precede(program, (code, &data), call, at));
            if precedes {
                found.extend(threads.iter().cloned());
            }
        }
        found
    }

    /// What other threads than that of the method may get at, by what is handed to them.
    fn shared(&mut self) {
        let handed = self.solver.handed.iter().filter(|handed| handed.runs_in.is_some());
        let mut open: Vec<NodeId> = handed
            .flat_map(|handed| [handed.receivers, handed.data])
            .flat_map(|var| self.solver.points(var).iter().copied())
            .collect();
        let globals = self.solver.cells.iter().filter(|((node, _), _)| self.solver.nodes.is_external(*node));
        open.extend(globals.flat_map(|(_, (var, _))| self.solver.points(*var).iter().copied()));
        for index in 0..self.solver.instances.len() {
            for node in &self.solver.instances[index].summary.clone().shared {
                let var = self.solver.of_node(index, *node);
                open.extend(self.solver.points(var).iter().copied());
            }
        }
        self.shared = self.reachable(open);
    }

    fn reachable(&self, mut open: Vec<NodeId>) -> BTreeSet<NodeId> {
        let mut seen: BTreeSet<NodeId> = open.iter().copied().collect();
        let mut inner: BTreeMap<NodeId, Vec<Var>> = BTreeMap::new();
        for ((node, _), (var, _)) in &self.solver.cells {
            inner.entry(*node).or_default().push(self.solver.find(*var));
        }
        let mut followed = BTreeSet::new();
        while let Some(node) = open.pop() {
            for var in inner.get(&node).into_iter().flatten().filter(|var| followed.insert(**var)) {
                open.extend(self.solver.points(*var).iter().copied().filter(|node| seen.insert(*node)));
            }
        }
        seen
    }

    /// Whether another thread may get at a node, here or by what callers do.
    fn is_seen(&self, node: NodeId) -> bool {
        let is_external = self.solver.nodes.is_external(node);
        (is_external || !self.is_root && self.solver.escaping.contains(&node)) || self.shared.contains(&node)
    }

    /// Whether a node may be a container whose contents need a lock.
    fn may_be_unsafe(&self, node: NodeId) -> bool {
        match self.solver.nodes.get(node) {
            Node::Object(_, Site::New(..) | Site::Copy(..), ty) => is_unsafe_container(self.solver.program(), *ty),
            Node::Object(..) => false,
            _ => true,
        }
    }

    fn own_events(&mut self) {
        for code in self.solver.component.clone() {
            let data = self.solver.graph.code(code).clone();
            for (number, access) in data.accesses.iter().enumerate() {
                self.own_event(code, &data, number as u32, access);
            }
        }
    }

    fn own_event(&mut self, code: CodeId, data: &Code, number: u32, access: &Access) {
        let Some((cell, method)) = self.cell_of(access).zip(data.method) else { return };
        let this = data.parameters.first().copied().flatten();
        if access.base.is_some() && access.base == this && self.fresh.has(self.solver.graph, code) {
            return;
        }
        let nodes: BTreeSet<NodeId> = match access.base {
            Some(base) => self.solver.points(self.solver.local(code, base)).iter().copied().collect(),
            None => BTreeSet::from([crate::node::Nodes::GLOBAL]),
        };
        let locks = access.held.iter().map(|lock| (self.solver.local(code, lock.local), lock.monitor, lock.shared));
        let locks = self.locks(&locks.collect::<Vec<_>>());
        let base = data.parameters.iter().position(|parameter| parameter.is_some() && *parameter == access.base);
        let event = Event {
            place: Place { method, at: access.at },
            labels: [].into(),
            write: access.write,
            cell,
            array: self.sequence.array(self.solver.program(), (code, data), access.at),
            nodes,
            base: base.map(|n| (code, n as u16)),
            thread: None,
            locks,
            own: self.kept(own_locks(data, access.base, &access.held)),
            started: self.started_before(code, access.at),
        };
        let key: EventKey = ([Label { code, number: ACCESSES + number }].into(), access.write, None);
        self.add(key, event);
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

    fn locks(&self, locks: &[(Var, bool, bool)]) -> Vec<Lock> {
        let lock = |(var, monitor, shared): &(Var, bool, bool)| Lock {
            nodes: self.solver.points(*var).iter().copied().collect(),
            monitor: *monitor,
            shared: *shared,
        };
        let is_lock = |lock: &Lock| {
            let n_nodes = lock.nodes.len();
            (1..=MAX_LOCK_NODES).contains(&n_nodes) && (lock.monitor || !self.summary.releases)
        };
        let mut found: Vec<Lock> = locks.iter().map(lock).filter(is_lock).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Without explicit locks where these may be released meanwhile.
    fn kept(&self, mut own: BTreeSet<OwnLock>) -> BTreeSet<OwnLock> {
        own.retain(|lock| lock.monitor || !self.summary.releases);
        own
    }

    fn events_of_instances(&mut self) {
        for index in 0..self.solver.instances.len() {
            let summary = self.solver.instances[index].summary.clone();
            let context = self.solver.instances[index].context.clone();
            let before = self.before(&context);
            for (key, event) in &summary.events {
                self.event_of(index, &context, &before, key, event);
            }
        }
    }

    /// The threads that may have been started before a place.
    fn before(&mut self, context: &Context) -> BTreeSet<ThreadId> {
        let mut found = context.started.clone();
        if let Some(position) = context.position.clone().filter(|_| context.thread.is_none()) {
            found.extend(self.started_before(position.code, position.at));
        }
        found
    }

    fn event_of(
        &mut self,
        index: usize,
        context: &Context,
        before: &BTreeSet<ThreadId>,
        key: &EventKey,
        event: &Event,
    ) {
        let is_own = event.thread.is_none();
        let thread = match &event.thread {
            Some(thread) => Some(self.solver.thread_of(index, thread)),
            None => context.thread.clone(),
        };
        let mut nodes = BTreeSet::new();
        for node in &event.nodes {
            let var = self.solver.of_node(index, *node);
            nodes.extend(self.solver.points(var).iter().copied());
        }
        let mut locks = self.locks_of(index, &event.locks);
        let mut started: BTreeSet<ThreadId> =
            event.started.iter().map(|thread| self.solver.thread_of(index, thread)).collect();
        if is_own {
            locks.extend(self.locks(&context.locks));
            locks.sort();
            locks.dedup();
            started.extend(before.iter().cloned());
        }
        let (base, own) = self.base_of(index, context, event);
        let (labels, is_cut) = limited(context.labels.iter().chain(key.0.iter()).copied(), EVENT_LABELS);
        self.solver.is_limited |= is_cut && self.solver.limit == 1;
        let key = (labels, event.write, thread.clone());
        self.add(key, Event { nodes, base, thread, locks, own, started, ..event.clone() });
    }

    fn locks_of(&mut self, index: usize, locks: &[Lock]) -> Vec<Lock> {
        let mut found = Vec::new();
        for lock in locks {
            let mut nodes = BTreeSet::new();
            for node in &lock.nodes {
                let var = self.solver.of_node(index, *node);
                nodes.extend(self.solver.points(var).iter().copied());
            }
            if (1..=MAX_LOCK_NODES).contains(&nodes.len()) && (lock.monitor || !self.summary.releases) {
                found.push(Lock { nodes, ..lock.clone() });
            }
        }
        found
    }

    /// The parameter that is accessed, and the locks of it that are held, with those of the caller.
    fn base_of(&self, index: usize, context: &Context, event: &Event) -> (Option<(CodeId, u16)>, BTreeSet<OwnLock>) {
        let (mut base, mut own) = (None, event.own.clone());
        let instance = &self.solver.instances[index];
        let is_own = event.thread.is_none() && event.base.is_some_and(|(code, _)| code == instance.callee);
        let call = context.call.filter(|_| is_own).zip(event.base);
        if let Some(((code, number), (_, n))) = call {
            let data = self.solver.graph.code(code);
            let site = &data.calls[number as usize];
            let argument = site.arguments.get(usize::from(n)).copied().flatten();
            own.extend(own_locks(data, argument, &site.held));
            let parameter = data.parameters.iter().position(|of| of.is_some() && *of == argument);
            base = parameter.map(|n| (code, n as u16));
        }
        (base, self.kept(own))
    }

    /// Adds an event, or joins it with the one that the same calls lead to.
    fn add(&mut self, key: EventKey, mut event: Event) {
        event.nodes.retain(|node| self.is_seen(*node) && self.solver.may_have(*node, event.cell));
        if let Some(array) = event.array {
            event.nodes.retain(|node| self.solver.may_be(*node, array));
        }
        if event.cell == Cell::Slot(Slot::Content) {
            event.nodes.retain(|node| self.may_be_unsafe(*node));
        }
        if event.nodes.is_empty() {
            return;
        }
        event.labels.clone_from(&key.0);
        let Some(known) = self.summary.events.get_mut(&key) else {
            self.summary.events.insert(key, event);
            return;
        };
        known.nodes.extend(event.nodes);
        known.locks.retain(|lock| event.locks.contains(lock));
        known.own.retain(|lock| event.own.contains(lock));
        known.started.extend(event.started);
        if known.base != event.base {
            known.base = None;
        }
    }

    fn hand_overs(&mut self) {
        for index in 0..self.solver.handed.len() {
            let handed = &self.solver.handed[index];
            let receivers: BTreeSet<NodeId> = self.solver.points(handed.receivers).iter().copied().collect();
            let waits = |node: &NodeId| self.solver.nodes.is_external(*node);
            if !receivers.iter().any(waits) {
                continue;
            }
            let context = handed.context.clone();
            let data = self.solver.points(handed.data).iter().copied().collect();
            let (calls, is_start) = (handed.calls, handed.is_start);
            let (runs_in, done) = (handed.runs_in.clone(), handed.done.clone());
            let hand_over = HandOver {
                labels: context.labels.clone(),
                calls,
                receivers,
                data,
                runs_in,
                is_start,
                thread: context.thread.clone(),
                locks: self.locks(&context.locks),
                started: self.before(&context),
                multiplicity: context.multiplicity,
                done,
            };
            self.wait(hand_over);
        }
    }

    /// What waits for the same in the same way waits together.
    fn wait(&mut self, new: HandOver) {
        let is_full = self.summary.hand_overs.len() >= MAX_HAND_OVERS;
        let is_alike = |known: &&mut HandOver| {
            (known.calls, &known.runs_in, known.is_start, &known.thread)
                == (new.calls, &new.runs_in, new.is_start, &new.thread)
                && (is_full || known.locks == new.locks && known.started == new.started)
        };
        match self.summary.hand_overs.iter_mut().find(is_alike) {
            Some(known) => {
                known.receivers.extend(new.receivers);
                known.data.extend(new.data);
                // What only one of them has called, the other has not.
                known.done.retain(|node| new.done.contains(node));
                known.multiplicity = Multiplicity::Many;
                known.locks.retain(|lock| new.locks.contains(lock));
                known.started.extend(new.started);
            }
            None => self.summary.hand_overs.push(new),
        }
    }

    /// What the component hands over of itself to be run by other threads runs in these, too.
    fn run_in_own_threads(&mut self) {
        let own: Vec<(EventKey, Event)> = self
            .summary
            .events
            .iter()
            .filter(|((_, _, thread), _)| thread.is_none())
            .map(|(key, event)| (key.clone(), event.clone()))
            .collect();
        let waiting: Vec<HandOver> =
            self.summary.hand_overs.iter().filter(|waiting| waiting.thread.is_none()).cloned().collect();
        for thread in self.solver.own_threads.clone() {
            for ((labels, write, _), event) in &own {
                let event = Event { thread: Some(thread.clone()), base: None, ..event.clone() };
                self.add((labels.clone(), *write, Some(thread.clone())), event);
            }
            for waiting in &waiting {
                self.summary.hand_overs.push(HandOver { thread: Some(thread.clone()), ..waiting.clone() });
            }
        }
        let starting: BTreeSet<Option<ThreadId>> = self.solver.own_threads.iter().cloned().map(Some).collect();
        for data in self.summary.threads.values_mut().filter(|data| data.parents.contains(&None)) {
            data.parents.extend(starting.iter().cloned());
        }
        self.descend();
    }

    /// The part of the graph that callers can see, or that something named in the summary leads to.
    fn graph(&mut self) {
        let mut open: Vec<NodeId> = Vec::new();
        for code in self.solver.component.clone() {
            let result: BTreeSet<NodeId> = self.solver.result(code).iter().copied().collect();
            open.extend(result.iter().copied());
            self.summary.results.insert(code, result);
        }
        for event in self.summary.events.values() {
            open.extend(event.nodes.iter().chain(event.locks.iter().flat_map(|lock| &lock.nodes)).copied());
        }
        for waiting in &self.summary.hand_overs {
            let locks = waiting.locks.iter().flat_map(|lock| &lock.nodes);
            open.extend(waiting.receivers.iter().chain(&waiting.data).chain(&waiting.done).chain(locks).copied());
        }
        let external = self.solver.cells.keys().map(|(node, _)| *node);
        open.extend(external.filter(|node| self.solver.nodes.is_external(*node)));
        for bases in self.solver.beyond.values() {
            open.extend(bases.iter().map(|(base, _)| *base));
        }
        let named = self.reachable(open);
        let mut cells: BTreeMap<Var, BTreeSet<(NodeId, Cell)>> = BTreeMap::new();
        for ((node, cell), (var, _)) in &self.solver.cells {
            if named.contains(node) && !self.solver.points(*var).is_empty() {
                cells.entry(self.solver.find(*var)).or_default().insert((*node, *cell));
            }
        }
        for (var, cells) in cells {
            let mut nodes: BTreeSet<NodeId> = self.solver.points(var).iter().copied().collect();
            // What a node requires of itself says nothing.
            let is_own = |of: &NodeId| matches!(self.solver.nodes.get(*of), Node::Required(node, cell) if cells.len() == 1 && cells.contains(&(*node, *cell)));
            nodes.retain(|node| !is_own(node));
            if !nodes.is_empty() {
                self.summary.contents.push(Contents { cells, nodes });
            }
        }
        for node in &named {
            let multiplicity = self.multiplicities.get(node).copied().unwrap_or_default();
            self.summary.multiplicities.insert(*node, multiplicity);
        }
        let is_internal = |node: &&NodeId| !self.solver.nodes.is_external(**node);
        self.summary.shared =
            self.shared.iter().filter(is_internal).filter(|node| named.contains(node)).copied().collect();
        self.summary.beyond.clone_from(&self.solver.beyond);
    }
}

/// The locks of the accessed object that are held: its monitor, or the lock in one of its final fields.
fn own_locks(data: &Code, base: Option<Local>, held: &[static_typer::points_to::Lock]) -> BTreeSet<OwnLock> {
    let Some(base) = base else { return BTreeSet::new() };
    let (root, fields) = data.path(base);
    let own = held.iter().filter(|lock| !lock.shared).filter_map(|lock| {
        let (other, path) = data.path(lock.local);
        let rest = path.strip_prefix(&fields[..]).filter(|_| other == root)?;
        match rest {
            [] => Some(OwnLock { field: None, monitor: lock.monitor }),
            [field] => Some(OwnLock { field: Some(*field), monitor: lock.monitor }),
            _ => None,
        }
    });
    own.collect()
}

/// Whether code releases an explicit lock that it does not hold there.
fn releases(solver: &Solver<'_, '_>, code: CodeId) -> bool {
    let (program, data) = (solver.program(), solver.graph.code(code));
    data.calls.iter().any(|site| {
        let method = program.method(site.method);
        let is_release = program.class_name(method.class).starts_with("java/util/concurrent/locks/")
            && program.names().text(method.name).starts_with("unlock");
        let lock = site.arguments.first().copied().flatten();
        let name = lock.map(|lock| name(program, data, lock));
        is_release && !site.held.iter().any(|held| !held.monitor && Some(self::name(program, data, held.local)) == name)
    })
}

/// What a lock is called: the same name is the same lock.
fn name(program: &Program, data: &Code, lock: Local) -> (Result<FieldId, Local>, Vec<FieldId>) {
    // Halves of a read-write lock are got by calls.
    let half =
        data.calls.iter().find(|site| site.result == Some(lock)).filter(|site| {
            matches!(&*program.names().text(program.method(site.method).name), "readLock" | "writeLock")
        });
    let whole = half.and_then(|site| site.arguments.first().copied().flatten()).unwrap_or(lock);
    let (root, fields) = data.path(whole);
    let constant = data.global_loads.iter().find_map(|(to, global, _)| match global {
        Global::Static(field) if *to == root && program.field(*field).is_final() => Some(*field),
        _ => None,
    });
    (constant.ok_or(root), fields)
}
