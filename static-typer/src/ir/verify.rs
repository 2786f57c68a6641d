//! What holds of every body:
//!
//! 1. The blocks' instructions follow each other and are all instructions; each block ends with its only terminator.
//! 2. Predecessors are exactly the blocks that lead somewhere, by a jump or by a handler, and stand in reverse postorder.
//! 3. Phis stand at the beginning of a block and have one operand for each predecessor; [`Op::Caught`] stands first in
//!    exactly the blocks that are handlers; parameters stand in the first block.
//! 4. A value is computed on every path to its use. What a block computes reaches its handlers only if it was there before.
//! 5. Every instruction works on types that fit it, and only those with a result have a type.

use rustc_hash::FxHashSet;

use super::dominators::Dominators;
use super::{Block, Body, Op, Value};
use crate::program::{Base, Program, Type};

/// Checks a body.
///
/// # Errors
/// What does not hold: a sentence with the place.
pub fn verify(program: &Program, body: &Body) -> Result<(), String> {
    let block_of = blocks_of(body)?;
    edges(body)?;
    let handlers = body.blocks.iter().flat_map(|block| &block.handlers).map(|(_, handler)| *handler).collect();
    let verifier = Verifier { program, body, dominators: Dominators::of(body), handlers, block_of };
    body.all_values().try_for_each(|value| {
        verifier.place(value)?;
        verifier.operands(value)?;
        verifier.types(value)
    })
}

struct Verifier<'a> {
    program: &'a Program,
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
        let reached = block.0 == 0 || known.first().is_some_and(|first| *first < block);
        if known != expected[block.index()] || !reached {
            return Err(format!("block{}: its predecessors are not those that lead to it", block.0));
        }
    }
    Ok(())
}

impl Verifier<'_> {
    fn place(&self, value: Value) -> Result<(), String> {
        let block = self.block_of[value.index()];
        let data = self.body.block(block);
        let is_handler = self.handlers.contains(&block);
        let first = data.instructions.start == value.0;
        let fits = match self.body.op(value) {
            Op::Phi(operands) => {
                let only_phis =
                    (data.instructions.start..value.0).all(|before| matches!(self.body.op(Value(before)), Op::Phi(_)));
                only_phis && operands.len() == data.predecessors.len()
            }
            Op::Parameter(_) => block.0 == 0,
            Op::Caught => is_handler,
            _ => !first || !is_handler || self.body.values(block).any(|value| *self.body.op(value) == Op::Caught),
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

    fn types(&self, value: Value) -> Result<(), String> {
        let instruction = self.body.instruction(value);
        let ty = |value: &Value| self.body.instruction(*value).ty;
        let int = |value: &Value| ty(value) == Type::INT;
        let reference = |value: &Value| ty(value).is_reference();
        let result = instruction.ty;
        let has_result = result != Type::VOID;
        let fits = match &instruction.op {
            Op::Parameter(_) | Op::GetStatic(_) | Op::Constant(_) => has_result,
            Op::Caught | Op::Null | Op::New => result.is_reference(),
            Op::Phi(values) => values.iter().all(|value| self.flows(ty(value), result)),
            Op::Arithmetic(..) | Op::Negate(_) | Op::Convert(..) => has_result && !result.is_reference(),
            Op::NewArray(length) => int(length) && result.dimensions > 0,
            Op::NewArrays(lengths) => lengths.iter().all(int) && usize::from(result.dimensions) >= lengths.len(),
            Op::Length(array) => reference(array) && result == Type::INT,
            Op::LoadElement(array, index) => self.is_array(ty(array)) && int(index) && has_result,
            Op::StoreElement(array, index, _) => self.is_array(ty(array)) && int(index) && !has_result,
            Op::GetField(object, _) => reference(object) && has_result,
            Op::PutField(object, ..) => reference(object) && !has_result,
            Op::Cast(value) => reference(value) && result.is_reference(),
            Op::InstanceOf(value, _) => reference(value) && result == Type::INT,
            Op::Enter(value) | Op::Exit(value) | Op::Throw(value) => reference(value) && !has_result,
            Op::Invoke(call, member, arguments) => {
                let signature = self.program.names().signature(self.program.member(*member).descriptor);
                let receiver = usize::from(*call != super::Call::Static);
                arguments.len() == signature.parameters.len() + receiver
                    && result == signature.result.on_stack()
                    && (receiver == 0 || reference(&arguments[0]))
                    && self.fit(&arguments[receiver..], &signature.parameters)
            }
            Op::InvokeDynamic(_, _, descriptor, arguments) => {
                let signature = self.program.names().signature(*descriptor);
                self.fit(arguments, &signature.parameters) && result == signature.result.on_stack()
            }
            Op::Switch(value, ..) => int(value) && !has_result,
            Op::Return(value) => {
                let returned = self.program.signature(self.body.method).result;
                !has_result && value.as_ref().map_or(returned == Type::VOID, |value| self.flows(ty(value), returned))
            }
            Op::PutStatic(..) | Op::Jump(_) | Op::Branch(..) => !has_result,
        };
        if fits { Ok(()) } else { Err(format!("v{}: its types do not fit", value.0)) }
    }

    fn fit(&self, arguments: &[Value], parameters: &[Type]) -> bool {
        let types = arguments.iter().map(|argument| self.body.instruction(*argument).ty);
        types.len() == parameters.len() && types.zip(parameters).all(|(ty, parameter)| self.flows(ty, *parameter))
    }

    fn is_array(&self, ty: Type) -> bool {
        ty.dimensions > 0 || ty == Type::NULL
    }

    /// Whether values of one type may be where another is expected. An interface takes every reference (JVMS 4.10.1.2), and
    /// what is known of missing classes is nothing.
    fn flows(&self, ty: Type, to: Type) -> bool {
        if !ty.is_reference() || !to.is_reference() {
            return ty.on_stack() == to.on_stack();
        }
        self.is_open(to) || self.is_open(ty) || self.program.is_subtype(ty, to)
    }

    fn is_open(&self, ty: Type) -> bool {
        let Base::Class(name) = ty.base else { return false };
        let class = self.program.find(name).map(|class| self.program.class(class));
        class.is_none_or(|class| class.is_interface() || class.is_incomplete)
    }
}
