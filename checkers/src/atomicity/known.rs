//! What was looked at already, by fingerprints.

use super::fingerprint::{MIXER, mixed};

/// With so many places it begins, as a power of two.
const FIRST_BITS: u32 = 8;

/// Fingerprints of what was looked at; a newcomer takes the place of what was there.
#[derive(Debug)]
pub(super) struct Known {
    fingerprints: Vec<u64>,
    bits: u32,
    /// To which it grows.
    most_bits: u32,
    n_inserted: usize,
    /// How much was kept when something was last looked at, roughly.
    age: u64,
}

impl Known {
    /// With so many places at most, as a power of two.
    pub fn with_bits(most_bits: u32) -> Self {
        Self { fingerprints: vec![0; 1 << FIRST_BITS], bits: FIRST_BITS, most_bits, n_inserted: 0, age: 0 }
    }

    pub fn contains(&self, fingerprint: u64) -> bool {
        self.has(fingerprint) || self.has(mixed(fingerprint, self.age))
    }

    /// Something was looked at, after which so many blocks are kept. If it had no room among them it is looked at again, but only
    /// when an eighth more are kept: there is nothing else that it could be compared with.
    pub fn insert(&mut self, fingerprint: u64, has_room: bool, n_blocks: usize) {
        let bits = n_blocks.max(1).ilog2().saturating_sub(3);
        self.age = (n_blocks >> bits << bits) as u64;
        let fingerprint = if has_room { fingerprint } else { mixed(fingerprint, self.age) };
        self.n_inserted += 1;
        if self.bits < self.most_bits && self.n_inserted > self.fingerprints.len() / 8 {
            self.grow();
        }
        self.put(fingerprint);
    }

    fn grow(&mut self) {
        self.bits = self.most_bits.min(self.bits + 2);
        let old = std::mem::replace(&mut self.fingerprints, vec![0; 1 << self.bits]);
        old.into_iter().filter(|fingerprint| *fingerprint != 0).for_each(|fingerprint| self.put(fingerprint));
    }

    fn put(&mut self, fingerprint: u64) {
        let place = self.place(fingerprint);
        self.fingerprints[place] = fingerprint;
    }

    fn has(&self, fingerprint: u64) -> bool {
        self.fingerprints[self.place(fingerprint)] == fingerprint
    }

    fn place(&self, fingerprint: u64) -> usize {
        (fingerprint.wrapping_mul(MIXER) >> (u64::BITS - self.bits)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_to_its_limit_and_keeps_what_it_knows() {
        let mut known = Known::with_bits(13);
        (1..=1000).for_each(|number| known.insert(mixed(number, MIXER), true, 1));
        let n_known = (1..=1000).filter(|number| known.contains(mixed(*number, MIXER))).count();
        assert!(n_known > 900 && known.fingerprints.len() == 1 << 13, "{n_known}");
    }

    #[test]
    fn what_had_no_room_is_looked_at_again_when_more_is_kept() {
        let mut known = Known::with_bits(8);
        known.insert(7, true, 100);
        known.insert(8, false, 100);
        assert!(known.contains(7) && known.contains(8) && !known.contains(9));
        known.insert(9, true, 103);
        assert!(known.contains(8), "hardly more");
        known.insert(9, true, 120);
        assert!(known.contains(7) && !known.contains(8));
    }
}
