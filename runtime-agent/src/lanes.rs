//! Lanes: what the threads have recorded and the drain has not read yet.
//!
//! Each platform thread writes entries of one or two words into memory of its own (a *lane*) without a lock and without a native
//! call: woven code needs four stores. The order between threads comes from *tickets*, numbers of one counter. An event takes a
//! ticket when an event of another thread has to come before it: a lock is acquired, a thread was joined, a volatile is accessed,
//! or another thread has accessed the location last. It stands at the thread's latest ticket, and so do the events after it. An
//! event on which another one depends was in its lane, at a lower ticket, before the other took its own; so sorting by tickets keeps
//! the order of each thread, of the owners of each lock, and of the accesses to each location. Only accesses that race at that
//! very moment have no order.
//!
//! A *cut* is what can be sorted now: it reads the counter first and the ends of the lanes after that, and takes the events with
//! tickets below the counter. What one of them depends on was in its lane before the counter was read, so it is in this cut or an
//! earlier one; nothing has to wait for a thread that is silent.
//!
//! Where only what can matter to transactions is recorded, the helper class *holds back* the entries of an outermost transaction or
//! section with a lock as long as one before it has begun with the same entries, and takes them back if it ends like that. What is
//! held back stands at
//! the ticket that is taken when it is published, so what other threads did in the meantime comes before it in the order, although
//! some of it was done later: only the order of entries that repeat earlier ones of their thread is not the true one. What it has
//! recorded often enough it leaves out, but in *bursts*, which all threads take part in (class `JraceSpans`).
//!
//! Memory is bounded: a thread that finds no free chunk waits for the drain, which waits for nobody. The virtual threads, of which
//! there may be millions, share one lane behind a lock.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::Duration;

use facts::index::ThreadId;
use facts::layout::operation::{OPERATION_SHIFT, SITE_SHIFT};
use facts::layout::site::SITE_BITS;
use facts::layout::{lane, lane_tables, operation, token};
use parking_lot::{Condvar, Mutex};

/// Words in a chunk: 16 KB.
const CHUNK: usize = 2048;
/// The most that one event needs at once: a ticket, a thread, and two words.
const ROOM: usize = 4;
/// Chunks beyond the first of each lane: 64 MB.
const CHUNKS: usize = 4096;
/// The bits of a ticket that are its number.
const NUMBER: u64 = (1 << OPERATION_SHIFT) - 1;
/// Full chunks at which the drain is woken.
const MANY: usize = 64;

/// One event as it was recorded.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Who.
    pub thread: ThreadId,
    /// Whether the thread has a lane of its own.
    pub is_alone: bool,
    /// One of [`facts::layout::operation`].
    pub operation: u64,
    /// Where; 0 if unknown.
    pub site: u32,
    /// The object, lock or thread.
    pub object: u32,
    /// The index, for arrays.
    pub index: u32,
}

/// Places of spans beside a lane.
const PLACES: usize = 1 << lane_tables::PLACE_BITS;
/// What is known of spans, in words: places, and a bit for each hash of a step.
const SPANS: usize = ((lane_tables::TABLE_BYTES - lane_tables::PLACES) / WORD) as usize;
/// Bytes of the tables beside a lane.
const TABLES: usize = lane_tables::TABLE_BYTES as usize;
/// Bytes in a word of a lane.
const WORD: i64 = 8;
/// The weight of the spans that are recorded in a burst.
const IN_BURST: u64 = 1000;

/// What the helper classes know of a lane: the words of [`facts::layout::lane`].
#[derive(Default)]
#[repr(C, align(128))]
struct Header([AtomicU64; (lane::HEADER_BYTES / WORD) as usize]);

impl Header {
    /// The word at an offset.
    fn at(&self, offset: i64) -> &AtomicU64 {
        &self.0[(offset / WORD) as usize]
    }

    /// For another thread.
    fn begin(&self, ticket: u64) {
        let outside = self.at(lane::TOKEN).load(Relaxed) + token::NEXT_TOKEN as u64;
        self.at(lane::LATEST).store((ticket & NUMBER) >> lane::UNIT_BITS, Relaxed);
        self.at(lane::TOKEN).store(outside, Relaxed);
        for stretch in [lane::STRETCH, lane::OUTSIDE] {
            self.at(stretch).store(outside | token::IS_OUTSIDE as u64, Relaxed);
        }
        self.at(lane::SEGMENT).store(outside, Relaxed);
        // From a ticket, as no two have the same.
        let is_fresh = u64::from(lane::IS_FRESH);
        self.at(lane::FRESH).store(is_fresh | ticket & (is_fresh - 1), Relaxed);
        for count in [lane::DEPTH, lane::DONE, lane::LOCKS, lane::PLACE] {
            self.at(count).store(0, Relaxed);
        }
    }

