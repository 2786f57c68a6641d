//! Order between threads, and the races that it leaves.
//!
//! Two relations, which [`relation`] follows with vector clocks ([`clock`]):
//!
//! - **Happens-before**: program order, and what synchronization makes follow (Java Language Specification, 17.4.5).
//! - **Hand-over order**: the same without the edges of mutual exclusion, from the release of a lock to its acquisition. In another
//!   run threads may take the lock in another order, but who has waited for a result will wait for it again.
//!
//! Between the two there is what was **found** under locks: who has taken something out of a queue under a lock will not take it before it is there, but
//! may do what it does then in any case.
//!
//! Two accesses of one variable *conflict* if one of them writes and no lock protects both. [`happens_before`] reports those that
//! happens-before does not order, [`hybrid`] also those that hand-over does not. Both are readable references: the agent's
//! `JraceLocation` does the same inside of the program.

pub mod clock;
mod handing;
pub mod happens_before;
pub mod history;
pub mod hybrid;
pub mod relation;
pub mod variables;

#[cfg(test)]
pub mod testing;
