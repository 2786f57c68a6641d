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
//! **Misses**: what takes three transactions, or what shows only in other events than those of this run. Unless the shared variables are known beforehand ([`Options::shared`]): what the first thread did
//! with an object before the second one came. What exceeds the [`Limits`], which [`BlockBased::work`] counts; and of a
//! class of blocks that appears in more than 32 threads, all but the latest.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{SiteId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::Escape;
use super::open::{Mark, Open, alone};
use super::store::Store;
use super::violation::{Transaction, Violation};
use crate::checker::{Access, Checker};
use crate::granularity::Granularities;
use crate::held::Hold;
use crate::holding::Holding;
use crate::segments::Segments;

/// A thread's latest executions: what is like one of them is not looked at.
const PATTERNS: usize = 16;

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which locations are one variable.
    pub granularities: Granularities,
    /// The variables that threads share, if a first pass has told ([`Survey::shared`](crate::survey::Survey::shared)).
    pub shared: Option<Arc<FxHashSet<Location>>>,
    /// Code whose transactions nothing can break, as types have shown.
    pub proved: Arc<FxHashSet<SiteId>>,
    /// How much memory and time to use.
    pub limits: Limits,
}

/// Bounds of memory and time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Blocks that are kept in all.
    pub blocks: usize,
    /// Classes of each sort for one variable or pair of variables: bounds how often a new one is compared.
    pub classes: usize,
    /// Variables of one transaction; pairs of them make 2v-blocks.
    pub variables: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { blocks: 1_000_000, classes: 64, variables: 256 }
    }
}

impl Limits {
    /// Bytes that a block takes, about.
    pub const BLOCK: usize = 500;

    /// As many blocks as have room in so many megabytes.
    #[must_use]
    pub fn in_megabytes(megabytes: u32) -> Self {
        Self { blocks: megabytes as usize * (1_000_000 / Self::BLOCK), ..Self::default() }
    }
}

/// What checking took so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Blocks that are kept, of each class some of different threads.
    pub blocks: usize,
    /// Pairs of classes that were compared.
    pub comparisons: u64,
    /// Blocks that were compared with those before, but not kept: violations may be missed.
    pub dropped: u64,
    /// Accesses that were left out since their transaction had too many variables: violations may be missed.
    pub left_out: u64,
    /// Transactions that were like one of their thread's latest.
    pub repeated: u64,
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
    store: Store,
    n_events: u64,
}

#[derive(Debug, Default)]
struct Thread {
    holding: Holding,
    /// The transactions that the thread is in, outermost first.
    open: Vec<Open>,
    /// Fingerprints of its latest transactions, the latest last.
    patterns: VecDeque<u64>,
}

