//! What a thread has done in its open transactions while nothing was made of it.
//!
//! Most transactions do again what one before them has done, and have no new block. Whether one does shows when it ends, by its
//! *fingerprint*, a hash of its events. So the events of a thread wait: blocks are made of them when a transaction has ended that
//! is new, and they are dropped when an outermost one has ended that is not.

use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::Location;
use facts::index::{ObjectId, SiteId};
use rustc_hash::FxBuildHasher;

use super::block_based::Work;
use super::violation::Transaction;
use crate::held::Hold;
use crate::holding::Holding;
use crate::segments::SegmentId;

/// So many steps of a thread wait; then blocks are made of them, new or not: half a megabyte.
const MOST: usize = 1 << 13;

/// Fingerprints that are known: half a megabyte. With the 16 latest of each thread, two tellers of the demo `bank` with four
/// accounts never did anything known.
const KNOWN_BITS: u32 = 16;

/// An odd number with bits all over.
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a thread does, in a form that can wait.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A transaction begins; whether nothing can break it.
    Enter(Transaction, bool),
    /// The innermost transaction ends; with its fingerprint if it is new.
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

/// Where a thread is within transactions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PathId(u32);

/// The transactions that a thread has entered, each with the one around it; also of those that need no steps, as they are known.
#[derive(Debug, Default)]
pub(super) struct Paths(Vec<(PathId, Transaction)>);

impl Paths {
    fn enter(&mut self, around: PathId, transaction: Transaction) -> PathId {
        self.0.push((around, transaction));
        PathId(u32::try_from(self.0.len()).unwrap_or_default())
    }

    fn transaction(&self, path: PathId) -> Option<Transaction> {
        Some(self.get(path)?.1)
    }

    /// The transactions of a path, outermost first.
    pub fn transactions(&self, path: PathId) -> Arc<[Transaction]> {
        let around = std::iter::successors(self.get(path), |(around, _)| self.get(*around));
        let mut transactions: Vec<Transaction> = around.map(|(_, transaction)| *transaction).collect();
        transactions.reverse();
        transactions.into()
    }

    fn get(&self, path: PathId) -> Option<&(PathId, Transaction)> {
        self.0.get(path.0.checked_sub(1)? as usize)
    }
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
    /// The transactions it is in, outermost first.
    levels: Vec<Level>,
    steps: Vec<Step>,
    paths: Paths,
}

#[derive(Debug)]
struct Level {
    code: SiteId,
    is_proved: bool,
    path: PathId,
    fingerprint: u64,
    /// Where its beginning waits among the steps, if it does still.
    begun: Option<usize>,
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
        mixed(!self.held(), hash((kind, variable, segment)))
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
            self.note(change);
            self.steps.push(Step::Lock(change));
        }
        self.steps.len() >= MOST
    }

    /// A transaction begins; true if too much waits now.
    pub fn enter(&mut self, transaction: Transaction, is_proved: bool) -> bool {
        let is_proved = is_proved || self.levels.last().is_some_and(|level| level.is_proved);
        let own = (transaction.site, is_proved);
        self.note(own);
        let fingerprint = mixed(self.held(), hash(own));
        let path = self.paths.enter(self.path(), transaction);
        let begun = Some(self.steps.len());
        self.levels.push(Level { code: transaction.site, is_proved, path, fingerprint, begun });
        self.steps.push(Step::Enter(transaction, is_proved));
        self.steps.len() >= MOST
    }

    /// The innermost transaction of this code ends, and with it those inside, whose ends were lost.
    pub fn exit(&mut self, code: SiteId, known: &Known, work: &mut Work) -> Due {
        let at = self.levels.iter().rposition(|level| level.code == code);
        at.map_or(Due::Nothing, |at| self.exit_to(at, known, work))
    }

    /// All transactions end but so many.
    pub fn exit_to(&mut self, depth: usize, known: &Known, work: &mut Work) -> Due {
        let mut is_new = false;
        while self.levels.len() > depth
            && let Some(level) = self.levels.pop()
        {
            let is_known = known.contains(level.fingerprint);
            work.repeated += u64::from(is_known);
            is_new |= !is_known;
            self.end(&level, is_known);
        }
        match is_new {
            true => Due::Blocks,
            false if depth == 0 => Due::Skip,
            false => Due::Nothing,
        }
    }

    /// Ends a transaction. If it is known, and nothing of its own to those around it, it needs no beginning either.
    fn end(&mut self, level: &Level, is_known: bool) {
        self.note(false);
        let is_call = level.is_proved && self.levels.last().is_some_and(|around| !around.is_proved);
        match level.begun {
            Some(at) if is_known && !is_call => self.steps[at] = Step::Nothing,
            _ => self.steps.push(Step::Exit((!is_known).then_some(level.fingerprint))),
        }
    }

    /// What waits, with the paths of its accesses; nothing does after that.
    pub fn take(&mut self) -> (Vec<Step>, Paths) {
        let steps = std::mem::take(&mut self.steps);
        let paths = std::mem::take(&mut self.paths);
        let mut path = PathId::default();
        for level in &mut self.levels {
            level.begun = None;
            if let Some(transaction) = paths.transaction(level.path) {
                path = self.paths.enter(path, transaction);
            }
            level.path = path;
        }
        (steps, paths)
    }

    /// What waits when all transactions have ended, without paths.
    pub fn skip(&mut self) -> impl Iterator<Item = Step> {
        self.paths.0.clear();
        self.steps.drain(..)
    }

    fn path(&self) -> PathId {
        self.levels.last().map_or_else(PathId::default, |level| level.path)
    }

    /// Takes part of a step into the fingerprints of the transactions that the thread is in.
    fn note(&mut self, part: impl Hash) {
        let part = hash(part);
        self.levels.iter_mut().for_each(|level| level.fingerprint = mixed(level.fingerprint, part));
    }

    /// The locks held.
    fn held(&self) -> u64 {
        let holds = self.holding.tenures().iter().map(|tenure| hash(tenure.hold));
        holds.fold(MIXER, mixed)
    }
}

fn hash(part: impl Hash) -> u64 {
    FxBuildHasher.hash_one(part)
}

fn mixed(one: u64, other: u64) -> u64 {
    let both = (one.rotate_left(29) ^ other).wrapping_mul(MIXER);
    both ^ both >> 32
}

/// Fingerprints of what was looked at already; a newcomer takes the place of what was there.
#[derive(Debug)]
pub(super) struct Known(Vec<u64>);

impl Default for Known {
    fn default() -> Self {
        Self(vec![0; 1 << KNOWN_BITS])
    }
}

impl Known {
    pub fn contains(&self, fingerprint: u64) -> bool {
        self.0[Self::place(fingerprint)] == fingerprint
    }

    pub fn insert(&mut self, fingerprint: u64) {
        self.0[Self::place(fingerprint)] = fingerprint;
    }

    fn place(fingerprint: u64) -> usize {
        (fingerprint.wrapping_mul(MIXER) >> (u64::BITS - KNOWN_BITS)) as usize
    }
}
