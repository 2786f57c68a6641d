package java.lang;

/**
 * What the agent answers: every native method of the helper classes. It exports them by these names (module natives), and a test
 * compares names and types.
 */
final class JraceAgent {
    private JraceAgent() {}

    /** The bits of {@link JraceLayout.Mode}. */
    static native int mode();

    /** A new thread number; {@code starting} when the current thread starts it, so that its stack is the creation stack. */
    static native int register(String name, boolean virtual, boolean starting);

    /** The first mistake of a helper class, in words. */
    static native void fault(String what);

    /** A thread gets the place in clocks of one that has ended, and that it may race with. */
    static native void displaces();

    // ---- sites and classes ----------------------------------------------------------------------------------------

    /** The class that the woven caller belongs to. */
    static native Class<?> caller(int site);

    /** Dotted name of the class named in the field reference of a site, or of the field that its array is in. */
    static native String owner(int site);

    /** Name of the shadow word for the field of a site, or of the field for the shadow of its array. */
    static native String shadow(int site);

    /** The class that declares the field of a site, found from {@code start} upwards; null if the field is not checked. */
    static native Class<?> declaring(Class<?> start, int site, boolean isStatic);

    /** The site of a call that accesses a field by what stands for it; 0 if there are no more. */
    static native int reflectiveSite(int call, String owner, String name, String descriptor, boolean isStatic, boolean write);

    /** The slot of a static field. */
    static native int slot(int classId, int site);

    /** Names of the fields for what is kept of a class's objects, with a semicolon after each, and "clone" if it declares that. */
    static native String added(Class<?> of);

    /**
     * What the models say of the contents of a class's objects: nothing (null), that they carry a word for them (empty), or in which field
     * they have the object that they stand for, with a comma before the field of their lock if they have one.
     */
    static native String contents(String name);

    /** Which method is called at a site on an object that may be one of the library, as {@link JraceInherited} has it. */
    static native int callee(int site);

    /** Whether the code at a site is that of a class. */
    static native boolean isIn(Class<?> type, int site);

    /**
     * Whether a class itself declares a public method that has a part in what one of the library's class does which it extends: this one, if that
     * counts, or one that it calls.
     */
    static native boolean touches(Class<?> type, String library, int number, boolean itself);

    /** Whether a class itself declares a public method that accesses contents in the class of the library which it extends. */
    static native boolean overrides(Class<?> type, String library);

    /** A class file with checks for a class that the loader defines; null to leave it as it is. */
    static native byte[] weave(byte[] bytes, ClassLoader loader);

    // ---- Eraser ---------------------------------------------------------------------------------------------------

    /** The state machine: the next word. */
    static native int step(int word, int thread, int site, Object object, int read, int write, boolean isWrite);

    /** The thread word for a lock set with one lock more. */
    static native int withLock(int word, int lock, Object object);

    /** Looks for the field that refers to a lock, and says whether there is one; the object is the one that is accessed. */
    static native boolean nameLock(int lock, Object held, Object object);

    /** A lock has died. */
    static native void forget(int lock);

    /** What is remembered of an array is remembered of one of its elements. */
    static native void parted(int key, int array, int element);

    /** An access is worth remembering as the previous access of a race to come. */
    static native void touched(
            int thread, int site, int key, int offset, int read, int write, boolean isWrite, long moment);

    /** A race was found; {@code word} is the state before. */
    static native void race(
            int word, int thread, int site, int key, int offset, Object object, int read, int write, boolean isWrite);

    /** A further access to a location with a race; returns its next word. */
    static native int witness(
            int word, int thread, int site, int key, int offset, int read, int write, boolean isWrite);

    // ---- order ----------------------------------------------------------------------------------------------------

    /** Whether the field of a site, which is resolved, is volatile and orders what threads do. */
    static native boolean isVolatile(int site);

    /** Whether a class is the program's own, by its name, and not a library's. */
    static native boolean isOwn(String name);

    /** Whether code of the JDK has called the {@code ThreadLocal} that calls this. */
    static native boolean isLocalOfJdk();

    /** Whether the code at a site is. */
    static native boolean isOwnSite(int site);

    /** What threads hand over under locks at a site, as {@link JraceSites} has it. */
    static native int handing(int site);

    /** Whether code of the program's own, and not of a library, has called what is running of the JDK. */
    static native boolean isCallerOwn();

    /** Whether the JDK calls for itself what is running, or its own synchronizers do, if they count here. */
    static native boolean isInternal(boolean synchronizersCount);

    /** Another thread has come to a location, and does not race. */
    static native void shared(int site, Object object);

    /**
     * An access races with that of another thread at a moment, which was at one of the other sites; they are null if that is not known.
     * Says whether further accesses to the location are wanted.
     */
    static native boolean unordered(
            int thread, int site, int key, int offset, Object object, int read, int write, boolean isWrite,
            int other, long moment, int otherRead, int otherWrite, boolean otherIsWrite, int[] otherSites, int grade,
            int test, int otherTest);

    /**
     * A further access: the kept ones that it races with by grade, as bits, and where it is kept itself, -1 if it is not;
     * {@code last} if no more are wanted.
     */
    static native void pair(
            int thread, int site, int key, int offset, int read, int write, boolean isWrite,
            long certain, long possible, long unlikely, int place, boolean last, int test);

    /** The number of a test by what its framework calls it, or if it has ended of what it was part of; 0 if there is none. */
    static native int test(Object test, String called, boolean hasEnded);

    // ---- the focus set --------------------------------------------------------------------------------------------

    /** A method runs that the proofs of the focus set know no call of, or that they know one thread to run. */
    static native void unreached(int site);

    /** Some member is accessed by reflection or a handle: which one could not be found out. */
    static native void reflectedSome();

    /** A member of a class is accessed by reflection or a handle: its name and descriptor. */
    static native void reflected(String declaring, String name, String descriptor, boolean isFinal);

    /** The address of how far the proofs of the focus set hold, an {@code int} that is 0 if they do; 0 if they leave out no locks. */
    static native long proofs();

    /** The monitors that the thread owns, of which some may not have been reported; null if all have and will be. */
    static native Object[] monitors();

    // ---- recording ------------------------------------------------------------------------------------------------

    /** Says in the trace of which class a lock is. */
    static native void describe(int lock, Object object);

    /** The address of the counter of tickets. */
    static native long tickets();

    /** The lane of a platform thread: an address. */
    static native long open(int thread);

    /** Waits for room in a lane. */
    static native void makeRoom(long lane);

    /** Adds an event of a thread without a lane. */
    static native void event(int thread, long entry, int index, boolean hasIndex);

    /** Whether accesses at a site are recorded, once it is resolved. */
    static native boolean isRecorded(int site);

    /** Whether a site is in a constructor or a class initializer. */
    static native boolean initializes(int site);

    /** The site at which the program called the code of the JDK that is running; 0 if there is none. */
    static native int callSite();

    // ---- discovery ------------------------------------------------------------------------------------------------

    /** How many objects the site has to meet from here on until one is sampled. */
    static native int gap(int site);

    /** Enough is known of the accesses at a site. */
    static native void known(int site);
}
