//! The 32-bit shadow word that the agent keeps beside the data, and Eraser as a pure function on it.
//!
//! The algorithm is that of [`crate::eraser`], where its source, its false alarms and its misses are described; a property
//! test shows that both report the same races at the same events. The word forgets who accessed the location last.
//!
//! | word | state |
//! |---|---|
//! | 0 | *Virgin*: never accessed |
//! | `1 << 28 \| thread` | *Exclusive*: accessed by one thread only |
//! | `2 << 28 \| set` | *Shared*: not written since a second thread came; `set` was held at every access since |
//! | `3 << 30` | the same with an empty set |
//! | `3 << 28 \| set` | *SharedModified*: the same with a write; `set` is never empty, or it would be a race |
//! | `4 << 28 \| n` | *Open*: a race, of which `n` more accesses are wanted as evidence |
//! | `2 << 30` | *Reported*: a race, nothing more is wanted |
//!
//! As an `int` in Java, the words that no read changes any more are negative, and Reported is below all others.
//!
//! Deviation: threads numbered 2^28 - 1 and above count as one thread, so that races among them can be missed.

use facts::access::AccessKind;
use facts::index::ThreadId;

use crate::eraser::lock_set::{LockSets, SetId};

pub use facts::layout::word::{
    EVIDENCE, EXCLUSIVE, OPEN, PAYLOAD, REPORTED, SHARED, SHARED_EMPTY, SHARED_MODIFIED, VIRGIN,
};

/// The state that a word stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Never accessed.
    Virgin,
    /// Accessed by one thread.
    Exclusive(ThreadId),
    /// Not written since a second thread came.
    Shared(SetId),
    /// Written since a second thread came.
    SharedModified(SetId),
    /// A race; so many accesses are still wanted.
    Open(u32),
    /// A race, reported.
    Reported,
}

impl State {
    /// Reads a word.
    #[must_use]
    pub const fn of(word: u32) -> Self {
        let payload = word & PAYLOAD;
        match word & !PAYLOAD {
            0 => Self::Virgin,
            EXCLUSIVE => Self::Exclusive(ThreadId(payload)),
            SHARED => Self::Shared(SetId(payload)),
            SHARED_MODIFIED => Self::SharedModified(SetId(payload)),
            SHARED_EMPTY => Self::Shared(SetId::EMPTY),
            OPEN => Self::Open(payload),
            _ => Self::Reported,
        }
    }
}

/// What an access did to a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The new word.
    pub word: u32,
    /// Whether this access completed a race.
    pub race: bool,
}

impl Step {
    const fn to(word: u32) -> Self {
        Self { word, race: false }
    }
}

/// The word of a location that only this thread has accessed.
#[must_use]
pub const fn own_word(thread: ThreadId) -> u32 {
    EXCLUSIVE | if thread.0 < PAYLOAD { thread.0 } else { PAYLOAD }
}

/// The word that a read leaves as it is under these locks (held in any mode).
#[must_use]
pub const fn read_word(read_set: SetId) -> u32 {
    SHARED_MODIFIED | read_set.0
}

/// The word that a write leaves as it is under these locks (held exclusively).
#[must_use]
pub const fn write_word(write_set: SetId) -> u32 {
    SHARED_MODIFIED | write_set.0
}

/// Whether the woven code may skip [`step`]: the helper class does the same in Java, and the JIT inlines it.
///
/// The last three words are those of the thread: [`own_word`], [`read_word`], [`write_word`], or zero as long as the agent
/// has not set them. Each comparison is a step that changes nothing and finds no race:
///
/// - a reported location is done with;
/// - the owner of an exclusive location may do what it likes;
/// - a location whose lock set is the very set that counts for the access keeps it. Without a lock the thread's word is
///   that of *SharedModified* with an empty set, which no location ever has: it would have been a race;
/// - reading what is read without locks changes nothing.
#[must_use]
#[inline]
pub const fn passes(word: u32, own_word: u32, read_word: u32, write_word: u32, kind: AccessKind) -> bool {
    let settled = match kind {
        AccessKind::Read => word >= REPORTED,
        AccessKind::Write => word >= REPORTED && word < SHARED_EMPTY,
    };
    let thread_word = match kind {
        AccessKind::Read => read_word,
        AccessKind::Write => write_word,
    };
    word != VIRGIN && (settled || word == own_word || word == thread_word)
}

/// The step of the algorithm for one access.
///
/// `read_set` are the locks that the thread holds in any mode, `write_set` those it holds exclusively. The access that
/// completes a race makes the word [`OPEN`] with [`EVIDENCE`] accesses wanted; the caller counts them down and ends with
/// [`REPORTED`]: both states are returned unchanged here.
#[must_use]
pub fn step(sets: &LockSets, word: u32, thread: ThreadId, read_set: SetId, write_set: SetId, kind: AccessKind) -> Step {
    let held = match kind {
        AccessKind::Read => read_set,
        AccessKind::Write => write_set,
    };
    let written = kind == AccessKind::Write;
    match State::of(word) {
        State::Virgin => Step::to(own_word(thread)),
        State::Exclusive(_) if word == own_word(thread) => Step::to(word),
        State::Exclusive(_) => shared(held, written),
        State::Shared(set) => shared(sets.intersect(set, held), written),
        State::SharedModified(set) => shared(sets.intersect(set, held), true),
        State::Open(_) | State::Reported => Step::to(word),
    }
}

