//! What of a method's code may come before what.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use static_typer::ir::{Block, Body, Value};
use static_typer::points_to::{Code, CodeId};
use static_typer::program::Program;

/// Answers of one component, each block's successors followed once.
#[derive(Default, Debug)]
pub struct Sequence {
    bodies: FxHashMap<CodeId, Option<Body>>,
    after: FxHashMap<(CodeId, u32), BTreeSet<u32>>,
}

impl Sequence {
    /// Whether one run may come to `second` after `first`. Of code without a body, anything may come before anything.
    pub fn may_precede(
        &mut self,
        program: &Program,
        (code, data): (CodeId, &Code),
        first: Value,
        second: Value,
    ) -> bool {
        if data.lambda.is_some() {
            return false;
        }
        let Some((from, to)) = self.blocks(program, (code, data), first, second) else { return true };
        if from == to && first < second {
            return true;
        }
        if !self.after.contains_key(&(code, from.0)) {
            let after = self.body(program, (code, data)).map(|body| reached(body, from)).unwrap_or_default();
            self.after.insert((code, from.0), after);
        }
        self.after[&(code, from.0)].contains(&to.0)
    }

    /// Whether no run comes to `second` that has not gone on from `first`. Of code without a body, nothing is certain.
    pub fn must_precede(
        &mut self,
        program: &Program,
        (code, data): (CodeId, &Code),
        first: Value,
        second: Value,
    ) -> bool {
        let known = self.blocks(program, (code, data), first, second).filter(|_| data.lambda.is_none());
        let Some(((by, to), body)) = known.zip(self.body(program, (code, data))) else { return false };
        by == to && first < second || by != to && !passed_by(body, by).contains(&to.0)
    }

    /// The blocks of two instructions, if the code has both.
    fn blocks(
        &mut self,
        program: &Program,
        (code, data): (CodeId, &Code),
        first: Value,
        second: Value,
    ) -> Option<(Block, Block)> {
        let body = self.body(program, (code, data))?;
        let is_in = |value: Value| value.index() < body.instructions.len();
        (is_in(first) && is_in(second)).then(|| (block_of(body, first), block_of(body, second)))
    }

    fn body(&mut self, program: &Program, (code, data): (CodeId, &Code)) -> Option<&Body> {
        self.bodies.entry(code).or_insert_with(|| Body::of(program, data.method?)?.ok()).as_ref()
    }
}

fn block_of(body: &Body, value: Value) -> Block {
    Block(body.blocks.partition_point(|block| block.instructions.end <= value.0) as u32)
}

/// The blocks that a run may come to from a block, itself only if it does so again.
fn reached(body: &Body, from: Block) -> BTreeSet<u32> {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(block) = open.pop() {
        let handlers = body.block(block).handlers.iter().map(|(_, handler)| *handler);
        open.extend(body.successors(block).into_iter().chain(handlers).filter(|to| seen.insert(to.0)));
    }
    seen
}

/// The blocks that runs may come to from the beginning without going on from the end of a block. Where an exception leaves the block,
/// it may have come from before what counts.
fn passed_by(body: &Body, by: Block) -> BTreeSet<u32> {
    let (mut open, mut seen) = (vec![Block(0)], BTreeSet::from([0]));
    while let Some(block) = open.pop() {
        let handlers = body.block(block).handlers.iter().map(|(_, handler)| *handler);
        let successors = if block == by { Vec::new() } else { body.successors(block).into_iter().collect() };
        open.extend(successors.into_iter().chain(handlers).filter(|to| seen.insert(to.0)));
    }
    seen
}
