//! What is left to look at: first come, first served, and each once however often it is asked for.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashSet;

/// A queue without repetitions.
#[derive(Debug)]
pub struct Worklist<T> {
    queue: VecDeque<T>,
    is_open: FxHashSet<T>,
}

impl<T> Default for Worklist<T> {
    fn default() -> Self {
        Self { queue: VecDeque::new(), is_open: FxHashSet::default() }
    }
}

impl<T: Copy + Eq + Hash> Worklist<T> {
    /// Adds what is not there already.
    pub fn push(&mut self, next: T) {
        if self.is_open.insert(next) {
            self.queue.push_back(next);
        }
    }

    /// Takes what is first.
    pub fn pop(&mut self) -> Option<T> {
        let next = self.queue.pop_front()?;
        self.is_open.remove(&next);
        Some(next)
    }
}

impl<T: Copy + Eq + Hash> Extend<T> for Worklist<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, all: I) {
        all.into_iter().for_each(|next| self.push(next));
    }
}

impl<T: Copy + Eq + Hash> FromIterator<T> for Worklist<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut open = Self::default();
        open.extend(all);
        open
    }
}
