//! Objects that others own (`thisOwner` of paper 004, a class parameter of paper 002, section 3): list nodes, buffer entries, and
//! whatever else a class keeps for itself, so that its lock may guard their fields.
//!
//! The *owner* of an object is the one in whose field it is kept, or the owner of the object of its family in whose field it is
//! kept. An object is made without one, gets one when it is stored for the first time, and never another one: that is what
//! `unify` finds out for each body and [`Owned::of`] for all of them together, as the least solution of what their calls demand.
//! A family for which it does not come out has no owners.
//!
//! **What it does not see**: owners by way of a getter's result or an array that holds the owners, iterators that keep a node,
//! nodes that go by an interface, through a container or into a lambda, casts from other types (`equals`), and owners of owners.

#[cfg(test)]
mod naive;
#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Value};
use crate::program::{MethodId, Name, Type};

use super::bodies::Bodies;
use super::families::{Code, Families, Family, Leak, parameters};
use super::final_expressions::Paths;
use super::obstacle::Cause;
use super::unify::{Demand, Term, Unified, unify};

/// Who owns the objects of a program.
#[derive(Default, Debug)]
pub struct Owned {
    families: Families,
    terms: FxHashMap<MethodId, FxHashMap<Value, Term>>,
}

impl Owned {
    /// Finds the owners.
    #[must_use]
    pub fn of(code: Code<'_>, bodies: &Bodies, paths: &(dyn Fn(&Body) -> Paths + Sync)) -> Self {
        let mut families = Families::of(code.program, code.calls, bodies);
        let leaks: Vec<(Family, Leak)> =
            bodies.all().par_iter().flat_map_iter(|body| leaks(code, &families, body)).collect();
        leaks.into_iter().for_each(|(family, leak)| families.leaks(family, leak));
        let mut solver = Solver { code, bodies, paths, families, demands: FxHashMap::default() };
        solver.solve();
        let terms = solver.terms();
        Self { families: solver.families, terms }
    }

    /// The owner of a value's object, if it is known.
    #[must_use]
    pub fn owner(&self, method: MethodId, value: Value) -> Option<&Term> {
        self.terms.get(&method)?.get(&value)
    }

    /// Whether the objects of a class have owners.
    #[must_use]
    pub fn has(&self, class: Name) -> bool {
        self.families.get(Type::class(class)).is_some()
    }

    /// Where the objects of a class leak, if that is why they have no owner.
    #[must_use]
    pub fn leak(&self, class: Name) -> Option<Leak> {
        self.families.leak(class)
    }
}

fn leaks(code: Code<'_>, families: &Families, body: &Body) -> Vec<(Family, Leak)> {
    let mut leaks = Vec::new();
    for value in body.all_values() {
        let at = Some((body.method, value));
        families.for_each_leak(code, body, value, &mut |family, cause| leaks.push((family, Leak { at, cause })));
    }
    leaks
}

struct Solver<'a> {
    code: Code<'a>,
    bodies: &'a Bodies,
    paths: &'a (dyn Fn(&Body) -> Paths + Sync),
    families: Families,
    demands: FxHashMap<MethodId, Demand>,
}

impl Solver<'_> {
    /// Demands only grow, and families only go: there is an end.
    fn solve(&mut self) {
        let mut open: Vec<MethodId> = self.bodies.iter().map(|body| body.method).collect();
        while !open.is_empty() && !self.families.is_empty() {
            let mut next = FxHashSet::default();
            for (method, unified) in self.unified(&open) {
                for (family, at) in unified.refused {
                    self.families.leaks(family, Leak { at: Some((method, at)), cause: Cause::TwoOwners });
                }
                let known = self.demands.entry(method).or_default();
                if *known != unified.demand {
                    *known = unified.demand;
                    next.extend(self.code.calls.callers(method));
                }
            }
            open = next.into_iter().collect();
            open.sort_unstable();
        }
        self.refuse_clients();
    }

    fn unified(&self, methods: &[MethodId]) -> Vec<(MethodId, Unified)> {
        let bodies = methods.par_iter().filter_map(|method| self.bodies.get(*method));
        let relevant = bodies.filter(|body| self.is_relevant(body));
        relevant
            .map(|body| (body.method, unify(self.code, &self.families, &self.demands, body, &(self.paths)(body))))
            .collect()
    }

    fn is_relevant(&self, body: &Body) -> bool {
        body.all_values().any(|value| self.families.get(body.instruction(value).ty).is_some())
    }

    /// Code that is not analysed keeps to nothing.
    fn refuse_clients(&mut self) {
        let entries = self.bodies.iter().map(|body| body.method).filter(|method| self.code.calls.is_entry(*method));
        for method in entries {
            let Some(demand) = self.demands.get(&method) else { continue };
            let types: Vec<Type> = parameters(self.code.program, method).collect();
            let asked = demand.parameters().filter_map(|n| self.families.get(*types.get(usize::from(n))?));
            for family in asked.collect::<Vec<_>>() {
                self.families.leaks(family, Leak { at: Some((method, Value(0))), cause: Cause::Client });
            }
        }
    }

    fn terms(&self) -> FxHashMap<MethodId, FxHashMap<Value, Term>> {
        let all: Vec<MethodId> = self.bodies.iter().map(|body| body.method).collect();
        self.unified(&all).into_iter().map(|(method, unified)| (method, unified.terms)).collect()
    }
}
