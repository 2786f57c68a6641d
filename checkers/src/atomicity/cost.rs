//! The work of the block-based checker, for runs of length n, 2n, 4n and 8n. Where it compared instances, each line would
//! grow with the square.

use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};

use super::block_based::{BlockBased, Options, Work};
use crate::checker::Checker;

/// A run of a checker.
struct Run(BlockBased);

impl Run {
    fn step(&mut self, thread: u32, site: u32, action: EventKind) {
        self.0.event(&Event { thread: ThreadId(thread), site: SiteId(site), action });
    }

    /// A transaction that enters a lock, reads and writes the object, and leaves, twice.
    fn transaction(&mut self, thread: u32, lock: u64, object: u64) {
        self.step(thread, 1, EventKind::Enter);
        for site in [10, 20] {
            self.step(thread, site, EventKind::Acquire(ObjectId(lock), LockMode::Exclusive));
            for (kind, field) in [(AccessKind::Read, 1), (AccessKind::Write, 2), (AccessKind::Write, 1)] {
                self.step(
                    thread,
                    site + field,
                    EventKind::Access(kind, Location::Field(ObjectId(object), FieldId(field))),
                );
            }
            self.step(thread, site, EventKind::Release(ObjectId(lock), LockMode::Exclusive));
        }
        self.step(thread, 1, EventKind::Exit);
    }
}

/// The comparisons of runs of n, 2n, 4n and 8n transactions.
fn curve(run: impl Fn(&mut Run, u32)) -> [u64; 4] {
    [100, 200, 400, 800].map(|n| {
        let mut checker = Run(BlockBased::new(Options::default()));
        (0..n).for_each(|at| run(&mut checker, at));
        let Work { comparisons, .. } = checker.0.work();
        assert!(!checker.0.violations().is_empty());
        comparisons
    })
}

/// When the run doubles, so does what comes on top, at most.
fn is_linear(curve: [u64; 4]) -> bool {
    curve.windows(3).all(|three| three[2] - three[1] <= 2 * (three[1] - three[0]))
}

#[test]
fn the_same_objects_cost_nothing_more() {
    let curve = curve(|run, at| run.transaction(at % 4, 1, 2 + u64::from(at / 4 % 5)));
    assert_eq!(curve, [curve[0]; 4]);
}

/// Each of a hundred objects in turn, by each thread: only the first visits of each make blocks, one before it is shared.
#[test]
fn what_comes_again_is_looked_at_once() {
    let mut run = Run(BlockBased::new(Options::default()));
    (0..4000).for_each(|at| run.transaction(at % 4, 1, 1_000 + u64::from(at / 4 % 100)));
    let repeated = run.0.work().repeated;
    assert!(repeated >= 4000 - 2 * 4 * 100, "{repeated}");
}

#[test]
fn new_objects_are_compared_only_with_themselves() {
    let curve = curve(|run, at| run.transaction(at % 4, u64::from(at / 4), 1_000 + u64::from(at / 4)));
    assert!(is_linear(curve), "{curve:?}");
}

#[test]
fn new_locks_of_one_object_are_bounded() {
    let curve = curve(|run, at| run.transaction(at % 4, 1_000 + u64::from(at), 1));
    assert!(is_linear(curve), "{curve:?}");
}

#[test]
fn new_threads_are_bounded() {
    let curve = curve(|run, at| run.transaction(at, 1, 2));
    assert!(is_linear(curve), "{curve:?}");
}

#[test]
fn threads_that_are_joined_are_forgotten() {
    let curve = curve(|run, at| {
        for child in [2 * at + 2, 2 * at + 3] {
            run.step(1, 0, EventKind::Fork(ThreadId(child)));
        }
        for child in [2 * at + 2, 2 * at + 3] {
            run.transaction(child, 1, 2);
            run.step(child, 0, EventKind::End);
            run.step(1, 0, EventKind::Join(ThreadId(child)));
        }
    });
    assert!(is_linear(curve), "{curve:?}");
}

/// What a transaction in which threads come and go compares when it ends.
#[test]
fn many_segments_of_a_transaction_are_bounded() {
    let at_end = |n: u32| {
        let mut run = Run(BlockBased::new(Options::default()));
        run.transaction(2, 1, 2);
        run.step(1, 2, EventKind::Enter);
        for child in 3..3 + n {
            run.step(1, 0, EventKind::Fork(ThreadId(child)));
            run.transaction(child, 1, 2);
            run.transaction(1, 1, 2);
            run.step(1, 0, EventKind::Join(ThreadId(child)));
        }
        let before = run.0.work().comparisons;
        run.step(1, 2, EventKind::Exit);
        run.0.work().comparisons - before
    };
    assert_eq!(at_end(100), at_end(800));
}
