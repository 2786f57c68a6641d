//! Races from a trace, as a findings file of the live run has them.

use std::collections::{BTreeMap, BTreeSet};

use checkers::checker::{Checker, Race};
use checkers::eraser::Eraser;
use checkers::granularity::Granularities;
use checkers::order::happens_before::HappensBefore;
use checkers::order::hybrid::Hybrid;
use facts::access::{AccessKind, ArrayGranularity, Granularity};
use facts::event::{Event, Location};
use facts::finding::{self, Conflict, Evidence, Finding, Jvm, Rule, Summary, Variable};
use facts::options::Check;
use facts::trace::Record;

use super::merge::Merged;
use super::names::Names;

/// A trace that is being checked.
pub struct Replayed {
    jvm: Jvm,
    check: Check,
    granularities: Granularities,
    checker: Box<dyn Checker>,
    names: Names,
    findings: Vec<Finding>,
    /// What raced, by name.
    racy: BTreeSet<(Variable, Location)>,
}

impl Replayed {
    /// Nothing was read yet.
    pub fn new(jvm: Jvm, check: Check, granularities: Granularities) -> Self {
        let granularities = granularities_of(check, granularities);
        let checker: Box<dyn Checker> = match check {
            Check::Hybrid => Box::new(Hybrid::new(granularities)),
            Check::HappensBefore => Box::new(HappensBefore::new(granularities)),
            Check::Eraser | Check::None => Box::new(Eraser::new(granularities)),
        };
        let (names, findings, racy) = (Names::default(), Vec::new(), BTreeSet::new());
        Self { jvm, check, granularities, checker, names, findings, racy }
    }

    /// Takes the next record.
    pub fn record(&mut self, record: Record) {
        match record {
            Record::Event(event) => self.event(event),
            definition => {
                if let Record::Site(id, site) = &definition {
                    self.checker.define(*id, site);
                }
                self.names.define(definition);
            }
        }
    }

    fn event(&mut self, event: Event) {
        self.names.follow(&event);
        let known = self.checker.races().len();
        self.checker.event(&event);
        for race in &self.checker.races()[known..] {
            let finding = finding(race, &self.names, self.granularities);
            self.racy.insert((finding.variable.clone(), race.variable));
            self.findings.push(finding);
        }
    }

    /// Everything that was found.
    pub fn finish(self) -> Merged {
        let jvm = Jvm { check: said(self.check, self.granularities), ..self.jvm };
        let mut counts = BTreeMap::<Variable, u64>::new();
        for (variable, _) in self.racy {
            *counts.entry(variable).or_default() += 1;
        }
        let counts =
            counts.into_iter().map(|(variable, n)| finding::Record::Seen { variable, accesses: n, objects: n });
        let summary = Summary { threads: self.names.n_threads() as u64, ..Summary::default() };
        let findings = self.findings.into_iter().map(finding::Record::Finding);
        Merged::of_file(jvm, findings.chain(counts).chain([finding::Record::End(summary)]))
    }
}

/// A check by order that takes an array as one object gives each element a state of its own once something races, as threads often
/// share an array and no element. Here it has them from the beginning.
fn granularities_of(check: Check, granularities: Granularities) -> Granularities {
    let knows_order = matches!(check, Check::Hybrid | Check::HappensBefore);
    let is_coarse = granularities.arrays == ArrayGranularity::Object;
    let arrays = if knows_order && is_coarse { ArrayGranularity::Element } else { granularities.arrays };
    Granularities { arrays, ..granularities }
}

/// As the agent writes it into findings files.
fn said(check: Check, granularities: Granularities) -> String {
    let fields = match granularities.fields {
        Granularity::Field => "field",
        Granularity::Object => "object",
    };
    let arrays = match granularities.arrays {
        ArrayGranularity::Object => "",
        ArrayGranularity::Element => ", array elements",
        ArrayGranularity::Off => ", no arrays",
    };
    format!("{}, {fields}{arrays}, replayed", check.name())
}

