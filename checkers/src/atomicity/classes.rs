//! Blocks that are alike, and what is remembered of them.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::Arc;

use facts::index::{SiteId, ThreadId};

use super::block::Order;
use super::fingerprint::hash;
use super::limits::{Limits, OCCURRENCES, Work};
use super::mark::Mark;
use super::path::Path;
use super::violation::{Actor, Transaction};
use crate::stream::segments::Segments;

/// The classes of one sort and one variable, or pair of variables.
#[derive(Debug)]
pub(super) struct Classes<K> {
    labels: Vec<Label>,
    classes: Vec<Class<K>>,
}

/// What most classes are ruled out by without a look at them: they are far apart in memory.
#[derive(Clone, Copy, Debug)]
struct Label {
    hash: u64,
    /// The thread of all occurrences, if there was no other.
    thread: Option<ThreadId>,
}

impl<K> Default for Classes<K> {
    fn default() -> Self {
        Self { labels: Vec::new(), classes: Vec::new() }
    }
}

/// Blocks that are alike.
#[derive(Debug)]
pub(super) struct Class<K> {
    /// The code that they come from; `None` outside of every transaction.
    pub code: Option<SiteId>,
    /// Whether nothing can break them.
    pub is_proved: bool,
    pub key: K,
    pub occurrences: VecDeque<Occurrence>,
}

/// One of the blocks, as evidence.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    pub transaction: Option<Transaction>,
    pub marks: Box<[Arc<Mark>]>,
}

/// What decides how much is kept.
#[derive(Clone, Copy)]
pub(super) struct Room<'a> {
    pub limits: Limits,
    pub in_order: bool,
    pub segments: &'a Segments,
}

impl<K: Eq + Hash> Classes<K> {
    /// Where the class of such a block is.
    pub fn find(&self, code: Option<SiteId>, is_proved: bool, key: &K) -> Option<usize> {
        let known_by = hash((code, is_proved, key));
        let is_like = |other: &Class<K>| (other.code, other.is_proved) == (code, is_proved) && other.key == *key;
        let mut places = self.labels.iter().enumerate().filter(|(_, label)| label.hash == known_by).map(|(at, _)| at);
        places.find(|at| is_like(&self.classes[*at]))
    }

    /// Those of which an occurrence may be of another thread.
    pub fn of_others(&self, thread: ThreadId) -> impl Iterator<Item = &Class<K>> {
        let may_be = move |label: &Label| label.thread != Some(thread);
        self.labels.iter().zip(&self.classes).filter(move |(label, _)| may_be(label)).map(|(_, class)| class)
    }

    /// Whether one of the blocks of a class has come from the segments of these accesses.
    pub fn has<'a>(&self, place: usize, marks: impl Iterator<Item = &'a Arc<Mark>> + Clone) -> bool {
        self.classes[place].came_from(marks)
    }

    /// Keeps a class, or a new occurrence of one that is at a place, if there is room.
    pub fn add(&mut self, place: Option<usize>, class: Class<K>, room: Room<'_>, work: &mut Work) {
        match place {
            Some(at) => {
                let label = &mut self.labels[at];
                label.thread = label.thread.filter(|thread| *thread == class.thread());
                self.classes[at].meet(class.occurrences, room, work);
            }
            None if self.classes.len() < room.limits.classes && work.blocks < room.limits.blocks => {
                work.blocks += 1;
                // Most are alone.
                let is_first = usize::from(self.classes.is_empty());
                self.labels.reserve_exact(is_first);
                self.classes.reserve_exact(is_first);
                let hash = hash((class.code, class.is_proved, &class.key));
                self.labels.push(Label { hash, thread: Some(class.thread()) });
                self.classes.push(class);
            }
            None => work.dropped += 1,
        }
    }
}

impl<K> Class<K> {
    pub fn new(transaction: Option<Transaction>, is_proved: bool, key: K, marks: Vec<Arc<Mark>>) -> Self {
        let code = transaction.map(|transaction| transaction.site);
        Self { code, is_proved, key, occurrences: [Occurrence { transaction, marks: marks.into() }].into() }
    }

    /// That of its first occurrence, which is its only one while it is new.
    pub fn thread(&self) -> ThreadId {
        self.occurrences[0].thread()
    }

    /// Whether one of the blocks has come from the segments of these accesses.
    fn came_from<'a>(&self, marks: impl Iterator<Item = &'a Arc<Mark>> + Clone) -> bool {
        let is_like =
            |old: &Occurrence| old.marks.iter().map(|mark| mark.segment).eq(marks.clone().map(|mark| mark.segment));
        self.occurrences.iter().any(is_like)
    }

    /// Whether an occurrence of one is beside one of the other.
    pub fn is_beside<L>(&self, other: &Class<L>, segments: &Segments) -> bool {
        self.occurrences.iter().any(|own| other.occurrences.iter().any(|other| own.is_beside(other, segments)))
    }

    /// Remembers occurrences; where there is no room, in the place of earlier ones. Those that precede all that is to come are of no
    /// use any more; nor are, if no latecomer precedes the new ones, those that these come after: what is not ordered with such a
    /// one is not ordered with the new one either.
    fn meet(&mut self, new: VecDeque<Occurrence>, room: Room<'_>, work: &mut Work) {
        let Room { limits, in_order, segments } = room;
        work.blocks -= self.occurrences.len();
        let is_past = |old: &Occurrence| old.marks.iter().all(|mark| segments.is_past(mark.segment));
        let is_passed = |old: &Occurrence| in_order && new.iter().any(|new| old.precedes(new, segments));
        self.occurrences.retain(|old| !is_past(old) && !is_passed(old));
        self.occurrences.extend(new);
        let room = limits.blocks.saturating_sub(work.blocks).max(1);
        work.dropped += self.occurrences.len().min(OCCURRENCES).saturating_sub(room) as u64;
        while self.occurrences.len() > room.min(OCCURRENCES) {
            self.occurrences.pop_front();
        }
        work.blocks += self.occurrences.len();
    }
}

impl Occurrence {
    fn thread(&self) -> ThreadId {
        self.marks[0].thread
    }

    /// The code of transactions within its own one that all of it is in, outermost first.
    pub fn inner(&self, own: Transaction) -> Vec<SiteId> {
        let [first, .., last] = &*self.marks else { return Vec::new() };
        let both = first.around.as_ref().zip(last.around.as_ref()).and_then(|(one, other)| Path::common(one, other));
        both.map(|both| both.inside(own.site)).unwrap_or_default()
    }

    /// Whether start and join of threads allow the order.
    pub fn can_take(&self, other: &Self, order: Order, segments: &Segments) -> bool {
        let segment = |(by, at): (Actor, usize)| [self, other][by as usize].marks[at].segment;
        let against = |earlier, later| segments.precedes(segment(later), segment(earlier));
        let pairs =
            || order.iter().enumerate().flat_map(|(at, later)| order[..at].iter().map(move |one| (*one, *later)));
        self.is_beside(other, segments) && !pairs().any(|(earlier, later)| against(earlier, later))
    }

    /// Whether start and join of threads allow any order at all: in each, one of either comes before one of the other.
    fn is_beside(&self, other: &Self, segments: &Segments) -> bool {
        self.thread() != other.thread() && !self.precedes(other, segments) && !other.precedes(self, segments)
    }

    /// Whether all of it comes before all of the other.
    fn precedes(&self, other: &Self, segments: &Segments) -> bool {
        segments.precedes(self.marks[self.marks.len() - 1].segment, other.marks[0].segment)
    }
}
