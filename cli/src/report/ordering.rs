//! What is known of the order of two accesses that race, and what would have kept them apart.
//!
//! The earlier of the two is the one that the agent saw first. That says nothing of why it came first, and only what the check looked for
//! is claimed of that.

use facts::access::LockMode;
use facts::finding::{Access, Conflict, Grade, HeldLock};

use super::words;

const NOTHING: &str = "Nothing ordered them: no lock that keeps them apart, no start or end of a thread, no volatile field, no concurrent \
                       collection.";

const ONLY_LOCKS: &str = "In this run only the order in which threads took locks, or in which requests came (--tasks), put one before the \
                          other. Which is not kept, and another run may have another order.";

const FOUND: &str = "In this run only the order in which threads took locks put one before the other. But under one of these locks the thread \
                     that came second had found what the first one had left there: if that is why it made its access, there is no race.";

const ONE_THREAD: &str = "In this run one thread made both, in two tasks that it ran one after the other. Another thread might have run \
                          one of them at the same time.";

const UNKNOWN: &str = "Whether anything ordered them is not known, as this check looks at locks only.";

/// In sentences.
pub fn of(conflict: &Conflict) -> String {
    let Conflict { grade, current, previous } = conflict;
    let known = match grade {
        Some(Grade::Certain) => format!("{NOTHING} {}", remedy(previous)),
        Some(Grade::Possible | Grade::Unlikely) if conflict.is_of_one_thread() => ONE_THREAD.to_owned(),
        Some(Grade::Possible) => ONLY_LOCKS.to_owned(),
        Some(Grade::Unlikely) => FOUND.to_owned(),
        None => UNKNOWN.to_owned(),
    };
    let common = common(*grade, current, previous);
    if common.is_empty() { known } else { format!("{known} {common}") }
}

/// What would have ordered them.
fn remedy(previous: &Access) -> String {
    let ended = previous.thread.alive == Some(false);
    let join = ended.then(|| format!(", or a `join` of {}, which had ended", words::thread(&previous.thread)));
    format!("A lock held at both would have{}.", join.unwrap_or_default())
}

/// The locks that both hold, which did not keep them apart.
fn common(grade: Option<Grade>, current: &Access, previous: &Access) -> String {
    let (current, previous) = (current.locks.as_deref(), previous.locks.as_deref());
    let (current, previous) = (current.unwrap_or_default(), previous.unwrap_or_default());
    let of_both = |lock: &&HeldLock| previous.iter().any(|other| other.id == lock.id);
    let is_shared = |lock: &HeldLock| {
        current.iter().chain(previous).filter(|other| other.id == lock.id).all(|held| held.mode == LockMode::Shared)
    };
    let said = |lock: &HeldLock| {
        let more = match grade {
            _ if is_shared(lock) => ", in read mode, which keeps nobody out",
            None => "; another access did not",
            Some(_) => "",
        };
        format!("Both hold {}{more}.", words::lock_kind(lock))
    };
    current.iter().filter(of_both).map(said).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, graded};
    use super::*;

    #[test]
    fn no_order_is_claimed_that_was_not_looked_for() {
        let pair = |grade, locks: [&[&str]; 2]| {
            graded(grade, conflict(access("write", 10, 1, locks[0]), access("read", 20, 2, locks[1])))
        };
        let said = |grade| of(&pair(grade, [&["o5"], &[]]));
        assert!(said(Some(Grade::Certain)).starts_with("Nothing ordered them: no lock that keeps them apart"));
        assert!(said(Some(Grade::Possible)).starts_with("In this run only the order in which threads took locks"));
        assert_eq!(said(Some(Grade::Unlikely)), FOUND);
        assert_eq!(said(None), UNKNOWN);
        let tasks = conflict(access("write", 10, 1, &[]), access("read", 20, 1, &[]));
        assert_eq!(of(&graded(Some(Grade::Possible), tasks)), ONE_THREAD);
        assert!(of(&pair(None, [&["o5"], &["o5"]])).ends_with(" Both hold bank.Lock; another access did not."));
        let mut both = pair(Some(Grade::Certain), [&["o5"], &["o5"]]);
        for access in [&mut both.current, &mut both.previous] {
            access.locks.iter_mut().flatten().for_each(|lock| lock.mode = LockMode::Shared);
        }
        assert!(of(&both).ends_with(" Both hold bank.Lock, in read mode, which keeps nobody out."), "{}", of(&both));
    }

    #[test]
    fn a_join_is_named_only_of_a_thread_that_had_ended() {
        for (alive, joined) in [(Some(true), false), (Some(false), true), (None, false)] {
            let mut pair =
                graded(Some(Grade::Certain), conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[])));
            pair.current.thread.alive = Some(false);
            pair.previous.thread.alive = alive;
            assert_eq!(of(&pair).contains("or a `join` of thread T2 \"worker-2\""), joined, "{}", of(&pair));
        }
    }
}
