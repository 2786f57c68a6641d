//! Owners from observations: step A of type discovery, for each field (paper 004, section 4; EPAJ gives each its own).

use super::{FieldUse, Lock};

/// What was seen of a field in several JVMs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// All of it together.
    pub seen: FieldUse,
    /// How many JVMs have seen it.
    pub runs: u64,
}

/// Why no access that was seen could race with another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// One thread accessed it in each object.
    ThisThread,
    /// It was written in no object that a second thread had come to.
    ReadOnly,
    /// This was held from then on.
    Lock(Lock),
    /// Threads accessed it one after the other, none coming back.
    Unique,
}

impl Observed {
    /// The owner for which all that was seen speaks.
    #[must_use]
    pub fn owner(&self) -> Option<Owner> {
        self.owners().into_iter().next()
    }

    /// The same, and the runners-up: owners that all that was seen would allow too.
    #[must_use]
    pub fn owners(&self) -> Vec<Owner> {
        let FieldUse { shared, handed_over, late_writes, locks, .. } = &self.seen;
        if *shared == 0 {
            return vec![Owner::ThisThread];
        }
        let read_only = (*late_writes == 0).then_some(Owner::ReadOnly);
        let unique = (handed_over == shared).then_some(Owner::Unique);
        read_only.into_iter().chain(locks.iter().cloned().map(Owner::Lock)).chain(unique).collect()
    }
}
