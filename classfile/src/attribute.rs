//! Attributes (JVMS 4.7).

use std::ops::Range;

use crate::pool::Pool;
use crate::reader::{Malformed, Reader};

/// A list of attributes that was gone through once, so that going through it again meets no damage.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    /// From `attributes_count` to the end of the last attribute.
    bytes: &'a [u8],
}

impl<'a> Attributes<'a> {
    /// Moves the reader, which stands at `attributes_count`, past the list.
    ///
    /// # Errors
    /// The bytes end before.
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        Self::read_each(reader, |_, _| Ok(()))
    }

    /// The same; `each` gets the index of every name, and where the contents stand.
    pub(crate) fn read_each(
        reader: &mut Reader<'a>,
        mut each: impl FnMut(u16, Range<usize>) -> Result<(), Malformed>,
    ) -> Result<Self, Malformed> {
        let start = reader.position();
        for _ in 0..reader.u2()? {
            let (name, contents) = read_one(reader)?;
            each(name, reader.position() - contents.len()..reader.position())?;
        }
        Ok(Self { bytes: reader.since(start) })
    }

    /// The index of each name, and the contents.
    pub fn iter(self) -> impl Iterator<Item = (u16, &'a [u8])> {
        let mut reader = Reader::at(self.bytes, 2);
        std::iter::from_fn(move || read_one(&mut reader).ok())
    }

    /// The contents of the attributes of that name.
    pub fn named(self, pool: &Pool<'a>, name: &[u8]) -> impl Iterator<Item = &'a [u8]> {
        self.iter().filter(move |(index, _)| pool.utf8(*index) == Ok(name)).map(|(_, contents)| contents)
    }
}

/// The index of an attribute's name, and its contents.
fn read_one<'a>(reader: &mut Reader<'a>) -> Result<(u16, &'a [u8]), Malformed> {
    let name = reader.u2()?;
    let length = reader.u4()? as usize;
    Ok((name, reader.take(length)?))
}

/// A bootstrap method (JVMS 4.7.23), in indices of the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BootstrapMethod {
    /// The method handle.
    pub handle: u16,
    /// What the method gets besides.
    pub arguments: Vec<u16>,
}

impl BootstrapMethod {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let handle = reader.u2()?;
        let arguments = (0..reader.u2()?).map(|_| reader.u2()).collect::<Result<_, _>>()?;
        Ok(Self { handle, arguments })
    }
}

/// The contents of `BootstrapMethods`.
///
/// # Errors
/// The bytes end before.
pub fn bootstrap_methods(contents: &[u8]) -> Result<Vec<BootstrapMethod>, Malformed> {
    let reader = &mut Reader::new(contents);
    (0..reader.u2()?).map(|_| BootstrapMethod::read(reader)).collect()
}

/// The contents of `LineNumberTable` (JVMS 4.7.12), offset and line; what is behind damage is left out.
pub fn line_numbers(contents: &[u8]) -> impl Iterator<Item = (u16, u16)> {
    let mut reader = Reader::new(contents);
    let count = reader.u2().unwrap_or_default();
    (0..count).map_while(move |_| Some((reader.u2().ok()?, reader.u2().ok()?)))
}
