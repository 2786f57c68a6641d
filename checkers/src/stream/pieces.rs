//! `wait` cuts transactions in pieces: code that waits for other threads expects them to come in between.
//!
//! Each piece is a transaction of the same code; a call of a recursion that is not the outermost has only one. Without this, every method that waits in a loop for a condition would be
//! taken for not atomic. **Misses**: what a transaction knows from before the wait and relies on afterwards.

use facts::event::{Event, EventKind};
use facts::index::{SiteId, ThreadId};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The transactions that threads are in.
#[derive(Debug, Default)]
pub struct Pieces {
    threads: FxHashMap<ThreadId, Open>,
}

/// The transactions that a thread is in.
#[derive(Debug, Default)]
struct Open {
    /// Their code, outermost first.
    all: Vec<SiteId>,
    /// Those that are not within one of the same code, by their place.
    first: IndexMap<SiteId, usize, FxBuildHasher>,
    /// So many were there at the latest wait: those of them that are not among the first have ended with it.
    n_cut: usize,
}

impl Pieces {
    /// Hands on an event of the stream, and around a wait the ends and beginnings of pieces.
    pub fn hand_on(&mut self, event: &Event, mut take: impl FnMut(&Event)) {
        if let EventKind::Access(..) | EventKind::Acquire(..) | EventKind::Release(..) = event.action {
            return take(event);
        }
        let open = self.threads.entry(event.thread).or_default();
        let piece = |site: SiteId, action| Event { site, action, ..*event };
        match event.action {
            EventKind::WaitBegin(_) => {
                open.pieces().for_each(|site| take(&piece(site, EventKind::Exit)));
                open.n_cut = open.all.len();
                take(event);
            }
            EventKind::WaitEnd(_) => {
                take(event);
                open.first.keys().for_each(|site| take(&piece(*site, EventKind::Enter)));
            }
            EventKind::Enter => {
                take(event);
                open.enter(event.site);
            }
            EventKind::Exit if !open.exit(event.site) => {}
            EventKind::End => {
                take(event);
                self.threads.remove(&event.thread);
            }
            _ => take(event),
        }
    }
}

impl Open {
    /// The code of the pieces that are open, innermost first. Of a recursion that was cut only the outermost call goes on: one
    /// piece of each would cost its depth for each wait.
    fn pieces(&self) -> impl Iterator<Item = SiteId> {
        let new = self.all[self.n_cut..].iter().rev().copied();
        new.chain(self.first.iter().rev().filter(|(_, at)| **at < self.n_cut).map(|(site, _)| *site))
    }

    fn enter(&mut self, code: SiteId) {
        self.first.entry(code).or_insert(self.all.len());
        self.all.push(code);
    }

    /// Ends the innermost transaction of this code, and those inside; whether there is a piece of it.
    fn exit(&mut self, code: SiteId) -> bool {
        let Some(first) = self.first.get(&code).copied() else { return true };
        let at = self.all.iter().rposition(|site| *site == code).unwrap_or(first);
        let is_piece = at == first || at >= self.n_cut;
        self.all.truncate(at);
        self.n_cut = self.n_cut.min(at);
        while self.first.last().is_some_and(|(_, first)| *first >= at) {
            self.first.pop();
        }
        is_piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::notation::events;

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

    /// A call within one of the same code goes on as a part of that, whose end is the only one handed on.
    #[test]
    fn of_a_recursion_the_outermost_call_begins_again() {
        let taken = handed_on(
            "t1 enter M; t1 enter N; t1 enter M; t1 wait m; t1 woken m; t1 enter M; t1 exit M; t1 exit M; t1 exit N; t1 exit M",
        );
        let expected = events(
            "t1 enter M; t1 enter N; t1 enter M; t1 exit M; t1 exit N; t1 exit M;
             t1 enter M; t1 enter N; t1 enter M; t1 exit M; t1 exit N; t1 exit M",
        );
        assert_eq!(actions(&taken), actions(&expected));
    }

    /// Each level waits.
    #[test]
    fn waits_in_a_recursion_cost_nothing_for_its_depth() {
        let n_taken = |depth| handed_on(&"t1 enter M; t1 enter N; t1 wait m; t1 woken m;".repeat(depth)).len();
        assert_eq!(n_taken(2000) - n_taken(1000), 1000 * (4 + 6));
    }
}
