//! What class initializers make and give away before they end: to a thread that they start, to a static field of another class, or to an
//! object that is not theirs. Who gets it from there waits for no initializer.

use crate::points_to::{Global, InstanceId, Local, ObjectId, ObjectSet, PointsTo, Use};
use crate::program::{ClassId, Program};

/// Whose initializer makes an object, if that is one.
type Maker<'a> = dyn Fn(ObjectId) -> Option<ClassId> + 'a;

/// These objects and all that they lead to, where `runs` says which instances initializers run.
#[must_use]
pub fn exposed(
    program: &Program,
    points_to: &PointsTo,
    maker: &Maker<'_>,
    runs: &dyn Fn(InstanceId) -> bool,
) -> ObjectSet {
    let mut exposed = ObjectSet::default();
    for instance in points_to.instances().filter(|instance| runs(*instance)) {
        let stores = Stores { program, points_to, maker, instance };
        exposed.insert_all(&stores.in_statics());
        exposed.insert_all(&stores.in_objects());
        exposed.insert_all(&stores.to_threads());
    }
    points_to.reached(&exposed, &|_, _| true)
}

/// Where code run by initializers stores and passes on what they make.
struct Stores<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    maker: &'a Maker<'a>,
    instance: InstanceId,
}

impl Stores<'_> {
    fn in_statics(&self) -> ObjectSet {
        let stores = self.points_to.code(self.instance).global_stores.iter();
        let of_others = stores.flat_map(|(global, from)| {
            let class = match global {
                Global::Static(field) => Some(self.program.field(*field).class),
                _ => None,
            };
            self.made_by(*from).filter(move |(_, maker)| class != Some(*maker)).map(|(object, _)| object)
        });
        of_others.collect()
    }

    fn in_objects(&self) -> ObjectSet {
        let uses = self.points_to.code(self.instance).all_uses().iter();
        let stores = uses.filter_map(|(base, used)| match used {
            Use::Store(_, from) => Some((*base, *from)),
            _ => None,
        });
        let of_others = stores.flat_map(|(base, from)| {
            let bases = self.points_to.local(self.instance, base);
            let is_of = |maker| bases.iter().all(|base| (self.maker)(base) == Some(maker));
            self.made_by(from).filter(move |(_, maker)| !is_of(*maker)).map(|(object, _)| object)
        });
        of_others.collect()
    }

    fn to_threads(&self) -> ObjectSet {
        let forks = self.points_to.code(self.instance).calls.iter().filter(|site| site.is_fork);
        let arguments = forks.flat_map(|site| site.arguments.iter().flatten());
        arguments.flat_map(|argument| self.points_to.local(self.instance, *argument).iter()).collect()
    }

    /// The objects of a variable that one class's initializer makes.
    fn made_by(&self, local: Local) -> impl Iterator<Item = (ObjectId, ClassId)> + '_ {
        let objects = self.points_to.local(self.instance, local).iter();
        objects.filter_map(|object| Some((object, (self.maker)(object)?)))
    }
}
