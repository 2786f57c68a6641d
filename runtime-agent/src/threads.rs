//! Who the threads are: names and creation stacks, for findings.

use facts::finding::Thread;
use facts::index::ThreadId;
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use crate::jvmti::Frames;

/// How many threads are remembered: beyond that the oldest numbers are forgotten, so that a program with millions of virtual
/// threads costs bounded memory. A forgotten thread keeps its number in findings, but loses its name.
const REMEMBERED: usize = 1 << 16;

/// Thread numbers must fit the payload of a shadow word; see `checkers::word`.
const LAST: u32 = checkers::word::PAYLOAD;

#[derive(Clone)]
struct Row {
    id: ThreadId,
    name: String,
    is_virtual: bool,
    created: Frames,
}

/// All threads seen so far.
#[derive(Default)]
pub struct Threads {
    rows: Mutex<(u32, Vec<Row>)>,
}

impl Threads {
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
        self.rows.lock().1.iter_mut().for_each(|row| row.created.resolve(methods));
    }

    /// How many threads were seen.
    pub fn count(&self) -> u64 {
        self.rows.lock().0.into()
    }

    /// What is known of a thread; `created` resolves its creation stack.
    pub fn describe(&self, id: ThreadId, alive: Option<bool>) -> Thread {
        let row = self.rows.lock().1.get(id.0 as usize % REMEMBERED).filter(|row| row.id == id).cloned();
        match row {
            Some(row) => {
                Thread { id, name: row.name, is_virtual: row.is_virtual, alive, created: row.created.places() }
            }
            None => Thread { id, name: String::new(), is_virtual: false, alive, created: Vec::new() },
        }
    }
}
