//! Guarded suspension: a method takes a lock and waits under it, `while (queue.isEmpty()) wait();`, if it has to.
//!
//! Whether it has to is chance. If it waits, it knows afterwards what was done before it was woken up; if the signal came before, it
//! finds what it would have waited for, and knows the same. So it counts as woken up as soon as it has the lock.
//!
//! A method that waits for a notification under the lock of its caller is taken to wait for one of its receiver. Where conditions are
//! waited for under the lock of the caller, nothing is known of it.

use super::hand_over::{AWAITS, CONDITIONS};

/// Whether a method waits for a condition.
#[must_use]
pub fn awaits(class: &str, method: &str) -> bool {
    let is_condition = class == "java/util/concurrent/locks/Condition" || CONDITIONS.contains(&class);
    is_condition && AWAITS.contains(&method)
}

/// Whether a method, without arguments and without a result, takes a lock that has conditions.
#[must_use]
pub fn locks(class: &str, method: &str) -> bool {
    matches!(
        class,
        "java/util/concurrent/locks/Lock"
            | "java/util/concurrent/locks/ReentrantLock"
            | "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock"
    ) && matches!(method, "lock" | "lockInterruptibly")
}
