//! All blocks of a run, each kind of block once, and their comparison.
//!
//! Blocks are alike (a *class*) if they come from the same code and agree in variables, kinds and locks. A class is
//! compared when it is new, with the classes of the same variables; and again when it comes from another thread, or after
//! another fork or join. So the work depends on the number of classes, not on that of transactions; and as a variable has
//! at most [`Limits::classes`] of each sort, not on the square of anything.

use std::sync::Arc;

use facts::access::AccessKind;
use facts::event::Location;
use facts::index::SiteId;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::block::{BETWEEN, OneBlock, Order, Point, TwoBlock};
use super::classes::{Class, Classes, Room};
use super::fingerprint::{hash, mixed};
use super::known::Known;
use super::limits::{Limits, Work};
use super::mark::{Mark, Part};
use super::open::{Between, Open, two_block};
use super::violation::{Actor, Step, Transaction, Violation};
use crate::stream::holding::HoldSet;
use crate::stream::segments::Segments;
use crate::stream::shared::{Shared, Threads};

/// 2v-blocks that are known: eight megabytes.
const KNOWN_BITS: u32 = 20;

/// The blocks and what was found among them.
#[derive(Debug)]
pub(super) struct Store {
    /// Whether blocks are made by the innermost transaction that they are in, and by none around it.
    pub innermost: bool,
    /// The variables that threads share, if they are known.
    shared: Option<Arc<Shared>>,
    limits: Limits,
    /// Whether nothing that is yet to come precedes what is here.
    pub in_order: bool,
    variables: IndexMap<Location, OfVariable, FxBuildHasher>,
    /// Of two variables each.
    pairs: Vec<Classes<TwoBlock>>,
    /// Of each code the transactions with 2v-blocks that ended when there was no room for more.
    late: FxHashMap<SiteId, Late>,
    found: Found,
    work: Work,
    /// 2v-blocks that are kept. A transaction that is new has few that are: it is like others but for an access.
    known: Known,
}

/// Transactions of one code that end late.
#[derive(Clone, Copy, Debug, Default)]
struct Late {
    ended: u64,
    /// Of which nothing was looked at.
    passed: u64,
}

/// What is compared with each other.
#[derive(Debug, Default)]
struct OfVariable {
    ones: Classes<OneBlock>,
    points: Classes<Point>,
    /// Where the 2v-blocks with another variable are, by its number: those of a transaction look for them one variable after the other.
    pairs: FxHashMap<usize, usize>,
}

impl Store {
    pub fn new(innermost: bool, shared: Option<Arc<Shared>>, limits: Limits) -> Self {
        Self {
            innermost,
            shared,
            limits,
            in_order: false,
            variables: IndexMap::default(),
            pairs: Vec::new(),
            late: FxHashMap::default(),
            found: Found { most: limits.violations, ..Found::default() },
            work: Work::default(),
            known: Known::with_bits(KNOWN_BITS),
        }
    }

    pub fn violations(&self) -> &[Violation] {
        &self.found.violations
    }

    pub fn work(&self) -> Work {
        Work { done: self.found.n_done, ..self.work }
    }

    /// The code of transactions that were passed over, and how many of each.
    pub fn passed(&self) -> impl Iterator<Item = (SiteId, u64)> {
        self.late.iter().filter(|(_, late)| late.passed > 0).map(|(code, late)| (*code, late.passed))
    }

    pub fn work_mut(&mut self) -> &mut Work {
        &mut self.work
    }

