//! The attributes of `Code` that hold bytecode offsets, apart from frames.

use classfile::annotation::Annotation;
use classfile::attribute::line_numbers;
use classfile::{Malformed, Pool, Reader};

use crate::rewrite::code::Code;
use crate::rewrite::layout::Layout;

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
            Annotation::read(&mut reader)?;
            out.extend_from_slice(reader.since(start));
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

/// Which line each offset belongs to.
#[derive(Default)]
pub(crate) struct Lines(Vec<(u16, u16)>);

impl Lines {
    /// Collects every `LineNumberTable`; damaged ones count as absent.
    pub fn of(code: &Code<'_>, pool: &Pool<'_>) -> Self {
        let tables = code.attributes.named(pool, b"LineNumberTable");
        let mut lines: Vec<(u16, u16)> = tables.flat_map(line_numbers).collect();
        // Stable, so that of two entries for one offset the later in the table counts, as it does for the JVM.
        lines.sort_by_key(|(start, _)| *start);
        Self(lines)
    }

    pub fn line(&self, offset: u32) -> Option<u32> {
        let after = self.0.partition_point(|(start, _)| u32::from(*start) <= offset);
        Some(self.0.get(after.checked_sub(1)?)?.1.into())
    }
}
