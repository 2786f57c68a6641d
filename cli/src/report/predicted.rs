//! What can go wrong in another order of the events of a trace: atomicity violations and potential deadlocks.
//!
//! For atomicity a trace is read twice, so that the checkers know from the first event on which variables are shared.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use checkers::atomicity::block_based::{self, BlockBased};
use checkers::atomicity::limits;
use checkers::atomicity::reduction::{Racy, Reduction};
use checkers::checker::Checker;
use checkers::granularity::Granularities;
use checkers::lock_order::{self, LockOrder};
use checkers::stream::fresh::Fresh;
use checkers::stream::pieces::Pieces;
use checkers::stream::survey::Survey;
use facts::finding::{self, Rule};
use facts::index::SiteId;
use facts::options::Atomicity;
use facts::trace::{Damage, Record};

use super::budget::Budget;
use super::hazards::Hazards;
use super::names::Names;
use super::shortfall;

/// What to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Transactions that are not atomic.
    pub atomicity: Atomicity,
    /// Lock orders that can deadlock.
    pub deadlocks: bool,
    /// Megabytes for blocks.
    pub memory: u32,
    /// How long that may take.
    pub time: Option<Duration>,
}

/// What came of it.
#[derive(Debug)]
pub struct Prediction {
    /// What a findings file says of it.
    pub records: Vec<finding::Record>,
    /// Sentences on what may have been missed.
    pub problems: Vec<String>,
    /// Where the trace stops.
    pub damage: Option<Damage>,
}

impl Search {
    /// Whether there is nothing to look for.
    pub fn is_empty(self) -> bool {
        self.atomicity == Atomicity::Off && !self.deadlocks
    }

    fn rules(self) -> impl Iterator<Item = Rule> {
        let atomicity = (self.atomicity != Atomicity::Off).then_some(Rule::Atomicity);
        atomicity.into_iter().chain(self.deadlocks.then_some(Rule::Deadlock))
    }
}

/// Looks for hazards in a trace, where some methods (`bank/Account.pay(I)V`) are proved atomic; `pass` hands every record of it on,
/// from the first to the last. What is known so far is told now and then, as records of a findings file.
///
/// # Errors
/// Those of `pass`.
pub fn predict(
    search: Search,
    granularities: Granularities,
    proved: &BTreeSet<String>,
    mut pass: impl FnMut(&mut dyn FnMut(Record)) -> Result<Option<Damage>>,
    mut so_far: impl FnMut(Vec<finding::Record>),
) -> Result<Prediction> {
    let mut budget = Budget::new(search.time);
    let mut survey = Survey::new(granularities);
    let mut codes = Vec::new();
    if search.atomicity != Atomicity::Off {
        let mut stream = Stream::default();
        pass(&mut |record| {
            if budget.allows(&record) {
                stream.feed(record, &mut survey);
            }
        })?;
        codes.extend(stream.names.transactions_of(proved));
    }
    let (mut checkers, mut stream) = (Checkers::new(search, granularities, &survey, &codes), Stream::default());
    drop(survey);
    budget.next_pass();
    let mut n_told = 0;
    let damage = pass(&mut |record| {
        if budget.allows(&record) {
            stream.feed(record, &mut checkers);
        }
        if budget.is_due() && checkers.n_found() > n_told {
            n_told = checkers.n_found();
            budget.tell(|| so_far(checkers.records(search, &stream.names, granularities)));
        }
    })?;
    checkers.finish();
    let records = checkers.records(search, &stream.names, granularities);
    let problems = checkers.problems(&stream.names).into_iter().chain(budget.left_out(&stream.names)).collect();
    Ok(Prediction { records, problems, damage })
}

/// The events of a trace without those that nobody else could see, and with waits between transactions.
#[derive(Default)]
struct Stream {
    names: Names,
    fresh: Fresh,
    pieces: Pieces,
    /// Sites in constructors and class initializers.
    initializing: HashSet<SiteId>,
}

