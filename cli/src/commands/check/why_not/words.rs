//! Words for ways and causes.

use static_typer::types::{Cause, Way};

/// A way for programs, and what was asked.
pub fn asked(way: Way) -> (&'static str, &'static str) {
    match way {
        Way::Reach => ("reach", "other threads get at the objects, as they"),
        Way::Begin => ("begin", "where that begins, objects"),
        Way::Threads => ("threads", "several threads may run the code, beginning with"),
        Way::Write => ("write", "once other threads may have the object, it is written"),
        Way::Lock => ("lock", "no lock guards the field, as"),
        Way::Owner => ("owner", "no owner's lock does, as the objects"),
    }
}

/// A cause for programs, and in words.
pub fn words(way: Way, cause: Cause) -> (&'static str, &'static str) {
    let in_thread = way == Way::Threads;
    match cause {
        Cause::Static => ("static", "go to a static field"),
        Cause::Thrown => ("thrown", "are thrown or caught"),
        Cause::Lambda if in_thread => ("lambda", "a lambda or what a reference calls"),
        Cause::Lambda => ("lambda", "are captured by a lambda"),
        Cause::Container => ("container", "go into a collection or a map"),
        Cause::Task if in_thread => ("task", "`run`, `call` or `compute`"),
        Cause::Task => ("task", "go to what runs tasks"),
        Cause::Library => ("library", "go to a library that may keep them"),
        Cause::Returned => ("returned", "are returned to a library"),
        Cause::LibraryArray => ("library-array", "are arrays that a library may have made"),
        Cause::Reflection if in_thread => ("reflection", "what frameworks may call"),
        Cause::Reflection => ("reflection", "may be made unseen"),
        Cause::Superclass => ("superclass", "extend a class of a library"),
        Cause::Finalizer => ("finalizer", "have a finalizer"),
        Cause::Client if in_thread => ("client", "what clients may call"),
        Cause::Client => ("client", "may be had by clients"),
        Cause::Kept => ("kept", "are kept in an object that these get at"),
        Cause::Element => ("element", "are kept in an array that these get at"),
        Cause::Object => ("object", "go by `Object`"),
        Cause::Interface => ("interface", "go by an interface"),
        Cause::Above => ("above", "go by a superclass"),
        Cause::Below => ("below", "may be any of their type, as after a cast"),
        Cause::Initializer => ("initializer", "a class initializer"),
        Cause::Asked => ("asked", "`equals`, `hashCode`, `toString`, a comparison"),
        Cause::CalledBack => ("called-back", "another method that a library may call"),
        Cause::Uncalled => ("uncalled", "a method that nothing is seen to call"),
        Cause::Later => ("later", "by more than its constructors"),
        Cause::Construction => ("construction", "by its constructors only"),
        Cause::Unknown => ("unknown", "some code that names it cannot be analysed"),
        Cause::Reflected => ("reflected", "reflection or a handle accesses it"),
        Cause::NoLock => ("no-lock", "no access holds one that has a name from the object"),
        Cause::SomeUnlocked => ("some-unlocked", "some accesses hold none that has"),
        Cause::OtherLocks => ("other-locks", "all hold one, but not the same"),
        Cause::Cloned => ("cloned", "are cloned with what they keep"),
        Cause::TwoOwners => ("two-owners", "would have two, or one without a final name"),
        Cause::Unkept => ("unkept", "are kept by no other class"),
        Cause::Unheld => ("unheld", "have one, whose locks are not always held"),
    }
}
