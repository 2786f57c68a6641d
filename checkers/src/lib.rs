//! Events in, findings out: lock sets and Eraser, order, atomicity, lock order. No JVM, no class files.
//!
//! [`eraser`] is the readable reference; [`word`](eraser::word) is the same algorithm on a 32-bit shadow word, for the agent, which
//! gets its lock sets from [`lock_set`](eraser::lock_set); [`owned`](eraser::owned) is what a focus by methods makes of it. [`order`]
//! knows what comes before what, and finds races by that. [`atomicity`] checks transactions, with blocks or by reduction;
//! [`lock_order`] finds potential deadlocks. [`replay`] runs checkers over a list of events. Of a [`stream`], a first pass is told by
//! [`survey`](stream::survey); [`fresh`](stream::fresh) and [`pieces`](stream::pieces) leave out what would only give false alarms.

pub mod atomicity;
pub mod checker;
pub mod discovery;
pub mod eraser;
pub mod granularity;
pub mod held;
pub mod lock_order;
pub mod order;
pub mod replay;
pub mod stream;

#[cfg(test)]
mod testing;
