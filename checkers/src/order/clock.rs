//! Vector clocks: for each column, up to which time its thread's steps are known.

use std::collections::VecDeque;

/// A place in vector clocks: that of one thread at a time.
pub type Column = usize;

/// A time of one column. The first is 1: whoever knows nothing of a column knows time 0.
pub type Time = u64;

/// What is known of each column. It is compared, joined, and never taken back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VectorClock(Vec<Time>);

impl VectorClock {
    /// Up to which time a column is known.
    #[must_use]
    pub fn at(&self, column: Column) -> Time {
        self.0.get(column).copied().unwrap_or_default()
    }

    /// Knows a column up to a time from now on, if not further already.
    pub fn know(&mut self, column: Column, time: Time) {
        if self.0.len() <= column {
            self.0.resize(column + 1, 0);
        }
        self.0[column] = self.0[column].max(time);
    }

    /// Knows what the other knows, too.
    pub fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, others)| *own = (*own).max(*others));
    }
}

/// Hands out columns.
///
/// A thread gets the column of one that has ended if whoever starts it knows of that end. Whoever knows a step of the heir knows all
/// that the heir was told, so every step of the thread before: one number for both says which steps are known. So clocks grow with
/// the threads that live at once.
#[derive(Debug, Default)]
pub struct Columns {
    n: usize,
    /// Columns of threads that have ended, with their last times.
    free: VecDeque<(Column, Time)>,
}

impl Columns {
    /// So many that are free are looked at.
    const TRIES: usize = 16;

    /// A column for a thread that knows this much, and its first time.
    pub fn take(&mut self, known: &VectorClock) -> (Column, Time) {
        for _ in 0..self.free.len().min(Self::TRIES) {
            let Some((column, last)) = self.free.pop_front() else { break };
            if known.at(column) >= last {
                return (column, last + 1);
            }
            self.free.push_back((column, last));
        }
        self.n += 1;
        (self.n - 1, 1)
    }

    /// A thread has ended at a time.
    pub fn free(&mut self, column: Column, last: Time) {
        self.free.push_back((column, last));
    }

    /// How many there are.
    #[must_use]
    pub fn n(&self) -> usize {
        self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(times: &[Time]) -> VectorClock {
        VectorClock(times.to_vec())
    }

    #[test]
    fn joining_knows_more_and_never_less() {
        let mut own = clock(&[3, 1]);
        own.join(&clock(&[2, 5, 7]));
        assert_eq!(own, clock(&[3, 5, 7]));
        own.join(&clock(&[1]));
        own.know(4, 2);
        own.know(0, 1);
        assert_eq!(own, clock(&[3, 5, 7, 0, 2]));
        assert_eq!((own.at(2), own.at(9)), (7, 0));
    }

    #[test]
    fn a_column_goes_to_who_knows_the_end_of_its_thread() {
        let mut columns = Columns::default();
        assert_eq!(columns.take(&clock(&[])), (0, 1));
        assert_eq!(columns.take(&clock(&[1])), (1, 1));
        columns.free(1, 4);
        assert_eq!(columns.take(&clock(&[1, 3])), (2, 1), "not all of it");
        assert_eq!(columns.take(&clock(&[1, 4])), (1, 5));
        assert_eq!(columns.n(), 3);
    }
}
