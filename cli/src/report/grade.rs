//! How sure findings are, and what follows from it for their order.
//!
//! What no check has graded stands between the two grades: Eraser knows that no lock is held at both accesses, as is so of a possible
//! race, and not whether anything ordered them.

use facts::finding::Grade;

/// What a race is called.
pub const RACE: &str = "race";

/// What it is called where only locks happened to order the accesses.
pub const POSSIBLE_RACE: &str = "possible race";

/// What the heading over possible races says of them.
pub const MEANING: &str = "These accesses hold no lock in common: only the order in which threads took locks, or in which tasks and \
                           requests came (--tasks), kept them apart in this run, and another run may have another order. Of large \
                           arrays, it may not be known whether both accesses were to the same element.";

/// The surer, the smaller.
pub fn rank(grade: Option<Grade>) -> u8 {
    match grade {
        Some(Grade::Certain) => 0,
        None => 1,
        Some(Grade::Possible) => 2,
    }
}

/// The surest of some grades; `None` of none, too.
pub fn surest(grades: impl IntoIterator<Item = Option<Grade>>) -> Option<Grade> {
    grades.into_iter().min_by_key(|grade| rank(*grade)).flatten()
}

/// Whether a grade is the weakest.
pub fn is_possible(grade: Option<Grade>) -> bool {
    grade == Some(Grade::Possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_graded_stands_between() {
        let [certain, ungraded, possible] = [Some(Grade::Certain), None, Some(Grade::Possible)];
        assert_eq!(surest([possible, ungraded, certain]), certain);
        assert_eq!(surest([possible, ungraded]), ungraded);
        assert_eq!(surest([possible, possible]), possible);
        assert_eq!(surest([]), ungraded);
    }
}
