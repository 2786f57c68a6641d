//! The synchronization models: what library methods do, as data.
//!
//! The agent weaves the listed effects into the library classes themselves, so that a lock taken through an interface, a
//! wrapper or another library counts too.

pub mod contents;
pub mod guarded;
pub mod hand_over;
pub mod handles;
pub mod suites;

use crate::hook::Hook;
use crate::layout::lock_mode as mode;

/// Which object an effect is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The one the method is called on.
    This,
    /// An argument, counted from 0.
    Argument(usize),
    /// What the method returns; null is no object.
    Result,
}

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
    /// Begins an optimistic read when it returns a stamp other than zero: until it is validated, who reads does as if it held the lock.
    Hopes,
    /// Says whether a writer came meanwhile.
    Validates,
    /// Releases the lock.
    Releases(i32),
    /// Starts the thread it is called on.
    Starts,
    /// The last that the thread it is called on does.
    Ends,
    /// Makes what its thread has done so far known to who meets an object later.
    Publishes(Subject),
    /// Has met an object when it returns.
    Observes(Subject),
    /// Has met an object, which is work to do: an argument before it does anything, and what it returns.
    Takes(Subject),
    /// A framework has begun the test for which an argument stands.
    BeginsTest(Subject),
    /// It has ended.
    EndsTest(Subject),
    /// Returns an entry of a map, and has met its key and its value.
    ObservesEntry,
    /// Has met its receiver when it returns true.
    ObservesIf,
    /// Has met an object before it does anything.
    Meets(Subject),
    /// Makes an object known that it is about to return.
    Hands(Subject),
    /// Like `Publishes`, for a `CountedCompleter` and all that wait for it.
    PublishesChain,
    /// Like `Publishes`, for each element of a collection of the library.
    PublishesEach(Subject),
    /// Says whether the thread it is called on still runs.
    SeesAlive,
    /// Says in which state the thread is that it is called on.
    SeesState,
    /// Comes after all that threads have done that have ended by then.
    SeesEnds,
    /// Knows that the present thread was interrupted.
    Interrupted,
    /// The same if it returns true.
    InterruptedIf,
    /// Has made a semaphore.
    HasPermits,
    /// Has taken permits of a semaphore.
    TakesPermits,
    /// Has taken them if it returns true.
    TakesPermitsIf,
    /// Is about to give permits of a semaphore: back, as a lock, or to others, who wait for a signal.
    HandsPermits,
    /// Has made atomic variables of its own, which tell its clients nothing.
    Hides,
    /// Has read the state of a synchronizer; those of the library promise what other rows say.
    Reads,
    /// Is about to write it.
    Writes,
    /// Is about to write a volatile field of its first argument.
    WritesField,
    /// Waits for a condition, without the lock meanwhile.
    Awaits,
    /// Is about to wake up who waits for a condition.
    Signals,
    /// Has seen the thread it is called on end, when it returns (true, if it returns a boolean).
    Joins,
    /// Returns the fields of a class to reflection.
    ReturnsFields,
    /// Defines a hidden class from the bytes in its first argument.
    DefinesHidden,
}

impl Effect {
    /// Whether it matters only where order between threads does.
    #[must_use]
    pub const fn is_of_order(self) -> bool {
        !matches!(
            self,
            Self::Acquires(_)
                | Self::AcquiresIf(_)
                | Self::AcquiresStamp(_)
                | Self::Converts(_)
                | Self::Hopes
                | Self::Validates
                | Self::Releases(_)
                | Self::Starts
                | Self::Joins
                | Self::ReturnsFields
                | Self::DefinesHidden
        )
    }

    /// The hook that reports the effect.
    #[must_use]
    pub const fn hook(self) -> Hook {
        match self {
            Self::Acquires(_) => Hook::Acquired,
            Self::AcquiresIf(_) => Hook::AcquiredIf,
            Self::AcquiresStamp(_) => Hook::AcquiredStamp,
            Self::Converts(_) => Hook::Converted,
            Self::Hopes => Hook::Hoped,
            Self::Validates => Hook::Validated,
            Self::Releases(_) => Hook::Releasing,
            Self::Starts => Hook::Starting,
            Self::Ends => Hook::Ending,
            Self::Publishes(_) => Hook::Publish,
            Self::Hides => Hook::Hide,
            Self::Reads => Hook::ReadState,
            Self::Writes => Hook::WriteState,
            Self::WritesField => Hook::PublishField,
            Self::Hands(_) => Hook::Publish,
            Self::PublishesChain => Hook::PublishChain,
            Self::PublishesEach(_) => Hook::PublishEach,
            Self::SeesAlive => Hook::SeenAlive,
            Self::SeesState => Hook::SeenState,
            Self::SeesEnds => Hook::SeenEnds,
            Self::Interrupted => Hook::Interrupted,
            Self::InterruptedIf => Hook::InterruptedIf,
            Self::HasPermits => Hook::HasPermits,
            Self::TakesPermits => Hook::TookPermits,
            Self::TakesPermitsIf => Hook::TookPermitsIf,
            Self::HandsPermits => Hook::HandingPermits,
            Self::Awaits => Hook::Awaited,
            Self::Signals => Hook::Signalling,
            Self::Observes(_) | Self::Meets(_) => Hook::Observe,
            Self::Takes(_) => Hook::Take,
            Self::BeginsTest(_) => Hook::BeginTest,
            Self::EndsTest(_) => Hook::EndTest,
            Self::ObservesEntry => Hook::ObserveEntry,
            Self::ObservesIf => Hook::ObserveIf,
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
/// listed one; the views of a `StampedLock` release it through its `unstamped…` methods.
/// A read that is optimistic counts as one under the lock, up to where it is validated: what comes of it is thrown away otherwise.
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
    model(STAMPED, "tryOptimisticRead", None, Effect::Hopes),
    model(STAMPED, "validate", None, Effect::Validates),
    model(STAMPED, "unlockWrite", None, Effect::Releases(mode::EXCLUSIVE)),
    model(STAMPED, "unlockRead", None, Effect::Releases(mode::SHARED)),
    model(STAMPED, "unstampedUnlockWrite", None, Effect::Releases(mode::EXCLUSIVE)),
    model(STAMPED, "unstampedUnlockRead", None, Effect::Releases(mode::SHARED)),
    model(STAMPED, "tryUnlockWrite", None, Effect::Releases(mode::EXCLUSIVE)),
    model(STAMPED, "tryUnlockRead", None, Effect::Releases(mode::SHARED)),
    model("java/lang/Thread", "start", None, Effect::Starts),
    model("java/lang/VirtualThread", "start", None, Effect::Starts),
    model("java/lang/Thread", "exit", Some("()V"), Effect::Ends),
    model("java/lang/Thread", "join", Some("(J)V"), Effect::Joins),
    model("java/lang/Thread", "join", Some("(Ljava/time/Duration;)Z"), Effect::Joins),
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

/// The rows of one class: those of locks and threads, those of hand-over, and those of test frameworks.
pub fn of_class(class: &str) -> impl Iterator<Item = Model> {
    let is_library = ["java/", "jdk/", "sun/misc/"].iter().any(|package| class.starts_with(package));
    let of_hand_over = if is_library { hand_over::of_class(class) } else { Vec::new() };
    let others = MODELS.iter().filter(move |model| is_library && model.class == class);
    others.copied().chain(of_hand_over).chain(suites::of_class(class))
}

/// Whether the monitors of a class of the library are told of, as they order what several threads do through its objects.
#[must_use]
pub fn is_synchronized(class: &str) -> bool {
    hand_over::SYNCHRONIZED.contains(&class)
}
