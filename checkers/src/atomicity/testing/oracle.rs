//! The checkers against brute force, on small random programs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::SiteId;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rustc_hash::FxHashSet;

use super::brute_force::{CodePair, is_evident, is_serializable, unserializable_pairs};
use super::programs::{Program, Shape, all_programs, programs};
use crate::atomicity::block_based::{BlockBased, Options};
use crate::atomicity::reduction::{Racy, Reduction};
use crate::atomicity::violation::{Actor, Violation};
use crate::eraser::Eraser;
use crate::granularity::Granularities;
use crate::lock_order::{Limits, LockOrder};
use crate::replay::{check, replay};
use crate::stream::redundant::Redundant;
use crate::stream::survey::Survey;

/// The variables are known beforehand, as for a recorded trace.
fn block_based(trace: &[Event]) -> BlockBased {
    focused(trace, FxHashSet::default())
}

/// The same where nothing can break the transactions of some code.
fn focused(trace: &[Event], proved: FxHashSet<SiteId>) -> BlockBased {
    checked(trace, Options { proved: Arc::new(proved), ..Options::default() })
}

fn checked(trace: &[Event], options: Options) -> BlockBased {
    let mut survey = Survey::default();
    replay(&mut [&mut survey], trace.iter().copied());
    let mut checker = BlockBased::new(Options { shared: Some(Arc::new(survey.shared())), ..options });
    replay(&mut [&mut checker], trace.iter().copied());
    checker
}

fn reported_pairs(trace: &[Event]) -> BTreeSet<CodePair> {
    let checker = block_based(trace);
    let codes = checker.violations().iter();
    codes.map(|found| [Some(found.transaction.site), found.other.map(|other| other.site)].into()).collect()
}

fn breaches(trace: &[Event]) -> usize {
    reduced(trace, FxHashSet::default()).breaches().len()
}

/// What reduction says where nothing can break the transactions of some code.
fn reduced(trace: &[Event], proved: FxHashSet<SiteId>) -> Reduction {
    let mut survey = Survey::default();
    replay(&mut [&mut survey], trace.iter().copied());
    let racy = Racy::Known(Arc::new(survey.unprotected()));
    let mut checker = Reduction::new(Granularities::default(), racy).with_proved(Arc::new(proved));
    replay(&mut [&mut checker], trace.iter().copied());
    checker
}

fn deadlocks(trace: &[Event]) -> usize {
    let mut checker = LockOrder::new(Limits::default());
    replay(&mut [&mut checker], trace.iter().copied());
    checker.deadlocks().len()
}

/// How often each class of outcomes occurs in so many programs of the shape.
type Counts = BTreeMap<Class, u32>;

/// What came of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    /// Nothing is wrong, and nothing was reported.
    Silent,
    /// Something is wrong, and was reported.
    Found,
    /// Nothing is wrong, but something was reported.
    FalseAlarm,
    /// The same, in a program that can deadlock.
    Deadlocking,
    /// Something is wrong, and was not reported.
    Missed,
    /// Brute force would take too long.
    TooLarge,
}

impl Class {
    fn of(wrong: bool, reported: bool) -> Self {
        match (wrong, reported) {
            (false, false) => Self::Silent,
            (true, true) => Self::Found,
            (false, true) => Self::FalseAlarm,
            (true, false) => Self::Missed,
        }
    }
}

fn count(shape: Shape, n: usize, class: impl Fn(&Program, &[Event]) -> Class) -> Counts {
    let mut runner = TestRunner::deterministic();
    let mut counts = Counts::new();
    for _ in 0..n {
        let program = programs(shape).new_tree(&mut runner).unwrap().current();
        if let Some(trace) = program.an_order() {
            *counts.entry(class(&program, &trace)).or_default() += 1;
        }
    }
    counts
}

/// Asserts that only these classes occur, each at least so often.
fn assert_classes(counts: &Counts, expected: &[(Class, u32)]) {
    let found: Vec<_> = counts.keys().collect();
    assert_eq!(found, expected.iter().map(|(class, _)| class).collect::<Vec<_>>(), "{counts:?}");
    assert!(expected.iter().all(|(class, least)| counts[class] >= *least), "{counts:?}");
}

