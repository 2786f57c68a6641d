//! Objects that have come to another thread by a race, as runs have shown: what was done to one before is not known to who has got
//! it so, be it while nobody else had it.

use crate::points_to::{Global, ObjectSet, PointsTo, Site, Slot};
use crate::program::{Program, Raced};
use crate::races::pairs::variable::{Racy, Variable};

/// What references that have raced may refer to, and all that this leads to.
#[must_use]
pub fn handed_over(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let mut open = ObjectSet::default();
    let mut slots: Vec<Vec<(Slot, &ObjectSet)>> = vec![Vec::new(); points_to.objects.len()];
    if program.raced().is_empty() {
        return open;
    }
    for (object, slot, objects) in points_to.slots() {
        slots[object.0 as usize].push((slot, objects));
    }
    let held = |slots: &[(Slot, &ObjectSet)], is_meant: &dyn Fn(Slot) -> bool| {
        let meant = slots.iter().filter(|(slot, _)| is_meant(*slot));
        meant.fold(ObjectSet::default(), |all, (_, objects)| all.joined(objects))
    };
    for raced in program.raced() {
        match raced {
            Raced::Field(field) => {
                open.insert_all(points_to.global(Global::Static(*field)));
                slots.iter().for_each(|slots| _ = open.insert_all(&held(slots, &|slot| slot == Slot::Field(*field))));
            }
            Raced::Of(ty) => {
                let meant = points_to.objects.iter();
                let meant = meant.filter(|object| program.is_subtype(points_to.objects.ty(*object), *ty));
                meant.for_each(|object| _ = open.insert_all(&held(&slots[object.0 as usize], &|_| true)));
            }
        }
    }
    let mut reached = ObjectSet::default();
    let mut stack: Vec<_> = open.iter().collect();
    while let Some(object) = stack.pop() {
        if reached.insert(object) {
            stack.extend(slots[object.0 as usize].iter().flat_map(|(_, objects)| objects.iter()));
        }
    }
    reached
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
