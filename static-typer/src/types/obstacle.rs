//! What stands in the way of a proof: of each field, and of each array access, why each way to a proof of it is closed.
//!
//! The analyses that decide note these as they decide: `confined` by which step a type came to be shared, `threads` where a thread
//! begins that runs a method, `families` by which instruction an object gets out of hand. Each tells its first cause; behind it
//! may be others.

use facts::models::called::Called;

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, MethodId, Program};

use super::calls::CallGraph;

/// An instruction, or none for a declaration.
pub type At = Option<(MethodId, Value)>;

/// A way to prove that accesses cannot race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// Other threads never get at the objects: the step by which they do.
    Reach,
    /// The same: where the way begins that ends with that step.
    Begin,
    /// Only the main thread runs the code: what other threads begin with.
    Threads,
    /// Nothing writes once other threads may have the object: what does.
    Write,
    /// All accesses hold one lock: what they hold.
    Lock,
    /// Each object has one owner, whose locks count: why it has none.
    Owner,
}

/// Why a way is closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// It goes to a static field.
    Static,
    /// It is thrown.
    Thrown,
    /// A lambda or a method reference captures it, or is what a thread begins with.
    Lambda,
    /// It goes to a collection or a map of a library.
    Container,
    /// It goes to what starts threads or runs tasks, or is what that runs.
    Task,
    /// It goes to another method of a library that may keep it.
    Library,
    /// A method returns it that a library calls.
    Returned,
    /// A library may have made the array, and know it.
    LibraryArray,
    /// A framework or a reference may make it, or call it, or nothing is seen to make it.
    Reflection,
    /// A class of a library is above its own, whose code passes it around.
    Superclass,
    /// It has a finalizer, which a thread of its own runs.
    Finalizer,
    /// Clients may make it, get it, or call it.
    Client,
    /// It is kept in an object that other threads get at.
    Kept,
    /// It is kept in an array that other threads get at.
    Element,
    /// It goes by `Object`, as which other threads get at something.
    Object,
    /// It goes by an interface, as which other threads get at something.
    Interface,
    /// It goes by a superclass, as which other threads get at something.
    Above,
    /// What other threads get at may be of its type, by a cast or a variable of the type.
    Below,
    /// A class initializer, which any thread may run.
    Initializer,
    /// `equals`, `hashCode`, `toString` or `compareTo`.
    Asked,
    /// What a library declares and may call.
    CalledBack,
    /// A method that nothing is seen to call.
    Uncalled,
    /// It is written by code that is no constructor or initializer of its own.
    Later,
    /// It is written by its constructors or initializers only, but when other threads may have the object.
    Construction,
    /// Code accesses it that cannot be analysed.
    Unknown,
    /// Reflection or a handle accesses it.
    Reflected,
    /// No access holds a lock.
    NoLock,
    /// Some accesses hold no lock.
    SomeUnlocked,
    /// Every access holds a lock, but not the same one.
    OtherLocks,
    /// Its objects are copied with what they keep.
    Cloned,
    /// An object would have two owners, or one without a final name.
    TwoOwners,
    /// No other class keeps its objects in a field.
    Unkept,
    /// It has an owner, but not every access holds a lock of the owner's.
    Unheld,
}

/// What stands in one way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Obstacle {
    /// The way.
    pub way: Way,
    /// Why it is closed.
    pub cause: Cause,
    /// Where that is seen.
    pub at: At,
}

/// What collections and maps are.
const CONTAINERS: [&str; 4] = ["java/util/Collection", "java/util/Map", "java/util/Iterator", "java/util/Map$Entry"];

/// What a library is that gets an argument of a call.
pub fn given_to(program: &Program, calls: &CallGraph, body: &Body, call: Value) -> Cause {
    let Op::Invoke(_, member, _) = body.op(call) else { return Cause::Library };
    let Some(named) = calls.named(*member) else { return Cause::Library };
    let class = program.method(named).class;
    let is_container = |above: ClassId| CONTAINERS.contains(&&*program.class_name(above));
    if program.ancestors(class).any(is_container) {
        return Cause::Container;
    }
    let (name, descriptor) = (program.method(named).name, program.signature(named).text);
    let [name, descriptor] = [name, descriptor].map(|text| program.names().text(text));
    match Called::built_in().starts_threads(&program.class_name(class), &name, &descriptor) {
        Some(true) => Cause::Task,
        _ => Cause::Library,
    }
}
