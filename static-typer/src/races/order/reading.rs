//! What the instructions of one body are about, for rules that go by the code of one method.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::ir::{Block, Body, Call, Condition, Op, Value};
use crate::points_to::{InstanceId, PointsTo};
use crate::program::{Constant, Member, Program};

/// A body that an instance runs.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its objects and calls.
    pub points_to: &'a PointsTo,
    /// The instance.
    pub instance: InstanceId,
    /// What it runs.
    pub body: &'a Body,
}

impl<'a> Reading<'a> {
    /// What a value is, without casts.
    #[must_use]
    pub fn origin(&self, mut value: Value) -> Value {
        while let Op::Cast(from) = self.body.op(value) {
            value = *from;
        }
        value
    }

    /// The name of the method that an instruction calls, and the arguments, the receiver being the first.
    #[must_use]
    pub fn call(&self, at: Value) -> Option<(Cow<'a, str>, &'a [Value])> {
        let (member, arguments) = self.callee(at)?;
        Some((self.program.names().text(member.name), arguments))
    }

    /// The class that a call names.
    #[must_use]
    pub fn owner(&self, at: Value) -> Option<Cow<'a, str>> {
        Some(self.program.names().text(self.callee(at)?.0.owner.as_class()?))
    }

    fn callee(&self, at: Value) -> Option<(&'a Member, &'a [Value])> {
        match self.body.op(at) {
            Op::Invoke(_, member, arguments) => Some((self.program.member(*member), arguments)),
            _ => None,
        }
    }

    /// What a call is made on.
    #[must_use]
    pub fn receiver(&self, at: Value) -> Option<Value> {
        match self.body.op(at) {
            Op::Invoke(Call::Static, ..) => None,
            Op::Invoke(_, _, arguments) => arguments.first().map(|receiver| self.origin(*receiver)),
            _ => None,
        }
    }

    /// A constant.
    #[must_use]
    pub fn int(&self, value: Value) -> Option<i32> {
        match self.body.op(value) {
            Op::Constant(Constant::Int(int)) => Some(*int),
            _ => None,
        }
    }

    /// The instructions that use a value, casts aside.
    pub fn users(&self, value: Value) -> impl Iterator<Item = Value> + use<'_, 'a> {
        self.body.all_values().filter(move |at| {
            let mut is_used = false;
            self.body.op(*at).for_each_operand(|operand| is_used |= self.origin(operand) == value);
            is_used && !matches!(self.body.op(*at), Op::Cast(_))
        })
    }

    /// Where a branch goes that compares a value with zero or `null`: if it is that, and if it is not.
    #[must_use]
    pub fn branch(&self, at: Value) -> Option<(Value, Block, Block)> {
        match self.body.op(at) {
            Op::Branch(Condition::Equal, value, None, then, otherwise) => Some((*value, *then, *otherwise)),
            Op::Branch(Condition::NotEqual, value, None, then, otherwise) => Some((*value, *otherwise, *then)),
            _ => None,
        }
        .filter(|(_, zero, other)| zero != other)
    }

    /// The blocks to which ways from some blocks lead; one of them is left by exceptions only.
    #[must_use]
    pub fn reached(&self, from: &[Block], blocked: Option<Block>) -> FxHashSet<Block> {
        let mut reached = FxHashSet::default();
        let mut open = from.to_vec();
        while let Some(block) = open.pop() {
            if reached.insert(block) {
                open.extend(self.handlers(block));
                if Some(block) != blocked {
                    open.extend(self.body.successors(block));
                }
            }
        }
        reached
    }

    fn handlers(&self, block: Block) -> impl Iterator<Item = Block> + use<'_, 'a> {
        self.body.block(block).handlers.iter().map(|(_, handler)| *handler)
    }

    /// Whether one run may come to an instruction more than once.
    #[must_use]
    pub fn repeats(&self, at: Value) -> bool {
        let block = self.body.block_of(at);
        self.reached(&self.body.following(block), None).contains(&block)
    }

    /// Whether every way from one instruction to a later one leads past the end of another one.
    #[must_use]
    pub fn follows(&self, from: Value, past: Value, to: Value) -> bool {
        let (between, end) = (self.body.block_of(past), self.body.block_of(to));
        if end == between {
            return to > past;
        }
        end != self.body.block_of(from) && !self.without(from, past).contains(&end)
    }

    /// Whether every way from one instruction to a block, or back to where a value is made, leads past the end of another one.
    #[must_use]
    pub fn comes_past(&self, from: Value, past: Value, to: Block, made: Value) -> bool {
        let reached = self.without(from, past);
        !reached.contains(&to) && !reached.contains(&self.body.block_of(made))
    }

    /// Where ways from an instruction lead that do not come to the end of another one.
    fn without(&self, from: Value, past: Value) -> FxHashSet<Block> {
        let (start, between) = (self.body.block_of(from), self.body.block_of(past));
        let next =
            if start == between && past > from { self.handlers(start).collect() } else { self.body.following(start) };
        self.reached(&next, Some(between))
    }
}
