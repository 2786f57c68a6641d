//! The `Code` attribute as a labelled list of instructions (JVMS 4.7.3).
//!
//! An instruction is named by its place in the list; jumps, handlers, frames and debug tables name instructions, not
//! offsets, so that offsets are settled only when the list is written. The place after the last instruction is a label too.

use classfile::attribute::Attributes;
use classfile::instruction::{Flow, walk};
use classfile::opcode::{ASTORE, ASTORE_3, DSTORE, ISTORE, ISTORE_0, LSTORE, WIDE};
use classfile::{Malformed, local};

/// No instruction begins at this offset.
const NOWHERE: u32 = u32::MAX;

pub(crate) struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: &'a [u8],
    /// All instructions, then one past the end (with opcode 0).
    pub instructions: Vec<Instruction>,
    /// Every jump, in code order: a switch has its default first, then its cases.
    pub jumps: Vec<Jump>,
    pub handlers: Vec<Handler>,
    pub attributes: Attributes<'a>,
    /// Which instruction begins at an offset.
    index_of: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    /// Offset in the original code.
    pub at: u32,
    pub opcode: u8,
}

#[derive(Clone, Copy)]
pub(crate) struct Jump {
    pub from: u32,
    pub to: u32,
}

/// An entry of the exception table; `end` is exclusive and may be the end of the code.
#[derive(Clone, Copy)]
pub(crate) struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    pub catch_type: u16,
}

impl Handler {
    /// Javac's handler of a synchronized block unlocks under its own protection.
    pub fn covers_itself(&self) -> bool {
        (self.start..self.end).contains(&self.target)
    }
}

impl<'a> Code<'a> {
    /// Reads the contents of a `Code` attribute.
    pub fn read(contents: &'a [u8]) -> Result<Self, Malformed> {
        let read = classfile::Code::read(contents)?;
        let (instructions, index_of) = split(read.bytes)?;
        let mut code = Self {
            max_stack: read.max_stack,
            max_locals: read.max_locals,
            bytes: read.bytes,
            instructions,
            jumps: Vec::new(),
            handlers: Vec::with_capacity(read.handlers.len()),
            attributes: read.attributes,
            index_of,
        };
        code.find_jumps()?;
        read.handlers.into_iter().try_for_each(|handler| code.add_handler(handler))?;
        Ok(code)
    }

    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.instructions.len() - 1
    }

    /// The bytes of an instruction.
    pub fn instruction(&self, index: usize) -> &'a [u8] {
        let (start, end) = (self.instructions[index].at, self.instructions[index + 1].at);
        &self.bytes[start as usize..end as usize]
    }

    /// Whether some instruction assigns to local variable 0.
    pub fn overwrites_receiver(&self) -> bool {
        self.overwrites(0)
    }

    /// Whether some instruction assigns to a local variable, or to the one below it what takes the place of two.
    pub fn overwrites(&self, local: u8) -> bool {
        let stores = |to: u16, is_wide: bool| to == u16::from(local) || is_wide && to + 1 == u16::from(local);
        (0..self.len()).any(|index| match *self.instruction(index) {
            [opcode @ ISTORE..=ASTORE, to] => stores(to.into(), matches!(opcode, LSTORE | DSTORE)),
            [WIDE, opcode @ ISTORE..=ASTORE, high, low] => {
                stores(u16::from_be_bytes([high, low]), matches!(opcode, LSTORE | DSTORE))
            }
            [opcode @ ISTORE_0..=ASTORE_3] => {
                let (kind, to) = ((opcode - ISTORE_0) / 4, (opcode - ISTORE_0) % 4);
                stores(to.into(), kind == LSTORE - ISTORE || kind == DSTORE - ISTORE)
            }
            _ => false,
        })
    }

    /// A local variable that the method does not have, which the JVM refuses, must not come to be an added one.
    pub fn check_locals(&self) -> Result<(), Malformed> {
        let used = (0..self.len()).map(|index| local::used(self.instruction(index))).max();
        if used <= Some(self.max_locals.into()) { Ok(()) } else { Err(Malformed("a local variable too far")) }
    }

    /// The two-byte operand of an instruction that has one.
    pub fn operand(&self, index: usize) -> u16 {
        match self.instruction(index) {
            [_, high, low, ..] => u16::from_be_bytes([*high, *low]),
            _ => 0,
        }
    }

    /// The label at an offset; the end of the code is one.
    pub fn label(&self, offset: u32) -> Result<u32, Malformed> {
        let index = self.index_of.get(offset as usize).copied().filter(|index| *index != NOWHERE);
        index.ok_or(Malformed("an offset inside an instruction"))
    }

    /// The instruction that begins at an offset.
    pub fn begins(&self, offset: u32) -> Result<u32, Malformed> {
        self.label(offset).and_then(|index| {
            if (index as usize) < self.len() { Ok(index) } else { Err(Malformed("an offset too far")) }
        })
    }

    /// The instruction in which an offset lies, and how far in; the end of the code counts as one.
    pub fn around(&self, offset: u32) -> Option<(u32, u32)> {
        let before = self.index_of.get(..=offset as usize)?.iter().rev().position(|index| *index != NOWHERE)?;
        let distance = u32::try_from(before).ok()?;
        Some((self.index_of[(offset - distance) as usize], distance))
    }

    fn find_jumps(&mut self) -> Result<(), Malformed> {
        for from in 0..self.len() {
            match classfile::Instruction::at(self.bytes, self.instructions[from].at)?.flow() {
                Flow::Jump(target) | Flow::Branch(target) | Flow::Subroutine(target) => self.jump(from, target)?,
                Flow::Switch(switch) => {
                    self.jump(from, switch.default())?;
                    switch.cases().try_for_each(|(_, target)| self.jump(from, target))?;
                }
                Flow::Next | Flow::Return | Flow::End => {}
            }
        }
        Ok(())
    }

    fn jump(&mut self, from: usize, target: u32) -> Result<(), Malformed> {
        let to = self.begins(target)?;
        self.jumps.push(Jump { from: from as u32, to });
        Ok(())
    }

    fn add_handler(&mut self, handler: classfile::Handler) -> Result<(), Malformed> {
        let classfile::Handler { start, end, target, catch_type } = handler;
        let (start, end) = (self.begins(start.into())?, self.label(end.into())?);
        if start >= end {
            return Err(Malformed("an empty exception range"));
        }
        self.handlers.push(Handler { start, end, target: self.begins(target.into())?, catch_type });
        Ok(())
    }
}

fn split(bytes: &[u8]) -> Result<(Vec<Instruction>, Vec<u32>), Malformed> {
    let mut instructions = Vec::with_capacity(bytes.len() / 2 + 2);
    let mut index_of = vec![NOWHERE; bytes.len() + 1];
    for instruction in walk(bytes) {
        let instruction = instruction?;
        index_of[instruction.at as usize] = instructions.len() as u32;
        instructions.push(Instruction { at: instruction.at, opcode: instruction.opcode() });
    }
    index_of[bytes.len()] = instructions.len() as u32;
    instructions.push(Instruction { at: bytes.len() as u32, opcode: 0 });
    Ok((instructions, index_of))
}
