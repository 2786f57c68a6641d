//! What a trace shows of the fields of its program, as a type log has it.

use std::collections::{BTreeMap, BTreeSet};

use checkers::checker::Checker;
use checkers::discovery::{Discovery, Sample};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::Place;
use facts::trace::{FieldDefinition, Record, class_of_object};
use facts::type_log::{ClassUse, FieldUse, Lock, MethodUse};

/// A trace that is being read.
#[derive(Default)]
pub struct Discovered {
    discovery: Discovery,
    sites: BTreeMap<SiteId, Place>,
    fields: BTreeMap<FieldId, FieldDefinition>,
    threads: BTreeMap<ThreadId, String>,
    /// What the trace says of locks.
    objects: BTreeMap<ObjectId, String>,
}

impl Discovered {
    /// Takes the next record.
    pub fn record(&mut self, record: Record) {
        match record {
            Record::Event(event) => self.discovery.event(&event),
            Record::Site(id, site) => drop(self.sites.insert(id, site.place)),
            Record::Field(id, field) => drop(self.fields.insert(id, field)),
            Record::Thread(id, name) => drop(self.threads.insert(id, name)),
            Record::Object(id, class) => drop(self.objects.insert(id, class)),
            Record::Damage(_) => {}
        }
    }

    /// What was seen of the classes whose hashes are known.
    pub fn classes(&self, hashes: &BTreeMap<String, u64>) -> Vec<ClassUse> {
        let mut classes = BTreeMap::<String, ClassUse>::new();
        let mut class = |name: &str, add: &mut dyn FnMut(&mut ClassUse)| {
            let Some(hash) = hashes.get(name) else { return };
            let empty =
                || ClassUse { class: name.to_owned(), hash: *hash, fields: Vec::new(), methods: BTreeMap::new() };
            add(classes.entry(name.to_owned()).or_insert_with(empty));
        };
        for (id, samples) in self.discovery.fields() {
            let Some(field) = self.fields.get(&id) else { continue };
            let Some(seen) = samples.iter().map(|sample| self.field_use(field, sample)).reduce(both) else { continue };
            // Code of a class is known only if the class is.
            seen.seen.sites.keys().for_each(|name| class(name, &mut |_| {}));
            class(&field.class, &mut |class| {
                class.fields.push(seen.log());
                samples.iter().for_each(|sample| self.add_methods(field, sample, &mut class.methods));
            });
        }
        let mut classes: Vec<ClassUse> = classes.into_values().collect();
        classes.iter_mut().for_each(|class| class.fields.sort_unstable());
        classes
    }

    fn field_use(&self, field: &FieldDefinition, sample: &Sample) -> Use {
        let shared = sample.threads.len() > 1;
        let names: BTreeSet<Option<&String>> = sample.threads.iter().map(|thread| self.threads.get(thread)).collect();
        // Where one thread is alone, what it holds says nothing.
        let held = sample.locks.iter().flatten().filter(|_| shared);
        let late = |n: u64| if shared { n } else { 0 };
        let seen = FieldUse {
            name: field.name.clone(),
            descriptor: field.descriptor.clone(),
            objects: 1,
            shared: u64::from(shared),
            handed_over: u64::from(shared && !sample.returned),
            reads: sample.reads,
            writes: sample.writes,
            late: late(sample.late),
            late_writes: late(sample.late_writes),
            threads: sample.threads.len() as u64,
            thread: names.first().copied().flatten().filter(|_| names.len() == 1).cloned(),
            locks: BTreeSet::new(),
            sites: self.sites(sample),
        };
        Use { seen, locks: held.flat_map(|lock| self.relations(*lock, sample.object)).collect() }
    }

    /// What a lock is to an object.
    fn relations(&self, lock: ObjectId, object: Option<ObjectId>) -> Vec<Relation> {
        let said = self.objects.get(&lock).cloned().unwrap_or_default();
        match class_of_object(&said) {
            _ if Some(lock) == object => vec![Relation::Any(Lock::This)],
            Some(class) => vec![Relation::Any(Lock::Class(class.to_owned()))],
            None => vec![Relation::Object(lock, said.clone()), Relation::Any(Lock::Other(said))],
        }
    }

    fn sites(&self, sample: &Sample) -> facts::type_log::Sites {
        let mut sites = facts::type_log::Sites::new();
        for place in sample.sites.keys().filter_map(|site| self.sites.get(site)) {
            let methods = sites.entry(place.class.clone()).or_default();
            methods.entry(method(place)).or_default().insert(place.offset);
        }
        sites
    }

