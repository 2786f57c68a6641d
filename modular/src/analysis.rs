//! From the bottom of the call graph to its roots.

use std::collections::BTreeSet;
use std::rc::Rc;

use static_typer::points_to::Resolution;
use static_typer::program::{ClassId, MethodId};

use crate::call_graph::CallGraph;
use crate::check::{self, Found, Listed};
use crate::environment::Begin;
pub use crate::everything::Begins;
use crate::everything::Everything;
pub use crate::limits::Limits;
use crate::regions::Comers;
use crate::store::{Names, Recall, Store};
use crate::summary::{Summary, ThreadId};
pub use crate::work::Counts;
use crate::work::Work;

/// What is known of a program in the end.
#[derive(Debug)]
pub struct Analysis<'p> {
    /// The summary of everything that the JVM begins with.
    pub root: Summary,
    /// The threads that nobody starts. Initializers have threads of their own, as they may run in any.
    pub begins: Begins,
    /// The threads that come to regions, by the thread that stands for them.
    pub comers: Comers,
    /// What calls run.
    pub graph: Rc<CallGraph<'p>>,
    /// Methods of libraries whose effect is assumed.
    pub assumed: BTreeSet<MethodId>,
    /// What there was to do.
    pub counts: Counts,
    begin: Vec<ThreadId>,
    /// What was found already.
    listed: Option<Listed>,
}

/// A store, and what is asked of it.
pub struct Remembered<'s> {
    /// The store.
    pub store: &'s dyn Store,
    /// What tells builds of the command apart.
    pub build: &'s str,
    /// So many races of each variable are listed.
    pub max_listed: usize,
}

impl<'p> Analysis<'p> {
    /// Analyses a program from where it begins.
    #[must_use]
    pub fn of(resolution: &Resolution<'p>, begin: &Begin, limits: Limits) -> Self {
        let graph = Rc::new(CallGraph::of(resolution, begin));
        let mut work = Work::new(&graph, limits, None);
        work.bottom_up();
        let everything = work.everything().or_else(|| {
            work.collapse();
            work.everything()
        });
        let (assumed, counts) = (work.assumed, work.counts);
        Self::from(graph, everything.unwrap_or_default(), assumed, counts)
    }

    /// The same with what a store has of earlier runs, and what this one makes goes there. Of the summary of everything only what was
    /// found is left.
    #[must_use]
    pub fn remembered(resolution: &Resolution<'p>, begin: &Begin, limits: Limits, with: &Remembered<'_>) -> Self {
        let graph = Rc::new(CallGraph::of(resolution, begin));
        let names = Names::of(&graph);
        let mut recall = Recall::of(with.store, &names, limits, with.build);
        loop {
            let mut work = Work::new(&graph, limits, Some(&recall));
            work.bottom_up();
            let everything = work.everything_listed(with.max_listed).or_else(|| {
                work.collapse();
                work.everything_listed(with.max_listed)
            });
            if !work.known.is_broken.get() {
                let (assumed, counts) = (std::mem::take(&mut work.assumed), work.counts);
                let counts = Counts { damaged: recall.n_damaged.get(), ..counts };
                return Self::from(graph.clone(), everything.unwrap_or_default(), assumed, counts);
            }
            // What was read was no summary: nothing more is read.
            if !recall.forget() {
                let plain = Self::of(resolution, begin, limits);
                return Self { counts: Counts { damaged: recall.n_damaged.get(), ..plain.counts }, ..plain };
            }
        }
    }

    /// Makes the summaries of a part of a program, and of all that it calls, as far as the store has them not: what there was to do.
    /// Which classes are the part's says `is_part`. Nobody is known to call it, so that everything may be called.
    pub fn of_part(
        resolution: &Resolution<'p>,
        is_part: impl Fn(ClassId) -> bool,
        limits: Limits,
        store: &dyn Store,
        build: &str,
    ) -> Counts {
        let graph = CallGraph::of_part(resolution, is_part);
        let names = Names::of(&graph);
        let mut recall = Recall::of(store, &names, limits, build);
        loop {
            let mut work = Work::new(&graph, limits, Some(&recall));
            work.bottom_up();
            let (is_broken, counts) = (work.known.is_broken.get(), work.counts);
            if !is_broken || !recall.forget() {
                return Counts { damaged: recall.n_damaged.get(), ..counts };
            }
        }
    }

    fn from(graph: Rc<CallGraph<'p>>, everything: Everything, assumed: BTreeSet<MethodId>, counts: Counts) -> Self {
        let Everything { root, begins, comers, listed } = everything;
        let begin = begins.threads();
        Self { root, begins, comers, graph, assumed, counts, begin, listed }
    }

    /// Every race; at most so many of each variable are listed, or as many as were when it was remembered.
    #[must_use]
    pub fn races(&self, max_listed: usize) -> Found<'_> {
        match &self.listed {
            Some(listed) => listed.found(&self.root),
            None => check::races(&self.root, &self.begin, max_listed),
        }
    }
}
