//! The `Code` attribute (JVMS 4.7.3).

use crate::attribute::Attributes;
use crate::reader::{Malformed, Reader};

/// The code of a method.
#[derive(Debug)]
pub struct Code<'a> {
    /// How deep the operand stack may be.
    pub max_stack: u16,
    /// How many local variables there are.
    pub max_locals: u16,
    /// The instructions; see [`walk`](crate::instruction::walk).
    pub bytes: &'a [u8],
    /// The exception table; of two handlers that apply the first one does.
    pub handlers: Vec<Handler>,
    /// Tables about the code.
    pub attributes: Attributes<'a>,
}

/// An entry of the exception table, in offsets; `end` is exclusive, and may be the end of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The first instruction it protects.
    pub start: u16,
    /// The first one behind.
    pub end: u16,
    /// Where it begins.
    pub target: u16,
    /// The class of what it catches, as an index of the pool; 0 for everything.
    pub catch_type: u16,
}

impl<'a> Code<'a> {
    /// Reads the contents of the attribute.
    ///
    /// # Errors
    /// They are damaged.
    pub fn read(contents: &'a [u8]) -> Result<Self, Malformed> {
        let reader = &mut Reader::new(contents);
        let (max_stack, max_locals) = (reader.u2()?, reader.u2()?);
        let bytes = code_bytes(reader)?;
        let handlers = (0..reader.u2()?).map(|_| Handler::read(reader)).collect::<Result<_, _>>()?;
        let attributes = Attributes::read(reader)?;
        // The JVM refuses it; written anew it would have the right length, and load.
        if !reader.is_at_end() {
            return Err(Malformed("a code attribute of the wrong length"));
        }
        Ok(Self { max_stack, max_locals, bytes, handlers, attributes })
    }

    /// The instructions alone.
    ///
    /// # Errors
    /// Their length is damaged.
    pub fn instructions(contents: &'a [u8]) -> Result<&'a [u8], Malformed> {
        code_bytes(&mut Reader::at(contents, 4))
    }
}

impl Handler {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { start: reader.u2()?, end: reader.u2()?, target: reader.u2()?, catch_type: reader.u2()? })
    }

    /// Whether it protects the instruction at an offset.
    #[must_use]
    pub fn covers(&self, at: u32) -> bool {
        (self.start.into()..self.end.into()).contains(&at)
    }
}

fn code_bytes<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    match reader.u4()? as usize {
        length @ 1..=65535 => reader.take(length),
        _ => Err(Malformed("a code length out of range")),
    }
}
