//! The accesses to one variable that those to come can race with.

use facts::access::AccessKind::Write;
use facts::finding::Grade;

use super::relation::{Moment, Relation, View};
use crate::checker::Access;
use crate::held::Hold;

/// An access, and when it was made.
#[derive(Clone, Debug)]
pub struct Timed {
    /// What was done.
    pub access: Access,
    /// When.
    pub moment: Moment,
}

/// Earlier accesses to one variable, oldest first.
///
/// An access is left out for a later one that comes after it, is *barer* (it writes if the first writes, and no lock protects it that
/// does not protect the first), and inherits what comes after it ([`View::is_inherited`]): of what comes then, whatever races with
/// the first races with the later one, too. For it conflicts with both; and if it came after the later one it would come after the
/// first, by the relation that put these two in order, or by a larger one. So no race goes unnoticed, and neither its grade nor the
/// latest access that it is with depends on what was left out.
#[derive(Debug, Default)]
pub struct History {
    accesses: Vec<Timed>,
}

impl History {
    /// More than so many are not kept: the oldest goes, and with it races that only it has. So many take as many locks, of which none
    /// is held at two of the accesses.
    pub const MOST: usize = 256;

    /// Nor more than so many of one kind under the same locks, if there are any. So many take as many threads, none of which has
    /// handed anything over to a later one: what is forgotten then is a possible race with who has heard of all of these only.
    pub const ALIKE: usize = 8;

    /// Nor one after which its thread has made so many more of the kind, any two of which have locks in common only that it had, too:
    /// what races with it and none of these holds as many locks. A thread that goes over a list while it holds one lock for
    /// each element would else have as many accesses to each as there are elements. One that had no lock but those of the latest is kept: who holds the
    /// locks of all stripes of a table races with what was done under none of them.
    pub const SPREAD: usize = 4;

    /// The latest access with which the current one races as surely as with any, where `relation` says what does not race.
    #[must_use]
    pub fn race(&self, current: &Access, view: View<'_>, relation: Relation) -> Option<(Grade, &Access)> {
        let latest = self.accesses.iter().rev();
        let races = latest.filter(|other| !view.is_after(relation, other.moment) && conflict(&other.access, current));
        races.map(|other| (grade(view, other.moment), &other.access)).min_by_key(|(grade, _)| *grade)
    }

    /// Adds an access.
    pub fn push(&mut self, current: Timed, view: View<'_>, relation: Relation) {
        self.accesses.retain(|other| {
            !(view.is_after(relation, other.moment)
                && is_barer(&current.access, &other.access)
                && view.is_inherited(other.moment, current.moment))
        });
        self.make_room_for(&current.access);
        self.accesses.push(current);
        if let Some(needless) = (0..self.accesses.len()).find(|at| self.is_spread(*at)) {
            self.accesses.remove(needless);
        }
    }

    /// Whether the latest access is one of [`Self::SPREAD`] that its thread has made since this one.
    fn is_spread(&self, at: usize) -> bool {
        let (first, latest) = (&self.accesses[at].access, &self.accesses[self.accesses.len() - 1].access);
        let is_like = |other: &Access| other.thread == latest.thread && other.kind == latest.kind;
        if !is_like(first) || protecting(first).all(|hold| is_protected(latest, hold)) {
            return false;
        }
        let mut apart: Vec<&Access> = Vec::new();
        for later in self.accesses[at + 1..].iter().rev().map(|later| &later.access).filter(|later| is_like(later)) {
            if apart.iter().all(|other| !meet_beyond(other, later, first)) {
                apart.push(later);
            }
        }
        apart.len() >= Self::SPREAD
    }

    fn make_room_for(&mut self, current: &Access) {
        let mut alike = (0..self.accesses.len()).filter(|at| are_alike(&self.accesses[*at].access, current));
        let first = alike.next();
        if let Some(first) = first.filter(|_| alike.count() + 1 == Self::ALIKE) {
            self.accesses.remove(first);
        } else if self.accesses.len() == Self::MOST {
            self.accesses.remove(0);
        }
    }

    /// How many accesses are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.accesses.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }
}

/// How sure a race with an access is.
fn grade(view: View<'_>, moment: Moment) -> Grade {
    match () {
        () if !view.is_after(Relation::HappensBefore, moment) => Grade::Certain,
        () if !view.is_after(Relation::Found, moment) => Grade::Possible,
        () => Grade::Unlikely,
    }
}

fn protecting(access: &Access) -> impl Iterator<Item = &Hold> {
    access.locks.iter().filter(|hold| hold.protects(access.kind))
}

fn is_protected(access: &Access, by: &Hold) -> bool {
    protecting(access).any(|hold| hold.lock == by.lock)
}

/// Whether a lock protects two accesses, and not the first.
fn meet_beyond(a: &Access, b: &Access, first: &Access) -> bool {
    protecting(a).any(|hold| is_protected(b, hold) && !is_protected(first, hold))
}

/// Whether one of two accesses writes, and no lock protects both.
fn conflict(a: &Access, b: &Access) -> bool {
    (a.kind == Write || b.kind == Write) && !protecting(a).any(|hold| is_protected(b, hold))
}

/// Whether two accesses are of one kind, under the same locks, of which there are some.
fn are_alike(a: &Access, b: &Access) -> bool {
    a.kind == b.kind && protecting(a).next().is_some() && is_barer(a, b) && is_barer(b, a)
}

/// Whether an access conflicts with all that the other one conflicts with.
fn is_barer(a: &Access, than: &Access) -> bool {
    (a.kind == Write || than.kind != Write) && protecting(a).all(|hold| is_protected(than, hold))
}
