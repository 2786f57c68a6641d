//! Clocks and histories against reachability in the graph of all edges, on random streams and on short ones.

use std::collections::{BTreeMap, BTreeSet};

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::finding::Grade::{self, Certain, Possible, Unlikely};
use facts::index::{SiteId, ThreadId};
use facts::site::{Action, FieldRef, Hands, Place, Site};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::graph::{self, Pair, accessed};
use super::programs;
use crate::checker::{Access, Checker};
use crate::order::happens_before::HappensBefore;
use crate::order::history::{History, Timed};
use crate::order::hybrid::Hybrid;
use crate::order::relation::{Order, Relation};
use crate::replay::check;
use crate::testing::notation;
use crate::testing::random;

/// At each access the surest race, with the latest access that it is with.
fn surest_of_each(pairs: &[Pair]) -> BTreeMap<usize, (Grade, usize)> {
    let mut races: BTreeMap<usize, (Grade, usize)> = BTreeMap::new();
    for Pair { current, previous, grade } in pairs {
        // Pairs of one access come in the order of the earlier one.
        if races.get(current).is_none_or(|known| *grade <= known.0) {
            races.insert(*current, (*grade, *previous));
        }
    }
    races
}

/// The same by clocks and histories, which go on after what a checker reports.
fn by_history(events: &[Event], handing: &[(SiteId, Hands)], relation: Relation) -> BTreeMap<usize, (Grade, usize)> {
    let mut order = Order::default();
    handing.iter().for_each(|(site, hands)| order.hands_over_at(*site, *hands));
    let mut histories: BTreeMap<Location, History> = BTreeMap::new();
    let mut races = BTreeMap::new();
    for (number, event) in events.iter().enumerate() {
        order.event(event);
        let Some((kind, location)) = accessed(event) else { continue };
        let (thread, site, locks) = (event.thread, event.site, order.held(event.thread).snapshot());
        let access = Access { event: number as u64, thread, site, kind, location, locks };
        let history = histories.entry(location).or_default();
        if let Some((grade, previous)) = history.race(&access, order.view(thread), relation) {
            races.insert(number, (grade, usize::try_from(previous.event).unwrap()));
        }
        let moment = order.now(thread);
        history.push(Timed { access, moment }, order.view(thread), relation);
    }
    races
}

fn certain(pairs: &[Pair]) -> Vec<Pair> {
    pairs.iter().copied().filter(|pair| pair.grade == Certain).collect()
}

/// What a checker reports, as variable, numbers of the events, and grade.
fn reported(
    mut checker: impl Checker,
    events: &[Event],
    handing: &[(SiteId, Hands)],
) -> Vec<(Location, usize, usize, Grade)> {
    define(&mut checker, handing);
    let races = check(checker, events.iter().copied());
    let number = |access: &Access| usize::try_from(access.event).unwrap();
    races
        .iter()
        .map(|race| (race.variable, number(&race.current), number(&race.previous), race.grade.unwrap()))
        .collect()
}

/// Tells a checker where variables are accessed that hand over.
fn define(checker: &mut dyn Checker, handing: &[(SiteId, Hands)]) {
    let [class, method, descriptor, name] = ["C", "m", "()V", "f"].map(str::to_owned);
    let place = Place { class: class.clone(), method, descriptor, offset: 0, line: None, file: None };
    for (id, hands) in handing {
        let descriptor = if *hands == Hands::Flag { "Z" } else { "[I" }.to_owned();
        let field = FieldRef { class: class.clone(), name: name.clone(), descriptor };
        checker.define(*id, &Site { place: place.clone(), action: Action::Static(AccessKind::Read, field) });
    }
}

/// What it has to: the first race of each variable and grade, until there is a surer one.
fn expected(events: &[Event], races: &BTreeMap<usize, (Grade, usize)>) -> Vec<(Location, usize, usize, Grade)> {
    let mut said: BTreeMap<Location, Grade> = BTreeMap::new();
    let mut reports = Vec::new();
    for (current, (grade, previous)) in races {
        let (_, location) = accessed(&events[*current]).unwrap();
        if said.get(&location).is_none_or(|said| grade < said) {
            said.insert(location, *grade);
            reports.push((location, *current, *previous, *grade));
        }
    }
    reports
}

