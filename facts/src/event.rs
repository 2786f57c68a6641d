//! Events: what checkers consume, live from the agent or replayed from a trace.

use crate::access::{AccessKind, LockMode};
use crate::index::{FieldId, ObjectId, SiteId, ThreadId};

/// A memory location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// A field of an object.
    Field(ObjectId, FieldId),
    /// A static field.
    Static(FieldId),
    /// An element of an array; checkers that take arrays as one object ignore the index.
    Element(ObjectId, u32),
}

/// One step of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The thread that takes the step.
    pub thread: ThreadId,
    /// Where in the program; `SiteId(0)` when unknown.
    pub site: SiteId,
    /// What it does.
    pub action: EventKind,
}

/// What a thread does in one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// The thread's first event.
    Begin,
    /// The thread's last event.
    End,
    /// The thread starts another.
    Fork(ThreadId),
    /// The thread has seen another end.
    Join(ThreadId),
    /// A lock was acquired; reentrant acquisitions are reported too.
    Acquire(ObjectId, LockMode),
    /// A lock is about to be released; matches the latest unmatched acquisition of the same lock and mode.
    Release(ObjectId, LockMode),
    /// A plain access.
    Access(AccessKind, Location),
    /// A volatile access.
    Volatile(AccessKind, Location),
    /// `Object.wait` is about to release the monitor.
    WaitBegin(ObjectId),
    /// `Object.wait` has reacquired the monitor.
    WaitEnd(ObjectId),
    /// `notify` (false) or `notifyAll` (true).
    Notify(ObjectId, bool),
    /// What the thread did so far is made visible through the object: a task handed to a queue, a future completed, an atomic set.
    Publish(ObjectId),
    /// The thread has seen what was made visible through the object.
    Observe(ObjectId),
    /// A class initializer begins; the object is the class.
    ClassInitBegin(ObjectId),
    /// A class initializer ends.
    ClassInitEnd(ObjectId),
    /// A transaction begins: an execution of code that is expected to be atomic. Transactions nest. The site is that of the
    /// code (the entry of a method, or a `monitorenter`) and stands for it: two executions of one site are alike.
    Enter,
    /// A transaction ends, in order or by an exception. The site is that of its [`Enter`](Self::Enter), so that a lost end
    /// does not shift the others.
    Exit,
}
