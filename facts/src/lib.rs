//! The vocabulary that every other crate shares.
//!
//! Something enters this crate only when two others need it. Nothing here formats for people, touches a JVM, or reads
//! the file system: readers and writers take `std::io` streams.

pub mod access;
pub mod config;
pub mod event;
pub mod finding;
pub mod focus;
pub mod hook;
pub mod index;
pub mod inflated;
pub mod layout;
pub mod models;
pub mod name;
pub mod options;
pub mod pattern;
pub mod reflection_log;
pub mod secret;
pub mod site;
pub mod trace;
pub mod type_log;
