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
        let FieldUse { shared, handed_over, late_writes, locks, .. } = &self.seen;
        match locks.first() {
            _ if *shared == 0 => Some(Owner::ThisThread),
            _ if *late_writes == 0 => Some(Owner::ReadOnly),
            Some(lock) => Some(Owner::Lock(lock.clone())),
            None if handed_over == shared => Some(Owner::Unique),
            None => None,
        }
    }
}
