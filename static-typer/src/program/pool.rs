//! The constant pool of a class file (JVMS 4.4).
//!
//! Texts stay bytes. Those of old class files need not be modified UTF-8 of today, the JVM takes them nevertheless.

use ristretto_classfile::byte_reader::ByteReader;
use ristretto_classfile::{Error, Result};

/// A constant, other constants being indices.
#[derive(Clone, Copy)]
pub(super) enum Entry<'a> {
    /// The place of index 0, the one behind a `long` or `double`, and what no instruction uses.
    Other,
    Utf8(&'a [u8]),
    Int(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Class(u16),
    String(u16),
    /// Class, then name and type.
    Field(u16, u16),
    Method(u16, u16),
    InterfaceMethod(u16, u16),
    NameAndType(u16, u16),
    /// Kind, then member.
    Handle(u8, u16),
    MethodType(u16),
    /// Bootstrap method, then name and type; of a constant or of a call site.
    Dynamic(u16, u16),
}

pub(super) struct Pool<'a>(Vec<Entry<'a>>);

impl<'a> Pool<'a> {
    pub fn read(reader: &mut ByteReader<'a>) -> Result<Self> {
        let count = usize::from(reader.read_u16()?);
        let mut entries = vec![Entry::Other];
        while entries.len() < count {
            let entry = entry(reader)?;
            entries.push(entry);
            if matches!(entry, Entry::Long(_) | Entry::Double(_)) {
                entries.push(Entry::Other);
            }
        }
        Ok(Self(entries))
    }

    /// Every index that may stand for a constant.
    pub fn indices(&self) -> std::ops::Range<u16> {
        0..u16::try_from(self.0.len()).unwrap_or(u16::MAX)
    }

    pub fn get(&self, index: u16) -> Entry<'a> {
        self.0.get(usize::from(index)).copied().unwrap_or(Entry::Other)
    }

    pub fn utf8(&self, index: u16) -> Option<&'a [u8]> {
        match self.get(index) {
            Entry::Utf8(text) => Some(text),
            _ => None,
        }
    }
}

fn entry<'a>(reader: &mut ByteReader<'a>) -> Result<Entry<'a>> {
    Ok(match reader.read_u8()? {
        1 => {
            let length = reader.read_u16()?;
            Entry::Utf8(reader.read_bytes(length.into())?)
        }
        3 => Entry::Int(reader.read_i32()?),
        4 => Entry::Float(reader.read_f32()?),
        5 => Entry::Long(reader.read_i64()?),
        6 => Entry::Double(reader.read_f64()?),
        7 => Entry::Class(reader.read_u16()?),
        8 => Entry::String(reader.read_u16()?),
        9 => Entry::Field(reader.read_u16()?, reader.read_u16()?),
        10 => Entry::Method(reader.read_u16()?, reader.read_u16()?),
        11 => Entry::InterfaceMethod(reader.read_u16()?, reader.read_u16()?),
        12 => Entry::NameAndType(reader.read_u16()?, reader.read_u16()?),
        15 => Entry::Handle(reader.read_u8()?, reader.read_u16()?),
        16 => Entry::MethodType(reader.read_u16()?),
        17 | 18 => Entry::Dynamic(reader.read_u16()?, reader.read_u16()?),
        // Modules and packages.
        19 | 20 => {
            reader.skip(2)?;
            Entry::Other
        }
        tag => return Err(Error::InvalidConstantTag(tag)),
    })
}
