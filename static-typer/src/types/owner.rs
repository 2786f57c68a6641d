//! The owner of a field: why its accesses cannot race.

use crate::program::FieldId;

use super::accesses::{Access, Guard};
use super::obstacle::Obstacle;

/// Why accesses to a field cannot race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// It is final.
    Final,
    /// It is volatile: its accesses synchronize.
    Volatile,
    /// It is accessed only while no other thread can reach the object (`unique`), if at all.
    Unique,
    /// It is written only before another thread can reach the object (`readonly`).
    ReadOnly,
    /// Every access holds this lock; objects that no other thread can reach need none.
    Guarded(Guard),
    /// Its objects never reach another thread (`thisThread`).
    ThisThread,
    /// Only the main thread runs the code that accesses it (`thisThread`, with the main thread for every object).
    MainThread,
}

/// What is known of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldType {
    /// The field.
    pub field: FieldId,
    /// Why it cannot race; `None` for a race-unsafe field.
    pub owner: Option<Owner>,
    /// The accesses to objects that other threads may reach, in the order of methods.
    pub accesses: Vec<Access>,
    /// What stands in the way, a way each, if it is race-unsafe.
    pub obstacles: Vec<Obstacle>,
    /// Whether code accesses it that could not be analysed.
    pub is_unknown: bool,
    /// Whether reflection or a handle accesses it.
    pub is_reflected: bool,
}
