package java.lang;

/**
 * What the helper classes share with the agent. Made from {@code facts::layout}: change that, and run
 * {@code UPDATE_EXPECT=1 cargo test -p facts layout}.
 */
final class JraceLayout {
    private JraceLayout() {}

    /**
     * Shadow words: a tag in the highest four bits, a payload below; {@code checkers::eraser::word} says what the states mean.
     *
     * As an {@code int} in Java, the words that no read changes any more are negative, and {@code REPORTED} is below all others.
     */
    static final class Word {
        private Word() {}

        /** The part of a word that is not its tag. */
        static final int PAYLOAD = 0x0FFF_FFFF;

        /** The part that is. */
        static final int TAG = 0xF000_0000;

        /** Never accessed. */
        static final int VIRGIN = 0;

        /** A location that one thread has accessed; the payload is its number. */
        static final int EXCLUSIVE = 0x1000_0000;

        /** A location that several threads read; the payload is a lock set. */
        static final int SHARED = 0x2000_0000;

        /** A location that several threads access, and that is written; the payload is a lock set. */
        static final int SHARED_MODIFIED = 0x3000_0000;

        /** A race was found; the payload is the number of further accesses wanted as evidence. */
        static final int OPEN = 0x4000_0000;

        /** No location has this word: a thread has it whose lock set nobody has asked for yet. */
        static final int UNASKED = 0x5000_0000;

        /** A race was found, and nothing more is wanted. */
        static final int REPORTED = 0x8000_0000;

        /** Read by several threads under no common lock: frequent, and a read never changes it. */
        static final int SHARED_EMPTY = 0xC000_0000;

        /** No location has this word: a thread has it that has no context yet. */
        static final int UNKNOWN = 0xFFFF_FFFF;

        /** How many accesses after the one that completed the race are wanted as evidence. */
        static final int EVIDENCE = 16;
    }

    /** What the helper classes do, as the bits of {@code JraceAgent.mode()}. */
    static final class Mode {
        private Mode() {}

        /** Events are recorded. */
        static final int RECORDING = 1;

        /** Accesses are checked. */
        static final int CHECKING = 2;

        /** An array has a state for each element. */
        static final int BY_ELEMENT = 4;

        /** Acquisitions that happen inside the JDK are recorded with the place of the program that led there. */
        static final int PLACED_ACQUISITIONS = 8;

        /** So are other events of synchronization. */
        static final int PLACED_OTHERS = 16;

        /** Only what type discovery asks for is recorded. */
        static final int DISCOVERING = 32;

        /** Only what can matter to transactions is recorded. */
        static final int SPARING = 64;

        /** Some fields are presumed to be owned by their objects. */
        static final int OWNING = 128;

        /** With {@code SPARING}: spans that are known are left out, too. */
        static final int LEAVING_OUT = 256;

        /** Calls on objects of the library are accesses to their contents. */
        static final int CONTENTS = 512;

        /** Accesses are checked by order and locks, not by locks alone. */
        static final int ORDERING = 1024;

        /** With {@code ORDERING}: every release of a lock is told apart. */
        static final int PRECISE = 2048;

        /** The library tells what it hands over from thread to thread: to the check by order, or to the trace. */
        static final int HANDING = 4096;

        /** Tasks that one thread runs one after the other are told apart. */
        static final int TASKS = 8192;
    }

    /** How sure a race by order is, the surest first; {@code facts::finding::Grade} says what each means. */
    static final class Grade {
        private Grade() {}

        /** Nothing ordered the accesses. */
        static final int CERTAIN = 0;

        /** Only locks did. */
        static final int POSSIBLE = 1;

        /** So they did, and what was found under one tells of the earlier access. */
        static final int UNLIKELY = 2;

        /** How many grades there are. */
        static final int NUMBER = 3;
    }

    /** How a location is looked at on which a race was found by order. */
    static final class Pair {
        private Pair() {}

