//! The `Code` attribute as a labelled list of instructions (JVMS 4.7.3).
//!
//! An instruction is named by its place in the list; jumps, handlers, frames and debug tables name instructions, not
//! offsets, so that offsets are settled only when the list is written. The place after the last instruction is a label too.

use crate::opcode::{self, ASTORE, ASTORE_3, GOTO_W, ISTORE, ISTORE_0, JSR_W, LOOKUPSWITCH, TABLESWITCH, WIDE};
use crate::reader::{Malformed, Reader};

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
    /// Name and contents of each attribute.
    pub attributes: Vec<(u16, &'a [u8])>,
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
        let mut reader = Reader::new(contents);
        let (max_stack, max_locals) = (reader.u2()?, reader.u2()?);
        let bytes = code_bytes(&mut reader)?;
        let (instructions, index_of) = split(bytes)?;
        let mut code = Self {
            max_stack,
            max_locals,
            bytes,
            instructions,
            jumps: Vec::new(),
            handlers: Vec::new(),
            attributes: Vec::new(),
            index_of,
        };
        code.find_jumps()?;
        code.read_handlers(&mut reader)?;
        for _ in 0..reader.u2()? {
            code.attributes.push(reader.attribute()?);
        }
        // Writing the right length would make a class load that the JVM refuses.
        if !reader.is_at_end() {
            return Err(Malformed("a code attribute of the wrong length"));
        }
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
        (0..self.len()).any(|index| match self.instruction(index) {
            [ISTORE..=ASTORE, 0] | [WIDE, ISTORE..=ASTORE, 0, 0] => true,
            [opcode @ ISTORE_0..=ASTORE_3] => (opcode - ISTORE_0).is_multiple_of(4),
            _ => false,
        })
    }

    /// A local variable that the method does not have, which the JVM refuses, must not come to be an added one.
    pub fn check_locals(&self) -> Result<(), Malformed> {
        let used = (0..self.len()).map(|index| opcode::locals_used(self.instruction(index))).max();
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
            let Instruction { at, opcode } = self.instructions[from];
            let instruction = self.instruction(from);
            if opcode::is_short_branch(opcode) {
                let distance = i16::from_be_bytes([instruction[1], instruction[2]]);
                self.jump(from, at, distance.into())?;
            } else if matches!(opcode, GOTO_W | JSR_W) {
                self.jump(from, at, Reader::at(instruction, 1).i4()?)?;
            } else if matches!(opcode, TABLESWITCH | LOOKUPSWITCH) {
                for offset in switch_offsets(opcode, at, instruction)? {
                    self.jump(from, at, offset)?;
                }
            }
        }
        Ok(())
    }

    fn jump(&mut self, from: usize, at: u32, distance: i32) -> Result<(), Malformed> {
        let target = at.checked_add_signed(distance).ok_or(Malformed("a jump out of the code"))?;
        let to = self.begins(target)?;
        self.jumps.push(Jump { from: from as u32, to });
        Ok(())
    }

    fn read_handlers(&mut self, reader: &mut Reader<'a>) -> Result<(), Malformed> {
        for _ in 0..reader.u2()? {
            let (start, end, target, catch_type) = (reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?);
            let (start, end) = (self.begins(start.into())?, self.label(end.into())?);
            if start >= end {
                return Err(Malformed("an empty exception range"));
            }
            self.handlers.push(Handler { start, end, target: self.begins(target.into())?, catch_type });
        }
        Ok(())
    }
}

/// The code array, from `code_length` on.
pub(crate) fn code_bytes<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    match reader.u4()? as usize {
        length @ 1..=65535 => reader.take(length),
        _ => Err(Malformed("a code length out of range")),
    }
}

/// The code array in the contents of a `Code` attribute.
pub(crate) fn code_array(contents: &[u8]) -> Result<&[u8], Malformed> {
    code_bytes(&mut Reader::at(contents, 4))
}

/// Each instruction's offset and opcode.
pub(crate) fn walk(bytes: &[u8]) -> impl Iterator<Item = Result<Instruction, Malformed>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let opcode = *bytes.get(at)?;
        let start = at;
        match instruction_length(bytes, at, opcode) {
            Ok(length) => at += length,
            Err(malformed) => {
                at = bytes.len();
                return Some(Err(malformed));
            }
        }
        Some(Ok(Instruction { at: start as u32, opcode }))
    })
}

fn split(bytes: &[u8]) -> Result<(Vec<Instruction>, Vec<u32>), Malformed> {
    let mut instructions = Vec::with_capacity(bytes.len() / 2 + 2);
    let mut index_of = vec![NOWHERE; bytes.len() + 1];
    for instruction in walk(bytes) {
        let instruction = instruction?;
        index_of[instruction.at as usize] = instructions.len() as u32;
        instructions.push(instruction);
    }
    index_of[bytes.len()] = instructions.len() as u32;
    instructions.push(Instruction { at: bytes.len() as u32, opcode: 0 });
    Ok((instructions, index_of))
}

#[inline]
fn instruction_length(bytes: &[u8], at: usize, opcode: u8) -> Result<usize, Malformed> {
    let length = match opcode::length(opcode) {
        0 => varying_length(bytes, at, opcode)?,
        fixed => fixed,
    };
    if at + length > bytes.len() { Err(Malformed("an instruction past the end")) } else { Ok(length) }
}

#[cold]
fn varying_length(bytes: &[u8], at: usize, opcode: u8) -> Result<usize, Malformed> {
    let mut reader = Reader::at(bytes, (at & !3) + 4);
    let header = (at & !3) + 4 - at;
    let cases =
        |count: i64, size: usize| usize::try_from(count).ok().filter(|count| *count <= 65535).map(|count| count * size);
    let switch = match opcode {
        WIDE => return wide_length(bytes.get(at + 1).copied()),
        TABLESWITCH => {
            let (_, low, high) = (reader.i4()?, reader.i4()?, reader.i4()?);
            cases(i64::from(high) - i64::from(low) + 1, 4).map(|cases| header + 12 + cases)
        }
        LOOKUPSWITCH => {
            let (_, pairs) = (reader.i4()?, reader.i4()?);
            cases(pairs.into(), 8).map(|cases| header + 8 + cases)
        }
        _ => return Err(Malformed("an unknown instruction")),
    };
    switch.ok_or(Malformed("a switch of a wrong size"))
}

/// `wide` goes with loads, stores, `ret` and `iinc` (132).
fn wide_length(modified: Option<u8>) -> Result<usize, Malformed> {
    match modified {
        Some(opcode::ILOAD..=opcode::ALOAD | ISTORE..=ASTORE | opcode::RET) => Ok(4),
        Some(132) => Ok(6),
        _ => Err(Malformed("a wide form that does not exist")),
    }
}

/// The jump offsets of a switch, the default first.
fn switch_offsets(opcode: u8, at: u32, instruction: &[u8]) -> Result<Vec<i32>, Malformed> {
    let mut reader = Reader::at(instruction, 4 - at as usize % 4);
    let mut offsets = vec![reader.i4()?];
    let table = opcode == TABLESWITCH;
    reader.take(if table { 8 } else { 4 })?;
    while !reader.is_at_end() {
        if !table {
            reader.i4()?;
        }
        offsets.push(reader.i4()?);
    }
    Ok(offsets)
}
