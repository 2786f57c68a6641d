//! What class initializers access that is not their own. What a class's initializer does to the class's static fields, and to
//! objects that it makes and keeps, comes before everybody else's accesses (JVMS 5.5). But any thread may run it, at any time, so what else
//! it accesses may race.

use crate::points_to::{Access, InstanceId, ObjectId, ObjectSet, PointsTo, Slot};
use crate::program::{ClassId, FieldId, Program};
use crate::races::pairs::variable::{Racy, Variable};
use crate::races::threads::{RunBy, Threads};

use super::exposed::exposed;
use super::triggers::Triggers;

/// Whose initializer runs code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Of {
    /// No class's.
    Nobody,
    /// That of one class, which runs once.
    Class(ClassId),
    /// Those of several.
    Several,
}

impl Of {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nobody, other) => other,
            (one, Self::Nobody) => one,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }
}

/// What initializers run and make.
pub struct Effects<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// By instance.
    run: Vec<Of>,
    /// By object; several if threads make it too, or may have it before the initializer ends.
    made: Vec<Of>,
}

impl<'a> Effects<'a> {
    /// Follows them.
    #[must_use]
    pub fn of(program: &'a Program, points_to: &'a PointsTo, threads: &Threads, triggers: &Triggers) -> Self {
        let (run, made) = (vec![Of::Nobody; points_to.instances().count()], vec![Of::Nobody; points_to.objects.len()]);
        let mut initializers = Self { program, points_to, run, made };
        triggers.all().for_each(|(class, instance)| initializers.follow(instance, Of::Class(class)));
        points_to.instances().for_each(|instance| initializers.make(instance, threads));
        let runs = |instance: InstanceId| initializers.run(instance) != Of::Nobody;
        let maker = |object: ObjectId| match initializers.made[object.0 as usize] {
            Of::Class(class) => Some(class),
            _ => None,
        };
        let exposed = exposed(program, points_to, &maker, &runs);
        exposed.iter().for_each(|object| initializers.made[object.0 as usize] = Of::Several);
        initializers
    }

    fn follow(&mut self, from: InstanceId, of: Of) {
        let mut open = vec![from];
        while let Some(instance) = open.pop() {
            let known = &mut self.run[instance.index()];
            let joined = known.join(of);
            if std::mem::replace(known, joined) == joined {
                continue;
            }
            open.extend(self.points_to.callees(instance));
        }
    }

    fn make(&mut self, instance: InstanceId, threads: &Threads) {
        let maker = if threads.run_by(instance) == RunBy::None { self.run[instance.index()] } else { Of::Several };
        for (to, site, _) in &self.points_to.code(instance).allocations {
            for object in self.points_to.local(instance, *to).iter() {
                if self.points_to.objects.get(object).site == *site {
                    let known = &mut self.made[object.0 as usize];
                    *known = known.join(maker);
                }
            }
        }
    }

    /// Whose initializer runs an instance.
    #[must_use]
    pub fn run(&self, instance: InstanceId) -> Of {
        self.run[instance.index()]
    }

    /// Adds what is not their own to the objects on which variables may race, as far as these are shared: what no other thread can
    /// reach, the thread that has made it uses alone, in an initializer as elsewhere.
    pub fn join(&self, shared: &ObjectSet, racy: &mut Racy) {
        for instance in self.points_to.instances().filter(|instance| self.run(*instance) != Of::Nobody) {
            let code = self.points_to.code(instance);
            for access in code.accesses.iter().filter(|_| code.is_checked) {
                let variable = match access.slot {
                    Slot::Field(field) => Variable::Field(field),
                    Slot::Element => Variable::Element,
                    _ => continue,
                };
                match self.others(instance, access) {
                    None => {}
                    Some(None) => _ = racy.entry(variable).or_default(),
                    Some(Some(others)) if !others.intersects(shared) => {}
                    Some(Some(others)) => _ = racy.entry(variable).or_default().insert_all(&others.common(shared)),
                }
            }
        }
    }

    /// The objects that an instance accesses when an initializer runs it and that are not the initializer's own, none for a static
    /// field; nothing if all is.
    #[must_use]
    pub fn others(&self, instance: InstanceId, access: &Access) -> Option<Option<ObjectSet>> {
        let of = self.run(instance);
        if of == Of::Nobody || matches!(access.slot, Slot::Field(field) if self.is_own(of, field, access)) {
            return None;
        }
        let Some(base) = access.base else { return Some(None) };
        let bases = self.points_to.local(instance, base).iter();
        let others: ObjectSet = bases.filter(|object| !self.is_made_by(of, *object)).collect();
        (!others.is_empty()).then_some(Some(others))
    }

    /// Final fields do not race either.
    fn is_own(&self, of: Of, field: FieldId, access: &Access) -> bool {
        let field = self.program.field(field);
        field.is_final() || access.base.is_none() && of == Of::Class(field.class)
    }

    fn is_made_by(&self, of: Of, object: ObjectId) -> bool {
        of != Of::Several && self.made[object.0 as usize] == of
    }
}
