//! The summaries of all components, what is called before what calls it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use static_typer::points_to::CodeId;
use static_typer::program::MethodId;

use crate::build::{Build, releases_more};
use crate::call_graph::CallGraph;
use crate::fresh::Fresh;
use crate::limits::{Excess, Limits};
use crate::solver::{Known, Solver};
use crate::store::{Kept, Recall, Trace};
use crate::summary::Summary;

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
    /// Components whose summaries are those of an earlier run.
    pub taken: usize,
    /// Whether that of everything is, too.
    pub is_all_taken: bool,
    /// Entries of the store that were damaged.
    pub damaged: usize,
}

/// What is done, and what is known by now.
pub struct Work<'a, 'p> {
    pub(crate) graph: &'a CallGraph<'p>,
    pub(crate) limits: Limits,
    pub(crate) fresh: Fresh,
    pub(crate) known: Known<'a, 'p>,
    /// What earlier runs made.
    pub(crate) recall: Option<&'a Recall<'a, 'p>>,
    pub(crate) assumed: BTreeSet<MethodId>,
    pub(crate) counts: Counts,
    /// What was too much of a component's summaries as they were made, by its first method.
    pub(crate) excess: BTreeMap<CodeId, Vec<Excess>>,
}

impl<'a, 'p> Work<'a, 'p> {
    /// Nothing is done yet.
    pub fn new(graph: &'a CallGraph<'p>, limits: Limits, recall: Option<&'a Recall<'a, 'p>>) -> Self {
        let mut known = Known { names: recall.map(|recall| recall.names), ..Known::default() };
        known.regions.releases = graph.reached().any(|code| releases_more(graph, code));
        Self {
            graph,
            limits,
            fresh: Fresh::default(),
            known,
            recall,
            assumed: BTreeSet::new(),
            counts: Counts { methods: graph.reached().count(), ..Counts::default() },
            excess: BTreeMap::new(),
        }
    }

    /// Makes every summary.
    pub fn bottom_up(&mut self) {
        for (component, is_recursive) in self.graph.components() {
            self.counts.components += 1;
            self.counts.largest = self.counts.largest.max(component.len());
            let key = self.key(&component, is_recursive);
            let recalled = key.and_then(|key| self.recalled(&component, key));
            match recalled.unwrap_or_else(|| self.made(&component, is_recursive, key)) {
                Some(kept) => self.keep(&component, kept),
                None => {
                    self.counts.collapsed += component.len();
                    self.known.regions.add(&component);
                }
            }
        }
    }

    fn keep(&mut self, component: &[CodeId], kept: Kept) {
        let kept = Rc::new(kept);
        for code in component {
            self.known.summaries.insert(*code, kept.clone());
        }
        self.counts.kept = self.counts.kept.max(self.known.summaries.len());
    }

    /// Makes all methods regions, and lets everything take as long as it does.
    pub fn collapse(&mut self) {
        let releases = self.known.regions.releases;
        self.known = Known { names: self.known.names, ..Known::default() };
        self.known.regions.releases = releases;
        for (component, _) in self.graph.components() {
            self.known.regions.add(&component);
        }
        self.limits.root_steps = u64::MAX;
        self.counts = Counts { limited: 0, collapsed: self.counts.methods, kept: 0, ..self.counts };
    }

    /// The name of a component in stores, and what it is itself.
    fn key(&self, component: &[CodeId], is_recursive: bool) -> Option<(u128, u128)> {
        let recall = self.recall?;
        let digests: Option<Vec<u128>> = component.iter().map(|code| recall.names.digest_in_order(*code)).collect();
        Some((recall.name(component[0]), recall.own(&(digests?, is_recursive, self.is_main(component)))?))
    }

    /// What an earlier run made of a component, a summary or none, if it still holds.
    fn recalled(&mut self, component: &[CodeId], (name, own): (u128, u128)) -> Option<Option<Kept>> {
        let recall = self.recall?;
        let (trace, outcome) = recall.take(name, own, &self.known)?;
        let kept = match outcome {
            Some(bytes) => Some(Kept::read(recall.names, &bytes)?),
            None => None,
        };
        self.counts.taken += 1;
        self.note(component, &trace);
        Some(kept)
    }

    fn is_main(&self, component: &[CodeId]) -> bool {
        component.iter().any(|code| self.graph.mains.contains(code))
    }

    fn note(&mut self, component: &[CodeId], trace: &Trace) {
        self.assumed.extend(&trace.assumed);
        if trace.is_limited {
            self.counts.limited += component.len();
        }
    }

    /// The summary of a component; none if it is too long.
    fn made(&mut self, component: &[CodeId], is_recursive: bool, key: Option<(u128, u128)>) -> Option<Kept> {
        let mut trace = Trace::default();
        // Nobody but the root reads what begins, and that once.
        let max_size = if self.is_main(component) { usize::MAX } else { self.limits.size };
        let summary = [self.limits.labels, 1].into_iter().find_map(|labels| {
            let made = self.summary(component, is_recursive, labels, &mut trace);
            let fits = made.and_then(|summary| match summary.size() {
                size if size > max_size => Err(Excess::Entries(size)),
                _ => Ok(summary),
            });
            fits.map_err(|excess| self.excess.entry(component[0]).or_default().push(excess)).ok()
        });
        trace.is_limited = summary.as_ref().is_some_and(|summary| summary.is_collapsed);
        self.note(component, &trace);
        let kept = key.and_then(|key| self.put(key, &trace, summary.as_ref()));
        kept.or_else(|| summary.map(Kept::once))
    }

    /// Keeps a summary for other runs, if everything in it has a name.
    fn put(&self, (name, own): (u128, u128), trace: &Trace, summary: Option<&Summary>) -> Option<Kept> {
        let recall = self.recall?;
        let kept = match summary {
            Some(summary) => Some(Kept::of(recall.names, summary)?),
            None => None,
        };
        recall.put(name, own, trace, kept.as_ref().map(Kept::bytes));
        kept
    }

    /// The summary of methods that call each other, unless it takes too long.
    fn summary(
        &mut self,
        component: &[CodeId],
        is_recursive: bool,
        labels: usize,
        trace: &mut Trace,
    ) -> Result<Summary, Excess> {
        if component.len() > self.limits.size {
            return Err(Excess::Methods(component.len()));
        }
        let component = (component.to_vec(), is_recursive);
        let mut solver = Solver::new(self.graph, &self.known, component, labels);
        solver.steps = self.limits.steps;
        solver.solve();
        let summary = (solver.steps > 0).then(|| Build::summary(&mut solver, &mut self.fresh));
        if let Some(recall) = self.recall {
            recall.trace(&solver, trace);
        }
        trace.assumed.extend(&solver.assumed);
        summary.ok_or(Excess::Steps)
    }
}
