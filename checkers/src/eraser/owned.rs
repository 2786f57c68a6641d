//! Fields that are owned by their objects (`self`, paper 004, section 3.1.1), checked by method (section 6.1.2): accesses that hold
//! the object's monitor conform with the owner and are not looked at, others are held to it.
//!
//! Who makes the accesses that conform is not seen, but they cannot be made without taking the monitor. So an object knows who
//! has taken it, and the shadow word who has accessed the field without it ([`crate::eraser::word`], as long as that is one thread). The
//! owner counts as soon as a second thread may have come: then an access without the monitor is reported, once for each
//! location.
//!
//! **Every race of [`crate::eraser`] is found**, at the same access or an earlier one of the same location; a test compares them.
//! For a lock set that lacks the monitor comes from an access without it, after or at which the location was shared: by an
//! access with the monitor, so that its thread has taken it, or by one without, which the word tells.
//!
//! **False alarms** besides Eraser's: another thread took the monitor for something else, or for its last access to what it then
//! passed on; nothing is written any more once threads share the object; all accesses have another lock in common.

use facts::index::ThreadId;

use crate::eraser::word::{EVIDENCE, OPEN, State, Step, VIRGIN, own_word};

/// Nobody has taken the monitor.
pub const NOBODY: u32 = 0;
/// Several threads have.
pub const SEVERAL: u32 = u32::MAX;

/// Who has taken a monitor, when a thread takes it: [`NOBODY`], the number of the only thread, or [`SEVERAL`].
#[must_use]
pub const fn taken(takers: u32, thread: ThreadId) -> u32 {
    if takers == NOBODY || takers == thread.0 { thread.0 } else { SEVERAL }
}

/// The step for an access without the monitor of its object; the helper class does the same in Java.
#[must_use]
pub fn step(takers: u32, word: u32, thread: ThreadId) -> Step {
    let own = own_word(thread);
    let is_foreign = takers != NOBODY && takers != thread.0 || word != VIRGIN && word != own;
    match State::of(word) {
        State::Open(_) | State::Reported => Step { word, race: false },
        _ if is_foreign => Step { word: OPEN | EVIDENCE, race: true },
        _ => Step { word: own, race: false },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use facts::access::AccessKind;
    use facts::event::{Event, EventKind, Location};
    use facts::index::ObjectId;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::eraser::Eraser;
    use crate::granularity::Granularities;
    use crate::held::Held;
    use crate::replay::check;
    use crate::testing::notation::events;
    use crate::testing::random;

    /// What the agent does with fields that are owned by their objects.
    #[derive(Default)]
    struct Machine {
        held: FxHashMap<ThreadId, Held>,
        takers: FxHashMap<ObjectId, u32>,
        words: FxHashMap<Location, u32>,
        /// At which event each location was reported.
        races: BTreeMap<Location, u64>,
        n_left_out: usize,
    }

    impl Machine {
        fn run(events: &[Event]) -> Self {
            let mut machine = Self::default();
            (0..).zip(events).for_each(|(number, event)| machine.event(number, event));
            machine
        }

        fn event(&mut self, number: u64, event: &Event) {
            let held = self.held.entry(event.thread).or_default();
            match event.action {
                EventKind::Acquire(lock, mode) => {
                    held.acquire(lock, mode);
                    let takers = self.takers.entry(lock).or_insert(NOBODY);
                    *takers = taken(*takers, event.thread);
                }
                EventKind::Release(lock, mode) => _ = held.release(lock, mode),
                EventKind::End => *held = Held::default(),
                EventKind::Access(_, Location::Field(object, field)) => {
                    if held.protecting(AccessKind::Write).any(|lock| lock == object) {
                        self.n_left_out += 1;
                    } else {
                        self.access(number, event.thread, object, Location::Field(object, field));
                    }
                }
                _ => {}
            }
        }

        fn access(&mut self, number: u64, thread: ThreadId, object: ObjectId, location: Location) {
            let takers = self.takers.get(&object).copied().unwrap_or(NOBODY);
            let word = self.words.entry(location).or_insert(VIRGIN);
            let step = step(takers, *word, thread);
            *word = step.word;
            if step.race {
                assert_eq!(self.races.insert(location, number), None, "reported twice");
            }
        }
    }

    /// The races of Eraser on fields of objects.
    fn of_eraser(events: &[Event]) -> Vec<(Location, u64)> {
        let races = check(Eraser::new(Granularities::default()), events.iter().copied());
        let of_fields = races.iter().filter(|race| matches!(race.variable, Location::Field(..)));
        of_fields.map(|race| (race.variable, race.current.event)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn every_race_of_eraser_is_found(events in random::events()) {
            let machine = Machine::run(&events);
            for (location, number) in of_eraser(&events) {
                prop_assert!(machine.races.get(&location).is_some_and(|found| *found <= number), "{location:?}");
            }
        }
    }

    fn n_races(text: &str) -> [usize; 2] {
        let events = events(text);
        [of_eraser(&events).len(), Machine::run(&events).races.len()]
    }

    #[test]
    fn one_forgotten_lock_is_found_though_the_others_are_not_looked_at() {
        let text = "t1 acq o; t1 wr o.f; t1 rel o; t2 acq o; t2 wr o.f; t2 rel o; t1 rd o.f";
        assert_eq!(n_races(text), [1, 1]);
        assert_eq!(Machine::run(&events(text)).n_left_out, 2);
        assert_eq!(n_races("t1 wr o.f; t2 acq o; t2 wr o.f; t2 rel o; t1 wr o.f"), [1, 1]);
    }

    #[test]
    fn an_object_of_one_thread_needs_no_monitor() {
        assert_eq!(n_races("t1 wr o.f; t1 acq o; t1 wr o.f; t1 rel o; t1 rd o.f"), [0, 0]);
        assert_eq!(n_races("t1 wr o.f; t2 acq o; t2 wr o.f; t2 rel o"), [0, 0]);
    }

    #[test]
    fn known_false_alarms() {
        let unused = "t2 acq o; t2 rel o; t1 wr o.f";
        let unchanged = "t1 acq o; t1 wr o.f; t1 rel o; t2 rd o.f";
        let other_lock = "t1 acq m; t1 wr o.f; t1 rel m; t2 acq m; t2 wr o.f; t2 rel m";
        assert_eq!([unused, unchanged, other_lock].map(n_races), [[0, 1]; 3]);
    }
}
