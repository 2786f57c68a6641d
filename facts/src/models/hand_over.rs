//! Hand-over: library methods that make what a thread has done known to another.
//!
//! What is promised counts, not how a class happens to do it: what was done before an object is put into a queue or a concurrent
//! collection is known to who takes or finds that object ("Memory Consistency Properties" of `java.util.concurrent`). So the object
//! itself stands for the edge. Bulk operations that hand out many objects, like `drainTo`, count for the collection as a whole.
//! Classes that count, like latches and barriers, stand for themselves. Internal methods are named where several public ones lead
//! through them.
//!
//! Mutual exclusion is no hand-over: locks have rows of their own.

use super::Effect::{
    self, HandsPermits, HasPermits, Meets, Observes, ObservesIf, Publishes, PublishesChain, SeesAlive, Takes,
    TakesPermits, TakesPermitsIf,
};
use super::Model;
use super::Subject::{Argument, Result, This};

/// Methods of a class with the effects that each has. Of a name without a descriptor, every overload is meant.
struct Row {
    class: &'static str,
    methods: &'static [&'static str],
    effects: &'static [Effect],
}

const fn row(class: &'static str, methods: &'static [&'static str], effects: &'static [Effect]) -> Row {
    Row { class, methods, effects }
}

const PUTS: &[Effect] = &[Publishes(Argument(0)), Publishes(This)];
const GIVES: &[Effect] = &[Observes(Result)];
const TAKES: &[Effect] = &[Takes(Result)];
const READS: &[Effect] = &[Observes(This)];
const WRITES: &[Effect] = &[Publishes(This)];
const UPDATES: &[Effect] = &[Publishes(This), Observes(This)];
const UPDATES_OF: &[Effect] = &[Effect::WritesField, Observes(Argument(0))];

/// `get` and `set` of a variable with volatile accesses. Opaque and plain modes order nothing, and loops like `updateAndGet` call
/// these.
const ATOMIC_READS: &[&str] = &["get", "getAcquire", "getReference", "getStamp", "isMarked", "intValue", "longValue"];
const ATOMIC_WRITES: &[&str] = &["set", "lazySet", "setRelease"];
const ATOMIC_UPDATES: &[&str] = &[
    "getAndSet",
    "compareAndSet",
    "weakCompareAndSetVolatile",
    "weakCompareAndSetAcquire",
    "weakCompareAndSetRelease",
    "compareAndExchange",
    "compareAndExchangeAcquire",
    "compareAndExchangeRelease",
    "getAndAdd",
    "getAndIncrement",
    "getAndDecrement",
    "addAndGet",
    "incrementAndGet",
    "decrementAndGet",
    "attemptStamp",
    "attemptMark",
];
const ATOMICS: &[&str] = &[
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicReference",
    "java/util/concurrent/atomic/AtomicIntegerArray",
    "java/util/concurrent/atomic/AtomicLongArray",
    "java/util/concurrent/atomic/AtomicReferenceArray",
    "java/util/concurrent/atomic/AtomicMarkableReference",
    "java/util/concurrent/atomic/AtomicStampedReference",
];

/// The class that lock-free queues use, by JCTools, Netty and others: the first argument is the object with the field, or the array.
const UNSAFE: &[&str] = &["sun/misc/Unsafe"];
const UNSAFE_READS: &[&str] = &[
    "getObjectVolatile",
    "getIntVolatile",
    "getLongVolatile",
    "getBooleanVolatile",
    "getByteVolatile",
    "getShortVolatile",
    "getCharVolatile",
    "getFloatVolatile",
    "getDoubleVolatile",
];
const UNSAFE_WRITES: &[&str] = &[
    "putObjectVolatile",
    "putIntVolatile",
    "putLongVolatile",
    "putBooleanVolatile",
    "putByteVolatile",
    "putShortVolatile",
    "putCharVolatile",
    "putFloatVolatile",
    "putDoubleVolatile",
    "putOrderedObject",
    "putOrderedInt",
    "putOrderedLong",
];
const UNSAFE_UPDATES: &[&str] = &[
    "compareAndSwapObject",
    "compareAndSwapInt",
    "compareAndSwapLong",
    "getAndSetObject",
    "getAndSetInt",
    "getAndSetLong",
    "getAndAddInt",
    "getAndAddLong",
];

/// Their first argument is the object with the field.
const UPDATERS: &[&str] = &[
    "java/util/concurrent/atomic/AtomicIntegerFieldUpdater$AtomicIntegerFieldUpdaterImpl",
    "java/util/concurrent/atomic/AtomicLongFieldUpdater$CASUpdater",
    "java/util/concurrent/atomic/AtomicLongFieldUpdater$LockedUpdater",
    "java/util/concurrent/atomic/AtomicReferenceFieldUpdater$AtomicReferenceFieldUpdaterImpl",
];

const QUEUES: &[&str] = &[
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/PriorityBlockingQueue",
    "java/util/concurrent/DelayQueue",
    "java/util/concurrent/SynchronousQueue",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
];
const QUEUE_PUTS: &[&str] = &[
    "put",
    "offer",
    "add",
    "transfer",
    "tryTransfer",
    "putFirst",
    "putLast",
    "offerFirst",
    "offerLast",
    "linkFirst",
    "linkLast",
];
const QUEUE_TAKES: &[&str] = &["take", "poll", "takeFirst", "takeLast", "pollFirst", "pollLast"];
const QUEUE_GIVES: &[&str] = &["peek", "peekFirst", "peekLast"];
const QUEUE_READS: &[&str] = &[
    "drainTo",
    "toArray",
    "iterator",
    "descendingIterator",
    "spliterator",
    "forEach",
    "forEachFrom",
    "removeIf",
    "bulkRemove",
];
/// What was put in after the iterator was made may come, too.
const QUEUE_ITERATORS: &[&str] = &[
    "java/util/concurrent/ArrayBlockingQueue$Itr",
    "java/util/concurrent/LinkedBlockingQueue$Itr",
    "java/util/concurrent/LinkedBlockingDeque$AbstractItr",
    "java/util/concurrent/LinkedTransferQueue$Itr",
    "java/util/concurrent/ConcurrentLinkedQueue$Itr",
    "java/util/concurrent/ConcurrentLinkedDeque$AbstractItr",
];
/// These put many in at once.
const LINKED_QUEUES: &[&str] = &[
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentLinkedDeque",
];

/// Their methods hold a monitor, which is woven; what is taken out was put in before, whoever had the monitor in between.
pub(super) const SYNCHRONIZED: &[&str] = &[
    "java/util/Vector",
    "java/util/Stack",
    "java/util/Hashtable",
    "java/lang/StringBuffer",
    "java/util/Collections$SynchronizedCollection",
    "java/util/Collections$SynchronizedList",
    "java/util/Collections$SynchronizedRandomAccessList",
    "java/util/Collections$SynchronizedSet",
    "java/util/Collections$SynchronizedSortedSet",
    "java/util/Collections$SynchronizedNavigableSet",
    "java/util/Collections$SynchronizedMap",
    "java/util/Collections$SynchronizedSortedMap",
    "java/util/Collections$SynchronizedNavigableMap",
];

const FUTURE: &str = "java/util/concurrent/FutureTask";
const COMPLETABLE: &str = "java/util/concurrent/CompletableFuture";
const FORK_JOIN: &str = "java/util/concurrent/ForkJoinTask";
const POOL: &str = "java/util/concurrent/ForkJoinPool";
const COMPLETER: &str = "java/util/concurrent/CountedCompleter";
const MAP: &str = "java/util/concurrent/ConcurrentHashMap";
const SKIP_LIST: &str = "java/util/concurrent/ConcurrentSkipListMap";
const SEMAPHORE: &str = "java/util/concurrent/Semaphore";
const BARRIER: &str = "java/util/concurrent/CyclicBarrier";
const SUBSCRIPTION: &str = "java/util/concurrent/SubmissionPublisher$BufferedSubscription";
const THREAD_POOL: &str = "java/util/concurrent/ThreadPoolExecutor";
const PHASER: &str = "java/util/concurrent/Phaser";
const PRIORITY: &str = "java/util/concurrent/PriorityBlockingQueue";
const DELAY: &str = "java/util/concurrent/DelayQueue";
const THREAD: &str = "java/lang/Thread";
const VIRTUAL: &str = "java/lang/VirtualThread";

const ROWS: &[Row] = &[
    row("java/util/concurrent/Exchanger", &["exchange"], &[Publishes(Argument(0)), Observes(Result)]),
    row("java/util/concurrent/CopyOnWriteArrayList", &["setArray"], WRITES),
    row("java/util/concurrent/CopyOnWriteArrayList", &["getArray"], READS),
    row(MAP, &["putVal"], &[Publishes(Argument(0)), Publishes(Argument(1)), Publishes(This), Observes(Result)]),
    row(MAP, &["replaceNode"], &[Publishes(Argument(1)), Publishes(This), Observes(Result)]),
    row(MAP, &["get", "getOrDefault", "remove"], GIVES),
    row(
        MAP,
        &["computeIfAbsent", "computeIfPresent", "compute", "merge"],
        &[Publishes(This), Effect::Hands(Result), Observes(Result)],
    ),
    row(MAP, &["containsKey", "contains", "containsValue"], &[ObservesIf]),
    row("java/util/concurrent/ConcurrentHashMap$Traverser", &["advance"], &[Effect::ObservesEntry]),
    row("java/util/concurrent/ConcurrentHashMap$BulkTask", &["advance"], &[Effect::ObservesEntry]),
    row("java/util/concurrent/ConcurrentHashMap$ValueIterator", &["next"], GIVES),
    row("java/util/concurrent/ConcurrentHashMap$MapEntry", &["getKey", "getValue"], GIVES),
    row(SKIP_LIST, &["doPut"], &[Publishes(Argument(0)), Publishes(Argument(1)), Publishes(This), Observes(Result)]),
    row(SKIP_LIST, &["compute", "computeIfPresent", "merge"], WRITES),
    row(SKIP_LIST, &["doGet", "doRemove", "replace"], GIVES),
    row(SKIP_LIST, &["firstKey", "lastKey", "lowerKey", "floorKey", "ceilingKey", "higherKey"], GIVES),
    row("java/util/concurrent/ConcurrentSkipListMap$SubMap", &["lowestKey", "highestKey", "getNearKey"], GIVES),
    row("java/util/concurrent/ConcurrentSkipListMap$SubMap$SubMapKeyIterator", &["next"], GIVES),
    row("java/util/concurrent/ConcurrentSkipListMap$SubMap$SubMapValueIterator", &["next"], GIVES),
    row("java/util/AbstractMap$SimpleImmutableEntry", &["getKey", "getValue"], GIVES),
    row(SKIP_LIST, &["doRemoveFirstEntry", "doRemoveLastEntry"], READS),
    row("java/util/concurrent/ConcurrentSkipListMap$KeyIterator", &["next"], GIVES),
    row("java/util/concurrent/ConcurrentSkipListMap$ValueIterator", &["next"], GIVES),
    row("java/util/concurrent/ConcurrentSkipListMap$EntryIterator", &["next"], &[Effect::ObservesEntry]),
    row("java/util/concurrent/CountDownLatch", &["countDown"], WRITES),
    row("java/util/concurrent/CountDownLatch", &["await()V"], READS),
    row("java/util/concurrent/CountDownLatch", &["await"], &[ObservesIf]),
    row("java/util/concurrent/CountDownLatch", &["getCount"], READS),
    row(BARRIER, &["dowait"], UPDATES),
    row(
        "java/util/concurrent/Phaser",
        &["arrive", "arriveAndDeregister", "register", "bulkRegister", "forceTermination"],
        WRITES,
    ),
    row("java/util/concurrent/LinkedBlockingQueue", &["<init>"], &[Effect::Hides]),
    row(THREAD_POOL, &["<init>"], &[Effect::Hides]),
    row("java/util/concurrent/Phaser", &["<init>"], &[Effect::Hides]),
    row("java/util/Random", &["<init>"], &[Effect::Hides]),
    row("java/util/concurrent/Phaser", &["arriveAndAwaitAdvance"], UPDATES),
    row(
        "java/util/concurrent/Phaser",
        &["awaitAdvance", "awaitAdvanceInterruptibly", "getPhase", "isTerminated"],
        READS,
    ),
    row(SEMAPHORE, &["<init>"], &[HasPermits]),
    row(SEMAPHORE, &["acquire", "acquireUninterruptibly", "tryAcquire"], &[TakesPermits, TakesPermitsIf]),
    row(SEMAPHORE, &["drainPermits"], READS),
    row(SEMAPHORE, &["release"], &[HandsPermits]),
    row(THREAD_POOL, &["execute"], &[Publishes(Argument(0))]),
    row(THREAD_POOL, &["getTask", "tryTerminate"], WRITES),
    row(THREAD_POOL, &["awaitTermination", "isTerminated"], &[ObservesIf]),
    row("java/util/concurrent/ThreadPerTaskExecutor", &["taskComplete"], WRITES),
    row("java/util/concurrent/ThreadPerTaskExecutor", &["awaitTermination", "isTerminated"], &[ObservesIf]),
    row(FUTURE, &["set", "setException", "cancel"], WRITES),
    row(FUTURE, &["report", "run", "runAndReset"], &[Meets(This)]),
    row(FUTURE, &["isDone", "isCancelled"], &[ObservesIf]),
    row(
        COMPLETABLE,
        &[
            "internalComplete",
            "tryPushStack",
            "completeNull",
            "completeValue",
            "completeThrowable",
            "completeRelay",
            "obtrudeValue",
            "obtrudeException",
        ],
        WRITES,
    ),
    row(COMPLETABLE, &["postComplete"], &[Meets(This)]),
    row(
        FORK_JOIN,
        &[
            "fork",
            "setDone",
            "trySetThrown",
            "trySetException",
            "trySetCancelled",
            "complete",
            "completeExceptionally",
            "quietlyComplete",
        ],
        WRITES,
    ),
    row(FORK_JOIN, &["doExec"], &[Takes(This)]),
    row(FORK_JOIN, &["join", "get", "invoke", "quietlyJoin", "quietlyInvoke", "awaitDone", "getRawResult"], READS),
    row(FORK_JOIN, &["isDone"], &[ObservesIf]),
    row(POOL, &["externalPush", "externalSubmit", "execute", "scheduleDelayedTask"], &[Publishes(Argument(0))]),
    row(POOL, &["poolSubmit"], &[Publishes(Argument(1))]),
    row(POOL, &["executeEnabledScheduledTask"], &[Meets(Argument(0))]),
    row(POOL, &["awaitWork", "deactivate", "deregisterWorker", "tryTerminate"], WRITES),
    row(POOL, &["awaitTermination", "awaitQuiescence", "isTerminated"], &[ObservesIf]),
    row("java/util/concurrent/ForkJoinPool$WorkQueue", &["push", "lockedPush"], &[Publishes(Argument(0))]),
    row(PRIORITY, &["dequeue"], READS),
    row(
        COMPLETER,
        &["tryComplete", "propagateCompletion", "complete", "firstComplete", "nextComplete", "quietlyCompleteRoot"],
        &[PublishesChain],
    ),
    row("java/util/concurrent/SubmissionPublisher", &["submit", "offer"], &[Publishes(Argument(0))]),
    row("java/lang/ref/ReferenceQueue", &["enqueue"], &[Publishes(Argument(0))]),
    row("java/lang/ref/ReferenceQueue", &["poll", "remove"], GIVES),
    // The JVM calls it when no thread but daemons is left.
    row("java/lang/Shutdown", &["shutdown"], &[Effect::SeesEnds]),
    row("java/util/TaskQueue", &["add"], &[Publishes(Argument(0))]),
    row("java/util/TaskQueue", &["getMin"], TAKES),
    row(THREAD, &["isAlive"], &[SeesAlive]),
    row(THREAD, &["getState"], &[Effect::SeesState]),
    row(THREAD, &["interrupt"], WRITES),
    row(VIRTUAL, &["interrupt"], WRITES),
    row(THREAD, &["isInterrupted"], &[ObservesIf]),
    row(VIRTUAL, &["isInterrupted"], &[ObservesIf]),
    row(THREAD, &["interrupted"], &[Effect::InterruptedIf]),
    row("java/lang/InterruptedException", &["<init>"], &[Effect::Interrupted]),
    row("java/util/Vector", &["add", "addElement", "push"], &[Publishes(Argument(0))]),
    row("java/util/Vector", &["insertElementAt", "setElementAt"], &[Publishes(Argument(0))]),
    row("java/util/Vector", &["get", "elementAt", "remove", "firstElement", "lastElement", "elementData"], GIVES),
    row("java/util/Stack", &["push"], &[Publishes(Argument(0))]),
    row("java/util/Stack", &["pop", "peek"], GIVES),
    row("java/util/Hashtable", &["put", "putIfAbsent"], &[Publishes(Argument(0)), Publishes(Argument(1))]),
    row("java/util/Hashtable", &["get", "remove", "getOrDefault"], GIVES),
    row("java/util/Collections$SynchronizedCollection", &["add"], &[Publishes(Argument(0))]),
    row("java/util/Collections$SynchronizedList", &["add", "set"], &[Publishes(Argument(1))]),
    row("java/util/Collections$SynchronizedList", &["get", "remove"], GIVES),
    row(
        "java/util/Collections$SynchronizedMap",
        &["put", "putIfAbsent"],
        &[Publishes(Argument(0)), Publishes(Argument(1))],
    ),
    row("java/util/Collections$SynchronizedMap", &["get", "remove", "getOrDefault"], GIVES),
];

/// A call that a method of the library makes, often to code of the program, in the midst of what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inner {
    /// Who calls: also a nested class of it does not count.
    class: &'static str,
    /// What is called.
    pub owner: &'static str,
    /// The names of the methods.
    pub names: &'static [&'static str],
    /// Whether what was done before objects met the caller is known in the call.
    pub meets: bool,
    /// Whether what is done in it is known to who meets the caller afterwards.
    pub publishes: bool,
    /// Whether it is known to who meets the result.
    pub hands: bool,
    /// Whether what was done before others met the last argument is known in the call.
    pub takes: bool,
    /// The same if the last argument, or the receiver of a call without arguments, may be an object with code of the program.
    pub asks: bool,
}

