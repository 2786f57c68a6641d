//! What holds whenever a method is entered: the greatest fixed point of what holds at its calls (`locks-def-held` of paper
//! 004, section 6.1.1, with every lock a candidate for `requires`).

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Value};
use crate::program::{MethodId, Program};

use super::annotations::{self, Declared};
use super::at_once::AtOnce;
use super::bodies::Bodies;
use super::common::common;
use super::final_expressions::Paths;
use super::path::Root;
use super::state::{Context, Entry, Held, State, States};
use super::summary::Parameters;

/// What holds at the beginning of each method.
#[derive(Default, Debug)]
pub struct Entries {
    known: FxHashMap<MethodId, Entry>,
    at_once: AtOnce,
}

impl Entries {
    /// Finds what holds. `paths` are those of each body.
    #[must_use]
    pub fn of(context: Context<'_>, bodies: &Bodies, paths: &(dyn Fn(&Body) -> Paths + Sync)) -> Self {
        let mut entries = Self { at_once: AtOnce::of(context, bodies), ..Self::default() };
        let is_entry = |body: &&Body| context.calls.is_entry(body.method) && !entries.at_once.has(body.method);
        for body in bodies.iter().filter(is_entry).collect::<Vec<_>>() {
            entries.known.insert(body.method, Self::from_outside(context, body.method));
        }
        let mut open: Vec<MethodId> = entries.known.keys().copied().collect();
        loop {
            entries.settle(context, bodies, paths, open);
            // What nothing calls but itself is reached by ways that are not analysed, if at all.
            let next = bodies.iter().map(|body| body.method).find(|method| !entries.known.contains_key(method));
            let Some(method) = next else { return entries };
            entries.known.insert(method, Self::from_outside(context, method));
            open = vec![method];
        }
    }

    /// What holds when a method is entered.
    #[must_use]
    pub fn get(&self, method: MethodId) -> Entry {
        self.known.get(&method).cloned().unwrap_or_default()
    }

    /// What holds, and what the method's annotations say that its callers hold, which is for its calls to prove, or that it holds
    /// itself, which is believed.
    #[must_use]
    pub fn declared(&self, program: &Program, method: MethodId) -> Entry {
        let mut entry = self.get(method);
        let required = annotations::guards_of_method(program, method).into_iter();
        let required = required.filter_map(|(_, lock)| if let Declared::Lock(path) = lock { Some(path) } else { None });
        let held = required.chain(annotations::held_by_method(program, method));
        entry.held.extend(held.map(|path| Held { path, monitor: true, shared: false }));
        entry.held.sort_unstable();
        entry
    }

    /// Code that is not analysed holds no lock that counts. An object is new when its constructor is called.
    fn from_outside(context: Context<'_>, method: MethodId) -> Entry {
        let mut entry = Entry::default();
        if context.program.method(method).is_constructor() {
            entry.fresh.insert(0);
        }
        entry
    }

    fn settle(
        &mut self,
        context: Context<'_>,
        bodies: &Bodies,
        paths: &(dyn Fn(&Body) -> Paths + Sync),
        mut open: Vec<MethodId>,
    ) {
        while !open.is_empty() {
            open.sort_unstable();
            let called: Vec<(MethodId, Entry)> = open
                .par_iter()
                .filter_map(|method| bodies.get(*method))
                .flat_map_iter(|body| self.at_calls(context, body, &paths(body)))
                .collect();
            let mut next = FxHashSet::default();
            for (method, entry) in called {
                if self.meet(context, method, entry) {
                    next.insert(method);
                }
            }
            open = next.into_iter().collect();
        }
    }

    /// What holds at the calls of a body, and where it runs lambdas.
    fn at_calls(&self, context: Context<'_>, body: &Body, paths: &Paths) -> Vec<(MethodId, Entry)> {
        let states = States::of(context, body, paths, &self.get(body.method));
        let mut called = Vec::new();
        states.for_each(|value, state| {
            let targets = &context.calls.targets(body.method, value).methods;
            if !targets.is_empty() {
                let entry = states.at_call(value, state);
                called.extend(targets.iter().map(|target| (*target, entry.clone())));
            }
            for (run, captured) in self.at_once.run_by(body.method, value) {
                called.push((*run, in_lambda(paths, state, captured)));
            }
        });
        called
    }

    /// Says whether something held before that does not any more.
    fn meet(&mut self, context: Context<'_>, method: MethodId, mut entry: Entry) -> bool {
        if context.program.method(method).is_constructor() {
            entry.fresh.insert(0);
        }
        let Some(known) = self.known.get_mut(&method) else {
            self.known.insert(method, entry);
            return true;
        };
        let met = met(known, &entry);
        std::mem::replace(known, met.clone()) != met
    }
}

fn met(a: &Entry, b: &Entry) -> Entry {
    Entry {
        held: common(&held_beside(a, b), &held_beside(b, a)),
        fresh: Parameters::common(a.fresh, b.fresh),
        unowned: Parameters::common(a.unowned, b.unowned),
    }
}

/// The locks of one call beside those of another: where there is no owner, all locks of the other's are as good as held.
fn held_beside(entry: &Entry, other: &Entry) -> Vec<Held> {
    let is_free = |held: &&Held| matches!(held.path.root, Root::Owner(n) if entry.unowned.contains(usize::from(n)));
    let mut held: Vec<Held> = entry.held.iter().chain(other.held.iter().filter(is_free)).cloned().collect();
    held.sort_unstable();
    held
}

/// The locks that are held where a lambda runs, as its body would write them.
fn in_lambda(paths: &Paths, state: &State, captured: &[Value]) -> Entry {
    let as_in_body = |held: &Held| {
        let in_body = paths.in_callee(&held.path, captured);
        in_body.map(|path| Held { path, ..held.clone() }).collect::<Vec<_>>()
    };
    let mut held: Vec<Held> = state.held.iter().flat_map(as_in_body).collect();
    held.sort_unstable();
    held.dedup();
    Entry { held, ..Entry::default() }
}
