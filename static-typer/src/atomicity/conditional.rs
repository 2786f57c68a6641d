//! Atomicities that depend on the locks held: `l ? a : b` (paper 004, section 3.2; `algorithms.md` 11.2).
//!
//! An atomicity means a function from sets of locks to basic atomicities. It is kept as a decision tree in which locks come
//! in order and no decision is without consequence, so that equal functions are equal trees.

use std::sync::Arc;

use super::basic::Basic;

/// An atomicity, perhaps conditional.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atomicity<L> {
    /// It is the same whatever is held.
    Basic(Basic),
    /// It depends on a lock.
    When(Arc<When<L>>),
}

/// `lock ? held : free`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct When<L> {
    /// The lock; those of the branches come after it.
    pub lock: L,
    /// What it is if the lock is held.
    pub held: Atomicity<L>,
    /// What it is if not.
    pub free: Atomicity<L>,
}

/// What is known of a lock where an atomicity is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known<L> {
    /// It is held.
    Held,
    /// It has this name there, and whether it is held depends.
    Renamed(L),
    /// It cannot be named there: it may be held or not.
    Unknown,
}

impl<L: Ord + Clone> Atomicity<L> {
    /// The least.
    pub const CONST: Self = Self::Basic(Basic::Const);

    /// `lock ? held : free`, for any two atomicities.
    #[must_use]
    pub fn when(lock: &L, held: &Self, free: &Self) -> Self {
        let first = [held.lock(), free.lock()].into_iter().flatten().min();
        match first.filter(|first| *first < lock) {
            Some(first) => {
                let branch = |is_held| Self::when(lock, &held.given(first, is_held), &free.given(first, is_held));
                Self::node(first, branch(true), branch(false))
            }
            None => Self::node(lock, held.given(lock, true), free.given(lock, false)),
        }
    }

    /// The decision about a lock that comes before those of both branches.
    fn node(lock: &L, held: Self, free: Self) -> Self {
        if held == free { held } else { Self::When(Arc::new(When { lock: lock.clone(), held, free })) }
    }

    fn lock(&self) -> Option<&L> {
        match self {
            Self::Basic(_) => None,
            Self::When(when) => Some(&when.lock),
        }
    }

    /// What it is where it is known whether a lock is held.
    #[must_use]
    pub fn given(&self, lock: &L, is_held: bool) -> Self {
        match self {
            Self::When(when) if when.lock == *lock => if is_held { &when.held } else { &when.free }.clone(),
            Self::When(when) if when.lock < *lock => {
                Self::node(&when.lock, when.held.given(lock, is_held), when.free.given(lock, is_held))
            }
            other => other.clone(),
        }
    }

    /// Its meaning: the basic atomicity for the locks that are held.
    #[must_use]
    pub fn eval(&self, is_held: &dyn Fn(&L) -> bool) -> Basic {
        match self {
            Self::Basic(basic) => *basic,
            Self::When(when) => if is_held(&when.lock) { &when.held } else { &when.free }.eval(is_held),
        }
    }

    /// The locks that it depends on, in order, each once.
    #[must_use]
    pub fn locks(&self) -> Vec<L> {
        let mut locks = Vec::new();
        self.add_locks(&mut locks);
        locks.sort_unstable();
        locks.dedup();
        locks
    }

    fn add_locks(&self, locks: &mut Vec<L>) {
        if let Self::When(when) = self {
            locks.push(when.lock.clone());
            when.held.add_locks(locks);
            when.free.add_locks(locks);
        }
    }

    fn combine(&self, other: &Self, operation: fn(Basic, Basic) -> Basic) -> Self {
        if let (Self::Basic(a), Self::Basic(b)) = (self, other) {
            return Self::Basic(operation(*a, *b));
        }
        let Some(lock) = [self.lock(), other.lock()].into_iter().flatten().min() else { return self.clone() };
        let branch = |is_held| self.given(lock, is_held).combine(&other.given(lock, is_held), operation);
        Self::node(lock, branch(true), branch(false))
    }

