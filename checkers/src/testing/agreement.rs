//! The agent's machine (fast path, thread's cache, shadow words) against the reference, on random event lists.

use std::collections::BTreeMap;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{ObjectId, ThreadId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rustc_hash::FxHashMap;

use crate::eraser::Eraser;
use crate::eraser::lock_set::{LockSets, SetId};
use crate::eraser::word::{self, State};
use crate::granularity::Granularities;
use crate::held::Held;
use crate::replay::check;
use crate::testing::random;

/// What the agent does, without a JVM.
#[derive(Default)]
struct Machine {
    granularities: Granularities,
    sets: LockSets,
    threads: FxHashMap<ThreadId, Thread>,
    words: FxHashMap<Location, u32>,
    races: Vec<(u64, Location)>,
    /// How often each way was taken.
    ways: BTreeMap<&'static str, u32>,
}

/// The lock sets that count for a thread's reads and writes.
#[derive(Clone, Copy)]
struct Sets {
    read: SetId,
    write: SetId,
}

impl Sets {
    fn of(held: &Held, table: &LockSets) -> Self {
        let set = |kind| held.protecting(kind).fold(SetId::EMPTY, |set, lock| table.with(set, lock));
        Self { read: set(AccessKind::Read), write: set(AccessKind::Write) }
    }
}

#[derive(Default)]
struct Thread {
    held: Held,
    /// Words that a step of this kind left unchanged since the thread's locks last changed.
    unchanged: Vec<(u32, AccessKind)>,
}

impl Machine {
    fn event(&mut self, number: u64, event: &Event) {
        let thread = self.threads.entry(event.thread).or_default();
        match event.action {
            EventKind::Acquire(lock, mode) => {
                thread.held.acquire(lock, mode);
                thread.unchanged.clear();
            }
            EventKind::Release(lock, mode) => {
                thread.held.release(lock, mode);
                thread.unchanged.clear();
            }
            EventKind::End => *thread = Thread::default(),
            EventKind::Access(kind, location) => {
                if let Some(variable) = self.granularities.variable(location) {
                    self.access(number, event.thread, kind, variable);
                }
            }
            _ => {}
        }
    }

    fn access(&mut self, number: u64, id: ThreadId, kind: AccessKind, variable: Location) {
        let thread = self.threads.entry(id).or_default();
        let sets = Sets::of(&thread.held, &self.sets);
        let shadow = self.words.entry(variable).or_insert(word::VIRGIN);
        let old = *shadow;
        let step = word::step(&self.sets, old, id, sets.read, sets.write, kind);
        let way = if passes(old, id, sets, kind) {
            assert_eq!((step.word, step.race), (old, false), "the fast path skips a step that matters: {old:x}");
            "fast path"
        } else if thread.unchanged.contains(&(old, kind)) {
            assert_eq!((step.word, step.race), (old, false), "the cache skips a step that matters: {old:x}");
            "cache"
        } else if let State::Open(_) = State::of(old) {
            *shadow = word::count_down(old);
            "evidence"
        } else if step.word == old {
            thread.unchanged.push((old, kind));
            "no change"
        } else {
            *shadow = step.word;
            "change"
        };
        *self.ways.entry(way).or_default() += 1;
        if step.race {
            self.races.push((number, variable));
        }
        assert_ne!(State::of(step.word), State::SharedModified(SetId::EMPTY), "that would be a race");
    }
}

fn passes(old: u32, id: ThreadId, sets: Sets, kind: AccessKind) -> bool {
    word::passes(old, word::own_word(id), word::read_word(sets.read), word::write_word(sets.write), kind)
}

/// After which event a lock can die: it is not named again, and nobody holds it.
fn death(events: &[Event], lock: ObjectId) -> Option<usize> {
    let mut held: BTreeMap<ThreadId, Held> = BTreeMap::new();
    let mut needed = |event: &Event| {
        let holder = held.entry(event.thread).or_default();
        match event.action {
            EventKind::Acquire(lock, mode) => holder.acquire(lock, mode),
            EventKind::Release(lock, mode) => drop(holder.release(lock, mode)),
            EventKind::End => *holder = Held::default(),
            _ => {}
        }
        held.values().any(|held| held.holds().any(|hold| hold.lock == lock))
    };
    let last = events.iter().enumerate().filter(|(_, event)| needed(event)).last()?.0;
    // The event after the last one with the lock held is the one that ends that.
    Some(last + 1)
}

fn run(granularities: Granularities, events: &[Event], mortal: &[bool]) -> Machine {
    let mut machine = Machine { granularities, ..Machine::default() };
    let deaths: Vec<_> = (1..=random::N_LOCKS)
        .zip(mortal)
        .filter(|(_, mortal)| **mortal)
        .map(|(lock, _)| (death(events, ObjectId(lock)), ObjectId(lock)))
        .collect();
    for (at, event) in events.iter().enumerate() {
        machine.event(at as u64, event);
        deaths.iter().filter(|death| death.0 == Some(at)).for_each(|death| machine.sets.forget(death.1));
    }
    machine
}

fn mortal_locks() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(any::<bool>(), usize::try_from(random::N_LOCKS).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn the_word_machine_reports_what_the_reference_reports(
        events in random::events(),
        granularities in random::granularities(),
        mortal in mortal_locks(),
    ) {
        let races = check(Eraser::new(granularities), events.iter().copied());
        let expected: Vec<_> = races.iter().map(|race| (race.current.event, race.variable)).collect();
        prop_assert_eq!(run(granularities, &events, &mortal).races, expected);
    }
}

/// The property above would mean little if the random lists never came to the interesting words.
#[test]
fn random_lists_take_every_way() {
    let mut runner = TestRunner::deterministic();
    let mut ways: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..300 {
        let events = random::events().new_tree(&mut runner).unwrap().current();
        let machine = run(Granularities::default(), &events, &[true; 4]);
        machine.ways.into_iter().for_each(|(way, n)| *ways.entry(way).or_default() += n);
        *ways.entry("race").or_default() += u32::try_from(machine.races.len()).unwrap();
        let mut words: Vec<_> = machine.words.into_values().map(state_name).collect();
        words.sort_unstable();
        words.into_iter().for_each(|state| *ways.entry(state).or_default() += 1);
    }
    for way in ["fast path", "cache", "no change", "change", "evidence", "race", "shared", "guarded", "open"] {
        assert!(ways.get(way).is_some_and(|n| *n > 100), "{way}: {ways:?}");
    }
}

fn state_name(word: u32) -> &'static str {
    match State::of(word) {
        State::Virgin => "virgin",
        State::Exclusive(_) => "exclusive",
        State::Shared(_) => "shared",
        State::SharedModified(_) => "guarded",
        State::Open(_) => "open",
        State::Reported => "reported",
    }
}
