//! The laws of abstract executions, the ordering by locks against all maps there are, the summaries against recursion that is
//! unfolded (theorem 1 of paper 003), and the locks that enclose an access against the edges.

use std::collections::BTreeSet;

use modular::multiplicity::Multiplicity::{self, Many, One, Unknown};
use proptest::prelude::*;

use super::execution::{Event, Execution, Kind};
use super::ordering::{are_ordered, conflict, enclosing, is_race_free, matches, net_enters, net_exits};

fn event() -> impl Strategy<Value = Event> {
    let kind = prop_oneof![Just(Kind::Read), Just(Kind::Write), Just(Kind::Enter), Just(Kind::Exit)];
    let multiplicity = prop_oneof![Just(One), Just(Many), Just(Unknown)];
    let locations = prop::collection::btree_set((0_u32..2, 0_u32..2), 0..2);
    (kind, 0_u32..6, prop::collection::vec(0_u32..2, 0..2), multiplicity, locations).prop_map(
        |(kind, id, thread, multiplicity, locations)| Event { kind, id: vec![id], thread, multiplicity, locations },
    )
}

fn execution() -> impl Strategy<Value = Execution> {
    prop::collection::vec(event(), 0..5).prop_flat_map(|events| {
        let n = events.len();
        let edges = prop::collection::vec((0..n.max(1), 0..n.max(1)), 0..9);
        (Just(events), edges).prop_map(|(events, edges)| {
            let edge = |(a, b): &(usize, usize)| Some((events.get(*a)?.clone(), events.get(*b)?.clone()));
            Execution { before: edges.iter().filter_map(edge).collect(), events: events.into_iter().collect() }
        })
    })
}

/// What each map from `from` to `to` leaves over of `to`, of the maps that no pair can be added to: the paper's definition.
fn left_over_by_maps(from: &[&Event], to: &[&Event]) -> BTreeSet<BTreeSet<(u32, u32)>> {
    fn go(from: &[&Event], to: &[&Event], taken: &mut Vec<bool>, found: &mut Vec<Vec<bool>>) {
        let Some((first, rest)) = from.split_first() else {
            found.push(taken.clone());
            return;
        };
        go(rest, to, taken, found);
        for n in 0..to.len() {
            if !taken[n] && matches(first, to[n]) {
                taken[n] = true;
                go(rest, to, taken, found);
                taken[n] = false;
            }
        }
    }
    let mut found = Vec::new();
    go(from, to, &mut vec![false; to.len()], &mut found);
    let size = |taken: &Vec<bool>| taken.iter().filter(|taken| **taken).count();
    let largest = found.iter().map(size).max().unwrap_or_default();
    let largest = found.iter().filter(|taken| size(taken) == largest);
    largest.flat_map(|taken| (0..to.len()).filter(|n| !taken[*n]).map(|n| to[n].locations.clone())).collect()
}

