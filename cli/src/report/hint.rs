//! One sentence on where to add a lock.

use facts::access::{AccessKind, LockMode};
use facts::finding::{Access, Conflict, HeldLock, Variable};
use facts::name::dotted;

use super::words;

/// The advice for a conflict.
pub fn hint(variable: &Variable, conflict: &Conflict) -> String {
    let Conflict { current, previous, .. } = conflict;
    match (current.locks.as_deref(), previous.locks.as_deref()) {
        (None, _) | (_, None) => format!("guard every access with one lock{}.", example(variable)),
        (Some([]), Some([])) => {
            format!("neither access holds a lock: guard every access with one lock{}.", example(variable))
        }
        (Some([]), Some(held)) => hold_also(held, current, "current"),
        (Some(held), Some([])) => hold_also(held, previous, "previous"),
        (Some(a), Some(b)) => both_hold(a, b, conflict),
    }
}

fn example(variable: &Variable) -> String {
    match variable {
        Variable::Field { .. } | Variable::Object { .. } => ", for example `synchronized (this)`".to_owned(),
        Variable::Static { class, .. } => {
            format!(", for example `synchronized ({}.class)`", dotted(class).replace('$', "."))
        }
        Variable::Array { .. } => String::new(),
    }
}

fn hold_also(held: &[HeldLock], bare: &Access, which: &str) -> String {
    format!("hold {} also at {}.", one_of(held), at(bare, which))
}

fn both_hold(a: &[HeldLock], b: &[HeldLock], conflict: &Conflict) -> String {
    let common = a.iter().find(|lock| b.iter().any(|other| other.id == lock.id));
    if let Some(lock) = common {
        return common_lock(lock, conflict);
    }
    let has_twin = |lock: &&HeldLock| b.iter().any(|other| words::lock_kind(lock) == words::lock_kind(other));
    if let Some(lock) = a.iter().filter(|lock| !lock.class.is_empty()).find(has_twin) {
        let kind = words::lock_kind(lock);
        return format!("each access locks its own `{kind}`: share one lock between them.");
    }
    format!(
        "the accesses hold different locks: hold {} also at {}, or the other way round.",
        one_of(a),
        at(&conflict.previous, "previous")
    )
}

fn common_lock(lock: &HeldLock, conflict: &Conflict) -> String {
    for (access, which) in [(&conflict.current, "current"), (&conflict.previous, "previous")] {
        if writes_in_read_mode(access, lock) {
            return format!(
                "{} is held in read mode only: take its write lock at {}.",
                words::lock(lock),
                at(access, which)
            );
        }
    }
    format!("both accesses hold {}, but another access did not: hold it at every access.", words::lock(lock))
}

fn writes_in_read_mode(access: &Access, lock: &HeldLock) -> bool {
    let mut modes = access.locks.iter().flatten().filter(|held| held.id == lock.id).map(|held| held.mode);
    access.kind == Some(AccessKind::Write) && modes.all(|mode| mode == LockMode::Shared)
}

fn one_of(locks: &[HeldLock]) -> String {
    let names: Vec<String> = locks.iter().map(words::lock).collect();
    match names.as_slice() {
        [only] => only.clone(),
        names => format!("one of {}", names.join(", ")),
    }
}

/// Where an access is made, as precisely as that is known.
fn at(access: &Access, which: &str) -> String {
    match access.stack.first() {
        Some(place) => words::frame(place),
        None => format!("the {which} {} (its stack was not kept)", words::kind(access.kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, field};
    use super::*;

    fn of(current: &[&str], previous: &[&str]) -> String {
        hint(&field("x"), &conflict(access("write", 10, 1, current), access("read", 20, 2, previous)))
    }

    #[test]
    fn each_pair_of_lock_sets_has_its_advice() {
        assert_eq!(
            of(&[], &[]),
            "neither access holds a lock: guard every access with one lock, for example `synchronized (this)`."
        );
        assert_eq!(of(&["o7"], &[]), "hold bank.Lock (o7) also at bank.Account.read(Account.java:20).");
        assert_eq!(
            of(&[], &["o7", "o8"]),
            "hold one of bank.Lock (o7), bank.Lock (o8) also at bank.Account.write(Account.java:10)."
        );
        assert_eq!(of(&["o7"], &["o8"]), "each access locks its own `bank.Lock`: share one lock between them.");
        assert_eq!(
            of(&["o7"], &["o7"]),
            "both accesses hold bank.Lock (o7), but another access did not: hold it at every access."
        );
    }

    #[test]
    fn read_mode_does_not_protect_writes() {
        let mut conflict = conflict(access("write", 10, 1, &["o7"]), access("read", 20, 2, &["o7"]));
        conflict.current.locks.as_mut().unwrap()[0].mode = LockMode::Shared;
        assert_eq!(
            hint(&field("x"), &conflict),
            "bank.Lock (o7, read mode) is held in read mode only: take its write lock at bank.Account.write(Account.java:10)."
        );
    }

    #[test]
    fn unknown_places_are_admitted() {
        let mut conflict = conflict(access("write", 10, 1, &["o7"]), access("read", 20, 2, &[]));
        conflict.previous.stack.clear();
        assert_eq!(
            hint(&field("x"), &conflict),
            "hold bank.Lock (o7) also at the previous read (its stack was not kept)."
        );
    }
}
