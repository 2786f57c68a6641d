//! Races from a trace, as a findings file of the live run has them.

use std::collections::BTreeMap;

use checkers::checker::{Checker, Race};
use checkers::eraser::Eraser;
use checkers::granularity::Granularities;
use facts::access::{AccessKind, ArrayGranularity, Granularity};
use facts::event::Event;
use facts::finding::{self, Conflict, Evidence, Finding, Jvm, Rule, Summary, Variable};
use facts::trace::Record;

use super::merge::Merged;
use super::names::Names;

/// A trace that is being checked.
pub struct Replayed {
    jvm: Jvm,
    granularities: Granularities,
    checker: Eraser,
    names: Names,
    findings: Vec<Finding>,
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
            self.findings.push(finding(race, &self.names, self.granularities));
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
        let summary = Summary { threads: self.names.n_threads() as u64, ..Summary::default() };
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

fn finding(race: &Race, names: &Names, granularities: Granularities) -> Finding {
    let write = race.previous_write.as_ref().filter(|_| race.current.kind == AccessKind::Read);
    let previous = names.access(write.unwrap_or(&race.previous));
    Finding {
        rule: Rule::Race,
        evidence: Evidence::Lockset,
        variable: names.variable(race.current.location, race.current.site, granularities.fields),
        conflicts: vec![Conflict { grade: None, current: names.access(&race.current), previous }],
    }
}

#[cfg(test)]
mod tests {
    use facts::event::{EventKind, Location};
    use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
    use facts::site::{Action, Site};
    use facts::trace::FieldDefinition;

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
