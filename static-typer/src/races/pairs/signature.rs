//! What the stages ask of an access in a context.

use crate::points_to::{InstanceId, ObjectId, ObjectSet};
use crate::program::ClassId;
use crate::races::initialization::effects::Of;
use crate::races::locks::guards::{Guard, OwnLock};
use crate::races::order::starts::ThreadKinds;
use crate::races::order::tasks::Within;
use crate::races::order::unparallel::Kind;
use crate::races::threads::RunBy;

/// What matters of an access in a context; many are the same in that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Whether it writes.
    pub write: bool,
    /// Which threads come here.
    pub run_by: RunBy,
    /// Whose class initializer they run.
    pub of: Of,
    /// The classes whose initializers access the variable and have ended before.
    pub initialized: Vec<ClassId>,
    /// The kind of these threads, if it is one.
    pub thread_kind: Option<usize>,
    /// What may have been started before; none if it is not known that only the main thread comes here.
    pub started: Option<ThreadKinds>,
    /// The threads that have ended before, by what they begin with.
    pub ended: Vec<InstanceId>,
    /// The tasks of which all runs have ended before.
    pub ended_tasks: Vec<ObjectId>,
    /// The tasks in whose runs alone it is made.
    pub within: Vec<Within>,
    /// The objects that are accessed; none for a static field.
    pub bases: Option<ObjectSet>,
    /// Whether they are the thread's own object, or what only that holds: no other thread has the same one for its own.
    pub is_of_thread: bool,
    /// Whether they are the own object of a thread that has ended before, or what only that holds.
    pub is_of_ended: bool,
    /// Those of them that several threads may reach.
    pub shared: Option<ObjectSet>,
    /// The locks that are held.
    pub guards: Vec<Guard>,
    /// The locks of the very object that is accessed which are held.
    pub own: Vec<OwnLock>,
    /// The kinds of entries by which threads come here.
    pub entries: Vec<Kind>,
    /// The kinds that cannot run in parallel with any of them.
    pub barred: Vec<Kind>,
}

/// A [`Signature`] by its number.
pub type SignatureId = u32;

/// Whether names keep two accesses apart.
#[must_use]
pub fn are_apart(a: &Signature, b: &Signature) -> bool {
    !a.barred.is_empty() && !b.entries.is_empty() && b.entries.iter().all(|kind| a.barred.contains(kind))
}
