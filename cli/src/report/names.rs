//! Names and places for what a trace says in numbers.
//!
//! A variable gets the same name as in a findings file of the live run, so that both merge and one baseline serves both.
//! Stacks have one frame, the site of the access: a trace has no more.

use std::collections::{BTreeSet, HashMap, HashSet};

use checkers::checker;
use checkers::held::Hold;
use facts::access::Granularity;
use facts::event::{Event, EventKind, Location};
use facts::finding::{self, HeldLock, Thread, Variable};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::{Action, Place, Site};
use facts::trace::{FieldDefinition, Record, class_of_object};

/// What the trace has defined and what became of its threads so far.
#[derive(Default)]
pub struct Names {
    sites: HashMap<SiteId, Site>,
    fields: HashMap<FieldId, FieldDefinition>,
    threads: HashMap<ThreadId, String>,
    objects: HashMap<ObjectId, String>,
    forks: HashMap<ThreadId, SiteId>,
    ended: HashSet<ThreadId>,
}

impl Names {
    /// Takes note of a definition.
    pub fn define(&mut self, record: Record) {
        match record {
            Record::Site(id, site) => drop(self.sites.insert(id, *site)),
            Record::Field(id, field) => drop(self.fields.insert(id, field)),
            Record::Thread(id, name) => drop(self.threads.insert(id, name)),
            Record::Object(id, class) => drop(self.objects.insert(id, class)),
            Record::Event(_) | Record::Damage(_) => {}
        }
    }

    /// Follows what becomes of threads.
    pub fn follow(&mut self, event: &Event) {
        match event.action {
            EventKind::Fork(thread) => drop(self.forks.insert(thread, event.site)),
            EventKind::End => drop(self.ended.insert(event.thread)),
            _ => {}
        }
    }

    /// The code of transactions in some methods, `bank/Account.pay(I)V`.
    pub fn transactions_of(&self, methods: &BTreeSet<String>) -> impl Iterator<Item = SiteId> {
        let is_of = |site: &Site| {
            let Place { class, method, descriptor, .. } = &site.place;
            matches!(site.action, Action::Transaction | Action::Enter)
                && methods.contains(&format!("{class}.{method}{descriptor}"))
        };
        self.sites.iter().filter(move |(_, site)| is_of(site)).map(|(id, _)| *id)
    }

    /// What was accessed.
    pub fn variable(&self, location: Location, site: SiteId, granularity: Granularity) -> Variable {
        match (location, granularity) {
            (Location::Static(field), _) => {
                let FieldDefinition { class, name, descriptor, .. } = self.field(field);
                Variable::Static { class, name, descriptor }
            }
            (Location::Field(_, field), Granularity::Object) => Variable::Object { class: self.field(field).class },
            (Location::Field(_, field), Granularity::Field) => {
                let FieldDefinition { class, name, descriptor, .. } = self.field(field);
                Variable::Field { class, name, descriptor }
            }
            (Location::Element(map, _), _) if self.is_map(site) => Variable::Object { class: self.class(map) },
            (Location::Element(array, _), _) => {
                Variable::Array { descriptor: self.class(array), origin: self.array_origin(site) }
            }
        }
    }

    fn is_map(&self, site: SiteId) -> bool {
        self.sites.get(&site).is_some_and(|site| matches!(site.action, Action::Contents(_)))
    }

    /// The array as a programmer would name it: after the field it was loaded from, or after the method.
    fn array_origin(&self, site: SiteId) -> String {
        let Some(site) = self.sites.get(&site) else { return "unknown".to_owned() };
        match &site.action {
            Action::Array(_, array) if let Some((field, loads)) = &array.origin => {
                format!("{}.{}{}", field.class, field.name, "[]".repeat(usize::from(*loads) + 1))
            }
            _ => format!("{}.{}", site.place.class, site.place.method),
        }
    }

    fn field(&self, id: FieldId) -> FieldDefinition {
        let unknown = || FieldDefinition {
            class: "unknown".to_owned(),
            name: id.to_string(),
            descriptor: "unknown".to_owned(),
            flags: 0,
        };
        self.fields.get(&id).cloned().unwrap_or_else(unknown)
    }

    fn class(&self, object: ObjectId) -> String {
        self.objects.get(&object).cloned().unwrap_or_default()
    }

    /// An access as evidence.
    pub fn access(&self, access: &checker::Access) -> finding::Access {
        finding::Access { kind: Some(access.kind), ..self.act(access.thread, access.site, &access.locks) }
    }

    /// What a thread does at a place, with the locks that it holds.
    pub fn act(&self, thread: ThreadId, site: SiteId, locks: &[Hold]) -> finding::Access {
        let (stack, thread) = (self.stack(site), self.thread(thread));
        finding::Access { kind: None, stack, thread, locks: Some(self.locks(locks)), test: None, writes_too: false }
    }

    /// Locks as evidence.
    pub fn locks(&self, locks: &[Hold]) -> Vec<HeldLock> {
        locks.iter().map(|hold| self.lock(*hold)).collect()
    }

    /// A lock as evidence.
    pub fn lock(&self, Hold { lock, mode }: Hold) -> HeldLock {
        let said = self.class(lock);
        let class_object = class_of_object(&said).map(str::to_owned);
        let class = if class_object.is_some() { "java/lang/Class".to_owned() } else { said };
        HeldLock { id: lock, class, class_object, field: None, mode }
    }

    /// The site with this number.
    pub fn site(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(&id)
    }

    /// How many threads have names.
    pub fn n_threads(&self) -> usize {
        self.threads.len()
    }

    /// A place as a stack of one frame.
    pub fn stack(&self, site: SiteId) -> Vec<Place> {
        self.sites.get(&site).map(|site| site.place.clone()).into_iter().collect()
    }

    /// A thread as evidence.
    pub fn thread(&self, id: ThreadId) -> Thread {
        Thread {
            id,
            name: self.threads.get(&id).cloned().unwrap_or_default(),
            is_virtual: false,
            alive: Some(!self.ended.contains(&id)),
            created: self.forks.get(&id).map(|site| self.stack(*site)).unwrap_or_default(),
        }
    }
}
