package java.lang;

import java.lang.invoke.JraceProfile;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
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

    /** Evidence that a race asks for first ({@code checkers::word}). */
    private static final int EVIDENCE = 16;

    private static final int REPORTED = 1 << 31;

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

    private static final Object[] NO_LOCKS = {};

    private static final int MODE = mode();
    private static final boolean RECORDING = (MODE & 1) != 0;
    private static final boolean CHECKING = (MODE & 2) != 0;
    private static final boolean BY_ELEMENT = (MODE & 4) != 0;
    private static final boolean DISCOVERING = (MODE & 32) != 0;
    /** Recording every event. */
    private static final boolean TRACING = RECORDING && !DISCOVERING;
    /** Recording only what can matter to transactions. */
    private static final boolean SPARING = TRACING && (MODE & 64) != 0;
    /** The same, without spans that are known. */
    private static final boolean LEAVING_OUT = SPARING && (MODE & 256) != 0;
    /** Monitors need no entry in the stack of locks where spans are left out. */
    private static final boolean COUNTING = LEAVING_OUT && !CHECKING;
    /** Some fields are presumed to be owned by their objects. */
    private static final boolean OWNING = (MODE & 128) != 0;
    /** The address of how far the proofs of the focus set hold, an {@code int} that is 0 if they do; 0 if they leave out no locks. */
    private static final long PROOFS = proofs();
    private static final long TICKETS = RECORDING ? tickets() : 0;

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

    /** For each site that has counts, when its fast path failed first, in units of {@code 1 << MILLISECOND} ns; 0 if never. */
    private static final int[][] FAILED = new int[CHUNKS][];

    private static final int MILLISECOND = 20;

    /** For how long failures may be those of one event: HotSpot takes that long to compile what is hot. */
    private static final int TRANSIENT = 500;

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
        if (DISCOVERING) {
            observeField(object, site, false);
            return;
        }
        if (RECORDING) {
            traceField(object, site, false);
            if (!CHECKING) {
                return;
            }
        }
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && mayRead(object, offset, site)) {
            return;
        }
        slowField(object, site, false);
    }

    public static void writeField(Object object, int site) {
        if (object == null) {
            return;
        }
        if (DISCOVERING) {
            observeField(object, site, true);
            return;
        }
        if (RECORDING) {
            traceField(object, site, true);
            if (!CHECKING) {
                return;
            }
        }
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && mayWrite(object, offset, site)) {
            return;
        }
        slowField(object, site, true);
    }

    public static void readOwned(Object object, int site) {
        if (RECORDING) {
            readField(object, site);
        } else if (object != null && !conforms(object, site)) {
            slowOwned(object, site, false);
        }
    }

    public static void writeOwned(Object object, int site) {
        if (RECORDING) {
            writeField(object, site);
        } else if (object != null && !conforms(object, site)) {
            slowOwned(object, site, true);
        }
    }

    /** Whether the thread holds the monitor of the object, or nothing new would be reported if it does not. */
    @ForceInline
    private static boolean conforms(Object object, int site) {
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && U.getInt(object, offset) == REPORTED) {
            return true;
        }
        JraceContext context = JraceThread.context(Thread.currentThread());
        return context != null && context.holds(object);
    }

    /** Nobody else knows the object yet, so its word needs neither a look nor an atomic update. */
    public static void initField(Object object, int site) {
        if (DISCOVERING) {
            observeField(object, site, true);
            return;
        }
        if (RECORDING) {
            traceField(object, site, true);
            if (!CHECKING) {
                return;
            }
        }
        int offset = resolved(site);
        int own = ~JraceThread.others(Thread.currentThread());
        if (offset > 0 && own != UNKNOWN) {
            U.putInt(object, offset, own);
        } else if (offset != UNCHECKED) {
            slowField(object, site, true);
        }
    }

    public static void readStatic(int site) {
        if (DISCOVERING) {
            observeStatic(site, false);
            return;
        }
        if (RECORDING) {
            traceStatic(site, false);
            if (!CHECKING) {
                return;
            }
        }
        int slot = resolved(site);
        if (slot == UNCHECKED || slot > 0 && mayRead(words(slot), wordOffset(slot), site)) {
            return;
        }
        slowStatic(site, false);
    }

    public static void writeStatic(int site) {
        if (DISCOVERING) {
            observeStatic(site, true);
            return;
        }
        if (RECORDING) {
            traceStatic(site, true);
            if (!CHECKING) {
                return;
            }
        }
        int slot = resolved(site);
        if (slot == UNCHECKED || slot > 0 && mayWrite(words(slot), wordOffset(slot), site)) {
            return;
        }
        slowStatic(site, true);
    }

    public static void readArray(Object array, int index, int site) {
        if (array == null) {
            return;
        }
        if (RECORDING) {
            traceArray(array, index, site, false);
            if (!CHECKING) {
                return;
            }
        }
        if (!BY_ELEMENT && resolved(site) != 0) {
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
        if (RECORDING) {
            traceArray(array, index, site, true);
            if (!CHECKING) {
                return;
            }
        }
        if (!BY_ELEMENT && resolved(site) != 0) {
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
        JraceShadow[] cache = JraceThread.arrays(Thread.currentThread());
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

    @ForceInline
    public static Object readArrayLater(Object array, int index, Object last, int site) {
        if (RECORDING || BY_ELEMENT) {
            readArray(array, index, site);
            return null;
        }
        if (!passes(last == null | last == array, site)) {
            readArrayBefore(last, site);
        }
        return array;
    }

    @ForceInline
    public static Object writeArrayLater(Object array, int index, Object last, int site) {
        if (RECORDING || BY_ELEMENT) {
            writeArray(array, index, site);
            return null;
        }
        if (!passes(last == null | last == array, site)) {
            writeArrayBefore(last, site);
        }
        return array;
    }

    /** Without a profile: that of the site tells how often the array changes. */
    public static void readArrayBefore(Object array, int site) {
        if (array == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        JraceShadow shadow = latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array)) {
            int word = U.getInt(shadow, WORD);
            if (settlesRead(word, thread) || word != 0 && word == JraceThread.read(thread)) {
                return;
            }
        }
        slowArray(array, 0, site, false);
    }

    public static void writeArrayBefore(Object array, int site) {
        if (array == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        JraceShadow shadow = latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array)) {
            int word = U.getInt(shadow, WORD);
            if (settlesWrite(word, thread) || word != 0 && word == JraceThread.write(thread)) {
                return;
            }
        }
        slowArray(array, 0, site, true);
    }

    public static void readFinalArray(Object array, int index, Object object, int site) {
        if (RECORDING) {
            readArray(array, index, site);
            return;
        }
        int offset = resolved(site);
        if (!BY_ELEMENT && offset > 0) {
            JraceShadow shadow = (JraceShadow) U.getReference(object, offset);
            if (shadow != null && mayRead(shadow, WORD, site)) {
                return;
            }
        }
        slowFinalArray(array, index, object, site, false);
    }

    public static void writeFinalArray(Object array, int index, Object object, int site) {
        if (RECORDING) {
            writeArray(array, index, site);
            return;
        }
        int offset = resolved(site);
        if (!BY_ELEMENT && offset > 0) {
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
        if (counts != null && counts[0] == 0 && failsStill(site)) {
            counts[0] = 1;
        }
    }

    /**
     * Whether the site has failed for some time. When objects come to other threads, many sites fail that never will again: code
     * compiled for them need not expect it.
     */
    private static boolean failsStill(int site) {
        int[] chunk = FAILED[site >>> CHUNK_BITS];
        if (chunk == null) {
            return false; // As above.
        }
        int now = (int) (System.nanoTime() >>> MILLISECOND) | 1;
        int first = chunk[site & (CHUNK - 1)];
        if (first == 0) {
            chunk[site & (CHUNK - 1)] = now;
        }
        return first != 0 && now - first > TRANSIENT;
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
        return passes(settlesRead(word, thread), site) || word != 0 && word == JraceThread.read(thread);
    }

    /** The same for a write. */
    @ForceInline
    private static boolean mayWrite(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return passes(settlesWrite(word, thread), site) || word != 0 && word == JraceThread.write(thread);
    }

    /** Whether a read leaves the word as it is, whatever the thread's locks. */
    @ForceInline
    private static boolean settlesRead(int word, Thread thread) {
        return word < 0 || word == ~JraceThread.others(thread);
    }

    @ForceInline
    private static boolean settlesWrite(int word, Thread thread) {
        return word == ~JraceThread.others(thread) || word < SHARED_EMPTY;
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
                offset = offset(object, site);
            }
            if (offset > 0) {
                check(object, offset, object, site, write, isNew && visits(site, offset));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        }
    }

    /** The offset of the shadow word, for a site that is not resolved yet. */
    private static int offset(Object object, int site) {
        int offset = pending(site);
        return offset == 0 ? resolveField(object, site) : offset;
    }

    private static void slowOwned(Object object, int site, boolean write) {
        try {
            int offset = resolved(site);
            boolean isNew = offset == 0;
            if (isNew) {
                offset = offset(object, site);
            }
            if (offset > 0) {
                conform(object, offset, site, write, isNew && visits(site, offset));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
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
            if (slot > 0) {
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
        if (BY_ELEMENT || offset == UNCHECKED) {
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
            check(shadow, WORD, array, site, write, isNew && visits(site, offset));
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    private static void slowArray(Object array, int index, int site, boolean write) {
        try {
            Thread thread = Thread.currentThread();
            context(thread);
            JraceShadow shadow = JraceShadow.of(array);
            JraceThread.arrays(thread)[site & (JraceContext.ARRAYS - 1)] = shadow;
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
        int read = JraceThread.read(thread);
        int modified = JraceThread.write(thread);
        Object[] unreported = PROOFS != 0 && U.getInt(PROOFS) != 0 ? unreported(context) : NO_LOCKS;
        while (true) {
            int word = U.getIntOpaque(base, offset);
            // More locks change no more of this.
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
                read = JraceThread.read(thread);
                modified = JraceThread.write(thread);
            }
            for (Object lock : unreported) {
                if (lock == null) {
                    return; // Which locks are held is not known.
                }
                JraceShadow shadow = JraceShadow.of(lock);
                read = asked(read, shadow, lock);
                modified = asked(modified, shadow, lock);
            }
            if ((word & KIND) == OPEN) {
                int next = witness(word, context.id, site, key(object), (int) offset, read, modified, write);
                U.compareAndSetInt(base, offset, word, next);
                return;
            }
            int next = word == 0 ? context.own : step(word, context.id, site, object, read, modified, write);
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

    /** The monitors that the thread owns, while there may be some of which no hook has told. */
    private static Object[] unreported(JraceContext context) {
        if (context.isReported) {
            return NO_LOCKS;
        }
        Object[] owned = monitors();
        context.isReported = owned == null;
        return owned == null ? NO_LOCKS : owned;
    }

    /**
     * Holds an access without the monitor of its object to the owner, which is the object ({@code checkers::owned}): it is a race
     * if another thread has taken the monitor, or has accessed the field without it.
     */
    private static void conform(Object object, int offset, int site, boolean write, boolean isNew) {
        Thread thread = Thread.currentThread();
        JraceContext context = context(thread);
        while (true) {
            int word = U.getIntOpaque(object, offset);
            if (word == REPORTED) {
                return;
            }
            if ((word & KIND) == OPEN) {
                check(object, offset, object, site, write, isNew);
                return;
            }
            int takers = JraceShadow.takers(object);
            boolean othersTook = takers != 0 && takers != context.id;
            if (!othersTook && word == context.own) {
                return;
            }
            boolean isRace = othersTook || word != 0;
            if (U.compareAndSetInt(object, offset, word, isRace ? OPEN | EVIDENCE : context.own)) {
                if (JraceThread.read(thread) == UNASKED || JraceThread.write(thread) == UNASKED) {
                    ask(thread, context);
                }
                int read = JraceThread.read(thread);
                int modified = JraceThread.write(thread);
                if (isRace) {
                    // Of the access that conformed, its thread may be known.
                    int before = othersTook && takers != JraceShadow.SEVERAL ? EXCLUSIVE | takers : word;
                    race(before, context.id, site, key(object), offset, object, read, modified, write);
                } else if (isNew) {
                    touched(context.id, site, key(object), offset, read, modified, write);
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
            FAILED[high] = new int[CHUNK];
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
        if (COUNTING && JraceSpans.entersLeftOut(Thread.currentThread(), site)) {
            return;
        }
        Class<?> caller = caller(site);
        if (caller != null) {
            acquire(caller, site, JraceContext.METHOD);
        }
    }

    public static void exitMethod() {
        Thread thread = Thread.currentThread();
        if (!TRACING) {
            exitMethod(thread);
        } else if (!COUNTING || !JraceSpans.leavesLeftOut(thread)) {
            exitMethodTraced(thread);
        }
    }

    /** In a trace, what is not left out is out of line: most is, and the compilers have less to do. */
    @DontInline
    private static void exitMethodTraced(Thread thread) {
        exitMethod(thread);
    }

    @ForceInline
    private static void exitMethod(Thread thread) {
        JraceContext context = JraceThread.context(thread);
        if (context != null) {
            int top = context.depth - 1;
            if (isUnrecorded(thread) && top >= 0 && context.flags(top) == JraceContext.METHOD) {
                leaveLeftOut(thread);
                JraceThread.read(thread, context.savedRead(top));
                JraceThread.write(thread, context.savedWrite(top));
                context.pop(top);
                return;
            }
            while (top >= 0 && (context.flags(top) & ~JraceContext.ANNOUNCED) != JraceContext.METHOD) {
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
            JraceContext context = JraceThread.context(thread);
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
        if (!TRACING) {
            acquire(thread, lock, site, flags);
        } else if (!COUNTING || (flags & JraceContext.LIBRARY) != 0 || !JraceSpans.entersLeftOut(thread, site)) {
            acquireTraced(thread, lock, site, flags);
        }
    }

    @DontInline
    private static void acquireTraced(Thread thread, Object lock, int site, int flags) {
        acquire(thread, lock, site, flags);
    }

    @ForceInline
    private static void acquire(Thread thread, Object lock, int site, int flags) {
        JraceContext context = JraceThread.context(thread);
        if (context != null) {
            int depth = context.depth;
            int read = JraceThread.read(thread);
            int write = JraceThread.write(thread);
            if (depth < context.locks.length
                    && context.cached.refersTo(lock)
                    && context.fromRead == read
                    && context.fromWrite == write
                    && context.fromFlags == flags) {
                context.push(depth, lock, site, flags, read, write);
                JraceThread.read(thread, context.toRead);
                JraceThread.write(thread, context.toWrite);
                if (TRACING) {
                    acquired(thread, context.cached, lock, site, flags);
                }
                return;
            }
        }
        slowAcquire(thread, lock, site, flags);
    }

    private static void acquired(Thread thread, JraceShadow shadow, Object lock, int site, int flags) {
        if (LEAVING_OUT && JraceSpans.entersLeftOut(thread, site)) {
            return;
        }
        describe(shadow, lock);
        if ((flags & JraceContext.ATOMIC) != 0) {
            record(BEGIN, thread, site, 0);
        }
        record((flags & JraceContext.SHARED) != 0 ? ACQUIRE_SHARED : ACQUIRE, thread, site, shadow.id);
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
            int read = JraceThread.read(thread);
            int write = JraceThread.write(thread);
            boolean shared = (flags & JraceContext.SHARED) != 0;
            JraceShadow shadow = JraceShadow.of(lock);
            if (OWNING) {
                shadow.take(context.id);
            }
            int toRead = with(read, shadow, lock);
            int toWrite = shared ? write : read == write ? toRead : with(write, shadow, lock);
            context.reserve();
            context.push(context.depth, lock, site, flags, read, write);
            context.cache(shadow, flags, read, write, toRead, toWrite);
            JraceThread.read(thread, toRead);
            JraceThread.write(thread, toWrite);
            if (TRACING) {
                acquired(thread, shadow, lock, site, flags);
            }
        } catch (OutOfMemoryError giveUp) {
            // The lock goes unnoticed.
        }
    }

    private static void describe(JraceShadow shadow, Object lock) {
        if (!shadow.described) {
            shadow.described = true;
            describe(shadow.id, lock);
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
     * locks under which nothing is shared. For type discovery it is a token instead.
     */
    private static int with(int word, JraceShadow shadow, Object lock) {
        if (DISCOVERING) {
            return JraceThread.context(Thread.currentThread()).newToken();
        }
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
        JraceThread.read(thread, read);
        JraceThread.write(thread, write);
        context.cached = JraceContext.NOTHING;
    }

    @ForceInline
    private static void release(Object lock, int flags) {
        Thread thread = Thread.currentThread();
        if (!TRACING) {
            release(thread, lock, flags);
        } else if (!COUNTING || (flags & JraceContext.LIBRARY) != 0 || !JraceSpans.leavesLeftOut(thread)) {
            releaseTraced(thread, lock, flags);
        }
    }

    @DontInline
    private static void releaseTraced(Thread thread, Object lock, int flags) {
        release(thread, lock, flags);
    }

    @ForceInline
    private static void release(Thread thread, Object lock, int flags) {
        JraceContext context = JraceThread.context(thread);
        if (context != null) {
            int top = context.depth - 1;
            if (isUnrecorded(thread) && top >= 0 && context.locks[top] == lock && context.flags(top) == flags) {
                leaveLeftOut(thread);
                JraceThread.read(thread, context.savedRead(top));
                JraceThread.write(thread, context.savedWrite(top));
                context.pop(top);
                return;
            }
            slowRelease(thread, context, lock, flags);
        }
    }

    /** Whether what the thread does with locks is not recorded. */
    @ForceInline
    private static boolean isUnrecorded(Thread thread) {
        return !TRACING || LEAVING_OUT && JraceSpans.isLeftOut(thread);
    }

    @ForceInline
    private static void leaveLeftOut(Thread thread) {
        if (LEAVING_OUT) {
            JraceSpans.leavesLeftOut(thread);
        }
    }

    private static void slowRelease(Thread thread, JraceContext context, Object lock, int flags) {
        int at = context.find(lock, ~(JraceContext.ATOMIC | JraceContext.ANNOUNCED), flags);
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
            if (LEAVING_OUT && JraceSpans.leavesLeftOut(thread)) {
                // Its acquisition was left out, too.
            } else if (TRACING || (context.flags(at) & JraceContext.ANNOUNCED) != 0) {
                boolean shared = (context.flags(at) & JraceContext.SHARED) != 0;
                // Hooks of releases have no site, and to walk over the stack takes longer than all the rest.
                int site = (MODE & 16) != 0 ? context.site(at) : 0;
                record(shared ? RELEASE_SHARED : RELEASE, thread, site, number(context, context.locks[at]));
                if ((context.flags(at) & JraceContext.ATOMIC) != 0) {
                    record(END, thread, context.site(at), 0);
                }
            }
            int n = context.depth - 1 - at;
            if (n == 0) {
                JraceThread.read(thread, context.savedRead(at));
                JraceThread.write(thread, context.savedWrite(at));
                context.pop(at);
                return;
            }
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
            JraceThread.read(thread, words[2 * n]);
            JraceThread.write(thread, words[2 * n + 1]);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Nothing has changed; the entry is dropped as a stale one later.
        }
    }

    /** The number of a lock that is held. */
    private static int number(JraceContext context, Object lock) {
        JraceShadow latest = context.cached;
        return latest.refersTo(lock) ? latest.id : JraceShadow.of(lock).id;
    }

    // ---- threads --------------------------------------------------------------------------------------------------

    public static void starting(Object started) {
        try {
            Thread thread = (Thread) started;
            context(Thread.currentThread());
            JraceContext child = contextOf(thread, true);
            if (TRACING) {
                record(FORK, Thread.currentThread(), 0, child.id);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The thread gets its context at its first event.
        }
    }

    public static void joined(Object ended) {
        if (TRACING) {
            Thread thread = (Thread) ended;
            JraceContext other = JraceThread.context(thread);
            if (other != null && !thread.isAlive()) {
                record(JOIN, Thread.currentThread(), 0, other.id);
            }
        }
    }

    private static JraceContext context(Thread thread) {
        JraceContext context = JraceThread.context(thread);
        return context != null ? context : contextOf(thread, false);
    }

    private static JraceContext contextOf(Thread thread, boolean starting) {
        JraceThread.prepare(thread);
        JraceContext known = JraceThread.context(thread);
        if (known != null) {
            return known;
        }
        int id = register(thread.getName(), isVirtual(thread), starting);
        JraceContext context = new JraceContext(id, EXCLUSIVE | id);
        JraceThread.others(thread, ~context.own);
        int withoutLocks = DISCOVERING ? context.newToken() : MODIFIED;
        JraceThread.read(thread, withoutLocks);
        JraceThread.write(thread, withoutLocks);
        JraceThread.arrays(thread, JraceContext.newArrays());
        JraceThread.context(thread, context);
        return context;
    }

    private static boolean isVirtual(Thread thread) {
        return thread.getClass().getName().equals("java.lang.VirtualThread");
    }

    // ---- transactions, for traces ---------------------------------------------------------------------------------

    public static void begin(int site) {
        if (!LEAVING_OUT || !JraceSpans.entersLeftOut(Thread.currentThread(), site)) {
            transaction(BEGIN, site);
        }
    }

    public static void end(int site) {
        if (!LEAVING_OUT || !JraceSpans.leavesLeftOut(Thread.currentThread())) {
            transaction(END, site);
        }
    }

    @DontInline
    private static void transaction(int kind, int site) {
        try {
            if (RECORDING) {
                record(kind, Thread.currentThread(), site, 0);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // A lost end is noticed at that of the transaction around it.
        }
    }

    /** A method runs that the proofs of the focus set know no call of, or that they know one thread to run. */
    public static native void unreached(int site);

    // ---- contents of maps, for traces -----------------------------------------------------------------------------

    public static void readContents(Object map, int site) {
        recordContents(map, site, false);
    }

    public static void writeContents(Object map, int site) {
        recordContents(map, site, true);
    }

    /** What each method of such a map does, it does at once: its contents are like one volatile element of an array. */
    private static void recordContents(Object map, int site, boolean write) {
        Thread thread = Thread.currentThread();
        if (!TRACING || site == 0 || !(map instanceof ConcurrentMap) || LEAVING_OUT && JraceSpans.isLeftOut(thread)) {
            return;
        }
        try {
            long lane = lane(thread);
            JraceShadow shadow = JraceShadow.of(map);
            describe(shadow, map);
            long entry = entry(write ? WRITE_ARRAY : READ_ARRAY, site, shadow.id);
            if (lane == WITHOUT_LANE) {
                event(JraceThread.context(thread).id, entry, 0, true);
                return;
            }
            if (SPARING) {
                parted(lane);
            }
            append(lane, true, entry, 0);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

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
            record(kind, Thread.currentThread(), site, JraceShadow.of(caller).id);
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
        Thread thread = Thread.currentThread();
        if (RECORDING && lock != null && !(LEAVING_OUT && JraceSpans.isLeftOut(thread))) {
            record(kind, thread, 0, JraceShadow.of(lock).id);
        }
    }

    // ---- recording ------------------------------------------------------------------------------------------------
    //
    // Entries and tickets are those of the agent's module lanes. Where nothing is checked, the shadow word of a location tells who
    // has accessed it: one thread (its exclusive word), or several that have only read it since a ticket (negative).

    /** Offsets in a lane: where the next entry goes, up to where one more has room, and its latest ticket in units of 256. */
    private static final long LIMIT = 8;
    private static final long LATEST = 16;
    /** Where the next entry goes while entries are held back, else 0. */
    private static final long HELD = 24;
    /** What was done since the thread was last in no transaction and held no lock, as a hash; 0 if nobody will ask. */
    private static final long DONE = 32;
    /** The token of the stretch, that of the one outside of transactions, and the latest one. */
    private static final long STRETCH = 40;
    private static final long OUTSIDE = 48;
    private static final long TOKEN = 56;
    /** How many transactions are open. */
    private static final long DEPTH = 64;
    /** The address of a table of variables (a key and a token with what was seen of it). */
    static final long KNOWN = 72;
    private static final int KNOWN_BITS = 15;
    /** A token for what the thread does between two starts and joins of threads. */
    private static final long SEGMENT = 80;
    /** How many acquisitions have no release yet. */
    private static final long LOCKS = 88;
    /** Of how many more entries it is to be known what was done up to them. */
    private static final long LEARN = 96;
    /** The token of the stretch outside when entries were first held back. */
    private static final long BEFORE = 104;
    /** In place of the number of an object, that it is fresh to the thread. */
    private static final long FRESH = 112;
    /** After the variables, hashes of what was done: of each entry with those before it. */
    static final long DONE_BEFORE = 16L << KNOWN_BITS;
    static final int DONE_BITS = 11;

    /** In place of the number of an object: it is fresh to nobody, and no access to it was recorded. */
    private static final int KNOWN_TO_OTHERS = Integer.MIN_VALUE;

    /** In place of a lane: the thread is virtual. */
    private static final long WITHOUT_LANE = -1;

    private static final long READ = 16;
    private static final long WRITE = 17;
    private static final long READ_ARRAY = 18;
    private static final long WRITE_ARRAY = 19;
    private static final long TICKET = 31L << 56;

    private static final int UNIT_BITS = 8;

    /**
     * For each site the offset of the number of its object and, in the low half, that of its shadow word, or for a static field the
     * slot; 0 if there is none, as for a volatile field. It may also be one of the negative values below. For an array, once spans
     * are left out, whether its site is in a constructor.
     */
    @Stable
    private static final long[][] RECORDED = new long[CHUNKS][];

    private static final long OFFSET = 0x7FFF_FFFFL;
    /** With the offset of a shadow word: the site is in a constructor or class initializer. */
    private static final long INITIALIZES = 1L << 31;

    private static final long UNRECORDED = -1;
    /** Objects have no field for their numbers. */
    private static final long UNNUMBERED = -2;
    /** A static field; keeps the value from being 0. */
    private static final long STATIC = 1L << 62;

    /** Records the access, if it is not left out. */
    @ForceInline
    private static void traceField(Object object, int site, boolean write) {
        Thread thread = Thread.currentThread();
        if (!LEAVING_OUT || !JraceSpans.isLeftOut(thread, site)) {
            recordField(object, site, write);
            return;
        }
        long where = recorded(site);
        if (where == 0 || where > 0 && isToBeMet(thread, U.getInt(object, where >>> 32))) {
            meetLeftOut(object, site);
        }
    }

    @ForceInline
    private static boolean isToBeMet(Thread thread, int number) {
        return number <= 0 && number != U.getInt(JraceThread.lane(thread) + FRESH) && number != KNOWN_TO_OTHERS;
    }

    /** What is left out may make an object known to others all the same: it stays fresh only to who makes it. */
    @DontInline
    private static void meetLeftOut(Object object, int site) {
        try {
            long where = recorded(site) == 0 ? resolveRecorded(object, site) : recorded(site);
            if (where > 0 && !isFresh(JraceThread.lane(Thread.currentThread()), object, where)) {
                U.putInt(object, where >>> 32, KNOWN_TO_OTHERS);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The site is resolved, and the object met, another time.
        }
    }

    /** An array has no number that could tell: that a constructor has made it is recorded, and hidden from the checkers. */
    @DontInline
    private static void meetLeftOut(Object array, int index, int site, boolean write) {
        try {
            if (recorded(site) == 0) {
                resolveRecorded(site, initializes(site) ? INITIALIZES : UNRECORDED);
            }
            if (recorded(site) == INITIALIZES && !JraceShadow.isKnown(array)) {
                slowRecordArray(Thread.currentThread(), array, index, site, write);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    @ForceInline
    private static void traceStatic(int site, boolean write) {
        if (!LEAVING_OUT || !JraceSpans.isLeftOut(Thread.currentThread(), site)) {
            recordStatic(site, write);
        }
    }

    @ForceInline
    private static void traceArray(Object array, int index, int site, boolean write) {
        if (!LEAVING_OUT || !JraceSpans.isLeftOut(Thread.currentThread(), site)) {
            recordArray(array, index, site, write);
        } else if (recorded(site) != UNRECORDED) {
            meetLeftOut(array, index, site, write);
        }
    }

    /** Copies of this in each hook only keep the compilers busy: as for those below. */
    @DontInline
    private static void recordField(Object object, int site, boolean write) {
        long where = recorded(site);
        Thread thread = Thread.currentThread();
        if (LEAVING_OUT) {
            JraceSpans.access(thread, site);
        }
        if (where > 0) {
            long lane = JraceThread.lane(thread);
            int id = U.getInt(object, where >>> 32);
            if (lane > 0 && id > 0) {
                long offset = where & OFFSET;
                if (!SPARING || isNew(lane, id, offset, write)) {
                    boolean depends = depends(thread, lane, object, offset, write);
                    append(lane, depends, entry(write ? WRITE : READ, site, id));
                }
                return;
            }
            if (SPARING && lane > 0 && id != 0 && id == U.getInt(lane + FRESH)) {
                return;
            }
        }
        if (where != UNRECORDED) {
            slowRecordField(object, site, write);
        }
    }

    private static void slowRecordField(Object object, int site, boolean write) {
        try {
            long where = recorded(site);
            if (where == 0) {
                where = resolveRecorded(object, site);
                if (where == UNRECORDED) {
                    return;
                }
            }
            Thread thread = Thread.currentThread();
            long lane = lane(thread);
            boolean isNumbered = where != UNNUMBERED;
            if (SPARING && isNumbered && lane > 0 && isFresh(lane, object, where)) {
                return;
            }
            int id = JraceShadow.of(object).id;
            if (isNumbered) {
                U.putInt(object, where >>> 32, id);
            }
            firstMet(lane, isNumbered && (where & OFFSET) == 0);
            boolean depends = !isNumbered || depends(thread, lane, object, where & OFFSET, write);
            append(thread, depends, entry(write ? WRITE : READ, site, id));
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unrecorded.
        }
    }

    @DontInline
    private static void recordStatic(int site, boolean write) {
        long where = recorded(site);
        if (where == UNRECORDED) {
            return;
        }
        Thread thread = Thread.currentThread();
        if (LEAVING_OUT) {
            JraceSpans.access(thread, site);
        }
        try {
            if (where == 0) {
                where = resolveRecorded(site);
                if (where <= 0) {
                    return;
                }
            }
            long lane = lane(thread);
            int slot = (int) where;
            if (SPARING && lane > 0 && !isNew(lane, 0, slot, write)) {
                return;
            }
            boolean depends = slot == 0 || depends(thread, lane, words(slot), wordOffset(slot), write);
            append(thread, depends, entry(write ? WRITE : READ, site, 0));
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    @DontInline
    private static void recordArray(Object array, int index, int site, boolean write) {
        Thread thread = Thread.currentThread();
        if (LEAVING_OUT) {
            JraceSpans.access(thread, site);
        }
        long lane = JraceThread.lane(thread);
        if (lane > 0) {
            JraceShadow shadow = latest(site);
            if (shadow.refersTo(array)) {
                if (!SPARING || isNew(lane, shadow.id, ELEMENT | (BY_ELEMENT ? index : 0), write)) {
                    boolean depends = CHECKING && BY_ELEMENT || depends(thread, lane, shadow, WORD, write);
                    append(lane, depends, entry(write ? WRITE_ARRAY : READ_ARRAY, site, shadow.id), index);
                }
                return;
            }
        }
        slowRecordArray(thread, array, index, site, write);
    }

    private static void slowRecordArray(Thread thread, Object array, int index, int site, boolean write) {
        try {
            long lane = lane(thread);
            JraceShadow shadow = JraceShadow.of(array);
            JraceThread.arrays(thread)[site & (JraceContext.ARRAYS - 1)] = shadow;
            long entry = entry(write ? WRITE_ARRAY : READ_ARRAY, site, shadow.id);
            if (lane == WITHOUT_LANE) {
                depends(thread, lane, shadow, WORD, write);
                event(JraceThread.context(thread).id, entry, index, true);
            } else {
                firstMet(lane, false);
                boolean depends = CHECKING && BY_ELEMENT || depends(thread, lane, shadow, WORD, write);
                append(lane, depends, entry, index);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    /** An event of synchronization or a transaction. */
    @DontInline
    private static void record(int kind, Thread thread, int site, int object) {
        long lane = lane(thread);
        boolean acquires = kind <= ACQUIRE_SHARED;
        int place = site == 0 && (MODE & (acquires ? 8 : 16)) != 0 ? callSite() : site;
        boolean depends = acquires || kind == JOIN || kind == WAIT_END || kind == CLASS_INIT_BEGIN;
        if (SPARING && lane > 0) {
            goesOn(thread, lane, kind, site);
        }
        append(thread, depends, entry(kind + 1, place, object));
        if (SPARING && lane > 0 && (kind == END || kind == RELEASE || kind == RELEASE_SHARED)) {
            ended(thread, lane, kind);
        }
    }

    @ForceInline
    private static long recorded(int site) {
        long[] chunk = RECORDED[site >>> CHUNK_BITS];
        return chunk == null ? 0 : chunk[site & (CHUNK - 1)];
    }

    @ForceInline
    private static long entry(long operation, int site, int object) {
        return operation << 56 | (long) site << 32 | object & 0xFFFF_FFFFL;
    }

    /** The lane of a thread, opened at its first event. */
    private static long lane(Thread thread) {
        long lane = JraceThread.lane(thread);
        if (lane == 0) {
            JraceContext context = context(thread);
            lane = isVirtual(thread) ? WITHOUT_LANE : open(context.id);
            JraceThread.lane(thread, lane);
        }
        return lane;
    }

    private static void append(Thread thread, boolean depends, long entry) {
        long lane = JraceThread.lane(thread);
        if (lane == WITHOUT_LANE) {
            event(JraceThread.context(thread).id, entry, 0, false);
        } else {
            append(lane, depends, entry);
        }
    }

    @ForceInline
    private static void append(long lane, boolean depends, long entry) {
        long at = depends ? ticket(lane) : room(lane);
        U.putLong(at, entry);
        advance(lane, at + 8, entry);
    }

    @ForceInline
    private static void append(long lane, boolean depends, long entry, int index) {
        long at = depends ? ticket(lane) : room(lane);
        U.putLong(at, entry);
        U.putLong(at + 8, index & 0xFFFF_FFFFL);
        advance(lane, at + 16, BY_ELEMENT ? entry + index * MIXER : entry);
    }

    /** Publishes what is written up to here, unless it is held back. */
    @ForceInline
    private static void advance(long lane, long end, long entry) {
        if (LEAVING_OUT) {
            JraceSpans.step(lane, entry);
        }
        if (SPARING && U.getLong(lane + DONE) != 0) {
            advanceInside(lane, end, entry);
        } else {
            U.putLongRelease(null, lane, end);
        }
    }

    /** The same in a transaction or with a lock: what is held back is published once something is done that was not done before. */
    private static void advanceInside(long lane, long end, long entry) {
        long done = Long.rotateLeft((U.getLong(lane + DONE) ^ entry) * MIXER, 31);
        long at = U.getLong(lane + KNOWN) + DONE_BEFORE + (done >>> 64 - DONE_BITS << 5);
        boolean isKnown = U.getLong(at) == done || isKnownBeside(at, done);
        U.putLong(lane + DONE, done);
        if (!isKnown) {
            learn(lane, at, done);
        }
        if (U.getLong(lane + HELD) == 0) {
            U.putLongRelease(null, lane, end);
            return;
        }
        U.putLongRelease(null, lane + HELD, end);
        if (!isKnown) {
            publish(lane);
        }
    }

    /** Four hashes share a place: with one each, two transactions that share one by chance would be recorded for ever. */
    private static boolean isKnownBeside(long at, long done) {
        return U.getLong(at + 8) == done || U.getLong(at + 16) == done || U.getLong(at + 24) == done;
    }

    /** Only some entries each time: of those that never come again, most should not take the place of others. */
    private static void learn(long lane, long at, long done) {
        long more = U.getLong(lane + LEARN);
        U.putLong(lane + LEARN, more - 1);
        if (more > 0) {
            for (int i = 24; i > 0; i -= 8) {
                U.putLong(at + i, U.getLong(at + i - 8));
            }
            U.putLong(at, done);
        } else {
            U.putLong(lane + DONE, 0);
        }
    }

    @ForceInline
    private static long room(long lane) {
        long held = SPARING ? U.getLong(lane + HELD) : 0;
        long at = held != 0 ? held : U.getLong(lane);
        return at <= U.getLong(lane + LIMIT) ? at : moreRoom(lane);
    }

    private static long moreRoom(long lane) {
        publish(lane);
        makeRoom(lane);
        return U.getLong(lane);
    }

    /** Takes a ticket; returns where the event goes. What is held back gets one when it is published. */
    private static long ticket(long lane) {
        long at = room(lane);
        if (SPARING && U.getLong(lane + HELD) != 0) {
            return at;
        }
        long ticket = U.getAndAddLong(null, TICKETS, 1);
        U.putLong(at, TICKET | ticket);
        U.putLongRelease(null, lane, at + 8);
        U.putLong(lane + LATEST, ticket >>> UNIT_BITS);
        return at + 8;
    }

    // ---- what need not be recorded ----------------------------------------------------------------------------------
    //
    // What the module checkers::covered says of accesses, on a table of the thread's own: what it has seen of a variable in its
    // stretch. And what a thread does from a place where it is in no transaction and holds no lock up to the next one is taken back
    // if it has done the same before, since it last started or joined a thread. Until then the entries are held back: as long as
    // something before has begun with the same ones. Virtual threads have no lane, and so nothing of this.

    /** In the key of a variable: an array or one of its elements. */
    private static final long ELEMENT = 1L << 31;

    static final long MIXER = 0x9E37_79B9_7F4A_7C15L;

    /** In a token: what was seen of the variable. Both stand for two reads or a write and a read. */
    private static final long SEEN_READ = 1;
    private static final long SEEN_WRITE = 2;
    private static final long SEEN = SEEN_READ | SEEN_WRITE;
    /** In a token: the stretch is one outside of transactions. */
    private static final long IS_OUTSIDE = 4;
    private static final long NEXT_TOKEN = 8;

    /** {@link #LEARN} at the beginning. */
    private static final long LEARNT = 16;

    /** Whether the access says something new of the thread's transactions; takes note of it. Offset 0 is that of a volatile field. */
    @ForceInline
    private static boolean isNew(long lane, int object, long offset, boolean write) {
        if (offset == 0) {
            parted(lane);
            return true;
        }
        long key = (long) object << 32 | offset;
        long at = U.getLong(lane + KNOWN) + (key * MIXER >>> 64 - KNOWN_BITS << 4);
        long stretch = U.getLong(lane + STRETCH);
        long seen = U.getLong(at + 8) ^ stretch;
        if (U.getLong(at) != key || seen > SEEN || seen < 0) {
            seen = 0;
        }
        boolean isOutside = (stretch & IS_OUTSIDE) != 0;
        long own = write ? SEEN_WRITE : SEEN_READ;
        boolean covered = isOutside ? (seen & own) != 0 : !write && seen == SEEN;
        if (!covered) {
            long next = isOutside ? seen | own : write ? SEEN_WRITE : seen == 0 ? SEEN_READ : SEEN;
            U.putLong(at, key);
            U.putLong(at + 8, stretch | next);
        }
        return !covered;
    }

    private static long newToken(long lane) {
        long token = U.getLong(lane + TOKEN) + NEXT_TOKEN;
        U.putLong(lane + TOKEN, token);
        return token;
    }

    /** Before an event that is no access: what it begins. */
    private static void goesOn(Thread thread, long lane, int kind, int site) {
        boolean acquires = kind <= ACQUIRE_SHARED;
        if ((acquires || kind == BEGIN) && isFree(lane)) {
            hold(lane);
            if (LEAVING_OUT) {
                JraceSpans.begin(thread, lane, site);
            }
        }
        if (kind == BEGIN) {
            U.putLong(lane + DEPTH, U.getLong(lane + DEPTH) + 1);
            U.putLong(lane + STRETCH, newToken(lane));
        } else if (kind <= RELEASE_SHARED) {
            U.putLong(lane + LOCKS, U.getLong(lane + LOCKS) + (acquires ? 1 : -1));
            parted(lane);
        } else if (kind != END) {
            synchronizes(lane, kind);
        }
    }

    /** After the end of a transaction or a release. */
    private static void ended(Thread thread, long lane, int kind) {
        if (kind == END) {
            long depth = Math.max(U.getLong(lane + DEPTH) - 1, 0);
            U.putLong(lane + DEPTH, depth);
            U.putLong(lane + STRETCH, depth == 0 ? U.getLong(lane + OUTSIDE) : newToken(lane));
        }
        if (isFree(lane)) {
            takeBack(lane);
            if (LEAVING_OUT) {
                JraceSpans.end(thread, lane);
            }
        }
    }

    /** Whether the thread is in no transaction and holds no lock. */
    private static boolean isFree(long lane) {
        return U.getLong(lane + DEPTH) == 0 && U.getLong(lane + LOCKS) == 0;
    }

    /** Starts, joins and waits; what may make something known to other threads in ways that no hook sees is told at once. */
    private static void synchronizes(long lane, int kind) {
        if (kind != NOTIFY && kind != NOTIFY_ALL) {
            publish(lane);
        }
        if (kind == FORK || kind == JOIN) {
            U.putLong(lane + SEGMENT, newToken(lane));
            if (LEAVING_OUT) {
                JraceSpans.forget(lane);
            }
        }
        if (kind == FORK) {
            U.putInt(lane + FRESH, Integer.MIN_VALUE | (int) U.getAndAddLong(null, TICKETS, 1));
        }
        parted(lane);
    }

    /** An event ends the stretch that is no beginning or end of a transaction. */
    private static void parted(long lane) {
        long token = newToken(lane);
        U.putLong(lane + OUTSIDE, token | IS_OUTSIDE);
        U.putLong(lane + STRETCH, U.getLong(lane + DEPTH) == 0 ? token | IS_OUTSIDE : token);
    }

    /** Something begins whose entries are held back. */
    private static void hold(long lane) {
        U.putLong(lane + BEFORE, U.getLong(lane + OUTSIDE));
        U.putLong(lane + DONE, U.getLong(lane + SEGMENT));
        U.putLong(lane + LEARN, LEARNT);
        long at = room(lane);
        U.putLong(at, TICKET);
        U.putLongRelease(null, lane + HELD, at + 8);
    }

    /** It has ended. If its entries are held back still, the same was done before, and this is as if it had not been. */
    private static void takeBack(long lane) {
        U.putLong(lane + DONE, 0);
        if (U.getLong(lane + HELD) != 0) {
            U.putLongRelease(null, lane + HELD, 0);
            U.putLong(lane + OUTSIDE, U.getLong(lane + BEFORE));
            U.putLong(lane + STRETCH, U.getLong(lane + OUTSIDE));
        }
    }

    /** Publishes entries that are held back, if there are any. They stand at a ticket that is taken now, in the word before them. */
    private static void publish(long lane) {
        long held = SPARING ? U.getLong(lane + HELD) : 0;
        if (held != 0) {
            long ticket = U.getAndAddLong(null, TICKETS, 1);
            U.putLong(U.getLong(lane), TICKET | ticket);
            U.putLong(lane + LATEST, ticket >>> UNIT_BITS);
            U.putLongRelease(null, lane, held);
            U.putLong(lane + HELD, 0);
        }
    }

    /** An object may be accessed for the first time. How it will come to other threads is not known: this must be told before. */
    private static void firstMet(long lane, boolean isVolatile) {
        if (SPARING && lane > 0) {
            publish(lane);
            if (isVolatile) {
                parted(lane);
            }
        }
    }

    /** Whether a thread's access may have to come after one of another thread; takes note of it. Offset 0 is that of no word. */
    @ForceInline
    private static boolean depends(Thread thread, long lane, Object base, long offset, boolean write) {
        if (offset == 0) {
            return true;
        }
        int word = U.getInt(base, offset);
        if (word == ~JraceThread.others(thread)) {
            return false;
        }
        return CHECKING ? word != 0 : isShared(thread, lane, base, offset, write, word);
    }

    /**
     * The word is not the thread's own. The new word must be there before the thread takes its ticket: who sees the old one then has
     * a lower ticket.
     */
    private static boolean isShared(Thread thread, long lane, Object base, long offset, boolean write, int word) {
        int own = ~JraceThread.others(thread);
        if (word == 0) {
            U.putInt(base, offset, own);
            return false;
        }
        if (write) {
            U.putInt(base, offset, own);
            return true;
        }
        if (word > 0) {
            // Whoever stands in the next unit of tickets or later comes after what was done here so far.
            long unit = (U.getLongVolatile(null, TICKETS) >>> UNIT_BITS) + 1;
            U.putInt(base, offset, Integer.MIN_VALUE | (int) Math.min(unit, Integer.MAX_VALUE));
            return true;
        }
        int since = word & Integer.MAX_VALUE;
        return lane == WITHOUT_LANE || since == Integer.MAX_VALUE || since > U.getLong(lane + LATEST);
    }

    private static long resolveRecorded(Object object, int site) {
        return resolveRecorded(site, where(object, site));
    }

    private static long resolveRecorded(int site) {
        long where = where(site);
        return where == 0 ? 0 : resolveRecorded(site, where);
    }

    /** What {@link #RECORDED} holds for the site of an instance field. */
    private static long where(Object object, int site) {
        int offset = pending(site);
        if (offset == 0) {
            offset = resolved(site) == 0 ? resolveField(object, site) : resolved(site);
        }
        if (!isRecorded(site)) {
            return UNRECORDED;
        }
        long number = numberOffset(object.getClass(), site);
        long flag = SPARING && initializes(site) ? INITIALIZES : 0;
        return number == 0 ? UNNUMBERED : number << 32 | flag | Math.max(offset, 0);
    }

    /**
     * Whether only the thread knows the object, as the module checkers::fresh says: first it was accessed in a constructor, and nobody
     * else has come nor has the thread started another one since. No checker looks at that, so it is not recorded, and the object has
     * no number yet.
     */
    private static boolean isFresh(long lane, Object object, long where) {
        int number = U.getInt(object, where >>> 32);
        int own = U.getInt(lane + FRESH);
        if (number == 0 && (where & INITIALIZES) != 0) {
            U.putInt(object, where >>> 32, own);
            return true;
        }
        return number == own;
    }

    /** The same for a static field; 0 if its class is not known. */
    private static long where(int site) {
        int slot = pending(site);
        if (slot == 0) {
            slot = resolved(site) == 0 ? resolveStatic(site) : resolved(site);
        }
        if (slot == 0) {
            return 0;
        }
        return isRecorded(site) ? STATIC | Math.max(slot, 0) : UNRECORDED;
    }

    private static synchronized long resolveRecorded(int site, long value) {
        int high = site >>> CHUNK_BITS;
        long[] chunk = RECORDED[high];
        if (chunk == null) {
            chunk = new long[CHUNK];
            U.storeFence();
            RECORDED[high] = chunk;
        }
        chunk[site & (CHUNK - 1)] = value;
        return value;
    }

    /** Where the objects of a site have their numbers: in the topmost class that has the field. 0 if there is none. */
    private static long numberOffset(Class<?> of, int site) {
        String name = owner(site);
        Class<?> start = of;
        while (start != null && !plainName(start).equals(name)) {
            start = start.getSuperclass();
        }
        long found = 0;
        for (Class<?> c = start; c != null; c = c.getSuperclass()) {
            try {
                found = U.objectFieldOffset(c, "$jrace$number");
            } catch (InternalError noSuchField) {
                // Not woven, or it has a superclass that is.
            }
        }
        return found;
    }

    // ---- discovery ------------------------------------------------------------------------------------------------
    //
    // A trace for type discovery has the accesses to sampled objects and to static fields that tell something new, and the locks
    // held there. What is known of an object lies in the field for its number: 0 if it was not met yet, negative if it is not
    // looked at, else its number, with a bit once a second thread has come. The shadow word of a field is the token of the latest
    // access that was recorded: that of the thread, and once it is shared that of the thread with these locks.

    /** In the number of an object, and in the tokens of threads with their locks. */
    static final int SHARED = 1 << 30;

    /** In a token: the access was a write. */
    private static final int WRITTEN = 1;

    /** In place of the number of an object. */
    private static final int UNSAMPLED = -1;

    /** The word of a field of which enough accesses were recorded. */
    private static final int ENOUGH = Integer.MIN_VALUE;

    /**
     * After so many records of a shared field, its latest thread may go on with whatever locks until another one comes, and after so
     * many times that, all may: threads may take turns forever.
     */
    private static final int MOST = 1 << 12;
    private static final int TURNS = 16;

    private static final JraceSite[][] SITES = new JraceSite[CHUNKS][];

    @ForceInline
    private static void observeField(Object object, int site, boolean write) {
        long where = recorded(site);
        if (where == UNRECORDED || where != 0 && isKnownField(object, where, site, write)) {
            return;
        }
        slowObserveField(object, site, write);
    }

    @ForceInline
    private static boolean isKnownField(Object object, long where, int site, boolean write) {
        int number = U.getInt(object, where >>> 32);
        return passes(number < 0 || repeats(object, where & 0xFFFF_FFFFL, (number & SHARED) != 0, write), site);
    }

    @ForceInline
    private static void observeStatic(int site, boolean write) {
        long where = recorded(site);
        if (where == UNRECORDED || where != 0 && isKnownStatic(words((int) where), wordOffset((int) where), site, write)) {
            return;
        }
        slowObserveStatic(site, write);
    }

    @ForceInline
    private static boolean isKnownStatic(Object words, long offset, int site, boolean write) {
        return passes(repeats(words, offset, (U.getInt(words, offset) & SHARED) != 0, write), site);
    }

    /** What an access by the thread leaves in a word. */
    @ForceInline
    private static int token(Thread thread, boolean shared) {
        return shared ? JraceThread.read(thread) : ~JraceThread.others(thread) << 1;
    }

    /** Whether the latest access tells all that this one does, or enough is known of the field. */
    @ForceInline
    private static boolean repeats(Object base, long offset, boolean shared, boolean write) {
        int word = U.getInt(base, offset);
        int token = token(Thread.currentThread(), shared);
        return word == (token | WRITTEN) || !write && word == token && word != 0 || word < 0 && isEnough(word, write);
    }

    private static boolean isEnough(int word, boolean write) {
        int told = told(Thread.currentThread(), true);
        return word == ENOUGH || word == told || !write && word == told + 1;
    }

    /** The word of a field while its latest thread needs not tell its locks. */
    private static int told(Thread thread, boolean write) {
        int token = token(thread, false);
        return ~(write ? token | WRITTEN : token);
    }

    /** Bounds what is recorded of a shared field, once there are so many records of it. */
    private static void limit(Object base, long offset, int records, boolean write) {
        if (records >= MOST * TURNS) {
            U.putInt(base, offset, ENOUGH);
        } else if (records % MOST == 0) {
            U.putInt(base, offset, told(Thread.currentThread(), write));
        }
    }

    /** Copied into every access, this kept the compiler busy for longer than the program ran. */
    @DontInline
    private static void slowObserveField(Object object, int site, boolean write) {
        try {
            JraceSite place = place(site);
            long where = place.where;
            if (where == 0) {
                where = where(object, site);
                if (where <= 0 || (int) where == 0) {
                    resolveRecorded(site, UNRECORDED);
                    return;
                }
                place.where = where;
            }
            int number = U.getInt(object, where >>> 32);
            if (number == 0) {
                number = meet(object, place, site);
                U.putInt(object, where >>> 32, number);
            }
            if (number > 0) {
                observeSampled(object, number, place, site, write);
            }
            settle(place, site, number > 0, (number & SHARED) != 0);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unrecorded.
        }
    }

    private static void observeSampled(Object object, int number, JraceSite place, int site, boolean write) {
        Thread thread = Thread.currentThread();
        JraceContext context = context(thread);
        JraceShadow shadow = JraceShadow.of(object);
        if (shadow.word == 0) {
            shadow.word = context.own;
        }
        boolean shared = (number & SHARED) != 0;
        if (!shared && shadow.word != context.own) {
            shared = true;
            U.putInt(object, place.where >>> 32, number | SHARED);
        }
        long offset = place.where & 0xFFFF_FFFFL;
        if (observe(thread, object, offset, shared, site, write, shadow.id) && shared) {
            limit(object, offset, shadow.late(offset), write);
        }
    }

    /** The number of an object that nobody has accessed before. */
    private static int meet(Object object, JraceSite place, int site) {
        if (--place.left > 0) {
            return UNSAMPLED;
        }
        place.left = gap(site);
        int number = JraceShadow.of(object).id;
        return number < SHARED ? number : UNSAMPLED;
    }

    @DontInline
    private static void slowObserveStatic(int site, boolean write) {
        try {
            JraceSite place = place(site);
            if (place.where == 0) {
                place.where = where(site);
            }
            int slot = (int) place.where;
            if (place.where < 0 || place.where != 0 && slot == 0) {
                resolveRecorded(site, UNRECORDED);
            } else if (slot != 0) {
                observeSlot(slot, place, site, write);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        }
    }

    private static void observeSlot(int slot, JraceSite place, int site, boolean write) {
        Thread thread = Thread.currentThread();
        context(thread);
        int word = U.getInt(words(slot), wordOffset(slot));
        boolean shared = (word & SHARED) != 0 || word != 0 && (word | WRITTEN) != (token(thread, false) | WRITTEN);
        boolean isRecorded = observe(thread, words(slot), wordOffset(slot), shared, site, write, 0);
        if (isRecorded && shared) {
            limit(words(slot), wordOffset(slot), ++place.late, write);
        }
        settle(place, site, true, shared);
    }

    /** Records an access that tells something new, and the first ones of each site; says whether it has. */
    private static boolean observe(
            Thread thread, Object base, long offset, boolean shared, int site, boolean write, int object) {
        int token = token(thread, shared);
        if (!repeats(base, offset, shared, write)) {
            U.putInt(base, offset, write ? token | WRITTEN : token);
        } else if (recorded(site) != 0) {
            return false;
        }
        lane(thread);
        announce(thread, JraceThread.context(thread));
        append(thread, true, entry(write ? WRITE : READ, site, object));
        return true;
    }

    /** Records the acquisitions of the locks held: those of locks under which nothing is recorded are not worth it. */
    private static void announce(Thread thread, JraceContext context) {
        int at = context.depth;
        while (at > 0 && (context.flags(at - 1) & JraceContext.ANNOUNCED) == 0) {
            at--;
        }
        for (; at < context.depth; at++) {
            JraceShadow shadow = JraceShadow.of(context.locks[at]);
            describe(shadow, context.locks[at]);
            boolean isShared = (context.flags(at) & JraceContext.SHARED) != 0;
            record(isShared ? ACQUIRE_SHARED : ACQUIRE, thread, context.site(at), shadow.id);
            context.announced(at);
        }
    }

    private static JraceSite place(int site) {
        JraceSite[] chunk = SITES[site >>> CHUNK_BITS];
        JraceSite place = chunk == null ? null : chunk[site & (CHUNK - 1)];
        return place != null ? place : newPlace(site);
    }

    private static synchronized JraceSite newPlace(int site) {
        int high = site >>> CHUNK_BITS;
        if (SITES[high] == null) {
            SITES[high] = new JraceSite[CHUNK];
        }
        if (SITES[high][site & (CHUNK - 1)] == null) {
            SITES[high][site & (CHUNK - 1)] = new JraceSite();
        }
        return SITES[high][site & (CHUNK - 1)];
    }

    /**
     * Once a site was visited often enough, its accesses are recorded only if they tell something new, and once that was by several
     * threads, it is woven without observation before long.
     */
    private static void settle(JraceSite place, int site, boolean sampled, boolean shared) {
        if (place.visit(sampled, shared, context(Thread.currentThread()).own) && recorded(site) == 0) {
            profile(site);
            resolveRecorded(site, place.where);
        }
        if (place.becomesKnown()) {
            known(site);
        }
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

    /**
     * Bits: 1 recording, 2 checking, 4 arrays by element, 8 a place for acquisitions in the JDK, 16 for its other events, 32 recording
     * for discovery only, 64 recording only what can matter to transactions, 128 presumed owners, 256 without known spans.
     */
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
    private static native int step(
            int word, int thread, int site, Object object, int read, int write, boolean isWrite);

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

    /** The address of the counter of tickets. */
    private static native long tickets();

    /** See {@link #PROOFS}. */
    private static native long proofs();

    /** The monitors that the thread owns, of which some may not have been reported; null if all have and will be. */
    private static native Object[] monitors();

    /** The lane of a platform thread: an address. */
    private static native long open(int thread);

    /** Waits for room in a lane. */
    private static native void makeRoom(long lane);

    /** Adds an event of a thread without a lane. */
    private static native void event(int thread, long entry, int index, boolean hasIndex);

    /** Whether accesses at a site are recorded, once it is resolved. */
    private static native boolean isRecorded(int site);

    /** Whether a site is in a constructor or a class initializer. */
    private static native boolean initializes(int site);

    /** How many objects the site has to meet from here on until one is sampled. */
    private static native int gap(int site);

    /** Enough is known of the accesses at a site. */
    private static native void known(int site);

    /** The site at which the program called the code of the JDK that is running; 0 if there is none. */
    private static native int callSite();
}
