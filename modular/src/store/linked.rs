//! Entries of parts of a program, each as the bytes of a file that is the same whenever it is made of the same.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Store;
use super::facts::hash;

/// What such a file begins with, and which form follows.
const MAGIC: [u8; 8] = *b"jrace\0s1";
/// A name and the length of its entry.
const HEAD: usize = size_of::<u128>() + size_of::<u64>();

/// The entries of a part, as they were read.
#[derive(Debug)]
pub struct Part {
    bytes: Vec<u8>,
    entries: FxHashMap<u128, Range<usize>>,
}

impl Part {
    /// From bytes; none if they are damaged. What is damaged inside of an entry is found when that is taken.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let mut entries = FxHashMap::default();
        let n_entries = number(bytes.strip_prefix(&MAGIC)?)?;
        let heads = bytes.get(MAGIC.len() + size_of::<u64>()..)?;
        let (heads, rest) = heads.split_at_checked(n_entries.checked_mul(HEAD)?)?;
        let (sum, payload) = rest.split_first_chunk()?;
        if u128::from_le_bytes(*sum) != hash(heads) {
            return None;
        }
        let mut at = bytes.len() - payload.len();
        for head in heads.chunks_exact(HEAD) {
            let (name, length) = head.split_first_chunk()?;
            let end = at.checked_add(number(length)?).filter(|end| *end <= bytes.len())?;
            entries.insert(u128::from_le_bytes(*name), at..end);
            at = end;
        }
        (at == bytes.len()).then_some(Self { bytes, entries })
    }

    /// Some entries, by their names, as bytes.
    #[must_use]
    pub fn bytes(entries: &BTreeMap<u128, Vec<u8>>) -> Vec<u8> {
        let mut heads = Vec::with_capacity(entries.len() * HEAD);
        for (name, entry) in entries {
            heads.extend(name.to_le_bytes());
            heads.extend((entry.len() as u64).to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend((entries.len() as u64).to_le_bytes());
        bytes.extend(&heads);
        bytes.extend(hash(&heads).to_le_bytes());
        entries.values().for_each(|entry| bytes.extend(entry));
        bytes
    }

    /// The entry of a name.
    #[must_use]
    pub fn get(&self, name: u128) -> Option<&[u8]> {
        self.entries.get(&name).map(|range| &self.bytes[range.clone()])
    }
}

fn number(bytes: &[u8]) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()
}

/// Parts that are linked, and what is made besides.
#[derive(Default)]
pub struct Linked<'s> {
    /// The parts.
    pub parts: Vec<Part>,
    /// What is asked first, and where what is made goes, too.
    pub own: Option<&'s dyn Store>,
    /// What was made, as no part has it.
    pub made: RefCell<BTreeMap<u128, Vec<u8>>>,
}

impl Store for Linked<'_> {
    fn get(&self, name: u128) -> Vec<Vec<u8>> {
        let own = self.own.map(|own| own.get(name)).unwrap_or_default();
        let of_parts = self.parts.iter().filter_map(|part| part.get(name)).map(<[u8]>::to_vec);
        own.into_iter().chain(of_parts).collect()
    }

    fn put(&self, name: u128, entry: Vec<u8>) {
        match self.own {
            Some(own) => own.put(name, entry),
            None => drop(self.made.borrow_mut().insert(name, entry)),
        }
    }
}
