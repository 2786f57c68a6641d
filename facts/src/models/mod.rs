//! The synchronization models: what library methods do, as data.
//!
//! The rows are in `facts/models/*.toml`, a file a package; a user may add a file of their own. They tell in five ways what orders
//! threads: a *method* has an effect on entry or return; a *call* that a method makes in the midst of what it does, often to code of the
//! program, has one, where entry would be too early and return too late; each read of a *volatile field* meets the object that has it;
//! the *monitors* of a class count; and of calls of variable handles, [`handles`] knows which order.
//!
//! The agent weaves the effects into the classes themselves, so that a lock taken through an interface, a wrapper or another library
//! counts too. What is asked of code that calls the library stands in rows of their own ([`called`]).

mod built_in;
pub mod called;
pub mod contents;
pub mod guarded;
pub mod handles;
pub mod inherited;
pub mod optimistic;
mod phrase;
pub mod reflective;
mod table;
mod written;

pub use table::{ClassModel, Models};
pub use written::ModelError;

use crate::hook::Hook;

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
    /// Takes back what its receiver was made known by when it returns false: nothing was written.
    Retracts,
    /// The same for a volatile field of its first argument.
    RetractsField,
    /// Sends by a socket, or to an address.
    Sends(Subject),
    /// Has received by a socket when it returns.
    Receives,
    /// Comes after the task that its thread has run last, if that may be over.
    HasRun,
    /// Handles a request, from entry to exit, or a part of that for which an argument stands.
    RunsRequest(Option<usize>),
    /// Returns a value that its thread has for itself.
    ReturnsLocal,
    /// Has one from now on, its first argument.
    KeepsLocal,
    /// Returns an entry of a map, and has met its key and its value.
    ObservesEntry,
    /// Has met what it returns, if that may be an object of the program.
    Asks(Subject),
    /// Has met its receiver when it returns true.
    ObservesIf,
    /// Has met its receiver when it returns null.
    ObservesIfNull,
    /// Makes its receiver known if this argument is null.
    PublishesIfNull(usize),
    /// Comes to a barrier: what its thread has done so far is known to who opens that and has met it. Of a phaser, the root counts.
    Arrives,
    /// Opens a barrier: what its thread knows is known to who passes it from now on.
    Opens,
    /// Has passed a barrier when it returns.
    Passes,
    /// Takes the key that an argument is out of this map: who misses it there comes later.
    Removes(usize),
    /// Takes all keys out.
    RemovesAll,
    /// Has missed the key that an argument is when it returns null.
    Misses(usize),
    /// Has met an object before it does anything.
    Meets(Subject),
    /// Makes an object known that it is about to return.
    Hands(Subject),
    /// Puts an object into this collection, with all that was done before: a promise unless the collection is one of the JDK's own.
    Puts(Subject),
    /// Like `Publishes`, for a `CountedCompleter` and all that wait for it.
    PublishesChain,
    /// Like `Puts`, for each element of a collection of the library.
    PutsEach(Subject),
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
    /// Has a member or a class that is about to be accessed by reflection or a handle.
    Reflects(Subject),
    /// Has a field that something is about to stand for by which it is accessed, or the class that declares it.
    Handles(Subject),
    /// Defines a hidden class from the bytes in its first argument, or in the one behind the name.
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
                | Self::Reflects(_)
                | Self::DefinesHidden
        )
    }

    /// Whether a method of such a form can have the effect; `is_object` says of which of its arguments that is so. Of a row without a
    /// descriptor, every overload has the effect whose result can tell of it.
    #[must_use]
    pub fn fits(self, is_static: bool, descriptor: &str, is_object: impl Fn(usize) -> bool) -> bool {
        let returns = |result: &str| descriptor.ends_with(result);
        let reports = |subject| match subject {
            Subject::This => !is_static,
            Subject::Argument(n) => is_object(n),
            Subject::Result => returns(";"),
        };
        match self {
            Self::ReturnsFields => is_static && returns(")[Ljava/lang/reflect/Field;"),
            Self::DefinesHidden => {
                !is_static && (descriptor.starts_with("([B") || descriptor.starts_with("(Ljava/lang/String;[B"))
            }
            Self::AcquiresIf(_)
            | Self::ObservesIf
            | Self::SeesAlive
            | Self::TakesPermitsIf
            | Self::Retracts
            | Self::RetractsField => !is_static && returns(")Z"),
            Self::AcquiresStamp(_) | Self::Converts(_) | Self::Hopes => !is_static && returns(")J"),
            // A `tryLock` has a row of its own.
            Self::Acquires(_) => !is_static && (returns(")V") || returns(";")),
            Self::Joins => !is_static && (returns(")V") || returns(")Z")),
            Self::SeesState | Self::ObservesEntry | Self::ObservesIfNull | Self::ReturnsLocal => {
                !is_static && returns(";")
            }
            Self::PublishesIfNull(n) | Self::Removes(n) | Self::RunsRequest(Some(n)) => !is_static && is_object(n),
            Self::Misses(n) => !is_static && is_object(n) && returns(";"),
            Self::Interrupted | Self::SeesEnds => returns(")V"),
            Self::InterruptedIf => returns(")Z"),
            Self::TakesPermits | Self::HasPermits => !is_static && returns(")V"),
            Self::Releases(_)
            | Self::Validates
            | Self::Starts
            | Self::Ends
            | Self::HandsPermits
            | Self::Awaits
            | Self::Signals
            | Self::PublishesChain
            | Self::HasRun
            | Self::RunsRequest(None)
            | Self::Receives
            | Self::Arrives
            | Self::Opens
            | Self::Passes
            | Self::RemovesAll
            | Self::WritesField
            | Self::KeepsLocal
            | Self::Reads
            | Self::Writes => !is_static,
            Self::Publishes(subject)
            | Self::Observes(subject)
            | Self::Meets(subject)
            | Self::Sends(subject)
            | Self::Takes(subject)
            | Self::BeginsTest(subject)
            | Self::EndsTest(subject)
            | Self::Reflects(subject)
            | Self::Handles(subject)
            | Self::Asks(subject)
            | Self::Hands(subject) => reports(subject),
            Self::Puts(subject) | Self::PutsEach(subject) => !is_static && reports(subject),
        }
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
            Self::Reads => Hook::ReadState,
            Self::Writes => Hook::WriteState,
            Self::WritesField => Hook::PublishField,
            Self::Hands(_) => Hook::Publish,
            Self::Puts(_) => Hook::Put,
            Self::PublishesChain => Hook::PublishChain,
            Self::PutsEach(_) => Hook::PutEach,
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
            Self::Observes(Subject::Result) => Hook::Found,
            Self::Observes(_) | Self::Meets(_) => Hook::Observe,
            Self::Takes(Subject::Result) => Hook::Taken,
            Self::Takes(_) => Hook::Take,
            Self::BeginsTest(_) => Hook::BeginTest,
            Self::EndsTest(_) => Hook::EndTest,
            Self::Retracts => Hook::RetractIf,
            Self::RetractsField => Hook::RetractFieldIf,
            Self::Sends(_) => Hook::Sending,
            Self::Receives => Hook::Received,
            Self::HasRun => Hook::HasRun,
            Self::RunsRequest(_) => Hook::BeginRequest,
            Self::ReturnsLocal | Self::KeepsLocal => Hook::HasLocal,
            Self::ObservesEntry => Hook::ObserveEntry,
            Self::Asks(_) => Hook::Ask,
            Self::ObservesIf => Hook::ObserveIf,
            Self::ObservesIfNull => Hook::ObserveIfNull,
            Self::PublishesIfNull(_) => Hook::PublishIfNull,
            Self::Arrives => Hook::Arrive,
            Self::Opens => Hook::Open,
            Self::Passes => Hook::Passed,
            Self::Removes(_) | Self::RemovesAll => Hook::Removing,
            Self::Misses(_) => Hook::Missed,
            Self::Joins => Hook::Joined,
            Self::ReturnsFields => Hook::FilterFields,
            Self::Reflects(_) => Hook::Reflected,
            Self::Handles(_) => Hook::Handled,
            Self::DefinesHidden => Hook::WeaveHidden,
        }
    }
}

/// What a method does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// Method name.
    pub method: String,
    /// Method descriptor, or `None` for every overload.
    pub descriptor: Option<String>,
    /// What the method does.
    pub effect: Effect,
}

/// A call in the midst of a method of the class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Internal name of the class that the call names.
    pub owner: String,
    /// The method that is called.
    pub method: String,
    /// What is told of the call.
    pub inner: Inner,
}

/// What a call tells that a method of the library makes in the midst of what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inner {
    /// Whether what was done before objects met the caller is known in the call.
    pub meets: bool,
    /// Whether what is done in it is known to who meets the caller afterwards.
    pub publishes: bool,
    /// The same for the caller, a barrier, and who passes it.
    pub opens: bool,
    /// The same for the caller, a completer, and all that wait for it.
    pub publishes_chain: bool,
    /// Whether it is known to who meets the result.
    pub hands: bool,
    /// Whether what was done before others met the last argument is known in the call.
    pub takes: bool,
    /// The same if the last argument, or the receiver of a call without arguments, may be an object with code of the program.
    pub asks: bool,
    /// Whether the last argument is a task that the caller, a pool, is about to run.
    pub begins: bool,
}
