//! Sets of abstract objects: sparse bit sets, which are merged a word at a time.

use std::hash::{Hash, Hasher};

use super::id::ObjectId;

/// A set of abstract objects.
#[derive(Clone, Debug)]
pub struct ObjectSet(Words);

/// Blocks of 64 objects.
#[derive(Clone, Debug)]
enum Words {
    /// The number of each block that is not empty, sorted.
    Few(Vec<(u32, u64)>),
    /// Every block up to the last one.
    Many(Vec<u64>),
}

/// More blocks than this are found faster by their place, if that takes no more memory.
const FEW: usize = 32;

/// The block of an object and its bit there.
const fn place(object: ObjectId) -> (u32, u64) {
    (object.0 / 64, 1 << (object.0 % 64))
}

/// A block of a dense set, which grows to have it.
fn at(words: &mut Vec<u64>, block: u32) -> &mut u64 {
    let block = block as usize;
    if words.len() <= block {
        words.resize(block + 1, 0);
    }
    &mut words[block]
}

impl ObjectSet {
    /// The set of nothing.
    pub const EMPTY: Self = Self(Words::Few(Vec::new()));

    /// A set of one object.
    #[must_use]
    pub fn of(object: ObjectId) -> Self {
        Self(Words::Few(vec![place(object)]))
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Words::Few(words) if words.is_empty())
    }

    /// How many objects are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words().map(|(_, word)| word.count_ones() as usize).sum()
    }

    /// How many bytes its blocks take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Words::Few(words) => words.capacity() * size_of::<(u32, u64)>(),
            Words::Many(words) => words.capacity() * size_of::<u64>(),
        }
    }

    /// Whether an object is in it.
    #[must_use]
    pub fn contains(&self, object: ObjectId) -> bool {
        let (block, bit) = place(object);
        self.word(block) & bit != 0
    }

    /// The only object in it.
    #[must_use]
    pub fn only(&self) -> Option<ObjectId> {
        let mut objects = self.iter();
        objects.next().filter(|_| objects.next().is_none())
    }

    /// The objects, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.words().flat_map(|(block, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(ObjectId(block * 64 + bit))
            })
        })
    }

    /// Adds an object; says whether it is new.
    pub fn insert(&mut self, object: ObjectId) -> bool {
        let (block, bit) = place(object);
        self.insert_word(block, bit) != 0
    }

    /// Adds the objects of another set; says whether one is new.
    pub fn insert_all(&mut self, other: &Self) -> bool {
        let new = match (&mut self.0, &other.0) {
            (Words::Many(words), Words::Many(others)) if others.len() <= words.len() => {
                words.iter_mut().zip(others).fold(0, |new, (word, other)| new | add_to(word, *other))
            }
            _ => other.words().fold(0, |new, (block, word)| new | self.insert_word(block, word)),
        };
        new != 0
    }

    /// Whether both have an object in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        if let (Words::Many(words), Words::Many(others)) = (&self.0, &other.0) {
            return words.iter().zip(others).any(|(word, other)| word & other != 0);
        }
        let (from, to) = if self.n_blocks() < other.n_blocks() { (self, other) } else { (other, self) };
        from.words().any(|(block, word)| to.word(block) & word != 0)
    }

    /// The objects that are in this set and not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        if let (Words::Many(words), Words::Many(others)) = (&self.0, &other.0) {
            let mut left = words.clone();
            left.iter_mut().zip(others).for_each(|(word, other)| *word &= !other);
            return Self::of_blocks(left);
        }
        Self::of_words(self.words().map(|(block, word)| (block, word & !other.word(block))))
    }

    /// The objects that are in both sets.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        if let (Words::Many(words), Words::Many(others)) = (&self.0, &other.0) {
            return Self::of_blocks(words.iter().zip(others).map(|(word, other)| word & other).collect());
        }
        let (from, in_both) = if self.n_blocks() < other.n_blocks() { (self, other) } else { (other, self) };
        Self::of_words(from.words().map(|(block, word)| (block, word & in_both.word(block))))
    }

    /// The objects that are in one of both sets.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let (mut all, others) =
            if self.n_blocks() < other.n_blocks() { (other.clone(), self) } else { (self.clone(), other) };
        all.insert_all(others);
        all.shrink();
        all
    }

    /// The set of blocks in ascending order, some of which may be empty.
    fn of_words(words: impl Iterator<Item = (u32, u64)>) -> Self {
        let mut set = Self(Words::Few(words.filter(|(_, word)| *word != 0).collect()));
        set.arrange();
        set.shrink();
        set
    }

    /// The set of every block up to the last one, stored as [`Self::of_words`] would.
    fn of_blocks(mut words: Vec<u64>) -> Self {
        words.truncate(words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1));
        let n_words = words.iter().filter(|word| **word != 0).count();
        if n_words > FEW && words.len() <= 2 * n_words {
            words.shrink_to_fit();
            return Self(Words::Many(words));
        }
        let numbered = (0..).zip(words).filter(|(_, word)| *word != 0);
        let mut few = Vec::with_capacity(n_words);
        few.extend(numbered);
        Self(Words::Few(few))
    }

    fn shrink(&mut self) {
        match &mut self.0 {
            Words::Few(words) => words.shrink_to_fit(),
            Words::Many(words) => words.shrink_to_fit(),
        }
    }

    /// How many blocks are looked at to see all.
    const fn n_blocks(&self) -> usize {
        match &self.0 {
            Words::Few(words) => words.len(),
            Words::Many(words) => words.len(),
        }
    }

    /// The blocks that are not empty.
    fn words(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let (few, many) = match &self.0 {
            Words::Few(words) => (&words[..], &[][..]),
            Words::Many(words) => (&[][..], &words[..]),
        };
        let many = many.iter().enumerate().map(|(block, word)| (block as u32, *word));
        few.iter().copied().chain(many.filter(|(_, word)| *word != 0))
    }

    /// Adds objects of one block; returns those that are new.
    fn insert_word(&mut self, block: u32, word: u64) -> u64 {
        match &mut self.0 {
            Words::Many(words) if (block as usize) < 2 * words.len() => add_to(at(words, block), word),
            Words::Many(_) => {
                self.0 = Words::Few(self.words().collect());
                self.insert_word(block, word)
            }
            Words::Few(words) => match words.binary_search_by_key(&block, |(block, _)| *block) {
                Ok(at) => add_to(&mut words[at].1, word),
                Err(_) if word == 0 => 0,
                Err(at) => {
                    words.insert(at, (block, word));
                    self.arrange();
                    word
                }
            },
        }
    }

    /// Keeps every block where most are not empty.
    fn arrange(&mut self) {
        let Words::Few(words) = &self.0 else { return };
        let end = words.last().map_or(0, |(block, _)| *block as usize + 1);
        if words.len() > FEW && end <= 2 * words.len() {
            let mut many = vec![0; end];
            words.iter().for_each(|(block, word)| many[*block as usize] = *word);
            self.0 = Words::Many(many);
        }
    }

    fn word(&self, block: u32) -> u64 {
        match &self.0 {
            Words::Many(words) => words.get(block as usize).copied().unwrap_or(0),
            Words::Few(words) => {
                let found = words.binary_search_by_key(&block, |(block, _)| *block);
                found.map_or(0, |at| words[at].1)
            }
        }
    }
}

