//! The summary of everything that the JVM begins with.

use std::collections::BTreeSet;
use std::rc::Rc;

use static_typer::points_to::{CodeId, Global};
use static_typer::program::{ClassId, MethodId};

use crate::build::Build;
use crate::check::{self, Listed};
use crate::environment::{self, Clients, nobody};
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Label};
use crate::regions::{self, Comers, ROOT};
use crate::solver::{Context, Solver};
use crate::store::Trace;
use crate::summary::{Contents, Summary, ThreadId};
use crate::work::Work;

/// The threads of `main` methods.
pub type Mains = Vec<(ThreadId, MethodId)>;

/// The threads of initializers.
pub type Initializers = Vec<(ThreadId, ClassId)>;

/// The threads that begin by themselves.
#[derive(Clone, Default, Debug)]
pub struct Begins {
    /// Those of `main` methods.
    pub mains: Mains,
    /// Those of initializers.
    pub initializers: Initializers,
    /// Those of clients, or of tests.
    pub clients: Clients,
}

impl Begins {
    /// All of them, and that which stands for nobody.
    #[must_use]
    pub fn threads(&self) -> Vec<ThreadId> {
        let mains = self.mains.iter().chain(&self.clients).map(|(id, _)| id);
        let ids = mains.chain(self.initializers.iter().map(|(id, _)| id)).cloned();
        ids.chain((!self.clients.is_empty()).then(nobody)).collect()
    }
}

/// The summary of everything that the JVM begins with.
#[derive(Default, Debug)]
pub struct Everything {
    /// The summary.
    pub root: Summary,
    /// The threads that begin by themselves.
    pub begins: Begins,
    /// Who comes to which region.
    pub comers: Comers,
    /// What was found, if nothing else is left of it.
    pub listed: Option<Listed>,
}

/// The thread of what begins by itself, by its number.
fn thread(number: usize) -> ThreadId {
    [Label { code: ROOT, number: number as u32 }].into()
}

impl Work<'_, '_> {
    /// What the JVM does: every `main` in a thread of its own, and initializers in whichever thread comes first. None if it takes too
    /// long.
    pub fn everything(&mut self) -> Option<Everything> {
        self.traced(&mut Trace::default())
    }

    /// The same, of which only what is found is left: as an earlier run found it, if that still holds.
    pub fn everything_listed(&mut self, max_listed: usize) -> Option<Everything> {
        let recall = self.recall?;
        let own = self.own_of_everything(max_listed);
        let name = recall.name_of_everything(self.graph, self.limits.root_steps == u64::MAX);
        if let Some(own) = own
            && let Some((trace, outcome)) = recall.take(name, own, &self.known)
            && let Some(found) = outcome.map(|bytes| recall.read(&bytes)).unwrap_or(Some(None))
        {
            self.assumed.extend(&trace.assumed);
            self.counts.is_all_taken = true;
            return found.map(|found| self.found(found));
        }
        let mut trace = Trace::default();
        let everything = self.traced(&mut trace).map(|everything| everything.listed(max_listed));
        let found = everything.as_ref().map(|of| (of.root.clone(), of.listed.clone(), of.comers.clone()));
        if let Some(own) = own
            && let Some(bytes) = recall.written(&found)
        {
            recall.put(name, own, &trace, Some(&bytes));
        }
        everything
    }

    /// What an earlier run found.
    fn found(&self, (root, listed, comers): (Summary, Option<Listed>, Comers)) -> Everything {
        Everything { root, begins: self.begins(), comers, listed }
    }

    /// What everything is itself; which methods regions have, the trace says.
    fn own_of_everything(&self, max_listed: usize) -> Option<u128> {
        let initializers: Vec<CodeId> = self.graph.initializers.iter().map(|(_, code)| *code).collect();
        let regions = (self.known.regions.codes().to_vec(), self.known.regions.releases);
        self.recall?.own(&(
            (self.graph.mains.clone(), initializers, self.graph.environment().map(|code| code.is_sequential)),
            regions,
            (max_listed as u64, self.limits.root_steps),
        ))
    }

    /// The threads that begin by themselves.
    fn begins(&self) -> Begins {
        let method = |(n, code): (usize, &CodeId)| Some((thread(n), self.graph.code(*code).method?));
        let mains: Vec<_> = self.graph.mains.iter().enumerate().filter_map(method).collect();
        let initializers = self.graph.initializers.iter().enumerate();
        let initializers = initializers.map(|(n, (class, _))| (thread(self.graph.mains.len() + n), *class)).collect();
        let environment = self.graph.environment().into_iter();
        let clients =
            environment.flat_map(|code| environment::threads(code)).map(|(thread, _, method)| (thread, method));
        Begins { mains, initializers, clients: clients.collect() }
    }

