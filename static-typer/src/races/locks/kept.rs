//! What objects make and keep for themselves.
//!
//! A map that a class makes for a field of its own is one object of the analysis, however many objects of the class there are.
//! Two of them that differ, and each of which holds its own lock, do not come to one map unless they share what they keep.

use rustc_hash::FxHashMap;

use crate::points_to::{ObjectId, ObjectSet, PointsTo, Site, Slot};
use crate::program::{FieldId, MethodId, Program};

use super::guards::Guard;

/// The fields that keep each object which code of their class has made.
#[derive(Default, Debug)]
pub struct Kept(FxHashMap<ObjectId, Vec<(FieldId, ObjectId)>>);

impl Kept {
    /// Looks at every field of every object.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let mut kept = Self::default();
        for (owner, slot, objects) in points_to.slots() {
            let Slot::Field(field) = slot else { continue };
            let class = program.field(field).class;
            for object in objects.iter() {
                let maker = maker(points_to, object).map(|maker| program.method(maker));
                if maker.is_some_and(|maker| maker.class == class && !maker.is_static()) {
                    kept.0.entry(object).or_default().push((field, owner));
                }
            }
        }
        kept
    }

    /// Whether both sides hold locks of objects which keep all that is accessed, each in the same field.
    #[must_use]
    pub fn is_by_both(&self, a: &[Guard], b: &[Guard], objects: &ObjectSet) -> bool {
        let excludes = |a: &Guard, b: &Guard| a.monitor == b.monitor && !(a.shared && b.shared);
        let is_kept = |object: ObjectId| {
            a.iter().any(|a| b.iter().any(|b| excludes(a, b) && self.has_both(object, a.object, b.object)))
        };
        objects.iter().next().is_some() && objects.iter().all(is_kept)
    }

    fn has_both(&self, object: ObjectId, a: ObjectId, b: ObjectId) -> bool {
        let owners = self.0.get(&object).map_or(&[][..], Vec::as_slice);
        owners.iter().any(|(field, owner)| *owner == a && owners.contains(&(*field, b)))
    }
}

fn maker(points_to: &PointsTo, object: ObjectId) -> Option<MethodId> {
    match points_to.objects.get(object).site {
        Site::New(method, ..) => Some(method),
        _ => None,
    }
}
