//! Summaries that an earlier run made, taken again where nothing has changed that they were made of.
//!
//! Of each component of methods there is one entry, by its name. It has the digest of what the component is itself, and of each
//! summary that was asked for while it was made, as a trace: if all of these are what they were, so is the summary, as the solver
//! is a function of them. A summary that is made anew and comes out the same stops a change there: callers are not made again.

mod bytes;
mod code;
pub mod disk;
mod entry;
mod facts;
mod form;
mod kept;
pub mod linked;
mod names;
mod recall;
mod trace;

pub use facts::hash;
pub use kept::Kept;
pub use names::Names;
pub use recall::Recall;
pub use trace::Trace;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Where entries are kept between runs.
pub trait Store {
    /// The entries of a name: what was put there last, and what others have put there. None of them needs to hold.
    fn get(&self, name: u128) -> Vec<Vec<u8>>;

    /// Keeps an entry. If that fails, it is gone.
    fn put(&self, name: u128, entry: Vec<u8>);
}

/// A store that ends with the process.
#[derive(Default, Debug)]
pub struct Memory {
    /// The entries.
    pub entries: RefCell<BTreeMap<u128, Vec<u8>>>,
    /// How many were put.
    pub n_put: Cell<usize>,
}

impl Store for Memory {
    fn get(&self, name: u128) -> Vec<Vec<u8>> {
        self.entries.borrow().get(&name).cloned().into_iter().collect()
    }

    fn put(&self, name: u128, entry: Vec<u8>) {
        self.n_put.set(self.n_put.get() + 1);
        self.entries.borrow_mut().insert(name, entry);
    }
}
