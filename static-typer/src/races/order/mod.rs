//! What comes before what, so that no thread is in the way: before the first start, after an end, and what people know.

pub mod joined_arrays;
pub mod joins;
pub mod phase;
pub mod unparallel;
