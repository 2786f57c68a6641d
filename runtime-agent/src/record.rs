//! The whole event stream of this JVM to a trace file (`record=DIR`).
//!
//! One lock orders the events of all threads: a hook reports an acquisition after it happened and a release before, so the
//! order in the file is one in which the program could have run. A block goes to disk when it is full or a second old.
//! A trace that has reached its limit is left without an end mark: its readers say that it is cut short.

use std::fs::{File, create_dir_all};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::finding::Jvm;
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::Site;
use facts::trace::{self, FieldDefinition, TraceWriter};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::log;

/// How old a block may get before it is written.
const OLDEST: Duration = Duration::from_secs(1);
/// How many events pass between looks at the clock.
const PATIENCE: u32 = 1024;

/// The trace being written.
pub struct Recorder {
    state: Mutex<Option<Open>>,
}

struct Open {
    writer: TraceWriter<Bounded>,
    fields: FxHashMap<FieldDefinition, FieldId>,
    sites: FxHashSet<u32>,
    begun: FxHashSet<ThreadId>,
    pending: u32,
    flushed: Instant,
}

impl Recorder {
    /// Creates the directory and the trace, of at most so many megabytes; 0 for no limit.
    ///
    /// # Errors
    /// Either cannot be written.
    pub fn create(directory: &Path, jvm: &Jvm, megabytes: u32) -> io::Result<Self> {
        create_dir_all(directory)?;
        let file = File::create(directory.join(trace::file_name(jvm.pid, jvm.started)))?;
        let open = Open {
            writer: TraceWriter::new(Bounded::new(file, megabytes), jvm)?,
            fields: FxHashMap::default(),
            sites: FxHashSet::default(),
            begun: FxHashSet::default(),
            pending: 0,
            flushed: Instant::now(),
        };
        Ok(Self { state: Mutex::new(Some(open)) })
    }

    /// Adds an event; `site` tells what its number stands for, if it has not been said yet.
    pub fn event(&self, event: Event, site: impl FnOnce() -> Option<Site>) {
        self.with(|open| open.event(event, site));
    }

    /// Adds an access to a field; `object` is `None` for a static one.
    pub fn field(
        &self,
        (thread, site, kind): (ThreadId, SiteId, AccessKind),
        object: Option<ObjectId>,
        field: FieldDefinition,
        is_volatile: bool,
        definition: impl FnOnce() -> Option<Site>,
    ) {
        self.with(|open| {
            let id = open.field(field)?;
            let location = object.map_or(Location::Static(id), |object| Location::Field(object, id));
            let action =
                if is_volatile { EventKind::Volatile(kind, location) } else { EventKind::Access(kind, location) };
            open.event(Event { thread, site, action }, definition)
        });
    }

    /// Names a thread.
    pub fn thread(&self, id: ThreadId, name: &str) {
        self.with(|open| open.writer.define_thread(id, name));
    }

    /// Says of which class an object is.
    pub fn object(&self, id: ObjectId, class: &str) {
        self.with(|open| open.writer.define_object(id, class));
    }

    /// Ends the trace.
    pub fn finish(&self) {
        if let Some(open) = self.state.lock().take()
            && let Err(error) = open.writer.finish()
        {
            log::once(&format!("the trace could not be ended: {error}"));
        }
    }

    /// A disk that is full ends the trace, not the program.
    fn with(&self, add: impl FnOnce(&mut Open) -> io::Result<()>) {
        let mut state = self.state.lock();
        if let Some(open) = state.as_mut()
            && let Err(error) = add(open)
        {
            log::once(&format!("the trace ends here, it can no longer be written: {error}"));
            *state = None;
        }
    }
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

impl Open {
    fn event(&mut self, event: Event, site: impl FnOnce() -> Option<Site>) -> io::Result<()> {
        if event.site.0 != 0
            && self.sites.insert(event.site.0)
            && let Some(site) = site()
        {
            self.writer.define_site(event.site, &site)?;
        }
        if self.begun.insert(event.thread) {
            self.writer.event(&Event { site: SiteId(0), action: EventKind::Begin, ..event })?;
        }
        self.writer.event(&event)?;
        self.flush_if_old()
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

    fn flush_if_old(&mut self) -> io::Result<()> {
        self.pending += 1;
        if self.pending >= PATIENCE {
            self.pending = 0;
            if self.flushed.elapsed() >= OLDEST {
                self.writer.flush()?;
                self.flushed = Instant::now();
            }
        }
        Ok(())
    }
}