    /// What is known of spans. The thread of the lane changes it all the while.
    fn spans(&self) -> &'static [AtomicU64] {
        let spans = self.at(lane::KNOWN).load(Relaxed) + lane_tables::PLACES as u64;
        // SAFETY: the tables have that many words from there on and are never freed.
        unsafe { std::slice::from_raw_parts(spans as *const AtomicU64, SPANS) }
    }

    /// Nothing is known any more, and the tables take no memory until something is. The thread of the lane must have ended.
    fn forget(&self) {
        let tables = self.at(lane::KNOWN).load(Relaxed) as *mut u8;
        // SAFETY: the tables, whose pages are zero when they are next touched.
        if unsafe { libc::madvise(tables.cast(), TABLES, libc::MADV_DONTNEED) } != 0 {
            // SAFETY: as above; nobody else looks into them.
            unsafe { tables.write_bytes(0, TABLES) };
        }
    }

    /// The thread is to record some spans of every place. What it counts at this moment may be lost, or the burst at a place.
    fn begin_burst(&self) {
        for place in &self.spans()[..PLACES] {
            let known = place.load(Relaxed);
            if known != 0 && known >> 32 < IN_BURST {
                place.store(IN_BURST << 32 | known & u64::from(u32::MAX), Relaxed);
            }
        }
    }

    /// Publishes what is held back at a ticket, in the word before it. Called by the thread, or when it has ended.
    fn publish(&self, ticket: impl FnOnce() -> u64) {
        let held = self.at(lane::HELD).load(Relaxed);
        if held != 0 {
            let before = self.at(lane::NEXT).load(Relaxed) as *mut u64;
            // SAFETY: what is held back begins with a word for the ticket, which nobody reads yet.
            unsafe { before.write(ticket()) };
            self.at(lane::NEXT).store(held, Release);
            self.at(lane::HELD).store(0, Relaxed);
        }
    }
}

/// The lane of a thread. It is never freed, as woven code has its address; another thread gets it when this one has ended. Its tables give
/// their memory back then.
#[derive(Default)]
#[repr(C)]
pub struct Lane {
    header: Header,
    thread: AtomicU32,
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

#[derive(Clone, Copy)]
struct Chunk(*mut u64);

// SAFETY: the writer stays above what readers may see, and `Lane::header` publishes what it wrote.
unsafe impl Send for Chunk {}

impl Chunk {
    fn new() -> Self {
        Self(Box::leak(vec![0; CHUNK].into_boxed_slice()).as_mut_ptr())
    }

    /// # Safety
    /// The first `length` words must have been published.
    unsafe fn words(self, from: usize, length: usize) -> &'static [u64] {
        // SAFETY: chunks are never freed, and the caller vouches for the words.
        unsafe { std::slice::from_raw_parts(self.0.add(from), length - from) }
    }
}

/// All lanes.
pub struct Lanes {
    tickets: AtomicU64,
    all: Mutex<Vec<&'static Lane>>,
    unused: Mutex<Vec<&'static Lane>>,
    common: Mutex<Option<&'static Lane>>,
    pool: Mutex<Pool>,
    /// A chunk was freed, or recording is over.
    freed: Condvar,
    /// There is much to do.
    filled: Condvar,
    over: AtomicBool,
}

#[derive(Default)]
struct Pool {
    free: Vec<Chunk>,
    n_chunks: usize,
    n_full: usize,
}

impl Lanes {
    /// No lanes.
    pub fn new() -> Self {
        Self {
            tickets: AtomicU64::new(1),
            all: Mutex::default(),
            unused: Mutex::default(),
            common: Mutex::default(),
            pool: Mutex::default(),
            freed: Condvar::new(),
            filled: Condvar::new(),
            over: AtomicBool::new(false),
        }
    }

    /// Where the counter lies, for the helper class.
    pub fn tickets(&self) -> &AtomicU64 {
        &self.tickets
    }