fn finding(race: &Race, names: &Names, granularities: Granularities) -> Finding {
    let write = race.previous_write.as_ref().filter(|_| race.current.kind == AccessKind::Read);
    let previous = names.access(write.unwrap_or(&race.previous));
    Finding {
        rule: Rule::Race,
        evidence: Evidence::Lockset,
        variable: names.variable(race.current.location, race.current.site, granularities.fields),
        conflicts: vec![Conflict { grade: race.grade, current: names.access(&race.current), previous }],
    }
}

#[cfg(test)]
mod tests {
    use facts::access::LockMode;
    use facts::event::EventKind;
    use facts::finding::Grade;
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

    fn replayed(check: Check, records: impl IntoIterator<Item = Record>) -> Merged {
        let mut replayed = Replayed::new(jvm(7), check, Granularities::default());
        records.into_iter().for_each(|record| replayed.record(record));
        replayed.finish()
    }

    fn lock(thread: u32) -> [Record; 2] {
        let lock = ObjectId(9);
        [EventKind::Acquire(lock, LockMode::Exclusive), EventKind::Release(lock, LockMode::Exclusive)]
            .map(|action| event(thread, 0, action))
    }

    fn grades(merged: &Merged) -> Vec<Option<Grade>> {
        let sightings = merged.findings().flat_map(|(_, finding)| finding.conflicts.values());
        sightings.map(|sighting| sighting.conflict.grade).collect()
    }

    /// A lock that orders two accesses, and nothing that orders a third.
    #[test]
    fn checks_by_order_give_grades() {
        let sites = vec![site(1, 10), site(2, 20), site(3, 30)];
        let by_chance = [sites, vec![write(1, 1)], lock(1).into(), lock(2).into(), vec![write(2, 2)]].concat();
        assert_eq!(grades(&replayed(Check::Eraser, by_chance.clone())), [None]);
        assert_eq!(grades(&replayed(Check::Hybrid, by_chance.clone())), [Some(Grade::Possible)]);
        assert_eq!(grades(&replayed(Check::HappensBefore, by_chance.clone())), []);
        let then = [by_chance, vec![write(3, 3)]].concat();
        let merged = replayed(Check::Hybrid, then.clone());
        assert_eq!(grades(&merged), [Some(Grade::Possible), Some(Grade::Certain)]);
        assert_eq!(merged.findings().next().unwrap().1.seen().objects, 1, "one object, of two grades");
        assert_eq!(grades(&replayed(Check::HappensBefore, then)), [Some(Grade::Certain)]);
        assert_eq!(grades(&replayed(Check::Hybrid, trace())), [Some(Grade::Certain)], "it comes after the start");
        let started = [write(1, 1), event(1, 3, EventKind::Fork(ThreadId(2))), write(2, 2)];
        assert_eq!(grades(&replayed(Check::Hybrid, started)), [], "a start orders");
    }

    /// Threads that share an array and no element.
    #[test]
    fn checks_by_order_know_the_elements_of_arrays() {
        let write = |thread, index| {
            event(thread, thread, EventKind::Access(AccessKind::Write, Location::Element(ObjectId(5), index)))
        };
        assert_eq!(grades(&replayed(Check::Hybrid, [write(1, 0), write(2, 1)])), []);
        assert_eq!(grades(&replayed(Check::Hybrid, [write(1, 0), write(2, 1), write(1, 1)])), [Some(Grade::Certain)]);
        assert_eq!(grades(&replayed(Check::Eraser, [write(1, 0), write(2, 1)])), [None]);
    }

    #[test]
    fn races_get_names_and_places() {
        let merged = replayed(Check::Eraser, trace());
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
        let merged = replayed(Check::Eraser, [write(1, 1), write(2, 2)]);
        let (key, _) = merged.findings().next().unwrap();
        assert_eq!(super::super::words::variable_name(&key.variable), "unknown.f1");
    }
}