fn pairs(program: &Program, trace: &[Event]) -> Class {
    let (expected, reported) = (unserializable_pairs(program), reported_pairs(trace));
    if !expected.is_subset(&reported) {
        return Class::Missed;
    }
    match expected == reported {
        true => Class::of(!expected.is_empty(), !expected.is_empty()),
        false if program.can_deadlock() => Class::Deadlocking,
        false => Class::FalseAlarm,
    }
}

/// The theorem: for every pair of units, at every level, exactly; only orders that deadlock can be taken for possible.
#[test]
fn blocks_tell_exactly_which_pairs_can_be_unserializable() {
    use Class::{Deadlocking, Found, Silent};
    let shape = Shape::default();
    let whole = Shape { one_transaction: true, steps: 9, ..shape };
    assert_classes(&count(whole, 10_000, pairs), &[(Silent, 5000), (Found, 2500), (Deadlocking, 1)]);
    assert_classes(&count(shape, 6000, pairs), &[(Silent, 3000), (Found, 300)]);
    let one_variable = Shape { variables: 1, ..shape };
    assert_classes(&count(one_variable, 3000, pairs), &[(Silent, 2000), (Found, 300)]);
    let readers = Shape { read_locks: true, ..shape };
    assert_classes(&count(readers, 4000, pairs), &[(Silent, 2000), (Found, 200)]);
    let wide = Shape { one_transaction: true, locks: 3, variables: 3, ..shape };
    assert_classes(&count(wide, 4000, pairs), &[(Silent, 2000), (Found, 500)]);
    let three = Shape { threads: 3, steps: 4, ..shape };
    assert_classes(&count(three, 600, pairs), &[(Silent, 400), (Found, 15)]);
}

/// The same where methods call themselves and each other: of calls of one method within each other, for the outermost.
#[test]
fn blocks_tell_exactly_which_recursions_can_be_unserializable() {
    use Class::{Deadlocking, Found, Silent};
    let shape = Shape { methods: 2, steps: 10, ..Shape::default() };
    let of = |shape| count(shape, 1000, pairs);
    for counts in [of(shape), of(Shape { methods: 1, variables: 1, ..shape })] {
        assert!(counts[&Silent] > 300 && counts[&Found] > 100, "{counts:?}");
        assert!(counts.keys().all(|class| [Silent, Found, Deadlocking].contains(class)), "{counts:?}");
    }
}

/// All small programs with one lock, where every part of the lock conditions decides somewhere.
#[test]
fn blocks_are_exact_on_all_small_programs() {
    use Class::{Found, Silent};
    let classes = |programs: Vec<Program>| {
        let with_trace = programs.iter().filter_map(|program| Some((program, program.an_order()?)));
        with_trace.fold(Counts::new(), |mut counts, (program, trace)| {
            *counts.entry(pairs(program, &trace)).or_default() += 1;
            counts
        })
    };
    assert_classes(&classes(all_programs(5, 1, 0..=3)), &[(Silent, 6000), (Found, 25_000)]);
    assert_classes(&classes(all_programs(5, 2, 1..=1)), &[(Silent, 8000), (Found, 10_000)]);
}

/// Not only the verdict: each order that is shown is possible, and nothing could make it serializable.
#[test]
fn the_evidence_holds() {
    let mut runner = TestRunner::deterministic();
    let mut random = |shape| programs(shape).new_tree(&mut runner).unwrap().current();
    let mut samples = [all_programs(4, 1, 0..=3), all_programs(5, 2, 1..=1)].concat();
    samples = samples.into_iter().step_by(3).collect();
    samples.extend((0..2000).map(|_| random(Shape { steps: 6, ..Shape::default() })));
    samples.extend((0..2000).map(|_| random(Shape { one_transaction: true, ..Shape::default() })));
    let mut n = 0;
    for program in samples.iter().filter(|program| !program.can_deadlock()) {
        for violation in block_based(&program.an_order().unwrap()).violations() {
            assert!(is_evident(program, violation), "{} in {program:#?}", violation.pattern());
            n += 1;
        }
    }
    assert!(n > 5_000, "{n}");
}

