//! All orders in which the threads of a program can take their steps, and what they mean, for tests.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::index::{SiteId, ThreadId};

use super::programs::Program;
use crate::atomicity::violation::{Actor, Transaction, Violation};
use crate::held::Hold;
use crate::stream::holding::compatible;

/// How far each thread is.
type State = Vec<usize>;

impl Program {
    /// Calls back with every complete order, until told to stop.
    pub fn orders(&self, visit: &mut dyn FnMut(&[Event]) -> ControlFlow<()>) {
        let _ = self.extend(&mut vec![0; self.0.len()], &mut Vec::new(), visit);
    }

    /// One complete order, if there is any.
    pub fn an_order(&self) -> Option<Vec<Event>> {
        let mut order = Vec::new();
        self.completes(&mut vec![0; self.0.len()], &mut HashSet::new(), &mut order).then_some(order)
    }

    fn completes(&self, state: &mut State, seen: &mut HashSet<State>, order: &mut Vec<Event>) -> bool {
        if !seen.insert(state.clone()) {
            return false;
        }
        self.is_complete(state)
            || self.able(state).into_iter().any(|thread| {
                order.push(self.0[thread][state[thread]]);
                state[thread] += 1;
                let completes = self.completes(state, seen, order);
                state[thread] -= 1;
                if !completes {
                    order.pop();
                }
                completes
            })
    }

    fn extend(
        &self,
        state: &mut State,
        order: &mut Vec<Event>,
        visit: &mut dyn FnMut(&[Event]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_complete(state) {
            return visit(order);
        }
        for thread in self.able(state) {
            let event = self.0[thread][state[thread]];
            order.push(event);
            state[thread] += 1;
            let flow = self.extend(state, order, visit);
            state[thread] -= 1;
            order.pop();
            flow?;
            // When a transaction begins or ends makes no difference to others.
            if is_mark(&event) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether some order ends with threads that wait for each other.
    pub fn can_deadlock(&self) -> bool {
        self.gets_stuck(&mut vec![0; self.0.len()], &mut HashSet::new())
    }

    fn gets_stuck(&self, state: &mut State, seen: &mut HashSet<State>) -> bool {
        if !seen.insert(state.clone()) {
            return false;
        }
        let able = self.able(state);
        if able.is_empty() {
            return !self.is_complete(state);
        }
        able.into_iter().any(|thread| {
            state[thread] += 1;
            let stuck = self.gets_stuck(state, seen);
            state[thread] -= 1;
            stuck
        })
    }

    fn is_complete(&self, state: &State) -> bool {
        self.0.iter().zip(state).all(|(events, at)| *at == events.len())
    }

    /// The threads that can take a step.
    fn able(&self, state: &State) -> Vec<usize> {
        (0..self.0.len()).filter(|thread| self.can_step(state, *thread)).collect()
    }

    fn can_step(&self, state: &State, thread: usize) -> bool {
        let Some(event) = self.0[thread].get(state[thread]) else { return false };
        let is_forked =
            |child: ThreadId| self.past(state, 0).iter().any(|event| event.action == EventKind::Fork(child));
        let begun = thread == 0 || is_forked(event.thread);
        begun
            && match event.action {
                EventKind::Acquire(lock, mode) => {
                    let others = (0..self.0.len()).filter(|other| *other != thread);
                    others.into_iter().all(|other| compatible(&[Hold { lock, mode }], &held(self.past(state, other))))
                }
                EventKind::Join(ThreadId(child)) => {
                    let child = child as usize - 1;
                    state[child] == self.0[child].len()
                }
                _ => true,
            }
    }

    fn past(&self, state: &State, thread: usize) -> &[Event] {
        &self.0[thread][..state[thread]]
    }

    /// The accesses that must be executed as one, of each transaction at each level but within one of the same code, and of each
    /// access by itself.
    pub fn units(&self) -> Vec<Unit> {
        self.0.iter().flat_map(|events| units_of(events)).collect()
    }
}

fn is_mark(event: &Event) -> bool {
    matches!(event.action, EventKind::Enter | EventKind::Exit)
}

fn held(past: &[Event]) -> Vec<Hold> {
    let mut held = Vec::new();
    for event in past {
        match event.action {
            EventKind::Acquire(lock, mode) => held.push(Hold { lock, mode }),
            EventKind::Release(lock, mode) => held.retain(|hold| *hold != Hold { lock, mode }),
            _ => {}
        }
    }
    held
}

/// What is to be executed as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    pub thread: ThreadId,
    /// `None` for an access outside of every transaction.
    pub code: Option<SiteId>,
    pub outermost: bool,
    pub accesses: Vec<Event>,
}

impl Unit {
    /// Whether an order of the two can matter: they are of different threads, one has two accesses, and two conflict.
    fn can_break(&self, other: &Self) -> bool {
        let conflict = |one: &Event, other: &Event| match (one.action, other.action) {
            (EventKind::Access(kind, one), EventKind::Access(others, other)) => {
                one == other && (kind, others) != (AccessKind::Read, AccessKind::Read)
            }
            _ => false,
        };
        self.thread != other.thread
            && self.accesses.len().max(other.accesses.len()) > 1
            && self.accesses.iter().any(|one| other.accesses.iter().any(|other| conflict(one, other)))
    }
}

fn units_of(events: &[Event]) -> Vec<Unit> {
    let (mut ended, mut open): (Vec<Unit>, Vec<Unit>) = (Vec::new(), Vec::new());
    for event in events {
        let (thread, outermost) = (event.thread, open.is_empty());
        match event.action {
            EventKind::Enter => open.push(Unit { thread, code: Some(event.site), outermost, accesses: Vec::new() }),
            EventKind::Exit => {
                let unit = open.pop();
                ended.extend(unit.filter(|unit| open.iter().all(|around| around.code != unit.code)));
            }
            EventKind::Access(..) if outermost => {
                ended.push(Unit { thread, code: None, outermost, accesses: vec![*event] });
            }
            EventKind::Access(..) => open.iter_mut().for_each(|unit| unit.accesses.push(*event)),
            _ => {}
        }
    }
    ended
}

/// What an order means: for each read the write that it sees, and for each variable the write that remains.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct View {
    reads: BTreeSet<(SiteId, Option<SiteId>)>,
    remains: BTreeMap<Location, SiteId>,
}

impl View {
    /// The view of the accesses in this order; sites tell events apart.
    pub fn of<'a>(order: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut view = Self::default();
        for event in order {
            match event.action {
                EventKind::Access(AccessKind::Read, location) => {
                    view.reads.insert((event.site, view.remains.get(&location).copied()));
                }
                EventKind::Access(AccessKind::Write, location) => {
                    view.remains.insert(location, event.site);
                }
                _ => {}
            }
        }
        view
    }
}

