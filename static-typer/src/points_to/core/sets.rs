//! Sets of objects that are kept once, however many variables refer to them, and what was computed of them.
//!
//! In contexts most copies of a variable refer to the same, and the same things flow on to many: so sets are numbers, equal if
//! they are, and joining two that were joined before takes no look at them (hash-consed points-to sets; Barbar and Sui, SAS 2021).

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::id::ObjectId;
use super::object::MaskId;
use super::set::ObjectSet;

/// A set that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetId(u32);

impl SetId {
    /// The set of nothing.
    pub const EMPTY: Self = Self(0);
}

/// What comes of adding a set to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Both.
    pub all: SetId,
    /// What only the added one has.
    pub new: SetId,
}

/// Every set that a variable refers to, and some that one has.
#[derive(Debug)]
pub struct Sets {
    sets: IndexSet<ObjectSet, FxBuildHasher>,
    sums: FxHashMap<(SetId, SetId), Sum>,
    filtered: FxHashMap<(SetId, MaskId), SetId>,
    /// What the blocks of all sets take.
    bytes: usize,
    /// With so many bytes it is worth to look for sets that no variable refers to any more.
    limit: usize,
}

/// More results than this are not remembered.
const MAX_KNOWN: usize = 1 << 20;
/// Fewer bytes are not worth a search for sets that are not used. It is small, so that tests search too: with a number of their own
/// an analysis would take another amount of memory in development builds, and go on with fewer contexts elsewhere.
const MIN_BYTES: usize = 1 << 10;

impl Default for Sets {
    fn default() -> Self {
        Self {
            sets: std::iter::once(ObjectSet::EMPTY).collect(),
            sums: FxHashMap::default(),
            filtered: FxHashMap::default(),
            bytes: 0,
            limit: MIN_BYTES,
        }
    }
}

impl Sets {
    /// The objects of a set.
    #[must_use]
    pub fn get(&self, set: SetId) -> &ObjectSet {
        &self.sets[set.0 as usize]
    }

    /// The set of an object.
    pub fn of(&mut self, object: ObjectId) -> SetId {
        self.intern(ObjectSet::of(object))
    }

    /// Adds a set to another.
    pub fn sum(&mut self, to: SetId, from: SetId) -> Sum {
        if from == SetId::EMPTY || from == to {
            return Sum { all: to, new: SetId::EMPTY };
        }
        if to == SetId::EMPTY {
            return Sum { all: from, new: from };
        }
        if let Some(sum) = self.sums.get(&(to, from)) {
            return *sum;
        }
        let new = self.get(from).without(self.get(to));
        let all = if new.is_empty() { to } else { self.intern(self.get(to).joined(&new)) };
        let sum = Sum { all, new: self.intern(new) };
        if self.sums.len() >= MAX_KNOWN {
            self.sums.clear();
        }
        self.sums.insert((to, from), sum);
        sum
    }

    /// The objects of a set that pass a filter; objects that come later change nothing about those that are there.
    pub fn filtered(&mut self, set: SetId, filter: MaskId, mask: &ObjectSet) -> SetId {
        if set == SetId::EMPTY {
            return set;
        }
        if let Some(filtered) = self.filtered.get(&(set, filter)) {
            return *filtered;
        }
        let filtered = self.intern(self.get(set).common(mask));
        if self.filtered.len() >= MAX_KNOWN {
            self.filtered.clear();
        }
        self.filtered.insert((set, filter), filtered);
        filtered
    }

    fn intern(&mut self, set: ObjectSet) -> SetId {
        let bytes = set.bytes();
        let (index, is_new) = self.sets.insert_full(set);
        self.bytes += if is_new { bytes } else { 0 };
        SetId(index as u32)
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        // A set with its hash and its place in the index, what was allocated for its blocks, and what a result takes.
        let known = self.sums.capacity() * size_of::<((SetId, SetId), Sum)>()
            + self.filtered.capacity() * size_of::<((SetId, MaskId), SetId)>();
        self.bytes + self.sets.capacity() * (size_of::<ObjectSet>() + 3 * size_of::<usize>()) + known
    }

    /// Whether it is time for [`Self::keep`].
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.bytes > self.limit
    }

    /// Keeps only some sets, which get other numbers: those that they have now.
    pub fn keep<'a>(&mut self, used: impl Iterator<Item = &'a mut SetId>) {
        let mut before: Vec<Option<ObjectSet>> = std::mem::take(&mut self.sets).into_iter().map(Some).collect();
        let mut numbers: Vec<Option<SetId>> = vec![None; before.len()];
        *self = Self { limit: self.limit, ..Self::default() };
        numbers[0] = Some(SetId::EMPTY);
        for set in used {
            let index = set.0 as usize;
            *set = *numbers[index].get_or_insert_with(|| self.intern(before[index].take().unwrap_or_default()));
        }
        self.limit = MIN_BYTES.max(2 * self.bytes);
    }

    /// Forgets all that only helps to compute more.
    pub fn end(&mut self) {
        self.sums = FxHashMap::default();
        self.filtered = FxHashMap::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(sets: &mut Sets, objects: &[u32]) -> SetId {
        objects.iter().fold(SetId::EMPTY, |set, object| {
            let one = sets.of(ObjectId(*object));
            sets.sum(set, one).all
        })
    }

    #[test]
    fn equal_sets_are_one() {
        let mut sets = Sets::default();
        let (a, b) = (set(&mut sets, &[1, 200, 3]), set(&mut sets, &[3, 200, 1]));
        assert_eq!(a, b);
        let c = set(&mut sets, &[3, 4]);
        for _ in 0..2 {
            let sum = sets.sum(a, c);
            assert_eq!(sum, Sum { all: set(&mut sets, &[1, 3, 4, 200]), new: set(&mut sets, &[4]) });
            assert_eq!(sets.sum(sum.all, c), Sum { all: sum.all, new: SetId::EMPTY });
        }
    }

    #[test]
    fn what_is_kept_stays_the_same() {
        let mut sets = Sets::default();
        let mut kept: Vec<SetId> = (1..50).map(|n| set(&mut sets, &(0..n).collect::<Vec<u32>>())).collect();
        let mut dropped = 0;
        while !sets.is_full() {
            dropped += 1;
            set(&mut sets, &[1000 + dropped, 2000 * dropped]);
        }
        kept.push(kept[7]);
        kept.push(SetId::EMPTY);
        let before: Vec<ObjectSet> = kept.iter().map(|id| sets.get(*id).clone()).collect();
        let bytes = sets.bytes();
        sets.keep(kept.iter_mut());
        assert!(sets.bytes() < bytes && !sets.is_full());
        assert_eq!(kept.iter().map(|id| sets.get(*id).clone()).collect::<Vec<_>>(), before);
        assert_eq!(kept[49], kept[7]);
        assert_eq!(kept[50], SetId::EMPTY);
        assert_eq!(set(&mut sets, &[0, 1]), kept[1]);
    }
}
