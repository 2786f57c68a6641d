//! From the bottom of the call graph to its roots.

use std::collections::BTreeSet;
use std::rc::Rc;

use static_typer::points_to::{CodeId, Global, Resolution};
use static_typer::program::{ClassId, MethodId};

use crate::build::{Build, releases_more};
use crate::call_graph::CallGraph;
use crate::fresh::Fresh;
pub use crate::limits::Limits;
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Label, Nodes};
use crate::regions::{self, Comers};
use crate::solver::{Context, Known, Solver};
use crate::summary::{Contents, Summary, ThreadId};

/// How much there was to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Methods and lambdas that are reached.
    pub methods: usize,
    /// Components of methods that call each other.
    pub components: usize,
    /// The methods of the largest one.
    pub largest: usize,
    /// Methods of whose summaries a limit took something.
    pub limited: usize,
    /// Methods that have no summary of their own.
    pub collapsed: usize,
    /// The most summaries that were kept at once.
    pub kept: usize,
}

/// What is known of a program in the end.
#[derive(Debug)]
pub struct Analysis<'p> {
    /// The summary of everything that the JVM begins with.
    pub root: Summary,
    /// The nodes of it.
    pub nodes: Nodes,
    /// The threads that nobody starts: of `main` methods.
    pub mains: Vec<(ThreadId, MethodId)>,
    /// The classes whose initializers run in threads of their own, as they may run in any.
    pub initializers: Vec<(ThreadId, ClassId)>,
    /// The threads that come to regions, by the thread that stands for them.
    pub comers: Comers,
    /// What calls run.
    pub graph: CallGraph<'p>,
    /// Methods of libraries whose effect is assumed.
    pub assumed: BTreeSet<MethodId>,
    /// What there was to do.
    pub counts: Counts,
}

/// Labels of the roots have no code.
const ROOT: CodeId = CodeId(u32::MAX);

impl<'p> Analysis<'p> {
    /// Analyses a program that begins with some `main` methods.
    #[must_use]
    pub fn of(resolution: &Resolution<'p>, mains: &[MethodId], limits: Limits) -> Self {
        let graph = CallGraph::of(resolution, mains);
        let mut work = Work::new(&graph, limits);
        work.bottom_up();
        let mut everything = work.everything();
        if everything.is_none() {
            work.collapse();
            work.limits.root_steps = u64::MAX;
            everything = work.everything();
        }
        let Everything { mut root, mains, initializers } = everything.unwrap_or_default();
        let comers = regions::resolve(&mut root);
        let Work { nodes, assumed, counts, .. } = work;
        Self { root, nodes, mains, initializers, comers, graph, assumed, counts }
    }
}

/// The summary of everything that the JVM begins with.
#[derive(Default)]
struct Everything {
    root: Summary,
    mains: Vec<(ThreadId, MethodId)>,
    initializers: Vec<(ThreadId, ClassId)>,
}

struct Work<'a, 'p> {
    graph: &'a CallGraph<'p>,
    limits: Limits,
    nodes: Nodes,
    fresh: Fresh,
    known: Known,
    assumed: BTreeSet<MethodId>,
    counts: Counts,
}

impl<'a, 'p> Work<'a, 'p> {
    fn new(graph: &'a CallGraph<'p>, limits: Limits) -> Self {
        let mut known = Known::default();
        known.regions.releases = graph.reached().any(|code| releases_more(graph, code));
        Self {
            graph,
            limits,
            nodes: Nodes::new(),
            fresh: Fresh::default(),
            known,
            assumed: BTreeSet::new(),
            counts: Counts { methods: graph.reached().count(), ..Counts::default() },
        }
    }

    fn bottom_up(&mut self) {
        for (component, is_recursive) in self.graph.components() {
            self.counts.components += 1;
            self.counts.largest = self.counts.largest.max(component.len());
            // Nobody but the root reads what begins, and that once.
            let is_main = component.iter().any(|code| self.graph.mains.contains(code));
            let max_size = if is_main { usize::MAX } else { self.limits.size };
            let summary = [self.limits.labels, 1].into_iter().find_map(|labels| {
                self.summary(&component, is_recursive, labels).filter(|summary| summary.size() <= max_size)
            });
            match summary {
                Some(summary) => self.keep(component, summary),
                None => {
                    self.counts.collapsed += component.len();
                    self.known.regions.add(&component);
                }
            }
        }
    }

    fn keep(&mut self, component: Vec<CodeId>, summary: Summary) {
        if summary.is_collapsed {
            self.counts.limited += component.len();
        }
        let summary = Rc::new(summary);
        for code in component {
            self.known.summaries.insert(code, summary.clone());
        }
        self.counts.kept = self.counts.kept.max(self.known.summaries.len());
    }

