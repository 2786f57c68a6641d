//! Eraser on short event lists, and against a brute-force oracle on random ones.

use facts::access::{ArrayGranularity, Granularity};
use proptest::prelude::*;

use super::*;
use crate::replay::check;
use crate::testing::notation::events;
use crate::testing::random;

/// The steps (from 1) at which races are reported.
fn race_steps(granularities: Granularities, text: &str) -> Vec<u32> {
    check(Eraser::new(granularities), events(text)).iter().map(|race| race.current.site.0).collect()
}

#[track_caller]
fn reports(text: &str, expected: &[u32]) {
    assert_eq!(race_steps(Granularities::default(), text), expected, "{text}");
}

#[test]
fn one_lock_or_none() {
    reports("t1 wr x; t2 wr x; t1 wr x", &[2]);
    reports("t1 acq m; t1 wr x; t1 rel m; t2 acq m; t2 wr x; t2 rel m; t1 acq m; t1 rd x; t1 rel m", &[]);
    reports("t1 acq m; t1 wr x; t1 rel m; t2 acq n; t2 wr x; t2 rel n; t1 acq m; t1 wr x", &[8]);
}

#[test]
fn initialization_by_the_first_thread_is_free() {
    reports("t1 wr x; t1 wr x; t2 rd x; t3 rd x", &[]);
    reports("t1 wr x; t2 rd x; t1 wr x", &[3]);
    reports("t1 rd x; t2 acq m; t2 wr x; t2 rel m", &[]);
}

#[test]
fn reads_of_the_read_only_refine_the_set_too() {
    reports("t1 wr x; t2 rd x; t2 acq m; t2 wr x", &[4]);
    reports("t1 wr x; t2 acq m; t2 rd x; t2 rel m; t1 acq m; t1 wr x; t1 rel m; t2 rd x", &[8]);
}

#[test]
fn read_mode_protects_reads_only() {
    reports("t1 acqr m; t1 rd x; t1 relr m; t2 acq m; t2 wr x; t2 rel m; t1 acqr m; t1 rd x; t1 relr m", &[]);
    reports("t1 rd x; t2 acqr m; t2 wr x", &[3]);
}

#[test]
fn locks_nest_and_reenter() {
    reports("t1 wr x; t2 acq m; t2 acq m; t2 rel m; t2 wr x; t2 rel m; t1 acq m; t1 wr x", &[]);
    reports("t1 wr x; t2 acq m; t2 acq n; t2 rel m; t2 wr x; t1 acq n; t1 wr x", &[]);
    reports("t1 wr x; t2 rel m; t2 acq m; t2 wr x", &[]);
}

#[test]
fn waiting_keeps_the_monitor_and_volatiles_are_ignored() {
    reports("t1 wr x; t2 acq m; t2 wait m; t2 woken m; t2 wr x; t1 acq m; t1 wr x", &[]);
    reports("t1 vwr x; t2 vwr x", &[]);
}

#[test]
fn granularity_decides_what_is_one_variable() {
    let by_object = Granularities { fields: Granularity::Object, arrays: ArrayGranularity::Element };
    let off = Granularities { fields: Granularity::Field, arrays: ArrayGranularity::Off };
    let (fields, elements) = ("t1 wr o.f; t2 wr o.g", "t1 wr a[0]; t2 wr a[1]; t2 wr a[0]");
    assert_eq!(race_steps(Granularities::default(), fields), [0; 0]);
    assert_eq!(race_steps(by_object, fields), [2]);
    assert_eq!(race_steps(Granularities::default(), elements), [2]);
    assert_eq!(race_steps(by_object, elements), [3]);
    assert_eq!(race_steps(off, elements), [0; 0]);
}

