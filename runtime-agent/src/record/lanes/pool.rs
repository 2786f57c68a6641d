//! The memory that all lanes have together. A thread that finds no free chunk waits for the drain, which waits for nobody.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::lane::Chunk;

/// Chunks beyond the first of each lane: 64 MB.
pub const CHUNKS: usize = 4096;
/// Full chunks at which the drain is woken.
const MANY: usize = 64;

/// The chunks.
#[derive(Default)]
pub struct Pool {
    chunks: Mutex<Chunks>,
    /// A chunk was freed, or recording is over.
    freed: Condvar,
    /// There is much to do.
    filled: Condvar,
    over: AtomicBool,
}

#[derive(Default)]
struct Chunks {
    free: Vec<Chunk>,
    n_made: usize,
    n_full: usize,
}

impl Pool {
    /// Takes a free chunk for a full one; waits until there is one, and gives none when recording is over.
    pub fn take(&self) -> Option<Chunk> {
        let mut chunks = self.chunks.lock();
        chunks.n_full += 1;
        if chunks.n_full >= MANY {
            self.filled.notify_one();
        }
        while !self.is_over() {
            if let Some(chunk) = chunks.free.pop() {
                return Some(chunk);
            }
            if chunks.n_made < CHUNKS {
                chunks.n_made += 1;
                return Some(Chunk::new());
            }
            self.filled.notify_one();
            self.freed.wait(&mut chunks);
        }
        None
    }

    /// Gives back chunks that were read.
    pub fn free(&self, read: Vec<Chunk>) {
        if !read.is_empty() {
            let mut chunks = self.chunks.lock();
            chunks.n_full = chunks.n_full.saturating_sub(read.len());
            chunks.free.extend(read);
            self.freed.notify_all();
        }
    }

    /// How many chunks there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.chunks.lock().n_made
    }

    /// Waits until there is much to do, or for so long.
    pub fn wait(&self, longest: Duration) {
        let mut chunks = self.chunks.lock();
        if chunks.n_full < MANY && !self.is_over() {
            self.filled.wait_for(&mut chunks, longest);
        }
    }

    /// Ends the wait.
    pub fn wake(&self) {
        self.filled.notify_one();
    }

    /// Nobody reads any more: nobody has to wait.
    pub fn close(&self) {
        self.over.store(true, Release);
        let _chunks = self.chunks.lock();
        self.freed.notify_all();
        self.filled.notify_all();
    }

    /// Whether [`Self::close`] was called.
    pub fn is_over(&self) -> bool {
        self.over.load(Acquire)
    }
}
