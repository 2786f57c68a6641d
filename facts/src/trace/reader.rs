//! Reading traces.

use std::io::{self, Read};
use std::sync::Arc;

use super::bytes::Bytes;
use super::definition::Decoder;
use super::event_code::{self, OPERATION, Registers};
use super::{Damage, DamageKind, MAGIC, MAX_BLOCK, OLDEST, Record, TraceError, VERSION, end_crc};
use crate::finding::Jvm;

/// Yields the records of a trace in the order in which they were written.
///
/// The last one is a [`Record::Damage`] if the file is not good to its end. An error comes only from the stream itself,
/// and ends the iteration.
pub struct TraceReader<R> {
    input: Counted<R>,
    jvm: Jvm,
    block: Vec<u8>,
    /// How much of the block has been read.
    at: usize,
    registers: Registers,
    strings: Vec<Arc<str>>,
    done: bool,
}

impl<R: Read> TraceReader<R> {
    /// Begins to read.
    ///
    /// # Errors
    /// The stream failed, or this is not a trace that can be read.
    pub fn new(input: R) -> Result<Self, TraceError> {
        let mut input = Counted { input, offset: 0 };
        let magic = input.read_up_to(MAGIC.len() + 1)?;
        match magic.strip_prefix(MAGIC) {
            Some([OLDEST..=VERSION]) => {}
            Some([version]) => return Err(TraceError::Version(*version)),
            _ => return Err(TraceError::NotATrace),
        }
        let block = match read_block(&mut input)? {
            Block::Payload(payload) => payload,
            Block::End | Block::Damaged(_) => return Err(TraceError::Header("its first block is broken".to_owned())),
        };
        let jvm = serde_json::from_slice(&block).map_err(|error| TraceError::Header(error.to_string()))?;
        let (registers, strings) = (Registers::default(), Vec::new());
        Ok(Self { input, jvm, block: Vec::new(), at: 0, registers, strings, done: false })
    }

    /// The JVM that was recorded.
    #[must_use]
    pub fn jvm(&self) -> &Jvm {
        &self.jvm
    }

    /// Goes on to the next block; a record if there is none to go on to.
    fn next_block(&mut self) -> Result<Option<Record>, TraceError> {
        let offset = self.input.offset;
        match read_block(&mut self.input)? {
            Block::Payload(payload) => {
                self.block = payload;
                self.at = 0;
                self.registers.reset();
                Ok(None)
            }
            Block::End => {
                self.done = true;
                Ok(None)
            }
            Block::Damaged(kind) => Ok(Some(self.damage(offset, kind))),
        }
    }

    /// A record of the block, which is not at its end.
    fn decode(&mut self) -> Record {
        let mut bytes = Bytes(&self.block[self.at..]);
        let Some(record) = decode(&mut bytes, &mut self.registers, &mut self.strings) else {
            let offset = self.input.offset - (self.block.len() - self.at) as u64;
            return self.damage(offset, DamageKind::Corrupt);
        };
        self.at = self.block.len() - bytes.0.len();
        record
    }

    fn damage(&mut self, offset: u64, kind: DamageKind) -> Record {
        self.done = true;
        Record::Damage(Damage { offset, kind })
    }
}

impl<R: Read> Iterator for TraceReader<R> {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            if self.at < self.block.len() {
                return Some(Ok(self.decode()));
            }
            match self.next_block() {
                Ok(None) => {}
                Ok(Some(record)) => return Some(Ok(record)),
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

fn decode(bytes: &mut Bytes<'_>, registers: &mut Registers, strings: &mut Vec<Arc<str>>) -> Option<Record> {
    let lead = bytes.byte()?;
    if event_code::is_event(lead & OPERATION) {
        return event_code::decode(bytes, registers, lead).map(Record::Event);
    }
    Decoder { bytes, strings }.definition(lead)
}

enum Block {
    Payload(Vec<u8>),
    End,
    Damaged(DamageKind),
}

fn read_block(input: &mut Counted<impl Read>) -> io::Result<Block> {
    let (Some(length), Some(crc)) = (input.read_u32()?, input.read_u32()?) else {
        return Ok(Block::Damaged(DamageKind::CutShort));
    };
    if (length, crc) == (0, end_crc()) {
        return Ok(Block::End);
    }
    if length > MAX_BLOCK {
        return Ok(Block::Damaged(DamageKind::Corrupt));
    }
    let expected = usize::try_from(length).unwrap_or(0);
    let payload = input.read_up_to(expected)?;
    Ok(match () {
        () if payload.len() < expected => Block::Damaged(DamageKind::CutShort),
        () if payload.is_empty() || crc32fast::hash(&payload) != crc => Block::Damaged(DamageKind::Corrupt),
        () => Block::Payload(payload),
    })
}

/// A stream and how far it was read.
struct Counted<R> {
    input: R,
    offset: u64,
}

impl<R: Read> Counted<R> {
    /// The next bytes; fewer only at the end of the stream.
    fn read_up_to(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }

    fn read_u32(&mut self) -> io::Result<Option<u32>> {
        Ok(self.read_up_to(4)?.try_into().ok().map(u32::from_le_bytes))
    }
}