    /// Threads record again, for a while, the spans that they know.
    pub fn begin_burst(&self) {
        let lanes = self.all.lock();
        lanes.iter().filter(|lane| lane.thread.load(Acquire) != 0).for_each(|lane| lane.header.begin_burst());
    }

    /// A lane for a thread, which begins with a ticket.
    pub fn open(&self, thread: ThreadId) -> &'static Lane {
        let unused = self.unused.lock().pop();
        unused.into_iter().for_each(|lane| lane.header.forget());
        let lane = unused.unwrap_or_else(|| self.add());
        lane.thread.store(thread.0, Release);
        let ticket = self.ticket();
        lane.header.begin(ticket);
        self.push(lane, &[ticket]);
        lane
    }

    fn add(&self) -> &'static Lane {
        let lane: &'static Lane = Box::leak(Box::default());
        lane.header.at(lane::KNOWN).store(tables() as u64, Relaxed);
        lane.begin(&mut lane.chunks.lock(), Chunk::new());
        self.all.lock().push(lane);
        lane
    }

    fn ticket(&self) -> u64 {
        operation::TICKET << OPERATION_SHIFT | self.tickets.fetch_add(1, SeqCst)
    }

    /// Adds the last entry of a thread, which must be the current one or must have ended.
    pub fn end(&self, thread: ThreadId) {
        let lane = self.all.lock().iter().copied().find(|lane| lane.thread.load(Acquire) == thread.0);
        match lane {
            Some(lane) => {
                self.push(lane, &[operation::THREAD_END << OPERATION_SHIFT]);
                // At once, as the drain may come only when thousands more have ended.
                lane.header.forget();
            }
            None => self.event(thread, operation::THREAD_END << OPERATION_SHIFT, None),
        }
    }

    /// Adds an event of a thread without a lane; `index` for an array.
    pub fn event(&self, thread: ThreadId, entry: u64, index: Option<u32>) {
        let mut common = self.common.lock();
        let lane = *common.get_or_insert_with(|| self.add());
        let thread = operation::THREAD << OPERATION_SHIFT | u64::from(thread.0);
        match index {
            None => self.push(lane, &[self.ticket(), thread, entry]),
            Some(index) => self.push(lane, &[self.ticket(), thread, entry, index.into()]),
        }
    }

    /// Writes to a lane on behalf of its thread.
    fn push(&self, lane: &Lane, words: &[u64]) {
        lane.header.publish(|| self.ticket());
        if lane.is_full() {
            self.make_room(lane);
        }
        let next = lane.header.at(lane::NEXT).load(Relaxed) as *mut u64;
        for (i, &word) in words.iter().enumerate() {
            // SAFETY: below the limit there is room for `ROOM` words, and nobody reads above `next`.
            unsafe { next.add(i).write(word) };
        }
        lane.header.at(lane::NEXT).store(next as u64 + 8 * words.len() as u64, Release);
    }

    /// Gives a lane that is full another chunk. Called by its thread.
    pub fn make_room(&self, lane: &Lane) {
        let free = self.take_chunk();
        let mut chunks = lane.chunks.lock();
        match (free, chunks.current) {
            (Some(free), Some(current)) => {
                let length = lane.length(current);
                chunks.full.push_back((current, length));
                lane.begin(&mut chunks, free);
            }
            // Recording is over: what comes now is lost.
            (_, Some(current)) => lane.begin(&mut chunks, current),
            (_, None) => {}
        }
    }

    /// Waits for a free chunk; `None` when recording is over.
    fn take_chunk(&self) -> Option<Chunk> {
        let mut pool = self.pool.lock();
        pool.n_full += 1;
        if pool.n_full >= MANY {
            self.filled.notify_one();
        }
        while !self.over.load(Acquire) {
            if let Some(chunk) = pool.free.pop() {
                return Some(chunk);
            }
            if pool.n_chunks < CHUNKS {
                pool.n_chunks += 1;
                return Some(Chunk::new());
            }
            self.filled.notify_one();
            self.freed.wait(&mut pool);
        }
        None
    }

    /// Waits until there is much to do, or for so long.
    pub fn wait(&self, longest: Duration) {
        let mut pool = self.pool.lock();
        if pool.n_full < MANY && !self.over.load(Acquire) {
            self.filled.wait_for(&mut pool, longest);
        }
    }

    /// Ends the wait.
    pub fn wake(&self) {
        self.filled.notify_one();
    }

    /// Nobody reads any more: nobody has to wait.
    pub fn close(&self) {
        self.over.store(true, Release);
        let _pool = self.pool.lock();
        self.freed.notify_all();
        self.filled.notify_all();
    }

    /// Whether [`Self::close`] was called.
    pub fn is_over(&self) -> bool {
        self.over.load(Acquire)
    }
}

