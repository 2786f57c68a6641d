//! The rules of `jrace check`: what an annotation, or a run, claims and the code does not keep to; and fields without a proof.

use crate::document::finding::Rule;

/// Of a field that may race.
pub const RACE_UNSAFE: &str = "race-unsafe";

/// Of a method that is not atomic.
pub const NOT_ATOMIC: &str = "not-atomic";

/// Of a field that runs only read once it was shared.
pub const READ_ONLY_WRITE: &str = "read-only-write";

const RACES: &str = "external/cwe/cwe-362";
const ATOMICITY: &str = "external/cwe/cwe-662";

/// A claim that the code breaks.
const fn claim(id: &'static str, name: &'static str, short: &'static str, help: &'static str) -> Rule {
    Rule { id, title: id, name, short, level: "error", precision: "high", tag: RACES, help }
}

/// All of them.
pub static RULES: [Rule; 11] = [
    claim(
        "unguarded-access",
        "UnguardedAccess",
        "A guarded field is accessed without its lock",
        "The field is said to be guarded by a lock, or runs have shown that it is, and this access does not hold it. Hold the lock here, \
         or correct the annotation.",
    ),
    claim(
        "unheld-call",
        "UnheldCall",
        "A method is called without the lock that it relies on",
        "The method says that its callers hold a lock, or runs have shown that they do, and this call does not. Take the lock around the \
         call, or in the method.",
    ),
    claim(
        READ_ONLY_WRITE,
        "ReadOnlyWrite",
        "A field is written that runs only read",
        "Runs only read the field once its object was shared, and this code writes it. Write it before the object is shared, or \
         guard every access with one lock.",
    ),
    claim(
        "no-lock",
        "NoLock",
        "A guard is no lock that stays the same",
        "The lock that an annotation names may be another object each time, or is none. Name a final field, `this`, or a class.",
    ),
    claim(
        "mutable-class",
        "MutableClass",
        "An immutable class has a field that changes",
        "The class is said to be immutable, and a field changes after its constructor. Make the field final, or correct the annotation.",
    ),
    claim(
        "unsafe-class",
        "UnsafeClass",
        "A thread-safe class has a field that may race",
        "The class is said to be thread-safe, and nothing proves that the field does not race. Hold one lock at every access of the \
         field, or make it final or volatile.",
    ),
    claim(
        "shared-object",
        "SharedObject",
        "An object of a local class may reach other threads",
        "The class is said to stay within one thread, and its objects may reach other threads. Keep them within one, or guard their \
         fields.",
    ),
    claim(
        "no-owner",
        "NoOwner",
        "Objects do not keep to one owner",
        "The field is said to have the lock of an owner, and its objects may have several owners or none. Let one object make and keep \
         them.",
    ),
    claim(
        "lock-argument",
        "LockArgument",
        "The lock parameter of a class is no lock",
        "What is given to a class as its lock is no lock, or another one than that of other fields. Give one lock.",
    ),
    Rule {
        id: NOT_ATOMIC,
        title: NOT_ATOMIC,
        name: "NotAtomic",
        short: "Other threads can come between the steps of a method",
        level: "error",
        precision: "medium",
        tag: ATOMICITY,
        help: "The method is said to be atomic, or runs have shown that it can be broken, and its locks let other threads come between \
               its steps. Hold one lock from the first step to the last.",
    },
    Rule {
        id: RACE_UNSAFE,
        title: RACE_UNSAFE,
        name: "RaceUnsafe",
        short: "No lock guards every access of a field",
        level: "warning",
        precision: "medium",
        tag: RACES,
        help: "Threads may share the field, and its accesses have no lock in common. Hold one lock at every access, or make the field \
               final or volatile. If other things order the accesses, say so with an annotation.",
    },
];

/// The names of all of them.
pub fn ids() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.id).collect()
}

/// The rule of a name.
pub fn of(id: &str) -> &'static Rule {
    let found = RULES.iter().find(|rule| rule.id == id);
    debug_assert!(found.is_some(), "{id}");
    found.unwrap_or(&RULES[0])
}