    fn room<'a>(&self, segments: &'a Segments) -> Room<'a> {
        Room { limits: self.limits, in_order: self.in_order, segments }
    }

    /// Takes all blocks of a transaction that has ended.
    pub fn transaction(&mut self, open: &Open, segments: &Segments) {
        self.work.steps += open.n_ones() as u64;
        for (variable, used) in &open.variables {
            for (block, marks) in used.ones.iter() {
                self.one(*variable, open.transaction, block, marks, segments);
            }
            for (point, [mark]) in used.points.iter() {
                self.point(*variable, Some(open.transaction), point, mark, segments);
            }
        }
        self.two_blocks(open, segments);
    }

    /// Those of a call that nothing can break are made where it ends, and by nothing around it.
    ///
    /// Nor need those be made again that are inside of another transaction that is checked for itself: the first of the reads that no
    /// write precedes, and the last of the writes, is that also of every part that it is in. So the inner transaction has the same
    /// block, with the same accesses and locks, and whatever breaks this one there breaks that one.
    ///
    /// Nor those that no other thread has a block to set against. When there is no room for more, of each code ever fewer are made.
    fn two_blocks(&mut self, open: &Open, segments: &Segments) {
        let is_own = |mark: &Mark| mark.call == Some(open.transaction.begin);
        let mut ends = open.ends();
        ends.sort_by_key(|end| end.inside);
        let is_one = ends.iter().all(|end| end.variable == ends[0].variable);
        if is_one || ends.iter().all(|end| end.is_beside(ends[0])) || self.passes_over(open) {
            return;
        }
        let ends: Vec<Candidate> = ends.into_iter().map(|end| self.candidate(end)).collect();
        let (mut between, mut n_before) = (Between::default(), 0);
        for (at, one) in ends.iter().enumerate() {
            let code = hash((open.transaction.site, is_own(one.mark)));
            if at > 0 && !ends[at - 1].mark.is_beside(one.mark) {
                n_before = at;
            }
            let others = ends[..n_before].iter().filter(|other| other.may_pair(one));
            for other in others.filter(|other| is_own(one.mark) || !one.mark.is_of_call(other.mark)) {
                self.work.steps += 1;
                let [first, second] = if one.mark.event < other.mark.event { [one, other] } else { [other, one] };
                let marks = [&first.mark.mark, &second.mark.mark];
                let pair = self.variables[one.variable].pairs.get(&other.variable).copied();
                if pair.is_none() && self.is_full() {
                    self.work.dropped += 1;
                    continue;
                }
                let span = between.span(&first.mark.locks, &second.mark.locks);
                let fingerprint = mixed(mixed(mixed(code, first.fingerprint), second.fingerprint), span.fingerprint);
                if !self.known.contains(fingerprint) {
                    let (block, dropped) = (two_block(first.mark, second.mark, span), self.work.dropped);
                    let pair = pair.unwrap_or_else(|| self.new_pair([one, other].map(|end| end.variable)));
                    self.two(open.transaction, is_own(one.mark), block, (pair, marks), segments);
                    self.known.insert(fingerprint, self.work.dropped == dropped, self.work.blocks);
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.work.blocks >= self.limits.blocks
    }

    /// Whether the 2v-blocks of a transaction are not looked at: what has no room costs as much as what is kept, and each is as
    /// large as the square of its transaction.
    fn passes_over(&mut self, open: &Open) -> bool {
        if !self.is_full() {
            return false;
        }
        let late = self.late.entry(open.transaction.site).or_default();
        late.ended += 1;
        let is_passed = late.ended > self.limits.late && !late.ended.is_power_of_two();
        late.passed += u64::from(is_passed);
        self.work.passed += u64::from(is_passed);
        is_passed
    }

    fn new_pair(&mut self, [one, other]: [usize; 2]) -> usize {
        let number = self.pairs.len();
        self.pairs.push(Classes::default());
        self.variables[one].pairs.insert(other, number);
        self.variables[other].pairs.insert(one, number);
        number
    }

    fn candidate<'a>(&mut self, mark: &'a Part) -> Candidate<'a> {
        let entry = self.variables.entry(mark.variable);
        let variable = entry.index();
        entry.or_default();
        let fingerprint = hash((mark.variable, mark.kind, &**mark.locks.held(), mark.segment));
        let rivals = |shared: &Arc<Shared>| shared.rivals(mark.thread, mark.kind, mark.variable);
        Candidate { mark, variable, fingerprint, rivals: self.shared.as_ref().map(rivals) }
    }

    /// Takes a 1v-block.
    fn one(
        &mut self,
        variable: Location,
        transaction: Transaction,
        block: &OneBlock,
        marks: &[Arc<Mark>],
        segments: &Segments,
    ) {
        let room = self.room(segments);
        let of = self.variables.entry(variable).or_default();
        let place = match of.ones.find(Some(transaction.site), false, block) {
            Some(at) if of.ones.has(at, marks.iter()) => return,
            place => place,
        };
        let class = Class::new(Some(transaction), false, block.clone(), marks.to_vec());
        for point in of.points.of_others(class.thread()) {
            self.work.comparisons += 1;
            if class.key.admits(&point.key) {
                self.found.report(&class, point, BETWEEN, &class.key.kept, segments);
            }
        }
        of.ones.add(place, class, room, &mut self.work);
    }

    /// Takes an access that may come between two others.
    pub fn point(
        &mut self,
        variable: Location,
        transaction: Option<Transaction>,
        point: &Point,
        mark: &Arc<Mark>,
        segments: &Segments,
    ) {
        let room = self.room(segments);
        let of = self.variables.entry(variable).or_default();
        let place = match of.points.find(transaction.map(|transaction| transaction.site), false, point) {
            Some(at) if of.points.has(at, [mark].into_iter()) => return,
            place => place,
        };
        let class = Class::new(transaction, false, point.clone(), vec![Arc::clone(mark)]);
        for one in of.ones.of_others(class.thread()) {
            self.work.comparisons += 1;
            if one.key.admits(&class.key) {
                self.found.report(one, &class, BETWEEN, &one.key.kept, segments);
            }
        }
        of.points.add(place, class, room, &mut self.work);
    }

    /// Takes a 2v-block.
    fn two(
        &mut self,
        transaction: Transaction,
        is_proved: bool,
        block: TwoBlock,
        (pair, marks): (usize, [&Arc<Mark>; 2]),
        segments: &Segments,
    ) {
        let room = self.room(segments);
        let classes = &mut self.pairs[pair];
        let place = match classes.find(Some(transaction.site), is_proved, &block) {
            Some(at) if classes.has(at, marks.into_iter()) => return,
            place => place,
        };
        let class = Class::new(Some(transaction), is_proved, block, marks.into_iter().cloned().collect());
        for other in classes.of_others(class.thread()) {
            let blamed = [(&class, other), (other, &class)].map(|pair| self.found.wants(pair.0).then_some(pair));
            if blamed.iter().all(Option::is_none) {
                continue;
            }
            self.work.comparisons += 1;
            if !class.key.conflicts(&other.key) || !class.is_beside(other, segments) {
                continue;
            }
            for (own, other) in blamed.into_iter().flatten() {
                let orders = own.key.orders(&other.key);
                // The first order that start and join allow is evidence enough.
                orders.iter().find(|order| self.found.report(own, other, order, &own.key.kept, segments));
            }
        }
        classes.add(place, class, room, &mut self.work);
    }
}

