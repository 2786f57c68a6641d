//! Which objects of a method have the same owner, and who it is: unification of owners over the values of one body
//! (`algorithms.md` 7.5; class parameters of paper 002, section 3, whose only actual parameter is the owner).
//!
//! What is read from or written to a field of an object of the same family has that object's owner; where the field is another
//! object's, the owner is that object, which must have a final expression for a name. Calls are polymorphic: each one repeats
//! what its method says of its parameters and of what it returns.

use rustc_hash::FxHashMap;

use crate::ir::{Block, Body, Dominators, Op, Value};
use crate::program::{MethodId, Type};

use super::families::{self, Code, Families, Family};
use super::final_expressions::Paths;
use super::path::{Path, Root};

/// The owner of a value's object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// The object that has this name.
    Path(Path),
    /// That of the object in a parameter.
    Parameter(u16),
    /// Nobody, as long as the method runs: only its values, and those of methods that it calls, refer to the object.
    Nobody,
}

/// A place of a method where callers see objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Slot {
    Parameter(u16),
    Result,
}

/// What a method asks of its callers: objects that have one owner.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Demand {
    groups: Vec<(Vec<Slot>, Option<Path>)>,
}

impl Demand {
    /// The parameters with which a call could break it: what only says whose objects are returned, it cannot.
    pub fn parameters(&self) -> impl Iterator<Item = u16> + '_ {
        self.groups.iter().flat_map(|(slots, owner)| {
            let parameters = slots.iter().filter_map(|slot| match slot {
                Slot::Parameter(n) => Some(*n),
                Slot::Result => None,
            });
            let is_open = parameters.clone().count() + usize::from(owner.is_some()) > 1;
            parameters.filter(move |_| is_open)
        })
    }
}

/// What came of one body.
#[derive(Default)]
pub struct Unified {
    /// The owner of each value of a family.
    pub terms: FxHashMap<Value, Term>,
    /// What callers must know.
    pub demand: Demand,
    /// Families of which an object would have two owners, or one without a name.
    pub refused: Vec<(Family, Value)>,
}

/// Unifies the owners in a body.
pub fn unify(
    code: Code<'_>,
    families: &Families,
    demands: &FxHashMap<MethodId, Demand>,
    body: &Body,
    paths: &Paths,
) -> Unified {
    let values: Vec<Value> =
        body.all_values().filter(|value| families.get(body.instruction(*value).ty).is_some()).collect();
    let nodes = values.iter().enumerate().map(|(node, value)| (*value, node)).collect();
    let above = (0..=values.len()).collect();
    let owners = vec![None; values.len() + 1];
    let mut unifier =
        Unifier { code, families, body, paths, values, nodes, above, owners, at: Value(0), refused: Vec::new() };
    for value in body.all_values() {
        unifier.at = value;
        unifier.visit(value, demands);
    }
    unifier.finish()
}

struct Unifier<'a> {
    code: Code<'a>,
    families: &'a Families,
    body: &'a Body,
    paths: &'a Paths,
    /// The values of the nodes; one more node stands for what is returned.
    values: Vec<Value>,
    nodes: FxHashMap<Value, usize>,
    above: Vec<usize>,
    owners: Vec<Option<Path>>,
    at: Value,
    refused: Vec<(Family, Value)>,
}

