//! Where something runs: who calls it, in which thread, and under which locks.

use std::collections::BTreeSet;

use static_typer::ir::Value;
use static_typer::points_to::CodeId;

use super::Var;
use crate::multiplicity::Multiplicity;
use crate::node::Labels;
use crate::summary::ThreadId;

/// Where a call stands, which says what comes before it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The code.
    pub code: CodeId,
    /// The call.
    pub number: u32,
    /// Its instruction.
    pub at: Value,
}

/// Who runs what is instantiated, and under which locks.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The calls that lead there.
    pub labels: Labels,
    /// How often the place is reached.
    pub multiplicity: Multiplicity,
    /// Another thread, if it is one.
    pub thread: Option<ThreadId>,
    /// The locks that are held.
    pub locks: Vec<(Var, bool, bool)>,
    /// The threads that may have been started before, as far as the place does not say.
    pub started: BTreeSet<ThreadId>,
    /// The place.
    pub position: Option<Position>,
    /// The call, if it is one in code.
    pub call: Option<(CodeId, u32)>,
    /// Whether a library calls.
    pub is_callback: bool,
}
