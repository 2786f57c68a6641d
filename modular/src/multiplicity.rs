//! How many run-time things an abstract one stands for (paper 003, section 2.2).

/// How many: of objects, of threads, of runs of an instruction.
///
/// They are ordered by how much they take away: a summary that says [`Unknown`](Self::Unknown) leaves it to the caller, and
/// nothing takes back [`Many`](Self::Many).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Multiplicity {
    /// `?`: as many as the method that it is in is run.
    #[default]
    Unknown,
    /// `1`: one in the whole run.
    One,
    /// `*`: perhaps more than one.
    Many,
}

impl Multiplicity {
    /// What is so many in something that is so many itself: the operator of figure 1, which is the join of the order above.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        self.max(other)
    }

    /// Whether there may be two at once.
    #[must_use]
    pub const fn is_many(self) -> bool {
        matches!(self, Self::Many)
    }
}

impl std::fmt::Display for Multiplicity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "?",
            Self::One => "1",
            Self::Many => "*",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Multiplicity::{self, Many, One, Unknown};

    const ALL: [Multiplicity; 3] = [Unknown, One, Many];

    #[test]
    fn it_is_the_table_of_the_paper() {
        let table = [(One, [One, Many, One]), (Many, [Many, Many, Many]), (Unknown, [One, Many, Unknown])];
        for (left, row) in table {
            assert_eq!([One, Many, Unknown].map(|right| left.times(right)), row, "{left}");
        }
    }

    #[test]
    fn it_is_a_semilattice_with_the_unknown_below_and_many_above() {
        for a in ALL {
            assert_eq!((a.times(a), a.times(Unknown), a.times(Many)), (a, a, Many));
            for b in ALL {
                assert_eq!(a.times(b), b.times(a));
                for c in ALL {
                    assert_eq!(a.times(b).times(c), a.times(b.times(c)));
                    assert!(a > b || a.times(c) <= b.times(c), "monotone");
                }
            }
        }
    }
}
