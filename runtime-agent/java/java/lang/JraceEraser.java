package java.lang;

import static java.lang.JraceLayout.Word.EVIDENCE;
import static java.lang.JraceLayout.Word.EXCLUSIVE;
import static java.lang.JraceLayout.Word.OPEN;
import static java.lang.JraceLayout.Word.REPORTED;
import static java.lang.JraceLayout.Word.SHARED_EMPTY;
import static java.lang.JraceLayout.Word.TAG;
import static java.lang.JraceLayout.Word.UNASKED;
import static java.lang.JraceLayout.Word.UNKNOWN;
import static java.lang.JraceMemory.INTS;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.BY_ELEMENT;
import static java.lang.JraceSites.UNCHECKED;
import static java.lang.JraceSites.passes;
import static java.lang.JraceSites.resolved;
import static java.lang.JraceSites.visits;
import static java.lang.JraceSites.wordOffset;
import static java.lang.JraceSites.words;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The engine that checks accesses with Eraser's lock sets. A shadow word beside the data says what is known of a location;
 * {@code checkers::word} defines its layout. The inlined fast paths pass only words that the state machine would leave as they
 * are; all else goes through {@link #check}.
 *
 * <p>The hooks here are longer than the 35 bytes that C1 inlines (a test sees to it), and are not {@code @ForceInline}: C1 then
 * compiles a call (it spent six times as long on javac when it inlined them), and C2 inlines them where they run often. What they
 * consist of is {@code @ForceInline}.
 */
class JraceEraser {
    JraceEraser() {}

    private static final long WORD = U.objectFieldOffset(JraceShadow.class, "word");
    private static final Object[] NO_LOCKS = {};
    private static final long PROOFS = JraceAgent.proofs();

    // ---- fields ---------------------------------------------------------------------------------------------------

    public static void readField(Object object, int site) {
        if (object == null) {
            return;
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
        int offset = resolved(site);
        if (offset == UNCHECKED || offset > 0 && mayWrite(object, offset, site)) {
            return;
        }
        slowField(object, site, true);
    }

    public static void readOwned(Object object, int site) {
        if (object != null && !conforms(object, site)) {
            slowOwned(object, site, false);
        }
    }

    public static void writeOwned(Object object, int site) {
        if (object != null && !conforms(object, site)) {
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
        int offset = resolved(site);
        int own = ~JraceThread.others(Thread.currentThread());
        if (offset > 0 && own != UNKNOWN) {
            U.putInt(object, offset, own);
        } else if (offset != UNCHECKED) {
            slowField(object, site, true);
        }
    }

    public static void readStatic(int site) {
        int slot = resolved(site);
        if (slot == UNCHECKED || slot > 0 && mayRead(words(slot), wordOffset(slot), site)) {
            return;
        }
        slowStatic(site, false);
    }

    public static void writeStatic(int site) {
        int slot = resolved(site);
        if (slot == UNCHECKED || slot > 0 && mayWrite(words(slot), wordOffset(slot), site)) {
            return;
        }
        slowStatic(site, true);
    }

    // ---- arrays ---------------------------------------------------------------------------------------------------

    public static void readArray(Object array, int index, int site) {
        if (array == null) {
            return;
        }
        if (!BY_ELEMENT && resolved(site) != 0) {
            JraceShadow shadow = JraceShadow.latest(site);
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
        if (!BY_ELEMENT && resolved(site) != 0) {
            JraceShadow shadow = JraceShadow.latest(site);
            if (shadow.refersTo(array) && mayWrite(shadow, WORD, site)) {
                return;
            }
        }
        slowArray(array, index, site, true);
    }

    @ForceInline
    public static Object readArrayAgain(Object array, int index, Object last, int site) {
        if (array == last) {
            return last;
        }
        readArray(array, index, site);
        return BY_ELEMENT ? null : array;
    }

    @ForceInline
    public static Object writeArrayAgain(Object array, int index, Object last, int site) {
        if (array == last) {
            return last;
        }
        writeArray(array, index, site);
        return BY_ELEMENT ? null : array;
    }

    @ForceInline
    public static Object readArrayLater(Object array, int index, Object last, int site) {
        if (BY_ELEMENT) {
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
        if (BY_ELEMENT) {
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
        JraceShadow shadow = JraceShadow.latest(site);
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
        JraceShadow shadow = JraceShadow.latest(site);
        if (resolved(site) != 0 && shadow.refersTo(array)) {
            int word = U.getInt(shadow, WORD);
            if (settlesWrite(word, thread) || word != 0 && word == JraceThread.write(thread)) {
                return;
            }
        }
        slowArray(array, 0, site, true);
    }

    public static void readFinalArray(Object array, int index, Object object, int site) {
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
        int offset = resolved(site);
        if (!BY_ELEMENT && offset > 0) {
            JraceShadow shadow = (JraceShadow) U.getReference(object, offset);
            if (shadow != null && mayWrite(shadow, WORD, site)) {
                return;
            }
        }
        slowFinalArray(array, index, object, site, true);
    }

    // ---- contents of objects of the library -----------------------------------------------------------------------

    /** Their word is at {@code base + offset}; the base is the object, or its entry in the weak table. */
    static void contents(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        if (isNew || !(write ? mayWrite(base, offset, site) : mayRead(base, offset, site))) {
            slowContents(base, offset, object, site, write, isNew);
        }
    }

    private static void slowContents(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        try {
            check(base, offset, object, site, write, isNew);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As below.
        }
    }

    // ---- what passes ----------------------------------------------------------------------------------------------

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

    // ---- what does not --------------------------------------------------------------------------------------------

    private static void slowField(Object object, int site, boolean write) {
        try {
            int offset = resolved(site);
            boolean isNew = offset == 0;
            if (isNew) {
                offset = JraceSites.fieldOffset(object, site);
            }
            if (offset > 0) {
                check(object, offset, object, site, write, isNew && visits(site, offset));
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unchecked.
        }
    }

    private static void slowOwned(Object object, int site, boolean write) {
        try {
            int offset = resolved(site);
            boolean isNew = offset == 0;
            if (isNew) {
                offset = JraceSites.fieldOffset(object, site);
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
                slot = JraceSites.staticSlot(site);
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
                offset = JraceSites.finalArrayOffset(object, site);
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
            JraceContext.of(thread);
            JraceShadow shadow = JraceShadow.meet(thread, array, site);
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
        JraceContext context = JraceContext.of(thread);
        int read = JraceThread.read(thread);
        int modified = JraceThread.write(thread);
        Object[] unreported = null;
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
                JraceLocks.ask(thread, context);
                read = JraceThread.read(thread);
                modified = JraceThread.write(thread);
            }
            if (unreported == null) {
                unreported = PROOFS != 0 && U.getInt(PROOFS) != 0 ? unreported(context) : NO_LOCKS;
            }
            for (Object lock : unreported) {
                if (lock == null) {
                    return; // Which locks are held is not known.
                }
                JraceShadow shadow = JraceShadow.of(lock);
                read = JraceLocks.asked(read, shadow, lock);
                modified = JraceLocks.asked(modified, shadow, lock);
            }
            if ((word & TAG) == OPEN) {
                int next = JraceAgent.witness(word, context.id, site, key(object), (int) offset, read, modified, write);
                U.compareAndSetInt(base, offset, word, next);
                return;
            }
            int next = word == 0
                    ? context.own
                    : JraceAgent.step(word, context.id, site, object, read, modified, write);
            if (next == word) {
                context.passed(word, read, modified, write);
                return;
            }
            if (U.compareAndSetInt(base, offset, word, next)) {
                if ((next & TAG) == OPEN) {
                    JraceAgent.race(word, context.id, site, key(object), (int) offset, object, read, modified, write);
                } else if (isNew) {
                    JraceAgent.touched(context.id, site, key(object), (int) offset, read, modified, write);
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
        Object[] owned = JraceAgent.monitors();
        context.isReported = owned == null;
        return owned == null ? NO_LOCKS : owned;
    }

    /**
     * Holds an access without the monitor of its object to the owner, which is the object ({@code checkers::owned}): it is a race
     * if another thread has taken the monitor, or has accessed the field without it.
     */
    private static void conform(Object object, int offset, int site, boolean write, boolean isNew) {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceContext.of(thread);
        while (true) {
            int word = U.getIntOpaque(object, offset);
            if (word == REPORTED) {
                return;
            }
            if ((word & TAG) == OPEN) {
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
                    JraceLocks.ask(thread, context);
                }
                int read = JraceThread.read(thread);
                int modified = JraceThread.write(thread);
                if (isRace) {
                    // Of the access that conformed, its thread may be known.
                    int before = othersTook && takers != JraceShadow.SEVERAL ? EXCLUSIVE | takers : word;
                    JraceAgent.race(before, context.id, site, key(object), offset, object, read, modified, write);
                } else if (isNew) {
                    JraceAgent.touched(context.id, site, key(object), offset, read, modified, write);
                }
                return;
            }
        }
    }

    /** Tells objects apart in the history of accesses, well enough for evidence; 0 for static fields. */
    private static int key(Object object) {
        return object == null ? 0 : System.identityHashCode(object);
    }
}