/// Streams in which nothing keeps threads apart; but none goes on, or is started again, after its end.
fn chaos() -> impl Strategy<Value = Vec<Event>> {
    random::events().prop_map(|mut events| {
        let mut ended = BTreeSet::new();
        events.retain(|event| {
            let is_over = |thread: ThreadId| ended.contains(&thread);
            let is_late = is_over(event.thread) || matches!(event.action, EventKind::Fork(child) if is_over(child));
            if event.action == EventKind::End {
                ended.insert(event.thread);
            }
            !is_late
        });
        events
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn each_access_races_as_in_the_graph(events in prop_oneof![4 => programs::events(), 1 => chaos()]) {
        let handing = programs::handing(&events);
        let pairs = graph::races(&events, &handing);
        prop_assert_eq!(by_history(&events, &handing, Relation::HandOver), surest_of_each(&pairs));
        prop_assert_eq!(by_history(&events, &handing, Relation::HappensBefore), surest_of_each(&certain(&pairs)));
    }

    #[test]
    fn checkers_report_the_first_race_of_each_grade(events in programs::events()) {
        let handing = programs::handing(&events);
        let pairs = graph::races(&events, &handing);
        let (all, sure) = (surest_of_each(&pairs), surest_of_each(&certain(&pairs)));
        prop_assert_eq!(reported(Hybrid::default(), &events, &handing), expected(&events, &all));
        prop_assert_eq!(reported(HappensBefore::default(), &events, &handing), expected(&events, &sure));
    }
}

/// The random streams have what the rules are about: else no rule that is missing would be noticed.
#[test]
fn random_streams_have_races_of_all_grades_and_every_kind_of_edge() {
    let mut runner = TestRunner::deterministic();
    let (mut grades, mut kinds) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..200 {
        let events = programs::events().new_tree(&mut runner).unwrap().current();
        let pairs = graph::races(&events, &programs::handing(&events));
        pairs.iter().for_each(|pair| *grades.entry(pair.grade).or_insert(0) += 1);
        for event in &events {
            *kinds.entry(format!("{:?}", event.action).split('(').next().unwrap().to_owned()).or_insert(0) += 1;
        }
    }
    assert!(grades[&Certain] > 1000 && grades[&Possible] > 300 && grades[&Unlikely] > 80, "{grades:?}");
    assert!(kinds.len() == 14 && kinds.values().all(|n| *n > 30), "{kinds:?}");
}

/// Grades of the races that the hybrid reports, with the steps (from 1) of the access at which and of the one with which.
#[track_caller]
fn reports(text: &str, races: &[(u32, u32, Grade)]) {
    let found = |checker: &dyn Checker| {
        let of = |race: &crate::checker::Race| (race.current.site.0, race.previous.site.0, race.grade.unwrap());
        checker.races().iter().map(of).collect::<Vec<_>>()
    };
    let (mut hybrid, mut happens_before) = (Hybrid::default(), HappensBefore::default());
    define(&mut hybrid, &notation::handing(text));
    define(&mut happens_before, &notation::handing(text));
    crate::replay::replay(&mut [&mut hybrid, &mut happens_before], notation::events(text));
    assert_eq!(found(&hybrid), races, "{text}");
    let certain: Vec<_> = races.iter().copied().filter(|(.., grade)| *grade == Certain).collect();
    assert_eq!(found(&happens_before), certain, "{text}");
}

#[test]
fn nothing_orders_or_a_lock_does_by_chance() {
    reports("t1 wr x; t2 rd x", &[(2, 1, Certain)]);
    reports("t1 rd x; t2 rd x", &[]);
    reports("t1 wr x; t1 acq m; t1 rel m; t2 acq m; t2 rel m; t2 wr x", &[(6, 1, Possible)]);
    reports("t1 wr x; t1 acq m; t1 rel m; t2 acq n; t2 rel n; t2 wr x", &[(6, 1, Certain)]);
    reports("t1 acq m; t1 wr x; t1 rel m; t2 acq m; t2 wr x; t2 rel m", &[]);
    reports("t1 wr x; t1 acq m; t1 acq m; t1 rel m; t2 acq m; t2 wr x", &[(6, 1, Certain)]);
}

#[test]
fn hand_over_orders() {
    reports("t1 wr x; t1 fork t2; t2 wr x; t2 end; t1 join t2; t1 wr x", &[]);
    reports("t2 rd y; t1 join t2; t2 wr x; t1 wr x", &[(4, 3, Certain)]);
    reports("t1 wr x; t1 vwr v; t2 vrd v; t2 wr x", &[]);
    reports("t1 wr x; t1 vwr v; t3 vwr v; t2 vrd v; t2 wr x", &[]);
    reports("t1 wr x; t1 vrd v; t2 vwr v; t2 wr x", &[(4, 1, Certain)]);
    reports("t1 wr x; t1 pub q; t2 obs q; t2 wr x", &[]);
    reports("t1 pub q; t1 wr x; t2 obs q; t2 wr x", &[(4, 2, Certain)]);
    reports("t1 wr x; t1 pub q; t3 pub q; t2 obs q; t2 rd x", &[]);
    let waits = "t2 acq m; t2 wait m; t1 wr x; t1 acq m; t1 notify m; t1 rel m; t2 woken m; t2 rel m; t2 wr x";
    reports(waits, &[]);
    reports("t2 acq m; t2 wait m; t1 wr x; t1 acq m; t1 rel m; t2 woken m; t2 rel m; t2 wr x", &[(8, 3, Possible)]);
}

/// Who takes a list that others have put something into, and leaves another one, comes after those.
#[test]
fn what_is_taken_away_under_a_lock_is_not_used_any_more() {
    let taken = |used: &str, takes: &str| {
        format!("t1 wr x; t1 acq m; t1 {used}; t1 rel m; t2 acq m; {takes}; t2 rel m; t2 wr x")
    };
    reports(&taken("find f", "t2 find f; t2 leave f"), &[(9, 1, Unlikely)]);
    reports(&taken("find f", "t2 leave f"), &[(8, 1, Possible)]);
    // Nobody takes a flag away: who sets it once more need not have waited for who has seen it.
    reports(&taken("see f", "t2 see f; t2 set f"), &[(9, 1, Possible)]);
    reports(&taken("find f", "t2 find f"), &[(8, 1, Possible)]);
    reports(&taken("find f", "t2 find f; t2 leave g"), &[(9, 1, Possible)]);
    reports(&taken("find f", "t2 find f; t2 rel m; t2 acq m; t2 leave f"), &[(11, 1, Possible)]);
    reports(&taken("find f", "t2 acq n; t2 find f; t2 rel n; t2 leave f"), &[(11, 1, Unlikely)]);
    let by_reader = "t1 acqr m; t1 wr x; t1 find f; t1 relr m; t2 acq m; t2 find f; t2 leave f; t2 rel m; t2 wr x";
    reports(by_reader, &[(9, 2, Unlikely)]);
}

/// What was found under a lock was left under it; which lock it is, and who has left it, has to fit.
#[test]
fn what_is_found_under_a_lock_was_handed_over() {
    let handed = |leave: &str, find: &str| {
        format!("t1 wr x; t1 acq m; t1 {leave}; t1 rel m; t2 acq m; t2 {find}; t2 rel m; t2 wr x")
    };
    reports(&handed("leave f", "find f"), &[(8, 1, Unlikely)]);
    reports(&handed("set f", "see f"), &[(8, 1, Unlikely)]);
    reports(&handed("wr n", "rd n"), &[(8, 1, Possible)]);
    reports(&handed("leave f", "find g"), &[(8, 1, Possible)]);
    reports(&handed("leave f", "leave f"), &[(8, 1, Possible)]);
    reports("t1 acq m; t1 leave f; t1 rel m; t1 wr x; t2 acq m; t2 find f; t2 rel m; t2 wr x", &[(8, 4, Certain)]);
    reports("t1 acq m; t1 leave f; t1 wr x; t1 rel m; t2 acq m; t2 find f; t2 rel m; t2 wr x", &[(8, 3, Unlikely)]);
    // Who has left it last has not found what was left before.
    reports(
        "t1 wr x; t1 acq m; t1 leave f; t1 rel m; t3 acq m; t3 leave f; t3 rel m; t2 acq m; t2 find f; t2 rel m; t2 wr x",
        &[(11, 1, Possible)],
    );
    reports(
        "t1 wr x; t1 acq m; t1 leave f; t1 rel m; t3 acq m; t3 find f; t3 leave f; t3 rel m; t2 acq m; t2 find f; t2 rel m; t2 wr x",
        &[(12, 1, Unlikely)],
    );
    reports(
        "t1 wr x; t1 acq m; t1 leave f; t1 rel m; t2 acq m; t2 leave f; t2 find f; t2 rel m; t2 wr x",
        &[(9, 1, Possible)],
    );
    // By readers, too; what the writer does between two locks that it gives up is known by either.
    let by_reader = "t1 wr x; t1 acq m; t1 leave f; t1 rel m; t2 acqr m; t2 find f; t2 relr m; t2 wr x";
    reports(by_reader, &[(8, 1, Unlikely)]);
    reports(
        "t1 acq m; t1 acq n; t1 leave f; t1 rel n; t1 wr x; t1 rel m; t2 acq m; t2 find f; t2 rel m; t2 wr x",
        &[(10, 5, Unlikely)],
    );
    reports(
        "t1 acq m; t1 acq n; t1 leave f; t1 rel n; t1 wr x; t1 rel m; t2 acq n; t2 find f; t2 rel n; t2 wr x",
        &[(10, 5, Certain)],
    );
}

#[test]
fn read_locks_protect_reads_and_order_writers() {
    reports("t1 acqr m; t1 wr x; t1 relr m; t2 acqr m; t2 wr x", &[(5, 2, Certain)]);
    reports("t1 acqr m; t1 rd x; t1 relr m; t2 acq m; t2 wr x", &[]);
    reports("t1 wr x; t1 acqr m; t1 relr m; t2 acq m; t2 rel m; t2 wr x", &[(6, 1, Possible)]);
}

#[test]
fn a_surer_race_is_reported_after_a_weaker_one_and_then_nothing() {
    let text = "t1 wr x; t1 acq m; t1 rel m; t2 acq m; t2 rel m; t2 wr x; t3 wr x; t4 wr x";
    reports(text, &[(6, 1, Possible), (7, 6, Certain)]);
    let found = "t1 wr x; t1 acq m; t1 leave f; t1 rel m; t2 acq m; t2 find f; t2 wr x; t2 rel m; t3 acq m; t3 rel m; t3 wr x; t4 wr x";
    reports(found, &[(7, 1, Unlikely), (11, 7, Possible), (12, 11, Certain)]);
    reports("t1 wr x; t2 rd x; t3 acq m; t3 rel m; t3 rd x", &[(2, 1, Certain)]);
}

/// A certain race with an earlier access says more than a possible one with a later one.
#[test]
fn the_surest_race_of_an_access_is_reported() {
    reports("t3 rd x; t1 rd x; t1 acq m; t1 rel m; t2 acq m; t2 rel m; t2 wr x", &[(7, 1, Certain)]);
}

#[test]
fn what_initializers_do_comes_before_what_follows_their_end() {
    reports("t1 init C; t1 wr x; t1 inited C; t2 wr x", &[]);
    reports("t1 init C; t1 wr x; t2 wr x; t1 inited C", &[(3, 2, Certain)]);
    reports("t1 init C; t1 init D; t1 wr x; t1 inited D; t2 rd x; t1 wr y; t2 rd y", &[(7, 6, Certain)]);
    reports("t1 init C; t1 init D; t1 wr x; t1 inited C; t2 rd x", &[]);
    // The later write of the same thread does not stand for the first one, of which nobody knows.
    reports("t1 wr x; t1 init C; t1 wr x; t1 inited C; t2 rd x", &[(5, 1, Certain)]);
}

/// Threads that come and go share a column, as long as their ends are known; what they did is kept apart from what others do.
#[test]
fn clocks_are_as_wide_as_threads_live_at_once() {
    let mut order = Order::default();
    let round: String = (2..100).map(|n| format!("t1 fork t{n}; t{n} rd x; t{n} end; t1 join t{n};")).collect();
    notation::events(&round).iter().for_each(|event| order.event(event));
    assert_eq!(order.width(), 2);
    reports("t1 fork t2; t2 wr x; t2 end; t3 rd y; t1 fork t4; t4 wr x", &[(6, 2, Certain)]);
    reports("t1 fork t2; t2 wr x; t2 end; t1 join t2; t1 fork t4; t4 wr x; t3 rd x", &[(7, 6, Certain)]);
    reports("t1 fork t2; t2 wr x; t2 end; t3 join t2; t1 fork t4; t4 wr y; t4 pub q; t3 obs q; t3 wr x", &[]);
}

/// What a history keeps at the end of a stream that accesses one variable.
fn kept(text: &str) -> usize {
    let (mut order, mut history) = (Order::default(), History::default());
    for event in notation::events(text) {
        order.event(&event);
        let Some((kind, location)) = accessed(&event) else { continue };
        let (thread, site, locks) = (event.thread, event.site, order.held(event.thread).snapshot());
        let access = Access { event: 0, thread, site, kind, location, locks };
        let moment = order.now(thread);
        history.push(Timed { access, moment }, order.view(thread), Relation::HandOver);
    }
    history.len()
}

/// One access for each kind and set of locks that no later one stands for, however long a run is.
#[test]
fn histories_do_not_grow_with_the_run() {
    let round =
        "t1 acq m; t1 wr x; t1 rd x; t1 rel m; t1 pub q; t2 obs q; t2 acq m; t2 wr x; t2 rel m; t2 pub r; t1 obs r;";
    assert_eq!(kept(&round.repeat(100)), kept(round));
    assert!(kept(round) <= 3);
}

/// A miss: each access has a lock and a thread of its own, so none stands for another, and the oldest is forgotten in the end.
#[test]
fn the_oldest_of_too_many_accesses_is_forgotten() {
    let accesses = |n: usize| -> String {
        let access =
            |i: usize| format!("t{t} acq m{i}; t{t} wr x; t{t} rel m{i}; t{t} pub q; t{} obs q;", i + 3, t = i + 2);
        (0..n).map(access).collect()
    };
    let all_but_the_first = |n: usize| -> String { (1..n).map(|i| format!("t1 acq m{i};")).collect() };
    let races =
        |n| check(Hybrid::default(), notation::events(&(accesses(n) + &all_but_the_first(n) + "t1 wr x"))).len();
    assert_eq!(kept(&accesses(History::MOST + 9)), History::MOST);
    assert_eq!((races(History::MOST), races(History::MOST + 1)), (1, 0));
}

/// A miss: a thread has accessed the variable under one lock after the other, and another holds as many at once. It does not matter what
/// else is held each time.
#[test]
fn the_oldest_of_accesses_under_many_locks_is_forgotten() {
    let accesses = |n: usize| -> String {
        (0..n).map(|i| format!("t1 acq l; t1 acq m{i}; t1 rd x; t1 rel m{i}; t1 rel l;")).collect()
    };
    let all_but_the_first = |n: usize| -> String { (1..n).map(|i| format!("t2 acq m{i};")).collect() };
    let races =
        |n| check(Hybrid::default(), notation::events(&(accesses(n) + &all_but_the_first(n) + "t2 wr x"))).len();
    assert_eq!(kept(&accesses(9 * History::SPREAD)), History::SPREAD);
    assert_eq!((races(History::SPREAD), races(History::SPREAD + 1)), (1, 0));
}

/// One that lacks a lock that all later ones have is not: who holds only that lock races with it alone.
#[test]
fn an_access_under_another_lock_is_kept() {
    let later = |n: usize| -> String {
        (0..n).map(|i| format!("t1 acq l; t1 acq m{i}; t1 rd x; t1 rel m{i}; t1 rel l;")).collect()
    };
    for first in ["t1 acq k; t1 rd x; t1 rel k;", "t1 rd x;"] {
        let text = first.to_owned() + &later(9 * History::SPREAD);
        assert_eq!(kept(&text), 1 + History::SPREAD);
        let races = check(Hybrid::default(), notation::events(&(text + "t2 acq l; t2 wr x; t2 rel l")));
        assert_eq!(races.len(), 1);
    }
}

/// Who holds the locks of all stripes of a table races with what was done under none of them.
#[test]
fn an_access_without_the_locks_of_later_ones_is_kept() {
    for n in [1, History::SPREAD, 9 * History::SPREAD] {
        let later: String = (0..n).map(|i| format!("t1 acq m{i}; t1 rd x; t1 rel m{i};")).collect();
        let all: String = (0..n).map(|i| format!("t2 acq m{i};")).collect();
        let text = "t1 rd x;".to_owned() + &later;
        assert!(kept(&text) <= 1 + History::SPREAD);
        assert_eq!(check(Hybrid::default(), notation::events(&(text + &all + "t2 wr x"))).len(), 1);
    }
}

/// A miss: many threads have used a lock, and who comes without it has heard of the latest only. More of them need no more room.
#[test]
fn the_oldest_of_too_many_threads_under_one_lock_is_forgotten() {
    let accesses = |n: usize| -> String {
        (0..n).map(|i| format!("t{i} acq m; t{i} wr x; t{i} rel m; t{i} pub q{i};", i = i + 2)).collect()
    };
    let all_but_the_first = |n: usize| -> String { (1..n).map(|i| format!("t1 obs q{};", i + 2)).collect() };
    let races =
        |n| check(Hybrid::default(), notation::events(&(accesses(n) + &all_but_the_first(n) + "t1 wr x"))).len();
    assert_eq!(kept(&accesses(3 * History::ALIKE)), History::ALIKE);
    assert_eq!((races(History::ALIKE), races(History::ALIKE + 1)), (1, 0));
}
