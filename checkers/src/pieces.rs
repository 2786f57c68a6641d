//! `wait` cuts transactions in pieces: code that waits for other threads expects them to come in between.
//!
//! Each piece is a transaction of the same code. Without this, every method that waits in a loop for a condition would be
//! taken for not atomic. **Misses**: what a transaction knows from before the wait and relies on afterwards.

use facts::event::{Event, EventKind};
use facts::index::{SiteId, ThreadId};
use rustc_hash::FxHashMap;

/// The transactions that threads are in.
#[derive(Debug, Default)]
pub struct Pieces {
    open: FxHashMap<ThreadId, Vec<SiteId>>,
}

impl Pieces {
    /// Hands on an event of the stream, and around a wait the ends and beginnings of pieces.
    pub fn hand_on(&mut self, event: &Event, mut take: impl FnMut(&Event)) {
        if let EventKind::Access(..) | EventKind::Acquire(..) | EventKind::Release(..) = event.action {
            return take(event);
        }
        let open = self.open.entry(event.thread).or_default();
        let piece = |site: &SiteId, action| Event { site: *site, action, ..*event };
        if let EventKind::WaitBegin(_) = event.action {
            open.iter().rev().for_each(|site| take(&piece(site, EventKind::Exit)));
        }
        take(event);
        match event.action {
            EventKind::WaitEnd(_) => open.iter().for_each(|site| take(&piece(site, EventKind::Enter))),
            EventKind::Enter => open.push(event.site),
            EventKind::Exit => {
                let at = open.iter().rposition(|site| *site == event.site);
                open.truncate(at.unwrap_or(open.len()));
            }
            EventKind::End => drop(self.open.remove(&event.thread)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::events;

    fn handed_on(text: &str) -> Vec<Event> {
        let (mut pieces, mut taken) = (Pieces::default(), Vec::new());
        events(text).iter().for_each(|event| pieces.hand_on(event, |event| taken.push(*event)));
        taken
    }

    fn actions(events: &[Event]) -> Vec<(SiteId, EventKind)> {
        let of_transaction = |event: &&Event| matches!(event.action, EventKind::Enter | EventKind::Exit);
        events.iter().filter(of_transaction).map(|event| (event.site, event.action)).collect()
    }

    #[test]
    fn a_wait_ends_every_open_transaction_and_begins_it_again() {
        let taken =
            handed_on("t1 enter M; t1 enter N; t1 exit N; t1 enter O; t1 wait m; t1 woken m; t1 exit O; t1 exit M");
        let expected = events(
            "t1 enter M; t1 enter N; t1 exit N; t1 enter O; t1 exit O; t1 exit M; t1 enter M; t1 enter O; t1 exit O; t1 exit M",
        );
        assert_eq!(actions(&taken), actions(&expected));
        assert_eq!(taken.len(), expected.len() + 2);
    }

    #[test]
    fn lost_ends_are_not_begun_again() {
        let taken = handed_on("t1 enter M; t1 enter N; t1 exit M; t2 enter N; t1 wait m; t1 woken m");
        assert_eq!(actions(&taken), actions(&events("t1 enter M; t1 enter N; t1 exit M; t2 enter N")));
    }
}
