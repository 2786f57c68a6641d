//! Where a search for what leads to an object begins in a method.

use rustc_hash::FxHashSet;

use crate::ir::Value;
use crate::points_to::{InstanceId, Local};

/// A variable that leads to the object from the beginning, in a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// The method.
    pub instance: InstanceId,
    /// The variable.
    pub local: Local,
    /// What leads to the object besides.
    pub leads: Leads,
}

/// What leads to the object besides a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leads {
    /// Nothing: only what is done with the variable counts.
    Alone,
    /// The objects that it refers to, wherever else they are.
    Objects,
    /// The variables that it has the object from, back to where that is made: it is the object itself.
    Makers,
}

/// What is a method's own to begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// What it is given, as far as its callers say.
    Parameters,
    /// The object that it constructs.
    Receiver,
    /// What an instruction makes.
    MadeBy(Value),
}

/// An object that others get at sooner or later.
pub struct Wanted {
    /// The variable that has it first.
    pub start: Start,
    /// What the method has to itself then.
    pub own: Own,
    /// The variables of the method that have got what they have before anything was done with the object.
    pub early: FxHashSet<Local>,
}
