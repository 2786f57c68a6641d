//! Race-free types: who owns each field, inferred and proved over all bytecode (papers 002 and 004).
//!
//! Each field may have an owner of its own (EPAJ, paper 004, section 3.2). Owners are inferred without annotations, as the
//! greatest solution that the rules allow: every lock is a candidate until an access is found that does not hold it.
//!
//! What the proofs assume: no class outside the class path accesses a field (the focus set holds the classes' hashes, so that
//! the agent notices), and reflection reaches only what `reflected` finds or runs have noted. What they cannot see,
//! they do not prove: hand-over by queues, barriers, and any order between threads.

mod accesses;
mod alias_sets;
mod annotations;
mod at_once;
mod balance;
mod bodies;
mod callbacks;
pub(crate) mod calls;
pub(crate) mod common;
mod confined;
pub(crate) mod entries;
mod errors;
mod exclusive;
mod extended;
mod families;
pub(crate) mod final_expressions;
mod flows;
pub(crate) mod handed_over;
pub(crate) mod holding;
pub(crate) mod infer;
mod judge;
pub(crate) mod lock_calls;
mod locking;
pub(crate) mod locks;
mod observed;
mod obstacle;
mod once;
pub(crate) mod origin;
pub(crate) mod owned;
mod owner;
mod path;
mod qualifiers;
mod reached;
mod reflected;
pub(crate) mod releases;
mod required;
pub(crate) mod state;
pub(crate) mod summary;
mod supposed;
pub(crate) mod takings;
mod threads;
mod type_error;
mod unheld;
mod unify;
mod unseen;

pub use accesses::{Access, Guard};
pub use alias_sets::{ALIAS_SETS, alias_sets, mistake, separate};
pub use annotations::{Claim, claim, has_guard, is_field_silenced};
pub(crate) use annotations::{Declared, guards_of_field};
pub use bodies::Bodies;
pub use infer::{Types, UnsafeArray};
pub use locks::may_release;
pub use observed::{Agreement, Breach, Conformance, RunnerUp};
pub use obstacle::{At, Cause, Obstacle, Way};
pub use owner::{FieldType, Owner};
pub use path::{Half, Path, Root};
pub use qualifiers::{Header, Mention, Qualifier, headers};
pub use reached::Reached;
pub use required::Required;
pub use state::Held;
pub use supposed::Supposed;
pub use type_error::{Rule, Subject, TypeError};
pub use unseen::Unseen;