        /** Different accesses whose stacks are kept. */
        static final int WITNESSES = 6;

        /** Pairs of each grade that are told. */
        static final int PAIRS = 32;

        /** Further accesses that are looked at, whether they race or not: one thread may go on for long before the other does. */
        static final int WANTED = 4096;
    }

    /** In which mode the hooks for library locks name a lock. */
    static final class LockMode {
        private LockMode() {}

        /** The receiver is the lock, held exclusively. */
        static final int EXCLUSIVE = 0;

        /** The receiver is the lock, held in read mode. */
        static final int SHARED = 1;

        /**
         * Added to either: the field {@code sync} of the receiver stands for the lock. The two halves of a {@code ReentrantReadWriteLock}
         * share it, and it tells a {@code ReentrantLock} from the monitor of the same object.
         */
        static final int VIEW = 2;

        /** Only where a lock is converted: it is no longer held. */
        static final int NONE = 4;
    }

    /** Entries in a lane: the operation in the highest 8 bits, the site in the next 24, an object or a thread below. */
    static final class Operation {
        private Operation() {}

        /** A lock was acquired exclusively. */
        static final int ACQUIRE = 1;

        /** A lock was acquired in read mode; the acquisitions come first. */
        static final int ACQUIRE_SHARED = 2;

        /** A lock held exclusively is about to be released. */
        static final int RELEASE = 3;

        /** A lock held in read mode is; the events of locks come first. */
        static final int RELEASE_SHARED = 4;

        /** A thread is about to be started. */
        static final int FORK = 5;

        /** A thread was seen to have ended. */
        static final int JOIN = 6;

        /** {@code Object.wait} begins. */
        static final int WAIT_BEGIN = 7;

        /** {@code Object.wait} has returned. */
        static final int WAIT_END = 8;

        /** {@code Object.notify}. */
        static final int NOTIFY = 9;

        /** {@code Object.notifyAll}. */
        static final int NOTIFY_ALL = 10;

        /** A class initializer begins. */
        static final int CLASS_INIT_BEGIN = 11;

        /** A class initializer ends. */
        static final int CLASS_INIT_END = 12;

        /** A transaction begins. */
        static final int BEGIN = 13;

        /** A transaction ends. */
        static final int END = 14;

        /** The thread has ended. */
        static final int THREAD_END = 15;

        /** A read of a field, of no object if it is static. */
        static final int READ = 16;

        /** A write of a field. */
        static final int WRITE = 17;

        /** A read of an array; the next word is the index. */
        static final int READ_ARRAY = 18;

        /** A write of an array; the next word is the index. */
        static final int WRITE_ARRAY = 19;

        /** What the thread did so far is made visible through an object. */
        static final int PUBLISH = 20;

        /** The thread has seen what was made visible through an object. */
        static final int OBSERVE = 21;

        /** In the common lane: the thread of the next event. */
        static final int THREAD = 30;

        /** A ticket, with its number in the bits below the operation. */
        static final int TICKET = 31;

        /** Where the operation begins in an entry. */
        static final int OPERATION_SHIFT = 56;

        /** Where the site begins. */
        static final int SITE_SHIFT = 32;
    }

    /** Sites, which the agent numbers from 1. */
    static final class Site {
        private Site() {}

        /** Their numbers have so many bits; places beyond are not woven. */
        static final int SITE_BITS = 24;
    }

    /** A lane begins with words at these offsets, in bytes. Those that only one side uses are here all the same. */
    static final class Lane {
        private Lane() {}

        /** Where the next entry goes that is not held back; what is below is written. */
        static final long NEXT = 0L;

        /** Up to here there is room for one more event. */
        static final long LIMIT = 8L;

        /** The latest ticket, in units of {@code 1 << UNIT_BITS}. */
        static final long LATEST = 16L;

        /** Where the next entry goes while entries are held back, else 0. */
        static final long HELD = 24L;

