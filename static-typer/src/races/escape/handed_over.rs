//! Objects that have come to another thread by a race (unsafe publication), as runs have shown: what was done to one before is not known to who has got
//! it so, be it while nobody else had it.

use crate::points_to::{Global, ObjectSet, PointsTo, Site, Slot};
use crate::program::{Program, Raced};
use crate::races::pairs::variable::{Racy, Variable};

/// What references that have raced may refer to, and all that this leads to.
#[must_use]
pub fn handed_over(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let raced = program.raced();
    let mut begun = ObjectSet::default();
    if raced.is_empty() {
        return begun;
    }
    for (global, objects) in points_to.globals() {
        if matches!(global, Global::Static(field) if raced.contains(&Raced::Field(field))) {
            begun.insert_all(objects);
        }
    }
    for (object, slot, objects) in points_to.slots() {
        let is_one = |raced: &Raced| match raced {
            Raced::Field(field) => slot == Slot::Field(*field),
            Raced::Of(ty) => program.is_subtype(points_to.objects.ty(object), *ty),
        };
        if raced.iter().any(is_one) {
            begun.insert_all(objects);
        }
    }
    points_to.reached(&begun, &|_, _| true)
}

/// What is written to such an object as it is made, by no instruction that stores it: by `clone`, say.
#[must_use]
pub fn filled(program: &Program, points_to: &PointsTo, handed_over: &ObjectSet) -> Racy {
    let mut filled = Racy::default();
    let is_copy = |site: Site| !matches!(site, Site::New(..));
    for object in handed_over.iter().filter(|object| is_copy(points_to.objects.get(*object).site)) {
        let ty = points_to.objects.ty(object);
        if ty.dimensions > 0 {
            filled.entry(Variable::Element).or_default().insert(object);
        }
        let class = ty.as_class().and_then(|class| program.find(class));
        let fields =
            class.into_iter().flat_map(|class| program.ancestors(class)).flat_map(|class| program.fields_of(class));
        for field in fields.filter(|field| !program.field(*field).is_static()) {
            filled.entry(Variable::Field(field)).or_default().insert(object);
        }
    }
    filled
}
