//! Numbers and byte strings of class files, the highest byte first (JVMS 4).

/// Why a structure could not be read: a noun phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub &'static str);

/// A position in a byte string; reading past the end is an error.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

#[expect(clippy::missing_errors_doc, reason = "every error is the end of the bytes")]
impl<'a> Reader<'a> {
    /// At the beginning of the bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// At another position.
    #[must_use]
    pub const fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// How many bytes are behind the reader.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// What was read since a position.
    #[must_use]
    pub fn since(&self, position: usize) -> &'a [u8] {
        self.bytes.get(position..self.at).unwrap_or_default()
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..n).ok_or(Malformed("unexpected end"))?;
        self.at += n;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.first_chunk().ok_or(Malformed("unexpected end"))?;
        self.at += N;
        Ok(*taken)
    }

    /// A byte.
    pub fn u1(&mut self) -> Result<u8, Malformed> {
        self.array().map(u8::from_be_bytes)
    }

    /// A number of two bytes.
    pub fn u2(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_be_bytes)
    }

    /// A number of four bytes.
    pub fn u4(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_be_bytes)
    }

    /// A signed number of four bytes.
    pub fn i4(&mut self) -> Result<i32, Malformed> {
        self.array().map(i32::from_be_bytes)
    }

    /// A signed number of eight bytes.
    pub fn i8(&mut self) -> Result<i64, Malformed> {
        self.array().map(i64::from_be_bytes)
    }
}
