//! Identifiers: one newtype per entity, so that no thread is ever passed where a lock is meant.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($repr:ty), $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub $repr);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

index!(
    /// A thread of one JVM, numbered from 1 in the order in which threads were first seen. Never reused.
    ThreadId(u32), "T"
);
index!(
    /// An object of one JVM: a lock, an array, or the object whose field is accessed. Numbered from 1, never reused.
    ObjectId(u64), "o"
);
index!(
    /// A place in woven code that reports an event. Numbered from 1 by the agent; 0 stands for "unknown".
    SiteId(u32), "s"
);
index!(
    /// A field (declaring class and name), or a kind of array. Numbered from 1 within one trace.
    FieldId(u32), "f"
);
