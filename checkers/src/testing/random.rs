//! Random event lists, for tests.
//!
//! Nothing keeps two threads from holding one lock: the algorithms do not rely on it, so neither do their tests.

use facts::access::{AccessKind, ArrayGranularity, Granularity, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use proptest::prelude::*;

use crate::granularity::Granularities;

/// Locks are numbered 1 to this; a few of them are accessed as objects too.
pub const N_LOCKS: u64 = 4;

/// A list of events; the site is the number of the event, from 1.
pub fn events() -> impl Strategy<Value = Vec<Event>> {
    let chaos = prop::collection::vec((1..4_u32, action()), 0..100);
    let order = prop::collection::vec(section(), 0..25).prop_map(|sections| sections.concat());
    prop_oneof![chaos, order].prop_map(|steps| {
        let number = |((thread, action), site)| Event { thread: ThreadId(thread), site: SiteId(site), action };
        steps.into_iter().zip(1..).map(number).collect()
    })
}

/// Steps without their sites.
type Steps = Vec<(u32, EventKind)>;

/// A thread enters locks, the first of which usually belongs to the location, accesses it, and leaves: mostly no race.
fn section() -> impl Strategy<Value = Steps> {
    let locks = prop::collection::vec((1..=N_LOCKS, mode()), 0..3);
    let accesses = prop::collection::vec(kind(), 0..4);
    (1..4_u32, location(), locks, accesses, 0..20).prop_map(|(thread, location, mut locks, accesses, breach)| {
        if breach != 0 {
            locks.insert(0, (home(location), LockMode::Exclusive));
        }
        let enter = locks.iter().map(|(lock, mode)| EventKind::Acquire(ObjectId(*lock), *mode));
        let leave = locks.iter().rev().map(|(lock, mode)| EventKind::Release(ObjectId(*lock), *mode));
        let accesses = accesses.iter().map(|kind| EventKind::Access(*kind, location));
        enter.chain(accesses).chain(leave).map(|action| (thread, action)).collect()
    })
}

/// The lock that protects a location when nobody makes a mistake.
fn home(location: Location) -> u64 {
    match location {
        Location::Field(object, _) | Location::Element(object, _) => object.0,
        Location::Static(_) => N_LOCKS,
    }
}

/// One of the granularities.
pub fn granularities() -> impl Strategy<Value = Granularities> {
    let fields = prop_oneof![Just(Granularity::Field), Just(Granularity::Object)];
    let arrays =
        prop_oneof![Just(ArrayGranularity::Object), Just(ArrayGranularity::Element), Just(ArrayGranularity::Off)];
    (fields, arrays).prop_map(|(fields, arrays)| Granularities { fields, arrays })
}

fn action() -> impl Strategy<Value = EventKind> {
    let lock = || (1..=N_LOCKS).prop_map(ObjectId);
    prop_oneof![
        6 => (lock(), mode()).prop_map(|(lock, mode)| EventKind::Acquire(lock, mode)),
        4 => (lock(), mode()).prop_map(|(lock, mode)| EventKind::Release(lock, mode)),
        12 => (kind(), location()).prop_map(|(kind, location)| EventKind::Access(kind, location)),
        1 => (kind(), location()).prop_map(|(kind, location)| EventKind::Volatile(kind, location)),
        1 => lock().prop_map(EventKind::Publish),
        1 => lock().prop_map(EventKind::Observe),
        1 => lock().prop_map(EventKind::WaitBegin),
        1 => lock().prop_map(EventKind::WaitEnd),
        1 => (1..4_u32).prop_map(|thread| EventKind::Fork(ThreadId(thread))),
        1 => prop::sample::select(vec![EventKind::Begin, EventKind::End, EventKind::Notify(ObjectId(1), true)]),
    ]
}

fn mode() -> impl Strategy<Value = LockMode> {
    prop_oneof![3 => Just(LockMode::Exclusive), 1 => Just(LockMode::Shared)]
}

fn kind() -> impl Strategy<Value = AccessKind> {
    prop_oneof![3 => Just(AccessKind::Read), 1 => Just(AccessKind::Write)]
}

fn location() -> impl Strategy<Value = Location> {
    let object = || (1..3_u64).prop_map(ObjectId);
    prop_oneof![
        2 => (object(), 1..3_u32).prop_map(|(object, field)| Location::Field(object, FieldId(field))),
        1 => (3..5_u32).prop_map(|field| Location::Static(FieldId(field))),
        1 => (object(), 0..2_u32).prop_map(|(array, index)| Location::Element(array, index)),
    ]
}
