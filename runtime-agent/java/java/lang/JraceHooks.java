package java.lang;

import java.lang.invoke.JraceProfile;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The methods that woven code calls (the hook table of {@code facts::hook}).
 *
 * <p>The class is defined by the boot loader, so it belongs to java.base and every class of every module and loader can call
 * it. A shadow word beside the data says what is known of a location; {@code checkers::word} defines its layout. The inlined
 * fast paths here pass only words that the state machine would leave as they are; all else goes through {@link #check}.
 *
 * <p>No hook may throw into the program: slow paths give up silently when memory or stack runs out.
 */
public final class JraceHooks {
    private JraceHooks() {}

    private static final int KIND = 0xF000_0000;
    private static final int EXCLUSIVE = 1 << 28;
    private static final int MODIFIED = 3 << 28;
    private static final int OPEN = 4 << 28;
    /** Words below this pass writes, and all negative words pass reads. */
    private static final int SHARED_EMPTY = 3 << 30;

    /** The word of a thread whose lock set nobody has asked for yet; no location has it. */
    private static final int UNASKED = 5 << 28;

    /** The exclusive word of a thread that has no context yet; no location of its own has it. */
    private static final int UNKNOWN = ~0;

    /** A site whose accesses need no check. */
    private static final int UNCHECKED = -1;

    private static final int CHUNK_BITS = 12;
    private static final int CHUNK = 1 << CHUNK_BITS;
    /** Sites and static slots beyond 16 million are not checked. */
    private static final int CHUNKS = 1 << 12;

    /** The hook mode of a conversion that gives the lock up. */
    private static final int NO_LONGER_HELD = 4;

    /** How many visits of a site take the slow path, so that they can be remembered as previous accesses. */
    private static final int REMEMBERED = 4;

    static final Unsafe U = Unsafe.getUnsafe();

    /** Offset of the first element of an {@code int[]}; {@code Unsafe} tells it as an int on JDK 17 and as a long on 25. */
    static final long INTS = intsOffset();

    private static final long WORD = U.objectFieldOffset(JraceShadow.class, "word");

    private static final long SYNC = U.objectFieldOffset(ReentrantLock.class, "sync");
    private static final long READ_SYNC = U.objectFieldOffset(ReentrantReadWriteLock.ReadLock.class, "sync");
    private static final long WRITE_SYNC = U.objectFieldOffset(ReentrantReadWriteLock.WriteLock.class, "sync");

    private static final int MODE = mode();
    private static final boolean RECORDING = (MODE & 1) != 0;
    private static final boolean CHECKING = (MODE & 2) != 0;
    private static final boolean BY_ELEMENT = (MODE & 4) != 0;

    /**
     * For each site the offset of the shadow word in its object, or for a static field its slot; 0 in its first visits. Stable,
     * so that compiled code holds it as a constant.
     */
    @Stable
    private static final int[][] RESOLVED = new int[CHUNKS][];

    /** How often a fast path passes for each time that it fails, if it does at all. */
    private static final int PASSES = 1000;

    /** For each resolved site whether its fast path has failed (1 or 0), and {@code PASSES}, in the form of a branch profile. */
    @Stable
    private static final Object[][] COUNTS = new Object[CHUNKS][];

    /** The same as RESOLVED from the first visit on. */
    private static final int[][] PENDING = new int[CHUNKS][];

    /** For each site, how often it was visited early on. */
    private static final byte[][] VISITS = new byte[CHUNKS][];

    /** The shadow words of static fields: chunks of {@code int[]}, declared so that only the outer array is stable. */
    @Stable
    private static final Object[] STATICS = new Object[CHUNKS];

    private static long intsOffset() {
        int[] probe = {0x7ACE_0001, 0x7ACE_0002};
        long offset = 8;
        while (U.getInt(probe, offset) != probe[0] || U.getInt(probe, offset + 4) != probe[1]) {
            offset += 4;
        }
        return offset;
    }

    static {
        // The agent numbers sites from 1, and hands out 0 when it has no numbers left.
        resolve(RESOLVED, 0, UNCHECKED);
    }

    // ---- accesses -------------------------------------------------------------------------------------------------
    //
    // These are longer than the 35 bytes that C1 inlines, and are not @ForceInline: C1 then compiles a call (it spent six times as
    // long on javac when it inlined them), and C2 inlines them where they run often. What they consist of is @ForceInline.

    public static void readField(Object object, int site) {
        if (object == null) {
            return;
        }
        int offset = resolved(site);
        if (!RECORDING && (offset == UNCHECKED || offset > 0 && mayRead(object, offset, site))) {
            return;
        }
        slowField(object, site, false);
    }

    public static void writeField(Object object, int site) {
        if (object == null) {
            return;
        }
        int offset = resolved(site);
        if (!RECORDING && (offset == UNCHECKED || offset > 0 && mayWrite(object, offset, site))) {
            return;
        }
        slowField(object, site, true);
    }

    /** Nobody else knows the object yet, so its word needs neither a look nor an atomic update. */
    public static void initField(Object object, int site) {
        int offset = resolved(site);
        int own = ~Thread.currentThread().$jrace$others;
        if (offset > 0 && own != UNKNOWN && !RECORDING) {
            U.putInt(object, offset, own);
        } else if (RECORDING || offset != UNCHECKED) {
            slowField(object, site, true);
        }
    }

    public static void readStatic(int site) {
        int slot = resolved(site);
        if (!RECORDING && (slot == UNCHECKED || slot > 0 && mayRead(words(slot), wordOffset(slot), site))) {
            return;
        }
        slowStatic(site, false);
    }

    public static void writeStatic(int site) {
        int slot = resolved(site);
        if (!RECORDING && (slot == UNCHECKED || slot > 0 && mayWrite(words(slot), wordOffset(slot), site))) {
            return;
        }
        slowStatic(site, true);
    }

    public static void readArray(Object array, int index, int site) {
        if (array == null) {
            return;
        }
        if (!RECORDING && !BY_ELEMENT && resolved(site) != 0) {
            JraceShadow shadow = latest(site);
            if (shadow.refersTo(array) && mayRead(shadow, WORD, site)) {
                return;
            }
        }
        slowArray(array, index, site, false);
    }

    public static void writeArray(Object array, int index, int site) {
        if (array == null) {
            return;
        }
        if (!RECORDING && !BY_ELEMENT && resolved(site) != 0) {
            JraceShadow shadow = latest(site);
            if (shadow.refersTo(array) && mayWrite(shadow, WORD, site)) {
                return;
            }
        }
        slowArray(array, index, site, true);
    }

    /** What the thread's cache has for a site. */
    @ForceInline
    private static JraceShadow latest(int site) {
        JraceShadow[] cache = Thread.currentThread().$jrace$arrays;
        return cache == null ? JraceContext.NOTHING : cache[site & (JraceContext.ARRAYS - 1)];
    }

    @ForceInline
    public static Object readArrayAgain(Object array, int index, Object last, int site) {
        if (array == last) {
            return last;
        }
        readArray(array, index, site);
        return RECORDING || BY_ELEMENT ? null : array;
    }

    @ForceInline
    public static Object writeArrayAgain(Object array, int index, Object last, int site) {
        if (array == last) {
            return last;
        }
        writeArray(array, index, site);
        return RECORDING || BY_ELEMENT ? null : array;
    }

    public static void readFinalArray(Object array, int index, Object object, int site) {
        int offset = resolved(site);
        if (!RECORDING && !BY_ELEMENT && offset > 0) {
            JraceShadow shadow = (JraceShadow) U.getReference(object, offset);
            if (shadow != null && mayRead(shadow, WORD, site)) {
                return;
            }
        }
        slowFinalArray(array, index, object, site, false);
    }

    public static void writeFinalArray(Object array, int index, Object object, int site) {
        int offset = resolved(site);
        if (!RECORDING && !BY_ELEMENT && offset > 0) {
            JraceShadow shadow = (JraceShadow) U.getReference(object, offset);
            if (shadow != null && mayWrite(shadow, WORD, site)) {
                return;
            }
        }
        slowFinalArray(array, index, object, site, true);
    }

    /**
     * Keeps a profile of the site: whether the location was the thread's own or settled. Where it always was, compiled code has
     * neither the other comparison nor the slow path. Code that does not know its site only takes note of a failure: counting was
     * a third of what the calls cost.
     */
    @ForceInline
    private static boolean passes(boolean passes, int site) {
        Object[] chunk = COUNTS[site >>> CHUNK_BITS];
        if (chunk != null && JraceProfile.isConstant(chunk)) {
            int[] counts = (int[]) chunk[site & (CHUNK - 1)];
            // A processor that reorders loads may show the site as resolved before its counts.
            return counts == null ? passes : JraceProfile.count(passes, counts);
        }
        if (!passes) {
            failed(site);
        }
        return passes;
    }

    /** Makes a failure possible, and unlikely: how often it comes is not counted. */
    private static void failed(int site) {
        Object[] chunk = COUNTS[site >>> CHUNK_BITS];
        int[] counts = chunk == null ? null : (int[]) chunk[site & (CHUNK - 1)];
        if (counts != null && counts[0] == 0) {
            counts[0] = 1;
        }
    }

    /**
     * Whether a read leaves the word as it is ({@code checkers::word::passes}).
     *
     * <p>The word is read plainly, so the compiler may check a location once for a stretch of code without synchronization, a
     * loop included: what others do meanwhile is then as if they had done it after the stretch.
     *
     * <p>The words of a thread without context are 0, like those of an untouched location.
     */
    @ForceInline
    private static boolean mayRead(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return passes(word < 0 || word == ~thread.$jrace$others, site)
                || word != 0 && word == thread.$jrace$read;
    }

    /** The same for a write. */
    @ForceInline
    private static boolean mayWrite(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return passes(word == ~thread.$jrace$others || word < SHARED_EMPTY, site)
                || word != 0 && word == thread.$jrace$write;
    }

    @ForceInline
    private static int resolved(int site) {
        int[] chunk = RESOLVED[site >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[site & (CHUNK - 1)];
    }

    /** The chunk that holds a static field's word. */
    @ForceInline
    private static Object words(int slot) {
        return STATICS[slot >>> CHUNK_BITS];
    }

    @ForceInline
    private static long wordOffset(int slot) {
        return INTS + ((long) (slot & (CHUNK - 1)) << 2);
    }

    private static void slowField(Object object, int site, boolean write) {
        try {
            int offset = resolved(site);
            boolean isNew = offset == 0;
            if (isNew) {
                offset = pending(site);
                if (offset == 0) {
                    offset = resolveField(object, site);
                }
            }
            if (RECORDING) {
                recordAccess(site, JraceShadow.of(object).id, 0, write);
            }
            if (offset > 0 && CHECKING) {
                check(object, offset, object, site, write, isNew && visits(site, offset));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        }
    }

    private static void slowStatic(int site, boolean write) {
        try {
            int slot = resolved(site);
            boolean isNew = slot == 0;
            if (isNew) {
                slot = pending(site);
                if (slot == 0) {
                    slot = resolveStatic(site);
                }
            }
            if (RECORDING) {
                recordAccess(site, 0, 0, write);
            }
            if (slot > 0 && CHECKING) {
                check(words(slot), wordOffset(slot), null, site, write, isNew && visits(site, slot));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    private static void slowFinalArray(Object array, int index, Object object, int site, boolean write) {
        if (array == null) {
            return;
        }
        int offset = resolved(site);
        if (RECORDING || BY_ELEMENT || offset == UNCHECKED) {
            slowArray(array, index, site, write);
            return;
        }
        try {
            boolean isNew = offset == 0;
            if (isNew) {
                offset = pending(site);
                if (offset == 0) {
                    offset = resolveFinalArray(object, site);
                }
            }
            JraceShadow shadow = JraceShadow.of(array);
            if (offset > 0) {
                U.putReferenceRelease(object, offset, shadow);
            }
            if (CHECKING) {
                check(shadow, WORD, array, site, write, isNew && visits(site, offset));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    private static void slowArray(Object array, int index, int site, boolean write) {
        try {
            Thread thread = Thread.currentThread();
            context(thread);
            JraceShadow shadow = JraceShadow.of(array);
            thread.$jrace$arrays[site & (JraceContext.ARRAYS - 1)] = shadow;
            if (RECORDING) {
                recordAccess(site, shadow.id, index, write);
            }
            if (!CHECKING) {
                return;
            }
            boolean isNew = resolved(site) == 0 && visits(site, UNCHECKED);
            if (!BY_ELEMENT) {
                check(shadow, WORD, array, site, write, isNew);
            } else if (index >= 0 && index < java.lang.reflect.Array.getLength(array)) {
                check(shadow.elements(array), INTS + ((long) index << 2), array, site, write, isNew);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    /**
     * Takes the word at {@code base + offset} through the state machine.
     *
     * @param object the accessed object or array; null for a static field
     * @param isNew whether the access is worth remembering if it changes the state
     */
    private static void check(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        Thread thread = Thread.currentThread();
        JraceContext context = context(thread);
        int read = thread.$jrace$read;
        int modified = thread.$jrace$write;
        while (true) {
            int word = U.getIntOpaque(base, offset);
            if (word < (write ? SHARED_EMPTY : 0) || word == context.own || context.passes(word, read, modified, write)) {
                return;
            }
            if (word == 0 && !isNew) {
                if (U.compareAndSetInt(base, offset, 0, context.own)) {
                    return;
                }
                continue;
            }
            if (read == UNASKED || modified == UNASKED) {
                ask(thread, context);
                read = thread.$jrace$read;
                modified = thread.$jrace$write;
            }
            if ((word & KIND) == OPEN) {
                int next = witness(word, context.id, site, key(object), (int) offset, read, modified, write);
                U.compareAndSetInt(base, offset, word, next);
                return;
            }
            int next = word == 0 ? context.own : step(word, context.id, read, modified, write);
            if (next == word) {
                context.passed(word, read, modified, write);
                return;
            }
            if (U.compareAndSetInt(base, offset, word, next)) {
                if ((next & KIND) == OPEN) {
                    race(word, context.id, site, key(object), (int) offset, object, read, modified, write);
                } else if (isNew) {
                    touched(context.id, site, key(object), (int) offset, read, modified, write);
                }
                return;
            }
        }
    }

    /**
     * Counts the early visits of a site, whose accesses are remembered; after them the site is {@linkplain #RESOLVED resolved}
     * to this value. Says whether this is one of them.
     */
    private static boolean visits(int site, int value) {
        byte[] chunk = VISITS[site >>> CHUNK_BITS];
        if (chunk == null) {
            chunk = new byte[CHUNK];
            VISITS[site >>> CHUNK_BITS] = chunk;
        }
        if (chunk[site & (CHUNK - 1)]++ < REMEMBERED) {
            return true;
        }
        profile(site);
        resolve(RESOLVED, site, value);
        return false;
    }

    private static synchronized void profile(int site) {
        int high = site >>> CHUNK_BITS;
        if (COUNTS[high] == null) {
            COUNTS[high] = new Object[CHUNK];
        }
        if (COUNTS[high][site & (CHUNK - 1)] == null) {
            COUNTS[high][site & (CHUNK - 1)] = new int[] {0, PASSES};
        }
        U.storeFence();
    }

    /** Tells objects apart in the history of accesses, well enough for evidence; 0 for static fields. */
    private static int key(Object object) {
        return object == null ? 0 : System.identityHashCode(object);
    }

    // ---- resolution of sites --------------------------------------------------------------------------------------

    private static int resolveField(Object object, int site) {
        Class<?> declaring = declaring(object.getClass(), site, false);
        if (declaring == null) {
            return resolve(RESOLVED, site, UNCHECKED);
        }
        try {
            return resolve(PENDING, site, (int) U.objectFieldOffset(declaring, shadow(site)));
        } catch (InternalError noSuchField) {
            // The class keeps its bytes, so it has no shadow words.
            return resolve(RESOLVED, site, UNCHECKED);
        }
    }

    private static int resolveFinalArray(Object object, int site) {
        String name = owner(site);
        try {
            for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
                if (plainName(c).equals(name)) {
                    // Where the class's loader has not met the type of the field, compiled code casts what it reads.
                    Class.forName("java.lang.JraceShadow", false, c.getClassLoader());
                    return resolve(PENDING, site, (int) U.objectFieldOffset(c, shadow(site)));
                }
            }
        } catch (InternalError | ClassNotFoundException noSuchField) {
            // The class keeps its fields, for instance because it was loaded before.
        }
        return resolve(RESOLVED, site, UNCHECKED);
    }

    private static int resolveStatic(int site) {
        Class<?> start = start(site);
        if (start == null) {
            return 0;
        }
        Class<?> declaring = declaring(start, site, true);
        int slot = declaring == null ? Integer.MAX_VALUE : slot(JraceShadow.of(declaring).id, site);
        if (slot >= CHUNKS * CHUNK) {
            return resolve(RESOLVED, site, UNCHECKED);
        }
        newSlot(slot);
        return resolve(PENDING, site, slot);
    }

    private static Class<?> start(int site) {
        Class<?> caller = caller(site);
        if (caller == null) {
            return null;
        }
        String name = owner(site);
        for (Class<?> c = caller; c != null; c = c.getSuperclass()) {
            if (plainName(c).equals(name)) {
                return c;
            }
        }
        try {
            return Class.forName(name, false, caller.getClassLoader());
        } catch (ClassNotFoundException | LinkageError unresolvable) {
            return null;
        }
    }

    /** The name of a hidden class has a suffix, which its own constant pool does not know. */
    private static String plainName(Class<?> c) {
        String name = c.getName();
        return c.isHidden() ? name.substring(0, name.lastIndexOf('/')) : name;
    }

    private static int pending(int site) {
        int[] chunk = PENDING[site >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[site & (CHUNK - 1)];
    }

    private static synchronized int resolve(int[][] table, int site, int value) {
        int high = site >>> CHUNK_BITS;
        int[] chunk = table[high];
        if (chunk == null) {
            chunk = new int[CHUNK];
            U.storeFence();
            table[high] = chunk;
        }
        chunk[site & (CHUNK - 1)] = value;
        return value;
    }

    private static synchronized void newSlot(int slot) {
        if (STATICS[slot >>> CHUNK_BITS] == null) {
            STATICS[slot >>> CHUNK_BITS] = new int[CHUNK];
        }
    }

    // ---- locks ----------------------------------------------------------------------------------------------------

    public static void enter(Object lock, int site) {
        if (lock != null) {
            acquire(lock, site, 0);
        }
    }

    public static void enterAtomic(Object lock, int site) {
        if (lock != null) {
            acquire(lock, site, JraceContext.ATOMIC);
        }
    }

    public static void exit(Object lock) {
        release(lock, 0);
    }

    public static void enterMethod(Object lock, int site) {
        acquire(lock, site, JraceContext.METHOD);
    }

    public static void enterStatic(int site) {
        Class<?> caller = caller(site);
        if (caller != null) {
            acquire(caller, site, JraceContext.METHOD);
        }
    }

    public static void exitMethod() {
        Thread thread = Thread.currentThread();
        JraceContext context = thread.$jrace$context;
        if (context != null) {
            int top = context.depth - 1;
            if (!RECORDING && top >= 0 && context.flags(top) == JraceContext.METHOD) {
                thread.$jrace$read = context.savedRead(top);
                thread.$jrace$write = context.savedWrite(top);
                context.pop(top);
                return;
            }
            while (top >= 0 && context.flags(top) != JraceContext.METHOD) {
                top--;
            }
            if (top >= 0) {
                dropStale(thread, context, top + 1);
                remove(thread, context, top);
            }
        }
    }

    /** The lock is taken already, so a stack overflow here must not reach the program, which would not release it. */
    public static void acquired(Object lock, int mode) {
        try {
            acquire(identity(lock, mode), 0, library(mode));
        } catch (StackOverflowError giveUp) {
            // The lock goes unnoticed.
        }
    }

    public static void acquiredIf(boolean success, Object lock, int mode) {
        if (success) {
            acquired(lock, mode);
        }
    }

    public static void acquiredStamp(long stamp, Object lock, int mode) {
        if (stamp != 0) {
            acquired(lock, mode);
        }
    }

    public static void converted(long stamp, Object lock, int mode) {
        if (stamp != 0) {
            Thread thread = Thread.currentThread();
            JraceContext context = thread.$jrace$context;
            if (context != null) {
                int at = context.find(lock, JraceContext.LIBRARY, JraceContext.LIBRARY);
                if (at >= 0) {
                    remove(thread, context, at);
                }
            }
            if (mode != NO_LONGER_HELD) {
                acquired(lock, mode);
            }
        }
    }

    public static void releasing(Object lock, int mode) {
        try {
            release(identity(lock, mode), library(mode));
        } catch (StackOverflowError giveUp) {
            // The lock must be released all the same.
        }
    }

    private static int library(int mode) {
        return JraceContext.LIBRARY | (mode & JraceContext.SHARED);
    }

    /** What stands for a lock: see {@code facts::hook::mode::VIEW}. */
    private static Object identity(Object lock, int mode) {
        if ((mode & 2) == 0) {
            return lock;
        }
        if (lock instanceof ReentrantLock) {
            return U.getReference(lock, SYNC);
        }
        return U.getReference(lock, lock instanceof ReentrantReadWriteLock.ReadLock ? READ_SYNC : WRITE_SYNC);
    }

    @ForceInline
    private static void acquire(Object lock, int site, int flags) {
        Thread thread = Thread.currentThread();
        JraceContext context = thread.$jrace$context;
        if (!RECORDING && context != null) {
            int depth = context.depth;
            int read = thread.$jrace$read;
            int write = thread.$jrace$write;
            if (depth < context.locks.length
                    && context.cached.refersTo(lock)
                    && context.fromRead == read
                    && context.fromWrite == write
                    && context.fromFlags == flags) {
                context.push(depth, lock, site, flags, read, write);
                thread.$jrace$read = context.toRead;
                thread.$jrace$write = context.toWrite;
                return;
            }
        }
        slowAcquire(thread, lock, site, flags);
    }

    /**
     * A stack overflow here goes through to the program, as if its own call had overflowed: the lock is neither taken nor
     * entered, for what changes the context comes last and calls nothing that needs more stack than what came before.
     */
    private static void slowAcquire(Thread thread, Object lock, int site, int flags) {
        try {
            JraceContext context = context(thread);
            if (context.isFull()) {
                dropStale(thread, context, 0);
            }
            int read = thread.$jrace$read;
            int write = thread.$jrace$write;
            boolean shared = (flags & JraceContext.SHARED) != 0;
            JraceShadow shadow = JraceShadow.of(lock);
            int toRead = with(read, shadow, lock);
            int toWrite = shared ? write : read == write ? toRead : with(write, shadow, lock);
            context.reserve();
            context.push(context.depth, lock, site, flags, read, write);
            context.cache(shadow, flags, read, write, toRead, toWrite);
            thread.$jrace$read = toRead;
            thread.$jrace$write = toWrite;
            if (RECORDING) {
                if (!shadow.described) {
                    shadow.described = true;
                    describe(shadow.id, lock);
                }
                if ((flags & JraceContext.ATOMIC) != 0) {
                    event(BEGIN, context.id, site, 0);
                }
                event(shared ? ACQUIRE_SHARED : ACQUIRE, context.id, site, shadow.id);
            }
        } catch (OutOfMemoryError giveUp) {
            // The lock goes unnoticed.
        }
    }

    /**
     * Takes the entries of monitors that are no longer held off the stack, from one place upwards. A stack overflow in the hook
     * of an exception handler leaves such entries.
     */
    private static void dropStale(Thread thread, JraceContext context, int from) {
        for (int i = context.depth - 1; i >= from; i--) {
            if ((context.flags(i) & JraceContext.LIBRARY) == 0 && !Thread.holdsLock(context.locks[i])) {
                remove(thread, context, i);
            }
        }
    }

    /**
     * The thread word for the lock set of {@code word} with the lock added, if that is known. A lock gets its first set when an
     * access under it asks for one: numbers of sets are never used again, and a program may enter millions of short-lived
     * locks under which nothing is shared.
     */
    private static int with(int word, JraceShadow shadow, Object lock) {
        if (word == UNASKED || shadow.lone == 0) {
            return UNASKED;
        }
        return asked(word, shadow, lock);
    }

    private static int asked(int word, JraceShadow shadow, Object lock) {
        if (shadow.lone == 0) {
            shadow.lone = withLock(MODIFIED, shadow.id, lock);
        }
        return word == MODIFIED ? shadow.lone : withLock(word, shadow.id, lock);
    }

    /** Works out the lock sets of the thread, from the first entry on whose set is not known. */
    private static void ask(Thread thread, JraceContext context) {
        int at = context.firstUnasked(UNASKED);
        int read = context.savedRead(at);
        int write = context.savedWrite(at);
        for (; at < context.depth; at++) {
            context.save(at, read, write);
            Object lock = context.locks[at];
            JraceShadow shadow = JraceShadow.of(lock);
            read = asked(read, shadow, lock);
            write = (context.flags(at) & JraceContext.SHARED) != 0 ? write : asked(write, shadow, lock);
        }
        thread.$jrace$read = read;
        thread.$jrace$write = write;
        context.cached = JraceContext.NOTHING;
    }

    @ForceInline
    private static void release(Object lock, int flags) {
        Thread thread = Thread.currentThread();
        JraceContext context = thread.$jrace$context;
        if (context != null) {
            int top = context.depth - 1;
            if (!RECORDING && top >= 0 && context.locks[top] == lock && context.flags(top) == flags) {
                thread.$jrace$read = context.savedRead(top);
                thread.$jrace$write = context.savedWrite(top);
                context.pop(top);
                return;
            }
            slowRelease(thread, context, lock, flags);
        }
    }

    private static void slowRelease(Thread thread, JraceContext context, Object lock, int flags) {
        int at = context.find(lock, ~JraceContext.ATOMIC, flags);
        if (at >= 0) {
            if ((flags & JraceContext.LIBRARY) == 0) {
                dropStale(thread, context, at + 1);
            }
            remove(thread, context, at);
        }
    }

    /** Takes one entry off the stack of held locks, wherever it lies, and works out the sets of those above it anew. */
    private static void remove(Thread thread, JraceContext context, int at) {
        try {
            if (RECORDING) {
                boolean shared = (context.flags(at) & JraceContext.SHARED) != 0;
                event(shared ? RELEASE_SHARED : RELEASE, context.id, 0, JraceShadow.of(context.locks[at]).id);
                if ((context.flags(at) & JraceContext.ATOMIC) != 0) {
                    event(END, context.id, context.site(at), 0);
                }
            }
            int n = context.depth - 1 - at;
            int[] words = new int[2 * n + 2];
            words[0] = context.savedRead(at);
            words[1] = context.savedWrite(at);
            for (int i = 0; i < n; i++) {
                Object lock = context.locks[at + 1 + i];
                boolean shared = (context.flags(at + 1 + i) & JraceContext.SHARED) != 0;
                JraceShadow shadow = JraceShadow.of(lock);
                words[2 * i + 2] = with(words[2 * i], shadow, lock);
                words[2 * i + 3] = shared ? words[2 * i + 1] : with(words[2 * i + 1], shadow, lock);
            }
            context.remove(at, words);
            thread.$jrace$read = words[2 * n];
            thread.$jrace$write = words[2 * n + 1];
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Nothing has changed; the entry is dropped as a stale one later.
        }
    }

    // ---- threads --------------------------------------------------------------------------------------------------

    public static void starting(Object started) {
        try {
            Thread thread = (Thread) started;
            JraceContext parent = context(Thread.currentThread());
            JraceContext child = contextOf(thread, true);
            if (RECORDING) {
                event(FORK, parent.id, 0, child.id);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The thread gets its context at its first event.
        }
    }

    public static void joined(Object ended) {
        if (RECORDING) {
            Thread thread = (Thread) ended;
            JraceContext other = thread.$jrace$context;
            if (other != null && !thread.isAlive()) {
                event(JOIN, context(Thread.currentThread()).id, 0, other.id);
            }
        }
    }

    private static JraceContext context(Thread thread) {
        JraceContext context = thread.$jrace$context;
        return context != null ? context : contextOf(thread, false);
    }

    private static JraceContext contextOf(Thread thread, boolean starting) {
        if (thread.$jrace$context != null) {
            return thread.$jrace$context;
        }
        boolean virtual = thread.getClass().getName().equals("java.lang.VirtualThread");
        int id = register(thread.getName(), virtual, starting);
        JraceContext context = new JraceContext(id, EXCLUSIVE | id);
        thread.$jrace$others = ~context.own;
        thread.$jrace$read = MODIFIED;
        thread.$jrace$write = MODIFIED;
        thread.$jrace$arrays = JraceContext.newArrays();
        thread.$jrace$context = context;
        return context;
    }

    // ---- transactions, for traces ---------------------------------------------------------------------------------

    public static void begin(int site) {
        transaction(BEGIN, site);
    }

    public static void end(int site) {
        transaction(END, site);
    }

    private static void transaction(int kind, int site) {
        try {
            if (RECORDING) {
                event(kind, context(Thread.currentThread()).id, site, 0);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // A lost end is noticed at that of the transaction around it.
        }
    }

    /** A method runs that the proofs of the focus set know no call of. */
    public static native void unreached(int site);

    // ---- other synchronization, for traces ------------------------------------------------------------------------

    public static void classInitBegin(int site) {
        classInit(CLASS_INIT_BEGIN, site);
    }

    public static void classInitEnd(int site) {
        classInit(CLASS_INIT_END, site);
    }

    private static void classInit(int kind, int site) {
        Class<?> caller = RECORDING ? caller(site) : null;
        if (caller != null) {
            event(kind, context(Thread.currentThread()).id, site, JraceShadow.of(caller).id);
        }
    }

    public static void waitOn(Object lock) throws InterruptedException {
        waitOn(lock, 0L);
    }

    public static void waitOn(Object lock, long millis) throws InterruptedException {
        waiting(WAIT_BEGIN, lock);
        try {
            lock.wait(millis);
        } finally {
            waiting(WAIT_END, lock);
        }
    }

    public static void waitOn(Object lock, long millis, int nanos) throws InterruptedException {
        waiting(WAIT_BEGIN, lock);
        try {
            lock.wait(millis, nanos);
        } finally {
            waiting(WAIT_END, lock);
        }
    }

    public static void notifyOne(Object lock) {
        waiting(NOTIFY, lock);
    }

    public static void notifyEvery(Object lock) {
        waiting(NOTIFY_ALL, lock);
    }

    private static void waiting(int kind, Object lock) {
        if (RECORDING && lock != null) {
            event(kind, context(Thread.currentThread()).id, 0, JraceShadow.of(lock).id);
        }
    }

    private static void recordAccess(int site, int object, int index, boolean write) {
        access(context(Thread.currentThread()).id, site, object, index, write);
    }

    // ---- reflection -----------------------------------------------------------------------------------------------

    public static Field[] filterFields(Field[] fields) {
        int kept = 0;
        for (Field field : fields) {
            if (!woven(field)) {
                kept++;
            }
        }
        if (kept == fields.length) {
            return fields;
        }
        Field[] filtered = new Field[kept];
        int next = 0;
        for (Field field : fields) {
            if (!woven(field)) {
                filtered[next++] = field;
            }
        }
        return filtered;
    }

    private static boolean woven(Field field) {
        return field.isSynthetic() && field.getName().startsWith("$jrace$");
    }

    // ---- hidden classes -------------------------------------------------------------------------------------------

    public static byte[] weaveHidden(byte[] bytes, Object lookup) {
        try {
            Class<?> host = ((MethodHandles.Lookup) lookup).lookupClass();
            byte[] woven = bytes == null ? null : weave(bytes, host.getClassLoader());
            return woven == null ? bytes : woven;
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            return bytes;
        }
    }

    // ---- the agent ------------------------------------------------------------------------------------------------

    private static final int ACQUIRE = 0;
    private static final int ACQUIRE_SHARED = 1;
    private static final int RELEASE = 2;
    private static final int RELEASE_SHARED = 3;
    private static final int FORK = 4;
    private static final int JOIN = 5;
    private static final int WAIT_BEGIN = 6;
    private static final int WAIT_END = 7;
    private static final int NOTIFY = 8;
    private static final int NOTIFY_ALL = 9;
    private static final int CLASS_INIT_BEGIN = 10;
    private static final int CLASS_INIT_END = 11;
    private static final int BEGIN = 12;
    private static final int END = 13;

    /** Bits: 1 recording, 2 checking, 4 arrays by element. */
    private static native int mode();

    /** A new thread number; {@code starting} when the current thread starts it, so that its stack is the creation stack. */
    private static native int register(String name, boolean virtual, boolean starting);

    /** The class that the woven caller belongs to. */
    private static native Class<?> caller(int site);

    /** Dotted name of the class named in the field reference of a site, or of the field that its array is in. */
    private static native String owner(int site);

    /** Name of the shadow word for the field of a site, or of the field for the shadow of its array. */
    private static native String shadow(int site);

    /** The class that declares the field of a site, found from {@code start} upwards; null if the field is not checked. */
    private static native Class<?> declaring(Class<?> start, int site, boolean isStatic);

    /** The slot of a static field. */
    private static native int slot(int classId, int site);

    /** A class file with checks for a class that the loader defines; null to leave it as it is. */
    private static native byte[] weave(byte[] bytes, ClassLoader loader);

    /** The state machine: the next word. */
    private static native int step(int word, int thread, int read, int write, boolean isWrite);

    /** The thread word for a lock set with one lock more. */
    private static native int withLock(int word, int lock, Object object);

    /** A lock has died. */
    static native void forget(int lock);

    /** An access is worth remembering as the previous access of a race to come. */
    private static native void touched(int thread, int site, int key, int offset, int read, int write, boolean isWrite);

    /** A race was found; {@code word} is the state before. */
    private static native void race(
            int word, int thread, int site, int key, int offset, Object object, int read, int write, boolean isWrite);

    /** A further access to a location with a race; returns its next word. */
    private static native int witness(
            int word, int thread, int site, int key, int offset, int read, int write, boolean isWrite);

    /** Says in the trace of which class a lock is. */
    private static native void describe(int lock, Object object);

    private static native void event(int kind, int thread, int site, int object);

    private static native void access(int thread, int site, int object, int index, boolean isWrite);
}
