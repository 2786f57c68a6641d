//! The intermediate form of a method: typed three-address instructions in SSA form, without an operand stack.
//!
//! Every instruction has a number, [`Value`], which also stands for its result. A block begins with its phis and ends with
//! its only terminator; exceptions leave it for its handlers, whose first block starts with [`Op::Caught`].

mod build;
mod dominators;
mod flow;
mod parse;
mod print;
mod ssa;
mod typing;
mod verify;

pub use dominators::Dominators;
pub use verify::verify;

use crate::program::{Constant, Descriptor, MemberRef, MethodId, Name, Program, Type};

/// An instruction, and what it computes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub u32);

/// A block of a [`Body`]; the first is where the method begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Block(pub u32);

impl Value {
    /// Its place in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Block {
    /// Its place in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A method's code.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// The method.
    pub method: MethodId,
    /// Every instruction, in the order of the blocks.
    pub instructions: Vec<Instruction>,
    /// In reverse postorder; every block can be reached.
    pub blocks: Vec<BlockData>,
    /// Where each source line begins: bytecode offset and line, by offset.
    pub lines: Vec<(u16, u16)>,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// What it does.
    pub op: Op,
    /// The type of its result.
    pub ty: Type,
    /// Offset of the bytecode instruction it comes from.
    pub at: u16,
}

/// A block.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockData {
    /// Its first instruction and one past its last.
    pub instructions: std::ops::Range<u32>,
    /// Blocks that lead here, each once; by a handler if this block begins with [`Op::Caught`].
    pub predecessors: Vec<Block>,
    /// Where exceptions go, innermost first: what is caught, and the handler's block. The instructions of a protected block
    /// that can throw come before anything the handler could tell apart.
    pub handlers: Vec<(Option<Type>, Block)>,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// A parameter of the method, the receiver being the first.
    Parameter(u16),
    /// The exception that a handler caught.
    Caught,
    /// A different value for each predecessor of the block.
    Phi(Box<[Value]>),
    /// `null`.
    Null,
    /// A constant, except `null`.
    Constant(Constant),
    /// An operation on two numbers.
    Arithmetic(Arithmetic, Value, Value),
    /// The negative of a number.
    Negate(Value),
    /// A number as one of the instruction's type, `int` for the narrow ones.
    Convert(Value, Type),
    /// A new object; its constructor is called by another instruction.
    New,
    /// A new array of that length.
    NewArray(Value),
    /// A new array of arrays, with the outer lengths.
    NewArrays(Box<[Value]>),
    /// The length of an array.
    Length(Value),
    /// Reads an element: array, index.
    LoadElement(Value, Value),
    /// Writes an element: array, index, value.
    StoreElement(Value, Value, Value),
    /// Reads a field of an object.
    GetField(Value, MemberRef),
    /// Writes a field of an object.
    PutField(Value, MemberRef, Value),
    /// Reads a static field.
    GetStatic(MemberRef),
    /// Writes a static field.
    PutStatic(MemberRef, Value),
    /// Calls a method; the receiver is the first argument.
    Invoke(Call, MemberRef, Box<[Value]>),
    /// Calls what a bootstrap method links: its number in the class, name, descriptor, arguments.
    InvokeDynamic(u16, Name, Descriptor, Box<[Value]>),
    /// A reference as one of the instruction's type, or an exception.
    Cast(Value),
    /// Whether a reference is of a type.
    InstanceOf(Value, Type),
    /// Takes a monitor.
    Enter(Value),
    /// Leaves a monitor.
    Exit(Value),
    /// Goes to a block.
    Jump(Block),
    /// Compares two values, or one with zero or `null`; goes to the first block if it holds.
    Branch(Condition, Value, Option<Value>, Block, Block),
    /// Goes to the block of an `int`, or else to the first.
    Switch(Value, Block, Box<[(i32, Block)]>),
    /// Leaves the method.
    Return(Option<Value>),
    /// Throws an exception.
    Throw(Value),
}

/// An operation on two numbers (JVMS 2.11.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named like the operations of Java")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    UnsignedShiftRight,
    And,
    Or,
    Xor,
    /// -1, 0 or 1.
    Compare,
    /// The same, -1 for what is not a number.
    CompareLess,
    /// The same, 1 for what is not a number.
    CompareGreater,
}

/// How a branch compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named like the comparisons of Java")]
pub enum Condition {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

/// How a method is called (JVMS 2.11.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// By the receiver's class.
    Virtual,
    /// A constructor, a private method, or one of a superclass.
    Special,
    /// Without a receiver.
    Static,
    /// By the receiver's class, through an interface.
    Interface,
}

/// Why a method has no [`Body`]: a noun phrase.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

impl From<classfile::Malformed> for Malformed {
    fn from(malformed: classfile::Malformed) -> Self {
        Self(malformed.to_string())
    }
}

impl Malformed {
    fn new<T>(reason: &str) -> Result<T, Self> {
        Err(Self(reason.to_owned()))
    }
}

impl Body {
    /// The body of a method, or `None` for one without code, or whose code was not kept.
    ///
    /// # Errors
    /// The code is damaged: the JVM would refuse the class.
    pub fn of(program: &Program, method: MethodId) -> Option<Result<Self, Malformed>> {
        let code = program.code(method).filter(|_| program.method(method).has_code())?;
        Some(build::build(program, method, code))
    }

