//! Traces: the whole event stream of one JVM in a file.
//!
//! A trace is a header (`jrtrace`, one byte of version, and a block that holds a [`Jvm`](crate::finding::Jvm) as JSON), then blocks of records,
//! then an end mark. A block is the length of its payload and its CRC-32, both little-endian `u32`, then the payload; the
//! end mark is a block of length 0 with the CRC of `end`. All other numbers are LEB128 varints.
//!
//! What stands for a site, a field, a thread or an object is defined by a record before its first use, if at all; strings in
//! definitions are numbered through the whole file and written once. Events are written as differences to the
//! thread's previous event *of the same block*, so that a block can be read without the events before it.
//!
//! A file that was cut short (the JVM was killed) or corrupted is good up to the damage: [`TraceReader`] yields every
//! record before it and then one [`Record::Damage`]. Both sides need memory for one block and for the names, whatever the
//! file says about its lengths.
//!
//! Measured on the two-core test machine, with four threads that each enter a lock, access two fields and an array, and
//! leave (`cargo test --release -p facts -- --ignored --nocapture measure`): 3.6 bytes an event; in a second of processor
//! time, 55–60 million events are written to memory and 37–40 million read.

mod bytes;
mod definition;
mod event_code;
mod reader;
pub mod std_format;
mod writer;

pub use reader::TraceReader;
pub use writer::TraceWriter;

use crate::event::Event;
use crate::index::{FieldId, ObjectId, SiteId, ThreadId};
use crate::site::Site;

/// Version of the format that is written; a reader refuses a newer one. Version 2 added transactions, version 3 contents of maps,
/// version 4 what is published and observed through objects.
pub const VERSION: u8 = 4;

/// The oldest version that is still read: what was added since is all that is new.
pub const OLDEST: u8 = 1;

const MAGIC: &[u8; 7] = b"jrtrace";

/// Name of the trace of the JVM with this process id and start time (milliseconds since 1970).
#[must_use]
pub fn file_name(pid: u32, started: u64) -> String {
    format!("trace-{pid}-{started}.jrt")
}

/// The writer ends a block when its payload has reached this length.
const BLOCK: usize = 64 << 10;

/// No block is longer: a definition has at most seven strings of at most [`MAX_STRING`] bytes.
const MAX_BLOCK: u32 = 1 << 20;

/// Strings are cut to this length, that of the longest name in a class file. A longer one is damage: a record of few bytes
/// may name a string seven times, and is given a copy each time.
const MAX_STRING: usize = 0xffff;

/// The CRC of the end mark, whose length is zero.
fn end_crc() -> u32 {
    crc32fast::hash(b"end")
}

/// One entry of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// What a site number stands for. Boxed: it would make every event four times as large.
    Site(SiteId, Box<Site>),
    /// What a field number stands for.
    Field(FieldId, FieldDefinition),
    /// The name of a thread.
    Thread(ThreadId, String),
    /// The class of an object (internal name), or which class it is ([`class_object`]).
    Object(ObjectId, String),
    /// An event.
    Event(Event),
    /// The file is damaged from here on; always the last record.
    Damage(Damage),
}

/// What stands for the class of a class object.
const CLASS_OBJECT: &str = "java/lang/Class:";

/// What a trace says of the class object of this class.
#[must_use]
pub fn class_object(class: &str) -> String {
    CLASS_OBJECT.to_owned() + class
}

/// The class whose class object a trace speaks of, if it does.
#[must_use]
pub fn class_of_object(said: &str) -> Option<&str> {
    said.strip_prefix(CLASS_OBJECT)
}

impl Record {
    /// The event, if the record is one.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        match self {
            Self::Event(event) => Some(*event),
            _ => None,
        }
    }
}

/// A field as it is declared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FieldDefinition {
    /// Internal name of the declaring class.
    pub class: String,
    /// Field name.
    pub name: String,
    /// Field descriptor.
    pub descriptor: String,
    /// Access flags of the class file (JVMS table 4.5-A).
    pub flags: u16,
}

/// Where and how a trace is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Offset in the file from which on nothing can be read.
    pub offset: u64,
    /// What is wrong there.
    pub kind: DamageKind,
}

/// What is wrong with a damaged trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DamageKind {
    /// The file ends before its end mark: the JVM was killed, or the disk was full.
    CutShort,
    /// The bytes are not what was written.
    Corrupt,
}

/// Why a trace cannot be read at all, or not further.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// Another kind of file.
    #[error("this is not a jrace trace")]
    NotATrace,
    /// A trace of another version.
    #[error(
        "this trace has format {0}, and this jrace reads formats {OLDEST} to {VERSION}: use the jrace that recorded it"
    )]
    Version(u8),
    /// The description of the JVM is cut short or corrupt.
    #[error("the header of this trace is damaged: {0}")]
    Header(String),
    /// The stream failed.
    #[error("the trace cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

#[cfg(test)]
mod tests;
