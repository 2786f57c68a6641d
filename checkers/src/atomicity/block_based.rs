//! The block-based checker of section 2.2, after Wang and Stoller.
//!
//! It asks whether the events of two transactions of different threads can be interleaved, consistently with locks and with
//! start and join of threads, so that the result is view-equivalent to neither serial order. It finds that out from
//! *blocks*, the pairs of accesses of a transaction, in `block`; which blocks a transaction has is in `open`, and how
//! blocks are kept and compared, in `store`.
//!
//! For two transactions in a program without potential deadlock the blocks are exact, as the tests show by brute force:
//! a violation is reported if and only if there is such an interleaving. Deviations from the paper, none of which loses
//! anything: only the first initial read of a variable takes part in blocks with the final write and in 2v-blocks (if
//! another thread's write comes between two initial reads, that is `R W' R`; if not, all of them are on the same side of
//! it); and 2v-blocks know which locks were used between their accesses, since the other thread must be able to go all the
//! way from one to the other.
//!
//! **False alarms**: order by anything else than locks, start and join (volatile fields, queues, `wait`/`notify`). Locks
//! that are not nested: from `a b` through `b` to `b c` something is always held, but nothing continuously. Orders that a
//! potential deadlock keeps from happening; [`lock_order`](crate::lock_order) reports those. A fork or join inside a
//! transaction that excludes an order only together with locks. A loop that repeats after another thread has interfered.
//!
//! **Misses**: what takes three transactions, or what shows only in other events than those of this run. What breaks a transaction
//! within one of the same code, but not that: then nothing does that can be seen from outside. Unless the shared variables are known
//! beforehand ([`Options::shared`]): what the first thread did with an object before the second one came. More ways to break code by
//! accesses to two variables than [`Limits::violations`]. What exceeds the other [`Limits`], which [`BlockBased::work`] counts; and of a
//! class of blocks that appears in more than 32 threads, or in one transaction between more than 32 starts and joins of threads,
//! all but the latest.

use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{SiteId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::Escape;
use super::known::Known;
use super::limits::{Limits, Work};
use super::opened::{Making, Opened};
use super::path::PathId;
use super::store::Store;
use super::violation::{Transaction, Violation};
use super::waiting::{Change, Due, Touch, Waiting};
use crate::checker::Checker;
use crate::granularity::Granularities;
use crate::held::Hold;
use crate::stream::segments::Segments;
use crate::stream::shared::Shared;

/// Transactions that are known: half a megabyte. With the 16 latest of each thread, two tellers of the demo `bank` with four
/// accounts never did anything known.
const KNOWN_BITS: u32 = 16;

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which locations are one variable.
    pub granularities: Granularities,
    /// The variables that threads share, if a first pass has told ([`Survey::shared`](crate::stream::survey::Survey::shared)).
    pub shared: Option<Arc<Shared>>,
    /// Code whose transactions nothing can break, as types have shown.
    pub proved: Arc<FxHashSet<SiteId>>,
    /// Two accesses that are both inside of an inner transaction are looked at only there, and so is an access that may come between
    /// two others: who calls what is to blame is not.
    pub innermost: bool,
    /// How much memory and time to use.
    pub limits: Limits,
}

/// The checker.
#[derive(Debug)]
pub struct BlockBased {
    granularities: Granularities,
    limits: Limits,
    proved: Arc<FxHashSet<SiteId>>,
    escape: Escape,
    threads: FxHashMap<ThreadId, Thread>,
    segments: Segments,
    /// Threads in a transaction that began before their latest start or join: accesses of earlier segments are yet to come.
    late: FxHashSet<ThreadId>,
    store: Store,
    known: Known,
    n_events: u64,
}

#[derive(Debug, Default)]
struct Thread {
    waiting: Waiting,
    opened: Opened,
}

