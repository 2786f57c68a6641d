//! Where the arguments of a call lie on the stack.

use classfile::descriptor::{FieldType, Parameters};

/// How many slots lie above the object that a method is called on, or above its first argument if it is static and that is an object.
pub(crate) fn slots_above(descriptor: &[u8], is_static: bool) -> Option<usize> {
    let mut parameters = Parameters::of(descriptor);
    if is_static && !parameters.next()?.is_reference() {
        return None;
    }
    let slots = parameters.by_ref().map(|parameter| parameter.slots()).sum();
    parameters.result()?;
    Some(slots)
}

/// The arguments in the uppermost slots, so many of them, from below.
pub(crate) fn above(descriptor: &[u8], slots: usize) -> Vec<FieldType<'_>> {
    let mut types: Vec<FieldType<'_>> = Parameters::of(descriptor).collect();
    let (mut first, mut left) = (types.len(), slots);
    while left > 0 && first > 0 {
        first -= 1;
        left = left.saturating_sub(types[first].slots());
    }
    types.split_off(first)
}

/// The arguments that are objects, by their class, and how many slots lie above them.
pub(crate) fn objects(descriptor: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let types: Vec<FieldType<'_>> = Parameters::of(descriptor).collect();
    (0..types.len()).filter_map(move |n| {
        let slots = types[n + 1..].iter().map(FieldType::slots).sum();
        Some((types[n].class()?, slots)).filter(|_| types[n].dimensions == 0)
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
        assert_eq!(found(b"(La;IJLb;)V"), [(&b"a"[..], 4), (b"b", 0)]);
    }

    #[test]
    fn arguments_lie_above_the_object() {
        assert_eq!(slots_above(b"()V", false), Some(0));
        assert_eq!(slots_above(b"(JI)V", false), Some(3));
        assert_eq!(slots_above(b"([JIIJ)V", true), Some(4));
        assert_eq!(slots_above(b"(I)V", true), None);
        assert_eq!(slots_above(b"()V", true), None);
        let of = |slots| above(b"(La;J[JID)V", slots).iter().map(|ty| ty.text).collect::<Vec<_>>();
        assert_eq!(of(0), [b""; 0]);
        assert_eq!(of(3), [&b"I"[..], b"D"]);
        assert_eq!(of(6), [&b"J"[..], b"[J", b"I", b"D"]);
        assert_eq!(of(7), [&b"La;"[..], b"J", b"[J", b"I", b"D"]);
    }
}