    /// `self ; next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        self.combine(next, Basic::then)
    }

    /// `self ⊔ other`.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        self.combine(other, Basic::join)
    }

    /// `self*`.
    #[must_use]
    pub fn repeated(&self) -> Self {
        self.combine(self, |a, _| a.repeated())
    }

    /// Whether `self ⊑ other` for every set of locks.
    #[must_use]
    pub fn is_below(&self, other: &Self) -> bool {
        self.join(other) == *other
    }

    /// Taking a lock, this, and giving the lock back: the operation `S(l, a)`. A lock that is held already stays so.
    #[must_use]
    pub fn synchronized(&self, lock: &L) -> Self {
        let (body, [right, left]) = (self.given(lock, true), [Basic::Right, Basic::Left].map(Self::Basic));
        Self::when(lock, &body, &right.then(&body).then(&left))
    }

    /// What it is where its locks have other names: at a call, in the caller's terms.
    #[must_use]
    pub fn renamed<M: Ord + Clone>(&self, known: &dyn Fn(&L) -> Known<M>) -> Atomicity<M> {
        match self {
            Self::Basic(basic) => Atomicity::Basic(*basic),
            Self::When(when) => {
                let held = || when.held.renamed(known);
                match known(&when.lock) {
                    Known::Held => held(),
                    Known::Renamed(lock) => Atomicity::when(&lock, &held(), &when.free.renamed(known)),
                    Known::Unknown => held().join(&when.free.renamed(known)),
                }
            }
        }
    }

    /// At least this, and dependent on no other locks than these.
    #[must_use]
    pub fn within(&self, kept: &[L]) -> Self {
        let forget = |a: Self, lock: &L| a.given(lock, true).join(&a.given(lock, false));
        self.locks().iter().filter(|lock| !kept.contains(lock)).fold(self.clone(), forget)
    }

    /// At least this, and dependent on no more than so many locks, the first ones.
    #[must_use]
    pub fn bounded(self, n_locks: usize) -> Self {
        if matches!(self, Self::Basic(_)) {
            return self;
        }
        let locks = self.locks();
        if locks.len() > n_locks { self.within(&locks[..n_locks]) } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type A = Atomicity<u8>;
    /// Locks of the tests; each set of them is a number below [`SETS`].
    const LOCKS: [u8; 3] = [0, 1, 2];
    const SETS: u8 = 1 << LOCKS.len();

    fn meaning(a: &A) -> Vec<Basic> {
        (0..SETS).map(|set| a.eval(&|lock| set & 1 << lock != 0)).collect()
    }

    /// The tree of a function, by the order in which `locks` are decided.
    fn tree(of: &dyn Fn(u8) -> Basic, locks: &[u8], set: u8) -> A {
        match locks {
            [] => A::Basic(of(set)),
            [lock, rest @ ..] => A::when(lock, &tree(of, rest, set | 1 << lock), &tree(of, rest, set)),
        }
    }

    /// The constants of Knuth's MMIX generator.
    fn next(seed: &mut u64) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize
    }

    fn any(seed: &mut u64) -> A {
        let values: Vec<Basic> = (0..SETS).map(|_| Basic::ALL[next(seed) % 7]).collect();
        // Some depend on few locks.
        let relevant = next(seed) as u8 % SETS;
        tree(&|set| values[usize::from(set & relevant)], &LOCKS, 0)
    }

    #[test]
    fn equal_functions_are_equal_trees() {
        let mut seed = 1;
        for _ in 0..2000 {
            let values: Vec<Basic> = (0..SETS).map(|_| Basic::ALL[next(&mut seed) % 2]).collect();
            let of = |set: u8| values[usize::from(set)];
            let trees = [[0, 1, 2], [2, 1, 0], [1, 0, 2]].map(|order| tree(&of, &order, 0));
            assert_eq!((&trees[0], &trees[0]), (&trees[1], &trees[2]));
            assert_eq!(meaning(&trees[0]), values);
            let depends = |lock: &u8| (0..SETS).any(|set| of(set) != of(set ^ (1 << lock)));
            assert_eq!(trees[0].locks(), LOCKS.into_iter().filter(depends).collect::<Vec<_>>());
        }
    }

    #[test]
    fn operations_work_on_every_set_of_locks() {
        let mut seed = 2;
        for _ in 0..3000 {
            let (a, b) = (any(&mut seed), any(&mut seed));
            let pointwise = |operation: fn(Basic, Basic) -> Basic| -> Vec<Basic> {
                meaning(&a).into_iter().zip(meaning(&b)).map(|(a, b)| operation(a, b)).collect()
            };
            assert_eq!(meaning(&a.then(&b)), pointwise(Basic::then));
            assert_eq!(meaning(&a.join(&b)), pointwise(Basic::join));
            assert_eq!(meaning(&a.repeated()), meaning(&a).into_iter().map(Basic::repeated).collect::<Vec<_>>());
            assert_eq!(a.is_below(&b), meaning(&a).into_iter().zip(meaning(&b)).all(|(a, b)| a.is_below(b)));
            for lock in LOCKS {
                let with = |set: u8| set | 1 << lock;
                let choose = |set: u8| if set & 1 << lock != 0 { meaning(&a) } else { meaning(&b) }[usize::from(set)];
                assert_eq!(meaning(&A::when(&lock, &a, &b)), (0..SETS).map(choose).collect::<Vec<_>>());
                let section = |set: u8| {
                    let body = meaning(&a)[usize::from(with(set))];
                    if set == with(set) { body } else { Basic::Right.then(body).then(Basic::Left) }
                };
                assert_eq!(meaning(&a.synchronized(&lock)), (0..SETS).map(section).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn operations_are_associative_and_monotone() {
        let mut seed = 3;
        for _ in 0..3000 {
            let (a, b, c) = (any(&mut seed), any(&mut seed), any(&mut seed));
            assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            assert_eq!(a.join(&b).join(&c), a.join(&b.join(&c)));
            assert_eq!((a.join(&b), a.join(&a)), (b.join(&a), a.clone()));
            let more = a.join(&b);
            assert!(a.then(&c).is_below(&more.then(&c)) && c.then(&a).is_below(&c.then(&more)));
            assert!(a.repeated().is_below(&more.repeated()));
            assert!(a.synchronized(&1).is_below(&more.synchronized(&1)));
            assert!(A::when(&1, &a, &c).is_below(&A::when(&1, &more, &c)));
            assert!(a.is_below(&a.clone().bounded(1)) && a.clone().bounded(1).locks().len() <= 1);
        }
    }

    /// The table of `algorithms.md`, section 11.3.
    #[test]
    fn critical_sections_are_those_of_the_table() {
        use Basic::{Atomic, Compound, Const, Error, Left, Mover, Right};
        let table = [
            (Const, Atomic),
            (Mover, Atomic),
            (Left, Atomic),
            (Right, Atomic),
            (Atomic, Atomic),
            (Compound, Compound),
            (Error, Error),
        ];
        for (body, free) in table {
            let expected = A::when(&1, &A::Basic(body), &A::Basic(free));
            assert_eq!(A::Basic(body).synchronized(&1), expected);
            // The lock is held inside, and another one decides as it did.
            let guarded = A::when(&1, &A::Basic(body), &A::Basic(Error));
            assert_eq!(guarded.synchronized(&1), expected);
            let other = A::when(&0, &A::Basic(body), &A::Basic(Error));
            let error = A::Basic(Error);
            assert_eq!(other.synchronized(&1), A::when(&0, &expected, &error));
        }
    }

    #[test]
    fn locks_get_the_names_of_the_caller() {
        let mut seed = 4;
        for _ in 0..2000 {
            let a = any(&mut seed);
            let known = |lock: &u8| match lock {
                0 => Known::Held,
                1 => Known::Renamed(7_u8),
                _ => Known::Unknown,
            };
            let renamed = a.renamed(&known);
            for is_held in [false, true] {
                let at = |last| a.eval(&|lock| [true, is_held, last][usize::from(*lock)]);
                assert_eq!(renamed.eval(&|lock| *lock == 7 && is_held), at(false).join(at(true)));
            }
        }
    }
}
