//! A transaction that has begun: its accesses so far, reduced to what blocks are made of.

use std::collections::VecDeque;
use std::sync::Arc;

use facts::access::AccessKind::{Read, Write};
use facts::event::Location;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::block::{End, OneBlock, Point, Role, TwoBlock};
use super::fingerprint::hash;
use super::limits::{Limits, OCCURRENCES};
use super::mark::{Mark, Part};
use super::reduced::Reduced;
use super::violation::Transaction;
use crate::stream::holding::{HoldSet, Locks};

/// A transaction that has begun.
#[derive(Debug)]
pub(super) struct Open {
    pub transaction: Transaction,
    pub variables: IndexMap<Location, Variable, FxBuildHasher>,
    /// What is kept instead of each access, if nothing can break the transaction.
    pub reduced: Option<Reduced>,
    limits: Limits,
    /// Accesses and blocks that exceeded the limits.
    left_out: u64,
}

/// What a transaction has done with one variable.
#[derive(Debug, Default)]
pub(super) struct Variable {
    first_read: Option<Part>,
    /// The latest read that no write precedes.
    latest_read: Option<Part>,
    /// Whether there was another read just like it.
    read_again: bool,
    latest_write: Option<Part>,
    pub ones: Alike<OneBlock, 2>,
    pub points: Alike<Point, 1>,
}

/// Blocks of one sort; of those that are alike, one from each of the latest segments, as the store remembers them. A transaction
/// that starts and joins a thousand threads has a thousand segments.
#[derive(Debug)]
pub(super) struct Alike<K, const N: usize> {
    kinds: Vec<(K, VecDeque<[Arc<Mark>; N]>)>,
    /// Blocks of one kind too many.
    left_out: u64,
}

impl<K, const N: usize> Default for Alike<K, N> {
    fn default() -> Self {
        Self { kinds: Vec::new(), left_out: 0 }
    }
}

impl<K: PartialEq, const N: usize> Alike<K, N> {
    fn add(&mut self, block: K, marks: [Arc<Mark>; N], max_kinds: usize) {
        let n_kinds = self.kinds.len();
        match self.kinds.iter_mut().find(|(other, _)| *other == block) {
            Some((_, known)) => remember(known, marks),
            None if n_kinds < max_kinds => self.kinds.push((block, [marks].into())),
            None => self.left_out += 1,
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &[Arc<Mark>; N])> {
        self.kinds.iter().flat_map(|(block, known)| known.iter().map(move |marks| (block, marks)))
    }
}

fn remember<const N: usize>(known: &mut VecDeque<[Arc<Mark>; N]>, marks: [Arc<Mark>; N]) {
    let segments = |marks: &[Arc<Mark>; N]| marks.each_ref().map(|mark| mark.segment);
    if known.iter().rev().any(|old| segments(old) == segments(&marks)) {
        return;
    }
    if known.len() == OCCURRENCES {
        known.pop_front();
    }
    known.push_back(marks);
}

impl Open {
    /// A transaction that begins; if nothing can break it, with the locks held then.
    pub fn new(transaction: Transaction, proved: Option<&Locks>, limits: Limits) -> Self {
        let reduced = proved.map(Reduced::new);
        Self { transaction, variables: IndexMap::default(), reduced, limits, left_out: 0 }
    }

    /// Takes an access, unless its variable would be one too many.
    pub fn access(&mut self, mark: &Part) {
        let fits = match &mut self.reduced {
            Some(reduced) => reduced.access(mark, self.limits.variables),
            None => self.reach(mark),
        };
        self.left_out += u64::from(!fits);
    }

    fn reach(&mut self, mark: &Part) -> bool {
        let fits = self.variables.len() < self.limits.variables || self.variables.contains_key(&mark.variable);
        if fits {
            self.variables.entry(mark.variable).or_default().access(mark, self.limits.classes);
        }
        fits
    }

    /// How many accesses and blocks were one too many.
    pub fn left_out(&self) -> u64 {
        let of_variable = |variable: &Variable| variable.ones.left_out + variable.points.left_out;
        self.left_out + self.variables.values().map(of_variable).sum::<u64>()
    }

