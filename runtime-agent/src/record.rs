//! The whole event stream of this JVM to a trace file (`record=DIR`).
//!
//! The threads write into [`Lanes`]; a thread of the agent's own sorts what is there every few milliseconds and writes it, so
//! that the order in the file is one in which the program could have run: a hook reports an acquisition after it happened and a
//! release before. A block goes to disk when it is full or a tenth of a second old: that much is lost if the process is killed.
//! A trace that has reached its limit is left without an end mark: its readers say that it is cut short.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use checkers::covered::Covered;
use checkers::granularity::Granularities;
use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::finding::Jvm;
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::layout::operation;
use facts::options::Options;
use facts::trace::{self, FieldDefinition, Record, TraceWriter};
use parking_lot::{Condvar, Mutex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agent::Agent;
use crate::lanes::{Cut, Drain, Entry, Lanes};
use crate::log;
use crate::private::{create_private, private};
use crate::sites::Target;

/// How old a block may get before it is written.
const OLDEST: Duration = Duration::from_millis(100);
/// How long the drain sleeps when there is little to do.
const NAP: Duration = Duration::from_millis(10);
/// How long it is from one burst to the next.
const BURSTS: Duration = Duration::from_secs(1);
/// How many names may wait for the drain.
const NAMES: usize = 1 << 14;

/// The trace being written.
pub struct Recorder {
    /// Events on their way into it.
    pub lanes: Lanes,
    /// Names on their way into it: each is here before an event that needs it is in its lane.
    names: Mutex<Vec<Record>>,
    taken: Condvar,
    state: Mutex<Option<Open>>,
}

struct Open {
    writer: TraceWriter<Bounded>,
    drain: Drain,
    fields: FxHashMap<FieldDefinition, FieldId>,
    sites: Vec<Meaning>,
    begun: FxHashSet<ThreadId>,
    /// Tells what need not be written, of the threads that do not see to it themselves.
    covered: Option<Covered>,
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

impl Recorder {
    /// Creates the directory and the trace.
    ///
    /// # Errors
    /// Either cannot be written.
    pub fn create(directory: &Path, jvm: &Jvm, options: &Options) -> io::Result<Self> {
        let granularities = Granularities { fields: options.granularity, arrays: options.arrays };
        create_private(directory)?;
        let path = directory.join(trace::file_name(jvm.pid, jvm.started));
        let file = private().write(true).create(true).truncate(true).open(path)?;
        let open = Open {
            writer: TraceWriter::new(Bounded::new(file, options.record_limit), jvm)?,
            drain: Drain::default(),
            fields: FxHashMap::default(),
            sites: Vec::new(),
            begun: FxHashSet::default(),
            covered: (!options.record_covered).then(|| Covered::new(granularities)),
            thread: ThreadId(0),
            flushed: Instant::now(),
        };
        let names = Mutex::default();
        Ok(Self { lanes: Lanes::new(), names, taken: Condvar::new(), state: Mutex::new(Some(open)) })
    }

    /// Names a thread.
    pub fn thread(&self, id: ThreadId, name: &str) {
        self.name(Record::Thread(id, name.to_owned()));
    }

    /// Says of which class an object is.
    pub fn object(&self, id: ObjectId, class: String) {
        self.name(Record::Object(id, class));
    }

    fn name(&self, record: Record) {
        let mut names = self.names.lock();
        while names.len() >= NAMES && !self.lanes.is_over() {
            self.lanes.wake();
            self.taken.wait_for(&mut names, NAP);
        }
        names.push(record);
    }

    /// Writes what the threads have recorded, until recording is over.
    pub fn run(&self, agent: &Agent) {
        let mut burst = Instant::now();
        while !self.lanes.is_over() {
            self.lanes.wait(NAP);
            if burst.elapsed() >= BURSTS {
                self.lanes.begin_burst();
                burst = Instant::now();
            }
            self.with(|open| open.drain(self, agent, Cut::of).and_then(|()| open.flush_if_old()));
        }
    }

    /// Ends the trace.
    pub fn finish(&self, agent: &Agent) {
        self.with(|open| open.drain(self, agent, Cut::last));
        let open = self.state.lock().take();
        self.lanes.close();
        if let Some(open) = open
            && let Err(error) = open.writer.finish()
        {
            log::once(&format!("the trace could not be ended: {error}"));
        }
    }

    /// A disk that is full ends the trace, not the program.
    fn with(&self, write: impl FnOnce(&mut Open) -> io::Result<()>) {
        let mut state = self.state.lock();
        if let Some(open) = state.as_mut()
            && let Err(error) = write(open)
        {
            log::once(&format!("the trace ends here, it can no longer be written: {error}"));
            *state = None;
            self.lanes.close();
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
    fn drain(&mut self, recorder: &Recorder, agent: &Agent, look: fn(&Lanes) -> Cut) -> io::Result<()> {
        let cut = look(&recorder.lanes);
        let names = std::mem::take(&mut *recorder.names.lock());
        recorder.taken.notify_all();
        for name in &names {
            self.writer.record(name)?;
        }
        let mut drain = std::mem::take(&mut self.drain);
        let result = drain.sort(&recorder.lanes, cut, |entry| self.entry(agent, &entry));
        self.drain = drain;
        result
    }

    fn entry(&mut self, agent: &Agent, entry: &Entry) -> io::Result<()> {
        let meaning = self.meaning(agent, entry.site)?;
        let Some(action) = action(entry, meaning) else { return Ok(()) };
        let event = Event { thread: entry.thread, site: SiteId(entry.site), action };
        if !entry.is_alone && self.covered.as_mut().is_some_and(|covered| covered.covers(&event)) {
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

    fn meaning(&mut self, agent: &Agent, site: u32) -> io::Result<Meaning> {
        match self.sites.get(site as usize) {
            Some(meaning) if meaning.is_defined || site == 0 => Ok(*meaning),
            _ => self.define(agent, site),
        }
    }

    #[cold]
    fn define(&mut self, agent: &Agent, site: u32) -> io::Result<Meaning> {
        if let Some(definition) = agent.sites.site(site) {
            self.writer.define_site(SiteId(site), &definition)?;
        }
        let target = agent.sites.target(site);
        // Methods of maps for several threads synchronize like volatile fields.
        let mut meaning = Meaning { is_defined: true, field: None, is_volatile: matches!(target, Target::Contents(_)) };
        if let (Target::Field(field), Some(declared)) = (target, agent.evidence.declared(site)) {
            meaning.is_volatile = declared.flags.is_volatile;
            meaning.field = Some(self.field(FieldDefinition {
                class: declared.class,
                name: field.name,
                descriptor: field.descriptor,
                flags: if declared.flags.is_volatile { 0x40 } else { 0 },
            })?);
        }
        let n_sites = self.sites.len().max(site as usize + 1);
        self.sites.resize(n_sites, Meaning::default());
        self.sites[site as usize] = meaning;
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

    fn flush_if_old(&mut self) -> io::Result<()> {
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
