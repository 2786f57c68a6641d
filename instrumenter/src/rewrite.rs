//! Class files taken apart and put together again: code as instructions on labels, the attributes that hold offsets, and what is added.

pub mod additions;
pub mod code;
pub mod edits;
pub mod emit;
pub mod entries;
pub mod frames;
pub mod layout;
pub mod liveness;
pub mod references;
pub mod splice;
pub mod tables;
pub mod writer;
