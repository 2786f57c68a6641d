//! The work of the block-based checker, for runs of length n, 2n, 4n and 8n. Where it compared instances, each line would
//! grow with the square.

use std::sync::Arc;

use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};

use crate::atomicity::block_based::{BlockBased, Options};
use crate::atomicity::limits::Work;
use crate::atomicity::reduction::{Racy, Reduction};
use crate::checker::Checker;
use crate::granularity::Granularities;
use crate::replay::replay;
use crate::stream::pieces::Pieces;
use crate::stream::survey::Survey;

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

/// A recursion: what each of its calls does.
struct Recursion {
    /// How many methods take turns.
    methods: u32,
    /// Each call takes a lock of its own, instead of the same.
    own_locks: bool,
    /// Each call accesses an object of its own, instead of the same.
    own_objects: bool,
    /// Each call accesses something, instead of the innermost alone.
    everywhere: bool,
    /// So many calls of another method are in each call.
    leaves: u32,
    waits: bool,
}

const PLAIN: Recursion =
    Recursion { methods: 1, own_locks: false, own_objects: false, everywhere: false, leaves: 0, waits: false };

impl Recursion {
    fn events(&self, thread: u32, depth: u32) -> Vec<Event> {
        let mut events = Vec::new();
        let mut step = |site, action| events.push(Event { thread: ThreadId(thread), site: SiteId(site), action });
        for level in 0..depth {
            step(1 + level % self.methods, EventKind::Enter);
            step(101, EventKind::Acquire(self.lock(level), LockMode::Exclusive));
            self.accesses(110, level, depth, &mut step);
            for leaf in 0..self.leaves {
                step(50, EventKind::Enter);
                self.accesses(120 + leaf, level, depth, &mut step);
                step(50, EventKind::Exit);
            }
            if self.waits {
                step(102, EventKind::WaitBegin(self.lock(level)));
                step(102, EventKind::WaitEnd(self.lock(level)));
            }
        }
        for level in (0..depth).rev() {
            self.accesses(130, level, depth, &mut step);
            step(103, EventKind::Release(self.lock(level), LockMode::Exclusive));
            step(1 + level % self.methods, EventKind::Exit);
        }
        events
    }

    fn lock(&self, level: u32) -> ObjectId {
        ObjectId(if self.own_locks { 10_000 + u64::from(level) } else { 1 })
    }

    fn accesses(&self, site: u32, level: u32, depth: u32, step: &mut impl FnMut(u32, EventKind)) {
        if self.everywhere || level + 1 == depth {
            let object = ObjectId(if self.own_objects { 50_000 + u64::from(level) } else { 2 });
            let location = Location::Field(object, FieldId(1));
            [(site, AccessKind::Read), (site + 1, AccessKind::Write)]
                .into_iter()
                .for_each(|(site, kind)| step(site, EventKind::Access(kind, location)));
        }
    }

    /// What two threads run that do the same, in turns or one after the other.
    fn run(&self, depth: u32, in_turns: bool) -> Vec<Event> {
        let [one, other] = [1, 2].map(|thread| self.events(thread, depth));
        match in_turns {
            true => one.into_iter().zip(other).flat_map(|(one, other)| [one, other]).collect(),
            false => [one, other].concat(),
        }
    }
}

/// The steps of both checkers on a run.
fn steps(run: &[Event]) -> u64 {
    let (mut survey, mut n_events) = (Survey::default(), 0);
    replay(&mut [&mut survey], run.iter().copied());
    let (shared, racy) = (Some(Arc::new(survey.shared())), Racy::Known(Arc::new(survey.unprotected())));
    let mut blocks = BlockBased::new(Options { shared, ..Options::default() });
    let (mut reduction, mut pieces) = (Reduction::new(Granularities::default(), racy), Pieces::default());
    for event in run {
        pieces.hand_on(event, |event| {
            n_events += 1;
            replay(&mut [&mut blocks, &mut reduction], [*event]);
        });
    }
    let Work { steps, comparisons, .. } = blocks.work();
    n_events + steps + comparisons + reduction.steps()
}

/// With depth the cost grows as the trace does: when that doubles, what comes on top does.
#[test]
fn recursions_are_linear_in_their_depth() {
    let shapes = [
        PLAIN,
        Recursion { everywhere: true, ..PLAIN },
        Recursion { methods: 3, everywhere: true, ..PLAIN },
        Recursion { everywhere: true, leaves: 3, ..PLAIN },
        Recursion { methods: 2, everywhere: true, own_objects: true, leaves: 1, ..PLAIN },
        Recursion { own_locks: true, ..PLAIN },
        Recursion { own_locks: true, everywhere: true, ..PLAIN },
        Recursion { waits: true, methods: 2, everywhere: true, ..PLAIN },
        Recursion { waits: true, own_locks: true, ..PLAIN },
    ];
    for (number, shape) in shapes.iter().enumerate() {
        for in_turns in [false, true] {
            let curve = [100, 200, 400, 800].map(|depth| steps(&shape.run(depth, in_turns)));
            let [.., before, last] = [0, 1, 2].map(|at| curve[at + 1] - curve[at]);
            assert!(last <= before * 2 + before / 100, "shape {number}: {curve:?}");
        }
    }
}
