//! Blocks against the tables of patterns, and what the block-based checker says about short event lists.

use std::collections::BTreeSet;
use std::sync::Arc;

use facts::access::AccessKind::{self, Read, Write};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, SiteId, ThreadId};

use super::brute_force::View;
use crate::atomicity::block::{BETWEEN, End, OneBlock, Point, Role, TwoBlock};
use crate::atomicity::block_based::{BlockBased, Options};
use crate::atomicity::limits::Limits;
use crate::atomicity::violation::{Actor, Violation};
use crate::checker::Checker;
use crate::replay::replay;
use crate::stream::holding::HoldSet;
use crate::stream::survey::Survey;
use crate::testing::notation::events;

const KINDS: [AccessKind; 2] = [Read, Write];
const X: Location = Location::Static(FieldId(1));
const Y: Location = Location::Static(FieldId(2));

/// Accesses of a transaction.
fn accesses(actor: Actor, accesses: &[(AccessKind, Location)]) -> Vec<Event> {
    let first = if actor == Actor::Own { 10 } else { 20 };
    let access = |(site, (kind, location)): (u32, &(AccessKind, Location))| Event {
        thread: ThreadId(first),
        site: SiteId(site),
        action: EventKind::Access(*kind, *location),
    };
    (first..).zip(accesses).map(access).collect()
}

fn take(own: &[Event], other: &[Event], order: &[(Actor, usize)]) -> Vec<Event> {
    order.iter().map(|(by, at)| [own, other][*by as usize][*at]).collect()
}

fn is_view_serializable(own: &[Event], other: &[Event], order: &[Event]) -> bool {
    let serial = [View::of(own.iter().chain(other)), View::of(other.iter().chain(own))];
    serial.contains(&View::of(order))
}

/// Whether conflicting accesses are all in the order of one of the serial orders.
fn is_conflict_serializable(order: &[Event]) -> bool {
    let mut firsts = BTreeSet::new();
    for (at, later) in order.iter().enumerate() {
        for earlier in &order[..at] {
            let (EventKind::Access(one, x), EventKind::Access(other, y)) = (earlier.action, later.action) else {
                continue;
            };
            if x == y && (one, other) != (Read, Read) && earlier.thread != later.thread {
                firsts.insert(earlier.thread);
            }
        }
    }
    firsts.len() < 2
}

/// Every order of two and two accesses.
fn interleavings() -> Vec<Vec<(Actor, usize)>> {
    use Actor::{Other, Own};
    let others = |i: usize, j: usize| {
        let mut order = vec![(Own, 0), (Own, 1)];
        order.insert(i, (Other, 0));
        order.insert(j, (Other, 1));
        order
    };
    (0..3).flat_map(|i| (i + 1..4).map(move |j| others(i, j))).collect()
}

/// Table 12.1 of the algorithms: four patterns by view, one more by conflicts.
#[test]
fn one_variable_has_four_patterns() {
    let none = HoldSet::from([]);
    let (mut by_view, mut by_conflict) = (Vec::new(), Vec::new());
    for (first, middle, last) in KINDS.iter().flat_map(|a| KINDS.iter().flat_map(move |b| KINDS.map(|c| (*a, *b, c)))) {
        let (own, other) = (accesses(Actor::Own, &[(first, X), (last, X)]), accesses(Actor::Other, &[(middle, X)]));
        let order = take(&own, &other, BETWEEN);
        let name = [first, middle, last].map(|kind| if kind == Read { 'R' } else { 'W' }).iter().collect::<String>();
        let unserializable = !is_view_serializable(&own, &other, &order);
        let role = if middle == Read { Role::InitialRead } else { Role::FinalWrite };
        let block = OneBlock { kinds: [first, last], kept: none.clone() };
        assert_eq!(block.admits(&Point { role, held: none.clone() }), unserializable, "{name}");
        by_view.extend(unserializable.then(|| name.clone()));
        by_conflict.extend((!is_conflict_serializable(&order)).then_some(name));
    }
    assert_eq!(by_view, ["RWR", "RWW", "WRW", "WWR"]);
    assert_eq!(by_conflict, ["RWR", "RWW", "WRW", "WWR", "WWW"]);
}

fn two_block(ends: [(AccessKind, Location); 2]) -> TwoBlock {
    let none = HoldSet::from([]);
    let ends = ends.map(|(kind, variable)| End { variable, kind, held: none.clone() });
    TwoBlock { ends, kept: none.clone(), used: none }
}

