//! What the block-based checker finds.

use std::fmt;

use facts::access::AccessKind;
use facts::event::Location;
use facts::index::{SiteId, ThreadId};

use crate::checker::Access;
use crate::stream::holding::HoldSet;

/// One execution of code that is expected to be atomic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Transaction {
    /// The code.
    pub site: SiteId,
    /// Who executed it.
    pub thread: ThreadId,
    /// Number of the event that began it, in the stream, from 0.
    pub begin: u64,
}

/// Two accesses of a transaction that another thread's accesses can come between, so that the result is that of no serial
/// execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The transaction that is not atomic.
    pub transaction: Transaction,
    /// The transaction of the other thread; `None` if its access is in none.
    pub other: Option<Transaction>,
    /// The accesses in an order that cannot be serialized: two of the transaction, one or two of the other thread. It is
    /// not the order in which they were observed.
    pub steps: Vec<Step>,
    /// The locks that the transaction held continuously between its two accesses: none of them keeps the others out.
    pub kept: HoldSet,
    /// The code of transactions that both of its accesses are in, inside of it and of all others of its own code: these are
    /// broken, too. Of many only the innermost.
    pub inner: Vec<SiteId>,
    /// How often accesses of these places were found in this order with other variables or locks, this time included.
    pub seen: u64,
}

/// One access of a [`Violation`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Whose access it is.
    pub by: Actor,
    /// What was accessed, at the checker's granularity.
    pub variable: Location,
    /// The access, with the locks held at it.
    pub access: Access,
}

/// Who takes a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Actor {
    /// The transaction that is violated.
    Own,
    /// The other thread.
    Other,
}

impl Violation {
    /// The accesses of the transaction itself, or of the other thread.
    pub fn accesses(&self, by: Actor) -> impl Iterator<Item = &Access> {
        self.steps.iter().filter(move |step| step.by == by).map(|step| &step.access)
    }

    /// Whether its accesses are to two variables.
    pub(super) fn is_of_two(&self) -> bool {
        self.steps.iter().any(|step| step.variable != self.steps[0].variable)
    }

    /// The same is found once more. Evidence that blames this code and no other is worth more.
    pub(super) fn see(&mut self, again: Self) {
        let seen = self.seen + 1;
        if again.inner.len() < self.inner.len() {
            *self = again;
        }
        self.seen = seen;
    }

    /// The kinds of the accesses, without the rest.
    #[must_use]
    pub fn pattern(&self) -> Pattern {
        let first = self.steps[0].variable;
        let step = |step: &Step| (step.access.kind, step.by, step.variable == first);
        Pattern(self.steps.iter().map(step).collect())
    }
}

/// An unserializable pattern. It is displayed as in the literature, `R W' R` or `W(x) R'(x) R'(y) W(y)`: what the other
/// thread does has a prime.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern(Vec<(AccessKind, Actor, bool)>);

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_variable = self.0.iter().all(|(_, _, first)| *first);
        for (at, (kind, by, first)) in self.0.iter().enumerate() {
            let space = if at > 0 { " " } else { "" };
            let kind = if *kind == AccessKind::Read { "R" } else { "W" };
            let prime = if *by == Actor::Other { "'" } else { "" };
            let variable = match first {
                _ if one_variable => "",
                true => "(x)",
                false => "(y)",
            };
            write!(f, "{space}{kind}{prime}{variable}")?;
        }
        Ok(())
    }
}
