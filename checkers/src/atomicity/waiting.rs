//! What a thread has done in its open transactions while nothing was made of it.
//!
//! Most transactions do again what one before them has done, and have no new block. Whether one does shows when it ends, by its
//! *fingerprint*, a hash of its events. So the events of a thread wait: blocks are made of them when a transaction has ended that
//! is new, and they are dropped when an outermost one has ended that is not.

use std::hash::Hash;

use facts::access::AccessKind;
use facts::event::Location;
use facts::index::{ObjectId, SiteId};
use rustc_hash::FxHashMap;

use super::fingerprint::{MIXER, Sequence, hash, mixed, of_element};
use super::known::Known;
use super::limits::Work;
use super::path::{PathId, Paths};
use super::violation::Transaction;
use crate::held::Hold;
use crate::stream::holding::Holding;
use crate::stream::segments::SegmentId;

/// So many steps of a thread wait; then blocks are made of them, new or not: half a megabyte.
const MOST: usize = 1 << 13;

/// What a thread does, in a form that can wait.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A transaction begins that is checked for itself; whether nothing can break it.
    Enter(Transaction, bool),
    /// The innermost of these transactions ends; with its fingerprint if it is new.
    Exit(Option<u64>),
    Access(Touch),
    Lock(Change),
    /// In the place of the beginning of a transaction that is known.
    Nothing,
}

/// An access that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Number of the event.
    pub event: u64,
    pub site: SiteId,
    pub kind: AccessKind,
    pub variable: Location,
    pub location: Location,
    pub segment: SegmentId,
    /// The transactions around it.
    pub path: PathId,
}

/// A change of the locks that a thread holds.
#[derive(Clone, Copy, Hash, Debug)]
pub(super) enum Change {
    Acquire(Hold, SiteId),
    Release(Hold),
    Reacquire(ObjectId),
}

impl Change {
    /// Whether it changes what is held, or since when.
    pub fn apply(self, holding: &mut Holding) -> bool {
        match self {
            Self::Acquire(hold, site) => holding.acquire(hold, site),
            Self::Release(hold) => holding.release(hold),
            Self::Reacquire(monitor) => holding.reacquire(monitor),
        }
    }
}

/// A thread's steps that wait, and where it is now.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    holding: Holding,
    /// A hash of the locks held.
    held: u64,
    /// The transactions it is in, outermost first.
    levels: Vec<Level>,
    /// How many of them are of each code.
    codes: FxHashMap<SiteId, u32>,
    /// What it has done in them.
    sequence: Sequence,
    steps: Vec<Step>,
    /// How many steps came before those that wait.
    n_before: u64,
    paths: Paths,
}

#[derive(Debug)]
struct Level {
    code: SiteId,
    is_proved: bool,
    path: PathId,
    /// A hash of how it began.
    origin: u64,
    /// What came before what is in it.
    before: Sequence,
    /// The number of its beginning among the steps; `None` if it is in one of the same code, and no step.
    begun: Option<u64>,
}

/// What has to be done when transactions have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Due {
    /// Nothing yet.
    Nothing,
    /// Blocks are to be made of what waits.
    Blocks,
    /// Nothing is to be made of what waits.
    Skip,
}

impl Waiting {
    /// Whether the thread is in no transaction.
    pub fn is_outside(&self) -> bool {
        self.levels.is_empty()
    }

    /// What an access outside of every transaction is to others, as a fingerprint.
    pub fn fingerprint_alone(&self, touch: &Touch) -> u64 {
        let Touch { kind, variable, segment, .. } = *touch;
        mixed(!self.held, hash((kind, variable, segment)))
    }

    /// Takes an access in a transaction; true if too much waits now.
    pub fn access(&mut self, touch: Touch) -> bool {
        let Touch { site, kind, variable, segment, .. } = touch;
        self.note((kind, variable, site, segment));
        self.steps.push(Step::Access(Touch { path: self.path(), ..touch }));
        self.steps.len() >= MOST
    }

