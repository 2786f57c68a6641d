//! The hook table: every method that woven code may call, and the names of what weaving adds to classes.
//!
//! The instrumenter emits calls from this table; the agent's helper class implements it, and a test compares the two.

use std::ops::{BitOr, BitOrAssign};

/// Internal name of the helper class. It lies in `java.lang` so that it belongs to module java.base and every class of
/// every module and loader can call it.
pub const HELPER_CLASS: &str = "java/lang/JraceHooks";

/// Prefix of every member that weaving adds to a class.
pub const MEMBER_PREFIX: &str = crate::layout::member::PREFIX;

/// Name of the shadow word of a class whose instances carry one word each (object granularity).
pub const OBJECT_SHADOW: &str = "$jrace$object";

/// Name of the shadow word for the contents of an object of the library.
pub const CONTENTS_SHADOW: &str = crate::layout::member::CONTENTS;

/// The field for what is kept of the elements of a list, where order counts.
pub const ELEMENTS: (&str, &str) = (crate::layout::member::ELEMENTS, STATE_DESCRIPTOR);

/// Name of the field that holds the number of an object, when events are recorded.
pub const OBJECT_NUMBER: &str = crate::layout::member::NUMBER;

/// Descriptor of what takes the place of a shadow word where order counts.
pub const STATE_DESCRIPTOR: &str = "Ljava/lang/Object;";

/// Descriptor of every shadow word.
pub const SHADOW_DESCRIPTOR: &str = "I";

/// Fields that weaving adds to `java.lang.Thread`, with their descriptors; they are visible to the helper's package.
///
/// The complement of `others` (so that a new thread's 0 is no location's word), `read` and `write` are the shadow words that the
/// current thread may pass without a slow path, and `reads` and `writes` are its stamps in their place where order counts; `arrays` is
/// its cache of arrays; `lane` is the address to which it records, and `quiet` says whether it leaves that out for a while; `context`
/// holds the rest.
pub const THREAD_FIELDS: [(&str, &str); 9] = [
    ("$jrace$others", "I"),
    ("$jrace$read", "I"),
    ("$jrace$write", "I"),
    ("$jrace$arrays", "[Ljava/lang/JraceShadow;"),
    ("$jrace$context", "Ljava/lang/JraceContext;"),
    ("$jrace$lane", "J"),
    ("$jrace$quiet", "I"),
    ("$jrace$reads", "Ljava/lang/JraceStamp;"),
    ("$jrace$writes", "Ljava/lang/JraceStamp;"),
];

/// Name of the shadow word for the field `name` of type `descriptor`.
///
/// Two fields of one class may share a name (never a name and a descriptor), so the kind of type is part of it; a class that
/// still has two fields with the same shadow name keeps the shadow of the first only.
#[must_use]
pub fn shadow_name(name: &str, descriptor: &str) -> String {
    let kind = descriptor.chars().next().unwrap_or('?');
    let kind = if kind == '[' { 'A' } else { kind };
    format!("{MEMBER_PREFIX}{kind}${name}")
}

/// Descriptor of the field that holds the shadow of an array: compiled code need not look what it is.
pub const ARRAY_SHADOW_DESCRIPTOR: &str = "Ljava/lang/JraceShadow;";

/// Name and descriptor of the field in which an object carries its entry. Who asks a class for its fields loads the class of each, so this is one
/// that every loader knows.
pub const ENTRY: (&str, &str) = (crate::layout::member::ENTRY, STATE_DESCRIPTOR);

const ARRAY_PREFIX: &str = "$jrace$array$";

/// Name of the field that holds the shadow of the array in the final field `name`, in which the array stays the same.
#[must_use]
pub fn array_shadow_name(name: &str) -> String {
    format!("{ARRAY_PREFIX}{name}")
}

/// Whether what weaving has added holds what is kept of an object, and is not the entry of the object or of an array, which know whose they are.
#[must_use]
pub fn is_kept(name: &str) -> bool {
    name.starts_with(MEMBER_PREFIX) && name != ENTRY.0 && !name.starts_with(ARRAY_PREFIX)
}

