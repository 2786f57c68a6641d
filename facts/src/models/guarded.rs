//! Guarded suspension: a method takes a lock and waits under it, `while (queue.isEmpty()) wait();`, if it has to.
//!
//! Whether it has to is chance. If it waits, it knows afterwards what was done before it was woken up; if the signal came before, it
//! finds what it would have waited for, and knows the same. So it counts as woken up as soon as it has the lock.
//!
//! Nor is it more than chance who of several tells at last: `if (--pending == 0) notifyAll();`. So a method that may notify or signal
//! tells, as soon as it has the lock, what was done before.
//!
//! A method that waits for a notification under the lock of its caller is taken to wait for one of its receiver. Where conditions are
//! waited for under the lock of the caller, nothing is known of it.

use super::called::{Called, Does};
use super::{Effect, Models};
use crate::layout::lock_mode as mode;

/// The interface of what the rows know as conditions.
const CONDITION: &str = "java/util/concurrent/locks/Condition";
const QUEUED: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";

/// Whether a method waits for a condition.
#[must_use]
pub fn awaits(class: &str, method: &str) -> bool {
    does(Effect::Awaits, class, method)
}

/// Whether it wakes up who does.
#[must_use]
pub fn signals(class: &str, method: &str) -> bool {
    does(Effect::Signals, class, method)
}

fn does(effect: Effect, class: &str, method: &str) -> bool {
    let class = if class == CONDITION { QUEUED } else { class };
    Models::built_in().has(effect, class, method)
}

/// Whether a method, without arguments and without a result, takes a lock that has conditions.
#[must_use]
pub fn locks(class: &str, method: &str) -> bool {
    let is_lock = |does: &Does| (*does == Does::Acquires).then_some(());
    let mut models = Models::built_in().methods(class).filter(|model| model.method == method);
    models.any(|model| model.effect == Effect::Acquires(mode::EXCLUSIVE | mode::VIEW))
        || Called::built_in().of_call(class, method, "", is_lock).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_waited_for() {
        for (class, method, expected) in [
            (CONDITION, "awaitNanos", true),
            (CONDITION, "signal", false),
            (QUEUED, "await", true),
            ("java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject", "awaitUntil", true),
            ("java/util/concurrent/CountDownLatch", "await", false),
            ("app/Condition", "await", false),
        ] {
            assert_eq!(awaits(class, method), expected, "{class}.{method}");
            assert_eq!(signals(class, method), method == "signal", "{class}.{method}");
        }
    }

    #[test]
    fn locks_with_conditions_are_taken() {
        let of = |class| locks(&format!("java/util/concurrent/locks/{class}"), "lockInterruptibly");
        assert!(of("Lock") && of("ReentrantLock") && of("ReentrantReadWriteLock$WriteLock"));
        assert!(!of("ReentrantReadWriteLock$ReadLock") && !of("StampedLock"));
        assert!(!locks("java/util/concurrent/locks/Lock", "tryLock"));
    }
}
