//! Events in, findings out: lock sets and Eraser, order, atomicity, lock order. No JVM, no class files.
//!
//! [`eraser`] is the readable reference; [`word`] is the same algorithm on a 32-bit shadow word, for the agent, which gets
//! its lock sets from [`lock_set`]; [`owned`] is what a focus by methods makes of it. [`order`] knows what comes before what,
//! and finds races by that. [`atomicity`] checks transactions, with blocks or by reduction; [`lock_order`] finds potential
//! deadlocks. [`replay`] runs checkers over a list of events; [`survey`] is a first pass over one; [`fresh`] and [`pieces`]
//! leave out of it what would only give false alarms.

pub mod atomicity;
pub mod checker;
pub mod discovery;
pub mod eraser;
pub mod fresh;
pub mod granularity;
pub mod held;
pub mod holding;
pub mod lock_order;
pub mod lock_set;
pub mod order;
pub mod owned;
pub mod pieces;
pub mod redundant;
pub mod replay;
pub mod sampling;
pub mod segments;
pub mod shared;
pub mod survey;
pub mod word;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod notation;
#[cfg(test)]
mod random;
#[cfg(test)]
mod text_form;
