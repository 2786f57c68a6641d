//! What comes before what, so that no thread is in the way: before a start, after an end, before a flag is set, and what people
//! know.

mod flags;
pub mod joined_arrays;
pub mod joins;
pub mod phase;
pub mod published;
pub mod starts;
pub mod unparallel;
