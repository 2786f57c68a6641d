//! What of earlier runs holds in this one.

use std::cell::Cell;

use static_typer::points_to::CodeId;
use static_typer::program::{MethodId, Name};

use super::Store;
use super::bytes::Table;
use super::entry::{Entry, read, written};
use super::facts::hash;
use super::form::Form;
use super::names::Names;
use super::trace::Trace;
use crate::call_graph::CallGraph;
use crate::limits::Limits;
use crate::solver::{Known, Solver};

/// Version of the form of entries, and of the rules by which summaries are made.
const FORMAT: u32 = 5;

/// What is known from earlier runs.
pub struct Recall<'a, 'p> {
    /// By what names.
    pub names: &'a Names<'a, 'p>,
    store: &'a dyn Store,
    /// What everything depends on.
    base: u128,
    is_forgetful: bool,
    /// How many entries were damaged.
    pub n_damaged: Cell<usize>,
}

impl<'a, 'p> Recall<'a, 'p> {
    /// Of a store; `build` is what tells builds of the command apart.
    pub fn of(store: &'a dyn Store, names: &'a Names<'a, 'p>, limits: Limits, build: &str) -> Self {
        let base = base(names, limits, build);
        Self { names, store, base, is_forgetful: false, n_damaged: Cell::default() }
    }

    /// What something is itself, in the program and with these limits; none if something in it has no name.
    pub fn own(&self, what: &impl Form) -> Option<u128> {
        let parts = written(self.names, what)?;
        Some(hash(&[&self.base.to_le_bytes()[..], &parts].concat()))
    }

    /// The name of a component, by its first method; of code without a name, which nothing is kept of, it is anything.
    pub fn name(&self, first: CodeId) -> u128 {
        hash(&written(self.names, &(0_u8, first)).unwrap_or_default())
    }

    /// The name of everything that some `main` methods begin, or that is called from outside.
    pub fn name_of_everything(&self, graph: &CallGraph<'_>, is_collapsed: bool) -> u128 {
        let tag = if graph.environment().is_some() { 2_u8 } else { 1 };
        hash(&written(self.names, &(tag, graph.mains.clone(), is_collapsed)).unwrap_or_default())
    }

    /// A value as bytes; none if something in it has no name.
    pub fn written(&self, value: &impl Form) -> Option<Vec<u8>> {
        written(self.names, value)
    }

    /// The value that bytes are; none if they are none, or name what is not there.
    pub fn read<T: Form>(&self, bytes: &[u8]) -> Option<T> {
        read(self.names, bytes)
    }

    /// Takes nothing any more; whether it did before.
    pub fn forget(&mut self) -> bool {
        self.n_damaged.set(self.n_damaged.get() + 1);
        !std::mem::replace(&mut self.is_forgetful, true)
    }

    /// Adds what a solver has made use of.
    pub fn trace(&self, solver: &Solver<'_, '_>, trace: &mut Trace) {
        for code in &solver.used.callees {
            trace.callees.push((*code, self.callee(*code, solver.known)));
        }
        for code in solver.component.iter().filter(|_| solver.is_root) {
            trace.adopted.push((*code, self.names.digest(*code)));
        }
        for method in &solver.used.dispatched {
            trace.dispatched.push((*method, self.names.graph.targets(*method).collect()));
        }
        trace.absent.extend(&solver.used.absent);
        if !solver.entered.is_empty() {
            trace.releases = Some(solver.known.regions.releases);
        }
    }

    /// What is kept by a name, if it was made of the same.
    pub fn take(&self, name: u128, own: u128, known: &Known<'_, '_>) -> Option<(Trace, Option<Vec<u8>>)> {
        if self.is_forgetful {
            return None;
        }
        self.store.get(name).iter().find_map(|bytes| self.taken(bytes, own, known))
    }

    fn taken(&self, bytes: &[u8], own: u128, known: &Known<'_, '_>) -> Option<(Trace, Option<Vec<u8>>)> {
        let Some(entry) = Entry::of(bytes) else {
            self.n_damaged.set(self.n_damaged.get() + 1);
            return None;
        };
        if entry.own != own {
            return None;
        }
        let trace: Trace = read(self.names, entry.trace)?;
        if !self.holds(&trace, known) {
            return None;
        }
        Some((trace, entry.outcome.map(<[u8]>::to_vec)))
    }

    /// Keeps what was made.
    pub fn put(&self, name: u128, own: u128, trace: &Trace, outcome: Option<&[u8]>) {
        if let Some(trace) = written(self.names, trace) {
            self.store.put(name, Entry { own, trace: &trace, outcome }.bytes());
        }
    }

    fn holds(&self, trace: &Trace, known: &Known<'_, '_>) -> bool {
        let runs = |method: MethodId| self.names.graph.targets(method);
        trace.releases.is_none_or(|releases| releases == known.regions.releases)
            && trace.dispatched.iter().all(|(method, codes)| runs(*method).eq(codes.iter().copied()))
            && trace.absent.iter().all(|method| self.names.graph.of_method(*method).is_none())
            && trace.callees.iter().all(|(code, digest)| digest.is_some() && self.callee(*code, known) == *digest)
            && trace.adopted.iter().all(|(code, digest)| digest.is_some() && self.names.digest(*code) == *digest)
    }

    /// What is known of a method that is called, and how it is called; none if that cannot be said.
    pub fn callee(&self, code: CodeId, known: &Known<'_, '_>) -> Option<u128> {
        let n_parameters = self.names.graph.code(code).parameters.len() as u64;
        let found = match (known.summaries.get(&code), known.regions.first(code)) {
            (Some(kept), _) => kept.digest?.to_le_bytes().to_vec(),
            (None, Some(first)) => written(self.names, &(1_u8, first))?,
            (None, None) => Vec::new(),
        };
        Some(hash(&[&n_parameters.to_le_bytes()[..], &found].concat()))
    }
}

fn base(names: &Names<'_, '_>, limits: Limits, build: &str) -> u128 {
    let Limits { labels, size, steps, root_steps } = limits;
    // Every class is below it.
    let object = Table { classes: std::iter::once(Name::OBJECT).collect(), ..Table::default() };
    let facts = names.facts(&object);
    hash(format!("{FORMAT} {build} {labels} {size} {steps} {root_steps} {facts}").as_bytes())
}
