//! Findings from a trace: names and places for what a checker says in numbers.
//!
//! A variable gets the same name as in a findings file of the live run, so that both merge and one baseline serves both.
//! Stacks have one frame, the site of the access: a trace has no more.

use std::collections::{BTreeMap, HashMap, HashSet};

use checkers::checker::{self, Checker, Race};
use checkers::eraser::Eraser;
use checkers::granularity::Granularities;
use facts::access::{AccessKind, ArrayGranularity, Granularity};
use facts::event::{Event, EventKind, Location};
use facts::finding::{self, Conflict, Evidence, Finding, HeldLock, Jvm, Rule, Summary, Thread, Variable};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::{Action, Place, Site};
use facts::trace::{FieldDefinition, Record};

use super::merge::Merged;

/// A trace that is being checked.
pub struct Replayed {
    jvm: Jvm,
    granularities: Granularities,
    checker: Eraser,
    names: Names,
    findings: Vec<Finding>,
}

/// What the trace has defined and what became of its threads so far.
#[derive(Default)]
struct Names {
    sites: HashMap<SiteId, Site>,
    fields: HashMap<FieldId, FieldDefinition>,
    threads: HashMap<ThreadId, String>,
    objects: HashMap<ObjectId, String>,
    forks: HashMap<ThreadId, SiteId>,
    ended: HashSet<ThreadId>,
}

impl Replayed {
    /// Nothing was read yet.
    pub fn new(jvm: Jvm, granularities: Granularities) -> Self {
        Self { jvm, granularities, checker: Eraser::new(granularities), names: Names::default(), findings: Vec::new() }
    }

    /// Takes the next record.
    pub fn record(&mut self, record: Record) {
        match record {
            Record::Event(event) => self.event(event),
            definition => self.names.define(definition),
        }
    }

    fn event(&mut self, event: Event) {
        self.names.follow(&event);
        let known = self.checker.races().len();
        self.checker.event(&event);
        for race in &self.checker.races()[known..] {
            self.findings.push(self.names.finding(race, self.granularities));
        }
    }

    /// Everything that was found.
    pub fn finish(self) -> Merged {
        let jvm = Jvm { check: check(self.granularities), ..self.jvm };
        let mut counts = BTreeMap::<Variable, u64>::new();
        for finding in &self.findings {
            *counts.entry(finding.variable.clone()).or_default() += 1;
        }
        // The checker reports each location once.
        let counts =
            counts.into_iter().map(|(variable, n)| finding::Record::Seen { variable, accesses: n, objects: n });
        let summary = Summary { threads: self.names.threads.len() as u64, ..Summary::default() };
        let findings = self.findings.into_iter().map(finding::Record::Finding);
        Merged::of_file(jvm, findings.chain(counts).chain([finding::Record::End(summary)]))
    }
}

/// As the agent writes it into findings files.
fn check(granularities: Granularities) -> String {
    let fields = match granularities.fields {
        Granularity::Field => "field",
        Granularity::Object => "object",
    };
    let arrays = match granularities.arrays {
        ArrayGranularity::Object => "",
        ArrayGranularity::Element => ", array elements",
        ArrayGranularity::Off => ", no arrays",
    };
    format!("eraser, {fields}{arrays}, replayed")
}

impl Names {
    fn define(&mut self, record: Record) {
        match record {
            Record::Site(id, site) => drop(self.sites.insert(id, *site)),
            Record::Field(id, field) => drop(self.fields.insert(id, field)),
            Record::Thread(id, name) => drop(self.threads.insert(id, name)),
            Record::Object(id, class) => drop(self.objects.insert(id, class)),
            Record::Event(_) | Record::Damage(_) => {}
        }
    }

    fn follow(&mut self, event: &Event) {
        match event.action {
            EventKind::Fork(thread) => drop(self.forks.insert(thread, event.site)),
            EventKind::End => drop(self.ended.insert(event.thread)),
            _ => {}
        }
    }

    fn finding(&self, race: &Race, granularities: Granularities) -> Finding {
        let write = race.previous_write.as_ref().filter(|_| race.current.kind == AccessKind::Read);
        let previous = self.access(write.unwrap_or(&race.previous));
        Finding {
            rule: Rule::Race,
            evidence: Evidence::Lockset,
            variable: self.variable(&race.current, granularities.fields),
            conflicts: vec![Conflict { current: self.access(&race.current), previous }],
        }
    }

