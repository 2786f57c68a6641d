//! The reduction-based checker of section 2.2: Lipton's movers over verdicts of races.
//!
//! An acquisition can be moved to the right past what other threads do, a release to the left, an access that races with
//! none in both directions, and an access that races in neither. So a transaction can be moved together, and is atomic, if
//! its events match `(R|B)* A? (L|B)*`. The first event that does not is reported, with the one that ended the first part
//! (the *commit*). A start of a thread moves left, a join right, `wait` is a release and an acquisition, a volatile access
//! moves in no direction; an acquisition of a lock that is held already, and its release, move in both.
//!
//! It costs little: one state for each open transaction, and what Eraser costs. It says nothing of other threads'
//! transactions.
//!
//! **False alarms**: many, since it only knows of patterns: all of Eraser's; locks that only one thread uses; two critical
//! sections that no other thread could tell from one.
//!
//! **Misses**: none of what its theorem speaks of (no breach, so every feasible order can be serialized) if the racy
//! variables are known beforehand, as [`Survey::unprotected`](crate::stream::survey::Survey::unprotected) tells them. With
//! [`Racy::observed`] an access counts as racy from the event on at which Eraser reports its variable, and Eraser's
//! misses are misses here.

use std::ops::Range;
use std::sync::Arc;

use facts::event::{Event, EventKind, Location};
use facts::index::{SiteId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::violation::Transaction;
use crate::checker::Checker;
use crate::eraser::Eraser;
use crate::granularity::Granularities;
use crate::held::Hold;
use crate::stream::holding::{HoldSet, Holding};

/// The checker.
#[derive(Debug)]
pub struct Reduction {
    granularities: Granularities,
    racy: Racy,
    proved: Arc<FxHashSet<SiteId>>,
    threads: FxHashMap<ThreadId, Thread>,
    breaches: Vec<Breach>,
    /// Number of the breach with this code, commit and event.
    numbers: FxHashMap<[SiteId; 3], usize>,
    n_events: u64,
    /// How often a transaction was moved by an event.
    n_steps: u64,
}

/// A transaction that does not match the pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The transaction.
    pub transaction: Transaction,
    /// The event from which on everything had to move left.
    pub commit: Step,
    /// The first event after it that does not.
    pub event: Step,
    /// How often transactions of this code broke at these places.
    pub seen: u64,
}

/// An event as evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Number of the event in the stream, from 0.
    pub number: u64,
    /// The event.
    pub event: Event,
    /// Locks held by its thread: after an acquisition, before a release.
    pub locks: HoldSet,
}

/// How an event commutes with those of other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    Right,
    Left,
    Both,
    None,
}

/// Which variables race.
#[derive(Debug)]
pub enum Racy {
    /// Those of this set, from the start.
    Known(Arc<FxHashSet<Location>>),
    /// Those that Eraser has reported.
    Observed(Box<Observed>),
}

/// Eraser, and the variables that it has reported.
#[derive(Debug)]
pub struct Observed {
    eraser: Eraser,
    racy: FxHashSet<Location>,
}

impl Racy {
    /// Nothing is known beforehand.
    #[must_use]
    pub fn observed(granularities: Granularities) -> Self {
        Self::Observed(Box::new(Observed { eraser: Eraser::new(granularities), racy: FxHashSet::default() }))
    }

    fn event(&mut self, event: &Event) {
        if let Self::Observed(observed) = self {
            observed.eraser.event(event);
            let new = &observed.eraser.races()[observed.racy.len()..];
            observed.racy.extend(new.iter().map(|race| race.variable));
        }
    }

    fn contains(&self, variable: Location) -> bool {
        match self {
            Self::Known(racy) => racy.contains(&variable),
            Self::Observed(observed) => observed.racy.contains(&variable),
        }
    }
}

/// What happens to a transaction that is open, to break it or to be its commit, happens to those around it, unless it has happened
/// to them before. So the broken ones are the outermost, and the ones without a commit the innermost.
#[derive(Debug, Default)]
struct Thread {
    holding: Holding,
    open: Vec<Open>,
    /// How many of the open ones are not looked at any more.
    n_broken: usize,
    /// How many of them have had their commit, the broken ones included.
    n_committed: usize,
}