impl BlockBased {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let Options { granularities, shared, proved, innermost, limits } = options;
        let escape = shared.clone().map_or_else(|| Escape::Observed(FxHashMap::default()), Escape::Known);
        Self {
            granularities,
            limits,
            proved,
            escape,
            threads: FxHashMap::default(),
            segments: Segments::default(),
            late: FxHashSet::default(),
            store: Store::new(innermost, shared, limits),
            known: Known::with_bits(KNOWN_BITS),
            n_events: 0,
        }
    }

    /// The violations found so far, in the order in which they were found; each pair of codes with the places of the
    /// accesses once.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        self.store.violations()
    }

    /// The code of transactions that were not looked at for accesses to two variables, as [`Limits::late`] says, and how many of each.
    pub fn passed(&self) -> impl Iterator<Item = (SiteId, u64)> {
        self.store.passed()
    }

    /// What it took so far.
    #[must_use]
    pub fn work(&self) -> Work {
        self.store.work()
    }

    /// A thread, and what blocks are made with.
    fn thread(&mut self, thread: ThreadId) -> (&mut Thread, Making<'_>) {
        let Self { limits, threads, segments, late, store, known, .. } = self;
        store.in_order = late.is_empty();
        (threads.entry(thread).or_default(), Making { limits: *limits, segments, store, known })
    }

    fn access(&mut self, event: &Event, kind: AccessKind, location: Location) {
        let Some(variable) = self.granularities.variable(location) else { return };
        if !self.escape.counts(event.thread, kind, variable) {
            return;
        }
        let segment = self.segments.current(event.thread);
        let path = PathId::default();
        let touch = Touch { event: self.n_events, site: event.site, kind, variable, location, segment, path };
        let (thread, mut making) = self.thread(event.thread);
        if thread.waiting.is_outside() {
            thread.alone(event.thread, &touch, &mut making);
        } else if thread.waiting.access(touch) {
            thread.make_blocks(event.thread, &mut making);
        }
    }

    fn enter(&mut self, event: &Event) {
        let transaction = Transaction { site: event.site, thread: event.thread, begin: self.n_events };
        let is_proved = self.proved.contains(&event.site);
        let (thread, mut making) = self.thread(event.thread);
        if thread.waiting.enter(transaction, is_proved) {
            thread.make_blocks(event.thread, &mut making);
        }
    }

    fn exit(&mut self, id: ThreadId, code: SiteId) {
        let (thread, mut making) = self.thread(id);
        let due = thread.waiting.exit(code, making.known, making.store.work_mut());
        thread.settle(id, due, &mut making);
        if thread.waiting.is_outside() {
            self.late.remove(&id);
        }
    }

    fn end(&mut self, id: ThreadId) {
        let (thread, mut making) = self.thread(id);
        let due = thread.waiting.exit_to(0, making.known, making.store.work_mut());
        thread.settle(id, due, &mut making);
        self.threads.remove(&id);
        self.late.remove(&id);
    }

    fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        self.begins_segment(parent);
        self.segments.fork(parent, child);
    }

    fn join(&mut self, parent: ThreadId, child: ThreadId) {
        self.end(child);
        // Accesses of a transaction that is open will be compared with those of the threads that have ended.
        let is_open = self.begins_segment(parent);
        self.segments.join(parent, child, !is_open);
    }

    /// Notes that a thread starts or joins another; whether it is in a transaction.
    fn begins_segment(&mut self, thread: ThreadId) -> bool {
        let is_open = self.threads.get(&thread).is_some_and(|thread| !thread.waiting.is_outside());
        if is_open {
            self.late.insert(thread);
        }
        is_open
    }

    fn locks(&mut self, id: ThreadId, change: Change) {
        let (thread, mut making) = self.thread(id);
        if thread.waiting.locks(change) {
            thread.make_blocks(id, &mut making);
        }
    }
}

impl Thread {
    /// Takes an access outside of every transaction.
    fn alone(&mut self, id: ThreadId, touch: &Touch, making: &mut Making<'_>) {
        let fingerprint = self.waiting.fingerprint_alone(touch);
        if !making.known.contains(fingerprint) {
            self.make_blocks(id, making);
            self.opened.alone(id, touch, fingerprint, making);
        }
    }

    fn settle(&mut self, id: ThreadId, due: Due, making: &mut Making<'_>) {
        match due {
            Due::Nothing => {}
            Due::Blocks => self.make_blocks(id, making),
            Due::Skip => self.opened.skip(self.waiting.skip()),
        }
    }

    fn make_blocks(&mut self, id: ThreadId, making: &mut Making<'_>) {
        let (steps, paths) = self.waiting.take();
        self.opened.steps(id, steps, paths, making);
        self.waiting.forget_paths();
    }
}

impl Checker for BlockBased {
    fn event(&mut self, event: &Event) {
        match event.action {
            EventKind::Acquire(lock, mode) => {
                self.locks(event.thread, Change::Acquire(Hold { lock, mode }, event.site));
            }
            EventKind::Release(lock, mode) => self.locks(event.thread, Change::Release(Hold { lock, mode })),
            EventKind::WaitEnd(monitor) => self.locks(event.thread, Change::Reacquire(monitor)),
            EventKind::Access(kind, location) | EventKind::Volatile(kind, location) => {
                self.access(event, kind, location);
            }
            EventKind::Fork(child) => self.fork(event.thread, child),
            EventKind::Join(child) => self.join(event.thread, child),
            EventKind::Enter => self.enter(event),
            EventKind::Exit => self.exit(event.thread, event.site),
            EventKind::End => self.end(event.thread),
            // The monitor is released and held again before the thread's next access.
            EventKind::WaitBegin(_)
            | EventKind::Begin
            | EventKind::Notify(..)
            | EventKind::Publish(_)
            | EventKind::Observe(_)
            | EventKind::ClassInitBegin(_)
            | EventKind::ClassInitEnd(_) => {}
        }
        self.n_events += 1;
    }

    fn finish(&mut self) {
        let mut threads: Vec<ThreadId> = self.threads.keys().copied().collect();
        threads.sort_unstable();
        threads.into_iter().for_each(|thread| self.end(thread));
    }
}