fn naive_net(execution: &Execution, event: &Event, is_before: bool) -> BTreeSet<BTreeSet<(u32, u32)>> {
    let of = |kind: Kind| -> Vec<&Event> {
        let is_own = |other: &&Event| {
            other.kind == kind && other.thread == event.thread && other.multiplicity == event.multiplicity
        };
        let is_ordered = |other: &&Event| {
            let edge = if is_before { ((*other).clone(), event.clone()) } else { (event.clone(), (*other).clone()) };
            execution.before.contains(&edge)
        };
        execution.events.iter().filter(is_own).filter(is_ordered).collect()
    };
    let (enters, exits) = (of(Kind::Enter), of(Kind::Exit));
    if is_before { left_over_by_maps(&exits, &enters) } else { left_over_by_maps(&enters, &exits) }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn executions_are_a_lattice(a in execution(), b in execution(), c in execution()) {
        prop_assert_eq!(a.clone().join(&b), b.clone().join(&a));
        prop_assert_eq!(a.clone().join(&b).join(&c), a.clone().join(&b.clone().join(&c)));
        prop_assert_eq!(a.clone().join(&a), a.clone());
        prop_assert_eq!(Execution::default().join(&a), a);
    }

    #[test]
    fn one_after_the_other_is_associative_and_instantiation_keeps_it(a in execution(), b in execution(), c in execution()) {
        prop_assert_eq!(a.clone().then(&b).then(&c), a.clone().then(&b.clone().then(&c)));
        prop_assert_eq!(a.clone().then(&b).called(9, One), a.called(9, One).then(&b.called(9, One)));
        prop_assert_eq!(a.clone().join(&b).started(9, Many), a.started(9, Many).join(&b.started(9, Many)));
    }

    #[test]
    fn calls_leave_the_thread_alone_and_starts_do_not(a in execution()) {
        let own = |of: &Execution| of.events.iter().filter(|event| event.thread.is_empty()).count();
        prop_assert_eq!(own(&a.called(9, Many)), own(&a));
        prop_assert_eq!(own(&a.started(9, Many)), 0);
        prop_assert!(a.started(9, Many).events.iter().all(|event| event.multiplicity == Many));
    }

    #[test]
    fn net_locks_are_what_the_largest_maps_leave_over(a in execution()) {
        for event in &a.events {
            prop_assert_eq!(net_enters(&a, event), naive_net(&a, event, true));
            prop_assert_eq!(net_exits(&a, event), naive_net(&a, event, false));
        }
    }

    #[test]
    fn relations_are_symmetric(a in execution()) {
        for x in &a.events {
            prop_assert!(!matches(x, x) && !conflict(x, x));
            for y in &a.events {
                prop_assert_eq!(matches(x, y), matches(y, x));
                prop_assert_eq!(conflict(x, y), conflict(y, x));
                prop_assert_eq!(are_ordered(&a, x, y), are_ordered(&a, y, x));
            }
        }
    }
}

/// A statement of a small language; its methods have numbers.
#[derive(Clone, Debug)]
enum Statement {
    Access(bool, u32),
    Synchronized(u32, Vec<Statement>),
    Call(usize),
    Start(usize),
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = prop_oneof![
        3 => (any::<bool>(), 0_u32..2).prop_map(|(write, field)| Statement::Access(write, field)),
        2 => (0_usize..3).prop_map(Statement::Call),
        1 => (0_usize..3).prop_map(Statement::Start),
    ];
    let statement = leaf.prop_recursive(2, 4, 2, |inner| {
        (0_u32..2, prop::collection::vec(inner, 0..3)).prop_map(|(lock, body)| Statement::Synchronized(lock, body))
    });
    prop::collection::vec(statement, 0..3)
}

/// What a method may lead to, itself only if it calls itself somehow.
fn reached(methods: &[Vec<Statement>], from: usize) -> BTreeSet<usize> {
    fn direct(body: &[Statement], found: &mut Vec<usize>) {
        for statement in body {
            match statement {
                Statement::Call(to) | Statement::Start(to) => found.push(*to),
                Statement::Synchronized(_, body) => direct(body, found),
                Statement::Access(..) => {}
            }
        }
    }
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(method) = open.pop() {
        let mut found = Vec::new();
        direct(&methods[method], &mut found);
        open.extend(found.into_iter().filter(|to| seen.insert(*to)));
    }
    seen
}

struct Analysis<'a> {
    methods: &'a [Vec<Statement>],
    /// How often a method may be within itself: once is the modular analysis, more unfolds recursion.
    depth: usize,
    /// With each access the locks around it, as the text has them.
    enclosed: BTreeSet<(Vec<u32>, BTreeSet<u32>)>,
    /// How many methods may be analysed yet: some recursions unfold to far too many.
    budget: usize,
}

