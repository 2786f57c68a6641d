//! Method descriptors (JVMS 4.3.3), as far as stack slots go.

/// Length in bytes of the type at the front of `text`.
pub(crate) fn type_length(text: &[u8]) -> Option<usize> {
    let dimensions = text.iter().take_while(|byte| **byte == b'[').count();
    match text.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => text.iter().position(|byte| *byte == b';').map(|end| end + 1),
        _ => None,
    }
}

/// Slots of a value of the type at the front of `text`.
fn type_slots(text: &[u8]) -> usize {
    match text.first() {
        Some(b'J' | b'D') => 2,
        Some(b'V') | None => 0,
        _ => 1,
    }
}

/// Slots of the arguments, without a receiver, and of the result.
pub(crate) fn method_slots(descriptor: &[u8]) -> Option<(usize, usize)> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut arguments = 0;
    loop {
        if let Some(result) = rest.strip_prefix(b")") {
            return Some((arguments, type_slots(result)));
        }
        arguments += type_slots(rest);
        rest = &rest[type_length(rest)?..];
    }
}

/// How many slots lie above the object that a method is called on, or above its first argument if it is static and that is an object;
/// none if the stack instructions that bring up what is below them do not reach so deep: three slots, of which a `long` or `double`
/// has to be the last two.
pub(crate) fn slots_above(descriptor: &[u8], is_static: bool) -> Option<usize> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    if is_static {
        rest = rest.get(type_length(rest).filter(|_| rest.starts_with(b"[") || rest.starts_with(b"L"))?..)?;
    }
    let (mut slots, mut lowest) = (0, 0);
    while !rest.starts_with(b")") {
        if slots == 0 {
            lowest = type_slots(rest);
        }
        slots += type_slots(rest);
        rest = &rest[type_length(rest)?..];
    }
    (slots < 3 || slots == 3 && lowest == 1).then_some(slots)
}

/// How many parameters there are, without a receiver.
pub(crate) fn n_parameters(descriptor: &[u8]) -> Option<usize> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut count = 0;
    while !rest.starts_with(b")") {
        rest = &rest[type_length(rest)?..];
        count += 1;
    }
    Some(count)
}

/// In which slot, counted from that of the first argument, the argument with this number is, if it is a reference.
pub(crate) fn reference_slot(descriptor: &[u8], n: usize) -> Option<usize> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut slot = 0;
    for _ in 0..n {
        slot += type_slots(rest);
        rest = &rest[type_length(rest)?..];
    }
    matches!(rest.first(), Some(b'L' | b'[')).then_some(slot)
}

/// Slots of a field.
pub(crate) fn field_slots(descriptor: &[u8]) -> usize {
    type_slots(descriptor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_counted() {
        assert_eq!(method_slots(b"(IJ[[DLjava/lang/String;)V"), Some((5, 0)));
        assert_eq!(n_parameters(b"(IJ[[DLjava/lang/String;)V"), Some(4));
        assert_eq!(n_parameters(b"(["), None);
        assert_eq!(method_slots(b"()D"), Some((0, 2)));
        assert_eq!(method_slots(b"(Lx"), None);
        assert_eq!(method_slots(b"(["), None);
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