        /** A hash of what was done since the thread was last in no transaction and held no lock; 0 if nobody will ask. */
        static final long DONE = 32L;

        /** The token of the region that the thread is in. */
        static final long REGION = 40L;

        /** The token of the region that transactions do not end. */
        static final long OUTSIDE = 48L;

        /** The latest token. */
        static final long TOKEN = 56L;

        /** How many transactions are open. */
        static final long DEPTH = 64L;

        /** The address of the tables of {@code LaneTables}. */
        static final long KNOWN = 72L;

        /** The token for what the thread does between two starts and joins of threads. */
        static final long SEGMENT = 80L;

        /** How many acquisitions have no release yet. */
        static final long LOCKS = 88L;

        /** Of how many more entries it is to be known what was done up to them. */
        static final long LEARN = 96L;

        /** The token outside when entries were first held back. */
        static final long BEFORE = 104L;

        /** What stands, in place of a number, in objects that are fresh to the thread. */
        static final long FRESH = 112L;

        /** The place of the span that is recorded. */
        static final long PLACE = 120L;

        /** What was done last in it. */
        static final long LAST = 128L;

        /** Twice the number of its entries, with one more if a step was new. */
        static final long ENTRIES = 136L;

        /** The size of all of these. */
        static final long HEADER_BYTES = 144L;

        /** In place of the address of a lane: the thread has none, as it is virtual. */
        static final long WITHOUT_LANE = -1L;

        /** How far a ticket is shifted in {@code LATEST}. */
        static final int UNIT_BITS = 8;

        /** In {@code FRESH}: makes it negative, and so tells it from the numbers of objects. */
        static final int IS_FRESH = 0x8000_0000;
    }

    /** Tokens of regions, in which the lowest bits tell what was seen of a variable. */
    static final class Token {
        private Token() {}

        /** It was read. Both stand for two reads, or a write and a read. */
        static final long SEEN_READ = 1L;

        /** It was written. */
        static final long SEEN_WRITE = 2L;

        /** Either. */
        static final long SEEN = 3L;

        /** The region is one outside of transactions. */
        static final long IS_OUTSIDE = 4L;

        /** From one token to the next. */
        static final long NEXT_TOKEN = 8L;
    }

    /** Tables beside a lane, at offsets in bytes from the address in it. They are the helper classes' own, but for places. */
    static final class LaneTables {
        private LaneTables() {}

        /**
         * So many variables, a key and a token each, of which it is known what the thread has seen of them: 512 KB, of which the
         * system gives only what is used. With a quarter of it, threads that go over 1,728 particles again and again wrote a
         * trace of 139 MB, not 12 MB.
         */
        static final int VARIABLE_BITS = 15;

        /** Then hashes of what was done, each of an entry with those before it: so many groups of four. */
        static final int DONE_BITS = 11;

        /** Where these begin. */
        static final long DONE_BEFORE = 524288L;

        /** Then so many places of spans, by the low bits of their sites: a site, with the weight of the spans to be recorded above it. */
        static final int PLACE_BITS = 12;

        /** Where these begin. */
        static final long PLACES = 589824L;

        /** Then a bit for each hash of a step, so many bits long. */
        static final int STEP_BITS = 16;

        /** Where these begin. */
        static final long STEPS = 622592L;

        /** The size of all tables. */
        static final long TABLE_BYTES = 630784L;
    }

    /** Names of what weaving adds to classes. */
    static final class Member {
        private Member() {}

        /** Prefix of every one. */
        static final String PREFIX = "$jrace$";

        /** The field that holds the number of an object, when events are recorded. */
        static final String NUMBER = "$jrace$number";

        /** The shadow word for the contents of an object of the library. */
        static final String CONTENTS = "$jrace$contents";

        /** What is kept of the elements of a list. */
        static final String ELEMENTS = "$jrace$elements";

        /** The entry of an object that carries it. */
        static final String ENTRY = "$jrace$entry";
    }
}