/// Table 12.2: 54 patterns, the same by view and by conflicts, and exactly those that the blocks tell.
#[test]
fn two_variables_have_54_patterns() {
    let mut n = 0;
    let kinds = || KINDS.iter().flat_map(|one| KINDS.map(|other| [*one, other]));
    for (mine, theirs, crosswise) in kinds().flat_map(|a| kinds().flat_map(move |b| [(a, b, false), (a, b, true)])) {
        let mine = [(mine[0], X), (mine[1], Y)];
        let theirs = if crosswise { [(theirs[0], Y), (theirs[1], X)] } else { [(theirs[0], X), (theirs[1], Y)] };
        let (own, other) = (accesses(Actor::Own, &mine), accesses(Actor::Other, &theirs));
        let (block, opposite) = (two_block(mine), two_block(theirs));
        let mine_broken = block.orders(&opposite).into_iter().map(|order| take(&own, &other, order));
        let theirs_broken = opposite.orders(&block).into_iter().map(|order| take(&other, &own, order));
        let told: Vec<Vec<Event>> = mine_broken.chain(theirs_broken).collect();
        for order in interleavings().iter().map(|order| take(&own, &other, order)) {
            let unserializable = !is_view_serializable(&own, &other, &order);
            assert_eq!(unserializable, !is_conflict_serializable(&order));
            assert_eq!(unserializable, told.contains(&order), "{order:?}");
            n += u32::from(unserializable);
        }
    }
    assert_eq!(n, 54);
}

fn check_text(text: &str, options: Options) -> BlockBased {
    let mut checker = BlockBased::new(options);
    replay(&mut [&mut checker], events(text));
    checker
}

/// With the shared variables known beforehand.
fn violations(text: &str) -> Vec<Violation> {
    let mut survey = Survey::default();
    replay(&mut [&mut survey], events(text));
    let shared = Some(Arc::new(survey.shared()));
    check_text(text, Options { shared, ..Options::default() }).violations().to_vec()
}

fn patterns(text: &str) -> Vec<String> {
    violations(text).iter().map(|violation| violation.pattern().to_string()).collect()
}

#[test]
fn a_lock_taken_twice_is_not_atomic() {
    let twice = "t1 enter M; t1 acq m; t1 rd x; t1 rel m; t1 acq m; t1 wr x; t1 rel m; t1 exit M;";
    let found = violations(&format!("{twice} t2 acq m; t2 wr x; t2 rel m"));
    let [violation] = &*found else { panic!("{found:?}") };
    assert_eq!(violation.pattern().to_string(), "R W' W");
    assert_eq!(violation.transaction.begin, 0);
    assert_eq!(violation.other, None);
    let sites: Vec<_> = violation.steps.iter().map(|step| step.access.site.0).collect();
    assert_eq!(sites, [3, 10, 6]);
    let locks: Vec<_> = violation.accesses(Actor::Own).map(|access| access.locks.len()).collect();
    assert_eq!((locks, violation.kept.len()), (vec![1, 1], 0));
    let outer = format!("t1 acq n; {twice} t1 rel n; t2 acq n; t2 acq m; t2 wr x; t2 rel m; t2 rel n");
    assert_eq!(patterns(&outer), [] as [&str; 0], "a lock held all the time protects");
}

#[test]
fn patterns_have_names() {
    let half = "t1 enter M; t1 wr x; t1 wr y; t1 exit M; t2 enter N; t2 rd x; t2 rd y; t2 exit N";
    // The reader sees half an update; or the writer's two writes come between its reads.
    assert_eq!(patterns(half), ["R(x) W'(x) W'(y) R(y)", "W(x) R'(x) R'(y) W(y)"]);
    assert_eq!(patterns("t1 enter M; t1 wr x; t1 wr x; t1 exit M; t2 rd x"), ["W R' W"]);
    assert_eq!(patterns("t1 enter M; t1 wr x; t1 rd x; t1 exit M; t2 wr x"), ["W W' R"]);
    assert_eq!(patterns("t1 enter M; t1 vrd x; t1 vrd x; t1 exit M; t2 vwr x"), ["R W' R"]);
}

