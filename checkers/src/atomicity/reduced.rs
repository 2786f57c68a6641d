//! What is kept of a transaction that types prove atomic (section 6.2): for each variable its initial read and its final
//! write, with `held(t)`, all locks that the transaction holds at any time.
//!
//! Its types say that all of its acquisitions come first and its releases last. So wherever it does what others can see, it
//! holds all of these locks, or waits for one of them while it has another: then there is a potential deadlock.
//!
//! The paper keeps one event for each variable, a write if there is one. That is enough where conflicts count; by view
//! serializability, what comes between two reads is not what comes between two writes, so both are kept here.

use std::collections::BTreeMap;
use std::sync::Arc;

use facts::access::AccessKind::{Read, Write};
use facts::event::Location;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::mark::{Mark, Part};
use super::violation::Transaction;
use crate::held::Hold;
use crate::stream::holding::{Locks, Moment};

/// The reduced events of a transaction.
#[derive(Debug)]
pub(super) struct Reduced {
    variables: IndexMap<Location, Ends, FxBuildHasher>,
    /// Every lock with its first and its last tenure.
    tenures: BTreeMap<Hold, [Moment; 2]>,
}

/// What the transaction has done with one variable.
#[derive(Debug, Default)]
struct Ends {
    initial_read: Option<Part>,
    final_write: Option<Part>,
}

impl Reduced {
    /// Of a transaction that begins with these locks.
    pub fn new(locks: &Locks) -> Self {
        let mut reduced = Self { variables: IndexMap::default(), tenures: BTreeMap::new() };
        locks.tenures().iter().for_each(|(hold, since)| reduced.acquire(*hold, *since));
        reduced
    }

    /// Takes an access; false if its variable would be one too many.
    pub fn access(&mut self, mark: &Part, max_variables: usize) -> bool {
        let fits = self.variables.len() < max_variables || self.variables.contains_key(&mark.variable);
        if fits {
            self.variables.entry(mark.variable).or_default().access(mark);
        }
        fits
    }

    /// A lock is acquired.
    pub fn acquire(&mut self, hold: Hold, since: Moment) {
        self.tenures.entry(hold).or_insert([since; 2])[1] = since;
    }

    /// The events in their order, all under all locks, when it ends with these.
    pub fn marks(self, transaction: Transaction, latest: &Locks) -> Vec<Part> {
        let tenures = self.tenures.iter().flat_map(|(hold, since)| since.map(|since| (*hold, since)));
        let locks = Arc::new(latest.together(tenures));
        let all = self.variables.into_values().flat_map(|ends| [ends.initial_read, ends.final_write]).flatten();
        let under = |mark: &Mark| Mark { locks: Arc::clone(&locks), call: Some(transaction.begin), ..mark.clone() };
        let mut marks: Vec<Part> = all.map(|part| Part { mark: Arc::new(under(&part)), ..part }).collect();
        marks.sort_by_key(|mark| mark.event);
        marks
    }
}

impl Ends {
    fn access(&mut self, mark: &Part) {
        match mark.kind {
            Read if self.final_write.is_none() => _ = self.initial_read.get_or_insert_with(|| mark.clone()),
            Read => {}
            Write => self.final_write = Some(mark.clone()),
        }
    }
}
