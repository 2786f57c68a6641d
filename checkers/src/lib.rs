//! Events in, findings out: lock sets and Eraser. No JVM, no class files.
//!
//! [`eraser`] is the readable reference; [`word`] is the same algorithm on a 32-bit shadow word, for the agent, which gets
//! its lock sets from [`lock_set`]. [`replay`] runs checkers over a list of events.

pub mod checker;
pub mod eraser;
pub mod granularity;
pub mod held;
pub mod lock_set;
pub mod replay;
pub mod word;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod notation;
#[cfg(test)]
mod random;
#[cfg(test)]
mod text_form;
