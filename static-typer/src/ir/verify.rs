//! What holds of every body:
//!
//! 1. The blocks' instructions follow each other and are all instructions; each block ends with its only terminator.
//! 2. Predecessors are exactly the blocks that lead somewhere, by a jump or by a handler, and stand in reverse postorder.
//!    Nothing leads to the first block, and only exceptions lead to a handler.
//! 3. Phis stand at the beginning of a block and have one operand for each predecessor; [`Op::Caught`] stands behind them in
//!    exactly the blocks that are handlers; parameters stand in the first block.
//! 4. A value is computed on every path to its use. What a block computes reaches its handlers only if it was there before.
//! 5. Every instruction works on types that fit it, and only those with a result have a type.

mod types;

use rustc_hash::FxHashSet;

use super::dominators::Dominators;
use super::{Block, Body, Op, Value};
use crate::program::Program;
use types::Types;

/// Checks a body.
///
/// # Errors
/// What does not hold: a sentence with the place.
pub fn verify(program: &Program, body: &Body) -> Result<(), String> {
    let block_of = blocks_of(body)?;
    edges(body)?;
    let handlers = handlers(body)?;
    let verifier = Verifier { body, dominators: Dominators::of(body), handlers, block_of };
    body.all_values().try_for_each(|value| {
        verifier.place(value)?;
        verifier.operands(value)
    })?;
    let types = Types { program, body };
    let misfit = body.blocks().find_map(|block| body.values(block).find(|value| !types.fit(block, *value)));
    misfit.map_or(Ok(()), |value| Err(format!("v{}: its types do not fit", value.0)))
}

struct Verifier<'a> {
    body: &'a Body,
    dominators: Dominators,
    handlers: FxHashSet<Block>,
    block_of: Vec<Block>,
}

fn blocks_of(body: &Body) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    for block in body.blocks() {
        let range = &body.block(block).instructions;
        if range.start as usize != blocks.len() || range.is_empty() || range.end as usize > body.instructions.len() {
            return Err(format!("block{}: its instructions do not follow those before it", block.0));
        }
        let terminators = body.values(block).filter(|value| body.op(*value).is_terminator());
        if terminators.collect::<Vec<_>>() != [Value(range.end - 1)] {
            return Err(format!("block{}: it does not end with its only terminator", block.0));
        }
        blocks.resize(range.end as usize, block);
    }
    if blocks.is_empty() {
        return Err("no blocks".to_owned());
    }
    if blocks.len() == body.instructions.len() { Ok(blocks) } else { Err("instructions outside the blocks".to_owned()) }
}

fn edges(body: &Body) -> Result<(), String> {
    let mut expected = vec![Vec::new(); body.blocks.len()];
    for block in body.blocks() {
        let mut targets = body.successors(block);
        for (_, handler) in &body.block(block).handlers {
            if !targets.contains(handler) {
                targets.push(*handler);
            }
        }
        for to in targets {
            expected.get_mut(to.index()).ok_or_else(|| format!("block{}: a jump to nowhere", block.0))?.push(block);
        }
    }
    for block in body.blocks() {
        let mut known = body.block(block).predecessors.clone();
        known.sort_unstable();
        let reached = if block.0 == 0 { known.is_empty() } else { known.first().is_some_and(|first| *first < block) };
        if known != expected[block.index()] || !reached {
            return Err(format!("block{}: its predecessors are not those that lead to it", block.0));
        }
    }
    Ok(())
}

/// The blocks that exceptions lead to.
fn handlers(body: &Body) -> Result<FxHashSet<Block>, String> {
    let handlers: FxHashSet<Block> =
        body.blocks.iter().flat_map(|block| &block.handlers).map(|(_, handler)| *handler).collect();
    let jump = body.blocks().find(|block| body.successors(*block).iter().any(|to| handlers.contains(to)));
    jump.map_or(Ok(handlers), |block| Err(format!("block{}: a jump to a handler", block.0)))
}

impl Verifier<'_> {
    fn place(&self, value: Value) -> Result<(), String> {
        let block = self.block_of[value.index()];
        let data = self.body.block(block);
        let is_handler = self.handlers.contains(&block);
        let first = data.instructions.start == value.0;
        let behind_phis = first || matches!(self.body.op(Value(value.0 - 1)), Op::Phi(_));
        let fits = match self.body.op(value) {
            Op::Phi(operands) => behind_phis && block.0 > 0 && operands.len() == data.predecessors.len(),
            Op::Parameter(_) => block.0 == 0,
            Op::Caught => behind_phis && is_handler,
            _ => !(behind_phis && is_handler),
        };
        if fits { Ok(()) } else { Err(format!("v{}: it does not belong there", value.0)) }
    }

    fn operands(&self, value: Value) -> Result<(), String> {
        let block = self.block_of[value.index()];
        let mut wrong = None;
        let mut n = 0;
        self.body.op(value).for_each_operand(|operand| {
            let known = operand.index() < self.block_of.len();
            let computed = match self.body.op(value) {
                Op::Phi(_) => known && self.reaches_end(operand, self.body.block(block).predecessors[n], block),
                _ => known && self.reaches(operand, value),
            };
            n += 1;
            if !computed {
                wrong = Some(operand);
            }
        });
        wrong.map_or(Ok(()), |operand| Err(format!("v{}: v{} is not computed on every path to it", value.0, operand.0)))
    }

    fn reaches(&self, operand: Value, user: Value) -> bool {
        let (from, to) = (self.block_of[operand.index()], self.block_of[user.index()]);
        if from == to { operand < user } else { self.dominators.dominates(from, to) }
    }

    /// Whether a value is there when `before` leads to `block`.
    fn reaches_end(&self, operand: Value, before: Block, block: Block) -> bool {
        let from = self.block_of[operand.index()];
        let by_handler = !self.body.successors(before).contains(&block);
        // A handler sees the phis of the block, which are there when it begins.
        let in_time = from != before || !by_handler || matches!(self.body.op(operand), Op::Phi(_));
        in_time && self.dominators.dominates(from, before)
    }
}
