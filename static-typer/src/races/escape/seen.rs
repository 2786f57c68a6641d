//! What other threads may see of an object that is being made.

use rustc_hash::FxHashSet;

use crate::ir::Value;

/// Which of a method's accesses to an object that it makes other threads may be in the middle of.
#[derive(Clone, Debug)]
pub enum Seen {
    /// These, which come after the object may be out.
    After(FxHashSet<Value>),
    /// All of them: where the object gets out is not known.
    All,
}

impl Seen {
    /// Whether an instruction is one of them.
    #[must_use]
    pub fn sees(&self, at: Value) -> bool {
        match self {
            Self::After(late) => late.contains(&at),
            Self::All => true,
        }
    }
}
