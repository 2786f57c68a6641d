//! The naive twin of [`unify`](super::super::unify) and of [`Owned`](super::Owned): the same rules, written down one by one, and
//! all of them applied to all methods until nothing new comes of it. There are no classes of a union-find, no work list and no
//! demands: a method's places simply know which of them have the same owner, and calls repeat that of any two.
//!
//! It takes for granted what leaks by an instruction (`families`) and what is a name (`path`).

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Block, Body, Op, Value};
use crate::program::MethodId;

use super::super::families::{Leak, copied_arrays};
use super::super::obstacle::Cause;
use super::super::path::{Path, Root};
use super::{Bodies, Code, Families, Family, Paths, Term, leaks};

/// What has an owner in a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Value(Value),
    Result,
}

/// What is known of the places of a method.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Facts {
    /// The least of the places that have the same owner.
    least: BTreeMap<Place, Place>,
    owners: BTreeSet<(Place, Path)>,
    /// Places whose owner has no name.
    nameless: BTreeSet<Place>,
}

/// What the rules say, before it is known what follows.
#[derive(Default)]
struct Stated {
    same: Vec<(Place, Place)>,
    owners: Vec<(Place, Path)>,
    nameless: Vec<Place>,
}

/// The families that have owners, and the owner of each of their values.
pub struct Naive {
    pub families: Families,
    pub terms: BTreeMap<(MethodId, Value), Term>,
}

/// The rules and the program that they are about.
pub struct Rules<'a> {
    pub code: Code<'a>,
    pub bodies: &'a Bodies,
    pub paths: &'a (dyn Fn(&Body) -> Paths + Sync),
}

impl Rules<'_> {
    /// The least solution.
    pub fn solve(&self) -> Naive {
        let mut families = Families::of(self.code.program, self.code.calls, self.bodies);
        let found: Vec<_> = self.bodies.iter().flat_map(|body| leaks(self.code, &families, body)).collect();
        found.into_iter().for_each(|(family, leak)| families.leaks(family, leak));
        let mut known = BTreeMap::new();
        loop {
            let next: BTreeMap<MethodId, Facts> = self
                .bodies
                .iter()
                .map(|body| (body.method, self.stated(&families, &known, body).closed(&places(&families, body))))
                .collect();
            if next == known {
                break;
            }
            known = next;
        }
        let broken: Vec<Family> =
            self.bodies.iter().flat_map(|body| self.broken(&families, body, &known[&body.method])).collect();
        broken.into_iter().for_each(|family| families.leaks(family, Leak { at: None, cause: Cause::TwoOwners }));
        let terms = self.bodies.iter().flat_map(|body| terms(&families, body, &known[&body.method])).collect();
        Naive { families, terms }
    }

    fn stated(&self, families: &Families, known: &BTreeMap<MethodId, Facts>, body: &Body) -> Stated {
        let paths = (self.paths)(body);
        let family = |value: Value| families.get(body.instruction(value).ty);
        let mut stated = Stated::default();
        for value in body.all_values() {
            match body.op(value) {
                Op::Phi(merged) => merged.iter().for_each(|merged| stated.same(value, *merged)),
                Op::Cast(from) | Op::LoadElement(from, _) => stated.same(value, *from),
                Op::StoreElement(array, _, stored) => stated.same(*stored, *array),
                Op::GetField(object, _) if family(*object) == family(value) => stated.same(*object, value),
                Op::GetField(object, _) => stated.owners.push((Place::Value(value), paths.get(*object).clone())),
                Op::PutField(object, _, stored) if family(*object) == family(*stored) => stated.same(*object, *stored),
                Op::PutField(object, _, stored) => {
                    stated.owners.push((Place::Value(*stored), paths.get(*object).clone()));
                }
                Op::Return(Some(left)) => stated.same.push((Place::Value(*left), Place::Result)),
                Op::Invoke(_, _, arguments) => {
                    copied_arrays(self.code, body, value).iter().for_each(|(from, to)| stated.same(*from, *to));
                    for target in &self.code.calls.targets(body.method, value).methods {
                        let (Some(facts), Some(target)) = (known.get(target), self.bodies.get(*target)) else {
                            continue;
                        };
                        stated.repeat(facts, target, &paths, value, arguments);
                    }
                }
                _ => {}
            }
        }
        stated
    }

    /// The families that have no owners because of what a method does, or because clients may call it.
    fn broken(&self, families: &Families, body: &Body, facts: &Facts) -> Vec<Family> {
        let is_seen = |place: &Place| parameter(body, *place).is_some() || *place == Place::Result;
        let mut broken = Vec::new();
        for place in facts.least.keys() {
            let Place::Value(value) = *place else { continue };
            let all = facts.like(*place);
            let owners = facts.owners_of(*place);
            let is_lost = owners.iter().any(|owner| match owner.root {
                Root::Value(root) => all.iter().any(is_seen) || all.iter().any(|of| !is_after(body, root, *of)),
                _ => false,
            });
            let asked = all.iter().filter(|place| parameter(body, **place).is_some()).count() + owners.len();
            let is_asked = parameter(body, *place).is_some() && asked > 1 && self.code.calls.is_entry(body.method);
            let is_nameless = facts.nameless.iter().any(|nameless| facts.least.get(nameless) == facts.least.get(place));
            if owners.len() > 1 || is_nameless || is_lost || is_asked {
                broken.extend(families.get(body.instruction(value).ty));
            }
        }
        broken
    }
}

