//! What hooks tell of accesses.

use checkers::eraser::lock_set::{LockSets, SetId};
use facts::access::AccessKind;
use facts::finding::Grade;
use facts::index::ThreadId;

use crate::jvmti::Frames;

/// A location, well enough for evidence: identity hash of the object (0 for statics) and offset of the shadow word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocationKey {
    /// Identity hash.
    pub object: i32,
    /// Offset of the shadow word.
    pub offset: i32,
}

/// One access as a hook reports it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub site: u32,
    /// Read or write.
    pub kind: AccessKind,
    /// Locks held in any mode.
    pub read_set: SetId,
    /// Locks held exclusively.
    pub write_set: SetId,
    /// When, in the order of hand-over as the thread counts it; 0 where order is not known.
    pub moment: i64,
    /// The number of the test for which it was made; 0 where that is not known.
    pub test: u32,
    /// The stack, where it was taken.
    pub frames: Frames,
}

impl Seen {
    /// Whether the accesses are by two threads without a common lock, and one of them writes.
    pub fn conflicts(&self, other: &Self, sets: &LockSets) -> bool {
        let counting = |seen: &Self| match seen.kind {
            AccessKind::Read => seen.read_set,
            AccessKind::Write => seen.write_set,
        };
        self.thread != other.thread
            && (self.kind == AccessKind::Write || other.kind == AccessKind::Write)
            && sets.intersect(counting(self), counting(other)) == SetId::EMPTY
    }
}

/// Two accesses that race.
pub struct Pair {
    /// The later one.
    pub current: Seen,
    /// The earlier one: of its place, nothing is known yet.
    pub other: Seen,
    /// All sites of accesses by which the earlier one may have been made, among zeros; none if they are not known.
    pub sites: Vec<i32>,
    /// How sure that is.
    pub grade: Grade,
}

/// By grade, the kept accesses of an open location that another one races with, as bits.
#[derive(Clone, Copy)]
pub struct Races(pub [u64; 3]);

impl Races {
    /// With the grade of each, the surest first.
    pub fn all(self) -> impl Iterator<Item = (usize, Grade)> {
        let grades = [Grade::Certain, Grade::Possible, Grade::Unlikely];
        let of = |(bits, grade): (u64, _)| (0..64).filter(move |i| bits >> i & 1 == 1).map(move |i| (i, grade));
        self.0.into_iter().zip(grades).flat_map(of)
    }
}