/// The code of transactions within a violated one, by their events in the trace, that both of its accesses are in.
fn inside(trace: &[Event], violation: &Violation) -> Vec<SiteId> {
    let own = violation.transaction;
    let accesses: Vec<_> = violation.accesses(Actor::Own).map(|access| access.event as usize).collect();
    let begins = own.begin as usize..accesses[0];
    let is_around = |begin: &usize| {
        trace[*begin].thread == own.thread
            && trace[*begin].action == EventKind::Enter
            && least_depth(trace, *begin, accesses[1]) > 0
    };
    let around: Vec<SiteId> = begins.filter(is_around).map(|begin| trace[begin].site).collect();
    // The innermost of its own code is as much broken.
    around.rsplit(|code| *code == own.site).next().unwrap_or_default().to_vec()
}

/// The least number of transactions, from the one that begins with an event on, that its thread is in before another event.
fn least_depth(trace: &[Event], begin: usize, end: usize) -> i32 {
    let own = trace[begin..end].iter().filter(|event| event.thread == trace[begin].thread);
    let steps = own.map(|event| match event.action {
        EventKind::Enter => 1,
        EventKind::Exit => -1,
        _ => 0,
    });
    let depths = steps.scan(0, |depth, step| {
        *depth += step;
        Some(*depth)
    });
    depths.min().unwrap_or_default()
}

/// Who is blamed depends on which transactions both accesses are in, also those that do nothing new.
#[test]
fn transactions_inside_are_named() {
    let shape = Shape { steps: 16, locks: 1, ..Shape::default() };
    let mut runner = TestRunner::deterministic();
    let (mut n, mut n_inside) = (0, 0);
    for shape in [
        shape,
        Shape { variables: 1, ..shape },
        Shape { threads: 3, steps: 10, ..shape },
        Shape { methods: 2, ..shape },
    ] {
        for _ in 0..1000 {
            let program = programs(shape).new_tree(&mut runner).unwrap().current();
            let Some(trace) = program.an_order() else { continue };
            for trace in [vec![trace.clone()], repeated(&trace)].concat() {
                for violation in block_based(&trace).violations() {
                    assert_eq!(violation.inner, inside(&trace, violation), "{violation:#?} in {trace:#?}");
                    n += 1;
                    n_inside += usize::from(!violation.inner.is_empty());
                }
            }
        }
    }
    assert!(n > 1000 && n_inside > 100, "{n_inside} of {n}");
}

/// What the innermost transactions alone say: nobody else is accused, and whatever breaks a transaction breaks it or one inside
/// of it that both accesses are in. Of accesses that are alike to the other transaction or to one inside of it, another may be shown.
#[test]
fn who_calls_what_is_to_blame_is_not_looked_at() {
    let shape = Shape { steps: 16, locks: 1, ..Shape::default() };
    let mut runner = TestRunner::deterministic();
    let (mut n_fewer, mut n_focused) = (0, 0);
    for shape in [
        shape,
        Shape { forks_inside: true, ..shape },
        Shape { threads: 3, steps: 10, ..shape },
        Shape { methods: 2, ..shape },
        Shape { methods: 3, steps: 24, ..shape },
    ] {
        for _ in 0..1000 {
            let program = programs(shape).new_tree(&mut runner).unwrap().current();
            let Some(trace) = program.an_order() else { continue };
            for trace in [vec![trace.clone()], repeated(&trace)].concat() {
                n_fewer += usize::from(innermost_tells_as_much(&trace, &FxHashSet::default()));
                n_focused += usize::from(innermost_tells_as_much(&trace, &reducible(&trace, true)));
            }
        }
    }
    assert!(n_fewer > 20 && n_focused > 20, "{n_fewer} {n_focused}");
}

