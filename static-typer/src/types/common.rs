//! What must-facts of several ways have in common.

/// What two sorted lists have in common, as often as both have it.
pub fn common<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
    let mut rest = b.iter().peekable();
    let in_both = a.iter().filter(|item| {
        while rest.next_if(|other| other < item).is_some() {}
        rest.next_if(|other| other == item).is_some()
    });
    in_both.cloned().collect()
}
