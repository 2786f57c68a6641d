//! Variables that copy each other are one: they refer to the same in the end.

use super::{Solver, Var};
use crate::components::components;

/// Cycles are looked for after so many steps.
const STEPS: u64 = 4_000_000;

impl<'p> Solver<'_, 'p> {
    /// Looks for cycles once in a while.
    pub(super) fn look_for_cycles(&mut self) {
        if self.steps < self.next_look {
            self.unify_cycles();
            self.next_look = self.steps.saturating_sub(STEPS);
        }
    }

    /// Makes each cycle of copies that leave nothing behind one variable.
    fn unify_cycles(&mut self) {
        let edges: Vec<Vec<usize>> = (0..self.same.len() as Var).map(|var| self.copied_to(var)).collect();
        for cycle in components(&edges) {
            for other in &cycle[1..] {
                self.unify(cycle[0] as Var, *other as Var);
            }
        }
        for var in 0..self.same.len() {
            self.same[var] = self.find(var as Var);
        }
    }

    fn copied_to(&self, var: Var) -> Vec<usize> {
        let all = self.copies[var as usize].iter().filter(|(_, ty)| ty.is_none());
        all.map(|(to, _)| self.find(*to) as usize).collect()
    }
}
