//! Annotations (JVMS 4.7.16, 4.7.17), whatever their retention.

use crate::attribute::Attributes;
use crate::pool::Pool;
use crate::reader::{Malformed, Reader};

/// Annotations in annotations are followed this far: real ones have two levels, and a hostile file could have thousands.
const MAX_NESTING: u8 = 32;

/// An annotation, in indices of the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The descriptor of its class.
    pub descriptor: u16,
    /// Those of its values that are strings or arrays of them, each with its element's name before it.
    pub strings: Vec<(u16, u16)>,
}

impl Annotation {
    /// Reads one, and moves the reader past it.
    ///
    /// # Errors
    /// It is damaged, or nested too deeply.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        read_nested(reader, 0)
    }

    /// The annotations of a class or a member. Attributes that are damaged count as empty: the JVM does not look at them either.
    pub fn all(attributes: Attributes<'_>, pool: &Pool<'_>) -> Vec<Self> {
        let is_meant =
            |name| matches!(pool.utf8(name), Ok(b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations"));
        let wanted = attributes.iter().filter(|(name, _)| is_meant(*name));
        wanted.flat_map(|(_, contents)| read_all(contents).unwrap_or_default()).collect()
    }
}

fn read_all(contents: &[u8]) -> Result<Vec<Annotation>, Malformed> {
    let mut reader = Reader::new(contents);
    (0..reader.u2()?).map(|_| Annotation::read(&mut reader)).collect()
}

fn read_nested(reader: &mut Reader<'_>, nesting: u8) -> Result<Annotation, Malformed> {
    let mut annotation = Annotation { descriptor: reader.u2()?, strings: Vec::new() };
    for _ in 0..reader.u2()? {
        let name = reader.u2()?;
        annotation.read_value(reader, name, nesting)?;
    }
    Ok(annotation)
}

impl Annotation {
    /// One value (JVMS 4.7.16.1).
    fn read_value(&mut self, reader: &mut Reader<'_>, name: u16, nesting: u8) -> Result<(), Malformed> {
        match reader.u1()? {
            b's' => self.strings.push((name, reader.u2()?)),
            b'e' => drop(reader.u4()?),
            b'@' | b'[' if nesting == MAX_NESTING => return Err(Malformed("annotations nested too deeply")),
            b'@' => drop(read_nested(reader, nesting + 1)?),
            b'[' => {
                for _ in 0..reader.u2()? {
                    self.read_value(reader, name, nesting + 1)?;
                }
            }
            _ => drop(reader.u2()?),
        }
        Ok(())
    }
}