impl Stream {
    fn feed(&mut self, record: Record, checker: &mut dyn Checker) {
        match record {
            Record::Event(event) => {
                self.names.follow(&event);
                if !self.fresh.hides(&event, || self.initializing.contains(&event.site)) {
                    self.pieces.hand_on(&event, |event| checker.event(event));
                }
            }
            definition => {
                if let Record::Site(id, site) = &definition
                    && site.place.method.starts_with('<')
                {
                    self.initializing.insert(*id);
                }
                self.names.define(definition);
            }
        }
    }
}

/// The checkers of the second pass.
struct Checkers {
    /// Megabytes for blocks.
    memory: u32,
    blocks: Option<BlockBased>,
    reduction: Option<Reduction>,
    order: Option<LockOrder>,
}

impl Checkers {
    /// `proved` is the code of transactions that nothing can break.
    fn new(search: Search, granularities: Granularities, survey: &Survey, proved: &[SiteId]) -> Self {
        let proved = Arc::new(proved.iter().copied().collect());
        let options = || block_based::Options {
            granularities,
            shared: Some(survey.shared().into()),
            proved: Arc::clone(&proved),
            innermost: true,
            limits: limits::Limits::in_megabytes(search.memory),
        };
        let racy = || Racy::Known(survey.unprotected().into());
        Self {
            memory: search.memory,
            blocks: (search.atomicity == Atomicity::Block).then(|| BlockBased::new(options())),
            reduction: (search.atomicity == Atomicity::Reduction)
                .then(|| Reduction::new(granularities, racy()).with_proved(Arc::clone(&proved))),
            order: search.deadlocks.then(|| LockOrder::new(lock_order::Limits::default())),
        }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut dyn Checker> {
        let blocks = self.blocks.as_mut().map(|checker| checker as &mut dyn Checker);
        let reduction = self.reduction.as_mut().map(|checker| checker as &mut dyn Checker);
        let order = self.order.as_mut().map(|checker| checker as &mut dyn Checker);
        [blocks, reduction, order].into_iter().flatten()
    }

    /// How many hazards there are; some of them may be told as one.
    fn n_found(&self) -> usize {
        let blocks = self.blocks.as_ref().map_or(0, |checker| checker.violations().len());
        let breaches = self.reduction.as_ref().map_or(0, |checker| checker.breaches().len());
        blocks + breaches + self.order.as_ref().map_or(0, |checker| checker.deadlocks().len())
    }

    /// What a findings file says of it.
    fn records(&self, search: Search, names: &Names, granularities: Granularities) -> Vec<finding::Record> {
        let hazards = self.hazards(names, granularities).into_iter().map(finding::Record::Hazard);
        search.rules().map(finding::Record::Checked).chain(hazards).collect()
    }

    fn hazards(&self, names: &Names, granularities: Granularities) -> Vec<finding::Hazard> {
        let hazards = Hazards { names, granularity: granularities.fields };
        let violations = self.blocks.as_ref().map(|checker| hazards.of_violations(checker.violations()));
        let breaches = self.reduction.as_ref().map(|checker| hazards.of_breaches(checker.breaches()));
        let deadlocks = self.order.as_ref().map(|checker| hazards.of_deadlocks(checker.deadlocks()));
        [violations, breaches, deadlocks].into_iter().flatten().flatten().collect()
    }

    fn problems(&self, names: &Names) -> Vec<String> {
        shortfall::sentences(self.blocks.as_ref(), self.order.as_ref(), self.memory, names)
    }
}

impl Checker for Checkers {
    fn event(&mut self, event: &facts::event::Event) {
        self.all().for_each(|checker| checker.event(event));
    }

    fn finish(&mut self) {
        self.all().for_each(Checker::finish);
    }
}

#[cfg(test)]
mod tests {
    use facts::access::AccessKind::{Read, Write};
    use facts::access::LockMode;
    use facts::event::{Event, EventKind, Location};
    use facts::finding::{Operation, Subject};
    use facts::index::{FieldId, ObjectId, ThreadId};
    use facts::site::{Action, Site};

