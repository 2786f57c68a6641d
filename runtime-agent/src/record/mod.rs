//! The whole event stream of this JVM to a trace file (`record=DIR`).
//!
//! The threads write into [`Lanes`]; a thread of the agent's own sorts what is there every few milliseconds and writes it, so
//! that the order in the file is one in which the program could have run: a hook reports an acquisition after it happened and a
//! release before. A block goes to disk when it is full or a tenth of a second old: that much is lost if the process is killed.
//! A trace that has reached its limit is left without an end mark: its readers say that it is cut short.

mod lanes;
mod trace;

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use facts::finding::Jvm;
use facts::index::{ObjectId, ThreadId};
use facts::options::Options;
use facts::trace::Record;
use parking_lot::{Condvar, Mutex};

use crate::log;
use crate::sites::Sites;
use crate::variables::Variables;
use lanes::{Cut, Drain, Lane, Lanes};
use trace::Trace;

/// How long the drain sleeps when there is little to do.
const NAP: Duration = Duration::from_millis(10);
/// How long it is from one burst to the next.
const BURSTS: Duration = Duration::from_secs(1);
/// How many names may wait for the drain.
const NAMES: usize = 1 << 14;

thread_local!(static CURRENT: Cell<Option<ThreadId>> = const { Cell::new(None) });

/// The trace being written.
pub struct Recorder {
    /// Events on their way into it.
    lanes: Lanes,
    /// Names on their way into it: each is here before an event that needs it is in its lane.
    names: Mutex<Vec<Record>>,
    taken: Condvar,
    state: Mutex<Option<Open>>,
}

struct Open {
    trace: Trace,
    drain: Drain,
}

impl Recorder {
    /// Creates the directory and the trace.
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
        let trace = Trace::create(directory, jvm, options, sites, variables)?;
        let state = Mutex::new(Some(Open { trace, drain: Drain::default() }));
        Ok(Self { lanes: Lanes::new(), names: Mutex::default(), taken: Condvar::new(), state })
    }

    /// Where the counter of tickets lies, for the helper class.
    pub fn tickets(&self) -> &AtomicU64 {
        self.lanes.tickets()
    }

    /// The address of a lane for the current thread.
    pub fn open(&self, thread: ThreadId) -> u64 {
        CURRENT.set(Some(thread));
        self.lanes.open(thread).address()
    }

    /// The number of the current thread, if it has a lane.
    pub fn current(&self) -> Option<ThreadId> {
        CURRENT.get()
    }

    /// Gives a lane that is full another chunk. Called by its thread.
    ///
    /// # Safety
    /// The address must come from [`Self::open`].
    pub unsafe fn make_room(&self, lane: u64) {
        // SAFETY: the caller vouches for the address.
        self.lanes.make_room(unsafe { Lane::at(lane) });
    }

    /// Adds an event of a thread without a lane; `index` for an array.
    pub fn event(&self, thread: ThreadId, entry: u64, index: Option<u32>) {
        self.lanes.event(thread, entry, index);
    }

    /// Adds the last event of a thread, which must be the current one or must have ended.
    pub fn end(&self, thread: ThreadId) {
        self.lanes.end(thread);
    }

    /// Nothing is recorded any more: nobody has to wait.
    pub fn close(&self) {
        self.lanes.pool.close();
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
        while names.len() >= NAMES && !self.lanes.pool.is_over() {
            self.lanes.pool.wake();
            self.taken.wait_for(&mut names, NAP);
        }
        names.push(record);
    }

    /// Writes what the threads have recorded, until recording is over.
    pub fn run(&self) {
        let mut burst = Instant::now();
        while !self.lanes.pool.is_over() {
            self.lanes.pool.wait(NAP);
            if burst.elapsed() >= BURSTS {
                self.lanes.begin_burst();
                burst = Instant::now();
            }
            self.with(|open| self.drain(open, Cut::of).and_then(|()| open.trace.flush_if_old()));
        }
    }

    /// Ends the trace.
    pub fn finish(&self) {
        self.with(|open| self.drain(open, Cut::last));
        let open = self.state.lock().take();
        self.lanes.pool.close();
        if let Some(open) = open
            && let Err(error) = open.trace.finish()
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
            self.lanes.pool.close();
        }
    }

    fn drain(&self, open: &mut Open, look: fn(&Lanes) -> Cut) -> io::Result<()> {
        let cut = look(&self.lanes);
        let names = std::mem::take(&mut *self.names.lock());
        self.taken.notify_all();
        names.iter().try_for_each(|name| open.trace.name(name))?;
        open.drain.sort(&self.lanes, cut, |entry| open.trace.entry(&entry))
    }
}