    /// Ends the transaction, with the locks held then; if nothing can break it, what it is to those around it.
    pub fn close(&mut self, locks: &Locks) -> Vec<Part> {
        let marks = self.reduced.take().map(|reduced| reduced.marks(self.transaction, locks)).unwrap_or_default();
        for mark in &marks {
            self.variables.entry(mark.variable).or_default().access(mark, self.limits.classes);
        }
        self.variables.values_mut().for_each(|variable| variable.close(self.limits.classes));
        marks
    }

    /// How many blocks of one variable there are.
    pub fn n_ones(&self) -> usize {
        self.variables.values().map(|variable| variable.ones.kinds.len() + variable.points.kinds.len()).sum()
    }

    /// The initial read and the final write of each variable.
    pub fn ends(&self) -> Vec<&Part> {
        self.variables.values().flat_map(|variable| [&variable.first_read, &variable.latest_write]).flatten().collect()
    }
}

impl Variable {
    fn access(&mut self, mark: &Part, max_kinds: usize) {
        let previous = self.latest_write.as_ref().or(self.latest_read.as_ref());
        // The block of an initial read and a write is made when the final write is known.
        let previous = previous.filter(|previous| (previous.kind, mark.kind) != (Read, Write)).cloned();
        match mark.kind {
            Read if self.latest_write.is_none() => {
                let again = previous.as_ref().is_some_and(|previous| previous.is_like(mark));
                if again && self.read_again {
                    return;
                }
                self.read_again = again;
                self.first_read.get_or_insert_with(|| mark.clone());
                self.latest_read = Some(mark.clone());
                self.point(Role::InitialRead, mark, max_kinds);
            }
            Read => {}
            Write => {
                self.point(Role::Write, mark, max_kinds);
                self.latest_write = Some(mark.clone());
            }
        }
        if let Some(previous) = previous {
            self.one(&previous, mark, max_kinds);
        }
    }

    /// Makes the blocks of the final write.
    ///
    /// The paper pairs it with every initial read. That of the first one stands for all: the locks kept from there are
    /// kept from each later one too, so whatever can come between a later read and the write can come after the first.
    fn close(&mut self, max_kinds: usize) {
        let Some(write) = self.latest_write.clone() else { return };
        self.point(Role::FinalWrite, &write, max_kinds);
        if let Some(read) = self.first_read.clone() {
            self.one(&read, &write, max_kinds);
        }
    }

    fn one(&mut self, first: &Part, second: &Part, max_kinds: usize) {
        if !first.is_of_call(second) && !first.is_beside(second) {
            let block = OneBlock { kinds: [first.kind, second.kind], kept: first.locks.kept(&second.locks) };
            self.ones.add(block, [first, second].map(|end| Arc::clone(&end.mark)), max_kinds);
        }
    }

    fn point(&mut self, role: Role, mark: &Part, max_kinds: usize) {
        if mark.inside.is_some() {
            return;
        }
        let point = Point { role, held: Arc::clone(mark.locks.held()) };
        self.points.add(point, [Arc::clone(&mark.mark)], max_kinds);
    }
}

/// The locks between the moments of a transaction: few, while its pairs of accesses are many.
#[derive(Debug, Default)]
pub(super) struct Between(FxHashMap<[*const Locks; 2], Span>);

/// The locks from one moment to another.
#[derive(Debug)]
pub(super) struct Span {
    kept: HoldSet,
    used: HoldSet,
    /// A hash of both.
    pub fingerprint: u64,
}

impl Between {
    pub fn span(&mut self, first: &Arc<Locks>, second: &Arc<Locks>) -> &Span {
        let new = || {
            let (kept, used) = (first.kept(second), first.used(second));
            let fingerprint = hash((&*kept, &*used));
            Span { kept, used, fingerprint }
        };
        self.0.entry([Arc::as_ptr(first), Arc::as_ptr(second)]).or_insert_with(new)
    }
}

/// The 2v-block of two accesses to different variables.
pub(super) fn two_block(first: &Mark, second: &Mark, span: &Span) -> TwoBlock {
    TwoBlock { ends: [end(first), end(second)], kept: Arc::clone(&span.kept), used: Arc::clone(&span.used) }
}

fn end(mark: &Mark) -> End {
    End { variable: mark.variable, kind: mark.kind, held: Arc::clone(mark.locks.held()) }
}

/// What an access outside of every transaction is to itself.
pub(super) fn alone(mark: &Mark) -> Point {
    let role = if mark.kind == Read { Role::InitialRead } else { Role::FinalWrite };
    Point { role, held: Arc::clone(mark.locks.held()) }
}
