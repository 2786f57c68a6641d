//! Classes that are known by their form, as each run gives them other names.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use facts::focus::{ClassFocus, Copies, Family, FocusSet, Meanings, Naming, ReflectedMember, hash};
use instrumenter::shape::{Name, Shape};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::loading::Loading;

/// The copies of families that have come.
#[derive(Default)]
pub struct Generated {
    families: OnceLock<Families>,
    known: Mutex<Known>,
}

struct Families {
    /// Their classes, by the numbers of their skeletons.
    classes: FxHashMap<u64, Vec<String>>,
    meanings: Meanings,
}

#[derive(Default)]
struct Known {
    copies: Copies,
    /// What is proved of the classes that have come, by their names here, each with the number of its bytes.
    proved: FxHashMap<String, (u64, Arc<ClassFocus>)>,
    /// Names of classes that have come and are not known.
    strangers: FxHashSet<String>,
}

impl Generated {
    /// What is proved of a class that comes, if it is of a family.
    pub fn of(&self, set: &FocusSet, class: Loading<'_>) -> Option<Arc<ClassFocus>> {
        let families = self.families.get_or_init(|| Families::of(set));
        if families.classes.is_empty() {
            return None;
        }
        let (known, number) = (&mut *self.known.lock(), hash(class.bytes));
        if class.redefined.is_some() {
            return known.proved.get(class.name).filter(|proved| proved.0 == number).map(|proved| proved.1.clone());
        }
        let proved = known.find(set, families, class);
        match &proved {
            Some(focus) => _ = known.proved.insert(class.name.to_owned(), (number, focus.clone())),
            None => _ = known.strangers.insert(class.name.to_owned()),
        }
        proved
    }

    /// What is proved of a class that has come and is of a family.
    pub fn get(&self, class: &str) -> Option<Arc<ClassFocus>> {
        self.known.lock().proved.get(class).map(|proved| proved.1.clone())
    }

    /// Whether a class is of a family, be it that it has not come yet.
    pub fn has(&self, class: &str) -> bool {
        self.known.lock().copies.of(class).is_some()
    }

    /// A member under the name that the proofs know.
    pub fn known(&self, reflected: &ReflectedMember) -> ReflectedMember {
        let known = self.known.lock();
        known
            .copies
            .of(&reflected.class)
            .map_or_else(|| reflected.clone(), |naming| reflected.renamed(&naming.reversed()))
    }
}

impl Known {
    fn find(&mut self, set: &FocusSet, families: &Families, class: Loading<'_>) -> Option<Arc<ClassFocus>> {
        let shape = Shape::read(class.bytes).ok()?;
        let alike = families.classes.get(&shape.skeleton)?.iter().filter_map(|known| set.get(known));
        for (known, family) in alike.filter_map(|known| Some((known, known.family.as_ref()?))) {
            let Some(naming) = naming(family, &shape, &families.meanings) else { continue };
            // A class of two loaders is of two copies, which its name does not tell apart.
            let comes_again = self.proved.contains_key(class.name) && naming.classes.len() > 1;
            let fits = naming.class(&known.class) == class.name
                && naming.classes.values().all(|name| self.may_be(set, name, class.name));
            if fits
                && !comes_again
                && let Some(naming) = self.copies.add(&naming)
            {
                return Some(Arc::new(known.renamed(naming)));
            }
        }
        None
    }

    /// Whether a name may be that of a class which is of one copy with another one: of its package, and with no other meaning.
    fn may_be(&self, set: &FocusSet, name: &str, other: &str) -> bool {
        let is_other = set.get(name).is_some_and(|class| class.family.is_none()) || set.lacks(name);
        package(name) == package(other) && !is_other && !self.strangers.contains(name)
    }
}

impl Families {
    fn of(set: &FocusSet) -> Self {
        let mut classes: FxHashMap<u64, Vec<String>> = FxHashMap::default();
        for class in set.classes() {
            let skeleton = class.family.iter().map(|family| family.skeleton);
            skeleton.for_each(|skeleton| classes.entry(skeleton).or_default().push(class.class.clone()));
        }
        let meanings = if classes.is_empty() { Meanings::default() } else { Meanings::of(set) };
        Self { classes, meanings }
    }
}

/// What a copy is called, going by a class of it, if that is one of the family's form.
fn naming(family: &Family, shape: &Shape<'_>, meanings: &Meanings) -> Option<Naming> {
    let at = |place: &usize| shape.names.get(*place);
    let class = |(known, place): (&String, &usize)| match at(place)? {
        Name::Class(name) => Some((known.clone(), name.clone().into_owned())),
        _ => None,
    };
    let member = |(known, place): (&String, &usize)| match at(place)? {
        Name::Member(name) if !family.taken.contains(&**name) => Some((known.clone(), name.clone().into_owned())),
        _ => None,
    };
    let naming = Naming {
        classes: family.classes.iter().map(class).collect::<Option<BTreeMap<_, _>>>()?,
        members: family.members.iter().map(member).collect::<Option<BTreeMap<_, _>>>()?,
    };
    (shape.fixed(&family.places(), &|text| meanings.has(text)) == family.fixed).then_some(naming)
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}