/// Two units, by code.
pub type CodePair = BTreeSet<Option<SiteId>>;

/// The pairs of units of different threads that some order interleaves so that their view is that of neither serial order.
pub fn unserializable_pairs(program: &Program) -> BTreeSet<CodePair> {
    let units = program.units();
    let mut open: Vec<(CodePair, BTreeSet<SiteId>, [View; 2])> = Vec::new();
    for (at, one) in units.iter().enumerate() {
        for other in units[..at].iter().filter(|other| one.can_break(other)) {
            let both = || one.accesses.iter().chain(&other.accesses);
            let serial = [View::of(both()), View::of(other.accesses.iter().chain(&one.accesses))];
            open.push(([one.code, other.code].into(), both().map(|event| event.site).collect(), serial));
        }
    }
    let mut found = BTreeSet::new();
    program.orders(&mut |order| {
        open.retain(|(pair, sites, serial)| {
            let serializable = serial.contains(&View::of(order.iter().filter(|event| sites.contains(&event.site))));
            if !serializable {
                found.insert(pair.clone());
            }
            serializable
        });
        if open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// Whether the order that a violation shows is possible, and whatever else happens around it, the two units are not
/// serializable.
pub fn is_evident(program: &Program, violation: &Violation) -> bool {
    let is = |unit: &Unit, of: Option<Transaction>, by| match of {
        Some(transaction) => unit.code == Some(transaction.site),
        None => violation.accesses(by).all(|access| unit.code.is_none() && unit.accesses[0].site == access.site),
    };
    let units = program.units();
    let own = units.iter().find(|unit| is(unit, Some(violation.transaction), Actor::Own)).unwrap();
    let other = units.iter().find(|unit| is(unit, violation.other, Actor::Other)).unwrap();
    let serial = [[own, other], [other, own]].map(|units| View::of(units.iter().flat_map(|unit| &unit.accesses)));
    let sites: Vec<SiteId> = violation.steps.iter().map(|step| step.access.site).collect();
    let accesses: BTreeSet<SiteId> = own.accesses.iter().chain(&other.accesses).map(|event| event.site).collect();
    let (mut possible, mut serializable) = (false, false);
    program.orders(&mut |order| {
        if order.iter().map(|event| event.site).filter(|site| sites.contains(site)).eq(sites.iter().copied()) {
            possible = true;
            serializable |= serial.contains(&View::of(order.iter().filter(|event| accesses.contains(&event.site))));
        }
        if serializable { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    possible && !serializable
}

/// Whether every order has the view of some serial order of all outermost units. `None` if there are too many of them.
pub fn is_serializable(program: &Program) -> Option<bool> {
    let units: Vec<_> = program.units().into_iter().filter(|unit| unit.outermost).collect();
    if units.len() > 6 {
        return None;
    }
    let mut serial = HashSet::new();
    permute(&mut units.clone(), &mut Vec::new(), &mut serial);
    let mut serializable = true;
    program.orders(&mut |order| {
        serializable = serial.contains(&View::of(order));
        if serializable { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    Some(serializable)
}

/// The views of all serial orders that keep the order of each thread.
fn permute(units: &mut Vec<Unit>, order: &mut Vec<Event>, views: &mut HashSet<View>) {
    if units.is_empty() {
        views.insert(View::of(&*order));
        return;
    }
    for at in 0..units.len() {
        if units[..at].iter().any(|earlier| earlier.thread == units[at].thread) {
            continue;
        }
        let unit = units.remove(at);
        order.extend(&unit.accesses);
        permute(units, order, views);
        order.truncate(order.len() - unit.accesses.len());
        units.insert(at, unit);
    }
}