/// A call that nothing is known of.
const CALL: Inner =
    Inner { class: "", owner: "", names: &[], meets: false, publishes: false, hands: false, takes: false, asks: false };
const OBJECT: &str = "java/lang/Object";
const CONSUMER: &str = "java/util/function/Consumer";
const EQUALS: &[&str] = &["equals"];
const ANSWERS: &[&str] = &["equals", "toString"];

/// A call that sees what other such calls have left, of the same object.
const fn one_by_one(class: &'static str, owner: &'static str, names: &'static [&'static str], hands: bool) -> Inner {
    Inner { class, owner, names, meets: true, publishes: true, hands, ..CALL }
}

/// A call with each element that is found.
const fn each(class: &'static str) -> Inner {
    Inner { class, owner: CONSUMER, names: &["accept"], takes: true, ..CALL }
}

/// A call with an element that stays where it is: a comparison with another, which is the receiver, or a question to it.
const fn asks(class: &'static str, owner: &'static str, names: &'static [&'static str]) -> Inner {
    Inner { class, owner, names, asks: true, ..CALL }
}

/// A call that decides whether an element goes.
const fn tests(class: &'static str) -> Inner {
    Inner { class, owner: "java/util/function/Predicate", names: &["test"], takes: true, ..CALL }
}

const INNER: &[Inner] = &[
    asks(MAP, OBJECT, EQUALS),
    asks(MAP, "java/lang/Comparable", &["compareTo"]),
    asks("java/util/concurrent/ConcurrentHashMap$Node", OBJECT, EQUALS),
    asks("java/util/concurrent/ConcurrentHashMap$TreeNode", OBJECT, EQUALS),
    asks("java/util/concurrent/ConcurrentHashMap$TreeBin", OBJECT, EQUALS),
    asks(SKIP_LIST, OBJECT, EQUALS),
    asks(SKIP_LIST, "java/lang/Comparable", &["compareTo"]),
    asks(SKIP_LIST, "java/util/Comparator", &["compare"]),
    asks("java/util/concurrent/ConcurrentLinkedQueue", OBJECT, ANSWERS),
    asks("java/util/concurrent/ConcurrentLinkedDeque", OBJECT, ANSWERS),
    asks("java/util/concurrent/LinkedTransferQueue", OBJECT, ANSWERS),
    asks("java/util/concurrent/LinkedBlockingQueue", OBJECT, EQUALS),
    asks("java/util/concurrent/LinkedBlockingDeque", OBJECT, EQUALS),
    asks("java/util/concurrent/ArrayBlockingQueue", OBJECT, EQUALS),
    asks(PRIORITY, OBJECT, EQUALS),
    tests(SKIP_LIST),
    tests("java/util/concurrent/ConcurrentLinkedQueue"),
    tests("java/util/concurrent/ConcurrentLinkedDeque"),
    tests("java/util/concurrent/LinkedTransferQueue"),
    tests("java/util/concurrent/LinkedBlockingQueue"),
    tests("java/util/concurrent/LinkedBlockingDeque"),
    tests("java/util/concurrent/ArrayBlockingQueue"),
    tests(PRIORITY),
    // Functions of a map run one at a time for a key, and see what the one before has left.
    one_by_one(MAP, "java/util/function/BiFunction", &["apply"], true),
    one_by_one(SKIP_LIST, "java/util/function/BiFunction", &["apply"], true),
    Inner { class: MAP, owner: "java/util/function/Function", names: &["apply"], hands: true, ..CALL },
    // The last one that arrives runs the action for all, before any goes on.
    one_by_one(BARRIER, "java/lang/Runnable", &["run"], false),
    one_by_one(PHASER, PHASER, &["onAdvance"], false),
    one_by_one(THREAD_POOL, THREAD_POOL, &["terminated"], false),
    // A subscriber is called by one thread at a time.
    Inner {
        class: SUBSCRIPTION,
        owner: "java/util/concurrent/Flow$Subscriber",
        names: &["onNext"],
        meets: true,
        publishes: true,
        takes: true,
        ..CALL
    },
    one_by_one(SUBSCRIPTION, "java/util/concurrent/Flow$Subscriber", &["onSubscribe", "onComplete", "onError"], false),
    // Elements are compared by threads that do not get them.
    one_by_one(PRIORITY, PRIORITY, &["siftUpComparable", "siftUpUsingComparator"], false),
    one_by_one(PRIORITY, PRIORITY, &["siftDownComparable", "siftDownUsingComparator"], false),
    one_by_one(DELAY, "java/util/PriorityQueue", &["offer", "poll", "peek", "remove"], false),
    one_by_one(DELAY, "java/util/concurrent/Delayed", &["getDelay"], false),
    each("java/util/concurrent/ConcurrentLinkedQueue"),
    each("java/util/concurrent/ConcurrentLinkedDeque"),
    each("java/util/concurrent/LinkedBlockingQueue"),
    each("java/util/concurrent/LinkedBlockingDeque"),
    each("java/util/concurrent/LinkedTransferQueue"),
    each("java/util/concurrent/ArrayBlockingQueue"),
    each(PRIORITY),
    each("java/util/concurrent/ConcurrentLinkedQueue$CLQSpliterator"),
    each("java/util/concurrent/ConcurrentLinkedDeque$CLDSpliterator"),
    each("java/util/concurrent/LinkedBlockingQueue$LBQSpliterator"),
    each("java/util/concurrent/LinkedBlockingDeque$LBDSpliterator"),
    each("java/util/concurrent/LinkedTransferQueue$LTQSpliterator"),
    each("java/util/concurrent/ConcurrentHashMap$ValueSpliterator"),
    each("java/util/concurrent/ConcurrentSkipListMap$KeySpliterator"),
    each("java/util/concurrent/ConcurrentSkipListMap$ValueSpliterator"),
    Inner { class: SKIP_LIST, owner: "java/util/function/BiConsumer", names: &["accept"], meets: true, ..CALL },
];

