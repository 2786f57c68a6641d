//! Reflective calls: which methods of the JDK they are, what is known where they stand, and which of them were not resolved.
//!
//! Classes, constructors, methods and fields are followed as objects: `Class` constants, and the *mirrors* of members. A call on
//! one of them, or with the name of a class, runs code of `mirrors`. Only application and library code is followed; what the
//! JDK looks up for itself is not.

pub(super) mod api;
pub(super) mod call;
pub(super) mod logged;
pub(super) mod mirrors;
pub(super) mod proxies;
mod resolved;

pub use call::{MAX_FOLLOWED, MAX_GUESSED, Reflection};
pub use resolved::{ByCall, Resolved, resolved};
