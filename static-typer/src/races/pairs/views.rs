//! Objects of the JDK that stand for containers: views (`map.keySet()`, `list.subList(0, 2)`) and iterators. What is done to them is done to those.
//!
//! Wrappers that lock (`Collections.synchronizedMap`) stand for nothing: threads may share them. A set that is made of a map stands for itself, and
//! so does that map, unless several sets seem to have it. Of a container that the program has written nothing is known, so a view of one stands for itself.

use facts::models::contents::{lock_of, stands_for};
use rustc_hash::FxHashMap;

use crate::points_to::{ObjectId, ObjectSet, PointsTo, Slot};
use crate::program::{ClassId, FieldId, Program};

/// Sets that are made of maps of their own.
const SETS: [&str; 3] = ["java/util/HashSet", "java/util/LinkedHashSet", "java/util/TreeSet"];

/// Which there are.
#[derive(Default, Debug)]
pub struct Views {
    /// By class, the fields that refer to what its objects stand for.
    fields: FxHashMap<ClassId, FieldId>,
    /// The sets that are made of maps.
    sets: FxHashMap<ObjectId, ObjectId>,
}

impl Views {
    /// Looks for them in an analysed program.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let field = |class: ClassId| {
            let field = program.superclasses(class).find_map(|of| stands_for(&program.class_name(of)))?;
            program.superclasses(class).find_map(|of| program.field_named(&program.class_name(of), field))
        };
        let locks = |class| program.superclasses(class).any(|of| lock_of(&program.class_name(of)).is_some());
        let of_jdk = program.classes().filter(|class| program.is_of_jdk(*class));
        let fields = of_jdk.filter_map(|class| Some((class, field(class).filter(|_| !locks(class))?))).collect();
        let mut views = Self { fields, sets: FxHashMap::default() };
        let mut shared = Vec::new();
        for set in points_to.objects.iter().filter(|object| is_set(program, points_to, *object)) {
            for map in views.held(program, points_to, set).into_iter().flat_map(ObjectSet::iter) {
                if views.held(program, points_to, map).is_none() && views.sets.insert(map, set).is_some() {
                    shared.push(map);
                }
            }
        }
        views.sets.retain(|map, _| !shared.contains(map));
        views
    }

    /// What is meant by some objects.
    #[must_use]
    pub fn meant(&self, program: &Program, points_to: &PointsTo, objects: &ObjectSet) -> ObjectSet {
        let (mut meant, mut seen) = (ObjectSet::default(), objects.clone());
        let mut open: Vec<ObjectId> = objects.iter().collect();
        while let Some(object) = open.pop() {
            match self.held(program, points_to, object).filter(|held| self.is_view(program, points_to, object, held)) {
                Some(held) => open.extend(held.iter().filter(|held| seen.insert(*held))),
                None => _ = meant.insert(self.sets.get(&object).copied().unwrap_or(object)),
            }
        }
        meant
    }

    fn held<'a>(&self, program: &Program, points_to: &'a PointsTo, object: ObjectId) -> Option<&'a ObjectSet> {
        let class = program.find(points_to.objects.ty(object).as_class()?)?;
        let held = points_to.slot(object, Slot::Field(*self.fields.get(&class)?));
        let is_of_jdk = |held: ObjectId| {
            let class = points_to.objects.ty(held).as_class().and_then(|name| program.find(name));
            class.is_some_and(|class| program.is_of_jdk(class))
        };
        (!held.is_empty() && held.iter().all(is_of_jdk)).then_some(held)
    }

    /// Whether an object stands for what it holds; a set does so only for another one, as `tailSet` gives one out.
    fn is_view(&self, program: &Program, points_to: &PointsTo, object: ObjectId, held: &ObjectSet) -> bool {
        !is_set(program, points_to, object) || held.iter().all(|map| self.held(program, points_to, map).is_some())
    }
}

fn is_set(program: &Program, points_to: &PointsTo, object: ObjectId) -> bool {
    let class = points_to.objects.ty(object).as_class();
    class.is_some_and(|name| SETS.contains(&&*program.names().text(name)))
}
