//! From the bottom of the call graph to its roots.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use static_typer::points_to::{CodeId, Global, Resolution};
use static_typer::program::{ClassId, MethodId};

use crate::build::Build;
use crate::call_graph::CallGraph;
use crate::fresh::Fresh;
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Label, Nodes};
use crate::solver::{Context, MAX_STEPS, Solver};
use crate::summary::{Contents, Summary, ThreadId};

/// How many labels of calls tell objects and threads apart.
pub const LABELS: usize = 3;
/// Summaries with more nodes or edges than that are made once more with one label.
const MAX_SIZE: usize = 4000;

/// How the analysis is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many labels of calls tell objects and threads apart.
    pub labels: usize,
    /// Summaries with more nodes and edges than that are made once more with one label.
    pub size: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { labels: LABELS, size: MAX_SIZE }
    }
}

/// How much there was to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Methods and lambdas that are reached.
    pub methods: usize,
    /// Components of methods that call each other.
    pub components: usize,
    /// The methods of the largest one.
    pub largest: usize,
    /// Components of whose summaries a limit took something.
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
    /// What calls run.
    pub graph: CallGraph<'p>,
    /// Methods of libraries whose effect is assumed.
    pub assumed: BTreeSet<MethodId>,
    /// What there was to do.
    pub counts: Counts,
}

/// What a method is called of which too much is to be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge(pub String);

/// Labels of the roots have no code.
const ROOT: CodeId = CodeId(u32::MAX);

impl<'p> Analysis<'p> {
    /// Analyses a program that begins with some `main` methods.
    ///
    /// # Errors
    /// What it says of some methods grows too large even with the fewest distinctions.
    pub fn of(resolution: &Resolution<'p>, mains: &[MethodId], limits: Limits) -> Result<Self, TooLarge> {
        let graph = CallGraph::of(resolution, mains);
        let mut work = Work::new(&graph, limits);
        work.bottom_up()?;
        let (root, mains, initializers) = work.root()?;
        let Work { nodes, assumed, counts, .. } = work;
        Ok(Self { root, nodes, mains, initializers, graph, assumed, counts })
    }
}

struct Work<'a, 'p> {
    graph: &'a CallGraph<'p>,
    limits: Limits,
    nodes: Nodes,
    fresh: Fresh,
    summaries: FxHashMap<CodeId, Rc<Summary>>,
    assumed: BTreeSet<MethodId>,
    counts: Counts,
    /// How many steps may be taken yet, of all components together.
    steps: u64,
}

impl<'a, 'p> Work<'a, 'p> {
    fn new(graph: &'a CallGraph<'p>, limits: Limits) -> Self {
        Self {
            graph,
            limits,
            nodes: Nodes::new(),
            fresh: Fresh::default(),
            summaries: FxHashMap::default(),
            assumed: BTreeSet::new(),
            counts: Counts { methods: graph.reached().count(), ..Counts::default() },
            steps: 4 * MAX_STEPS,
        }
    }

    fn bottom_up(&mut self) -> Result<(), TooLarge> {
        for (component, is_recursive) in self.graph.components() {
            self.counts.components += 1;
            self.counts.largest = self.counts.largest.max(component.len());
            let fine = self.summary(&component, is_recursive, self.limits.labels);
            let summary = match fine {
                Some(summary) if size(&summary) <= self.limits.size => summary,
                _ => {
                    let coarse = self.summary(&component, is_recursive, 1);
                    let coarse = coarse.ok_or_else(|| self.too_large(component.first().copied()))?;
                    Summary { is_collapsed: true, ..coarse }
                }
            };
            self.counts.collapsed += usize::from(summary.is_collapsed);
            let summary = Rc::new(summary);
            for code in component {
                self.summaries.insert(code, summary.clone());
            }
            self.counts.kept = self.counts.kept.max(self.summaries.len());
        }
        Ok(())
    }

    fn too_large(&self, code: Option<CodeId>) -> TooLarge {
        let method = code.and_then(|code| self.graph.find(code)?.method);
        TooLarge(method.map_or_else(|| "everything".to_owned(), |method| self.graph.program.method_name(method)))
    }

    fn summary(&mut self, component: &[CodeId], is_recursive: bool, labels: usize) -> Option<Summary> {
        let mut solver =
            Solver::new(self.graph, &mut self.nodes, &self.summaries, (component.to_vec(), is_recursive), labels);
        let allowed = self.steps.min(MAX_STEPS);
        solver.steps = allowed;
        solver.solve();
        self.steps = self.steps.saturating_sub(allowed - solver.steps);
        self.assumed.extend(solver.assumed.iter().copied());
        (solver.steps > 0).then(|| Build::summary(&mut solver, &mut self.fresh, false))
    }

    /// What the JVM does: every `main` in a thread of its own, and initializers in whichever thread comes first.
    #[allow(clippy::type_complexity, reason = "it is taken apart at once")]
    fn root(&mut self) -> Result<(Summary, Vec<(ThreadId, MethodId)>, Vec<(ThreadId, ClassId)>), TooLarge> {
        let (mut mains, mut initializers) = (Vec::new(), Vec::new());
        let own: Vec<(ClassId, Summary)> = self
            .graph
            .initializers
            .iter()
            .filter_map(|(class, code)| Some((*class, self.initializer(*class, *code)?)))
            .collect();
        let labels = self.limits.labels;
        let mut solver = Solver::new(self.graph, &mut self.nodes, &self.summaries, (Vec::new(), false), labels);
        let thread = |number: usize| -> ThreadId { [Label { code: ROOT, number: number as u32 }].into() };
        let context = |thread: ThreadId| Context {
            labels: thread.clone(),
            multiplicity: Multiplicity::One,
            thread: Some(thread),
            ..Context::default()
        };
        for code in &self.graph.mains {
            let id = thread(mains.len());
            solver.instantiate(*code, context(id.clone()));
            mains.extend(self.graph.code(*code).method.map(|method| (id, method)));
        }
        for (class, summary) in own {
            let id = thread(mains.len() + initializers.len());
            let code = self.graph.initializers.iter().find(|(of, _)| *of == class).map(|(_, code)| *code);
            if let Some(code) = code {
                solver.instantiate_summary(code, Rc::new(summary), context(id.clone()));
                initializers.push((id, class));
            }
        }
        solver.run();
        if solver.steps == 0 {
            return Err(self.too_large(None));
        }
        Ok((Build::summary(&mut solver, &mut self.fresh, true), mains, initializers))
    }

    /// The summary of an initializer without what others see only when it has ended: its own class's variables, and what it makes
    /// and shows to nobody else.
    fn initializer(&self, class: ClassId, code: CodeId) -> Option<Summary> {
        let summary = self.summaries.get(&code)?;
        let program = self.graph.program;
        let is_own = |cell: Cell| match cell {
            Cell::Global(Global::Static(field)) => program.field(field).class == class,
            Cell::Global(_) | Cell::Slot(_) => false,
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
            hand_overs: summary.hand_overs.clone(),
            shared: summary.shared.clone(),
            releases: summary.releases,
            is_collapsed: summary.is_collapsed,
            events: summary.events.clone(),
        };
        let starts_threads = !own.threads.is_empty();
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

/// How many nodes and edges it has.
fn size(summary: &Summary) -> usize {
    let contents = summary.contents.iter().map(|contents| contents.cells.len() + contents.nodes.len());
    summary.multiplicities.len() + contents.sum::<usize>()
}
