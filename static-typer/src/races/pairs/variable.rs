//! What is accessed, and on which objects it may race.

use std::collections::BTreeMap;

use crate::points_to::ObjectSet;
use crate::program::FieldId;

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// A field.
    Field(FieldId),
    /// An element of some array.
    Element,
    /// What some container of the JDK holds.
    Content,
}

/// The objects on which variables may race.
pub type Racy = BTreeMap<Variable, ObjectSet>;
