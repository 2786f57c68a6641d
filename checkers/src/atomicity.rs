//! Atomicity of transactions, as in sections 2.2 and 6.2 of Agarwal, Sasturkar, Wang and Stoller, "Optimized run-time race
//! detection and atomicity checking using partial discovered types" (ASE 2005).
//!
//! Neither checker looks only for what went wrong in the run: both ask what could have gone wrong in another order of the
//! same events. [`block_based`] is the accurate one, [`reduction`] the cheap one.
//!
//! A **transaction** is what happens between [`Enter`](facts::event::EventKind::Enter) and
//! [`Exit`](facts::event::EventKind::Exit) of one thread. Transactions nest, and each level is checked for itself. The
//! paper knows the outermost only (section 6.2, "does not incorporate a concept of nested transactions"), and that is
//! enough to tell *whether* something is wrong, for what breaks an inner transaction breaks those around it. But it would
//! put the blame on the outermost method, often one that need not be atomic, where the fix belongs to the innermost. A
//! transaction within one of the same code (a recursion) is only part of that, so that the cost does not grow with the depth
//! of a recursion. An access outside of every transaction is taken as one of its own: it can break others.

pub mod block_based;
pub mod limits;
pub mod reduction;
pub mod violation;

mod block;
mod classes;
mod escape;
mod fingerprint;
mod known;
mod mark;
mod open;
mod opened;
mod path;
mod reduced;
mod store;
mod waiting;

#[cfg(test)]
mod testing;
