//! Writing traces.

use std::collections::HashMap;
use std::io::{self, Write};

use super::definition::{Encoder, cut};
use super::event_code::{self, Registers};
use super::{BLOCK, FieldDefinition, MAGIC, MAX_BLOCK, Record, VERSION, end_crc};
use crate::event::Event;
use crate::finding::Jvm;
use crate::index::{FieldId, ObjectId, SiteId, ThreadId};
use crate::site::Site;

/// Length and CRC in front of a payload.
const BLOCK_HEAD: usize = 8;

/// Writes a trace block by block, each with one `write_all`.
///
/// Nothing is written on drop: what was not flushed is lost, and without [`TraceWriter::finish`] the file counts as cut
/// short.
pub struct TraceWriter<W> {
    out: W,
    /// The block being filled, its head left blank.
    block: Vec<u8>,
    registers: Registers,
    strings: HashMap<Box<str>, u64>,
}

impl<W: Write> TraceWriter<W> {
    /// Begins a trace of this JVM. A command line of more than 65,535 bytes is cut.
    ///
    /// # Errors
    /// The stream failed.
    pub fn new(mut out: W, jvm: &Jvm) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        let mut block = Vec::with_capacity(BLOCK + BLOCK / 4);
        block.resize(BLOCK_HEAD, 0);
        let jvm = Jvm { command: cut(&jvm.command).to_owned(), ..jvm.clone() };
        serde_json::to_writer(&mut block, &jvm)?;
        let mut writer = Self { out, block, registers: Registers::default(), strings: HashMap::new() };
        writer.flush()?;
        Ok(writer)
    }

    /// Adds an event.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    #[inline]
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        event_code::encode(&mut self.block, &mut self.registers, event);
        self.flush_if_full()
    }

    /// Says what a site number stands for.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    pub fn define_site(&mut self, id: SiteId, site: &Site) -> io::Result<()> {
        self.encoder().site(id, site);
        self.flush_if_full()
    }

    /// Says what a field number stands for.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    pub fn define_field(&mut self, id: FieldId, field: &FieldDefinition) -> io::Result<()> {
        self.encoder().field(id, field);
        self.flush_if_full()
    }

    /// Names a thread. A name of more than 65,535 bytes is cut.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    pub fn define_thread(&mut self, id: ThreadId, name: &str) -> io::Result<()> {
        self.encoder().thread(id, name);
        self.flush_if_full()
    }

    /// Tells the class of an object.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    pub fn define_object(&mut self, id: ObjectId, class: &str) -> io::Result<()> {
        self.encoder().object(id, class);
        self.flush_if_full()
    }

    /// Adds any record; damage is not written.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        match record {
            Record::Site(id, site) => self.define_site(*id, site),
            Record::Field(id, field) => self.define_field(*id, field),
            Record::Thread(id, name) => self.define_thread(*id, name),
            Record::Object(id, class) => self.define_object(*id, class),
            Record::Event(event) => self.event(event),
            Record::Damage(_) => Ok(()),
        }
    }

    /// Ends the block and hands everything to the stream, so that a crash loses nothing that was added before.
    ///
    /// # Errors
    /// The stream failed; the block is lost.
    pub fn flush(&mut self) -> io::Result<()> {
        let payload = &self.block[BLOCK_HEAD..];
        let written = if payload.is_empty() {
            Ok(())
        } else {
            let length = u32::try_from(payload.len()).unwrap_or(MAX_BLOCK);
            let head = head(length, crc32fast::hash(payload));
            self.block[..BLOCK_HEAD].copy_from_slice(&head);
            self.out.write_all(&self.block)
        };
        self.block.truncate(BLOCK_HEAD);
        self.registers.reset();
        written.and_then(|()| self.out.flush())
    }

    /// Ends the trace and returns the stream.
    ///
    /// # Errors
    /// The stream failed.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        self.out.write_all(&head(0, end_crc()))?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn encoder(&mut self) -> Encoder<'_> {
        Encoder { out: &mut self.block, strings: &mut self.strings }
    }

    #[inline]
    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.block.len() < BLOCK + BLOCK_HEAD { Ok(()) } else { self.flush() }
    }
}

fn head(length: u32, crc: u32) -> [u8; BLOCK_HEAD] {
    let mut head = [0; BLOCK_HEAD];
    head[..4].copy_from_slice(&length.to_le_bytes());
    head[4..].copy_from_slice(&crc.to_le_bytes());
    head
}
