//! Which locations share one state.

use facts::access::{ArrayGranularity, Granularity};
use facts::event::Location;
use facts::index::FieldId;

/// How finely state is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Granularities {
    /// For the fields of an object.
    pub fields: Granularity,
    /// For the elements of an array.
    pub arrays: ArrayGranularity,
}

impl Granularities {
    /// What the fields of an object are called when they are taken together: no field has this number.
    pub const ANY_FIELD: FieldId = FieldId(0);

    /// The location that stands for all that share its state; `None` if it is not checked.
    ///
    /// Static fields are kept apart at every granularity, since they have no object in common. An array as a whole goes by
    /// its element 0.
    #[must_use]
    pub fn variable(self, location: Location) -> Option<Location> {
        match (location, self.fields, self.arrays) {
            (Location::Field(object, _), Granularity::Object, _) => Some(Location::Field(object, Self::ANY_FIELD)),
            (Location::Element(..), _, ArrayGranularity::Off) => None,
            (Location::Element(array, _), _, ArrayGranularity::Object) => Some(Location::Element(array, 0)),
            _ => Some(location),
        }
    }
}
