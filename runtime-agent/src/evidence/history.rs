//! The accesses that changed the state of a location, the latest of each thread and kind.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::WITNESSES;
use super::seen::{LocationKey, Seen};
use crate::jvmti::Vm;

/// Accesses that the history holds.
const HISTORY: usize = 1 << 16;
/// Accesses whose stacks the history takes, over the whole run: a stack costs microseconds.
const STACKS: usize = 20_000;

/// What is remembered.
#[derive(Default)]
pub struct History {
    accesses: FxHashMap<LocationKey, Vec<Seen>>,
    order: VecDeque<LocationKey>,
    n_stacks: usize,
}

impl History {
    /// Whether another stack may be taken.
    pub fn wants_stack(&self) -> bool {
        self.n_stacks < STACKS
    }

    /// Remembers an access.
    pub fn add(&mut self, key: LocationKey, seen: Seen) {
        self.n_stacks += usize::from(!seen.frames.is_empty());
        let accesses = self.accesses.entry(key).or_default();
        let is_new = accesses.is_empty();
        accesses.retain(|old| (old.thread, old.kind) != (seen.thread, seen.kind));
        accesses.truncate(WITNESSES - 1);
        accesses.insert(0, seen);
        if is_new {
            self.order.push_back(key);
        }
        if self.order.len() > HISTORY
            && let Some(oldest) = self.order.pop_front()
        {
            self.accesses.remove(&oldest);
        }
    }

    /// What is remembered of a location, the latest first.
    pub fn of(&self, key: LocationKey) -> &[Seen] {
        self.accesses.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The access that was remembered of a thread's moment, under the same locks.
    pub fn same(&self, key: LocationKey, seen: &Seen) -> Option<&Seen> {
        let identity = |seen: &Seen| (seen.thread, seen.kind, seen.moment, seen.read_set, seen.write_set);
        self.of(key).iter().find(|old| identity(old) == identity(seen))
    }

    /// What is remembered of an array is remembered of one of its elements.
    pub fn part(&mut self, array: LocationKey, element: LocationKey) {
        for seen in self.of(array).to_vec().into_iter().rev() {
            self.add(element, seen);
        }
    }

    /// Resolves the stacks that these methods are in, which are about to change.
    pub fn keep_places(&mut self, vm: &Vm, methods: &FxHashSet<usize>) {
        self.accesses.values_mut().flatten().for_each(|seen| seen.frames.resolve(vm, methods));
    }
}