    /// Makes all methods regions.
    fn collapse(&mut self) {
        let releases = self.known.regions.releases;
        self.known = Known::default();
        self.known.regions.releases = releases;
        for (component, _) in self.graph.components() {
            self.known.regions.add(&component);
        }
        self.counts = Counts { limited: 0, collapsed: self.counts.methods, kept: 0, ..self.counts };
    }

    /// The summary of methods that call each other; none if it takes too long.
    fn summary(&mut self, component: &[CodeId], is_recursive: bool, labels: usize) -> Option<Summary> {
        if component.len() > self.limits.size {
            return None;
        }
        let component = (component.to_vec(), is_recursive);
        let mut solver = Solver::new(self.graph, &mut self.nodes, &self.known, component, labels);
        solver.steps = self.limits.steps;
        solver.solve();
        self.assumed.extend(solver.assumed.iter().copied());
        (solver.steps > 0).then(|| Build::summary(&mut solver, &mut self.fresh))
    }

    /// What the JVM does: every `main` in a thread of its own, and initializers in whichever thread comes first. None if it takes too
    /// long.
    fn everything(&mut self) -> Option<Everything> {
        let (mut mains, mut initializers) = (Vec::new(), Vec::new());
        let own: Vec<(ClassId, CodeId, Option<Summary>)> = self
            .graph
            .initializers
            .iter()
            .map(|(class, code)| (*class, *code, self.initializer(*class, *code)))
            .collect();
        let mut solver = Solver::root(self.graph, &mut self.nodes, &self.known, self.limits);
        let thread = |number: usize| -> ThreadId { [Label { code: ROOT, number: number as u32 }].into() };
        let context = |thread: ThreadId| Context {
            labels: thread.clone(),
            multiplicity: Multiplicity::One,
            thread: Some(thread),
            ..Context::default()
        };
        for code in &self.graph.mains {
            let id = thread(mains.len());
            solver.begin(*code, context(id.clone()));
            mains.extend(self.graph.code(*code).method.map(|method| (id, method)));
        }
        for (class, code, summary) in own {
            let id = thread(mains.len() + initializers.len());
            match summary {
                Some(summary) => drop(solver.instantiate_summary(code, Rc::new(summary), context(id.clone()))),
                None => solver.begin(code, context(id.clone())),
            }
            initializers.push((id, class));
        }
        solver.run();
        self.assumed.extend(solver.assumed.iter().copied());
        let root = (solver.steps > 0).then(|| Build::summary(&mut solver, &mut self.fresh))?;
        Some(Everything { root, mains, initializers })
    }

    /// The summary of an initializer without what others see only when it has ended: its own class's variables, and what it makes
    /// and shows to nobody else.
    fn initializer(&self, class: ClassId, code: CodeId) -> Option<Summary> {
        let summary = self.known.summaries.get(&code)?;
        let program = self.graph.program;
        let is_own = |cell: Cell| match cell {
            Cell::Global(Global::Static(field)) => program.field(field).class == class,
            _ => false,
        };
        let mut shown: Vec<_> = summary.hand_overs.iter().flat_map(|handed| &handed.receivers).copied().collect();
        let outer = |(base, cell): &(_, Cell)| self.nodes.is_external(*base) && !is_own(*cell);
        let of_others = summary.contents.iter().filter(|contents| contents.cells.iter().any(outer));
        shown.extend(of_others.flat_map(|contents| &contents.nodes).copied());
        let mut seen: BTreeSet<_> = shown.iter().copied().collect();
        while let Some(node) = shown.pop() {
            let has = |contents: &&Contents| contents.cells.iter().any(|(base, _)| *base == node);
            let inner = summary.contents.iter().filter(has).flat_map(|contents| &contents.nodes).copied();
            shown.extend(inner.filter(|inner| seen.insert(*inner)));
        }
        let mut own = Summary {
            multiplicities: summary.multiplicities.clone(),
            contents: summary.contents.clone(),
            beyond: summary.beyond.clone(),
            results: summary.results.clone(),
            threads: summary.threads.clone(),
            entries: summary.entries.clone(),
            hand_overs: summary.hand_overs.clone(),
            shared: summary.shared.clone(),
            releases: summary.releases,
            is_collapsed: summary.is_collapsed,
            events: summary.events.clone(),
        };
        let starts_threads = !own.threads.is_empty() || !own.entries.is_empty();
        own.events.retain(|_, event| {
            if event.thread.is_some() {
                return true;
            }
            if !starts_threads {
                event.nodes.retain(|node| seen.contains(node) || self.nodes.is_external(*node));
            }
            !is_own(event.cell) && !event.nodes.is_empty()
        });
        Some(own)
    }
}
