//! Where something has ended that began before.

use crate::ir::{Block, Value};
use crate::points_to::{InstanceId, ObjectId};

/// All threads that begin on an object, or all runs of a task, have ended for certain from some place on.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Whose code it is.
    pub instance: InstanceId,
    /// From where on.
    pub end: End,
    /// The thread object, or the task.
    pub object: ObjectId,
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// On the way from one block to another one.
    Edge(Block, Block),
    /// After an instruction that has come to its end.
    After(Value),
}