    fn variable(&self, access: &checker::Access, granularity: Granularity) -> Variable {
        match (access.location, granularity) {
            (Location::Static(field), _) => {
                let FieldDefinition { class, name, descriptor, .. } = self.field(field);
                Variable::Static { class, name, descriptor }
            }
            (Location::Field(_, field), Granularity::Object) => Variable::Object { class: self.field(field).class },
            (Location::Field(_, field), Granularity::Field) => {
                let FieldDefinition { class, name, descriptor, .. } = self.field(field);
                Variable::Field { class, name, descriptor }
            }
            (Location::Element(array, _), _) => {
                Variable::Array { descriptor: self.class(array), origin: self.array_origin(access.site) }
            }
        }
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

    fn access(&self, access: &checker::Access) -> finding::Access {
        let held = access.locks.iter().map(|hold| HeldLock {
            id: hold.lock,
            class: self.class(hold.lock),
            class_object: None,
            mode: hold.mode,
        });
        finding::Access {
            kind: Some(access.kind),
            stack: self.stack(access.site),
            thread: self.thread(access.thread),
            locks: Some(held.collect()),
        }
    }

    fn stack(&self, site: SiteId) -> Vec<Place> {
        self.sites.get(&site).map(|site| site.place.clone()).into_iter().collect()
    }

    fn thread(&self, id: ThreadId) -> Thread {
        Thread {
            id,
            name: self.threads.get(&id).cloned().unwrap_or_default(),
            is_virtual: false,
            alive: Some(!self.ended.contains(&id)),
            created: self.forks.get(&id).map(|site| self.stack(*site)).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{jvm, place};
    use super::*;

    fn event(thread: u32, site: u32, action: EventKind) -> Record {
        Record::Event(Event { thread: ThreadId(thread), site: SiteId(site), action })
    }

    fn site(id: u32, line: u32) -> Record {
        let action = Action::ClassInit;
        Record::Site(SiteId(id), Box::new(Site { place: place("bank/Account", "add", line), action }))
    }

    fn write(thread: u32, site: u32) -> Record {
        event(thread, site, EventKind::Access(AccessKind::Write, Location::Field(ObjectId(5), FieldId(1))))
    }

    fn trace() -> Vec<Record> {
        let field =
            FieldDefinition { class: "bank/Account".into(), name: "balance".into(), descriptor: "I".into(), flags: 0 };
        vec![
            Record::Field(FieldId(1), field),
            Record::Thread(ThreadId(1), "main".into()),
            Record::Thread(ThreadId(2), "teller".into()),
            site(1, 10),
            site(2, 20),
            site(3, 30),
            event(1, 3, EventKind::Fork(ThreadId(2))),
            write(1, 1),
            event(1, 0, EventKind::End),
            write(2, 2),
        ]
    }

    #[test]
    fn races_get_names_and_places() {
        let mut replayed = Replayed::new(jvm(7), Granularities::default());
        trace().into_iter().for_each(|record| replayed.record(record));
        let merged = replayed.finish();
        let (key, finding) = merged.findings().next().unwrap();
        assert_eq!(super::super::words::variable_name(&key.variable), "bank.Account.balance");
        let conflict = &finding.conflicts.values().next().unwrap().conflict;
        assert_eq!((conflict.current.stack[0].line, conflict.previous.stack[0].line), (Some(20), Some(10)));
        assert_eq!((conflict.previous.thread.alive, conflict.current.thread.alive), (Some(false), Some(true)));
        assert_eq!(conflict.current.thread.created[0].line, Some(30));
        assert_eq!(finding.seen().objects, 1);
    }

    #[test]
    fn what_was_not_defined_has_its_number() {
        let mut replayed = Replayed::new(jvm(7), Granularities::default());
        [write(1, 1), write(2, 2)].into_iter().for_each(|record| replayed.record(record));
        let merged = replayed.finish();
        let (key, _) = merged.findings().next().unwrap();
        assert_eq!(super::super::words::variable_name(&key.variable), "unknown.f1");
    }
}
