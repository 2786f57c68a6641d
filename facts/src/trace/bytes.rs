//! Varints and slices of a block's payload.

/// Appends a number: seven bits a byte, the lowest first.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends the difference of two numbers; small ones of either sign take one byte.
pub(super) fn put_difference(out: &mut Vec<u8>, from: u64, to: u64) {
    let difference = to.wrapping_sub(from).cast_signed();
    put(out, ((difference << 1) ^ (difference >> 63)).cast_unsigned());
}

/// What is left of a payload. Every method returns `None` when the bytes are not what the format allows.
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (slice, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(slice)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn number_as<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    /// The number that differs from another by the difference that comes next.
    pub(super) fn after(&mut self, from: u64) -> Option<u64> {
        let zigzag = self.number()?;
        let difference = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
        Some(from.wrapping_add(difference))
    }

    pub(super) fn after_as(&mut self, from: u32) -> Option<u32> {
        u32::try_from(self.after(from.into())?).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, from: u64) {
            let mut out = Vec::new();
            put(&mut out, number);
            put_difference(&mut out, from, number);
            let mut bytes = Bytes(&out);
            prop_assert_eq!((bytes.number(), bytes.after(from), bytes.byte()), (Some(number), Some(number), None));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let mut rest = Bytes(&bytes);
            while rest.number().is_some() {}
        }
    }

    #[test]
    fn numbers_beyond_64_bits_are_refused() {
        assert_eq!(Bytes(&[0xff; 10]).number(), None);
        assert_eq!(Bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]).number(), None);
        assert_eq!(Bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]).number(), Some(u64::MAX));
    }
}
