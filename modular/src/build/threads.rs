//! Which threads there are, how many, and where each may have been started.

use std::collections::BTreeSet;

use static_typer::ir::Value;
use static_typer::points_to::CodeId;

use super::Build;
use crate::environment;
use crate::multiplicity::Multiplicity;
use crate::node::Label;
use crate::solver::{Context, Origin, Solver};
use crate::summary::{Event, EventKey, HandOver, Thread, ThreadId};

impl<'p> Build<'_, '_, 'p> {
    /// Threads that several things start are many.
    pub(super) fn threads(&mut self) {
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
        self.clients();
        self.descend();
    }

    /// Nobody starts the threads of clients.
    fn clients(&mut self) {
        let environment = self.solver.graph.environment().filter(|_| self.is_root);
        for (thread, multiplicity, _) in environment.into_iter().flat_map(|code| environment::threads(code)) {
            self.summary.threads.insert(thread, Thread { multiplicity, parents: BTreeSet::new() });
        }
    }

    /// What many threads start is many.
    pub(super) fn descend(&mut self) {
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

    /// Which threads each call may start.
    pub(super) fn calls(&mut self) {
        for index in 0..self.solver.instances.len() {
            let instance = &self.solver.instances[index];
            let summary = instance.summary.clone();
            let Some(label) = instance.context.position.clone() else { continue };
            let regions = summary.entries.iter().map(|(region, _)| region);
            for thread in summary.threads.keys().chain(regions) {
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
        for (region, _, place) in &self.solver.entered {
            if let Some(place) = place {
                self.starts.entry(*place).or_default().insert(region.clone());
            }
        }
        let all = self.all_started();
        for (code, number) in &self.solver.inner_calls {
            self.starts.entry((*code, *number)).or_default().extend(all.iter().cloned());
        }
        self.starts.retain(|_, threads| !threads.is_empty());
    }

    /// All threads that the component may start, and the regions that it may come to.
    fn all_started(&self) -> BTreeSet<ThreadId> {
        let regions = self.summary.entries.iter().map(|(region, _)| region);
        self.summary.threads.keys().chain(regions).cloned().collect()
    }

    /// The threads that may be started before an instruction of a component's code.
    pub(super) fn started_before(&mut self, code: CodeId, at: Value) -> BTreeSet<ThreadId> {
        // The threads of a region are said in the end.
        if self.is_root {
            return BTreeSet::new();
        }
        if self.solver.is_recursive {
            return self.all_started();
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

    /// The threads that may have been started before a place.
    pub(super) fn before(&mut self, context: &Context) -> BTreeSet<ThreadId> {
        let mut found = context.started.clone();
        if let Some(position) = context.position.clone().filter(|_| context.thread.is_none()) {
            found.extend(self.started_before(position.code, position.at));
            // What is called back again comes after what its first call has started.
            if context.is_callback && context.multiplicity.is_many() {
                found.extend(self.starts.get(&(position.code, position.number)).into_iter().flatten().cloned());
            }
        }
        found
    }

    /// What the component hands over of itself to be run by other threads runs in these, too.
    pub(super) fn run_in_own_threads(&mut self) {
        let events = self.summary.events.iter().filter(|((_, _, thread), _)| thread.is_none());
        let own: Vec<(EventKey, Event)> = events.map(|(key, event)| (key.clone(), event.clone())).collect();
        let waiting = self.summary.hand_overs.iter().filter(|waiting| waiting.thread.is_none());
        let waiting: Vec<HandOver> = waiting.cloned().collect();
        for thread in self.solver.own_threads.clone() {
            for ((labels, write, _), event) in &own {
                let event = Event { thread: Some(thread.clone()), base: BTreeSet::new(), ..event.clone() };
                self.add((labels.clone(), *write, Some(thread.clone())), event);
            }
            for waiting in &waiting {
                self.summary.hand_overs.push(HandOver { thread: Some(thread.clone()), ..waiting.clone() });
            }
        }
        let entries = self.summary.entries.iter().filter(|(_, thread)| thread.is_none());
        let entries: Vec<ThreadId> = entries.map(|(region, _)| region.clone()).collect();
        for region in entries {
            let own = self.solver.own_threads.iter().map(|thread| (region.clone(), Some(thread.clone())));
            self.summary.entries.extend(own);
        }
        let starting: BTreeSet<Option<ThreadId>> = self.solver.own_threads.iter().cloned().map(Some).collect();
        for data in self.summary.threads.values_mut().filter(|data| data.parents.contains(&None)) {
            data.parents.extend(starting.iter().cloned());
        }
        self.descend();
    }
}
