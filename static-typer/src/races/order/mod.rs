//! What comes before what, so that no thread is in the way: before a start, after an end, before a flag is set, and what people
//! know.

pub mod collected;
pub mod ended;
pub mod executors;
mod flags;
pub mod givings;
pub mod joined_threads;
pub mod joins;
pub mod own_joins;
pub mod phase;
pub mod published;
pub mod reading;
pub mod starts;
pub mod tasks;
pub mod unparallel;