/// The calls in methods of a class.
pub fn inner_of(class: &str) -> impl Iterator<Item = Inner> {
    INNER.iter().copied().filter(move |inner| inner.class == class)
}

/// Volatile fields of the library, each read of which meets the object that has it: too many methods do.
const READ: &[(&str, &str)] =
    &[(COMPLETABLE, "result"), (COMPLETER, "pending"), (FUTURE, "state"), (FORK_JOIN, "status")];

/// Which fields of this class, or of one that it is nested in, are read so.
pub fn read_in(class: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    READ.iter().copied().filter(move |(owner, _)| {
        class.strip_prefix(owner).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    })
}

/// Locks and latches of the program extend them, and the library's: on JDK 25, `ReentrantReadWriteLock` has the state of 64 bits.
const SYNCHRONIZERS: &[&str] = &[
    "java/util/concurrent/locks/AbstractQueuedSynchronizer",
    "java/util/concurrent/locks/AbstractQueuedLongSynchronizer",
];
/// What their `newCondition` makes.
pub const CONDITIONS: &[&str] = &[
    "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject",
    "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject",
];
/// The methods of a condition that give up its lock meanwhile.
pub const AWAITS: &[&str] = &["await", "awaitUninterruptibly", "awaitNanos", "awaitUntil"];