/// Tables in which nothing is known, in pages of their own, so that they can be given back.
fn tables() -> *mut u8 {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: new memory, wherever there is room.
    let pages = unsafe { libc::mmap(std::ptr::null_mut(), TABLES, access, kind, -1, 0) };
    if pages == libc::MAP_FAILED {
        return vec![0_u64; TABLES / WORD as usize].leak().as_mut_ptr().cast();
    }
    // A huge page would give each thread at once what it may never touch. Where there are none, the advice fails.
    // SAFETY: the pages from above.
    let _ = unsafe { libc::madvise(pages, TABLES, libc::MADV_NOHUGEPAGE) };
    pages.cast()
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

    fn is_full(&self) -> bool {
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

    /// What was not read yet; at last also what is held back.
    fn unread(&self, at_last: bool) -> Vec<&'static [u64]> {
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
    fn read(&self, n_words: usize) -> Vec<Chunk> {
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

/// Sorts what was recorded, cut by cut.
#[derive(Default)]
pub struct Drain {
    /// By lane, in their order: where it stands.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    ticket: u64,
    thread: u32,
}

/// A lane's part of a cut.
struct Stream {
    slices: std::vec::IntoIter<&'static [u64]>,
    slice: &'static [u64],
    n_read: usize,
}

/// What there is to sort; see the module's comment.
pub struct Cut {
    end: u64,
    lanes: Vec<&'static Lane>,
    streams: Vec<Stream>,
}

impl Cut {
    /// Looks at the lanes.
    pub fn of(lanes: &Lanes) -> Self {
        Self::new(lanes, false)
    }

    /// The last look, at all that threads have written: those that still run may take back some of it.
    pub fn last(lanes: &Lanes) -> Self {
        Self::new(lanes, true)
    }

    fn new(lanes: &Lanes, at_last: bool) -> Self {
        let end = lanes.tickets.load(SeqCst);
        let all = lanes.all.lock().clone();
        let streams = all.iter().map(|lane| Stream::new(lane.unread(at_last))).collect();
        Self { end, lanes: all, streams }
    }
}

impl Drain {
    /// Hands on the events of a cut in order; stops when `take` refuses.
    pub fn sort<E>(
        &mut self,
        lanes: &Lanes,
        mut cut: Cut,
        mut take: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        self.places.resize(cut.lanes.len(), Place::default());
        let tickets = self.places.iter().enumerate().map(|(i, place)| Reverse((place.ticket, i)));
        let mut queue: BinaryHeap<_> = tickets.filter(|entry| !cut.streams[entry.0.1].is_empty()).collect();
        let mut result = Ok(());
        while let (Some(Reverse((_, i))), Ok(())) = (queue.pop(), &result) {
            let until = queue.peek().map_or(cut.end, |next| next.0.0.min(cut.end));
            let (stream, place) = (&mut cut.streams[i], &mut self.places[i]);
            result = stream.run(place, until, &mut Sink { lanes, lane: cut.lanes[i], take: &mut take });
            if !stream.is_empty() && place.ticket < cut.end {
                queue.push(Reverse((place.ticket, i)));
            }
        }
        for (lane, stream) in cut.lanes.iter().zip(&cut.streams) {
            lanes.free(lane.read(stream.n_read));
        }
        result
    }
}

/// Where a stream's entries go.
struct Sink<'a, T> {
    lanes: &'a Lanes,
    lane: &'static Lane,
    take: T,
}

impl Stream {
    fn new(slices: Vec<&'static [u64]>) -> Self {
        let mut stream = Self { slices: slices.into_iter(), slice: &[], n_read: 0 };
        stream.go_on();
        stream
    }

    fn go_on(&mut self) {
        while self.slice.is_empty()
            && let Some(next) = self.slices.next()
        {
            self.slice = next;
        }
    }

    fn is_empty(&self) -> bool {
        self.slice.is_empty()
    }

    fn word(&mut self) -> Option<u64> {
        let (&word, rest) = self.slice.split_first()?;
        self.slice = rest;
        self.n_read += 1;
        if rest.is_empty() {
            self.go_on();
        }
        Some(word)
    }

    /// Hands on what stands at tickets below `until`. The first ticket that does not stays the place of the stream.
    fn run<E>(
        &mut self,
        place: &mut Place,
        until: u64,
        sink: &mut Sink<'_, impl FnMut(Entry) -> Result<(), E>>,
    ) -> Result<(), E> {
        while let Some(word) = self.word() {
            let (operation, object) = (word >> OPERATION_SHIFT, word as u32);
            match operation {
                operation::TICKET => {
                    place.ticket = word & NUMBER;
                    if place.ticket >= until {
                        break;
                    }
                }
                operation::THREAD => place.thread = object,
                _ => {
                    let has_index = (operation::READ_ARRAY..=operation::WRITE_ARRAY).contains(&operation);
                    let index = if has_index { self.word().unwrap_or_default() as u32 } else { 0 };
                    let own = sink.lane.thread.load(Acquire);
                    let thread = ThreadId(if own == 0 { place.thread } else { own });
                    let site = (word >> SITE_SHIFT) as u32 & ((1 << SITE_BITS) - 1);
                    let is_alone = own != 0;
                    (sink.take)(Entry { thread, is_alone, operation, site, object, index })?;
                    if operation == operation::THREAD_END && own != 0 {
                        sink.lanes.reuse(sink.lane);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Lanes {
    /// The thread of the lane has ended, and everything was read.
    fn reuse(&self, lane: &'static Lane) {
        lane.thread.store(0, Release);
        self.unused.lock().push(lane);
    }

    fn free(&self, chunks: Vec<Chunk>) {
        if !chunks.is_empty() {
            let mut pool = self.pool.lock();
            pool.n_full = pool.n_full.saturating_sub(chunks.len());
            pool.free.extend(chunks);
            self.freed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: u64 = operation::ACQUIRE << OPERATION_SHIFT;

    fn cut(drain: &mut Drain, lanes: &Lanes) -> Vec<(u32, u32)> {
        let mut seen = Vec::new();
        let take = |entry: Entry| {
            seen.push((entry.thread.0, entry.object));
            Ok::<(), ()>(())
        };
        assert_eq!(drain.sort(lanes, Cut::of(lanes), take), Ok(()));
        seen
    }

    #[test]
    fn tickets_order_events_of_several_threads() {
        let (lanes, mut drain) = (Lanes::new(), Drain::default());
        let (a, b) = (lanes.open(ThreadId(1)), lanes.open(ThreadId(2)));
        lanes.push(b, &[EVENT | 20]);
        lanes.push(a, &[EVENT | 10]);
        lanes.push(b, &[lanes.ticket(), EVENT | 21]);
        lanes.push(a, &[EVENT | 11]);
        lanes.push(a, &[lanes.ticket(), EVENT | 12]);
        lanes.event(ThreadId(3), operation::WRITE_ARRAY << OPERATION_SHIFT | 30, Some(7));
        lanes.push(b, &[EVENT | 22]);
        assert_eq!(cut(&mut drain, &lanes), [(1, 10), (1, 11), (2, 20), (2, 21), (2, 22), (1, 12), (3, 30)]);
        lanes.push(a, &[EVENT | 13]);
        assert_eq!(cut(&mut drain, &lanes), [(1, 13)]);
    }

    #[test]
    fn a_ticket_taken_after_the_look_waits_for_the_next_cut() {
        let (lanes, mut drain) = (Lanes::new(), Drain::default());
        let lane = lanes.open(ThreadId(1));
        lanes.push(lane, &[EVENT | 1, lanes.ticket(), EVENT | 2]);
        let early = Cut { end: lanes.tickets.load(SeqCst) - 1, ..Cut::of(&lanes) };
        let mut seen = Vec::new();
        let result = drain.sort(&lanes, early, |entry| {
            seen.push(entry.object);
            Ok::<(), ()>(())
        });
        assert_eq!((result, seen), (Ok(()), vec![1]));
        assert_eq!(cut(&mut drain, &lanes), [(1, 2)]);
    }

    #[test]
    fn what_is_held_back_is_read_when_it_is_published_or_at_last() {
        let (lanes, mut drain) = (Lanes::new(), Drain::default());
        let lane = lanes.open(ThreadId(1));
        let hold = |entries: &[u64]| {
            let next = lane.header.at(lane::NEXT).load(Relaxed) as *mut u64;
            let words: Vec<u64> = [&[operation::TICKET << OPERATION_SHIFT], entries].concat();
            // SAFETY: the chunk is new.
            words.iter().enumerate().for_each(|(i, word)| unsafe { next.add(i).write(*word) });
            lane.header.at(lane::HELD).store(next as u64 + 8 * words.len() as u64, Relaxed);
        };
        hold(&[EVENT | 1, EVENT | 2]);
        assert_eq!(cut(&mut drain, &lanes), []);
        lane.header.at(lane::HELD).store(0, Relaxed);
        hold(&[EVENT | 3]);
        lanes.push(lane, &[EVENT | 4]);
        assert_eq!(cut(&mut drain, &lanes), [(1, 3), (1, 4)]);
        hold(&[EVENT | 5]);
        let mut seen = Vec::new();
        let take = |entry: Entry| {
            seen.push(entry.object);
            Ok::<(), ()>(())
        };
        assert_eq!((drain.sort(&lanes, Cut::last(&lanes), take), seen), (Ok(()), vec![5]));
    }

    #[test]
    fn a_burst_makes_known_places_unknown() {
        let lanes = Lanes::new();
        let spans = lanes.open(ThreadId(1)).header.spans();
        let (known, unknown, step) = (7, 9999 << 32 | 8, 1);
        [(0, known), (1, unknown), (PLACES, step)].into_iter().for_each(|(at, word)| spans[at].store(word, Relaxed));
        lanes.begin_burst();
        let found = [0, 1, 2, PLACES].map(|at| spans[at].load(Relaxed));
        assert_eq!(found, [IN_BURST << 32 | known, unknown, 0, step]);
    }

    #[test]
    fn a_lane_is_used_again_when_its_thread_has_ended() {
        let (lanes, mut drain) = (Lanes::new(), Drain::default());
        let lane = lanes.open(ThreadId(1));
        let spans = lane.header.spans();
        let fill = || [&spans[0], &spans[SPANS - 1]].into_iter().for_each(|word| word.store(1, Relaxed));
        fill();
        lanes.end(ThreadId(1));
        assert!(spans.iter().all(|word| word.load(Relaxed) == 0));
        assert_eq!(cut(&mut drain, &lanes), [(1, 0)]);
        fill();
        assert_eq!(lanes.open(ThreadId(2)).address(), lane.address());
        assert!(spans.iter().all(|word| word.load(Relaxed) == 0));
        lanes.end(ThreadId(2));
        assert_eq!(cut(&mut drain, &lanes), [(2, 0)]);
    }

    /// More than fits the memory at once: the writers wait for the drain. Owners of a lock, numbered as they got it, keep their order.
    #[test]
    fn nothing_is_lost_when_memory_is_full() {
        const THREADS: u32 = 3;
        let n_each = (CHUNKS * CHUNK) as u32 / 2;
        let (lanes, lock) = (Lanes::new(), Mutex::new(0));
        let (mut drain, mut own, mut owners) = (Drain::default(), vec![0; THREADS as usize], 0);
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..THREADS)
                .map(|thread| {
                    let (lanes, lock) = (&lanes, &lock);
                    scope.spawn(move || {
                        let lane = lanes.open(ThreadId(thread + 1));
                        for i in 0..n_each {
                            lanes.push(lane, &[EVENT | u64::from(i)]);
                            if i % 64 == 0 {
                                let mut next = lock.lock();
                                lanes.push(lane, &[lanes.ticket(), operation::READ << OPERATION_SHIFT | *next]);
                                *next += 1;
                            }
                        }
                    })
                })
                .collect();
            let mut is_over = false;
            while !is_over {
                is_over = writers.iter().all(std::thread::ScopedJoinHandle::is_finished);
                let take = |entry: Entry| {
                    let next = if entry.operation == operation::READ {
                        &mut owners
                    } else {
                        &mut own[entry.thread.0 as usize - 1]
                    };
                    assert_eq!(entry.object, *next);
                    *next += 1;
                    Ok::<(), ()>(())
                };
                assert_eq!(drain.sort(&lanes, Cut::of(&lanes), take), Ok(()));
            }
        });
        assert_eq!(own, vec![n_each; THREADS as usize]);
        assert!(u64::from(owners) == *lock.lock() && lanes.pool.lock().n_chunks <= CHUNKS);
    }
}