    use super::super::fixtures::{jvm, place};
    use super::super::merge::Merged;
    use super::*;

    fn site(id: u32, method: &str) -> Record {
        let action = if id < 10 { Action::Transaction } else { Action::Enter };
        Record::Site(SiteId(id), Box::new(Site { place: place("bank/Account", method, id), action }))
    }

    fn event(thread: u32, site: u32, action: EventKind) -> Record {
        Record::Event(Event { thread: ThreadId(thread), site: SiteId(site), action })
    }

    fn access(thread: u32, site: u32, kind: facts::access::AccessKind) -> Record {
        event(thread, site, EventKind::Access(kind, Location::Field(ObjectId(5), FieldId(1))))
    }

    fn foreseen(search: Search, trace: &[Record]) -> Merged {
        let pass = |take: &mut dyn FnMut(Record)| {
            trace.iter().cloned().for_each(take);
            Ok(None)
        };
        let prediction = predict(search, Granularities::default(), &BTreeSet::new(), pass, |_| {}).unwrap();
        assert_eq!(prediction.problems, Vec::<String>::new());
        Merged::of_file(jvm(7), prediction.records)
    }

    /// A constructor, and an increment in `inner`, which `outer` calls. The end of `outer` is lost.
    fn increment() -> Vec<Record> {
        let mut trace = vec![site(1, "outer"), site(2, "inner"), site(10, "<init>"), site(11, "get"), site(12, "set")];
        trace.push(access(1, 10, Write));
        for thread in [2, 3] {
            trace.extend([event(thread, 1, EventKind::Enter), event(thread, 2, EventKind::Enter)]);
            trace.extend([access(thread, 11, Read), access(thread, 12, Write), event(thread, 2, EventKind::Exit)]);
        }
        trace
    }

    #[test]
    fn the_innermost_transaction_is_to_blame() {
        let merged =
            foreseen(Search { atomicity: Atomicity::Block, deadlocks: false, memory: 1, time: None }, &increment());
        assert_eq!(merged.hazards.len(), 1);
        let (key, hazard) = merged.hazards.iter().next().unwrap();
        assert_eq!(super::super::words::code(&key.subject), "method bank.Account.inner");
        let scenario = &hazard.scenarios.values().next().unwrap().scenario;
        let steps: Vec<_> = scenario.steps.iter().map(|step| (step.actor, step.operation)).collect();
        assert_eq!(
            (scenario.pattern.as_str(), steps),
            ("R W' W", vec![(0, Operation::Read), (1, Operation::Write), (0, Operation::Write)])
        );
        assert_eq!(scenario.steps[1].within.as_ref().map(|place| place.method.as_str()), Some("inner"));
    }

    #[test]
    fn methods_with_the_same_accesses_are_each_to_blame() {
        let mut trace =
            vec![site(1, "deposit"), site(2, "withdraw"), site(10, "<init>"), site(11, "get"), site(12, "set")];
        trace.push(access(1, 10, Write));
        for (thread, transaction) in [(2, 1), (3, 2)] {
            trace.extend([event(thread, transaction, EventKind::Enter), access(thread, 11, Read)]);
            trace.extend([access(thread, 12, Write), event(thread, transaction, EventKind::Exit)]);
        }
        let merged = foreseen(Search { atomicity: Atomicity::Block, deadlocks: false, memory: 1, time: None }, &trace);
        let blamed: Vec<_> = merged.hazards.keys().map(|key| super::super::words::code(&key.subject)).collect();
        assert_eq!(blamed, ["method bank.Account.deposit", "method bank.Account.withdraw"]);
    }