/// An access that may be an end of 2v-blocks.
struct Candidate<'a> {
    mark: &'a Part,
    /// Number of its variable.
    variable: usize,
    /// All that it is to them, as a hash.
    fingerprint: u64,
    /// Other threads with accesses that conflict, if they are known.
    rivals: Option<Threads>,
}

impl Candidate<'_> {
    /// Whether something may come of a block of the two.
    fn may_pair(&self, other: &Self) -> bool {
        let have_rival = self.rivals.zip(other.rivals).is_none_or(|(one, other)| one.meet(other));
        self.variable != other.variable && have_rival
    }
}

/// Violations, each once.
#[derive(Debug, Default)]
struct Found {
    violations: Vec<Violation>,
    numbers: FxHashMap<Key, usize>,
    /// So many of two variables are looked for in each code.
    most: usize,
    /// How many there are.
    of_code: FxHashMap<SiteId, usize>,
    /// How many codes have so many.
    n_done: usize,
}

/// What makes two violations one: code, and the accesses by place.
type Key = (Option<SiteId>, Option<SiteId>, Vec<(Actor, AccessKind, SiteId)>);

impl Found {
    /// Whether 2v-blocks of a class are to be broken: code that is broken in so many ways needs no more of them.
    fn wants(&self, class: &Class<TwoBlock>) -> bool {
        !class.is_proved && class.code.is_some_and(|code| !self.is_done(code))
    }

    fn is_done(&self, code: SiteId) -> bool {
        self.of_code.get(&code).is_some_and(|n_known| *n_known >= self.most)
    }

    /// Reports the order if an occurrence of one and an occurrence of the other can take it; true if so.
    fn report<K, L>(
        &mut self,
        own: &Class<K>,
        other: &Class<L>,
        order: Order,
        kept: &HoldSet,
        segments: &Segments,
    ) -> bool {
        let pairs = own.occurrences.iter().flat_map(|own| other.occurrences.iter().map(move |other| (own, other)));
        let Some((own, other)) = pairs.into_iter().find(|(own, other)| own.can_take(other, order, segments)) else {
            return false;
        };
        if let Some(transaction) = own.transaction {
            let step = |(by, at): &(Actor, usize)| {
                let mark = &[own, other][*by as usize].marks[*at];
                Step { by: *by, variable: mark.variable, access: mark.access() }
            };
            let (steps, kept, inner) = (order.iter().map(step).collect(), kept.clone(), own.inner(transaction));
            self.add(Violation { transaction, other: other.transaction, steps, kept, inner, seen: 1 });
        }
        true
    }

    fn add(&mut self, violation: Violation) {
        let steps = violation.steps.iter().map(|step| (step.by, step.access.kind, step.access.site)).collect();
        let key = (Some(violation.transaction.site), violation.other.map(|other| other.site), steps);
        match self.numbers.get(&key) {
            Some(number) => self.violations[*number].see(violation),
            // What is inside is to blame, though no more of it is kept.
            None if violation.is_of_two() && violation.inner.iter().any(|code| self.is_done(*code)) => {}
            None => {
                self.count(&violation);
                self.numbers.insert(key, self.violations.len());
                self.violations.push(violation);
            }
        }
    }

    fn count(&mut self, new: &Violation) {
        if new.is_of_two() {
            let n_known = self.of_code.entry(new.transaction.site).or_default();
            *n_known += 1;
            self.n_done += usize::from(*n_known == self.most);
        }
    }
}
