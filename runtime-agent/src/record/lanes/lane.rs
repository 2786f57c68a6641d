//! The lane of one thread.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use facts::layout::lane;
use parking_lot::Mutex;

use super::header::Header;

/// Words in a chunk: 16 KB.
pub const CHUNK: usize = 2048;
/// The most that one event needs at once: a ticket, a thread, and two words.
const ROOM: usize = 4;

/// The lane of a thread. It is never freed, as woven code has its address; another thread gets it when this one has ended. Its tables give
/// their memory back then.
#[derive(Default)]
#[repr(C)]
pub struct Lane {
    /// What the helper classes know of it.
    pub header: Header,
    /// Whose it is; 0 while it is nobody's, or of all threads without one.
    pub thread: AtomicU32,
    chunks: Mutex<Chunks>,
}

#[derive(Default)]
struct Chunks {
    /// With their lengths.
    full: VecDeque<(Chunk, usize)>,
    current: Option<Chunk>,
    /// How much of the first one was read.
    read: usize,
}

/// Memory for entries. It is never freed.
#[derive(Clone, Copy)]
pub struct Chunk(*mut u64);

// SAFETY: the writer stays above what readers may see, and `Lane::header` publishes what it wrote.
unsafe impl Send for Chunk {}

impl Chunk {
    /// A new one.
    pub fn new() -> Self {
        Self(Box::leak(vec![0; CHUNK].into_boxed_slice()).as_mut_ptr())
    }

    /// # Safety
    /// The first `length` words must have been published.
    unsafe fn words(self, from: usize, length: usize) -> &'static [u64] {
        // SAFETY: chunks are never freed, and the caller vouches for the words.
        unsafe { std::slice::from_raw_parts(self.0.add(from), length - from) }
    }
}

impl Lane {
    /// The address that the helper class knows it by.
    pub fn address(&'static self) -> u64 {
        std::ptr::from_ref(self) as u64
    }

    /// The lane at an address.
    ///
    /// # Safety
    /// It must come from [`Self::address`].
    pub unsafe fn at(address: u64) -> &'static Self {
        // SAFETY: lanes are never freed.
        unsafe { &*(address as *const Self) }
    }

    /// A lane that begins with a chunk.
    pub fn new(chunk: Chunk) -> Self {
        let lane = Self::default();
        lane.begin(&mut lane.chunks.lock(), chunk);
        lane
    }

    /// Whether its thread needs another chunk.
    pub fn is_full(&self) -> bool {
        self.header.at(lane::NEXT).load(Relaxed) > self.header.at(lane::LIMIT).load(Relaxed)
    }

    fn begin(&self, chunks: &mut Chunks, chunk: Chunk) {
        chunks.current = Some(chunk);
        let start = chunk.0 as u64;
        self.header.at(lane::LIMIT).store(start + 8 * (CHUNK - ROOM) as u64, Relaxed);
        self.header.at(lane::NEXT).store(start, Release);
    }

    /// How many words of its current chunk are written.
    fn length(&self, current: Chunk) -> usize {
        (self.header.at(lane::NEXT).load(Acquire) - current.0 as u64) as usize / 8
    }

    /// The same with what is held back.
    fn whole_length(&self, current: Chunk) -> usize {
        let end = self.header.at(lane::HELD).load(Acquire).max(self.header.at(lane::NEXT).load(Acquire));
        (end - current.0 as u64) as usize / 8
    }

    /// Writes on behalf of its thread; it must not be full.
    pub fn write(&self, words: &[u64]) {
        let next = self.header.at(lane::NEXT).load(Relaxed) as *mut u64;
        for (i, &word) in words.iter().enumerate() {
            // SAFETY: below the limit there is room for `ROOM` words, and nobody reads above `next`.
            unsafe { next.add(i).write(word) };
        }
        self.header.at(lane::NEXT).store(next as u64 + 8 * words.len() as u64, Release);
    }

    /// Goes on in a free chunk; if there is none, in the same one, and what comes then is lost.
    pub fn go_on(&self, free: Option<Chunk>) {
        let mut chunks = self.chunks.lock();
        let Some(current) = chunks.current else { return };
        if free.is_some() {
            let length = self.length(current);
            chunks.full.push_back((current, length));
        }
        self.begin(&mut chunks, free.unwrap_or(current));
    }

    /// What was not read yet; at last also what is held back.
    pub fn unread(&self, at_last: bool) -> Vec<&'static [u64]> {
        let chunks = self.chunks.lock();
        let length = |current| if at_last { self.whole_length(current) } else { self.length(current) };
        let current = chunks.current.iter().map(|&current| (current, length(current)));
        let mut from = chunks.read;
        let mut unread = Vec::with_capacity(chunks.full.len() + 1);
        for (chunk, length) in chunks.full.iter().copied().chain(current) {
            // SAFETY: `length` was published by the writer, who moves on to free chunks only.
            unread.push(unsafe { chunk.words(from, length) });
            from = 0;
        }
        unread
    }

    /// Takes note that so many words more were read; returns the chunks that are free now.
    pub fn read(&self, n_words: usize) -> Vec<Chunk> {
        let mut chunks = self.chunks.lock();
        chunks.read += n_words;
        let mut free = Vec::new();
        while let Some(&(chunk, length)) = chunks.full.front()
            && chunks.read >= length
        {
            chunks.read -= length;
            chunks.full.pop_front();
            free.push(chunk);
        }
        free
    }
}
