//! The transactions of a thread of which blocks are made.

use std::sync::Arc;

use facts::index::ThreadId;

use super::block_based::Limits;
use super::open::{Mark, Open, alone};
use super::store::Store;
use super::violation::Transaction;
use super::waiting::{Known, PathId, Paths, Step, Touch};
use crate::holding::Holding;
use crate::segments::Segments;

/// A thread up to the first of its steps that wait.
#[derive(Debug, Default)]
pub(super) struct Opened {
    holding: Holding,
    /// The transactions around the latest access, by their path.
    around: Option<(PathId, Arc<[Transaction]>)>,
    /// The transactions that it is in, outermost first.
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
    pub fn steps(&mut self, thread: ThreadId, steps: Vec<Step>, paths: &Paths, making: &mut Making<'_>) {
        self.around = None;
        steps.into_iter().for_each(|step| self.step(thread, step, paths, making));
    }

    fn step(&mut self, thread: ThreadId, step: Step, paths: &Paths, making: &mut Making<'_>) {
        match step {
            Step::Enter(transaction, is_proved) => {
                let locks = is_proved.then(|| self.holding.snapshot());
                self.open.push(Open::new(transaction, locks, making.limits));
            }
            Step::Exit(fingerprint) => self.exit(fingerprint, making),
            Step::Access(touch) => self.access(thread, &touch, paths),
            Step::Lock(_) => self.locks(step),
            Step::Nothing => {}
        }
    }

    fn locks(&mut self, step: Step) {
        let Step::Lock(change) = step else { return };
        change.apply(&mut self.holding);
        if self.open.last().is_some_and(|open| open.reduced.is_some()) {
            let locks = self.holding.snapshot();
            self.open.iter_mut().filter_map(|open| open.reduced.as_mut()).for_each(|reduced| reduced.locks(&locks));
        }
    }

    /// Takes the steps of transactions that have all ended, of which nothing is to be made.
    pub fn skip(&mut self, steps: impl Iterator<Item = Step>) {
        self.open.clear();
        steps.for_each(|step| self.locks(step));
    }

    /// Takes an access outside of every transaction.
    pub fn alone(&mut self, thread: ThreadId, touch: &Touch, fingerprint: u64, making: &mut Making<'_>) {
        let mark = self.mark(thread, touch, Arc::default());
        making.store_new(fingerprint, |store, segments| {
            store.point(touch.variable, None, &alone(&mark), &mark, segments);
        });
    }

    fn mark(&mut self, thread: ThreadId, touch: &Touch, around: Arc<[Transaction]>) -> Mark {
        let Touch { event, site, kind, variable, location, segment, .. } = *touch;
        let locks = self.holding.snapshot();
        Mark { event, thread, site, kind, variable, location, segment, locks, around, call: None }
    }

    fn around(&mut self, path: PathId, paths: &Paths) -> Arc<[Transaction]> {
        self.around.take_if(|(known, _)| *known != path);
        let (_, around) = self.around.get_or_insert_with(|| (path, paths.transactions(path)));
        Arc::clone(around)
    }

    fn access(&mut self, thread: ThreadId, touch: &Touch, paths: &Paths) {
        let around = self.around(touch.path, paths);
        let mark = self.mark(thread, touch, around);
        // What is around a transaction that nothing can break takes its accesses when it ends.
        let first = self.open.iter().position(|open| open.reduced.is_some()).unwrap_or_default();
        self.open[first..].iter_mut().for_each(|open| open.access(&mark));
    }

    fn exit(&mut self, fingerprint: Option<u64>, making: &mut Making<'_>) {
        let Some(mut open) = self.open.pop() else { return };
        let marks = open.close();
        if self.open.last().is_some_and(|around| around.reduced.is_none()) {
            for around in &mut self.open {
                marks.iter().for_each(|mark| around.access(mark));
            }
        }
        making.store.work_mut().left_out += open.left_out();
        if let Some(fingerprint) = fingerprint {
            making.store_new(fingerprint, |store, segments| store.transaction(&open, segments));
        }
    }
}

impl Making<'_> {
    /// Stores what is new. What had no room is compared again when it comes again.
    fn store_new(&mut self, fingerprint: u64, store: impl FnOnce(&mut Store, &Segments)) {
        let dropped = self.store.work().dropped;
        store(self.store, self.segments);
        if self.store.work().dropped == dropped {
            self.known.insert(fingerprint);
        }
    }
}
