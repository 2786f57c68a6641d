//! Which value a variable has: phis where paths with different values meet.
//!
//! After M. Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013), with all blocks
//! known from the start: a phi is made at every join that is asked, its operands are found when all code is translated, and
//! those that stand for a single value are removed.

use rustc_hash::FxHashMap;

use super::build::{Builder, UNDEFINED};
use super::flow::Kind;
use super::{Block, BlockData, Body, Malformed, Op, Value, typing};
use crate::program::{Constant, Name, Type};

impl Builder<'_> {
    /// The value of a variable where a node begins.
    pub fn read_at_entry(&mut self, node: usize, variable: u32) -> Value {
        let mut passed = Vec::new();
        let mut node = node;
        let value = loop {
            if let Some(value) = self.at_entry[node].get(&variable) {
                break *value;
            }
            passed.push(node);
            match self.graph.nodes[node].predecessors[..] {
                // The first block of a method has no predecessor: it is where parameters are.
                [] => break UNDEFINED,
                [before] => {
                    if let Some(value) = self.assigned_before(node, before, variable) {
                        break value;
                    }
                    node = before;
                }
                _ => break self.new_phi(node, variable),
            }
        };
        for node in passed {
            self.at_entry[node].insert(variable, value);
        }
        value
    }

    /// What a node assigns, unless it is left by an exception: then the variables are as when it began.
    fn assigned_before(&self, node: usize, before: usize, variable: u32) -> Option<Value> {
        let by_exception = matches!(self.graph.nodes[node].kind, Kind::Landing { .. });
        self.assigned[before].get(&variable).copied().filter(|_| !by_exception)
    }

    fn new_phi(&mut self, node: usize, variable: u32) -> Value {
        let at = match self.graph.nodes[node].kind {
            Kind::Entry => 0,
            Kind::Code { start, .. } => start,
            Kind::Landing { target, .. } => target,
        };
        let phi = self.new_value(Op::Phi(Box::default()), typing::UNKNOWN, at);
        self.phis[node].push(phi);
        self.pending.push((node, variable, phi));
        phi
    }

    /// Finds the operands of all phis, which may take new phis.
    pub fn complete_phis(&mut self) {
        while let Some((node, variable, phi)) = self.pending.pop() {
            let graph = self.graph;
            let read = |before: &usize| {
                let assigned = self.assigned_before(node, *before, variable);
                assigned.unwrap_or_else(|| self.read_at_entry(*before, variable))
            };
            let operands = graph.nodes[node].predecessors.iter().map(read).collect();
            self.instructions[phi.index()].op = Op::Phi(operands);
        }
    }

    /// The body, with the phis that are needed and its values numbered in order.
    pub fn finish(mut self) -> Result<Body, Malformed> {
        let replaced = self.redundant_phis();
        let live = self.live_phis(&replaced);
        let mut body = Body {
            method: self.method,
            instructions: Vec::new(),
            blocks: Vec::new(),
            lines: std::mem::take(&mut self.lines),
        };
        let mut new = vec![UNDEFINED; self.instructions.len()];
        let mut order: Vec<Value> = Vec::new();
        for node in 0..self.lists.len() {
            let start = order.len() as u32;
            order.extend(self.phis[node].iter().filter(|phi| live[phi.index()]));
            order.extend(&self.lists[node]);
            body.blocks.push(self.block_data(node, start..order.len() as u32)?);
        }
        for (n, value) in order.iter().enumerate() {
            new[value.index()] = Value(n as u32);
        }
        for value in order {
            let placeholder = super::Instruction { op: Op::Caught, ty: Type::VOID, at: 0 };
            let mut instruction = std::mem::replace(&mut self.instructions[value.index()], placeholder);
            let mut undefined = false;
            instruction.op.for_each_operand_mut(|operand| {
                let kept = find(&replaced, *operand);
                *operand = if kept == UNDEFINED { UNDEFINED } else { new[kept.index()] };
                undefined |= *operand == UNDEFINED;
            });
            if undefined {
                return Malformed::new("a variable that is not set on every path");
            }
            body.instructions.push(instruction);
        }
        Ok(body)
    }

    fn block_data(&self, node: usize, instructions: std::ops::Range<u32>) -> Result<BlockData, Malformed> {
        let class = self.program.method(self.method).class;
        let node = &self.graph.nodes[node];
        let mut handlers = Vec::new();
        for (catch_type, landing) in &node.handlers {
            let ty = match (catch_type, self.program.constant(class, *catch_type)) {
                (0, _) => None,
                (_, Constant::Class(ty)) if ty == Type::class(Name::THROWABLE) => None,
                (_, Constant::Class(ty)) => Some(ty),
                _ => return Malformed::new("a handler of something that is no class"),
            };
            handlers.push((ty, Block(*landing as u32)));
        }
        let predecessors = node.predecessors.iter().map(|before| Block(*before as u32)).collect();
        Ok(BlockData { instructions, predecessors, handlers })
    }

    /// For each phi that stands for one other value, that value; everything else stands for itself.
    fn redundant_phis(&self) -> Vec<Value> {
        let mut replaced: Vec<Value> = (0..self.instructions.len() as u32).map(Value).collect();
        let mut users: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        let mut work: Vec<Value> = self.phis.iter().flatten().copied().collect();
        for phi in &work {
            self.instructions[phi.index()].op.for_each_operand(|operand| users.entry(operand).or_default().push(*phi));
        }
        while let Some(phi) = work.pop() {
            let Some(value) = self.single_value(phi, &replaced).filter(|_| find(&replaced, phi) == phi) else {
                continue;
            };
            replaced[phi.index()] = value;
            let freed = users.remove(&phi).unwrap_or_default();
            work.extend(&freed);
            users.entry(value).or_default().extend(freed);
        }
        replaced
    }

    /// The one value besides itself that a phi can have.
    fn single_value(&self, phi: Value, replaced: &[Value]) -> Option<Value> {
        let mut single = None;
        let mut several = false;
        self.instructions[phi.index()].op.for_each_operand(|operand| {
            let operand = find(replaced, operand);
            if operand != phi {
                several |= single.is_some_and(|known| known != operand);
                single = Some(operand);
            }
        });
        if several { None } else { single.or(Some(UNDEFINED)) }
    }

    /// The phis that something else than a phi needs, directly or through others.
    fn live_phis(&self, replaced: &[Value]) -> Vec<bool> {
        let mut live = vec![false; self.instructions.len()];
        let mut work: Vec<Value> = self.lists.iter().flatten().copied().collect();
        while let Some(value) = work.pop() {
            self.instructions[value.index()].op.for_each_operand(|operand| {
                let operand = find(replaced, operand);
                let is_phi = operand != UNDEFINED && matches!(self.instructions[operand.index()].op, Op::Phi(_));
                if is_phi && !live[operand.index()] {
                    live[operand.index()] = true;
                    work.push(operand);
                }
            });
        }
        live
    }
}

/// Chains are short: a phi is replaced by what its operand stood for at that time.
fn find(replaced: &[Value], mut value: Value) -> Value {
    while value != UNDEFINED && replaced[value.index()] != value {
        value = replaced[value.index()];
    }
    value
}
