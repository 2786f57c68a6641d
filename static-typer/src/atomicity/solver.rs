//! The least consistent assignment of atomicities to methods (paper 004, section 5).
//!
//! An assignment is *consistent* if each method's atomicity is at least what its transfer function makes of those of the
//! methods that it calls. The functions are monotone, so the least one comes by going up from `const`.

use std::collections::BTreeSet;

use super::conditional::Atomicity;

/// A method depends on the locks that are first in order, at most so many: each further one would double its size.
pub(super) const MAX_LOCKS: usize = 4;

/// Assigns an atomicity to a method; returns those that are to be looked at again.
type Assign<'a, L> = &'a dyn Fn(usize, &Atomicity<L>) -> Vec<usize>;

/// The least consistent assignment for methods numbered from 0. `transfer` says what a method is by what has been assigned, which
/// is `const` before anything else is.
pub(super) fn solve<L: Ord + Clone>(
    n_methods: usize,
    assign: Assign<'_, L>,
    transfer: &dyn Fn(usize) -> Atomicity<L>,
) -> Vec<Atomicity<L>> {
    let mut assignment = vec![Atomicity::CONST; n_methods];
    let mut open: BTreeSet<usize> = (0..n_methods).collect();
    while let Some(method) = open.pop_first() {
        // Which locks are forgotten depends on those that there are; to keep what was there makes it go up all the same.
        let new = transfer(method).join(&assignment[method]).bounded(MAX_LOCKS);
        if new != assignment[method] {
            open.extend(assign(method, &new));
            assignment[method] = new;
        }
    }
    assignment
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::basic::Basic;
    use super::*;

    type A = Atomicity<u8>;

    /// The body of a method, by the typing rules.
    enum Term {
        Does(Basic),
        Call(usize),
        /// A call where this lock is known to be held.
        CallHolding(u8, usize),
        Then(Box<[Term; 2]>),
        Either(Box<[Term; 2]>),
        Repeated(Box<Term>),
        Synchronized(u8, Box<Term>),
    }

    impl Term {
        fn atomicity(&self, of: &[A]) -> A {
            match self {
                Self::Does(basic) => A::Basic(*basic),
                Self::Call(method) => of[*method].clone(),
                Self::CallHolding(lock, method) => of[*method].given(lock, true),
                Self::Then(parts) => parts[0].atomicity(of).then(&parts[1].atomicity(of)),
                Self::Either(parts) => parts[0].atomicity(of).join(&parts[1].atomicity(of)),
                Self::Repeated(part) => part.atomicity(of).repeated(),
                Self::Synchronized(lock, part) => part.atomicity(of).synchronized(lock),
            }
        }

        fn calls(&self, method: usize) -> bool {
            match self {
                Self::Does(_) => false,
                Self::Call(called) | Self::CallHolding(_, called) => *called == method,
                Self::Then(parts) | Self::Either(parts) => parts.iter().any(|part| part.calls(method)),
                Self::Repeated(part) | Self::Synchronized(_, part) => part.calls(method),
            }
        }
    }

    fn next(seed: &mut u64, n: usize) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % n
    }

    fn term(seed: &mut u64, n_methods: usize, depth: usize) -> Term {
        let pair = |seed: &mut u64| Box::new([(); 2].map(|()| term(seed, n_methods, depth - 1)));
        match next(seed, if depth == 0 { 3 } else { 8 }) {
            0 => Term::Does(Basic::ALL[next(seed, 5)]),
            1 => Term::Call(next(seed, n_methods)),
            2 => Term::CallHolding(next(seed, 2) as u8, next(seed, n_methods)),
            3 | 4 => Term::Then(pair(seed)),
            5 => Term::Either(pair(seed)),
            6 => Term::Repeated(Box::new(term(seed, n_methods, depth - 1))),
            _ => Term::Synchronized(next(seed, 2) as u8, Box::new(term(seed, n_methods, depth - 1))),
        }
    }

    /// Goes up from `const` with all methods at once, until nothing changes.
    fn naive(terms: &[Term]) -> Vec<A> {
        let mut assignment = vec![A::CONST; terms.len()];
        loop {
            let next: Vec<A> = terms.iter().map(|term| term.atomicity(&assignment)).collect();
            if next == assignment {
                return assignment;
            }
            assignment = next;
        }
    }

    fn solved(terms: &[Term]) -> Vec<A> {
        let assigned = RefCell::new(vec![A::CONST; terms.len()]);
        let assign = |method, new: &A| {
            assigned.borrow_mut()[method] = new.clone();
            (0..terms.len()).filter(|user| terms[*user].calls(method)).collect()
        };
        solve(terms.len(), &assign, &|method| terms[method].atomicity(&assigned.borrow()))
    }

    #[test]
    fn the_order_of_work_does_not_matter() {
        let mut seed = 5;
        for _ in 0..3000 {
            let n_methods = 1 + next(&mut seed, 5);
            let terms: Vec<Term> = (0..n_methods).map(|_| term(&mut seed, n_methods, 3)).collect();
            assert_eq!(solved(&terms), naive(&terms));
        }
    }

    /// Of all assignments of atomicities that depend on one lock at most, in programs of two methods.
    #[test]
    fn no_smaller_assignment_is_consistent() {
        let lock = 0;
        let basics = Basic::ALL.map(A::Basic);
        let all: Vec<A> = basics.iter().flat_map(|held| basics.iter().map(|free| A::when(&lock, held, free))).collect();
        let mut seed = 6;
        for _ in 0..60 {
            let terms = [(); 2].map(|()| term(&mut seed, 2, 2));
            let least = solved(&terms);
            for first in &all {
                for second in &all {
                    let assignment = [first.clone(), second.clone()];
                    let is_consistent =
                        terms.iter().zip(&assignment).all(|(term, known)| term.atomicity(&assignment).is_below(known));
                    let is_above = least.iter().zip(&assignment).all(|(least, known)| least.is_below(known));
                    assert!(!is_consistent || is_above, "{least:?} is not below {assignment:?}");
                }
            }
        }
    }
}