#[test]
fn a_report_names_the_other_thread() {
    let text = "t1 acq n; t1 wr x; t1 rel n; t1 rd x; t2 acq m; t2 wr x; t2 rd x; t2 rel m; t2 rd x";
    let races = check(Eraser::default(), events(text));
    let [race] = races.as_slice() else { panic!("one race: {races:?}") };
    assert_eq!((race.current.site.0, race.current.event, race.current.kind), (9, 8, AccessKind::Read));
    assert_eq!((race.previous.site.0, race.previous.thread), (4, ThreadId(1)));
    let write = race.previous_write.as_ref().unwrap();
    assert_eq!((write.site.0, write.locks.len()), (2, 1));
}

/// The whole history of a location up to a prefix, judged from scratch: is there a race?
fn oracle(history: &[(ThreadId, AccessKind, BTreeSet<ObjectId>)]) -> bool {
    let Some(first) = history.first() else { return false };
    let shared: Vec<_> = history.iter().skip_while(|access| access.0 == first.0).collect();
    let Some((start, rest)) = shared.split_first() else { return false };
    let common = rest.iter().fold(start.2.clone(), |common, access| &common & &access.2);
    common.is_empty() && shared.iter().any(|access| access.1 == AccessKind::Write)
}

/// Races by the oracle: the number of the first event whose prefix has one, for each variable.
fn brute_force(granularities: Granularities, events: &[Event]) -> Vec<(u64, Location)> {
    let mut histories: FxHashMap<Location, Vec<_>> = FxHashMap::default();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (number, event) in (0..).zip(events) {
        let EventKind::Access(kind, location) = event.action else { continue };
        let Some(variable) = granularities.variable(location) else { continue };
        let before = &events[..usize::try_from(number).unwrap()];
        let history = histories.entry(variable).or_default();
        history.push((event.thread, kind, locks_held(before, event.thread, kind)));
        if oracle(history) && seen.insert(variable) {
            found.push((number, variable));
        }
    }
    found
}

/// Counts acquisitions and releases of each lock and mode over everything that came before.
fn locks_held(before: &[Event], thread: ThreadId, kind: AccessKind) -> BTreeSet<ObjectId> {
    let mut counts: FxHashMap<_, u32> = FxHashMap::default();
    for event in before.iter().filter(|event| event.thread == thread) {
        match event.action {
            EventKind::Acquire(lock, mode) => *counts.entry((lock, mode)).or_default() += 1,
            EventKind::Release(lock, mode) => {
                counts.entry((lock, mode)).and_modify(|count| *count = count.saturating_sub(1));
            }
            EventKind::End => counts.clear(),
            _ => {}
        }
    }
    let protects = |mode| kind == AccessKind::Read || mode == facts::access::LockMode::Exclusive;
    let mut locks: Vec<_> = counts.into_iter().filter(|((_, mode), count)| *count > 0 && protects(*mode)).collect();
    locks.sort_unstable();
    locks.into_iter().map(|((lock, _), _)| lock).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn agrees_with_brute_force(events in random::events(), granularities in random::granularities()) {
        let races = check(Eraser::new(granularities), events.iter().copied());
        let found: Vec<_> = races.iter().map(|race| (race.current.event, race.variable)).collect();
        prop_assert_eq!(found, brute_force(granularities, &events));
    }

    #[test]
    fn the_previous_access_is_the_latest_of_another_thread(
        events in random::events(),
        granularities in random::granularities(),
    ) {
        for race in check(Eraser::new(granularities), events.iter().copied()) {
            let same = |event: &Event| match event.action {
                EventKind::Access(_, location) => granularities.variable(location) == Some(race.variable),
                _ => false,
            };
            let before = &events[..usize::try_from(race.current.event).unwrap()];
            let other = |event: &&Event| same(event) && event.thread != race.current.thread;
            let writes = |event: &&Event| matches!(event.action, EventKind::Access(AccessKind::Write, _));
            let expected = before.iter().rev().find(other).map(|event| event.site);
            prop_assert_eq!(Some(race.previous.site), expected);
            let expected = before.iter().rev().filter(other).find(writes).map(|event| event.site);
            prop_assert_eq!(race.previous_write.map(|write| write.site), expected);
        }
    }
}