impl Stated {
    fn same(&mut self, a: Value, b: Value) {
        self.same.push((Place::Value(a), Place::Value(b)));
    }

    /// What a call repeats of a method that it may run.
    fn repeat(&mut self, facts: &Facts, target: &Body, paths: &Paths, call: Value, arguments: &[Value]) {
        let actual = |place: &Place| match place {
            Place::Result => Some(Place::Value(call)),
            Place::Value(_) => arguments.get(usize::from(parameter(target, *place)?)).copied().map(Place::Value),
        };
        for (a, least) in &facts.least {
            let Some(of_a) = actual(a) else { continue };
            let like = facts.least.iter().filter(|(_, other)| *other == least);
            self.same.extend(like.filter_map(|(b, _)| Some((of_a, actual(b)?))));
            for owner in facts.owners_of(*a) {
                match paths.in_caller(owner, arguments) {
                    Some(owner) => self.owners.push((of_a, owner)),
                    None => self.nameless.push(of_a),
                }
            }
        }
    }

    /// What follows for some places; what is said of others is of no family.
    fn closed(self, places: &[Place]) -> Facts {
        let mut least: BTreeMap<Place, Place> = places.iter().map(|place| (*place, *place)).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (a, b) in &self.same {
                let (Some(of_a), Some(of_b)) = (least.get(a).copied(), least.get(b).copied()) else { continue };
                changed |= of_a != of_b;
                least.insert(*a, of_a.min(of_b));
                least.insert(*b, of_a.min(of_b));
            }
        }
        let owners = self.owners.into_iter().filter_map(|(place, owner)| Some((*least.get(&place)?, owner))).collect();
        let nameless = self.nameless.into_iter().filter(|place| least.contains_key(place)).collect();
        Facts { least, owners, nameless }
    }
}

impl Facts {
    fn like(&self, place: Place) -> Vec<Place> {
        let least = self.least.get(&place);
        self.least.iter().filter(|(_, other)| Some(*other) == least).map(|(place, _)| *place).collect()
    }

    fn owners_of(&self, place: Place) -> Vec<&Path> {
        let least = self.least.get(&place);
        self.owners.iter().filter(|(of, _)| Some(of) == least).map(|(_, owner)| owner).collect()
    }
}

fn places(families: &Families, body: &Body) -> Vec<Place> {
    let values = body.all_values().filter(|value| families.get(body.instruction(*value).ty).is_some());
    values.map(Place::Value).chain([Place::Result]).collect()
}

fn parameter(body: &Body, place: Place) -> Option<u16> {
    match place {
        Place::Value(value) => match body.op(value) {
            Op::Parameter(n) => Some(*n),
            _ => None,
        },
        Place::Result => None,
    }
}

fn terms(families: &Families, body: &Body, facts: &Facts) -> Vec<((MethodId, Value), Term)> {
    let mut terms = Vec::new();
    for place in places(families, body) {
        let Place::Value(value) = place else { continue };
        let parameter = facts.like(place).into_iter().find_map(|place| parameter(body, place));
        let term = match (facts.owners_of(place).first(), parameter) {
            (Some(owner), _) => Term::Path((*owner).clone()),
            (None, Some(n)) => Term::Parameter(n),
            (None, None) => Term::Nobody,
        };
        terms.push(((body.method, value), term));
    }
    terms
}

/// Whether an owner that is computed anew in each round of a loop is computed before a value of the same round.
fn is_after(body: &Body, owner: Value, place: Place) -> bool {
    let Place::Value(value) = place else { return true };
    let block = |value: Value| body.blocks().find(|block| body.values(*block).any(|other| other == value));
    let (Some(of), Some(at)) = (block(owner), block(value)) else { return false };
    let again = body.blocks().filter(|from| leads(body, *from, of));
    if !again.into_iter().any(|from| reached(body, Some(of), None).contains(&from)) {
        return true;
    }
    let is_phi = |value: Value| matches!(body.op(value), Op::Phi(_));
    if of == at {
        owner < value && !(is_phi(owner) && is_phi(value))
    } else {
        !reached(body, None, Some(of)).contains(&at)
    }
}

fn leads(body: &Body, from: Block, to: Block) -> bool {
    body.successors(from).contains(&to) || body.block(from).handlers.iter().any(|(_, handler)| *handler == to)
}

/// The blocks that are reached from one (from where the method begins, without one), by ways that do not go through another.
fn reached(body: &Body, from: Option<Block>, without: Option<Block>) -> BTreeSet<Block> {
    let mut reached: BTreeSet<Block> = [from.unwrap_or(Block(0))].into();
    loop {
        reached.retain(|block| Some(*block) != without);
        let next = |to: &Block| reached.iter().any(|from| leads(body, *from, *to));
        let more: Vec<Block> =
            body.blocks().filter(|to| Some(*to) != without && !reached.contains(to) && next(to)).collect();
        if more.is_empty() {
            return reached;
        }
        reached.extend(more);
    }
}
