//! Hashes by which a transaction is known again.
//!
//! A thread's events are one sequence, and those of each of its open transactions are a tail of it. So one polynomial is kept for
//! the thread, and that of a tail told from the two at its ends, however many transactions are open; after Karp and Rabin,
//! "Efficient randomized pattern-matching algorithms" (1987).

use std::hash::{BuildHasher as _, Hash};

use rustc_hash::FxBuildHasher;

/// The prime of the field: 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// An element of the field, without pattern.
const BASE: u64 = 0x1E37_79B9_7F4A_7C15;

/// An odd number with bits all over.
pub(super) const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A sequence of parts so far.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Sequence {
    polynomial: u64,
    length: u64,
}

impl Sequence {
    pub fn push(&mut self, part: u64) {
        let next = u128::from(self.polynomial) * u128::from(BASE) + u128::from(part);
        self.polynomial = reduced(next);
        self.length += 1;
    }

    /// What came since an earlier moment, as a hash.
    pub fn since(self, earlier: Self) -> u64 {
        let length = self.length - earlier.length;
        let before = times(earlier.polynomial, power(length));
        mixed((self.polynomial + PRIME - before) % PRIME, length)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "both halves fit")]
fn reduced(number: u128) -> u64 {
    let once = (number as u64 & PRIME) + (number >> 61) as u64;
    let twice = (once & PRIME) + (once >> 61);
    if twice < PRIME { twice } else { twice - PRIME }
}

fn times(one: u64, other: u64) -> u64 {
    reduced(u128::from(one) * u128::from(other))
}

/// The base to this power.
fn power(mut exponent: u64) -> u64 {
    let (mut result, mut square) = (1, BASE);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        exponent /= 2;
    }
    result
}

/// The hash of one part.
pub(super) fn hash(part: impl Hash) -> u64 {
    FxBuildHasher.hash_one(part)
}

pub(super) fn mixed(one: u64, other: u64) -> u64 {
    let both = (one.rotate_left(29) ^ other).wrapping_mul(MIXER);
    both ^ both >> 32
}

/// The hash of an element of a set: those of its elements can be added.
pub(super) fn of_element(part: impl Hash) -> u64 {
    mixed(mixed(hash(part), MIXER), MIXER)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sequence(parts: &[u64]) -> Sequence {
        let mut sequence = Sequence::default();
        parts.iter().for_each(|part| sequence.push(*part));
        sequence
    }

    proptest! {
        /// A tail has the same hash wherever it stands, and another sequence has another.
        #[test]
        fn tails_tell_what_they_are(before in prop::collection::vec(0..3_u64, 0..9), parts in prop::collection::vec(0..3_u64, 0..9)) {
            let tail = sequence(&[before.clone(), parts.clone()].concat()).since(sequence(&before));
            prop_assert_eq!(tail, sequence(&parts).since(Sequence::default()));
            prop_assert_eq!(tail == sequence(&before).since(Sequence::default()), parts == before);
        }
    }
}