/// Whether it has fewer violations for that.
fn innermost_tells_as_much(trace: &[Event], proved: &FxHashSet<SiteId>) -> bool {
    let of = |innermost| {
        checked(trace, Options { innermost, proved: Arc::new(proved.clone()), ..Options::default() })
            .violations()
            .to_vec()
    };
    let (all, innermost) = (of(false), of(true));
    let told: FxHashSet<_> = innermost.iter().map(|found| (found.transaction.site, own_steps(found))).collect();
    let is_told = |found: &Violation| {
        let mut codes = found.inner.iter().chain([&found.transaction.site]);
        codes.any(|code| told.contains(&(*code, own_steps(found))))
    };
    assert!(all.iter().all(is_told), "{proved:?} {trace:#?}");
    let accused = |found: &Violation| [Some(found.transaction.site), found.other.map(|other| other.site)];
    let known: BTreeSet<_> = all.iter().map(accused).collect();
    assert!(innermost.iter().all(|found| known.contains(&accused(found))), "{proved:?} {trace:#?}");
    innermost.len() < all.len()
}

/// The accesses by place; to one variable, those of the other transaction by kind.
fn own_steps(violation: &Violation) -> Vec<(Actor, AccessKind, Option<SiteId>)> {
    let is_shown = |by| by == Actor::Own || violation.is_of_two();
    let steps = violation.steps.iter();
    steps.map(|step| (step.by, step.access.kind, is_shown(step.by).then_some(step.access.site))).collect()
}

/// Forks and joins in the middle of transactions and locks: still nothing is missed.
#[test]
fn blocks_miss_nothing_around_forks_and_joins() {
    use Class::{Deadlocking, Found, Silent};
    let shape = Shape { forks_inside: true, ..Shape::default() };
    assert_classes(&count(shape, 4000, pairs), &[(Silent, 2000), (Found, 200), (Deadlocking, 1)]);
}

fn whole_program(program: &Program, trace: &[Event]) -> Class {
    let Some(serializable) = is_serializable(program) else { return Class::TooLarge };
    match Class::of(!serializable, !reported_pairs(trace).is_empty()) {
        Class::FalseAlarm if program.can_deadlock() => Class::Deadlocking,
        class => class,
    }
}

/// The deviations from the serializability of a whole program, which the pairs leave open. Missed is what takes three
/// transactions (`t1` before `u`, `u` before `v` by another variable, `v` before `t2` of the first thread). A false alarm is
/// a pair whose difference a third transaction hides by writing the variable again.
#[test]
fn three_transactions_are_the_only_deviation() {
    use Class::{Deadlocking, FalseAlarm, Found, Missed, Silent, TooLarge};
    let two = Shape { one_transaction: true, steps: 8, ..Shape::default() };
    assert_classes(&count(two, 3000, whole_program), &[(Silent, 1500), (Found, 500), (Deadlocking, 1)]);
    let many = count(Shape::default(), 3000, whole_program);
    assert_classes(&many, &[(Silent, 500), (Found, 100), (FalseAlarm, 1), (Missed, 1), (TooLarge, 1)]);
    assert!(many[&Missed] + many[&FalseAlarm] < many[&Found] / 2, "they are few: {many:?}");
}

fn reduction(program: &Program, trace: &[Event]) -> Class {
    is_serializable(program).map_or(Class::TooLarge, |serializable| Class::of(!serializable, breaches(trace) > 0))
}

/// One-sided: what matches the pattern is serializable, whatever else there is.
#[test]
fn reduction_misses_nothing() {
    use Class::{FalseAlarm, Found, Silent, TooLarge};
    let shape = Shape::default();
    let rest = [(Silent, 10), (Found, 10), (FalseAlarm, 10), (TooLarge, 10)];
    assert_classes(&count(shape, 3000, reduction), &rest);
    assert_classes(&count(Shape { threads: 3, steps: 4, ..shape }, 600, reduction), &rest);
    let whole = Shape { one_transaction: true, forks_inside: true, steps: 8, ..shape };
    assert_classes(&count(whole, 2000, reduction), &rest[..3]);
}

