//! Sets of abstract objects: sparse bit sets, which are merged a word at a time.

use super::object::ObjectId;

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

/// More blocks than this are found faster by their place.
const FEW: usize = 32;

/// A dense set, to filter others with.
#[derive(Clone, Default, Debug)]
pub struct Mask(Vec<u64>);

/// The block of an object and its bit there.
const fn place(object: ObjectId) -> (u32, u64) {
    (object.0 / 64, 1 << (object.0 % 64))
}

impl Mask {
    /// Adds an object.
    pub fn insert(&mut self, object: ObjectId) {
        let (block, bit) = place(object);
        *at(&mut self.0, block) |= bit;
    }

    fn word(&self, block: u32) -> u64 {
        self.0.get(block as usize).copied().unwrap_or(0)
    }
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
        let mut added = Self::default();
        self.add(other, None, &mut added)
    }

    /// Whether both have an object in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        let (from, to) = if matches!(self.0, Words::Few(_)) { (self, other) } else { (other, self) };
        from.words().any(|(block, word)| to.word(block) & word != 0)
    }

    /// The objects that are in this set and not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.words().map(|(block, word)| (block, word & !other.word(block))).collect()
    }

    /// The objects that are in both sets.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        self.words().map(|(block, word)| (block, word & other.word(block))).collect()
    }

    /// Adds the objects of another set that pass a filter. Those that are new are added to `added` too; says whether any is.
    pub fn add(&mut self, other: &Self, filter: Option<&Mask>, added: &mut Self) -> bool {
        let mut any = false;
        for (block, word) in other.words() {
            let word = word & filter.map_or(u64::MAX, |mask| mask.word(block));
            let new = self.insert_word(block, word);
            if new != 0 {
                added.insert_word(block, new);
                any = true;
            }
        }
        any
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
            Words::Many(words) => add_to(at(words, block), word),
            Words::Few(words) => match words.binary_search_by_key(&block, |(block, _)| *block) {
                Ok(at) => add_to(&mut words[at].1, word),
                Err(_) if word == 0 => 0,
                Err(at) => {
                    words.insert(at, (block, word));
                    if words.len() > FEW {
                        self.spread();
                    }
                    word
                }
            },
        }
    }

    fn spread(&mut self) {
        let mut many = Vec::new();
        for (block, word) in self.words() {
            *at(&mut many, block) = word;
        }
        self.0 = Words::Many(many);
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
        self.words().eq(other.words())
    }
}

impl Eq for ObjectSet {}

impl FromIterator<(u32, u64)> for ObjectSet {
    fn from_iter<I: IntoIterator<Item = (u32, u64)>>(words: I) -> Self {
        let mut set = Self::default();
        words.into_iter().for_each(|(block, word)| {
            set.insert_word(block, word);
        });
        set
    }
}

impl FromIterator<ObjectId> for ObjectSet {
    fn from_iter<I: IntoIterator<Item = ObjectId>>(objects: I) -> Self {
        objects.into_iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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

    #[test]
    fn sets_do_what_plain_sets_do() {
        for seed in 0..300 {
            let (size, other_size) = ((seed as usize * 7) % 90, (seed as usize * 13) % 80);
            let (mut a, plain_a) = set(&numbers(seed, size, 5000));
            let (b, plain_b) = set(&numbers(seed + 1000, other_size, 5000));
            let mask_of: BTreeSet<u32> = numbers(seed + 2000, 3000, 5000).into_iter().collect();
            let mut mask = Mask::default();
            mask_of.iter().for_each(|n| mask.insert(ObjectId(*n)));
            assert_eq!(a.len(), plain_a.len());
            assert_eq!(a.intersects(&b), !plain_a.is_disjoint(&plain_b));
            assert_eq!(plain(&a.without(&b)), &plain_a - &plain_b);
            assert_eq!(plain(&a.common(&b)), &plain_a & &plain_b);
            let mut added = ObjectSet::of(ObjectId(5));
            let any = a.add(&b, Some(&mask), &mut added);
            let new = &(&plain_b & &mask_of) - &plain_a;
            assert_eq!(any, !new.is_empty());
            assert_eq!(plain(&a), &plain_a | &new);
            assert_eq!(plain(&added), &new | &BTreeSet::from([5]));
            assert!((0..5000).all(|n| a.contains(ObjectId(n)) == (plain_a.contains(&n) || new.contains(&n))));
        }
    }

    #[test]
    fn the_only_object_is_found() {
        assert_eq!(ObjectSet::of(ObjectId(130)).only(), Some(ObjectId(130)));
        assert_eq!(set(&[1, 2]).0.only(), None);
        assert_eq!(ObjectSet::default().only(), None);
    }
}