impl Analysis<'_> {
    fn multiplicity(&self, method: usize) -> Multiplicity {
        match reached(self.methods, method).contains(&method) {
            true => Many,
            false if method == 0 => One,
            false => Unknown,
        }
    }

    /// A method within others. A thread begins anew, and what starts itself runs in one more thread than in the one that began: of
    /// that there are many.
    fn method(&mut self, method: usize, within: &[usize], threads: &[usize], held: &BTreeSet<u32>) -> Execution {
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 || within.iter().filter(|other| **other == method).count() >= self.depth {
            return Execution::default();
        }
        let within = [within, &[method]].concat();
        let mut label = 100 * method as u32;
        let body = &self.methods[method];
        self.body(body, (method, &within, threads), held, &mut label)
    }

    fn body(
        &mut self,
        body: &[Statement],
        at: (usize, &[usize], &[usize]),
        held: &BTreeSet<u32>,
        label: &mut u32,
    ) -> Execution {
        let (method, within, threads) = at;
        let mut done = Execution::default();
        for statement in body {
            *label += 1;
            let here = *label;
            let event = |kind, locations| Event {
                kind,
                id: vec![here],
                thread: Vec::new(),
                multiplicity: Unknown,
                locations: BTreeSet::from([locations]),
            };
            let next = match statement {
                Statement::Access(write, field) => {
                    self.enclosed.insert((vec![here], held.clone()));
                    Execution::of(event(if *write { Kind::Write } else { Kind::Read }, (0, *field)))
                }
                Statement::Synchronized(lock, body) => {
                    let held = held.iter().copied().chain([*lock]).collect();
                    let (enter, exit) = (event(Kind::Enter, (1, *lock)), event(Kind::Exit, (1, *lock)));
                    let exit = Event { id: vec![here + 50], ..exit };
                    let within = self.body(body, at, &held, label);
                    Execution::of(enter).then(&within).then(&Execution::of(exit))
                }
                Statement::Call(to) => {
                    let callee = self.method(*to, within, threads, held);
                    callee.called(here, self.multiplicity(method))
                }
                Statement::Start(to) => {
                    if threads.iter().filter(|other| *other == to).count() > self.depth {
                        continue;
                    }
                    let threads = [threads, &[*to]].concat();
                    let callee = self.method(*to, &[], &threads, &BTreeSet::new());
                    callee.started(here, self.multiplicity(method))
                }
            };
            done = done.then(&next);
        }
        done
    }
}

fn analysis(methods: &[Vec<Statement>], depth: usize) -> Analysis<'_> {
    Analysis { methods, depth, enclosed: BTreeSet::new(), budget: 40 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn summaries_say_what_unfolded_recursion_says(methods in prop::collection::vec(statements(), 3)) {
        let mut once = analysis(&methods, 1);
        let modular = once.method(0, &[], &[], &BTreeSet::new());
        for depth in [2, 3].into_iter().filter(|_| once.budget > 0) {
            let mut analysis = analysis(&methods, depth);
            let unfolded = analysis.method(0, &[], &[], &BTreeSet::new());
            if analysis.budget > 0 && unfolded.events.len() < 30 {
                prop_assert_eq!(is_race_free(&modular), is_race_free(&unfolded), "unfolded to {}", depth);
            }
        }
    }

    #[test]
    fn the_locks_around_an_access_are_those_that_its_edges_enclose(body in statements()) {
        let methods = [body, Vec::new(), Vec::new()];
        let mut analysis = analysis(&methods, 1);
        let found = analysis.method(0, &[], &[], &BTreeSet::new());
        for (id, held) in analysis.enclosed.iter().filter(|(id, _)| id[0] < 100) {
            let event = found.events.iter().find(|event| event.id == *id).expect("an event for each access");
            let enclosing: BTreeSet<u32> = enclosing(&found, event).into_iter().flatten().map(|(_, lock)| lock).collect();
            prop_assert_eq!(&enclosing, held);
        }
    }
}
