//! The contract between Rust and the helper classes: every number that both sides know, once.
//!
//! The agent and `checkers` use these constants; the helper classes use the nested classes of `JraceLayout.java`, which
//! [`java::source`] makes from the same table. That file is checked in, and a test compares it. javac copies the values to where
//! they are used, so no class file of it is needed in the JVM.

pub mod java;

/// Defines each group as a module of constants, and lists the groups for [`java::source`].
macro_rules! layout {
    ($(
        $(#[doc = $about:literal])*
        $module:ident $class:ident {
            $($(#[doc = $doc:literal])* $name:ident: $type:ty = $value:expr;)*
        }
    )*) => {
        $(
            $(#[doc = $about])*
            pub mod $module {
                $($(#[doc = $doc])* pub const $name: $type = $value;)*
            }
        )*

        /// Every group, in the order of the table.
        fn groups() -> Vec<java::Group> {
            vec![$(java::Group {
                class: stringify!($class),
                about: &[$($about),*],
                constants: vec![$(java::Constant::new(stringify!($name), &[$($doc),*], &$module::$name)),*],
            }),*]
        }
    };
}

layout! {
    /// Shadow words: a tag in the highest four bits, a payload below; `checkers::eraser::word` says what the states mean.
    ///
    /// As an `int` in Java, the words that no read changes any more are negative, and `REPORTED` is below all others.
    word Word {
        /// The part of a word that is not its tag.
        PAYLOAD: u32 = (1 << 28) - 1;
        /// The part that is.
        TAG: u32 = !PAYLOAD;
        /// Never accessed.
        VIRGIN: u32 = 0;
        /// A location that one thread has accessed; the payload is its number.
        EXCLUSIVE: u32 = 1 << 28;
        /// A location that several threads read; the payload is a lock set.
        SHARED: u32 = 2 << 28;
        /// A location that several threads access, and that is written; the payload is a lock set.
        SHARED_MODIFIED: u32 = 3 << 28;
        /// A race was found; the payload is the number of further accesses wanted as evidence.
        OPEN: u32 = 4 << 28;
        /// No location has this word: a thread has it whose lock set nobody has asked for yet.
        UNASKED: u32 = 5 << 28;
        /// A race was found, and nothing more is wanted.
        REPORTED: u32 = 1 << 31;
        /// Read by several threads under no common lock: frequent, and a read never changes it.
        SHARED_EMPTY: u32 = 3 << 30;
        /// No location has this word: a thread has it that has no context yet.
        UNKNOWN: u32 = !0;
        /// How many accesses after the one that completed the race are wanted as evidence.
        EVIDENCE: u32 = 16;
    }

    /// What the helper classes do, as the bits of `JraceAgent.mode()`.
    mode Mode {
        /// Events are recorded.
        RECORDING: i32 = 1;
        /// Accesses are checked.
        CHECKING: i32 = 1 << 1;
        /// An array has a state for each element.
        BY_ELEMENT: i32 = 1 << 2;
        /// Acquisitions that happen inside the JDK are recorded with the place of the program that led there.
        PLACED_ACQUISITIONS: i32 = 1 << 3;
        /// So are other events of synchronization.
        PLACED_OTHERS: i32 = 1 << 4;
        /// Only what type discovery asks for is recorded.
        DISCOVERING: i32 = 1 << 5;
        /// Only what can matter to transactions is recorded.
        SPARING: i32 = 1 << 6;
        /// Some fields are presumed to be owned by their objects.
        OWNING: i32 = 1 << 7;
        /// With `SPARING`: spans that are known are left out, too.
        LEAVING_OUT: i32 = 1 << 8;
        /// Calls on objects of the library are accesses to their contents.
        CONTENTS: i32 = 1 << 9;
        /// Accesses are checked by order and locks, not by locks alone.
        ORDERING: i32 = 1 << 10;
        /// With `ORDERING`: every release of a lock is told apart.
        PRECISE: i32 = 1 << 11;
        /// The library tells what it hands over from thread to thread: to the check by order, or to the trace.
        HANDING: i32 = 1 << 12;
        /// Tasks that one thread runs one after the other are told apart.
        TASKS: i32 = 1 << 13;
    }

    /// How sure a race by order is, the surest first; `facts::finding::Grade` says what each means.
    grade Grade {
        /// Nothing ordered the accesses.
        CERTAIN: i32 = 0;
        /// Only locks did.
        POSSIBLE: i32 = 1;
        /// So they did, and what was found under one tells of the earlier access.
        UNLIKELY: i32 = 2;
        /// How many grades there are.
        NUMBER: i32 = 3;
    }

    /// How a location is looked at on which a race was found by order.
    pair Pair {
        /// Different accesses whose stacks are kept.
        WITNESSES: i32 = 6;
        /// Pairs of each grade that are told.
        PAIRS: i32 = 32;
        /// Further accesses that are looked at, whether they race or not: one thread may go on for long before the other does.
        WANTED: i32 = 4096;
    }

    /// In which mode the hooks for library locks name a lock.
    lock_mode LockMode {
        /// The receiver is the lock, held exclusively.
        EXCLUSIVE: i32 = 0;
        /// The receiver is the lock, held in read mode.
        SHARED: i32 = 1;
        /// Added to either: the field `sync` of the receiver stands for the lock. The two halves of a `ReentrantReadWriteLock`
        /// share it, and it tells a `ReentrantLock` from the monitor of the same object.
        VIEW: i32 = 2;
        /// Only where a lock is converted: it is no longer held.
        NONE: i32 = 4;
    }

    /// Entries in a lane: the operation in the highest 8 bits, the site in the next 24, an object or a thread below.
    operation Operation {
        /// A lock was acquired exclusively.
        ACQUIRE: u64 = 1;
        /// A lock was acquired in read mode; the acquisitions come first.
        ACQUIRE_SHARED: u64 = 2;
        /// A lock held exclusively is about to be released.
        RELEASE: u64 = 3;
        /// A lock held in read mode is; the events of locks come first.
        RELEASE_SHARED: u64 = 4;
        /// A thread is about to be started.
        FORK: u64 = 5;
        /// A thread was seen to have ended.
        JOIN: u64 = 6;
        /// `Object.wait` begins.
        WAIT_BEGIN: u64 = 7;
        /// `Object.wait` has returned.
        WAIT_END: u64 = 8;
        /// `Object.notify`.
        NOTIFY: u64 = 9;
        /// `Object.notifyAll`.
        NOTIFY_ALL: u64 = 10;
        /// A class initializer begins.
        CLASS_INIT_BEGIN: u64 = 11;
        /// A class initializer ends.
        CLASS_INIT_END: u64 = 12;
        /// A transaction begins.
        BEGIN: u64 = 13;
        /// A transaction ends.
        END: u64 = 14;
        /// The thread has ended.
        THREAD_END: u64 = 15;
        /// A read of a field, of no object if it is static.
        READ: u64 = 16;
        /// A write of a field.
        WRITE: u64 = 17;
        /// A read of an array; the next word is the index.
        READ_ARRAY: u64 = 18;
        /// A write of an array; the next word is the index.
        WRITE_ARRAY: u64 = 19;
        /// What the thread did so far is made visible through an object.
        PUBLISH: u64 = 20;
        /// The thread has seen what was made visible through an object.
        OBSERVE: u64 = 21;
        /// In the common lane: the thread of the next event.
        THREAD: u64 = 30;
        /// A ticket, with its number in the bits below the operation.
        TICKET: u64 = 31;

        /// Where the operation begins in an entry.
        OPERATION_SHIFT: u32 = 56;
        /// Where the site begins.
        SITE_SHIFT: u32 = 32;
    }

    /// Sites, which the agent numbers from 1.
    site Site {
        /// Their numbers have so many bits; places beyond are not woven.
        SITE_BITS: u32 = 24;
    }

    /// A lane begins with words at these offsets, in bytes. Those that only one side uses are here all the same.
    lane Lane {
        /// Where the next entry goes that is not held back; what is below is written.
        NEXT: i64 = 0;
        /// Up to here there is room for one more event.
        LIMIT: i64 = 8;
        /// The latest ticket, in units of `1 << UNIT_BITS`.
        LATEST: i64 = 16;
        /// Where the next entry goes while entries are held back, else 0.
        HELD: i64 = 24;
        /// A hash of what was done since the thread was last in no transaction and held no lock; 0 if nobody will ask.
        DONE: i64 = 32;
        /// The token of the region that the thread is in.
        REGION: i64 = 40;
        /// The token of the region that transactions do not end.
        OUTSIDE: i64 = 48;
        /// The latest token.
        TOKEN: i64 = 56;
        /// How many transactions are open.
        DEPTH: i64 = 64;
        /// The address of the tables of `LaneTables`.
        KNOWN: i64 = 72;
        /// The token for what the thread does between two starts and joins of threads.
        SEGMENT: i64 = 80;
        /// How many acquisitions have no release yet.
        LOCKS: i64 = 88;
        /// Of how many more entries it is to be known what was done up to them.
        LEARN: i64 = 96;
        /// The token outside when entries were first held back.
        BEFORE: i64 = 104;
        /// What stands, in place of a number, in objects that are fresh to the thread.
        FRESH: i64 = 112;
        /// The place of the span that is recorded.
        PLACE: i64 = 120;
        /// What was done last in it.
        LAST: i64 = 128;
        /// Twice the number of its entries, with one more if a step was new.
        ENTRIES: i64 = 136;
        /// The size of all of these.
        HEADER_BYTES: i64 = 144;

        /// In place of the address of a lane: the thread has none, as it is virtual.
        WITHOUT_LANE: i64 = -1;
        /// How far a ticket is shifted in `LATEST`.
        UNIT_BITS: u32 = 8;
        /// In `FRESH`: makes it negative, and so tells it from the numbers of objects.
        IS_FRESH: u32 = 1 << 31;
    }

    /// Tokens of regions, in which the lowest bits tell what was seen of a variable.
    token Token {
        /// It was read. Both stand for two reads, or a write and a read.
        SEEN_READ: i64 = 1;
        /// It was written.
        SEEN_WRITE: i64 = 2;
        /// Either.
        SEEN: i64 = SEEN_READ | SEEN_WRITE;
        /// The region is one outside of transactions.
        IS_OUTSIDE: i64 = 4;
        /// From one token to the next.
        NEXT_TOKEN: i64 = 8;
    }

    /// Tables beside a lane, at offsets in bytes from the address in it. They are the helper classes' own, but for places.
    lane_tables LaneTables {
        /// So many variables, a key and a token each, of which it is known what the thread has seen of them: 512 KB, of which the
        /// system gives only what is used. With a quarter of it, threads that go over 1,728 particles again and again wrote a
        /// trace of 139 MB, not 12 MB.
        VARIABLE_BITS: u32 = 15;
        /// Then hashes of what was done, each of an entry with those before it: so many groups of four.
        DONE_BITS: u32 = 11;
        /// Where these begin.
        DONE_BEFORE: i64 = 16 << VARIABLE_BITS;
        /// Then so many places of spans, by the low bits of their sites: a site, with the weight of the spans to be recorded above it.
        PLACE_BITS: u32 = 12;
        /// Where these begin.
        PLACES: i64 = DONE_BEFORE + (32 << DONE_BITS);
        /// Then a bit for each hash of a step, so many bits long.
        STEP_BITS: u32 = 16;
        /// Where these begin.
        STEPS: i64 = PLACES + (8 << PLACE_BITS);
        /// The size of all tables.
        TABLE_BYTES: i64 = STEPS + (1 << (STEP_BITS - 3));
    }

    /// Names of what weaving adds to classes.
    member Member {
        /// Prefix of every one.
        PREFIX: &str = "$jrace$";
        /// The field that holds the number of an object, when events are recorded.
        NUMBER: &str = "$jrace$number";
        /// The shadow word for the contents of an object of the library.
        CONTENTS: &str = "$jrace$contents";
        /// What is kept of the elements of a list.
        ELEMENTS: &str = "$jrace$elements";
        /// The entry of an object that carries it.
        ENTRY: &str = "$jrace$entry";
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Exhaustive over the table: a word that is added without a place of its own fails here.
    #[test]
    fn words_of_a_lane_lie_one_after_the_other() {
        let lane = groups().into_iter().find(|group| group.class == "Lane").expect("a group");
        let header = lane.constants.iter().take_while(|constant| constant.name != "HEADER_BYTES");
        let offsets: Vec<String> = header.map(|constant| constant.value.clone()).collect();
        let expected: Vec<String> = (0..offsets.len()).map(|i| format!("{}L", 8 * i)).collect();
        assert_eq!(offsets, expected);
        assert_eq!(lane::HEADER_BYTES, 8 * offsets.len() as i64);
    }

    #[test]
    fn tags_operations_and_bits_are_distinct() {
        let words = [word::VIRGIN, word::EXCLUSIVE, word::SHARED, word::SHARED_MODIFIED, word::OPEN, word::UNASKED];
        let more = [word::REPORTED, word::SHARED_EMPTY, word::UNKNOWN & word::TAG];
        let tags: BTreeSet<u32> = words.into_iter().chain(more).map(|word| word & word::TAG).collect();
        assert_eq!(tags.len(), words.len() + more.len());
        for (class, count) in [("Operation", 23), ("Mode", 12)] {
            let group = groups().into_iter().find(|group| group.class == class).expect("a group");
            let values: BTreeSet<&String> = group.constants[..count].iter().map(|constant| &constant.value).collect();
            assert_eq!(values.len(), count, "{class}");
        }
    }
}
