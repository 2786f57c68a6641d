//! What the JDK does that its code does not say, or says in a way that cannot be followed.

pub mod containers;
pub mod copies;
pub mod elements;
pub mod followed;
pub mod models;
pub mod opaque;
pub mod parts;
pub mod thread_locals;