impl Unifier<'_> {
    fn visit(&mut self, value: Value, demands: &FxHashMap<MethodId, Demand>) {
        let body = self.body;
        match body.op(value) {
            Op::Phi(merged) => merged.iter().for_each(|merged| self.same(value, *merged)),
            Op::Cast(inner) => self.same(value, *inner),
            Op::LoadElement(array, _) => self.same(value, *array),
            Op::StoreElement(array, _, stored) => self.same(*stored, *array),
            Op::GetField(object, _) => self.keep(*object, value),
            Op::PutField(object, _, stored) => self.keep(*object, *stored),
            Op::Return(Some(left)) => {
                if let Some(left) = self.node(*left) {
                    self.union(left, self.values.len());
                }
            }
            Op::Invoke(_, _, arguments) => {
                if let Some((from, to)) = families::copied_arrays(self.code, body, value) {
                    self.same(from, to);
                }
                for target in &self.code.calls.targets(body.method, value).methods {
                    demands.get(target).iter().for_each(|demand| self.call(demand, value, arguments));
                }
            }
            _ => {}
        }
    }

    fn node(&self, value: Value) -> Option<usize> {
        self.nodes.get(&value).copied()
    }

    fn same(&mut self, a: Value, b: Value) {
        if let (Some(a), Some(b)) = (self.node(a), self.node(b)) {
            self.union(a, b);
        }
    }

    /// An object of a family keeps others of its owner, any other object keeps its own.
    fn keep(&mut self, object: Value, kept: Value) {
        let Some(node) = self.node(kept) else { return };
        let family = |value: Value| self.families.get(self.body.instruction(value).ty);
        if family(object) == family(kept) {
            self.same(object, kept);
        } else {
            self.own(node, self.paths.get(object).clone());
        }
    }

    fn call(&mut self, demand: &Demand, call: Value, arguments: &[Value]) {
        for (slots, owner) in &demand.groups {
            let value = |slot: &Slot| match slot {
                Slot::Parameter(n) => arguments.get(usize::from(*n)).copied(),
                Slot::Result => Some(call),
            };
            let nodes: Vec<usize> = slots.iter().filter_map(|slot| self.node(value(slot)?)).collect();
            nodes.windows(2).for_each(|pair| self.union(pair[0], pair[1]));
            if let (Some(owner), Some(node)) = (owner, nodes.first()) {
                match self.paths.in_caller(owner, arguments) {
                    Some(owner) => self.own(*node, owner),
                    None => self.refuse(*node),
                }
            }
        }
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.above[node] != node {
            self.above[node] = self.above[self.above[node]];
            node = self.above[node];
        }
        node
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // What is returned comes last, so that a group that has a value is known by it.
        let (top, below) = (a.min(b), a.max(b));
        if top != below {
            self.above[below] = top;
            if let Some(owner) = self.owners[below].take() {
                self.own(top, owner);
            }
        }
    }

    fn own(&mut self, node: usize, owner: Path) {
        let node = self.find(node);
        match &self.owners[node] {
            Some(known) if *known != owner => self.refuse(node),
            _ => self.owners[node] = Some(owner),
        }
    }

    fn refuse(&mut self, node: usize) {
        let top = self.find(node);
        let ty = self.values.get(top).map_or(Type::NULL, |value| self.body.instruction(*value).ty);
        self.refused.extend(self.families.get(ty).map(|family| (family, self.at)));
    }

    fn finish(mut self) -> Unified {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.above.len()];
        (0..self.above.len()).for_each(|node| groups[self.find(node)].push(node));
        // What is returned is known by a value, or it is null.
        let n_values = self.values.len();
        let mut unified = Unified::default();
        for group in groups.iter().filter(|group| group.first().is_some_and(|node| *node < n_values)) {
            self.settle(group, &mut unified);
        }
        unified.refused = self.refused;
        unified
    }

    fn settle(&mut self, group: &[usize], unified: &mut Unified) {
        let owner = self.owners[group[0]].clone();
        let slots: Vec<Slot> = group.iter().filter_map(|node| self.slot(*node)).collect();
        if let Some(Root::Value(root)) = owner.as_ref().map(|owner| owner.root)
            && (!slots.is_empty() || !self.stays(root, group))
        {
            self.at = self.values[group[0]];
            self.refuse(group[0]);
        }
        let term = match (&owner, slots.first()) {
            (Some(owner), _) => Term::Path(owner.clone()),
            (None, Some(Slot::Parameter(n))) => Term::Parameter(*n),
            (None, _) => Term::Nobody,
        };
        let values = group.iter().filter_map(|node| self.values.get(*node));
        unified.terms.extend(values.map(|value| (*value, term.clone())));
        if slots.len() + usize::from(owner.is_some()) > 1 && !slots.is_empty() {
            unified.demand.groups.push((slots, owner));
        }
    }

    /// Parameters stand first in a body, and what is returned last: the slots of a group are sorted.
    fn slot(&self, node: usize) -> Option<Slot> {
        match self.values.get(node).map(|value| self.body.op(*value)) {
            Some(Op::Parameter(n)) => Some(Slot::Parameter(*n)),
            Some(_) => None,
            None => Some(Slot::Result),
        }
    }

    /// Whether a value is the same one for all objects of a group. Where it is computed again and again, they must be computed
    /// after it each time: then none of them is left over from an earlier round of a loop.
    fn stays(&self, owner: Value, group: &[usize]) -> bool {
        let of = block_of(self.body, owner);
        if !is_in_loop(self.body, of) {
            return true;
        }
        let dominators = Dominators::of(self.body);
        let is_phi = |value: Value| matches!(self.body.op(value), Op::Phi(_));
        group.iter().filter_map(|node| self.values.get(*node)).all(|value| {
            let block = block_of(self.body, *value);
            // Phis of one block get their values at once, from the round before.
            let follows = owner < *value && !(is_phi(owner) && is_phi(*value));
            dominators.dominates(of, block) && (of != block || follows)
        })
    }
}

fn block_of(body: &Body, value: Value) -> Block {
    let holds = |block: &Block| body.block(*block).instructions.contains(&value.0);
    body.blocks().find(holds).unwrap_or(Block(0))
}

/// Whether a block can be reached from itself.
fn is_in_loop(body: &Body, block: Block) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut open = vec![block];
    while let Some(at) = open.pop() {
        let handlers = body.block(at).handlers.iter().map(|(_, handler)| *handler);
        for to in body.successors(at).into_iter().chain(handlers) {
            if to == block {
                return true;
            }
            if !std::mem::replace(&mut seen[to.index()], true) {
                open.push(to);
            }
        }
    }
    false
}
