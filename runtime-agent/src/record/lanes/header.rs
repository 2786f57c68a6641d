//! What the helper classes see of a lane: its header, and the tables of spans beside it.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Relaxed, Release};

use facts::layout::{lane, lane_tables, token};

use super::NUMBER;

/// Places of spans beside a lane.
pub const PLACES: usize = 1 << lane_tables::PLACE_BITS;
/// What is known of spans, in words: places, and a bit for each hash of a step.
pub const SPANS: usize = ((lane_tables::TABLE_BYTES - lane_tables::PLACES) / WORD) as usize;
/// Bytes of the tables beside a lane.
const TABLES: usize = lane_tables::TABLE_BYTES as usize;
/// Bytes in a word of a lane.
const WORD: i64 = 8;
/// The weight of the spans that are recorded in a burst.
pub const IN_BURST: u64 = 1000;

/// What the helper classes know of a lane: the words of [`facts::layout::lane`].
#[repr(C, align(128))]
pub struct Header([AtomicU64; (lane::HEADER_BYTES / WORD) as usize]);

impl Default for Header {
    /// That of a lane with tables in which nothing is known.
    fn default() -> Self {
        let header = Self(std::array::from_fn(|_| AtomicU64::new(0)));
        header.at(lane::KNOWN).store(tables() as u64, Relaxed);
        header
    }
}

impl Header {
    /// The word at an offset.
    pub fn at(&self, offset: i64) -> &AtomicU64 {
        &self.0[(offset / WORD) as usize]
    }

    /// For another thread.
    pub fn begin(&self, ticket: u64) {
        let outside = self.at(lane::TOKEN).load(Relaxed) + token::NEXT_TOKEN as u64;
        self.at(lane::LATEST).store((ticket & NUMBER) >> lane::UNIT_BITS, Relaxed);
        self.at(lane::TOKEN).store(outside, Relaxed);
        for region in [lane::REGION, lane::OUTSIDE] {
            self.at(region).store(outside | token::IS_OUTSIDE as u64, Relaxed);
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
    pub fn spans(&self) -> &'static [AtomicU64] {
        let spans = self.at(lane::KNOWN).load(Relaxed) + lane_tables::PLACES as u64;
        // SAFETY: the tables have that many words from there on and are never freed.
        unsafe { std::slice::from_raw_parts(spans as *const AtomicU64, SPANS) }
    }

    /// Nothing is known any more, and the tables take no memory until something is. The thread of the lane must have ended.
    pub fn forget(&self) {
        let tables = self.at(lane::KNOWN).load(Relaxed) as *mut u8;
        // SAFETY: the tables, whose pages are zero when they are next touched.
        if unsafe { libc::madvise(tables.cast(), TABLES, libc::MADV_DONTNEED) } != 0 {
            // SAFETY: as above; nobody else looks into them.
            unsafe { tables.write_bytes(0, TABLES) };
        }
    }

    /// The thread is to record some spans of every place. What it counts at this moment may be lost, or the burst at a place.
    pub fn begin_burst(&self) {
        for place in &self.spans()[..PLACES] {
            let known = place.load(Relaxed);
            if known != 0 && known >> 32 < IN_BURST {
                place.store(IN_BURST << 32 | known & u64::from(u32::MAX), Relaxed);
            }
        }
    }

    /// Publishes what is held back at a ticket, in the word before it. Called by the thread, or when it has ended.
    pub fn publish(&self, ticket: impl FnOnce() -> u64) {
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