/// A transaction that has begun.
#[derive(Debug)]
struct Open {
    transaction: Transaction,
    commit: Option<Step>,
    /// Types have shown that nothing can break it.
    is_proved: bool,
}

impl Reduction {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(granularities: Granularities, racy: Racy) -> Self {
        let (threads, numbers) = (FxHashMap::default(), FxHashMap::default());
        Self {
            granularities,
            racy,
            proved: Arc::default(),
            threads,
            breaches: Vec::new(),
            numbers,
            n_events: 0,
            n_steps: 0,
        }
    }

    /// The same checker, but transactions of this code are atomic, as types have shown: they and what is in them are not
    /// looked at. To transactions around them, their events are what they are.
    #[must_use]
    pub fn with_proved(self, proved: Arc<FxHashSet<SiteId>>) -> Self {
        Self { proved, ..self }
    }

    /// The breaches found so far, in the order in which they were found; each code with its two places once.
    #[must_use]
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// How often a transaction was moved by an event, which is what checking takes.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.n_steps
    }

    fn mover(&self, event: &Event, changed: bool) -> Mover {
        match event.action {
            EventKind::Acquire(..) | EventKind::WaitEnd(_) if changed => Mover::Right,
            EventKind::Release(..) | EventKind::WaitBegin(_) if changed => Mover::Left,
            EventKind::Fork(_) => Mover::Left,
            EventKind::Join(_) => Mover::Right,
            EventKind::Volatile(..) => Mover::None,
            EventKind::Access(_, location) => {
                let variable = self.granularities.variable(location);
                if variable.is_some_and(|variable| self.racy.contains(variable)) { Mover::None } else { Mover::Both }
            }
            _ => Mover::Both,
        }
    }

    /// Takes an event; `before` are the locks held before it, if they count and not those after it.
    fn step(&mut self, event: &Event, mover: Mover, before: Option<HoldSet>) {
        let thread = self.threads.entry(event.thread).or_default();
        let (broken, committed) = thread.moved_by(mover);
        if broken.is_empty() && committed.is_empty() {
            return;
        }
        self.n_steps += (broken.len() + committed.len()) as u64;
        let locks = before.unwrap_or_else(|| HoldSet::clone(thread.holding.snapshot().held()));
        let step = Step { number: self.n_events, event: *event, locks };
        let of_broken = thread.open[broken].iter_mut().filter(|open| !open.is_proved);
        for (transaction, commit) in of_broken.filter_map(|open| Some((open.transaction, open.commit.take()?))) {
            let places = [transaction.site, commit.event.site, event.site];
            let number = *self.numbers.entry(places).or_insert(self.breaches.len());
            match self.breaches.get_mut(number) {
                Some(known) => known.seen += 1,
                None => self.breaches.push(Breach { transaction, commit, event: step.clone(), seen: 1 }),
            }
        }
        thread.open[committed].iter_mut().for_each(|open| open.commit = Some(step.clone()));
    }
}

impl Thread {
    /// The transactions that such an event breaks, and those whose commit it is.
    fn moved_by(&mut self, mover: Mover) -> (Range<usize>, Range<usize>) {
        let broken = self.n_broken..self.n_committed;
        let committed = self.n_committed..self.open.len();
        match mover {
            Mover::Both => return Default::default(),
            Mover::Left => self.n_committed = committed.end,
            Mover::Right => self.n_broken = broken.end,
            Mover::None => (self.n_broken, self.n_committed) = (broken.end, committed.end),
        }
        match mover {
            Mover::Left => (0..0, committed),
            Mover::Right => (broken, 0..0),
            _ => (broken, committed),
        }
    }

    /// All transactions end but so many.
    fn close(&mut self, depth: usize) {
        self.open.truncate(depth);
        self.n_broken = self.n_broken.min(depth);
        self.n_committed = self.n_committed.min(depth);
    }

