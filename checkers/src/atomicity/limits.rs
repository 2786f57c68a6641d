//! How much memory and time checking blocks may take, and what it has taken.

/// A class of blocks remembers so many of its occurrences, the latest.
pub(super) const OCCURRENCES: usize = 32;

/// Bounds of memory and time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Blocks that are kept in all.
    pub blocks: usize,
    /// Classes of each sort for one variable or pair of variables, in all and in one transaction: bounds how often a new one is
    /// compared.
    pub classes: usize,
    /// Ways to break code by accesses to two variables that are looked for.
    pub violations: usize,
    /// Variables of one transaction; pairs of them make 2v-blocks.
    pub variables: usize,
    /// When there is no room for more blocks, so many more transactions of each code are looked at for accesses to two variables; of those
    /// after them each whose number is a power of two.
    pub late: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { blocks: 1_000_000, classes: 64, violations: 64, variables: 256, late: 16 }
    }
}

impl Limits {
    /// Bytes that a block takes, about: two thirds of a million took 290 MB of a trace of Spring Boot.
    pub const BLOCK: usize = 500;

    /// As many blocks as have room in so many megabytes.
    #[must_use]
    pub fn in_megabytes(megabytes: u32) -> Self {
        Self { blocks: megabytes as usize * (1_000_000 / Self::BLOCK), ..Self::default() }
    }
}

/// What checking took so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Blocks that are kept, of each class some of different threads.
    pub blocks: usize,
    /// Pairs of classes that were compared.
    pub comparisons: u64,
    /// Blocks that were compared with those before, but not kept: violations may be missed.
    pub dropped: u64,
    /// Accesses that were left out since their transaction had too many variables, and blocks of one since their variable had too
    /// many classes: violations may be missed.
    pub left_out: u64,
    /// Transactions that were not looked at for accesses to two variables, as [`Limits::late`] says: violations may be missed.
    pub passed: u64,
    /// Codes that can be broken in [`Limits::violations`] ways and more.
    pub done: usize,
    /// Transactions that were like one of their thread's latest.
    pub repeated: u64,
    /// Accesses that were taken into transactions, once for each, and blocks that came out of them.
    pub steps: u64,
}
