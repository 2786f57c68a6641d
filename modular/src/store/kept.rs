//! A summary that callers read, and by which they know that it is what it was.

use std::cell::OnceCell;
use std::rc::Rc;

use super::bytes::{Reader, Writer};
use super::facts::hash;
use super::form::Form;
use super::names::Names;
use crate::summary::Summary;

/// A summary; as bytes until it is asked for.
#[derive(Debug)]
pub struct Kept {
    summary: OnceCell<Rc<Summary>>,
    bytes: Box<[u8]>,
    /// Of its bytes, and of all that the program says of what it names; none if it has no bytes.
    pub digest: Option<u128>,
}

impl Kept {
    /// A summary that no other run needs.
    #[must_use]
    pub fn once(summary: Summary) -> Self {
        Self { summary: Rc::new(summary).into(), bytes: Box::default(), digest: None }
    }

    /// A summary as bytes; none if something in it has no name.
    #[must_use]
    pub fn of(names: &Names<'_, '_>, summary: &Summary) -> Option<Self> {
        let mut writer = Writer::new(names);
        summary.write(&mut writer);
        let written = writer.finish()?;
        let digest = digest(&written.bytes, names.facts(&written.table));
        Some(Self { summary: OnceCell::new(), bytes: written.bytes.into(), digest })
    }

    /// What was kept as such bytes; none if the program has not all that they name.
    pub fn read(names: &Names<'_, '_>, bytes: &[u8]) -> Option<Self> {
        let facts = names.facts(&Reader::new(names, bytes)?.table);
        Some(Self { summary: OnceCell::new(), bytes: bytes.into(), digest: digest(bytes, facts) })
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The summary; none if the bytes are none.
    pub fn summary(&self, names: Option<&Names<'_, '_>>) -> Option<Rc<Summary>> {
        if let Some(known) = self.summary.get() {
            return Some(known.clone());
        }
        let mut reader = Reader::new(names?, &self.bytes)?;
        let summary = Summary::read(&mut reader).filter(|_| reader.is_at_end())?;
        Some(self.summary.get_or_init(|| Rc::new(summary)).clone())
    }
}

fn digest(bytes: &[u8], facts: u128) -> Option<u128> {
    Some(hash(&[bytes, &facts.to_le_bytes()].concat()))
}
