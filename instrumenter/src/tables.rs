//! The attributes of `Code` that hold bytecode offsets, apart from frames.

use crate::code::Code;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::reader::{Malformed, Reader};

/// Deeper annotations than this are left alone; the format has no limit, the call stack has.
const MAX_DEPTH: u8 = 32;

/// Moves offsets from the original code to the woven code.
pub(crate) struct Mover<'a> {
    pub code: &'a Code<'a>,
    pub layout: &'a Layout,
    /// Major version of the class.
    pub version: u16,
}

/// A wrong length must stay wrong; see `Code::read`.
fn at_end(reader: &Reader<'_>) -> Result<(), Malformed> {
    if reader.is_at_end() { Ok(()) } else { Err(Malformed("a table of the wrong length")) }
}

impl Mover<'_> {
    /// What starts with the method still does: code inserted at its entry belongs to the first line, and parameters are
    /// in scope there. Nothing starts at the end of the code: a handler may stand there once woven.
    fn start(&self, offset: u16) -> Result<u16, Malformed> {
        match offset {
            0 => Ok(0),
            _ if usize::from(offset) >= self.code.bytes.len() => Err(Malformed("an offset past the end of the code")),
            _ => self.end(offset.into()),
        }
    }

    fn end(&self, offset: u32) -> Result<u16, Malformed> {
        let moved = self.layout.near(self.code, offset).ok_or(Malformed("an offset past the end of the code"))?;
        u16::try_from(moved).map_err(|_| Malformed("an offset too far"))
    }

    /// `LineNumberTable` (JVMS 4.7.12).
    pub fn lines(&self, contents: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        let mut reader = Reader::new(contents);
        let count = reader.u2()?;
        push(out, count);
        for _ in 0..count {
            push(out, self.start(reader.u2()?)?);
            push(out, reader.u2()?);
        }
        at_end(&reader)
    }

    /// `LocalVariableTable` and `LocalVariableTypeTable` (JVMS 4.7.13, 4.7.14).
    pub fn variables(&self, contents: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        let mut reader = Reader::new(contents);
        let count = reader.u2()?;
        push(out, count);
        for _ in 0..count {
            self.check_range(reader)?;
            self.range(&mut reader, out)?;
            let [name, descriptor, slot] = [reader.u2()?, reader.u2()?, reader.u2()?];
            // Weaving may add some behind them.
            if slot >= self.code.max_locals {
                return Err(Malformed("a local variable too far"));
            }
            [name, descriptor, slot].iter().for_each(|value| push(out, *value));
        }
        at_end(&reader)
    }

    /// From version 50 on the verifier wants instructions at both ends, and tells the numbers if it has to refuse.
    fn check_range(&self, mut reader: Reader<'_>) -> Result<(), Malformed> {
        if self.version >= 50 {
            let (start, length) = (u32::from(reader.u2()?), u32::from(reader.u2()?));
            self.code.begins(start)?;
            self.code.label(start + length)?;
        }
        Ok(())
    }

    fn range(&self, reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Malformed> {
        let (start, length) = (reader.u2()?, reader.u2()?);
        let end = self.end(u32::from(start) + u32::from(length))?;
        let start = self.start(start)?;
        push(out, start);
        push(out, end.saturating_sub(start));
        Ok(())
    }

    /// `Runtime(In)VisibleTypeAnnotations` (JVMS 4.7.20).
    pub fn type_annotations(&self, contents: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        let mut reader = Reader::new(contents);
        let count = reader.u2()?;
        push(out, count);
        for _ in 0..count {
            let kind = reader.u1()?;
            out.push(kind);
            self.target(kind, &mut reader, out)?;
            let start = reader.position();
            let path = reader.u1()?;
            reader.take(2 * usize::from(path))?;
            skip_annotation(&mut reader, 0)?;
            out.extend_from_slice(&contents[start..reader.position()]);
        }
        Ok(())
    }

    fn target(&self, kind: u8, reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Malformed> {
        let rest = match kind {
            0x40 | 0x41 => {
                let count = reader.u2()?;
                push(out, count);
                for _ in 0..count {
                    self.range(reader, out)?;
                    out.extend_from_slice(reader.take(2)?);
                }
                0
            }
            0x43..=0x4B => {
                let index = self.code.begins(reader.u2()?.into())?;
                push(out, self.layout.starts[index as usize] as u16);
                usize::from(kind >= 0x47)
            }
            0x13..=0x15 => 0,
            0x00 | 0x01 | 0x16 => 1,
            _ => 2,
        };
        out.extend_from_slice(reader.take(rest)?);
        Ok(())
    }
}

fn push(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn skip_annotation(reader: &mut Reader<'_>, depth: u8) -> Result<(), Malformed> {
    reader.take(2)?;
    for _ in 0..reader.u2()? {
        reader.take(2)?;
        skip_element(reader, depth)?;
    }
    Ok(())
}

fn skip_element(reader: &mut Reader<'_>, depth: u8) -> Result<(), Malformed> {
    if depth > MAX_DEPTH {
        return Err(Malformed("annotations nested too deeply"));
    }
    match reader.u1()? {
        b'e' => reader.take(4).map(drop),
        b'@' => skip_annotation(reader, depth + 1),
        b'[' => {
            let count = reader.u2()?;
            (0..count).try_for_each(|_| skip_element(reader, depth + 1))
        }
        _ => reader.take(2).map(drop),
    }
}

/// Which line each offset belongs to.
#[derive(Default)]
pub(crate) struct Lines(Vec<(u16, u16)>);

impl Lines {
    /// Collects every `LineNumberTable`; damaged ones count as absent.
    pub fn of(code: &Code<'_>, pool: &Pool<'_>) -> Self {
        let mut lines = Vec::new();
        for (name, contents) in &code.attributes {
            if pool.utf8(*name) == Ok(b"LineNumberTable") {
                let pairs = contents.get(2..).unwrap_or_default().chunks_exact(4);
                lines.extend(
                    pairs.map(|pair| (u16::from_be_bytes([pair[0], pair[1]]), u16::from_be_bytes([pair[2], pair[3]]))),
                );
            }
        }
        // Stable, so that of two entries for one offset the later in the table counts, as it does for the JVM.
        lines.sort_by_key(|(start, _)| *start);
        Self(lines)
    }

    pub fn line(&self, offset: u32) -> Option<u32> {
        let after = self.0.partition_point(|(start, _)| u32::from(*start) <= offset);
        Some(self.0.get(after.checked_sub(1)?)?.1.into())
    }
}