impl BlockBased {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let Options { granularities, shared, proved, limits } = options;
        let escape = shared.map_or_else(|| Escape::Observed(FxHashMap::default()), Escape::Known);
        let (threads, segments, store) = (FxHashMap::default(), Segments::default(), Store::new(limits));
        Self { granularities, limits, proved, escape, threads, segments, store, n_events: 0 }
    }

    /// The violations found so far, in the order in which they were found; each pair of codes with the places of the
    /// accesses once.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        self.store.violations()
    }

    /// What it took so far.
    #[must_use]
    pub fn work(&self) -> Work {
        self.store.work()
    }

    fn access(&mut self, event: &Event, kind: AccessKind, location: Location) {
        let Some(variable) = self.granularities.variable(location) else { return };
        if !self.escape.counts(event.thread, variable) {
            return;
        }
        let thread = self.threads.entry(event.thread).or_default();
        let locks = thread.holding.snapshot();
        let held = Arc::clone(locks.held());
        let (by, site, number) = (event.thread, event.site, self.n_events);
        let access = Access { event: number, thread: by, site, kind, location, locks: held };
        let mark = Mark { variable, access, segment: self.segments.current(event.thread), locks, call: None };
        if thread.open.is_empty() {
            self.store.point(variable, None, alone(&mark), &mark, &self.segments);
        }
        // What is around a transaction that nothing can break takes its accesses when it ends.
        let first = thread.open.iter().position(|open| open.reduced.is_some()).unwrap_or_default();
        for open in &mut thread.open[first..] {
            let left_out = !open.access(&mark, self.limits.variables);
            self.store.work_mut().left_out += u64::from(left_out);
        }
    }

    fn enter(&mut self, event: &Event) {
        let thread = self.threads.entry(event.thread).or_default();
        let transaction = Transaction { site: event.site, thread: event.thread, begin: self.n_events };
        let locks = thread.holding.snapshot();
        let inside = thread.open.last().is_some_and(|open| open.reduced.is_some());
        let is_proved = inside || self.proved.contains(&event.site);
        let mut open = if is_proved { Open::proved(transaction, Arc::clone(&locks)) } else { Open::new(transaction) };
        open.fingerprint(locks.held());
        thread.open.push(open);
    }

    /// Ends the innermost transaction of this code, and those inside, whose ends were lost.
    fn exit(&mut self, thread: ThreadId, code: SiteId) {
        let Some(ender) = self.threads.get_mut(&thread) else { return };
        if let Some(at) = ender.open.iter().rposition(|open| open.transaction.site == code) {
            let ended = ender.open.split_off(at);
            self.close(thread, ended);
        }
    }

    fn close(&mut self, thread: ThreadId, mut ended: Vec<Open>) {
        let Thread { open: around, patterns, .. } = self.threads.entry(thread).or_default();
        while let Some(mut open) = ended.pop() {
            let (pattern, marks) = open.close();
            let mut around: Vec<&mut Open> = around.iter_mut().chain(&mut ended).collect();
            if around.last().is_some_and(|open| open.reduced.is_none()) {
                let limit = self.limits.variables;
                let calls = around.iter_mut().flat_map(|open| marks.iter().map(|mark| open.access(mark, limit)));
                self.store.work_mut().left_out += calls.filter(|fits| !fits).count() as u64;
            }
            if patterns.contains(&pattern) {
                self.store.work_mut().repeated += 1;
                continue;
            }
            if patterns.len() == PATTERNS {
                patterns.pop_front();
            }
            patterns.push_back(pattern);
            self.store.transaction(&open, &self.segments);
        }
    }

    fn end(&mut self, thread: ThreadId) {
        if let Some(ended) = self.threads.get_mut(&thread).map(|thread| mem::take(&mut thread.open)) {
            self.close(thread, ended);
        }
        self.threads.remove(&thread);
    }

    fn join(&mut self, parent: ThreadId, child: ThreadId) {
        self.end(child);
        // Accesses of a transaction that is open will be compared with those of the threads that have ended.
        let is_open = self.threads.get(&parent).is_some_and(|thread| !thread.open.is_empty());
        self.segments.join(parent, child, !is_open);
    }

    /// Changes the locks of a thread, and notes the change in the fingerprints of its transactions.
    fn locks(&mut self, thread: ThreadId, change: impl FnOnce(&mut Holding) -> bool) {
        let thread = self.threads.entry(thread).or_default();
        if change(&mut thread.holding) && !thread.open.is_empty() {
            let locks = thread.holding.snapshot();
            thread.open.iter_mut().for_each(|open| open.locks(&locks));
        }
    }
}

impl Checker for BlockBased {
    fn event(&mut self, event: &Event) {
        match event.action {
            EventKind::Acquire(lock, mode) => {
                self.locks(event.thread, |holding| holding.acquire(Hold { lock, mode }, event.site));
            }
            EventKind::Release(lock, mode) => self.locks(event.thread, |holding| holding.release(Hold { lock, mode })),
            EventKind::WaitEnd(monitor) => self.locks(event.thread, |holding| holding.reacquire(monitor)),
            EventKind::Access(kind, location) | EventKind::Volatile(kind, location) => {
                self.access(event, kind, location);
            }
            EventKind::Fork(child) => self.segments.fork(event.thread, child),
            EventKind::Join(child) => self.join(event.thread, child),
            EventKind::Enter => self.enter(event),
            EventKind::Exit => self.exit(event.thread, event.site),
            EventKind::End => self.end(event.thread),
            // The monitor is released and held again before the thread's next access.
            EventKind::WaitBegin(_)
            | EventKind::Begin
            | EventKind::Notify(..)
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
