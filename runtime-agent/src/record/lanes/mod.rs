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

mod drain;
mod header;
mod lane;
mod pool;

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release, SeqCst};

use facts::index::ThreadId;
use facts::layout::operation::{self, OPERATION_SHIFT};
use parking_lot::Mutex;

pub use drain::{Cut, Drain};
use lane::Chunk;
pub use lane::Lane;
use pool::Pool;

/// The bits of a ticket that are its number.
const NUMBER: u64 = (1 << OPERATION_SHIFT) - 1;

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

/// All lanes.
pub struct Lanes {
    tickets: AtomicU64,
    all: Mutex<Vec<&'static Lane>>,
    unused: Mutex<Vec<&'static Lane>>,
    common: Mutex<Option<&'static Lane>>,
    /// Their memory, beyond the first chunk of each.
    pub pool: Pool,
}

impl Lanes {
    /// No lanes.
    pub fn new() -> Self {
        Self {
            tickets: AtomicU64::new(1),
            all: Mutex::default(),
            unused: Mutex::default(),
            common: Mutex::default(),
            pool: Pool::default(),
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
        let lane: &'static Lane = Box::leak(Box::new(Lane::new(Chunk::new())));
        self.all.lock().push(lane);
        lane
    }

    fn all(&self) -> Vec<&'static Lane> {
        self.all.lock().clone()
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
        lane.write(words);
    }

    /// Gives a lane that is full another chunk. Called by its thread.
    pub fn make_room(&self, lane: &Lane) {
        lane.go_on(self.pool.take());
    }

    /// The thread of the lane has ended, and everything was read.
    fn reuse(&self, lane: &'static Lane) {
        lane.thread.store(0, Release);
        self.unused.lock().push(lane);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use facts::layout::lane;

    use super::header::{IN_BURST, PLACES, SPANS};
    use super::lane::CHUNK;
    use super::pool::CHUNKS;
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
        assert!(u64::from(owners) == *lock.lock() && lanes.pool.len() <= CHUNKS);
    }
}
