//! What the threads have recorded, in order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::Ordering::{Acquire, SeqCst};

use facts::index::ThreadId;
use facts::layout::operation::{self, OPERATION_SHIFT, SITE_SHIFT};
use facts::layout::site::SITE_BITS;

use super::lane::Lane;
use super::{Entry, Lanes, NUMBER};

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
        let end = lanes.tickets().load(SeqCst);
        let all = lanes.all();
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
            lanes.pool.free(lane.read(stream.n_read));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_taken_after_the_look_waits_for_the_next_cut() {
        let (lanes, mut drain) = (Lanes::new(), Drain::default());
        let event = operation::ACQUIRE << OPERATION_SHIFT;
        let lane = lanes.open(ThreadId(1));
        lanes.push(lane, &[event | 1, lanes.ticket(), event | 2]);
        let early = Cut { end: lanes.tickets().load(SeqCst) - 1, ..Cut::of(&lanes) };
        let mut sorted = |cut| {
            let mut seen = Vec::new();
            let take = |entry: Entry| {
                seen.push(entry.object);
                Ok::<(), ()>(())
            };
            assert_eq!(drain.sort(&lanes, cut, take), Ok(()));
            seen
        };
        assert_eq!(sorted(early), [1]);
        assert_eq!(sorted(Cut::of(&lanes)), [2]);
    }
}