/// Classes that have the same methods, and these with the effects that each has.
type Family = (&'static [&'static str], &'static [(&'static [&'static str], &'static [Effect])]);

/// Groups of classes with the same methods.
const FAMILIES: &[Family] = &[
    (ATOMICS, &[(ATOMIC_READS, READS), (ATOMIC_WRITES, WRITES), (ATOMIC_UPDATES, UPDATES)]),
    (
        UPDATERS,
        &[
            (ATOMIC_READS, &[Observes(Argument(0))]),
            (ATOMIC_WRITES, &[Effect::WritesField]),
            (ATOMIC_UPDATES, UPDATES_OF),
        ],
    ),
    (
        UNSAFE,
        &[
            (UNSAFE_READS, &[Observes(Argument(0))]),
            (UNSAFE_WRITES, &[Effect::WritesField]),
            (UNSAFE_UPDATES, UPDATES_OF),
        ],
    ),
    (
        SYNCHRONIZERS,
        &[
            (&["getState"], &[Effect::Reads]),
            (&["setState"], &[Effect::Writes]),
            (&["compareAndSetState"], &[Effect::Writes, Effect::Reads]),
        ],
    ),
    (CONDITIONS, &[(&["signal", "signalAll"], &[Effect::Signals]), (AWAITS, &[Effect::Awaits])]),
    (QUEUES, &[(QUEUE_PUTS, PUTS), (QUEUE_TAKES, TAKES), (QUEUE_GIVES, GIVES), (QUEUE_READS, READS)]),
    (QUEUE_ITERATORS, &[(&["next"], GIVES)]),
    (LINKED_QUEUES, &[(&["addAll"], &[Effect::PublishesEach(Argument(0)), Publishes(This)])]),
    (SYNCHRONIZED, &[]),
];

/// The models of one class.
pub(super) fn of_class(class: &str) -> Vec<Model> {
    let of_families = FAMILIES.iter().flat_map(|(classes, methods)| {
        classes.iter().flat_map(|class| methods.iter().map(|row| (*class, row.0, row.1)))
    });
    let of_rows = ROWS.iter().map(|row| (row.class, row.methods, row.effects));
    let of_this = of_families.chain(of_rows).filter(|(owner, ..)| *owner == class);
    let effects = |(class, methods, effects): (&'static str, &'static [&'static str], &'static [Effect])| {
        let pairs = methods.iter().flat_map(move |method| effects.iter().map(move |effect| (*method, *effect)));
        pairs.map(move |(method, effect)| {
            let (name, descriptor) = method.find('(').map_or((method, None), |at| (&method[..at], Some(&method[at..])));
            Model { class, method: name, descriptor, effect }
        })
    };
    of_this.flat_map(effects).collect()
}