    fn traced(&mut self, trace: &mut Trace) -> Option<Everything> {
        let own: Vec<(CodeId, Option<Summary>)> =
            self.graph.initializers.iter().map(|(class, code)| (*code, self.initializer(*class, *code))).collect();
        let mut solver = Solver::root(self.graph, &self.known, self.limits);
        let context = |thread: ThreadId| Context {
            labels: thread.clone(),
            multiplicity: Multiplicity::One,
            thread: Some(thread),
            ..Context::default()
        };
        if self.graph.environment().is_some() {
            solver.begin_environment();
        }
        for (n, code) in self.graph.mains.iter().enumerate() {
            solver.begin(*code, context(thread(n)));
        }
        for (n, (code, summary)) in own.into_iter().enumerate() {
            let context = context(thread(self.graph.mains.len() + n));
            solver.used.callees.insert(code);
            match summary {
                Some(summary) => drop(solver.instantiate_summary(code, Rc::new(summary), context)),
                None => solver.begin(code, context),
            }
        }
        solver.run();
        let root = (solver.steps > 0).then(|| Build::summary(&mut solver, &mut self.fresh));
        if let Some(recall) = self.recall {
            recall.trace(&solver, trace);
        }
        trace.assumed.extend(&solver.assumed);
        self.assumed.extend(&trace.assumed);
        let mut root = root?;
        let comers = regions::resolve(&mut root);
        Some(Everything { root, begins: self.begins(), comers, listed: None })
    }

    /// The summary of an initializer without what others see only when it has ended: its own class's variables, and what it makes
    /// and shows to nobody else.
    fn initializer(&self, class: ClassId, code: CodeId) -> Option<Summary> {
        let summary = self.known.summary(code)?;
        let program = self.graph.program;
        let is_own = |cell: Cell| match cell {
            Cell::Global(Global::Static(field)) => program.field(field).class == class,
            _ => false,
        };
        let mut shown: Vec<_> = summary.hand_overs.iter().flat_map(|handed| &handed.receivers).copied().collect();
        let outer = |(base, cell): &(_, Cell)| summary.nodes.is_external(*base) && !is_own(*cell);
        let of_others = summary.contents.iter().filter(|contents| contents.cells.iter().any(outer));
        shown.extend(of_others.flat_map(|contents| &contents.nodes).copied());
        let mut seen: BTreeSet<_> = shown.iter().copied().collect();
        while let Some(node) = shown.pop() {
            let has = |contents: &&Contents| contents.cells.iter().any(|(base, _)| *base == node);
            let inner = summary.contents.iter().filter(has).flat_map(|contents| &contents.nodes).copied();
            shown.extend(inner.filter(|inner| seen.insert(*inner)));
        }
        let mut own = Summary::clone(&summary);
        let starts_threads = !own.threads.is_empty() || !own.entries.is_empty();
        own.events.retain(|_, event| {
            if event.thread.is_some() {
                return true;
            }
            if !starts_threads {
                event.nodes.retain(|node| seen.contains(node) || summary.nodes.is_external(*node));
            }
            !is_own(event.cell) && !event.nodes.is_empty()
        });
        Some(own)
    }
}

impl Everything {
    /// Only what is found.
    fn listed(self, max_listed: usize) -> Self {
        let listed = check::races(&self.root, &self.begins.threads(), max_listed).listed();
        Self { root: pruned(self.root, &listed), listed: Some(listed), ..self }
    }
}

/// The threads, and the events of what was found.
fn pruned(root: Summary, listed: &Listed) -> Summary {
    let Summary { mut events, threads, mut multiplicities, nodes, separations, .. } = root;
    let named: BTreeSet<_> = listed.races.iter().flat_map(|(_, _, sides)| sides).collect();
    events.retain(|key, _| named.contains(key));
    let locks = events.values().flat_map(|event| &event.locks).flat_map(|lock| &lock.nodes);
    let apart = separations.iter().flat_map(|separation| &separation.nodes).flatten();
    let named: BTreeSet<_> =
        events.values().flat_map(|event| &event.nodes).chain(locks).chain(apart).copied().collect();
    multiplicities.retain(|node, _| named.contains(node));
    // What a root does not know the number of is many.
    named.iter().for_each(|node| {
        multiplicities.entry(*node).or_insert(Multiplicity::Many);
    });
    let mut pruned = Summary { events, threads, multiplicities, separations, ..Summary::default() };
    pruned.take_nodes(&nodes);
    pruned
}
