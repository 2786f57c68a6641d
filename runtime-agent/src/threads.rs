//! Who the threads are: names and creation stacks, for findings.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use checkers::eraser::word;
use facts::finding::Thread;
use facts::hook::THREAD_FIELDS;
use facts::index::ThreadId;
use jvmti_bindings::sys::jni::{jfieldID, jthread};
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use crate::jvmti::{Env, Frames, Vm};

/// How many threads are remembered: beyond that the oldest numbers are forgotten, so that a program with millions of virtual
/// threads costs bounded memory. A forgotten thread keeps its number in findings, but loses its name.
const REMEMBERED: usize = 1 << 16;

/// Thread numbers must fit the payload of a shadow word; see `checkers::eraser::word`.
const LAST: u32 = word::PAYLOAD;

/// Weaving has added no fields to `Thread`.
pub struct NoField;

#[derive(Clone)]
struct Row {
    id: ThreadId,
    name: String,
    is_virtual: bool,
    created: Frames,
}

/// All threads seen so far.
pub struct Threads {
    vm: Arc<Vm>,
    /// The field of `Thread` that holds the complement of its exclusive word, once the JVM runs; none where weaving adds no fields.
    others: OnceLock<usize>,
    rows: Mutex<(u32, Vec<Row>)>,
    /// How many have the place in clocks of one that they may race with.
    pub displacing: AtomicU64,
}

impl Threads {
    /// No threads.
    pub fn new(vm: Arc<Vm>) -> Self {
        Self { vm, others: OnceLock::new(), rows: Mutex::default(), displacing: AtomicU64::default() }
    }

    /// Looks for what weaving has added to `Thread`, once the JVM runs; false if that is not there.
    pub fn prepare(&self, env: Env) -> bool {
        let (name, descriptor) = THREAD_FIELDS[0];
        let others = env.find_class("java/lang/Thread").and_then(|thread| env.field(thread, name, descriptor));
        others.is_some_and(|others| self.others.set(others as usize).is_ok())
    }

    fn others(&self) -> Option<jfieldID> {
        self.others.get().map(|&field| field as jfieldID)
    }

    /// The number of a thread by its field: an error if there is no such field; none for a thread that did nothing.
    pub fn number(&self, env: Env, thread: jthread) -> Result<Option<ThreadId>, NoField> {
        let others = env.int(thread, self.others().ok_or(NoField)?);
        Ok((others != 0).then_some(ThreadId(!others as u32 & word::PAYLOAD)))
    }

    /// Numbers a new thread.
    pub fn register(&self, name: String, is_virtual: bool, created: Frames) -> ThreadId {
        let mut guard = self.rows.lock();
        let (count, rows) = &mut *guard;
        *count = (*count + 1).min(LAST);
        let row = Row { id: ThreadId(*count), name, is_virtual, created };
        let slot = *count as usize % REMEMBERED;
        if slot < rows.len() {
            rows[slot] = row;
        } else {
            // Slot 0 stays empty in the first round, because numbers start at 1.
            rows.resize(
                slot,
                Row { id: ThreadId(0), name: String::new(), is_virtual: false, created: Frames::default() },
            );
            rows.push(row);
        }
        ThreadId(*count)
    }

    /// Resolves the stacks that these methods are in, which are about to change.
    pub fn keep_places(&self, methods: &FxHashSet<usize>) {
        self.rows.lock().1.iter_mut().for_each(|row| row.created.resolve(&self.vm, methods));
    }

    /// How many threads were seen.
    pub fn count(&self) -> u64 {
        self.rows.lock().0.into()
    }

    /// What is known of a thread.
    pub fn describe(&self, env: Env, id: ThreadId) -> Thread {
        let row = self.rows.lock().1.get(id.0 as usize % REMEMBERED).filter(|row| row.id == id).cloned();
        let (name, is_virtual, created) = match row {
            Some(row) => (row.name, row.is_virtual, row.created.places(&self.vm)),
            None => (String::new(), false, Vec::new()),
        };
        let alive = if is_virtual { None } else { self.is_alive(env, id) };
        Thread { id, name, is_virtual, alive, created }
    }

    /// Whether a platform thread lives; none if that is not known.
    fn is_alive(&self, env: Env, id: ThreadId) -> Option<bool> {
        let others = self.others().filter(|_| id.0 != 0)?;
        Some(self.vm.some_platform_thread_has(env, others, !word::own_word(id) as i32))
    }
}
