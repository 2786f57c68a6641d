//! An entry of a store: what something was made of, and what came out.

use super::bytes::{Reader, Writer};
use super::facts::hash;
use super::form::Form;
use super::names::Names;

/// What is kept of something that was made.
pub struct Entry<'b> {
    /// What it is itself.
    pub own: u128,
    /// What it was made of.
    pub trace: &'b [u8],
    /// What came out, if anything did.
    pub outcome: Option<&'b [u8]>,
}

impl<'b> Entry<'b> {
    /// As bytes: a checksum, and the parts with their lengths.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; size_of::<u128>()];
        bytes.extend(self.own.to_le_bytes());
        bytes.extend((self.trace.len() as u64).to_le_bytes());
        bytes.extend(self.trace);
        bytes.push(u8::from(self.outcome.is_some()));
        bytes.extend(self.outcome.unwrap_or_default());
        let sum = hash(&bytes[size_of::<u128>()..]);
        bytes[..size_of::<u128>()].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// From bytes; none if they are damaged.
    pub fn of(bytes: &'b [u8]) -> Option<Self> {
        let (sum, rest) = bytes.split_first_chunk()?;
        if u128::from_le_bytes(*sum) != hash(rest) {
            return None;
        }
        let (own, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (trace, rest) = rest.split_at_checked(length)?;
        let (has_outcome, outcome) = rest.split_first()?;
        Some(Self { own: u128::from_le_bytes(*own), trace, outcome: (*has_outcome == 1).then_some(outcome) })
    }
}

/// A value as bytes; none if something in it has no name.
pub fn written(names: &Names<'_, '_>, value: &impl Form) -> Option<Vec<u8>> {
    let mut writer = Writer::new(names);
    value.write(&mut writer);
    Some(writer.finish()?.bytes)
}

/// The value that bytes are; none if they are none, or name what is not there.
pub fn read<T: Form>(names: &Names<'_, '_>, bytes: &[u8]) -> Option<T> {
    let mut reader = Reader::new(names, bytes)?;
    T::read(&mut reader).filter(|_| reader.is_at_end())
}
