//! The `Code` attribute (JVMS 4.7.3): instructions, exception table, line numbers.

use super::Malformed;

pub(super) mod opcode {
    pub const JSR: u8 = 168;
    pub const RET: u8 = 169;
    pub const TABLESWITCH: u8 = 170;
    pub const LOOKUPSWITCH: u8 = 171;
    pub const GOTO: u8 = 167;
    pub const WIDE: u8 = 196;
    pub const GOTO_W: u8 = 200;
    pub const JSR_W: u8 = 201;
    pub const ATHROW: u8 = 191;
}
use opcode::{ATHROW, GOTO, GOTO_W, JSR, JSR_W, LOOKUPSWITCH, RET, TABLESWITCH, WIDE};

pub(super) struct Code<'a> {
    pub max_locals: u16,
    pub bytes: &'a [u8],
    pub handlers: Vec<Handler>,
    /// Line table: offset and line, by offset.
    pub lines: Vec<(u16, u16)>,
}

/// An entry of the exception table, `end` exclusive; catch type 0 catches everything.
pub(super) struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    pub catch_type: u16,
}

/// Where an instruction goes.
pub(super) enum Flow {
    Next,
    Jump(u32),
    Branch(u32),
    /// The default, then the cases.
    Switch(u32, Vec<(i32, u32)>),
    /// To a subroutine (JVMS 4.10.2.5).
    Subroutine(u32),
    /// Back from one.
    Return,
    /// Out of the method, or to a handler.
    End,
}

impl<'a> Code<'a> {
    /// `is_lines` tells the names of line tables from those of other attributes.
    pub fn read(contents: &'a [u8], is_lines: impl Fn(u16) -> bool) -> Result<Self, Malformed> {
        let max_locals = u2(contents, 2)?;
        let length = u4(contents, 4)? as usize;
        let bytes = contents.get(8..8 + length).filter(|bytes| (1..=65535).contains(&bytes.len()));
        let bytes = bytes.ok_or_else(|| Malformed("a code length out of range".to_owned()))?;
        let mut at = 8 + length;
        let mut handlers = Vec::new();
        for _ in 0..u2(contents, at)? {
            let field = |n: usize| u2(contents, at + 2 + 2 * n).map(u32::from);
            let (start, end, target, catch_type) = (field(0)?, field(1)?, field(2)?, u2(contents, at + 8)?);
            handlers.push(Handler { start, end, target, catch_type });
            at += 8;
        }
        let mut lines = read_lines(contents, at + 2, is_lines)?;
        lines.sort_unstable();
        Ok(Self { max_locals, bytes, handlers, lines })
    }

    pub fn opcode(&self, at: u32) -> Result<u8, Malformed> {
        u1(self.bytes, at as usize)
    }

    pub fn u1(&self, at: u32) -> Result<u8, Malformed> {
        u1(self.bytes, at as usize)
    }

    pub fn u2(&self, at: u32) -> Result<u16, Malformed> {
        u2(self.bytes, at as usize)
    }

    /// Offset of the next instruction.
    pub fn next(&self, at: u32) -> Result<u32, Malformed> {
        let length = match self.opcode(at)? {
            WIDE if self.u1(at + 1)? == 132 => 6,
            WIDE => 4,
            TABLESWITCH => {
                let (low, high) = (self.i4(padded(at) + 4)?, self.i4(padded(at) + 8)?);
                let n = i64::from(high) - i64::from(low) + 1;
                padded(at) - at + 12 + 4 * count(n)?
            }
            LOOKUPSWITCH => padded(at) - at + 8 + 8 * count(self.i4(padded(at) + 4)?.into())?,
            other => match length(other) {
                0 => return Malformed::new("an unknown instruction"),
                n => n,
            },
        };
        Ok(at + length)
    }

    pub fn flow(&self, at: u32) -> Result<Flow, Malformed> {
        Ok(match self.opcode(at)? {
            GOTO => Flow::Jump(self.short_target(at)?),
            GOTO_W => Flow::Jump(self.wide_target(at)?),
            JSR => Flow::Subroutine(self.short_target(at)?),
            JSR_W => Flow::Subroutine(self.wide_target(at)?),
            153..=166 | 198 | 199 => Flow::Branch(self.short_target(at)?),
            RET => Flow::Return,
            WIDE if self.u1(at + 1)? == RET => Flow::Return,
            TABLESWITCH | LOOKUPSWITCH => self.switch(at)?,
            172..=177 | ATHROW => Flow::End,
            _ => Flow::Next,
        })
    }

