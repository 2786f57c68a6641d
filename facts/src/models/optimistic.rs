//! Optimistic reads: a method reads as if it held the lock, and asks afterwards whether nobody wrote meanwhile.
//!
//! Most ask in the method that has begun, though not on every path: who has found what it looked for may return as it is. So there the read ends with the
//! method. Where another method asks, it ends then; where none can, as the stamp goes nowhere, it protects nothing.

use super::{Effect, Models};

/// Whether a method begins an optimistic read.
#[must_use]
pub fn hopes(class: &str, method: &str) -> bool {
    Models::built_in().has(Effect::Hopes, class, method)
}

/// Whether it says whether one was right.
#[must_use]
pub fn validates(class: &str, method: &str) -> bool {
    Models::built_in().has(Effect::Validates, class, method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamped_locks_are_read_so() {
        let lock = "java/util/concurrent/locks/StampedLock";
        for (method, expected) in
            [("tryOptimisticRead", (true, false)), ("validate", (false, true)), ("readLock", (false, false))]
        {
            assert_eq!((hopes(lock, method), validates(lock, method)), expected, "{method}");
        }
        assert!(!hopes("app/Lock", "tryOptimisticRead"));
    }
}
