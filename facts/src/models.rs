//! The synchronization models: what library methods do, as data.
//!
//! The agent weaves the listed effects into the library classes themselves, so that a lock taken through an interface, a
//! wrapper or another library counts too.

pub mod contents;

use crate::hook::Hook;
use crate::layout::lock_mode as mode;

/// What a library method does to the object it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Holds the lock, in the given hook mode, when it returns.
    Acquires(i32),
    /// Holds the lock when it returns true.
    AcquiresIf(i32),
    /// Holds the lock when it returns a stamp other than zero.
    AcquiresStamp(i32),
    /// When it returns a stamp other than zero, the lock that was held in any mode or none is held in this one.
    Converts(i32),
    /// Releases the lock.
    Releases(i32),
    /// Starts the thread it is called on.
    Starts,
    /// Has seen the thread it is called on end, when it returns (true, if it returns a boolean).
    Joins,
    /// Returns the fields of a class to reflection.
    ReturnsFields,
    /// Defines a hidden class from the bytes in its first argument.
    DefinesHidden,
}

impl Effect {
    /// The hook that reports the effect.
    #[must_use]
    pub const fn hook(self) -> Hook {
        match self {
            Self::Acquires(_) => Hook::Acquired,
            Self::AcquiresIf(_) => Hook::AcquiredIf,
            Self::AcquiresStamp(_) => Hook::AcquiredStamp,
            Self::Converts(_) => Hook::Converted,
            Self::Releases(_) => Hook::Releasing,
            Self::Starts => Hook::Starting,
            Self::Joins => Hook::Joined,
            Self::ReturnsFields => Hook::FilterFields,
            Self::DefinesHidden => Hook::WeaveHidden,
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// Internal name of the class.
    pub class: &'static str,
    /// Method name.
    pub method: &'static str,
    /// Method descriptor, or `None` for every overload.
    pub descriptor: Option<&'static str>,
    /// What the method does.
    pub effect: Effect,
}

const fn model(class: &'static str, method: &'static str, descriptor: Option<&'static str>, effect: Effect) -> Model {
    Model { class, method, descriptor, effect }
}

const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock";
const READ: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
const WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const STAMPED: &str = "java/util/concurrent/locks/StampedLock";

/// Every modelled method.
///
/// Only methods that do the work themselves are listed: `StampedLock.unlock` and `startVirtualThread`, for instance, call a
/// listed one; the views of a `StampedLock` release it through its `unstamped…` methods. Optimistic reads of `StampedLock` hold nothing.
pub const MODELS: &[Model] = &[
    model(REENTRANT, "lock", None, Effect::Acquires(mode::EXCLUSIVE | mode::VIEW)),
    model(REENTRANT, "lockInterruptibly", None, Effect::Acquires(mode::EXCLUSIVE | mode::VIEW)),
    model(REENTRANT, "tryLock", None, Effect::AcquiresIf(mode::EXCLUSIVE | mode::VIEW)),
    model(REENTRANT, "unlock", None, Effect::Releases(mode::EXCLUSIVE | mode::VIEW)),
    model(READ, "lock", None, Effect::Acquires(mode::SHARED | mode::VIEW)),
    model(READ, "lockInterruptibly", None, Effect::Acquires(mode::SHARED | mode::VIEW)),
    model(READ, "tryLock", None, Effect::AcquiresIf(mode::SHARED | mode::VIEW)),
    model(READ, "unlock", None, Effect::Releases(mode::SHARED | mode::VIEW)),
    model(WRITE, "lock", None, Effect::Acquires(mode::EXCLUSIVE | mode::VIEW)),
    model(WRITE, "lockInterruptibly", None, Effect::Acquires(mode::EXCLUSIVE | mode::VIEW)),
    model(WRITE, "tryLock", None, Effect::AcquiresIf(mode::EXCLUSIVE | mode::VIEW)),
    model(WRITE, "unlock", None, Effect::Releases(mode::EXCLUSIVE | mode::VIEW)),
    model(STAMPED, "writeLock", None, Effect::AcquiresStamp(mode::EXCLUSIVE)),
    model(STAMPED, "writeLockInterruptibly", None, Effect::AcquiresStamp(mode::EXCLUSIVE)),
    model(STAMPED, "tryWriteLock", None, Effect::AcquiresStamp(mode::EXCLUSIVE)),
    model(STAMPED, "readLock", None, Effect::AcquiresStamp(mode::SHARED)),
    model(STAMPED, "readLockInterruptibly", None, Effect::AcquiresStamp(mode::SHARED)),
    model(STAMPED, "tryReadLock", None, Effect::AcquiresStamp(mode::SHARED)),
    model(STAMPED, "tryConvertToWriteLock", None, Effect::Converts(mode::EXCLUSIVE)),
    model(STAMPED, "tryConvertToReadLock", None, Effect::Converts(mode::SHARED)),
    model(STAMPED, "tryConvertToOptimisticRead", None, Effect::Converts(mode::NONE)),
    model(STAMPED, "unlockWrite", None, Effect::Releases(mode::EXCLUSIVE)),
    model(STAMPED, "unlockRead", None, Effect::Releases(mode::SHARED)),
    model(STAMPED, "unstampedUnlockWrite", None, Effect::Releases(mode::EXCLUSIVE)),
    model(STAMPED, "unstampedUnlockRead", None, Effect::Releases(mode::SHARED)),
    model(STAMPED, "tryUnlockWrite", None, Effect::Releases(mode::EXCLUSIVE)),
    model(STAMPED, "tryUnlockRead", None, Effect::Releases(mode::SHARED)),
    model("java/lang/Thread", "start", None, Effect::Starts),
    model("java/lang/VirtualThread", "start", None, Effect::Starts),
    model("java/lang/Thread", "join", Some("(J)V"), Effect::Joins),
    model(
        "jdk/internal/reflect/Reflection",
        "filterFields",
        Some("(Ljava/lang/Class;[Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;"),
        Effect::ReturnsFields,
    ),
    // HotSpot keeps hidden classes from ClassFileLoadHook and from retransformation (klassFactory.cpp), so they are woven here.
    model(LOOKUP, "defineHiddenClass", None, Effect::DefinesHidden),
    model(LOOKUP, "defineHiddenClassWithClassData", None, Effect::DefinesHidden),
];

/// The rows of one class.
pub fn of_class(class: &str) -> impl Iterator<Item = &'static Model> {
    MODELS.iter().filter(move |model| model.class == class)
}