#[test]
fn who_overlaps_is_violated_as_much_as_who_is_overlapped() {
    let blamed = |text: &str| -> BTreeSet<u64> {
        violations(text).iter().map(|violation| violation.transaction.begin).collect()
    };
    // The fork leaves only orders in which N begins before M, and may end before it; the join, only the latter.
    let text = "t1 enter N; t1 wr y; t1 fork t2; t1 wr x; t1 exit N; t2 enter M; t2 wr x; t2 wr y; t2 exit M";
    assert_eq!(blamed(text), [0, 5].into());
    assert_eq!(blamed(&text.replace("t2 wr y", "t2 join t1; t2 wr y")), [0, 5].into());
}

#[test]
fn waiting_gives_the_monitor_up() {
    let text = |step: &str| {
        format!("t1 acq m; t1 enter M; t1 rd x; {step} t1 wr x; t1 exit M; t1 rel m; t2 acq m; t2 wr x; t2 rel m")
    };
    assert_eq!(patterns(&text("")), [] as [&str; 0]);
    assert_eq!(patterns(&text("t1 wait m; t1 woken m;")), ["R W' W"]);
}

/// A known false alarm: from one lock over both to the other, something keeps the writer out all the time.
#[test]
fn locks_that_are_not_nested() {
    let hand_over = "t1 acq a; t1 enter M; t1 rd x; t1 acq b; t1 rel a; t1 rd x; t1 exit M; t1 rel b;";
    assert_eq!(patterns(&format!("{hand_over} t2 acq a; t2 acq b; t2 wr x; t2 rel b; t2 rel a")), ["R W' R"]);
}

#[test]
fn start_and_join_order() {
    let reader = "t1 enter M; t1 rd x; t1 rd x; t1 exit M;";
    assert_eq!(patterns(&format!("{reader} t1 fork t2; t2 wr x")), [] as [&str; 0]);
    assert_eq!(patterns(&format!("t1 fork t2; t2 wr x; t1 join t2; {reader}")), [] as [&str; 0]);
    assert_eq!(patterns(&format!("t1 fork t2; {reader} t2 wr x")), ["R W' R"]);
}

#[test]
fn each_level_is_blamed_for_itself() {
    let text = "t1 enter Outer; t1 rd x; t1 enter Inner; t1 rd y; t1 rd y; t1 exit Inner; t1 exit Outer; t2 wr y";
    let begins: Vec<_> = violations(text).iter().map(|violation| violation.transaction.begin).collect();
    assert_eq!(begins, [2, 0]);
    let lost = "t1 enter Outer; t1 enter Inner; t1 rd y; t1 exit Outer; t1 rd y; t2 wr y";
    assert_eq!(violations(lost).len(), 0, "the end of the outer one ends the inner one");
}

#[test]
fn what_only_one_thread_has_touched_counts_for_nothing() {
    let text = "t1 enter M; t1 rd o.x; t1 wr o.x; t1 exit M; t2 wr o.x; t1 enter M; t1 rd o.x; t1 wr o.x; t1 exit M";
    let checker = check_text(text, Options::default());
    let begins: Vec<_> = checker.violations().iter().map(|violation| violation.transaction.begin).collect();
    assert_eq!(begins, [5], "the first execution was before the object escaped");
    assert_eq!(violations(text)[0].transaction.begin, 0);
    assert_eq!((violations(text).len(), violations(text)[0].seen), (1, 1), "one block of one code");
}

#[test]
fn executions_of_one_code_can_differ() {
    let text = "t2 wr x; t1 enter M; t1 rd x; t1 rd x; t1 exit M; t1 enter M; t1 rd x; t1 wr x; t1 exit M; t2 wr x";
    assert_eq!(patterns(text), ["R W' R", "R W' W"]);
}

#[test]
fn the_end_of_the_stream_ends_transactions() {
    // The variable is the first name, and so number 1.
    let stream = events("t2 wr x; t1 enter M; t1 enter N; t1 rd x; t1 wr x");
    let shared = Some(Arc::new([X].into_iter().collect()));
    let mut checker = BlockBased::new(Options { shared, ..Options::default() });
    replay(&mut [&mut checker], stream);
    assert_eq!(checker.violations().len(), 0);
    checker.finish();
    assert_eq!(checker.violations().len(), 2);
    checker.finish();
    assert_eq!(checker.violations().len(), 2, "once");
}

