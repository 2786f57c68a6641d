//! Objects that nobody but their maker knows yet: what it does with them is no part of what other threads see.
//!
//! An object or array is *fresh* from an access in a constructor on, until another thread accesses it or its maker starts a
//! thread; a static field likewise, from a class initializer on. Without this, the writes that initialize an object could
//! be thought to come between two reads of another thread, which got the object through a queue.
//!
//! Where the agent records only what can matter, it applies the same rule to objects with fields itself and leaves those accesses
//! out; an object whose first access after that is in a constructor is taken for fresh once more.
//!
//! The memory grows with the objects, static fields and threads of the program, not with its run.
//!
//! **False alarms** remain where an object is filled only after its constructor, which has no access itself. **Misses**:
//! what the maker does after it has made the object known in another way than by starting a thread, before another thread
//! comes.

use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, ThreadId};
use rustc_hash::FxHashMap;

/// What is fresh so far.
#[derive(Debug, Default)]
pub struct Fresh {
    scopes: FxHashMap<Owner, Scope>,
    /// How many threads each thread has started.
    starts: FxHashMap<ThreadId, u32>,
}

/// What becomes known as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Owner {
    Object(ObjectId),
    Static(FieldId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Only to its maker, while that has started so many threads.
    Fresh(ThreadId, u32),
    Known,
}

impl Fresh {
    /// Whether the event is an access to something fresh; `initializes` tells whether it is in a constructor or a class
    /// initializer. Takes every event of the stream.
    pub fn hides(&mut self, event: &Event, initializes: impl FnOnce() -> bool) -> bool {
        match event.action {
            EventKind::Access(_, location) | EventKind::Volatile(_, location) => {
                self.is_fresh(event.thread, owner(location), initializes)
            }
            EventKind::Fork(_) => {
                *self.starts.entry(event.thread).or_default() += 1;
                false
            }
            _ => false,
        }
    }

    /// How many objects, static fields and threads it remembers.
    #[must_use]
    pub fn size(&self) -> usize {
        self.scopes.len() + self.starts.len()
    }

    fn is_fresh(&mut self, thread: ThreadId, owner: Owner, initializes: impl FnOnce() -> bool) -> bool {
        let now = Scope::Fresh(thread, self.starts.get(&thread).copied().unwrap_or_default());
        let scope = self.scopes.entry(owner).or_insert_with(|| if initializes() { now } else { Scope::Known });
        if *scope != now {
            *scope = Scope::Known;
        }
        *scope == now
    }
}

fn owner(location: Location) -> Owner {
    match location {
        Location::Field(object, _) | Location::Element(object, _) => Owner::Object(object),
        Location::Static(field) => Owner::Static(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::notation::events;

    /// Numbers of the steps that are hidden; those up to `last` are in constructors.
    fn hidden(text: &str, last: u32) -> Vec<u32> {
        let mut fresh = Fresh::default();
        let mut events = events(text);
        events.retain(|event| fresh.hides(event, || event.site.0 <= last));
        events.iter().map(|event| event.site.0).collect()
    }

    #[test]
    fn until_another_thread_comes() {
        assert_eq!(hidden("t1 wr o.f; t1 wr o.g; t1 rd o.f; t2 rd o.f; t1 wr o.f", 1), [1, 2, 3]);
        assert_eq!(hidden("t1 wr a[0]; t1 wr b[0]; t2 rd a[0]; t1 wr a[1]; t1 wr b[1]", 2), [1, 2, 5]);
        assert_eq!(hidden("t1 wr x; t1 rd x; t2 rd x", 1), [1, 2]);
    }

    #[test]
    fn until_the_maker_starts_a_thread() {
        assert_eq!(hidden("t1 wr o.f; t1 rd o.f; t1 fork t2; t1 rd o.f; t1 wr o.f", 1), [1, 2]);
    }

    /// It remembers the objects of the program, however long that goes on.
    #[test]
    fn its_memory_does_not_grow_with_the_run() {
        let size = |rounds| {
            let mut fresh = Fresh::default();
            let text = "t1 wr o.f; t1 rd o.g; t1 fork t2; t2 rd o.f; t2 wr a[0]; t1 wr a[1]; t1 wr x;".repeat(rounds);
            events(&text).iter().for_each(|event| _ = fresh.hides(event, || true));
            fresh.size()
        };
        assert_eq!((size(2), size(50)), (4, 4));
    }

    #[test]
    fn only_what_a_constructor_has_begun() {
        assert_eq!(hidden("t1 wr o.f; t1 wr o.f", 0), Vec::<u32>::new());
    }
}
