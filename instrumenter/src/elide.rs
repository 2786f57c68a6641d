//! Which checks need not be made, as others say what they would.

pub mod barrier;
pub mod expressions;
pub mod loops;
pub mod motion;
pub mod reach;
pub mod redundant;
pub mod updates;
