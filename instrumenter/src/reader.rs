//! Big-endian reading of class file structures.

use std::borrow::Cow;

/// Why a structure could not be read: a noun phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Malformed(pub &'static str);

/// A position in a byte string; reading past the end is an error.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The same bytes from another position on.
    pub fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..n).ok_or(Malformed("unexpected end"))?;
        self.at += n;
        Ok(taken)
    }

    pub fn u1(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub fn u2(&mut self) -> Result<u16, Malformed> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub fn u4(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub fn i4(&mut self) -> Result<i32, Malformed> {
        Ok(self.u4()?.cast_signed())
    }

    /// An attribute (JVMS 4.7): the index of its name, and its contents.
    pub fn attribute(&mut self) -> Result<(u16, &'a [u8]), Malformed> {
        let name = self.u2()?;
        let length = self.u4()? as usize;
        Ok((name, self.take(length)?))
    }
}

/// Modified UTF-8 as text for people and maps. Nearly all of it is ASCII, which the first look finds word by word.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
