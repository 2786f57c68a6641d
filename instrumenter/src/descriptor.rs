//! Where the arguments of a call lie on the stack.

use classfile::descriptor::Parameters;

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
    (slots < 3 || slots == 3 && lowest == 1).then_some(slots)
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
