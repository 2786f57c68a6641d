//! The transactions of a thread of which blocks are made.

use std::sync::Arc;

use facts::access::LockMode;
use facts::index::ThreadId;

use super::known::Known;
use super::limits::Limits;
use super::mark::{Mark, Part};
use super::open::{Open, alone};
use super::path::{Path, Paths};
use super::store::Store;
use super::waiting::{Change, Step, Touch};
use crate::held::Hold;
use crate::stream::holding::Holding;
use crate::stream::segments::Segments;

/// A thread up to the first of its steps that wait.
#[derive(Debug, Default)]
pub(super) struct Opened {
    holding: Holding,
    /// The transactions that it is in and that are checked for themselves, outermost first.
    open: Vec<Open>,
}

/// What blocks are made with.
pub(super) struct Making<'a> {
    pub limits: Limits,
    pub segments: &'a Segments,
    pub store: &'a mut Store,
    pub known: &'a mut Known,
}

impl Opened {
    /// Takes steps, of which accesses have one of these paths.
    pub fn steps(
        &mut self,
        thread: ThreadId,
        steps: impl Iterator<Item = Step>,
        paths: &mut Paths,
        making: &mut Making<'_>,
    ) {
        steps.for_each(|step| self.step(thread, step, paths, making));
    }

    fn step(&mut self, thread: ThreadId, step: Step, paths: &mut Paths, making: &mut Making<'_>) {
        match step {
            Step::Enter(transaction, is_proved) => {
                let locks = is_proved.then(|| self.holding.snapshot());
                self.open.push(Open::new(transaction, locks.as_deref(), making.limits));
            }
            Step::Exit(fingerprint) => self.exit(fingerprint, making),
            Step::Access(touch) => self.access(thread, &touch, paths, making),
            Step::Lock(_) => self.locks(step),
            Step::Nothing => {}
        }
    }

    fn locks(&mut self, step: Step) {
        let Step::Lock(change) = step else { return };
        change.apply(&mut self.holding);
        let acquired = match change {
            Change::Acquire(hold, _) => self.holding.since(hold),
            Change::Reacquire(monitor) => self.holding.since(Hold { lock: monitor, mode: LockMode::Exclusive }),
            Change::Release(_) => None,
        };
        if let Some((hold, since)) = acquired {
            let reduced = self.open.iter_mut().filter_map(|open| open.reduced.as_mut());
            reduced.for_each(|reduced| reduced.acquire(hold, since));
        }
    }

    /// Takes the steps of transactions that have all ended, of which nothing is to be made.
    pub fn skip(&mut self, steps: impl Iterator<Item = Step>) {
        self.open.clear();
        steps.for_each(|step| self.locks(step));
    }

    /// Takes an access outside of every transaction.
    pub fn alone(&mut self, thread: ThreadId, touch: &Touch, fingerprint: u64, making: &mut Making<'_>) {
        let mark = self.mark(thread, touch, None);
        making.store_new(fingerprint, |store, segments| {
            store.point(touch.variable, None, &alone(&mark), &Arc::new(mark), segments);
        });
    }

    fn mark(&mut self, thread: ThreadId, touch: &Touch, around: Option<Arc<Path>>) -> Mark {
        let Touch { event, site, kind, variable, location, segment, .. } = *touch;
        let locks = self.holding.snapshot();
        Mark { event, thread, site, kind, variable, location, segment, locks, around, call: None }
    }

    fn access(&mut self, thread: ThreadId, touch: &Touch, paths: &mut Paths, making: &mut Making<'_>) {
        let mark = self.mark(thread, touch, paths.path(touch.path));
        // What is around a transaction that nothing can break takes its accesses when it ends.
        let first = self.open.iter().position(|open| open.reduced.is_some()).unwrap_or_default();
        making.store.work_mut().steps += (self.open.len() - first) as u64;
        making.give(&mut self.open[first..], &Arc::new(mark));
    }

    fn exit(&mut self, fingerprint: Option<u64>, making: &mut Making<'_>) {
        let Some(mut open) = self.open.pop() else { return };
        let marks = open.close(&self.holding.snapshot());
        if self.open.last().is_some_and(|around| around.reduced.is_none()) {
            marks.iter().for_each(|part| making.give(&mut self.open, &part.mark));
        }
        making.store.work_mut().left_out += open.left_out();
        if let Some(fingerprint) = fingerprint {
            making.store_new(fingerprint, |store, segments| store.transaction(&open, segments));
        }
    }
}

impl Making<'_> {
    /// Gives an access to transactions that it is in, outermost first.
    fn give(&self, open: &mut [Open], mark: &Arc<Mark>) {
        let around = mark.around.as_ref().filter(|_| self.store.innermost);
        let mut parts = around.map(Path::parts);
        for open in open.iter_mut().rev() {
            let inside = parts.as_mut().and_then(|parts| parts.of(open.transaction));
            open.access(&Part { mark: Arc::clone(mark), inside });
        }
    }

    /// Stores what is new.
    fn store_new(&mut self, fingerprint: u64, store: impl FnOnce(&mut Store, &Segments)) {
        let before = self.store.work();
        store(self.store, self.segments);
        let work = self.store.work();
        let has_room = (work.dropped, work.passed) == (before.dropped, before.passed);
        self.known.insert(fingerprint, has_room, work.blocks);
    }
}
