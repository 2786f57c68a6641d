//! Pairs of accesses: to which `variable`, with which `signature`, which `stages` they pass, and for which `reasons` they do not. What
//! is done to `views` is done to what they stand for, and to look into a map in `access_order` changes it.

pub mod access_order;
pub mod accesses;
pub mod original;
pub mod reasons;
pub mod signature;
pub mod stages;
pub mod variable;
pub mod views;
