//! Threads of a pool: all of them do the same nested transactions, each time with another object and under another lock, as requests
//! do that meet recycled objects on connections of their own.

use std::collections::BTreeSet;
use std::sync::Arc;

use facts::access::LockMode;
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use proptest::prelude::*;

use super::programs::{Shape, programs};
use crate::atomicity::block_based::{BlockBased, Options};
use crate::atomicity::limits::{Limits, Work};
use crate::atomicity::violation::Violation;
use crate::replay::replay;
use crate::stream::survey::Survey;
use crate::testing::notation::events;

/// What one job does: deep, long, with many variables.
const JOB: Shape = Shape {
    threads: 1,
    steps: 40,
    locks: 2,
    variables: 6,
    one_transaction: false,
    forks_inside: false,
    read_locks: false,
    methods: 0,
};

/// Who does a job: a thread, on an object, under the lock of a connection.
type Request = (u32, u64, u64);

/// A job done on request: its first lock is that of the connection, and every other variable is one of the object.
fn done(job: &[Event], (thread, object, connection): Request) -> impl Iterator<Item = Event> {
    let own = move |lock| if lock == ObjectId(1) { ObjectId(10 + connection) } else { lock };
    job.iter().map(move |event| Event {
        thread: ThreadId(2 + thread),
        action: match event.action {
            EventKind::Acquire(lock, mode) => EventKind::Acquire(own(lock), mode),
            EventKind::Release(lock, mode) => EventKind::Release(own(lock), mode),
            EventKind::Access(kind, Location::Static(FieldId(field))) if field % 2 == 0 => {
                EventKind::Access(kind, Location::Field(ObjectId(100 + object), FieldId(field)))
            }
            action => action,
        },
        ..*event
    })
}

/// Traces of a pool with some jobs.
fn traces() -> impl Strategy<Value = Vec<Event>> {
    let jobs = prop::collection::vec(programs(JOB), 1..=2);
    let requests = prop::collection::vec((any::<prop::sample::Index>(), (0..4_u32, 0..3_u64, 0..3_u64)), 2..=12);
    (jobs, requests).prop_map(|(jobs, requests)| {
        let of =
            |job: &prop::sample::Index, request| done(&jobs[job.index(jobs.len())].0[0], request).collect::<Vec<_>>();
        requests.iter().flat_map(|(job, request)| of(job, *request)).collect()
    })
}

fn checked(trace: &[Event], limits: Limits) -> BlockBased {
    checked_by(trace, true, limits)
}

fn checked_by(trace: &[Event], innermost: bool, limits: Limits) -> BlockBased {
    let mut survey = Survey::default();
    replay(&mut [&mut survey], trace.iter().copied());
    let shared = Some(Arc::new(survey.shared()));
    // Code that is done with in one of two runs says less than in the other.
    let limits = Limits { violations: usize::MAX, ..limits };
    let mut checker = BlockBased::new(Options { shared, innermost, limits, ..Options::default() });
    replay(&mut [&mut checker], trace.iter().copied());
    checker
}

/// Code with that of the other transaction.
fn accused(checker: &BlockBased) -> BTreeSet<[Option<SiteId>; 2]> {
    let pair = |found: &Violation| [Some(found.transaction.site), found.other.map(|other| other.site)];
    checker.violations().iter().map(pair).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The plain checker, which has each transaction make all of its blocks, accuses the same code, and callers of it: of blocks
    /// that are alike, either may show another.
    #[test]
    fn what_is_left_to_inner_transactions_is_said_by_them(trace in traces()) {
        let (all, left) = (checked_by(&trace, false, Limits::default()), checked(&trace, Limits::default()));
        let of = |found: &Violation, code: SiteId| (code, found.pattern().to_string());
        let told: BTreeSet<_> = left.violations().iter().map(|found| of(found, found.transaction.site)).collect();
        for found in all.violations() {
            let mut codes = found.inner.iter().chain([&found.transaction.site]);
            prop_assert!(codes.any(|code| told.contains(&of(found, *code))), "{:?}", found);
        }
        let codes = |checker: &BlockBased| -> BTreeSet<SiteId> {
            checker.violations().iter().map(|found| found.transaction.site).collect()
        };
        prop_assert!(codes(&left).is_subset(&codes(&all)));
    }

    /// Without room nobody is accused who would not be otherwise; what is missed is counted.
    #[test]
    fn limits_accuse_nobody_and_are_told(trace in traces(), blocks in 1..200_usize, late in 0..3_u64) {
        let (all, few) = (checked(&trace, Limits::default()), checked(&trace, Limits { blocks, late, ..Limits::default() }));
        let Work { dropped, left_out, passed, done, .. } = few.work();
        prop_assert!(accused(&few).is_subset(&accused(&all)));
        prop_assert_eq!(passed, few.passed().map(|(_, n_passed)| n_passed).sum::<u64>());
        if (dropped, left_out, passed, done) == (0, 0, 0, 0) {
            prop_assert_eq!(accused(&few), accused(&all));
        }
    }
}

/// A request of twenty variables in so many methods that call each other.
fn nested(depth: usize) -> Vec<Event> {
    let (enter, exit): (String, String) =
        (0..depth).map(|level| (format!("t1 enter M{level};"), format!("t1 exit M{level};"))).unzip();
    let inside: String = (0..20).map(|field| format!("t1 rd o.f{field}; t1 wr o.f{field};")).collect();
    let one = events(&format!("{enter} {inside} {exit}"));
    let on = |thread| one.iter().map(move |event| Event { thread: ThreadId(thread), ..*event });
    on(2).chain(on(3)).collect()
}

#[test]
fn methods_around_make_no_blocks() {
    let of = |depth| checked(&nested(depth), Limits::default());
    let (one, many) = (of(1), of(50));
    let kept = |checker: &BlockBased| (checker.work().blocks, checker.work().comparisons, checker.violations().len());
    assert_eq!(kept(&one), kept(&many));
    assert!(one.work().blocks > 500 && one.violations().len() > 50, "{:?}", one.work());
}

/// Requests that each hold a lock of their own, when there is no room any more: each costs its accesses, not the square of them.
#[test]
fn what_has_no_room_costs_little() {
    let job = nested(1);
    let steps = |n: u32| {
        let request = |at: u32| {
            let lock = |action: fn(ObjectId, LockMode) -> EventKind| Event {
                thread: ThreadId(2 + at % 4),
                site: SiteId(900),
                action: action(ObjectId(1000 + u64::from(at)), LockMode::Exclusive),
            };
            let inside = done(&job[..job.len() / 2], (at % 4, 0, 0));
            [lock(EventKind::Acquire)].into_iter().chain(inside).chain([lock(EventKind::Release)]).collect::<Vec<_>>()
        };
        let trace: Vec<Event> = (0..n).flat_map(request).collect();
        let checker = checked(&trace, Limits { blocks: 2000, ..Limits::default() });
        (checker.work(), trace.len() as u64)
    };
    let ((few, n_few), (many, n_many)) = (steps(200), steps(1000));
    assert!(few.passed > 0 && many.passed > 700, "{few:?} {many:?}");
    assert!(many.steps - few.steps < 5 * (n_many - n_few), "{few:?} {many:?}");
}
