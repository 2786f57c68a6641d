//! What class initializers access that is not their own. The stages leave them out: what a class's initializer does to the class's
//! static fields, and to objects that it makes, comes before everybody else's accesses (JVMS 5.5). But any thread may run it, at
//! any time, so what else it accesses is not proved.

use crate::points_to::{Access, InstanceId, ObjectId, ObjectSet, PointsTo, Slot};
use crate::program::{ClassId, FieldId, Name, Program};

use super::Variable;
use super::race_free::Racy;
use super::threads::{RunBy, Threads};

/// Whose initializer runs code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Nobody,
    Class(ClassId),
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
pub struct Initializers<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// By instance.
    run: Vec<Of>,
    /// By object; several if threads make it too.
    made: Vec<Of>,
}

impl<'a> Initializers<'a> {
    /// Follows them.
    #[must_use]
    pub fn of(program: &'a Program, points_to: &'a PointsTo, threads: &Threads) -> Self {
        let (run, made) = (vec![Of::Nobody; points_to.instances().count()], vec![Of::Nobody; points_to.objects.len()]);
        let mut initializers = Self { program, points_to, run, made };
        for instance in points_to.instances() {
            let method = points_to.code(instance).method.map(|method| program.method(method));
            if let Some(method) = method.filter(|method| method.name == Name::CLINIT) {
                initializers.follow(instance, Of::Class(method.class));
            }
        }
        points_to.instances().for_each(|instance| initializers.make(instance, threads));
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
            let (code, calls) = (self.points_to.code(instance), self.points_to.calls(instance));
            open.extend(calls.iter().filter(|edge| !code.calls[edge.call as usize].is_fork).map(|edge| edge.callee));
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

    /// Adds what is not their own to the objects on which variables may race.
    pub fn join(&self, racy: &mut Racy) {
        for instance in self.points_to.instances().filter(|instance| self.run[instance.index()] != Of::Nobody) {
            let code = self.points_to.code(instance);
            code.accesses.iter().filter(|_| code.is_checked).for_each(|access| self.add(instance, access, racy));
        }
    }

    fn add(&self, instance: InstanceId, access: &Access, racy: &mut Racy) {
        let of = self.run[instance.index()];
        let variable = match access.slot {
            Slot::Field(field) if self.is_own(of, field, access) => return,
            Slot::Field(field) => Variable::Field(field),
            Slot::Element => Variable::Element,
            _ => return,
        };
        let bases = access.base.map(|base| self.points_to.local(instance, base));
        let others = bases.into_iter().flat_map(ObjectSet::iter).filter(|object| !self.is_made_by(of, *object));
        let others: ObjectSet = others.collect();
        if access.base.is_none() || !others.is_empty() {
            racy.entry(variable).or_default().insert_all(&others);
        }
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