    fn switch(&self, at: u32) -> Result<Flow, Malformed> {
        let base = padded(at);
        let default = target(at, self.i4(base)?)?;
        let end = self.next(at)?;
        let mut cases = Vec::new();
        if self.opcode(at)? == TABLESWITCH {
            let low = self.i4(base + 4)?;
            for (n, place) in (base + 12..end).step_by(4).enumerate() {
                cases.push((low.wrapping_add(n as i32), target(at, self.i4(place)?)?));
            }
        } else {
            for place in (base + 8..end).step_by(8) {
                cases.push((self.i4(place)?, target(at, self.i4(place + 4)?)?));
            }
        }
        Ok(Flow::Switch(default, cases))
    }

    fn short_target(&self, at: u32) -> Result<u32, Malformed> {
        target(at, self.u2(at + 1)?.cast_signed().into())
    }

    fn wide_target(&self, at: u32) -> Result<u32, Malformed> {
        target(at, self.i4(at + 1)?)
    }

    fn i4(&self, at: u32) -> Result<i32, Malformed> {
        Ok(u4(self.bytes, at as usize)?.cast_signed())
    }
}

fn read_lines(contents: &[u8], at: usize, is_lines: impl Fn(u16) -> bool) -> Result<Vec<(u16, u16)>, Malformed> {
    let mut lines = Vec::new();
    let mut place = at + 2;
    for _ in 0..u2(contents, at)? {
        let (name, length) = (u2(contents, place)?, u4(contents, place + 2)? as usize);
        if is_lines(name) {
            for n in 0..usize::from(u2(contents, place + 6)?) {
                lines.push((u2(contents, place + 8 + 4 * n)?, u2(contents, place + 10 + 4 * n)?));
            }
        }
        place += 6 + length;
    }
    Ok(lines)
}

/// Whether an instruction can end in an exception. Those of unloadable classes and of a full stack come with calls and
/// accesses; an unlocked monitor at `return` cannot be in code that javac made.
pub(super) const fn can_throw(opcode: u8) -> bool {
    matches!(opcode, 18..=20 | 46..=53 | 79..=86 | 108 | 109 | 112 | 113 | 178..=195 | 197)
}

/// Whether an instruction assigns to a local variable.
pub(super) const fn is_store(opcode: u8) -> bool {
    matches!(opcode, 54..=78 | 132 | WIDE)
}

fn count(n: i64) -> Result<u32, Malformed> {
    u32::try_from(n).ok().filter(|n| *n < 65536).map_or_else(|| Malformed::new("a switch of impossible size"), Ok)
}

/// Where the operands of a switch begin.
const fn padded(at: u32) -> u32 {
    (at + 4) & !3
}

fn target(at: u32, distance: i32) -> Result<u32, Malformed> {
    at.checked_add_signed(distance).map_or_else(|| Malformed::new("a jump out of the code"), Ok)
}

/// Length with operands, 0 for what is no instruction.
const fn length(opcode: u8) -> u32 {
    match opcode {
        16 | 18 | 21..=25 | 54..=58 | 169 | 188 => 2,
        17 | 19 | 20 | 132 | 153..=168 | 178..=184 | 187 | 189 | 192 | 193 | 198 | 199 => 3,
        197 => 4,
        185 | 186 | 200 | 201 => 5,
        202.. => 0,
        _ => 1,
    }
}

fn u1(bytes: &[u8], at: usize) -> Result<u8, Malformed> {
    bytes.get(at).copied().map_or_else(|| Malformed::new("an unexpected end of the code"), Ok)
}

fn u2(bytes: &[u8], at: usize) -> Result<u16, Malformed> {
    Ok(u16::from_be_bytes([u1(bytes, at)?, u1(bytes, at + 1)?]))
}

fn u4(bytes: &[u8], at: usize) -> Result<u32, Malformed> {
    Ok(u32::from(u2(bytes, at)?) << 16 | u32::from(u2(bytes, at + 2)?))
}
