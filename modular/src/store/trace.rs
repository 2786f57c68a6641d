//! What something was made of besides itself: if all of it is what it was, what comes out is, too.

use static_typer::points_to::CodeId;
use static_typer::program::MethodId;

/// What a summary was made of.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// The methods whose summaries were asked for, and what these were.
    pub callees: Vec<(CodeId, Option<u128>)>,
    /// The methods that everything has for itself, and what these were.
    pub adopted: Vec<(CodeId, Option<u128>)>,
    /// Methods that are called on objects of which nothing is known, and what may run then.
    pub dispatched: Vec<(MethodId, Vec<CodeId>)>,
    /// Methods that are called and have no code.
    pub absent: Vec<MethodId>,
    /// Whether explicit locks may be released in regions, if that was asked.
    pub releases: Option<bool>,
    /// The methods of libraries whose effect is assumed.
    pub assumed: Vec<MethodId>,
    /// Whether limits took something.
    pub is_limited: bool,
}