/// The accurate checker accuses only whom the cheap one accuses, or a deadlock is possible: on programs too large for
/// brute force.
#[test]
fn blocks_find_less_than_reduction() {
    use Class::{FalseAlarm, Found, Silent};
    let shape = Shape { threads: 3, steps: 30, locks: 3, variables: 5, ..Shape::default() };
    let class = |_: &Program, trace: &[Event]| {
        let blocks = !reported_pairs(trace).is_empty() && deadlocks(trace) == 0;
        Class::of(blocks, breaches(trace) > 0)
    };
    assert_classes(&count(shape, 3000, class), &[(Silent, 10), (Found, 300), (FalseAlarm, 30)]);
}

fn deadlock(program: &Program, trace: &[Event]) -> Class {
    Class::of(program.can_deadlock(), deadlocks(trace) > 0)
}

/// Exact for whole programs: where nested locks can deadlock, and only there.
#[test]
fn lock_order_tells_exactly_which_programs_can_deadlock() {
    use Class::{Found, Silent};
    let shape = Shape { steps: 14, locks: 3, ..Shape::default() };
    assert_classes(&count(shape, 6000, deadlock), &[(Silent, 4000), (Found, 100)]);
    let three = Shape { threads: 3, steps: 12, ..shape };
    assert_classes(&count(three, 4000, deadlock), &[(Silent, 2000), (Found, 100)]);
    let readers = Shape { read_locks: true, ..three };
    assert_classes(&count(readers, 4000, deadlock), &[(Silent, 2000), (Found, 100)]);
}

/// What is left of a trace without what earlier accesses cover.
fn without_redundant(trace: &[Event]) -> Vec<Event> {
    let mut redundant = Redundant::new(Granularities::default());
    trace.iter().filter(|event| !redundant.has(event)).copied().collect()
}

/// Code, the other's code and pattern of each violation.
fn violations(trace: &[Event]) -> BTreeSet<(SiteId, Option<SiteId>, String)> {
    let of =
        |found: &Violation| (found.transaction.site, found.other.map(|other| other.site), found.pattern().to_string());
    block_based(trace).violations().iter().map(of).collect()
}

fn racy(trace: &[Event]) -> BTreeSet<Location> {
    check(Eraser::default(), trace.iter().copied()).iter().map(|race| race.variable).collect()
}

/// Whether every checker says the same of a trace without what is redundant; of how many events.
fn left_out(trace: &[Event]) -> usize {
    let left = without_redundant(trace);
    assert_eq!(violations(&left), violations(trace), "{trace:#?}");
    assert_eq!((breaches(&left), deadlocks(&left)), (breaches(trace), deadlocks(trace)), "{trace:#?}");
    trace.len() - left.len()
}

