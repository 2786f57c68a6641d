//! Basic atomicities: the lattice of paper 004, section 3.2, with left and right movers apart as Flanagan and Qadeer have them.

use std::fmt;

/// How code commutes with what other threads do at the same time.
///
/// The order is `const ⊑ mover ⊑ {left, right} ⊑ atomic ⊑ cmpd ⊑ error`; left and right movers are not ordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Basic {
    /// It neither depends on nor changes anything mutable.
    Const,
    /// It commutes with what comes before and with what comes after it.
    Mover,
    /// It commutes with what comes before it, like a release.
    Left,
    /// It commutes with what comes after it, like an acquisition.
    Right,
    /// It is as if nothing came in between.
    Atomic,
    /// None of these (`cmpd`).
    Compound,
    /// It breaks the locking discipline that the program claims.
    Error,
}

impl Basic {
    /// Every one, smaller ones first.
    pub const ALL: [Self; 7] =
        [Self::Const, Self::Mover, Self::Left, Self::Right, Self::Atomic, Self::Compound, Self::Error];

    const fn height(self) -> u8 {
        match self {
            Self::Const => 0,
            Self::Mover => 1,
            Self::Left | Self::Right => 2,
            Self::Atomic => 3,
            Self::Compound => 4,
            Self::Error => 5,
        }
    }

    /// Whether this promises at least as much: `self ⊑ other`.
    #[must_use]
    pub fn is_below(self, other: Self) -> bool {
        self == other || self.height() < other.height()
    }

    /// What both promise: `self ⊔ other`.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self.is_below(other), other.is_below(self)) {
            (true, _) => other,
            (_, true) => self,
            // A left and a right mover.
            _ => Self::Atomic,
        }
    }

    /// One after the other: `self ; next`.
    ///
    /// An atomic sequence is right movers, then at most one action that moves in neither direction, then left movers. So
    /// `left ; right` is compound.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Error, _) | (_, Self::Error) => Self::Error,
            (Self::Compound, _) | (_, Self::Compound) => Self::Compound,
            (Self::Left | Self::Atomic, Self::Right | Self::Atomic) => Self::Compound,
            (Self::Right, Self::Left) => Self::Atomic,
            // On one side at most of the action that does not move, the other may be anything that moves its way.
            (a, b) => a.join(b),
        }
    }

    /// Again and again: the iterative closure `self*`.
    #[must_use]
    pub const fn repeated(self) -> Self {
        match self {
            Self::Atomic => Self::Compound,
            other => other,
        }
    }

    /// Whether an execution is as if nothing came in between.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        self.is_below(Self::Atomic)
    }
}

impl fmt::Display for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Const => "const",
            Self::Mover => "mover",
            Self::Left => "left mover",
            Self::Right => "right mover",
            Self::Atomic => "atomic",
            Self::Compound => "cmpd",
            Self::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Basic::{self, Atomic, Compound, Const, Error, Left, Mover, Right};

    fn pairs() -> impl Iterator<Item = (Basic, Basic)> {
        Basic::ALL.into_iter().flat_map(|a| Basic::ALL.into_iter().map(move |b| (a, b)))
    }

    fn triples() -> impl Iterator<Item = (Basic, Basic, Basic)> {
        pairs().flat_map(|(a, b)| Basic::ALL.into_iter().map(move |c| (a, b, c)))
    }

    /// The tables of `algorithms.md`, section 11.1.
    #[test]
    fn sequences_are_those_of_the_table() {
        let columns = [Mover, Left, Right, Atomic, Compound];
        let rows = [
            (Mover, [Mover, Left, Right, Atomic, Compound]),
            (Right, [Right, Atomic, Right, Atomic, Compound]),
            (Left, [Left, Left, Compound, Compound, Compound]),
            (Atomic, [Atomic, Atomic, Compound, Compound, Compound]),
            (Compound, [Compound; 5]),
        ];
        for (first, row) in rows {
            for (second, expected) in columns.into_iter().zip(row) {
                assert_eq!(first.then(second), expected, "{first} ; {second}");
            }
        }
        for a in Basic::ALL {
            assert_eq!((Const.then(a), a.then(Const)), (a, a));
            assert_eq!((Error.then(a), a.then(Error)), (Error, Error));
        }
    }

    #[test]
    fn they_are_a_lattice() {
        for (a, b) in pairs() {
            assert_eq!(a.is_below(b), a.join(b) == b, "{a} {b}");
            assert_eq!(a.join(b), b.join(a));
            assert_eq!(a.is_below(b) && b.is_below(a), a == b);
        }
        for (a, b, c) in triples() {
            assert_eq!(a.join(b).join(c), a.join(b.join(c)));
            assert!(!(a.is_below(b) && b.is_below(c)) || a.is_below(c));
            // Nothing smaller is above both.
            assert!(!(a.is_below(c) && b.is_below(c)) || a.join(b).is_below(c));
        }
    }

    /// Composition distributes over joins, so a forward analysis that joins where paths meet is exact.
    #[test]
    fn sequences_are_associative_and_distributive() {
        for (a, b, c) in triples() {
            assert_eq!(a.then(b).then(c), a.then(b.then(c)), "{a} {b} {c}");
            assert_eq!(a.join(b).then(c), a.then(c).join(b.then(c)), "({a} or {b}) ; {c}");
            assert_eq!(c.then(a.join(b)), c.then(a).join(c.then(b)), "{c} ; ({a} or {b})");
            assert!(a.is_below(a.then(b)) && b.is_below(a.then(b)));
        }
    }

    /// The closure is the least that covers one round and absorbs another.
    #[test]
    fn closures_are_the_least() {
        for a in Basic::ALL {
            let is_closed = |b: &Basic| a.is_below(*b) && b.then(*b).is_below(*b);
            let least = Basic::ALL.into_iter().filter(is_closed).reduce(|b, c| if b.is_below(c) { b } else { c });
            assert_eq!(Some(a.repeated()), least, "{a}*");
            Basic::ALL.into_iter().filter(|b| a.is_below(*b)).for_each(|b| {
                assert!(a.repeated().is_below(b.repeated()), "{a}* {b}*");
            });
        }
    }
}