    fn add_methods(&self, field: &FieldDefinition, sample: &Sample, methods: &mut BTreeMap<String, MethodUse>) {
        for (site, (late, own)) in &sample.sites {
            let Some(place) = self.sites.get(site).filter(|place| place.class == field.class && *late > 0) else {
                continue;
            };
            let seen = methods.entry(method(place)).or_default();
            seen.accesses += late;
            seen.own_lock += own;
        }
    }
}

/// Name and descriptor.
fn method(place: &Place) -> String {
    format!("{}{}", place.method, place.descriptor)
}

/// How objects used a field, with locks that are still known by their numbers.
struct Use {
    seen: FieldUse,
    locks: BTreeSet<Relation>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Any(Lock),
    /// This very lock, of this class.
    Object(ObjectId, String),
}

fn both(one: Use, other: Use) -> Use {
    let locks = match (one.seen.late, other.seen.late) {
        (_, 0) => one.locks,
        (0, _) => other.locks,
        _ => one.locks.intersection(&other.locks).cloned().collect(),
    };
    Use { seen: one.seen.and(other.seen), locks }
}

impl Use {
    fn log(&self) -> FieldUse {
        let lock = |relation: &Relation| match relation {
            Relation::Any(lock) => lock.clone(),
            Relation::Object(_, class) => Lock::Same(class.clone()),
        };
        FieldUse { locks: self.locks.iter().map(lock).collect(), ..self.seen.clone() }
    }
}

#[cfg(test)]
mod tests {
    use facts::access::{AccessKind, LockMode};
    use facts::event::{Event, EventKind, Location};
    use facts::site::{Action, Site};
    use facts::type_log::{Observed, Owner};

    use super::*;

    /// Two threads write a field of each object, with these locks.
    fn discovered(locks: &[(u64, u64)]) -> Vec<ClassUse> {
        let mut discovered = Discovered::default();
        let field = FieldDefinition { class: "a/A".into(), name: "x".into(), descriptor: "I".into(), flags: 0 };
        discovered.record(Record::Field(FieldId(1), field));
        discovered.record(Record::Object(ObjectId(8), "b/Lock".into()));
        discovered.record(Record::Object(ObjectId(9), "b/Lock".into()));
        discovered.record(Record::Object(ObjectId(7), facts::trace::class_object("a/A")));
        let place = Place {
            class: "a/B".into(),
            method: "run".into(),
            descriptor: "()V".into(),
            offset: 5,
            line: None,
            file: None,
        };
        discovered.record(Record::Site(SiteId(1), Box::new(Site { place, action: Action::Enter })));
        for (object, lock) in locks {
            for thread in [1, 2, 1] {
                let write = EventKind::Access(AccessKind::Write, Location::Field(ObjectId(*object), FieldId(1)));
                let hold = |event: fn(ObjectId, LockMode) -> EventKind| event(ObjectId(*lock), LockMode::Exclusive);
                for action in [hold(EventKind::Acquire), write, hold(EventKind::Release)] {
                    discovered.record(Record::Event(Event { thread: ThreadId(thread), site: SiteId(1), action }));
                }
            }
        }
        discovered.classes(&[("a/A".to_owned(), 5), ("a/B".to_owned(), 6)].into())
    }

    fn owner(locks: &[(u64, u64)]) -> Option<Owner> {
        Observed { seen: discovered(locks)[0].fields[0].clone(), runs: 1 }.owner()
    }

    #[test]
    fn locks_are_seen_from_the_object() {
        let lock = || "b/Lock".to_owned();
        assert_eq!(owner(&[(1, 1), (2, 2)]), Some(Owner::Lock(Lock::This)));
        assert_eq!(owner(&[(1, 7), (2, 7)]), Some(Owner::Lock(Lock::Class("a/A".into()))));
        assert_eq!(owner(&[(1, 8), (2, 8)]), Some(Owner::Lock(Lock::Same(lock()))));
        assert_eq!(owner(&[(1, 8), (2, 9)]), Some(Owner::Lock(Lock::Other(lock()))));
        assert_eq!(owner(&[(1, 1), (2, 9)]), None);
    }

    #[test]
    fn code_is_listed_with_its_class() {
        let classes = discovered(&[(1, 1)]);
        let names: Vec<_> = classes.iter().map(|class| (class.class.as_str(), class.hash)).collect();
        assert_eq!(names, [("a/A", 5), ("a/B", 6)]);
        let seen = &classes[0].fields[0];
        assert_eq!(seen.sites["a/B"]["run()V"], [5].into());
        assert_eq!((seen.accesses(), seen.late, seen.threads, seen.shared), (3, 2, 2, 1));
        assert!(classes[0].methods.is_empty(), "the code is another class's");
    }
}