    /// An instruction.
    #[must_use]
    pub fn instruction(&self, value: Value) -> &Instruction {
        &self.instructions[value.index()]
    }

    /// What an instruction does.
    #[must_use]
    pub fn op(&self, value: Value) -> &Op {
        &self.instructions[value.index()].op
    }

    /// The blocks.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + use<> {
        (0..self.blocks.len() as u32).map(Block)
    }

    /// A block.
    #[must_use]
    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.index()]
    }

    /// The instructions of a block.
    pub fn values(&self, block: Block) -> impl DoubleEndedIterator<Item = Value> + use<> {
        self.block(block).instructions.clone().map(Value)
    }

    /// Every instruction.
    pub fn all_values(&self) -> impl DoubleEndedIterator<Item = Value> + use<> {
        (0..self.instructions.len() as u32).map(Value)
    }

    /// Where a block goes without an exception, each block once.
    #[must_use]
    pub fn successors(&self, block: Block) -> Vec<Block> {
        self.values(block).next_back().map(|last| self.op(last).targets()).unwrap_or_default()
    }

    /// Where a block goes, with an exception or without.
    #[must_use]
    pub fn following(&self, block: Block) -> Vec<Block> {
        let handlers = self.block(block).handlers.iter().map(|(_, handler)| *handler);
        self.successors(block).into_iter().chain(handlers).collect()
    }

    /// Whether an instruction may end in an exception; fields of the object that a method is called on are accessed without one.
    #[must_use]
    pub fn may_throw(&self, program: &Program, value: Value) -> bool {
        let is_receiver =
            |object: Value| matches!(self.op(object), Op::Parameter(0)) && !program.method(self.method).is_static();
        match self.op(value) {
            Op::Parameter(_) | Op::Caught | Op::Phi(_) | Op::Null | Op::Constant(_) | Op::Exit(_) => false,
            Op::Jump(_) | Op::Branch(..) | Op::Switch(..) | Op::Return(_) | Op::Negate(_) | Op::Convert(..) => false,
            Op::Arithmetic(kind, ..) => matches!(kind, Arithmetic::Divide | Arithmetic::Remainder),
            Op::GetField(object, _) | Op::PutField(object, ..) => !is_receiver(*object),
            _ => true,
        }
    }

    /// The block in which an instruction stands.
    #[must_use]
    pub fn block_of(&self, value: Value) -> Block {
        Block(self.blocks.partition_point(|block| block.instructions.end <= value.0) as u32)
    }

    /// The source line of an instruction, if the class file says.
    #[must_use]
    pub fn line(&self, value: Value) -> Option<u16> {
        let at = self.instruction(value).at;
        let after = self.lines.partition_point(|(start, _)| *start <= at);
        Some(self.lines.get(after.checked_sub(1)?)?.1)
    }
}

impl Op {
    /// What it works on, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        let mut copy = self.clone();
        copy.for_each_operand_mut(|value| visit(*value));
    }

    /// The same, to change them.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Parameter(_) | Self::Caught | Self::Null | Self::Constant(_) | Self::New => {}
            Self::GetStatic(_) | Self::Jump(_) | Self::Return(None) => {}
            Self::Phi(values) | Self::NewArrays(values) | Self::Invoke(_, _, values) => {
                values.iter_mut().for_each(visit);
            }
            Self::InvokeDynamic(_, _, _, values) => values.iter_mut().for_each(visit),
            Self::Arithmetic(_, a, b) | Self::LoadElement(a, b) | Self::PutField(a, _, b) => {
                visit(a);
                visit(b);
            }
            Self::StoreElement(a, b, c) => [a, b, c].into_iter().for_each(visit),
            Self::Branch(_, a, b, _, _) => std::iter::once(a).chain(b).for_each(visit),
            Self::Negate(a)
            | Self::Convert(a, _)
            | Self::NewArray(a)
            | Self::Length(a)
            | Self::GetField(a, _)
            | Self::PutStatic(_, a)
            | Self::Cast(a)
            | Self::InstanceOf(a, _)
            | Self::Enter(a)
            | Self::Exit(a)
            | Self::Switch(a, _, _)
            | Self::Return(Some(a))
            | Self::Throw(a) => visit(a),
        }
    }

    /// Whether it ends a block.
    #[must_use]
    pub const fn is_terminator(&self) -> bool {
        matches!(self, Self::Jump(_) | Self::Branch(..) | Self::Switch(..) | Self::Return(_) | Self::Throw(_))
    }

    /// Where a terminator goes, each block once.
    #[must_use]
    pub fn targets(&self) -> Vec<Block> {
        let mut targets = match self {
            Self::Jump(block) => vec![*block],
            Self::Branch(_, _, _, then, otherwise) => vec![*then, *otherwise],
            Self::Switch(_, default, cases) => {
                std::iter::once(*default).chain(cases.iter().map(|(_, block)| *block)).collect()
            }
            _ => Vec::new(),
        };
        let mut seen = rustc_hash::FxHashSet::default();
        targets.retain(|block| seen.insert(*block));
        targets
    }
}