/// Also on traces in which threads come into each other's regions.
#[test]
fn what_is_redundant_changes_no_verdict() {
    let shape = Shape { steps: 14, forks_inside: true, ..Shape::default() };
    let mut runner = TestRunner::deterministic();
    let (mut n_left_out, mut n_found) = (0, 0);
    for shape in [shape, Shape { read_locks: true, variables: 1, ..shape }, Shape { one_transaction: true, ..shape }] {
        for _ in 0..1000 {
            let program = programs(shape).new_tree(&mut runner).unwrap().current();
            let mut n_orders = 0;
            program.orders(&mut |order| {
                n_left_out += left_out(order);
                n_found += violations(order).len();
                assert!(racy(&without_redundant(order)).is_subset(&racy(order)), "{order:#?}");
                n_orders += 1;
                if n_orders < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
    }
    assert!(n_left_out > 1000 && n_found > 1000, "{n_left_out} of {n_found}");
}

/// Code whose transactions match Lipton's pattern in a trace: what types would prove. Of these, every other one if `some`.
fn reducible(trace: &[Event], some: bool) -> FxHashSet<SiteId> {
    let reduction = reduced(trace, FxHashSet::default());
    let broken: FxHashSet<SiteId> = reduction.breaches().iter().map(|breach| breach.transaction.site).collect();
    let entered = trace.iter().filter(|event| event.action == EventKind::Enter).map(|event| event.site);
    entered.filter(|code| !broken.contains(code) && (!some || code.0 % 2 == 1)).collect()
}

/// Transactions that are violated.
fn violated(checker: &BlockBased) -> FxHashSet<SiteId> {
    checker.violations().iter().map(|found| found.transaction.site).collect()
}

/// Comparisons without and with a focus, and transactions that it takes as proved.
#[derive(Default)]
struct Focus {
    full: u64,
    focused: u64,
    n_proved: usize,
}

impl Focus {
    /// Half of the programs have half of what could be proved. A pair that is accused as a whole may have one that could.
    fn compare(&mut self, trace: &[Event]) -> Class {
        let all = reducible(trace, false);
        let proved = if trace.len().is_multiple_of(2) { all.clone() } else { reducible(trace, true) };
        self.n_proved += proved.len();
        let (full, focused) = (block_based(trace), focused(trace, proved.clone()));
        self.full += full.work().comparisons;
        self.focused += focused.work().comparisons;
        if deadlocks(trace) > 0 {
            return Class::Deadlocking;
        }
        assert!(violated(&focused).is_subset(&violated(&full)), "{trace:#?}");
        assert_eq!(&violated(&focused) - &all, &violated(&full) - &all, "{proved:?} in {trace:#?}");
        let of = |proved| reduced(trace, proved).breaches().to_vec();
        assert_eq!(of(proved), of(FxHashSet::default()), "{trace:#?}");
        Class::of(!full.violations().is_empty(), !full.violations().is_empty())
    }
}

/// Section 6.2: reduced events of what is proved atomic lose no violation of what is not, and cost less; unless there is a
/// potential deadlock.
#[test]
fn a_focus_finds_the_same_transactions() {
    use Class::{Deadlocking, Found, Silent};
    let shape = Shape { steps: 16, ..Shape::default() };
    let three = Shape { threads: 3, locks: 3, variables: 3, ..shape };
    for shape in [shape, Shape { forks_inside: true, ..shape }, Shape { read_locks: true, ..three }] {
        let focus = RefCell::<Focus>::default();
        let counts = count(shape, 3000, |_, trace| focus.borrow_mut().compare(trace));
        assert_classes(&counts, &[(Silent, 100), (Found, 100), (Deadlocking, 1)]);
        let Focus { full, focused, n_proved } = focus.into_inner();
        assert!(n_proved > 1000 && focused < full, "{n_proved} {focused} {full}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// What was observed is one order of many: the verdict is the same for each.
    #[test]
    fn the_observed_order_does_not_matter(program in programs(Shape { steps: 12, ..Shape::default() })) {
        let mut orders = Vec::new();
        program.orders(&mut |order| {
            orders.push(reported_pairs(order));
            if orders.len() < 20 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        prop_assert!(orders.windows(2).all(|two| two[0] == two[1]));
    }
}

/// Where a thread is outside of transactions and locks, by the places of its events in the trace, up to one that starts or joins a
/// thread. It enters one at `from`.
fn outside(trace: &[Event], from: usize) -> Vec<usize> {
    let own = (from..trace.len()).filter(|at| trace[*at].thread == trace[from].thread);
    let before_others = own.take_while(|at| !matches!(trace[*at].action, EventKind::Fork(_) | EventKind::Join(_)));
    let mut inside = 0;
    before_others
        .filter(|at| {
            inside += nesting(&trace[*at]);
            inside == 0
        })
        .collect()
}

/// One if the event begins a transaction or the holding of a lock, minus one if it ends one.
fn nesting(event: &Event) -> i32 {
    match event.action {
        EventKind::Enter | EventKind::Acquire(..) => 1,
        EventKind::Exit | EventKind::Release(..) => -1,
        _ => 0,
    }
}

/// Traces in which a thread does once more what it has done from one place outside of transactions and locks to the next.
fn repeated(trace: &[Event]) -> Vec<Vec<Event>> {
    let begins = (0..trace.len()).filter(|at| nesting(&trace[*at]) == 1 && nesting_at(trace, *at) == 0);
    let again = begins.flat_map(|begin| {
        let places = outside(trace, begin);
        let end = places.first().copied().unwrap_or(begin);
        let done = trace[begin..=end].iter().filter(|event| event.thread == trace[begin].thread).copied();
        let done: Vec<Event> = done.collect();
        places.into_iter().map(move |at| [&trace[..=at], &done, &trace[at + 1..]].concat())
    });
    again.collect()
}

/// How many transactions and locks the thread of an event is in before it.
fn nesting_at(trace: &[Event], at: usize) -> i32 {
    trace[..at].iter().filter(|event| event.thread == trace[at].thread).map(nesting).sum()
}

fn n_locks(trace: &[Event]) -> usize {
    trace.iter().filter(|event| matches!(event.action, EventKind::Acquire(..))).count()
}

/// The agent takes back what a thread does in an outermost transaction, or with a lock outside of transactions, if it has done the
/// same before, with no start or join of a thread in it or in between.
#[test]
fn what_is_repeated_changes_no_verdict() {
    let shape = Shape { steps: 14, ..Shape::default() };
    let mut runner = TestRunner::deterministic();
    let (mut n_repeated, mut n_found, mut n_locked) = (0, 0, 0);
    for shape in [shape, Shape { variables: 1, ..shape }, Shape { locks: 1, ..shape }] {
        for _ in 0..2000 {
            let program = programs(shape).new_tree(&mut runner).unwrap().current();
            let Some(trace) = program.an_order() else { continue };
            for repeated in repeated(&trace) {
                assert_eq!(violations(&repeated), violations(&trace), "{repeated:#?}");
                assert_eq!((breaches(&repeated), deadlocks(&repeated)), (breaches(&trace), deadlocks(&trace)));
                n_repeated += 1;
                n_found += violations(&trace).len();
                n_locked += usize::from(n_locks(&repeated) > n_locks(&trace));
            }
        }
    }
    assert!(n_repeated > 1000 && n_found > 1000 && n_locked > 1000, "{n_repeated} of {n_found}, {n_locked}");
}

/// A trace without some of what its threads do from one place outside of transactions and locks to the next; an access there is one
/// such span. Starts and joins stay.
fn without_spans(trace: &[Event], choice: u64) -> Vec<Event> {
    let mut threads = BTreeMap::<_, (i32, u32)>::new();
    let is_left = |event: &&Event| {
        let (depth, n_spans) = threads.entry(event.thread).or_default();
        let (before, step) = (*depth, nesting(event));
        *depth += step;
        *n_spans += u32::from(before == 0);
        let is_chosen = choice >> ((event.thread.0 * 16 + *n_spans) % 64) & 1 == 0;
        is_chosen || matches!(event.action, EventKind::Fork(_) | EventKind::Join(_))
    };
    trace.iter().filter(is_left).copied().collect()
}

fn broken(trace: &[Event]) -> BTreeSet<SiteId> {
    let reduction = reduced(trace, FxHashSet::default());
    reduction.breaches().iter().map(|breach| breach.transaction.site).collect()
}

/// The agent leaves out whole spans that it knows: nobody is accused who would not be otherwise.
#[test]
fn what_is_left_out_accuses_nobody() {
    let shape = Shape { steps: 14, forks_inside: true, ..Shape::default() };
    let mut runner = TestRunner::deterministic();
    let (mut n_left_out, mut n_found, mut n_missed) = (0, 0, 0);
    for shape in [shape, Shape { variables: 1, ..shape }, Shape { threads: 3, read_locks: true, ..shape }] {
        for seed in 0..2000_u64 {
            let program = programs(shape).new_tree(&mut runner).unwrap().current();
            let Some(trace) = program.an_order() else { continue };
            let left = without_spans(&trace, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let (of_left, of_all) = (violations(&left), violations(&trace));
            assert!(of_left.is_subset(&of_all), "{of_left:?} of {of_all:?} in {trace:#?}");
            assert!(broken(&left).is_subset(&broken(&trace)), "{trace:#?}");
            assert!(deadlocks(&left) <= deadlocks(&trace), "{trace:#?}");
            n_left_out += trace.len() - left.len();
            n_found += of_left.len();
            n_missed += of_all.len() - of_left.len();
        }
    }
    assert!(n_left_out > 1000 && n_found > 300 && n_missed > 300, "{n_left_out}, {n_found} found, {n_missed} missed");
}