    /// What calls a method that is blamed is not to blame itself, also where that method has done nothing new.
    #[test]
    fn who_calls_what_is_to_blame_is_not() {
        let mut trace = increment();
        trace.push(site(3, "another"));
        for thread in [4, 5] {
            for transaction in [2, 3] {
                trace.push(event(thread, transaction, EventKind::Enter));
            }
            trace.extend([event(thread, 2, EventKind::Enter), access(thread, 11, Read), access(thread, 12, Write)]);
            trace.extend([2, 3, 2].map(|transaction| event(thread, transaction, EventKind::Exit)));
        }
        let merged = foreseen(Search { atomicity: Atomicity::Block, deadlocks: false, memory: 1, time: None }, &trace);
        assert_eq!(merged.hazards.len(), 1);
    }

    /// Two threads do the same with many objects: 2,000 blocks fit.
    #[test]
    fn memory_is_bounded_and_what_it_lacks_is_said() {
        let mut trace = vec![site(1, "both"), site(11, "get"), site(12, "set")];
        for object in 0..600 {
            for thread in [2, 3] {
                let access = |site, kind| {
                    event(thread, site, EventKind::Access(kind, Location::Field(ObjectId(object + 9), FieldId(1))))
                };
                trace.extend([event(thread, 1, EventKind::Enter), access(11, Read), access(12, Write)]);
                trace.push(event(thread, 1, EventKind::Exit));
            }
        }
        let problems = |memory| {
            let search = Search { atomicity: Atomicity::Block, deadlocks: false, memory, time: None };
            let pass = |take: &mut dyn FnMut(Record)| {
                trace.iter().cloned().for_each(take);
                Ok(None)
            };
            predict(search, Granularities::default(), &BTreeSet::new(), pass, |_| {}).unwrap().problems
        };
        assert_eq!(problems(100), Vec::<String>::new());
        let [missed, full] = &problems(1)[..] else { panic!("{:?}", problems(1)) };
        assert!(missed.starts_with("atomicity violations may have been missed"), "{missed}");
        assert_eq!(full, "the 1 MB of `atomicity_memory` are full: 2000 blocks were kept");
    }

    /// Without any time, nothing is looked at, and that is said; the report has its rules all the same.
    #[test]
    fn what_there_was_no_time_for_is_said() {
        let trace = increment();
        let pass = |take: &mut dyn FnMut(Record)| {
            trace.iter().cloned().for_each(take);
            Ok(None)
        };
        let within = |time| {
            let search = Search { atomicity: Atomicity::Block, deadlocks: true, memory: 1, time };
            predict(search, Granularities::default(), &BTreeSet::new(), pass, |_| {}).unwrap()
        };
        let Prediction { records, problems, .. } = within(Some(Duration::ZERO));
        assert_eq!((records.len(), problems.len()), (2, 1), "{problems:?}");
        assert!(
            problems[0].ends_with("11 events of 3 threads, in which 4 transactions began, were not looked at: 2 of bank.Account.inner, 2 of bank.Account.outer"),
            "{problems:?}"
        );
        let Prediction { records, problems, .. } = within(Some(Duration::from_secs(600)));
        assert_eq!((records.len(), problems), (3, vec![]));
    }

    #[test]
    fn lock_orders_have_their_methods() {
        let mut trace = vec![site(11, "debit"), site(12, "credit")];
        for (thread, locks) in [(2, [5, 6]), (3, [6, 5])] {
            let lock = |at: usize| EventKind::Acquire(ObjectId(locks[at]), LockMode::Exclusive);
            trace.extend([event(thread, 11, lock(0)), event(thread, 12, lock(1))]);
            let unlock = |at: usize| EventKind::Release(ObjectId(locks[at]), LockMode::Exclusive);
            trace.extend([event(thread, 0, unlock(1)), event(thread, 0, unlock(0))]);
        }
        let merged = foreseen(Search { atomicity: Atomicity::Off, deadlocks: true, memory: 1, time: None }, &trace);
        let subjects: Vec<_> = merged.hazards.keys().map(|key| key.subject.clone()).collect();
        assert_eq!(subjects, [Subject::Methods { names: vec!["bank/Account.credit".into()] }]);
        let checked = &merged.jvms.values().next().unwrap().checked;
        assert_eq!(checked.iter().collect::<Vec<_>>(), [&Rule::Deadlock]);
    }
}
