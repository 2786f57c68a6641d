//! How long looking into a trace may take, and what was not looked at when that is over.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::time::{Duration, Instant};

use facts::event::EventKind;
use facts::index::{SiteId, ThreadId};
use facts::trace::Record;

use super::names::Names;
use super::shortfall::of_methods;
use super::words::count;

/// The clock is looked at before each of so many records.
const OFTEN: u64 = 1024;

/// What is known is told this often, if there is more.
const TELL: Duration = Duration::from_secs(1);

/// Telling takes at most such a part of the time.
const SHARE: u32 = 20;

/// The time that is left.
pub struct Budget {
    limit: Option<Duration>,
    began: Instant,
    /// When it is time to tell again.
    next: Instant,
    is_due: bool,
    is_over: bool,
    n_records: u64,
    rest: Rest,
}

/// What was not looked at.
#[derive(Default)]
struct Rest {
    events: u64,
    /// How many of each code.
    transactions: HashMap<SiteId, u64>,
    threads: HashSet<ThreadId>,
}

impl Budget {
    /// So much from now on.
    pub fn new(limit: Option<Duration>) -> Self {
        let now = Instant::now();
        let rest = Rest::default();
        Self { limit, began: now, next: now + TELL, is_due: false, is_over: false, n_records: 0, rest }
    }

    /// Reads the trace from its beginning again.
    pub fn next_pass(&mut self) {
        self.rest = Rest::default();
    }

    /// Whether a record is to be looked at; definitions always are.
    pub fn allows(&mut self, record: &Record) -> bool {
        if self.n_records.is_multiple_of(OFTEN) {
            self.look_at_clock();
        }
        self.n_records += 1;
        match record.event() {
            Some(event) if self.is_over => {
                self.rest.events += 1;
                if event.action == EventKind::Enter {
                    *self.rest.transactions.entry(event.site).or_default() += 1;
                }
                self.rest.threads.insert(event.thread);
                false
            }
            _ => true,
        }
    }

    /// Whether it is time to tell what is known.
    pub fn is_due(&mut self) -> bool {
        mem::take(&mut self.is_due)
    }

    /// Tells what is known.
    pub fn tell(&mut self, tell: impl FnOnce()) {
        let began = Instant::now();
        tell();
        self.next = Instant::now() + TELL.max(began.elapsed() * SHARE);
    }

    /// What was not looked at, as a sentence.
    pub fn left_out(&self, names: &Names) -> Option<String> {
        let Rest { events, transactions, threads } = &self.rest;
        let begun = transactions.values().sum::<u64>();
        let limit = self.limit.filter(|_| *events > 0)?.as_secs();
        let [n_events, n_transactions, n_threads] =
            [(*events, "event"), (begun, "transaction"), (threads.len() as u64, "thread")]
                .map(|(n, what)| count(n, what));
        let methods = of_methods(transactions.iter().map(|(code, n)| (*code, *n)), names);
        let methods = if methods.is_empty() { methods } else { format!(": {methods}") };
        Some(format!(
            "the time to look into a trace is over (`atomicity_time`, {limit} s): {n_events} of {n_threads}, in which {n_transactions} \
             began, were not looked at{methods}"
        ))
    }

    fn look_at_clock(&mut self) {
        let now = Instant::now();
        self.is_over |= self.limit.is_some_and(|limit| now - self.began >= limit);
        if now >= self.next {
            (self.next, self.is_due) = (now + TELL, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_takes_a_small_part_of_the_time() {
        let mut budget = Budget::new(None);
        budget.tell(|| std::thread::sleep(Duration::from_millis(100)));
        assert!(budget.next - Instant::now() > Duration::from_millis(1900));
    }
}