/// Adds objects to a block; returns those that are new.
const fn add_to(block: &mut u64, word: u64) -> u64 {
    let new = word & !*block;
    *block |= word;
    new
}

impl Default for ObjectSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq for ObjectSet {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Words::Few(words), Words::Few(others)) => words == others,
            (Words::Many(words), Words::Many(others)) if words.len() == others.len() => words == others,
            _ => self.words().eq(other.words()),
        }
    }
}

impl Eq for ObjectSet {}

impl Hash for ObjectSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut add = |block: u32, word: u64| {
            state.write_u32(block);
            state.write_u64(word);
        };
        match &self.0 {
            Words::Few(words) => words.iter().for_each(|(block, word)| add(*block, *word)),
            Words::Many(words) => {
                (0..).zip(words).filter(|(_, word)| **word != 0).for_each(|(block, word)| add(block, *word));
            }
        }
    }
}

impl FromIterator<ObjectId> for ObjectSet {
    fn from_iter<I: IntoIterator<Item = ObjectId>>(objects: I) -> Self {
        let mut set = Self::default();
        objects.into_iter().for_each(|object| {
            set.insert(object);
        });
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::BuildHasher;

    use rustc_hash::FxBuildHasher;

    use super::*;

    /// A small generator, so that every run tests the same.
    fn numbers(seed: u64, count: usize, below: u64) -> Vec<u32> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below) as u32
        };
        (0..count).map(|_| next()).collect()
    }

    fn set(numbers: &[u32]) -> (ObjectSet, BTreeSet<u32>) {
        (numbers.iter().map(|n| ObjectId(*n)).collect(), numbers.iter().copied().collect())
    }

    fn plain(set: &ObjectSet) -> BTreeSet<u32> {
        set.iter().map(|object| object.0).collect()
    }

    fn hash(set: &ObjectSet) -> u64 {
        FxBuildHasher.hash_one(set)
    }

    #[test]
    fn sets_do_what_plain_sets_do() {
        for seed in 0..300 {
            let (size, other_size) = ((seed as usize * 7) % 290, (seed as usize * 13) % 280);
            // Close together or far apart, so that both are stored in either way.
            let below = [5000, 100_000][seed as usize % 2];
            let (mut a, plain_a) = set(&numbers(seed, size, below));
            let (b, plain_b) = set(&numbers(seed + 1000, other_size, 5000));
            assert_eq!(a.len(), plain_a.len());
            assert_eq!(a.intersects(&b), !plain_a.is_disjoint(&plain_b));
            let join = &plain_a | &plain_b;
            let results =
                [(a.without(&b), &plain_a - &plain_b), (a.common(&b), &plain_a & &plain_b), (a.joined(&b), join)];
            for (found, expected) in &results {
                assert_eq!(plain(found), *expected);
                let one_by_one: ObjectSet = expected.iter().rev().map(|n| ObjectId(*n)).collect();
                assert_eq!((found, hash(found)), (&one_by_one, hash(&one_by_one)));
            }
            assert_eq!(a.insert_all(&b), !plain_b.is_subset(&plain_a));
            assert_eq!(a, results[2].0);
            assert!((0..5000).all(|n| a.contains(ObjectId(n)) == results[2].1.contains(&n)));
        }
    }

    #[test]
    fn the_only_object_is_found() {
        assert_eq!(ObjectSet::of(ObjectId(130)).only(), Some(ObjectId(130)));
        assert_eq!(set(&[1, 2]).0.only(), None);
        assert_eq!(ObjectSet::default().only(), None);
    }
}
