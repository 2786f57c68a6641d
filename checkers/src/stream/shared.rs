//! Which variables threads share, and which threads.

use facts::access::AccessKind::{self, Read, Write};
use facts::event::Location;
use facts::index::ThreadId;
use rustc_hash::FxHashMap;

/// So many threads have a bit of their own.
const N_EARLY: usize = 63;

/// Some threads, a bit for each. The last bit stands for all that came late.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Threads(u64);

impl Threads {
    const ALL: Self = Self(u64::MAX);
    const LATE: Self = Self(1 << N_EARLY);

    /// Whether one of them is among others.
    #[must_use]
    pub fn meet(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    fn add(&mut self, others: Self) {
        self.0 |= others.0;
    }

    /// Those of them that are other threads than this one, as far as that is known.
    fn but(self, thread: Self) -> Self {
        if thread == Self::LATE { self } else { Self(self.0 & !thread.0) }
    }
}

/// The bit of each thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(FxHashMap<ThreadId, Threads>);

impl Places {
    /// That of a thread; late ones are not remembered.
    pub fn place(&mut self, thread: ThreadId) -> Threads {
        let known = self.known(thread);
        if known != Threads::LATE || self.0.len() == N_EARLY {
            return known;
        }
        let place = Threads(1 << self.0.len());
        self.0.insert(thread, place);
        place
    }

    fn known(&self, thread: ThreadId) -> Threads {
        self.0.get(&thread).copied().unwrap_or(Threads::LATE)
    }
}

/// The variables that threads share.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    variables: FxHashMap<Location, Sharers>,
    places: Places,
}

/// The threads that share a variable.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sharers {
    readers: Threads,
    writers: Threads,
    /// The only writer, also among threads that came late.
    writer: Option<ThreadId>,
}

impl Sharers {
    /// A thread accesses the variable; whether nobody has written it before.
    pub fn meet(&mut self, thread: ThreadId, kind: AccessKind, place: Threads, is_unwritten: bool) {
        if kind == Read {
            self.readers.add(place);
        } else {
            self.writers.add(place);
            self.writer = if is_unwritten { Some(thread) } else { self.writer.filter(|writer| *writer == thread) };
        }
    }
}

impl Shared {
    pub(crate) fn new(variables: impl Iterator<Item = (Location, Sharers)>, places: Places) -> Self {
        Self { variables: variables.collect(), places }
    }

    /// Whether an access can be one of those that break a transaction: what only the thread itself writes, no other thread
    /// changes between its reads.
    #[must_use]
    pub fn counts(&self, thread: ThreadId, kind: AccessKind, variable: Location) -> bool {
        self.variables.get(&variable).is_some_and(|sharers| kind == Write || sharers.writer != Some(thread))
    }

    /// The other threads that have accesses to the variable that conflict with one of this kind.
    #[must_use]
    pub fn rivals(&self, thread: ThreadId, kind: AccessKind, variable: Location) -> Threads {
        let Some(Sharers { mut writers, readers, .. }) = self.variables.get(&variable).copied() else {
            return Threads::default();
        };
        if kind == Write {
            writers.add(readers);
        }
        writers.but(self.places.known(thread))
    }

    /// The variables in order.
    #[must_use]
    pub fn variables(&self) -> Vec<Location> {
        let mut variables: Vec<Location> = self.variables.keys().copied().collect();
        variables.sort_unstable();
        variables
    }
}

impl FromIterator<Location> for Shared {
    /// Variables that anybody may write.
    fn from_iter<T: IntoIterator<Item = Location>>(variables: T) -> Self {
        let anybody = Sharers { writer: None, readers: Threads::ALL, writers: Threads::ALL };
        Self::new(variables.into_iter().map(|variable| (variable, anybody)), Places::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a hundred threads the latest have no bit of their own, so that none of them is overlooked.
    #[test]
    fn rivals_are_other_threads() {
        let (mut places, mut sharers) = (Places::default(), Sharers::default());
        let x = Location::Static(facts::index::FieldId(1));
        (1..=100).for_each(|thread| sharers.meet(ThreadId(thread), Read, places.place(ThreadId(thread)), true));
        for writer in [1, 100] {
            sharers.meet(ThreadId(writer), Write, places.place(ThreadId(writer)), writer == 1);
        }
        let shared = Shared::new([(x, sharers)].into_iter(), places);
        let rivals = |thread, kind| shared.rivals(ThreadId(thread), kind, x);
        assert!(rivals(2, Read).meet(rivals(3, Read)) && rivals(1, Read).meet(rivals(2, Write)));
        assert_eq!(rivals(1, Read), Threads::LATE, "t100 alone");
        assert!(rivals(100, Read).meet(Threads::LATE), "it is not told from others that came late");
        assert_eq!(shared.rivals(ThreadId(1), Write, Location::Static(facts::index::FieldId(2))), Threads::default());
    }
}