    /// Applies an event; whether it changed which locks are held.
    fn apply(&mut self, event: &Event) -> bool {
        match event.action {
            EventKind::Acquire(lock, mode) => self.holding.acquire(Hold { lock, mode }, event.site),
            EventKind::Release(lock, mode) => self.holding.release(Hold { lock, mode }),
            EventKind::WaitBegin(monitor) => self.holding.tenures().iter().any(|tenure| tenure.hold.lock == monitor),
            EventKind::WaitEnd(monitor) => self.holding.reacquire(monitor),
            EventKind::Exit => {
                let at = self.open.iter().rposition(|open| open.transaction.site == event.site);
                self.close(at.unwrap_or(self.open.len()));
                false
            }
            _ => false,
        }
    }
}

impl Checker for Reduction {
    fn event(&mut self, event: &Event) {
        self.racy.event(event);
        let thread = self.threads.entry(event.thread).or_default();
        let is_watched = thread.n_broken < thread.open.len();
        let is_commit = thread.n_committed < thread.open.len() && matches!(event.action, EventKind::Release(..));
        let before = is_commit.then(|| HoldSet::clone(thread.holding.snapshot().held()));
        let changed = thread.apply(event);
        match event.action {
            EventKind::Enter => {
                let transaction = Transaction { site: event.site, thread: event.thread, begin: self.n_events };
                let inside = thread.open.last().is_some_and(|open| open.is_proved);
                let is_proved = inside || self.proved.contains(&event.site);
                thread.open.push(Open { transaction, commit: None, is_proved });
            }
            EventKind::End => drop(self.threads.remove(&event.thread)),
            _ if is_watched => self.step(event, self.mover(event, changed), before),
            _ => {}
        }
        self.n_events += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;
    use crate::testing::notation::events;

    /// Numbers of the commit and of the event of each breach.
    fn breaches(text: &str) -> Vec<(u64, u64)> {
        let mut reduction = Reduction::new(Granularities::default(), Racy::observed(Granularities::default()));
        replay(&mut [&mut reduction], events(text));
        reduction.breaches().iter().map(|breach| (breach.commit.number, breach.event.number)).collect()
    }

    #[test]
    fn one_critical_section_is_atomic_and_two_are_not() {
        assert_eq!(breaches("t1 enter M; t1 acq m; t1 rd x; t1 rel m; t1 rd l; t1 exit M"), []);
        assert_eq!(breaches("t1 enter M; t1 acq m; t1 rel m; t1 acq m; t1 acq n; t1 rel n; t1 exit M"), [(2, 3)]);
        assert_eq!(
            breaches("t1 acq m; t1 enter M; t1 acq m; t1 rel m; t1 acq m; t1 rel m; t1 exit M"),
            [],
            "reentrant"
        );
    }

    #[test]
    fn one_race_is_atomic_and_two_are_not() {
        let race = "t1 wr x; t2 wr x;";
        assert_eq!(breaches(&format!("{race} t1 enter M; t1 acq m; t1 rd x; t1 rel m; t1 exit M")), []);
        assert_eq!(breaches(&format!("{race} t1 enter M; t1 rd x; t1 rd y; t1 wr x; t1 exit M")), [(3, 5)]);
        assert_eq!(breaches("t1 enter M; t1 vrd x; t1 vrd x; t1 exit M"), [(1, 2)]);
    }

    #[test]
    fn waits_forks_and_joins() {
        assert_eq!(breaches("t1 enter M; t1 acq m; t1 wait m; t1 woken m; t1 rel m; t1 exit M"), [(2, 3)]);
        assert_eq!(breaches("t1 enter M; t1 acq m; t1 fork t2; t1 rel m; t1 exit M"), []);
        assert_eq!(breaches("t1 enter M; t1 fork t2; t1 join t2; t1 exit M"), [(1, 2)]);
    }

    #[test]
    fn each_level_is_checked_and_each_place_reported_once() {
        let section = |number: u32| format!("t1 enter S; t1 acq m{number}; t1 rel m{number}; t1 exit S;");
        assert_eq!(breaches(&format!("t1 enter M; {} {} t1 exit M", section(1), section(2))), [(3, 6)]);
    }
}