macro_rules! hooks {
    ($($(#[$doc:meta])* $variant:ident => $name:literal, $descriptor:literal;)*) => {
        /// A method of the helper class that woven code calls.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Hook { $($(#[$doc])* $variant,)* }

        impl Hook {
            /// Every hook, in table order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Method name in the helper class.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Method descriptor in the helper class.
            #[must_use]
            pub const fn descriptor(self) -> &'static str {
                match self { $(Self::$variant => $descriptor,)* }
            }
        }
    };
}

hooks! {
    /// Before `getfield` (with [`Events::EDGES`] after it, unless the field is known not to be volatile): object (may be null), site.
    ReadField => "readField", "(Ljava/lang/Object;I)V";
    /// Before `putfield`: object (may be null), site.
    WriteField => "writeField", "(Ljava/lang/Object;I)V";
    /// In place of `ReadField` where a field is to conform with its presumed owner, the object: object (may be null), site.
    ReadOwned => "readOwned", "(Ljava/lang/Object;I)V";
    /// In place of `WriteField`, in the same way.
    WriteOwned => "writeOwned", "(Ljava/lang/Object;I)V";
    /// Before `putfield` in a constructor that has not yet shown its object to anybody: object, site.
    InitField => "initField", "(Ljava/lang/Object;I)V";
    /// After `getstatic`, which has initialized the class: site.
    ReadStatic => "readStatic", "(I)V";
    /// After `putstatic`, which has initialized the class: site.
    WriteStatic => "writeStatic", "(I)V";
    /// Before an array load: array (may be null), index (may be out of bounds), site.
    ReadArray => "readArray", "(Ljava/lang/Object;II)V";
    /// In place of `ReadArray` in a loop, of another element than was just read of the array: array (may be null), index (may be out of
    /// bounds), what the hook of that read has returned, site.
    ReadArrayBeside => "readArrayBeside", "(Ljava/lang/Object;ILjava/lang/Object;I)V";
    /// Before an array store: array (may be null), index (may be out of bounds), site.
    WriteArray => "writeArray", "(Ljava/lang/Object;II)V";
    /// In place of `ReadArray` in a loop: array (may be null), index, array that this site has checked already (or null), site.
    /// Returns the array that need not be checked again, or null.
    ReadArrayAgain => "readArrayAgain", "(Ljava/lang/Object;ILjava/lang/Object;I)Ljava/lang/Object;";
    /// The same for an array store.
    WriteArrayAgain => "writeArrayAgain", "(Ljava/lang/Object;ILjava/lang/Object;I)Ljava/lang/Object;";
    /// In place of `ReadArray` in a loop that ends: array (may be null), index, the array that this site had before (or null),
    /// site. Returns the array, which has to be checked when the loop has ended, or null if it has been.
    ReadArrayLater => "readArrayLater", "(Ljava/lang/Object;ILjava/lang/Object;I)Ljava/lang/Object;";
    /// The same for an array store.
    WriteArrayLater => "writeArrayLater", "(Ljava/lang/Object;ILjava/lang/Object;I)Ljava/lang/Object;";
    /// When a loop has ended: what `ReadArrayLater` returned last (or null), site.
    ReadArrayBefore => "readArrayBefore", "(Ljava/lang/Object;I)V";
    /// The same for an array store.
    WriteArrayBefore => "writeArrayBefore", "(Ljava/lang/Object;I)V";
    /// In place of `ReadArrayBefore` where the loop came to each element from the first up to one: what `ReadArrayLater` returned last (or
    /// null), how many elements, site.
    ReadArrayUntil => "readArrayUntil", "(Ljava/lang/Object;II)V";
    /// The same for an array store.
    WriteArrayUntil => "writeArrayUntil", "(Ljava/lang/Object;II)V";
    /// In place of `ReadArray` for an array in a final field of the object: array (may be null), index, object, site. The object
    /// carries the array's shadow ([`array_shadow_name`]).
    ReadFinalArray => "readFinalArray", "(Ljava/lang/Object;ILjava/lang/Object;I)V";
    /// The same for an array store.
    WriteFinalArray => "writeFinalArray", "(Ljava/lang/Object;ILjava/lang/Object;I)V";
    /// Before `monitorenter` (after it with [`Events::ORDER`]): lock (may be null), site.
    Enter => "enter", "(Ljava/lang/Object;I)V";
    /// Before `monitorexit`: lock.
    Exit => "exit", "(Ljava/lang/Object;)V";
    /// First in a synchronized method: lock (the receiver, or the class of a static method), site.
    EnterMethod => "enterMethod", "(Ljava/lang/Object;I)V";
    /// First in a static synchronized method of a class file older than version 49, which cannot load its class as a
    /// constant: site.
    EnterStatic => "enterStatic", "(I)V";
    /// Last in a synchronized method, on every exit, exceptional too: ends the latest `EnterMethod` or `EnterStatic` of the
    /// thread. It has no argument so that the catch-all handler needs no local variable.
    ExitMethod => "exitMethod", "()V";
    /// In place of `Enter` for a block that is a transaction; `Exit` ends it.
    EnterAtomic => "enterAtomic", "(Ljava/lang/Object;I)V";
    /// First in a method that is a transaction, before `EnterMethod`: site.
    Begin => "begin", "(I)V";
    /// Last in a method that is a transaction, on every exit, exceptional too, after `ExitMethod`: the site of its `Begin`.
    End => "end", "(I)V";
    /// Before a call that reads the contents of what may be an object of the library for one thread at a time, or a map for
    /// several: the object (may be null), site.
    ReadContents => "readContents", "(Ljava/lang/Object;I)V";
    /// Before a call that writes them: the object (may be null), site.
    WriteContents => "writeContents", "(Ljava/lang/Object;I)V";
    /// In place of `ReadContents` where the call comes to one element of a list: the list (may be null), index, site.
    ReadAt => "readAt", "(Ljava/lang/Object;II)V";
    /// The same for a write.
    WriteAt => "writeAt", "(Ljava/lang/Object;II)V";
    /// In place of `ReadContents` where the call comes to no element of a list, or to the one at which an iterator is: the object (may be
    /// null), site.
    ReadShape => "readShape", "(Ljava/lang/Object;I)V";
    /// In place of `ReadContents` before a look-up in a map, which some maps keep the order of: the map (may be null), site.
    LookUpContents => "lookUpContents", "(Ljava/lang/Object;I)V";
    /// In place of `ReadContents` where the call names a class of the program, which may inherit the method: the object (may be null),
    /// site.
    ReadInherited => "readInherited", "(Ljava/lang/Object;I)V";
    /// The same for a write.
    WriteInherited => "writeInherited", "(Ljava/lang/Object;I)V";
    /// The same for a look-up.
    LookUpInherited => "lookUpInherited", "(Ljava/lang/Object;I)V";
    /// In place of `ReadContents` where a class calls the method of its superclass: the object, site.
    ReadOwnContents => "readOwnContents", "(Ljava/lang/Object;I)V";
    /// The same for a write.
    WriteOwnContents => "writeOwnContents", "(Ljava/lang/Object;I)V";
    /// The same for a look-up.
    LookUpOwnContents => "lookUpOwnContents", "(Ljava/lang/Object;I)V";
    /// Before a call that reads elements of an array: the array (may be null), site.
    ReadElements => "readElements", "(Ljava/lang/Object;I)V";
    /// Before a call that writes elements: the array (may be null), site.
    WriteElements => "writeElements", "(Ljava/lang/Object;I)V";
    /// Before `ReadPart` or `WritePart`, if it is known which elements: the first index, and the one behind the last.
    Range => "range", "(II)V";
    /// Before a call that reads elements of an array, perhaps not all: the array (may be null), site.
    ReadPart => "readPart", "(Ljava/lang/Object;I)V";
    /// Before a call that writes elements, perhaps not all: the array (may be null), site.
    WritePart => "writePart", "(Ljava/lang/Object;I)V";
    /// In place of `System.arraycopy`: its arguments, the site of the read, the site of the write.
    CopyElements => "copyElements", "(Ljava/lang/Object;ILjava/lang/Object;IIII)V";
    /// First in a method that nothing calls, or that one thread runs, as far as the proofs of the focus set know: site.
    Unreached => "unreached", "(I)V";
    /// First in `<clinit>`: site.
    ClassInitBegin => "classInitBegin", "(I)V";
    /// Last in `<clinit>`, on every exit: site.
    ClassInitEnd => "classInitEnd", "(I)V";
    /// In place of `Object.wait()`.
    Wait => "waitOn", "(Ljava/lang/Object;)V";
    /// In place of `Object.wait(long)`.
    WaitMillis => "waitOn", "(Ljava/lang/Object;J)V";
    /// In place of `Object.wait(long, int)`.
    WaitNanos => "waitOn", "(Ljava/lang/Object;JI)V";
    /// Before `Object.notify()`: lock.
    Notify => "notifyOne", "(Ljava/lang/Object;)V";
    /// Before `Object.notifyAll()`: lock.
    NotifyAll => "notifyEvery", "(Ljava/lang/Object;)V";
    /// In a method that waits for notifications or signals if it has to, where it has taken the lock, or its caller may have: the lock
    /// (may be null).
    MayWait => "mayWait", "(Ljava/lang/Object;)V";
    /// The same in one that may notify or signal.
    MayTell => "mayTell", "(Ljava/lang/Object;)V";
    /// Before each return of a library method that has acquired a lock: lock, mode.
    Acquired => "acquired", "(Ljava/lang/Object;I)V";
    /// The same for a method that returns whether it has: result, lock, mode.
    AcquiredIf => "acquiredIf", "(ZLjava/lang/Object;I)V";
    /// The same for a method that returns a stamp, zero for failure: stamp, lock, mode.
    AcquiredStamp => "acquiredStamp", "(JLjava/lang/Object;I)V";
    /// Before each return of a library method that may have changed the mode in which a lock is held, and returns the new
    /// stamp, zero for failure: stamp, lock, new mode.
    Converted => "converted", "(JLjava/lang/Object;I)V";
    /// First in a library method that releases a lock: lock, mode.
    Releasing => "releasing", "(Ljava/lang/Object;I)V";
    /// First in a library method that starts a thread: the thread.
    Starting => "starting", "(Ljava/lang/Object;)V";
    /// Before each return of a library method that has seen a thread end: the thread.
    Joined => "joined", "(Ljava/lang/Object;)V";
    /// Before `putstatic`, with [`Events::EDGES`], unless the field is known not to be volatile: site.
    PublishStatic => "publishStatic", "(I)V";
    /// When a thread is about to end: the thread.
    Ending => "ending", "(Ljava/lang/Object;)V";
    /// In a library method that makes what the thread has done known to who meets an object: the object (may be null).
    Publish => "publish", "(Ljava/lang/Object;)V";
    /// First in a constructor of a class with a finalizer.
    Constructing => "constructing", "()V";
    /// Before each return of one: the object.
    Constructed => "constructed", "(Ljava/lang/Object;)V";
    /// The same as `Publish` where the object is put into a collection: the object (may be null), the collection.
    Put => "put", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// In one that has met an object, and first in a finalizer: the object (may be null).
    Observe => "observe", "(Ljava/lang/Object;)V";
    /// The same where what is met is work to do: the object (may be null).
    Take => "take", "(Ljava/lang/Object;)V";
    /// The same as `Observe` in a method that returns the object: the object (may be null), the collection that may have had it.
    Found => "found", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// The same as `Take` in one: the object (may be null), the collection.
    Taken => "taken", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// When a framework has begun a test: what stands for it (may be null).
    BeginTest => "beginTest", "(Ljava/lang/Object;)V";
    /// When it has ended.
    EndTest => "endTest", "(Ljava/lang/Object;)V";
    /// In a method that has made an object known for what it was about to write, and has written it if the result is true: result, object.
    RetractIf => "retractIf", "(ZLjava/lang/Object;)V";
    /// The same after `PublishField`.
    RetractFieldIf => "retractFieldIf", "(ZLjava/lang/Object;)V";
    /// In a method that is about to send something: the socket, or the address to which.
    Sending => "sending", "(Ljava/lang/Object;)V";
    /// In one that has received something: the socket.
    Received => "received", "(Ljava/lang/Object;)V";
    /// Before a thread of a pool runs a task: the task (may be null), the pool.
    BeginTask => "beginTask", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// First in a method that handles a request: what stands for it, if it may be handled in several parts (may be null).
    BeginRequest => "beginRequest", "(Ljava/lang/Object;)V";
    /// When either is over: in a method that comes after tasks, or last in one that handles a request, on every exit.
    HasRun => "hasRun", "()V";
    /// In a method that returns a value which the thread has for itself, or by which it has one from now on: the value (may be null).
    HasLocal => "hasLocal", "(Ljava/lang/Object;)V";
    /// In one that has met an entry of a map: the entry (may be null), the map or what goes over it.
    ObserveEntry => "observeEntry", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// Before a collection compares an element of it, or asks it something: the element (may be null). And where one comes out of a table of
    /// the JDK's own.
    Ask => "ask", "(Ljava/lang/Object;)V";
    /// The same if the method succeeds: result, object.
    ObserveIf => "observeIf", "(ZLjava/lang/Object;)V";
    /// The same as `Observe` if a method returns null: result, object.
    ObserveIfNull => "observeIfNull", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// The same as `Publish` if an argument is null: argument, object.
    PublishIfNull => "publishIfNull", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// In a method that comes to a barrier: the barrier.
    Arrive => "arrive", "(Ljava/lang/Object;)V";
    /// In one that opens it for those who wait.
    Open => "open", "(Ljava/lang/Object;)V";
    /// In one that has passed it.
    Passed => "passed", "(Ljava/lang/Object;)V";
    /// In a method that is about to take a key out of a map: the key (null for all), the map.
    Removing => "removing", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// In one that has looked for a key, and has not found it if the result is null: result, key, map.
    Missed => "missed", "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";
    /// The same as `Publish` for a `CountedCompleter` and all that wait for it.
    PublishChain => "publishChain", "(Ljava/lang/Object;)V";
    /// The same as `Put` for each element of a collection (may be null), which are put into another.
    PutEach => "putEach", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// Before a call that may read what others have written with an object: the object (may be null).
    Meeting => "meeting", "(Ljava/lang/Object;)V";
    /// After it.
    Met => "met", "()V";
    /// After a call that may clone an object: the clone (may be null).
    Cloned => "cloned", "(Ljava/lang/Object;)V";
    /// In its place where a class calls the method of its superclass.
    ClonedOwn => "clonedOwn", "(Ljava/lang/Object;)V";
    /// Before a call that reads a field by what stands for it: that (may be null), the object (null for a static field), the site of the
    /// call.
    ReadingReflected => "readingReflected", "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// After it.
    HasReadReflected => "hasReadReflected", "()V";
    /// Before a call that writes a field by what stands for it, in the same way.
    WritingReflected => "writingReflected", "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// Before a call that reads an element of what ought to be an array: that (may be null), index, site.
    ReadElement => "readElement", "(Ljava/lang/Object;II)V";
    /// The same for a write.
    WriteElement => "writeElement", "(Ljava/lang/Object;II)V";
    /// In a method that is about to make what stands for a field: the field, its name for a handle, or the class that declares it.
    Handled => "handled", "(Ljava/lang/Object;)V";
    /// In a method that has read the state of a synchronizer: the synchronizer.
    ReadState => "readState", "(Ljava/lang/Object;)V";
    /// In one that is about to write it: the synchronizer.
    WriteState => "writeState", "(Ljava/lang/Object;)V";
    /// The same as `Publish` where a volatile field of the object is about to be written in other ways than by `putfield`.
    PublishField => "publishField", "(Ljava/lang/Object;)V";
    /// In a method that says whether a thread still runs: result, thread.
    SeenAlive => "seenAlive", "(ZLjava/lang/Object;)V";
    /// In a method that begins an optimistic read: stamp (0 for none), lock.
    Hoped => "hoped", "(JLjava/lang/Object;)V";
    /// After a call that begins one, in a method that may end it: a number of that method.
    Hoping => "hoping", "(I)V";
    /// Last in such a method, on every exit, exceptional too, before `ExitMethod`: the number.
    HopesEnd => "hopesEnd", "(I)V";
    /// In a method that says whether one was right: the lock.
    Validated => "validated", "(Ljava/lang/Object;)V";
    /// In a method that says in which state a thread is: result, thread.
    SeenState => "seenState", "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// In a method that comes after all that threads have done that have ended.
    SeenEnds => "seenEnds", "()V";
    /// In a method that knows that the present thread was interrupted.
    Interrupted => "interrupted", "()V";
    /// The same if it says so: result.
    InterruptedIf => "interruptedIf", "(Z)V";
    /// In a constructor of a semaphore: the semaphore.
    HasPermits => "hasPermits", "(Ljava/lang/Object;)V";
    /// In a method that has taken permits: how many, the semaphore.
    TookPermits => "tookPermits", "(ILjava/lang/Object;)V";
    /// The same for a method that returns whether it has: result, how many, semaphore.
    TookPermitsIf => "tookPermitsIf", "(ZILjava/lang/Object;)V";
    /// In a method that is about to give permits: the semaphore.
    HandingPermits => "handingPermits", "(Ljava/lang/Object;)V";
    /// In a method that is about to signal: the condition.
    Signalling => "signalling", "(Ljava/lang/Object;)V";
    /// In a method that is about to wait for a condition: the condition.
    Awaiting => "awaiting", "(Ljava/lang/Object;)V";
    /// When it has the lock again: the condition.
    Awaited => "awaited", "(Ljava/lang/Object;)V";
    /// On the value that `jdk.internal.reflect.Reflection.filterFields` returns: what weaving added is taken out.
    FilterFields => "filterFields", "([Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;";
    /// In a method of the JDK that makes the way to a member: the member, or a class of which objects are made.
    Reflected => "reflected", "(Ljava/lang/Object;)V";
    /// On the class file from which `MethodHandles.Lookup` is about to define a hidden class: bytes (may be null), lookup.
    WeaveHidden => "weaveHidden", "([BLjava/lang/Object;)[B";
}

/// A set of kinds of events to weave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Events(u16);

impl Events {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Instance field accesses.
    pub const FIELDS: Self = Self(1);
    /// Static field accesses.
    pub const STATICS: Self = Self(1 << 1);
    /// Array element accesses.
    pub const ARRAYS: Self = Self(1 << 2);
    /// `monitorenter` and `monitorexit`.
    pub const MONITORS: Self = Self(1 << 3);
    /// Synchronized methods.
    pub const SYNCHRONIZED: Self = Self(1 << 4);
    /// Class initializers.
    pub const CLASS_INIT: Self = Self(1 << 5);
    /// `Object.wait`, `notify`, `notifyAll`.
    pub const WAIT_NOTIFY: Self = Self(1 << 6);
    /// Accesses of volatile fields too (with `FIELDS` and `STATICS`).
    pub const VOLATILES: Self = Self(1 << 7);

    /// Locks are reported after they were taken, so that the reported order of owners is the real one.
    pub const ORDER: Self = Self(1 << 8);

    /// Begin and end of transactions: code that is expected to be atomic.
    pub const TRANSACTIONS: Self = Self(1 << 9);

    /// Calls that read or write the contents of library objects for one thread at a time; with `ARRAYS`, those that go over arrays.
    pub const CONTENTS: Self = Self(1 << 10);

    /// What orders threads is told when it counts: locks after they were taken, volatile reads after they were made and volatile
    /// writes before. The library tells what its classes promise, too.
    pub const EDGES: Self = Self(1 << 11);

    /// Locations have states in place of words.
    pub const STATES: Self = Self(1 << 12);

    /// The events that change lock sets: what an excluded class still reports.
    pub const LOCKS: Self = Self(Self::MONITORS.0 | Self::SYNCHRONIZED.0);
    /// What Eraser needs.
    pub const ERASER: Self = Self(Self::LOCKS.0 | Self::FIELDS.0 | Self::STATICS.0 | Self::ARRAYS.0);
    /// What a check needs that knows order.
    pub const HYBRID: Self = Self(
        Self::ERASER.0 | Self::VOLATILES.0 | Self::WAIT_NOTIFY.0 | Self::CLASS_INIT.0 | Self::EDGES.0 | Self::STATES.0,
    );
    /// What type discovery looks at.
    pub const DISCOVERY: Self = Self(Self::LOCKS.0 | Self::FIELDS.0 | Self::STATICS.0 | Self::ORDER.0);
    /// Everything that happens, for recording; what it means (`TRANSACTIONS`) comes on top.
    pub const ALL: Self = Self(0x1ff);

    /// Whether every event of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// This set without the events of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The events of this set that are also in `other`.
    #[must_use]
    pub const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether an event of `other` is in this set.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Descriptor of what is kept of a location.
    #[must_use]
    pub const fn shadow_descriptor(self) -> &'static str {
        if self.contains(Self::STATES) { STATE_DESCRIPTOR } else { SHADOW_DESCRIPTOR }
    }

    /// Whether the set has no event.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Events {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Events {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadow_names_tell_types_apart() {
        assert_eq!(shadow_name("x", "I"), "$jrace$I$x");
        assert_eq!(shadow_name("x", "[[D"), "$jrace$A$x");
        assert_eq!(shadow_name("x", "Ljava/lang/String;"), "$jrace$L$x");
    }

    #[test]
    fn hooks_are_distinct() {
        let mut seen = std::collections::BTreeSet::new();
        assert!(Hook::ALL.iter().all(|hook| seen.insert((hook.name(), hook.descriptor()))));
    }

    #[test]
    fn event_sets_behave_like_sets() {
        assert!(Events::ERASER.contains(Events::LOCKS));
        assert!(!Events::ERASER.without(Events::ARRAYS).contains(Events::ARRAYS));
        assert!(Events::ALL.contains(Events::ERASER | Events::VOLATILES));
    }
}
