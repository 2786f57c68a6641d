//! Which objects type discovery looks at.
//!
//! Of the objects that a site is the first to access, the first eight are **sampled**, and the n-th of those that come later with
//! probability 8/n, by a hash of the seed, the site and n: about `8 + 8 ln(n/8)` objects in all. Sites in constructors stand for
//! allocation sites. The same objects in the same order with the same seed give the same sample.

use facts::index::SiteId;
use rustc_hash::FxHashMap;

/// So many objects of each site are sampled for sure.
const FIRST: u64 = 8;

/// Draws the samples, one site at a time.
#[derive(Debug)]
pub struct Sampling {
    seed: u64,
    /// The number of the latest object of a site that was sampled.
    latest: FxHashMap<SiteId, u64>,
}

impl Sampling {
    /// Nothing was drawn yet.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, latest: FxHashMap::default() }
    }

    /// Draws the next sample of a site, whose first object is one: so many objects after the latest.
    pub fn gap(&mut self, site: SiteId) -> u64 {
        let latest = self.latest.entry(site).or_insert(1);
        let from = *latest;
        let seed = self.seed;
        *latest = (from + 1..).find(|n| is_sampled(seed, site, *n)).unwrap_or(u64::MAX);
        *latest - from
    }
}

/// Whether the `n`-th object that a site is the first to access is sampled.
fn is_sampled(seed: u64, site: SiteId, n: u64) -> bool {
    n <= FIRST || mix(mix(seed ^ u64::from(site.0)) ^ n) % n < FIRST
}

/// The finalizer of splitmix64.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(seed: u64, site: u32, n: u64) -> Vec<u64> {
        let mut sampling = Sampling::new(seed);
        let mut next = 1;
        let draw = || {
            let drawn = next;
            next += sampling.gap(SiteId(site));
            drawn
        };
        std::iter::repeat_with(draw).take_while(|drawn| *drawn <= n).collect()
    }

    #[test]
    fn a_few_objects_of_each_site_are_sampled() {
        assert_eq!(sampled(1, 1, 8), (1..=8).collect::<Vec<_>>());
        let of_many = sampled(1, 1, 100_000);
        assert!((60..110).contains(&of_many.len()), "8 + 8 ln(100000 / 8) is 83: {}", of_many.len());
        assert!(of_many.iter().any(|object| *object > 10_000), "not only the first ones");
        assert_eq!(of_many, sampled(1, 1, 100_000));
        assert_ne!(of_many, sampled(2, 1, 100_000));
        assert_ne!(of_many, sampled(1, 2, 100_000));
    }
}
