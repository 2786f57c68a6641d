//! How sure findings are, and what follows from it for their order.
//!
//! What no check has graded stands behind what is certain: Eraser knows that no lock is held at both accesses, as is so of a possible
//! race, and not whether anything ordered them.

use facts::finding::Grade;

/// Findings that stand together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// What is certain, and what no check has graded.
    Races,
    /// What is possible.
    Possible,
    /// What is unlikely.
    Unlikely,
}

impl Part {
    /// That of findings with such a race as their surest.
    pub const fn of(grade: Option<Grade>) -> Self {
        match grade {
            Some(Grade::Certain) | None => Self::Races,
            Some(Grade::Possible) => Self::Possible,
            Some(Grade::Unlikely) => Self::Unlikely,
        }
    }

    /// What a race of it is called.
    pub const fn race(self) -> &'static str {
        match self {
            Self::Races => "race",
            Self::Possible => "possible race",
            Self::Unlikely => "unlikely race",
        }
    }

    /// How sure it is, in a word; nothing of what is as sure as can be.
    pub const fn doubt(self) -> Option<&'static str> {
        match self {
            Self::Races => None,
            Self::Possible => Some("possible"),
            Self::Unlikely => Some("unlikely"),
        }
    }
}

/// What the heading over unlikely races says of them.
pub const OF_UNLIKELY: &str = "These accesses hold no lock in common, but the later thread had found, under a lock, what the earlier one had \
                               left there under it: a message in a queue, a flag that is set. Most often an object is handed over so, and \
                               nothing is wrong. It is a race if the later thread would do the same without having found it.";

/// What the heading over possible races says of them.
pub const OF_POSSIBLE: &str = "These accesses hold no lock in common: only the order in which threads took locks, or in which tasks and \
                           requests came (--tasks), kept them apart in this run, and another run may have another order. Of large \
                           arrays, it may not be known whether both accesses were to the same element.";

/// The surer, the smaller.
pub fn rank(grade: Option<Grade>) -> u8 {
    match grade {
        Some(Grade::Certain) => 0,
        None => 1,
        Some(Grade::Possible) => 2,
        Some(Grade::Unlikely) => 3,
    }
}

/// The surest of some grades; `None` of none, too.
pub fn surest(grades: impl IntoIterator<Item = Option<Grade>>) -> Option<Grade> {
    grades.into_iter().min_by_key(|grade| rank(*grade)).flatten()
}

/// Whether locks ordered the accesses.
pub fn is_doubtful(grade: Option<Grade>) -> bool {
    Part::of(grade) > Part::Races
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_graded_stands_behind_what_is_certain() {
        let [certain, ungraded, possible, unlikely] =
            [Some(Grade::Certain), None, Some(Grade::Possible), Some(Grade::Unlikely)];
        assert_eq!(surest([possible, ungraded, certain]), certain);
        assert_eq!(surest([possible, ungraded]), ungraded);
        assert_eq!(surest([possible, possible]), possible);
        assert_eq!(surest([unlikely, possible]), possible);
        assert_eq!(surest([]), ungraded);
    }
}