    /// Takes a change of locks; true if too much waits now.
    pub fn locks(&mut self, change: Change) -> bool {
        if change.apply(&mut self.holding) {
            self.held = match change {
                Change::Acquire(hold, _) => self.held.wrapping_add(of_element(hold)),
                Change::Release(hold) => self.held.wrapping_sub(of_element(hold)),
                Change::Reacquire(_) => self.held,
            };
            self.note(change);
            self.steps.push(Step::Lock(change));
        }
        self.steps.len() >= MOST
    }

    /// A transaction begins; true if too much waits now.
    pub fn enter(&mut self, transaction: Transaction, is_proved: bool) -> bool {
        let is_proved = is_proved || self.levels.last().is_some_and(|level| level.is_proved);
        let (code, own) = (transaction.site, (transaction.site, is_proved));
        self.note(own);
        let n_open = self.codes.entry(code).or_default();
        *n_open += 1;
        let begun = (*n_open == 1).then(|| self.n_before + self.steps.len() as u64);
        if begun.is_some() {
            self.steps.push(Step::Enter(transaction, is_proved));
        }
        let (path, origin) =
            (self.paths.enter(self.path(), transaction, begun.is_some()), mixed(mixed(MIXER, self.held), hash(own)));
        self.levels.push(Level { code, is_proved, path, origin, before: self.sequence, begun });
        self.steps.len() >= MOST
    }

    /// The innermost transaction of this code ends, and with it those inside, whose ends were lost.
    pub fn exit(&mut self, code: SiteId, known: &Known, work: &mut Work) -> Due {
        if !self.codes.contains_key(&code) {
            return Due::Nothing;
        }
        let at = self.levels.iter().rposition(|level| level.code == code);
        at.map_or(Due::Nothing, |at| self.exit_to(at, known, work))
    }

    /// All transactions end but so many.
    pub fn exit_to(&mut self, depth: usize, known: &Known, work: &mut Work) -> Due {
        let mut is_new = false;
        while self.levels.len() > depth
            && let Some(level) = self.levels.pop()
        {
            is_new |= self.end(&level, known, work);
        }
        match is_new {
            true => Due::Blocks,
            false if depth == 0 => Due::Skip,
            false => Due::Nothing,
        }
    }

    /// Ends a transaction; whether it is new. If it is known, and nothing of its own to those around it, it needs no beginning
    /// either.
    fn end(&mut self, level: &Level, known: &Known, work: &mut Work) -> bool {
        let fingerprint = mixed(level.origin, self.sequence.since(level.before));
        self.note(false);
        let Some(begun) = level.begun else {
            self.codes.entry(level.code).and_modify(|n_open| *n_open -= 1);
            return false;
        };
        self.codes.remove(&level.code);
        let is_known = known.contains(fingerprint);
        work.repeated += u64::from(is_known);
        let is_call = level.is_proved && self.levels.last().is_some_and(|around| !around.is_proved);
        match begun.checked_sub(self.n_before) {
            Some(at) if is_known && !is_call => self.steps[at as usize] = Step::Nothing,
            _ => self.steps.push(Step::Exit((!is_known).then_some(fingerprint))),
        }
        !is_known
    }

    /// What waits, and the paths of its accesses; nothing does after that.
    pub fn take(&mut self) -> (impl Iterator<Item = Step>, &mut Paths) {
        self.n_before += self.steps.len() as u64;
        (self.steps.drain(..), &mut self.paths)
    }

    /// Nothing waits any more: forgets where its accesses were.
    pub fn forget_paths(&mut self) {
        if self.levels.is_empty() {
            self.paths.clear();
        } else if self.paths.len() > 2 * self.levels.len() + MOST {
            self.paths.keep(self.levels.iter_mut().map(|level| &mut level.path));
        }
    }

    /// What waits when all transactions have ended, without paths.
    pub fn skip(&mut self) -> impl Iterator<Item = Step> {
        self.n_before += self.steps.len() as u64;
        self.paths.clear();
        self.steps.drain(..)
    }

    fn path(&self) -> PathId {
        self.levels.last().map_or_else(PathId::default, |level| level.path)
    }

    /// Takes part of a step into the fingerprints of the transactions that the thread is in.
    fn note(&mut self, part: impl Hash) {
        self.sequence.push(hash(part));
    }
}
