//! Where the arguments of a call lie on the stack.

use classfile::descriptor::{FieldType, Parameters};

/// How many slots lie above the object that a method is called on, or above its first argument if it is static and that is an object;
/// none if the stack instructions that bring up what is below them do not reach so deep: three slots, of which a `long` or `double`
/// has to be the last two.
pub(crate) fn slots_above(descriptor: &[u8], is_static: bool) -> Option<usize> {
    let mut parameters = Parameters::of(descriptor);
    if is_static && !parameters.next()?.is_reference() {
        return None;
    }
    let lowest = parameters.clone().next().map_or(0, |lowest| lowest.slots());
    let slots = parameters.by_ref().map(|parameter| parameter.slots()).sum();
    parameters.result()?;
    is_in_reach(slots, lowest).then_some(slots)
}

/// Whether stack instructions bring up what so many slots lie above, the lowest of which are those of one value.
const fn is_in_reach(slots: usize, lowest: usize) -> bool {
    slots < 3 || slots == 3 && lowest == 1
}

/// The arguments that are objects and within reach, by their class, and how many slots lie above them.
pub(crate) fn objects(descriptor: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let types: Vec<FieldType<'_>> = Parameters::of(descriptor).collect();
    (0..types.len()).filter_map(move |n| {
        let above = &types[n + 1..];
        let slots = above.iter().map(FieldType::slots).sum();
        let is_wanted = types[n].dimensions == 0 && is_in_reach(slots, above.first().map_or(0, FieldType::slots));
        Some((types[n].class()?, slots)).filter(|_| is_wanted)
    })
}

/// In which slot, counted from that of the first argument, the argument with this number is, if it is a reference.
pub(crate) fn reference_slot(descriptor: &[u8], n: usize) -> Option<usize> {
    let mut parameters = Parameters::of(descriptor);
    let slot = parameters.by_ref().take(n).map(|parameter| parameter.slots()).sum();
    parameters.next()?.is_reference().then_some(slot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_at_their_depth() {
        let found = |descriptor| objects(descriptor).collect::<Vec<_>>();
        assert_eq!(found(b"(La;I[Lb;Lc;)V"), [(&b"a"[..], 3), (b"c", 0)]);
        assert_eq!(found(b"(La;JI)V"), []);
        assert_eq!(found(b"(La;IJLb;)V"), [(&b"b"[..], 0)]);
    }

    #[test]
    fn what_lies_deep_is_out_of_reach() {
        assert_eq!(slots_above(b"()V", false), Some(0));
        assert_eq!(slots_above(b"(J)V", false), Some(2));
        assert_eq!(slots_above(b"(IJ)V", false), Some(3));
        assert_eq!(slots_above(b"(JI)V", false), None);
        assert_eq!(slots_above(b"(IIII)V", false), None);
        assert_eq!(slots_above(b"([JIIJ)V", true), None);
        assert_eq!(slots_above(b"([IIII)V", true), Some(3));
        assert_eq!(slots_above(b"(I)V", true), None);
        assert_eq!(slots_above(b"()V", true), None);
    }
}