#[test]
fn what_exceeds_the_limits_is_counted() {
    let text = "t2 wr x; t2 wr y; t1 enter M; t1 rd x; t1 rd x; t1 rd y; t1 rd y; t1 exit M; t2 wr x; t2 wr y";
    let check = |limits| check_text(text, Options { limits, ..Options::default() });
    let full = check(Limits::default());
    assert_eq!((full.violations().len(), full.work().dropped, full.work().left_out), (2, 0, 0));
    let few = check(Limits { blocks: 2, ..Limits::default() });
    assert_eq!((few.work().blocks, few.work().dropped > 0), (2, true));
    let narrow = check(Limits { variables: 1, ..Limits::default() });
    assert_eq!((narrow.violations().len(), narrow.work().left_out), (1, 2));
    let text = "t1 enter M; t1 rd x; t1 exit M;".repeat(5);
    assert_eq!(check_text(&text, Options::default()).work().repeated, 4);
}

/// A checker that knows of a run which variables are shared, and if `by_whom`, by which threads.
fn surveyed(text: &str, by_whom: bool, limits: Limits) -> BlockBased {
    let mut survey = Survey::default();
    replay(&mut [&mut survey], events(text));
    let shared = survey.shared();
    let shared = Arc::new(if by_whom { shared } else { shared.variables().into_iter().collect() });
    check_text(text, Options { shared: Some(shared), limits, ..Options::default() })
}

/// Of the pairs of a transaction only those matter that another thread accesses, too, both of them.
#[test]
fn pairs_need_a_thread_that_accesses_both() {
    let blocks = |others: &str| {
        let text = format!("t1 enter M; t1 rd x; t1 rd y; t1 exit M; {others}");
        [true, false].map(|by_whom| surveyed(&text, by_whom, Limits::default()).work().blocks)
    };
    let [apart, all] = blocks("t2 enter N; t2 wr x; t2 exit N; t3 enter O; t3 wr y; t3 exit O");
    assert_eq!(apart + 1, all);
    let [both, all] = blocks("t2 enter N; t2 wr x; t2 wr y; t2 exit N");
    assert_eq!(both, all);
}

/// What is there is compared with what comes, even if that has no room.
#[test]
fn what_has_no_room_is_compared() {
    let writer = "t2 enter N; t2 wr x; t2 wr y; t2 exit N;";
    let blocks = surveyed(&format!("t1 wr x; t1 wr y; {writer}"), true, Limits::default()).work().blocks - 2;
    let limits = Limits { blocks, ..Limits::default() };
    let found = surveyed(&format!("{writer} t1 enter M; t1 rd x; t1 rd y; t1 exit M"), true, limits);
    assert_eq!((found.violations().len(), found.work().blocks, found.work().dropped > 0), (2, blocks, true));
}

/// Code that is broken in enough ways is done with, and what is around it is not blamed instead.
#[test]
fn ways_to_break_code_are_bounded() {
    let text = "t1 enter Outer; t1 enter M; t1 rd x; t1 rd y; t1 rd z; t1 exit M; t1 exit Outer; \
                t2 enter N; t2 wr x; t2 wr y; t2 wr z; t2 exit N";
    let check = |violations| {
        let stream = format!("t2 wr x; t2 wr y; t2 wr z; {text}; {text}");
        check_text(&stream, Options { limits: Limits { violations, ..Limits::default() }, ..Options::default() })
    };
    let of = |checker: &BlockBased, inner: usize| {
        checker.violations().iter().filter(|found| found.other.is_some() && found.inner.len() == inner).count()
    };
    let all = check(64);
    assert!(of(&all, 0) > 4 && of(&all, 1) > 1 && all.work().done == 0, "{:?}", all.violations());
    let few = check(1);
    assert_eq!((of(&few, 0), of(&few, 1)), (2, 0), "one of M and of N");
    assert_eq!(few.work().done, 2);
}

/// The write by `t2` can come between the reads, that by `t3` after it cannot: the first is to be remembered until `M` has ended.
#[test]
fn what_comes_late_is_compared_with_what_others_have_passed() {
    let text =
        "t1 fork t2; t1 enter M; t1 rd x; t1 rd x; t2 wr x; t1 join t2; t1 fork t3; t3 wr x; t1 join t3; t1 exit M";
    assert_eq!(patterns(text), ["R W' R"]);
}
