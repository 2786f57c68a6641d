//! Blocks: what about two accesses of a transaction matters to its atomicity; and which orders of two blocks cannot be
//! serialized although the locks allow them.

use facts::access::AccessKind::{self, Read, Write};
use facts::event::Location;

use super::violation::Actor;
use crate::stream::holding::{HoldSet, compatible};

/// A 1v-block: two accesses to one variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct OneBlock {
    pub kinds: [AccessKind; 2],
    /// Locks held continuously from the first access to the second.
    pub kept: HoldSet,
}

/// One access, as the one that comes between the two of a 1v-block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point {
    pub role: Role,
    pub held: HoldSet,
}

/// What an access is to its own transaction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Role {
    /// A read that no write to the variable precedes. Other reads see what the transaction itself wrote.
    InitialRead,
    /// A write that another write to the variable may follow.
    Write,
    /// The write that no other follows.
    FinalWrite,
}

/// A 2v-block: accesses to two variables, in program order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct TwoBlock {
    pub ends: [End; 2],
    /// Locks held continuously from the first access to the second.
    pub kept: HoldSet,
    /// Locks held at some time from the first access to the second.
    pub used: HoldSet,
}

/// One of the accesses of a 2v-block: the initial read or the final write of its variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct End {
    pub variable: Location,
    pub kind: AccessKind,
    pub held: HoldSet,
}

/// An order of the accesses of two blocks: whose, and which.
pub(super) type Order = &'static [(Actor, usize)];

/// The other's access comes between the two.
pub(super) const BETWEEN: Order = &[(Actor::Own, 0), (Actor::Other, 0), (Actor::Own, 1)];
/// The other's two accesses come between the two.
pub(super) const INSIDE: Order = &[(Actor::Own, 0), (Actor::Other, 0), (Actor::Other, 1), (Actor::Own, 1)];
/// The other begins later and ends later.
pub(super) const LATER: Order = &[(Actor::Own, 0), (Actor::Other, 0), (Actor::Own, 1), (Actor::Other, 1)];
/// The other begins earlier and ends earlier.
pub(super) const EARLIER: Order = &[(Actor::Other, 0), (Actor::Own, 0), (Actor::Other, 1), (Actor::Own, 1)];

impl OneBlock {
    /// Whether the access can come between the two, and the result then is that of no serial execution: `R W' R`,
    /// `R W' W`, `W R' W`, `W W' R`.
    ///
    /// The roles make it exact. A read that follows a write of its own transaction sees that one, so nothing comes of
    /// `W R' W`. If the other transaction writes again after `R W' W`, this one may come before it as a whole.
    pub fn admits(&self, point: &Point) -> bool {
        let unserializable = match (self.kinds, point.role) {
            ([Read | Write, Read], Role::Write | Role::FinalWrite) => true,
            ([Read, Write], role) => role == Role::FinalWrite,
            ([Write, Write], role) => role == Role::InitialRead,
            ([_, Read], Role::InitialRead) => false,
        };
        unserializable && compatible(&self.kept, &point.held)
    }
}

impl TwoBlock {
    /// The orders that violate this block's transaction: at one variable this transaction must come first, at the other
    /// the other one, and the locks allow it. (An order in which this block comes inside the other violates the other.)
    pub fn orders(&self, other: &Self) -> Vec<Order> {
        if !self.conflicts(other) {
            return Vec::new();
        }
        let crosswise = self.is_crosswise(other);
        let mut orders = Vec::new();
        if compatible(&self.kept, &other.used) {
            orders.push(INSIDE);
        }
        if crosswise && self.overlaps(other) {
            orders.push(LATER);
        }
        if crosswise && other.overlaps(self) {
            orders.push(EARLIER);
        }
        orders
    }

    /// Whether a write is among the accesses of both blocks to each of the variables.
    pub fn conflicts(&self, other: &Self) -> bool {
        let opposite = |at: usize| &other.ends[if self.is_crosswise(other) { 1 - at } else { at }];
        (0..2).all(|at| self.ends[at].conflicts(opposite(at)))
    }

    /// Whether the other block has the variables in the opposite order.
    fn is_crosswise(&self, other: &Self) -> bool {
        self.ends[0].variable != other.ends[0].variable
    }

    /// Whether the locks allow the other block to begin after this one has begun and to end after it has ended.
    fn overlaps(&self, other: &Self) -> bool {
        compatible(&self.kept, &other.kept)
            && compatible(&self.kept, &other.ends[0].held)
            && compatible(&other.kept, &self.ends[1].held)
    }
}

impl End {
    fn conflicts(&self, other: &Self) -> bool {
        (self.kind, other.kind) != (Read, Read)
    }
}
