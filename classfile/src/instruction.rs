//! The instructions of a method's code (JVMS 6.5), one after another.

use crate::opcode::{
    self, ALOAD, ASTORE, ATHROW, GOTO, GOTO_W, IF_ACMPNE, IFEQ, IFNONNULL, IFNULL, IINC, ILOAD, IRETURN, ISTORE, JSR,
    JSR_W, LDC, LOOKUPSWITCH, RET, RETURN, TABLESWITCH, WIDE,
};
use crate::reader::{Malformed, Reader};

/// An instruction with its operands.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// Its offset in the code.
    pub at: u32,
    opcode: u8,
    /// All of them: that is seen to where it is made.
    bytes: &'a [u8],
}

/// Where an instruction goes. Offsets of damaged code may lie behind its end.
#[derive(Clone, Copy, Debug)]
pub enum Flow<'a> {
    /// To the next one.
    Next,
    /// There.
    Jump(u32),
    /// There, or to the next one.
    Branch(u32),
    /// There or elsewhere.
    Switch(Switch<'a>),
    /// To a subroutine (JVMS 4.10.2.5).
    Subroutine(u32),
    /// Back from one.
    Return,
    /// Out of the method, or to a handler.
    End,
}

/// Every instruction of a code array; the last one is an error if the code is damaged.
#[must_use]
pub fn walk(code: &[u8]) -> Walk<'_> {
    Walk { code, at: 0 }
}

/// Every instruction from one offset up to another; the last one is an error if it does not end there.
#[must_use]
pub fn between(code: &[u8], start: u32, end: u32) -> Walk<'_> {
    Walk { code: code.get(..end as usize).unwrap_or(code), at: start as usize }
}

/// The instructions of a code array from an offset on.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    code: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Result<Instruction<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.code.len() {
            return None;
        }
        let instruction = Instruction::at(self.code, self.at as u32);
        self.at = instruction.map_or(self.code.len(), |instruction| self.at + instruction.bytes.len());
        Some(instruction)
    }
}

impl<'a> Instruction<'a> {
    /// The instruction at an offset of a code array.
    ///
    /// # Errors
    /// There is none.
    pub fn at(code: &'a [u8], at: u32) -> Result<Self, Malformed> {
        let rest = code.get(at as usize..).unwrap_or_default();
        let opcode = *rest.first().ok_or(PAST_THE_END)?;
        let length = match opcode::length(opcode) {
            0 => varying_length(code, at as usize, opcode)?,
            fixed => fixed,
        };
        Ok(Self { at, opcode, bytes: rest.get(..length).ok_or(PAST_THE_END)? })
    }

    /// What it does.
    #[must_use]
    #[inline]
    pub const fn opcode(&self) -> u8 {
        self.opcode
    }

    /// The offset of the next one.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.at + self.bytes.len() as u32
    }

    /// The opcode and the operands.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The byte at this distance from the opcode; 0 where the instruction has none.
    #[must_use]
    pub fn u1(&self, n: usize) -> u8 {
        self.bytes.get(n).copied().unwrap_or_default()
    }

    /// The same for two bytes, of which the instruction has both or neither.
    #[must_use]
    pub fn u2(&self, n: usize) -> u16 {
        match self.bytes.get(n..n + 2) {
            Some(&[high, low]) => u16::from_be_bytes([high, low]),
            _ => 0,
        }
    }

    /// The constant that an instruction names; see [`opcode::has_index`].
    #[must_use]
    pub fn index(&self) -> u16 {
        if self.opcode() == LDC { self.u1(1).into() } else { self.u2(1) }
    }

    /// Where it goes.
    #[must_use]
    pub fn flow(&self) -> Flow<'a> {
        match self.opcode() {
            GOTO => Flow::Jump(self.short_target()),
            GOTO_W => Flow::Jump(self.target(1)),
            JSR => Flow::Subroutine(self.short_target()),
            JSR_W => Flow::Subroutine(self.target(1)),
            IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => Flow::Branch(self.short_target()),
            RET => Flow::Return,
            WIDE if self.u1(1) == RET => Flow::Return,
            TABLESWITCH | LOOKUPSWITCH => Flow::Switch(Switch { instruction: *self }),
            IRETURN..=RETURN | ATHROW => Flow::End,
            _ => Flow::Next,
        }
    }

    fn short_target(&self) -> u32 {
        self.at.wrapping_add_signed(self.u2(1).cast_signed().into())
    }

    fn target(&self, n: usize) -> u32 {
        self.at.wrapping_add_signed(self.i4(n))
    }

    fn i4(&self, n: usize) -> i32 {
        Reader::at(self.bytes, n).i4().unwrap_or_default()
    }
}

/// The jump table of a `tableswitch` or a `lookupswitch`.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    instruction: Instruction<'a>,
}

impl<'a> Switch<'a> {
    /// Where it goes if no case applies.
    #[must_use]
    pub fn default(&self) -> u32 {
        self.instruction.target(self.operands())
    }

    /// Each case, and where it goes.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u32)> + use<'a> {
        let (switch, operands) = (self.instruction, self.operands());
        let is_table = switch.opcode() == TABLESWITCH;
        let (start, size) = if is_table { (operands + 12, 4) } else { (operands + 8, 8) };
        (start..switch.bytes.len()).step_by(size).enumerate().map(move |(n, place)| {
            if is_table {
                (switch.i4(operands + 4).wrapping_add(n as i32), switch.target(place))
            } else {
                (switch.i4(place), switch.target(place + 4))
            }
        })
    }

    /// Where the operands begin: at a multiple of four bytes from the beginning of the code.
    fn operands(&self) -> usize {
        padded(self.instruction.at as usize) - self.instruction.at as usize
    }
}

const PAST_THE_END: Malformed = Malformed("an instruction past the end");

const fn padded(at: usize) -> usize {
    (at + 4) & !3
}

#[cold]
fn varying_length(code: &[u8], at: usize, opcode: u8) -> Result<usize, Malformed> {
    let mut reader = Reader::at(code, padded(at) + 4);
    let header = padded(at) - at;
    let cases =
        |count: i64, size: usize| usize::try_from(count).ok().filter(|count| *count <= 65535).map(|count| count * size);
    let switch = match opcode {
        WIDE => return wide_length(code.get(at + 1).copied()),
        TABLESWITCH => {
            let (low, high) = (reader.i4()?, reader.i4()?);
            cases(i64::from(high) - i64::from(low) + 1, 4).map(|cases| header + 12 + cases)
        }
        LOOKUPSWITCH => {
            let n_pairs = reader.i4()?;
            cases(n_pairs.into(), 8).map(|cases| header + 8 + cases)
        }
        _ => return Err(Malformed("an unknown instruction")),
    };
    switch.ok_or(Malformed("a switch of a wrong size"))
}

/// `wide` goes with loads, stores, `ret` and `iinc`.
fn wide_length(modified: Option<u8>) -> Result<usize, Malformed> {
    match modified {
        Some(ILOAD..=ALOAD | ISTORE..=ASTORE | RET) => Ok(4),
        Some(IINC) => Ok(6),
        _ => Err(Malformed("a wide form that does not exist")),
    }
}
