//! Events to the trace file, with what they need to be understood.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers::granularity::Granularities;
use checkers::stream::redundant::Redundant;
use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::finding::Jvm;
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::layout::operation;
use facts::options::Options;
use facts::trace::{self, FieldDefinition, Record, TraceWriter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lanes::Entry;
use crate::private::{create_private, private};
use crate::sites::{Sites, Target};
use crate::variables::Variables;

/// How old a block may get before it is written.
const OLDEST: Duration = Duration::from_millis(100);

/// A trace that is being written.
pub struct Trace {
    sites: Arc<Sites>,
    variables: Arc<Variables>,
    writer: TraceWriter<Bounded>,
    fields: FxHashMap<FieldDefinition, FieldId>,
    meanings: Vec<Meaning>,
    begun: FxHashSet<ThreadId>,
    /// Tells what need not be written, of the threads that do not see to it themselves.
    redundant: Option<Redundant>,
    /// Who the latest event is by.
    thread: ThreadId,
    flushed: Instant,
}

/// What is known of a site.
#[derive(Clone, Copy, Default)]
struct Meaning {
    is_defined: bool,
    field: Option<FieldId>,
    is_volatile: bool,
}

impl Trace {
    /// Creates the directory and the file.
    ///
    /// # Errors
    /// Either cannot be written.
    pub fn create(
        directory: &Path,
        jvm: &Jvm,
        options: &Options,
        sites: Arc<Sites>,
        variables: Arc<Variables>,
    ) -> io::Result<Self> {
        let granularities = Granularities { fields: options.granularity, arrays: options.arrays };
        create_private(directory)?;
        let path = directory.join(trace::file_name(jvm.pid, jvm.started));
        let file = private().write(true).create(true).truncate(true).open(path)?;
        Ok(Self {
            sites,
            variables,
            writer: TraceWriter::new(Bounded::new(file, options.record_limit), jvm)?,
            fields: FxHashMap::default(),
            meanings: Vec::new(),
            begun: FxHashSet::default(),
            redundant: (!options.record_redundant).then(|| Redundant::new(granularities)),
            thread: ThreadId(0),
            flushed: Instant::now(),
        })
    }

    /// Writes what a name stands for.
    ///
    /// # Errors
    /// The file can no longer be written.
    pub fn name(&mut self, name: &Record) -> io::Result<()> {
        self.writer.record(name)
    }

    /// Writes the mark that nothing is missing.
    ///
    /// # Errors
    /// The file can no longer be written.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish().map(drop)
    }

    /// Writes an event, unless it need not be.
    ///
    /// # Errors
    /// The file can no longer be written.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        let meaning = self.meaning(entry.site)?;
        let Some(action) = action(entry, meaning) else { return Ok(()) };
        let event = Event { thread: entry.thread, site: SiteId(entry.site), action };
        if !entry.is_alone && self.redundant.as_mut().is_some_and(|redundant| redundant.has(&event)) {
            return Ok(());
        }
        if event.thread != self.thread {
            self.thread = event.thread;
            if self.begun.insert(event.thread) {
                self.writer.event(&Event { site: SiteId(0), action: EventKind::Begin, ..event })?;
            }
        }
        self.writer.event(&event)
    }

    fn meaning(&mut self, site: u32) -> io::Result<Meaning> {
        match self.meanings.get(site as usize) {
            Some(meaning) if meaning.is_defined || site == 0 => Ok(*meaning),
            _ => self.define(site),
        }
    }

    #[cold]
    fn define(&mut self, site: u32) -> io::Result<Meaning> {
        if let Some(definition) = self.sites.site(site) {
            self.writer.define_site(SiteId(site), &definition)?;
        }
        let target = self.sites.target(site);
        // Methods of maps for several threads synchronize like volatile fields.
        let mut meaning = Meaning { is_defined: true, field: None, is_volatile: matches!(target, Target::Contents(_)) };
        if let (Target::Field(field), Some(declared)) = (target, self.variables.declared(site)) {
            meaning.is_volatile = declared.flags.is_volatile;
            meaning.field = Some(self.field(FieldDefinition {
                class: declared.class,
                name: field.name,
                descriptor: field.descriptor,
                flags: if declared.flags.is_volatile { 0x40 } else { 0 },
            })?);
        }
        let n_sites = self.meanings.len().max(site as usize + 1);
        self.meanings.resize(n_sites, Meaning::default());
        self.meanings[site as usize] = meaning;
        Ok(meaning)
    }

    fn field(&mut self, field: FieldDefinition) -> io::Result<FieldId> {
        if let Some(&id) = self.fields.get(&field) {
            return Ok(id);
        }
        let id = FieldId(self.fields.len() as u32 + 1);
        self.writer.define_field(id, &field)?;
        self.fields.insert(field, id);
        Ok(id)
    }

    /// Writes to disk what has waited for long.
    ///
    /// # Errors
    /// The file can no longer be written.
    pub fn flush_if_old(&mut self) -> io::Result<()> {
        if self.flushed.elapsed() >= OLDEST {
            self.writer.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }
}

/// What an entry says; `None` for what the trace does not have.
fn action(entry: &Entry, meaning: Meaning) -> Option<EventKind> {
    let kind = if entry.operation & 1 == 0 { AccessKind::Read } else { AccessKind::Write };
    let object = ObjectId(entry.object.into());
    Some(match entry.operation {
        operation::READ | operation::WRITE => {
            let field = meaning.field?;
            let location = if entry.object == 0 { Location::Static(field) } else { Location::Field(object, field) };
            if meaning.is_volatile { EventKind::Volatile(kind, location) } else { EventKind::Access(kind, location) }
        }
        operation::READ_ARRAY | operation::WRITE_ARRAY => {
            let location = Location::Element(object, entry.index);
            if meaning.is_volatile { EventKind::Volatile(kind, location) } else { EventKind::Access(kind, location) }
        }
        operation::THREAD_END => EventKind::End,
        synchronization => self::synchronization(synchronization, object)?,
    })
}

fn synchronization(operation: u64, object: ObjectId) -> Option<EventKind> {
    let thread = ThreadId(object.0 as u32);
    Some(match operation {
        operation::ACQUIRE => EventKind::Acquire(object, LockMode::Exclusive),
        operation::ACQUIRE_SHARED => EventKind::Acquire(object, LockMode::Shared),
        operation::RELEASE => EventKind::Release(object, LockMode::Exclusive),
        operation::RELEASE_SHARED => EventKind::Release(object, LockMode::Shared),
        operation::FORK => EventKind::Fork(thread),
        operation::JOIN => EventKind::Join(thread),
        operation::WAIT_BEGIN => EventKind::WaitBegin(object),
        operation::WAIT_END => EventKind::WaitEnd(object),
        operation::NOTIFY => EventKind::Notify(object, false),
        operation::NOTIFY_ALL => EventKind::Notify(object, true),
        operation::PUBLISH => EventKind::Publish(object),
        operation::OBSERVE => EventKind::Observe(object),
        operation::CLASS_INIT_BEGIN => EventKind::ClassInitBegin(object),
        operation::CLASS_INIT_END => EventKind::ClassInitEnd(object),
        operation::BEGIN => EventKind::Enter,
        operation::END => EventKind::Exit,
        _ => return None,
    })
}

/// A file that refuses to become larger than its limit.
struct Bounded {
    file: File,
    left: u64,
}

impl Bounded {
    fn new(file: File, megabytes: u32) -> Self {
        Self { file, left: if megabytes == 0 { u64::MAX } else { u64::from(megabytes) << 20 } }
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err(io::Error::other("it has reached record_limit"));
        };
        self.left = left;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
