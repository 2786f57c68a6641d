//! Variables: what they refer to, what copies it, and what is done with each node.

use indexmap::IndexSet;
use static_typer::points_to::{CodeId, Local};
use static_typer::program::Type;

use super::{Hook, Set, Solver, Var};
use crate::node::NodeId;

impl<'p> Solver<'_, 'p> {
    /// The variable of a local.
    pub fn local(&self, code: CodeId, local: Local) -> Var {
        self.first[&code] + local.0
    }

    /// What a variable refers to.
    pub fn points(&self, var: Var) -> &Set {
        &self.points[self.find(var) as usize]
    }

    /// The variable that a variable was made one with.
    pub fn find(&self, mut var: Var) -> Var {
        while self.same[var as usize] != var {
            var = self.same[var as usize];
        }
        var
    }

    /// Makes two variables one: each would be a copy of the other.
    pub(super) fn unify(&mut self, a: Var, b: Var) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        // The larger one stays.
        let (a, b) = if self.points[a as usize].len() < self.points[b as usize].len() { (b, a) } else { (a, b) };
        self.same[b as usize] = a;
        self.done[b as usize] = 0;
        let (points, copies) =
            (std::mem::take(&mut self.points[b as usize]), std::mem::take(&mut self.copies[b as usize]));
        let hooks = std::mem::take(&mut self.hooks[b as usize]);
        if self.is_out[b as usize] && !self.is_out[a as usize] {
            self.is_out[a as usize] = true;
            self.processed(a).into_iter().for_each(|node| self.escape(node));
        }
        points.iter().for_each(|node| self.insert(a, *node));
        copies.into_iter().for_each(|(to, ty)| self.copy(a, to, ty));
        hooks.into_iter().for_each(|hook| self.hook(a, hook));
    }

    /// What a method returns.
    pub fn result(&self, code: CodeId) -> &Set {
        self.points(self.results[&code])
    }

    /// A new variable.
    pub fn var(&mut self) -> Var {
        self.points.push(Set::default());
        self.done.push(0);
        self.copies.push(IndexSet::default());
        self.hooks.push(IndexSet::default());
        self.is_out.push(false);
        self.same.push(self.same.len() as Var);
        self.points.len() as Var - 1
    }

    /// The variable that refers to one node.
    pub fn constant(&mut self, node: NodeId) -> Var {
        if let Some(var) = self.constants.get(&node) {
            return *var;
        }
        let var = self.var();
        self.constants.insert(node, var);
        self.insert(var, node);
        var
    }

    pub(super) fn insert(&mut self, var: Var, node: NodeId) {
        let var = self.find(var);
        if self.points[var as usize].insert(node) {
            self.open.push(var);
        }
    }

    /// What one variable refers to, the other does too.
    pub fn copy(&mut self, from: Var, to: Var, ty: Option<Type>) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.copies[from as usize].insert((to, ty)) {
            return;
        }
        self.steps = self.steps.saturating_sub(self.done[from as usize] as u64);
        for node in self.processed(from) {
            self.flow(node, to, ty);
        }
    }

    pub(super) fn flow(&mut self, node: NodeId, to: Var, ty: Option<Type>) {
        if ty.is_none_or(|ty| self.may_be(node, ty)) {
            self.insert(to, node);
        }
    }

    pub(super) fn hook(&mut self, var: Var, hook: Hook) {
        let var = self.find(var);
        let hook = match hook {
            Hook::Filled(data) => Hook::Filled(self.find(data)),
            Hook::Join(cell, with) => Hook::Join(cell, self.find(with)),
            Hook::Load(cell, to, ty) => Hook::Load(cell, self.find(to), ty),
            Hook::Store(cell, from) => Hook::Store(cell, self.find(from)),
            other => other,
        };
        if !self.hooks[var as usize].insert(hook.clone()) {
            return;
        }
        for node in self.processed(var) {
            self.apply(node, &hook);
        }
    }

    /// The nodes of a variable that its copies and hooks have had.
    pub(super) fn processed(&self, var: Var) -> Vec<NodeId> {
        self.points[var as usize].iter().take(self.done[var as usize]).copied().collect()
    }
}