/// Whether a step is a second thread's first one to a location, and no race.
#[must_use]
pub const fn becomes_shared(before: u32, step: Step) -> bool {
    matches!(State::of(before), State::Exclusive(_)) && before != step.word && !step.race
}

/// The word after one of the accesses that an [`OPEN`] word wants as evidence; other words stay as they are.
#[must_use]
pub const fn count_down(word: u32) -> u32 {
    match State::of(word) {
        State::Open(0 | 1) => REPORTED,
        State::Open(wanted) => OPEN | (wanted - 1),
        _ => word,
    }
}

/// A location that several threads access, with this set of common locks.
const fn shared(set: SetId, modified: bool) -> Step {
    match (modified, set) {
        (false, SetId::EMPTY) => Step::to(SHARED_EMPTY),
        (false, _) => Step::to(SHARED | set.0),
        (true, SetId::EMPTY) => Step { word: OPEN | EVIDENCE, race: true },
        (true, _) => Step::to(SHARED_MODIFIED | set.0),
    }
}

#[cfg(test)]
mod tests {
    use facts::index::ObjectId;

    use super::*;

    #[test]
    fn states_are_told_apart() {
        for (word, state) in [
            (VIRGIN, State::Virgin),
            (own_word(ThreadId(7)), State::Exclusive(ThreadId(7))),
            (SHARED_EMPTY, State::Shared(SetId::EMPTY)),
            (write_word(SetId(9)), State::SharedModified(SetId(9))),
            (OPEN | EVIDENCE, State::Open(EVIDENCE)),
            (REPORTED, State::Reported),
        ] {
            assert_eq!(State::of(word), state);
        }
        assert!(i32::from_ne_bytes(REPORTED.to_ne_bytes()) < 0);
    }

    #[test]
    fn a_location_becomes_shared_once() {
        let (sets, owner, other) = (LockSets::new(), ThreadId(1), ThreadId(2));
        let read = |word, thread| step(&sets, word, thread, SetId::EMPTY, SetId::EMPTY, AccessKind::Read);
        let own = own_word(owner);
        assert!(!becomes_shared(VIRGIN, read(VIRGIN, owner)) && !becomes_shared(own, read(own, owner)));
        assert!(becomes_shared(own, read(own, other)) && !becomes_shared(SHARED_EMPTY, read(SHARED_EMPTY, owner)));
        let write = step(&sets, own, other, SetId::EMPTY, SetId::EMPTY, AccessKind::Write);
        assert!(write.race && !becomes_shared(own, write));
    }

    /// Woven code leaves out the check of a read that a write of the same thread follows, under the same locks.
    #[test]
    fn a_write_finds_what_a_read_just_before_it_finds() {
        let sets = LockSets::new();
        let [a, b] = [1, 2].map(|lock| sets.with(SetId::EMPTY, ObjectId(lock)));
        let all = [SetId::EMPTY, a, b, sets.with(a, ObjectId(2))];
        let shared = all.iter().flat_map(|set| [false, true].map(|written| shared(*set, written).word));
        let words = [VIRGIN, own_word(ThreadId(1)), own_word(ThreadId(2)), REPORTED].into_iter().chain(shared);
        for (word, read_set) in words.flat_map(|word| all.map(|set| (word, set))) {
            // What is held exclusively is held.
            for write_set in all.into_iter().filter(|set| sets.intersect(*set, read_set) == *set) {
                let step = |word, kind| step(&sets, word, ThreadId(1), read_set, write_set, kind);
                let read = step(word, AccessKind::Read);
                let both = step(read.word, AccessKind::Write);
                let write = step(word, AccessKind::Write);
                assert_eq!((write.word, write.race), (both.word, read.race || both.race), "{word:x}");
            }
        }
    }

    #[test]
    fn threads_beyond_the_range_are_one_thread() {
        assert_eq!(State::of(own_word(ThreadId(u32::MAX))), State::Exclusive(ThreadId(PAYLOAD)));
        assert_eq!(own_word(ThreadId(PAYLOAD)), own_word(ThreadId(u32::MAX)));
    }

    #[test]
    fn an_untouched_location_never_passes() {
        // The words of a thread that the agent has not met yet are zero, like the location's.
        assert!(!passes(VIRGIN, 0, 0, 0, AccessKind::Read) && !passes(VIRGIN, 0, 0, 0, AccessKind::Write));
    }

    #[test]
    fn evidence_is_counted_down() {
        let words: Vec<u32> = std::iter::successors(Some(OPEN | 2), |word| Some(count_down(*word))).take(4).collect();
        assert_eq!(words, [OPEN | 2, OPEN | 1, REPORTED, REPORTED]);
        assert_eq!(count_down(SHARED_EMPTY), SHARED_EMPTY);
    }
}
