//! What is told of a stream of events before or while checkers take it: what is shared, which locks are held since when, what says nothing new.

pub mod fresh;
pub mod holding;
pub mod pieces;
pub mod redundant;
pub mod segments;
pub mod shared;
pub mod survey;
