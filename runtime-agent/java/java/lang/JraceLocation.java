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
import static java.lang.JraceMode.CHECKING;
import static java.lang.JraceSites.passes;

import jdk.internal.vm.annotation.ForceInline;

/**
 * What is known of a location, and what an access does to it, by Eraser: a shadow word, of which {@code checkers::eraser::word} defines the
 * layout. The folder {@code hybrid} has the version that knows order; the agent defines one of them.
 */
final class JraceLocation {
    private JraceLocation() {}

    private static final Object[] NO_LOCKS = {};
    private static final long PROOFS = JraceAgent.proofs();

    // ---- where states are -----------------------------------------------------------------------------------------

    /** Where that of an array is, in its entry. */
    static final long ARRAY = U.objectFieldOffset(JraceShadow.class, "word");

    /** Where the state at an index is, in what {@link #newStates} makes. */
    @ForceInline
    static long offset(int index) {
        return INTS + ((long) index << 2);
    }

    static Object newStates(int n) {
        return new int[n];
    }

    /** The states of the elements of an array. */
    static Object elements(JraceShadow shadow, Object array) {
        return shadow.elements(array);
    }

    @ForceInline
    static boolean isLatestWrite(Object base, long offset) {
        return false;
    }

    @ForceInline
    static boolean isReported(Object base, long offset) {
        return U.getInt(base, offset) == REPORTED;
    }

    /** Whether another thread may have accessed the location. */
    @ForceInline
    static boolean isForeign(Object base, long offset, Thread thread) {
        int word = U.getInt(base, offset);
        return word != ~JraceThread.others(thread) && word != 0;
    }

    /** Takes note of a write by the only thread that knows the object; false if that takes more than a store. */
    @ForceInline
    static boolean initialize(Thread thread, Object object, long offset, int site) {
        int own = ~JraceThread.others(thread);
        if (own == UNKNOWN) {
            return false;
        }
        U.putInt(object, offset, own);
        return true;
    }

    /** The state of a clone, which has a copy of that of its original: the thread has just written it. */
    static void renew(Thread thread, Object clone, long offset) {
        if (U.getInt(clone, offset) != 0 && !(CHECKING && initialize(thread, clone, offset, 0))) {
            U.putInt(clone, offset, 0);
        }
    }

    /** An array has one state, or each element has. */
    @ForceInline
    static boolean isAt(JraceShadow shadow, int index) {
        return true;
    }

    @ForceInline
    static boolean isFine(JraceShadow shadow) {
        return false;
    }

    @ForceInline
    static boolean mayBeFine() {
        return false;
    }

    static boolean isHandedOver(int site, boolean write) {
        return false;
    }

    static void mayRaceAtIndex(Object list, long offset, int site, boolean likely) {}

    static void checkArray(JraceShadow shadow, Object array, int index, int site, boolean write, boolean isNew) {
        check(shadow, ARRAY, array, site, write, isNew);
    }

    /** Volatile accesses tell Eraser nothing. */
    static void synchronize(Object object, long offset, int site, boolean write) {}

    static void synchronizeStatic(Object base, long offset, Object declaring, boolean write) {}

    static void publish(Object object) {}

    static void publishIndirectly(Object object) {}

    static void retract(Object object) {}

    static void retractIndirectly(Object object) {}

    static void constructing() {}

    static void constructed(Object object) {}

    static void observe(Object object) {}

    static void receive(Object sent) {}

    static void take(Object object) {}

    static JraceClock clock(Object object) {
        return null;
    }

    // ---- what passes ----------------------------------------------------------------------------------------------

    /**
     * Whether a read leaves the word as it is ({@code checkers::eraser::word::passes}).
     *
     * <p>The word is read plainly, so the compiler may check a location once for a synchronization-free region, a
     * loop included: what others do meanwhile is then as if they had done it after the region.
     *
     * <p>The words of a thread without context are 0, like those of an untouched location.
     */
    @ForceInline
    static boolean mayRead(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return passes(decidesRead(word, thread), site) || word != 0 && word == JraceThread.read(thread);
    }

    /** The same for a write. */
    @ForceInline
    static boolean mayWrite(Object base, long offset, int site) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return passes(decidesWrite(word, thread), site) || word != 0 && word == JraceThread.write(thread);
    }

    /** The same without a profile. */
    @ForceInline
    static boolean passesRead(Object base, long offset) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return decidesRead(word, thread) || word != 0 && word == JraceThread.read(thread);
    }

    @ForceInline
    static boolean passesWrite(Object base, long offset) {
        Thread thread = Thread.currentThread();
        int word = U.getInt(base, offset);
        return decidesWrite(word, thread) || word != 0 && word == JraceThread.write(thread);
    }

    /** Whether a read leaves the word as it is, whatever the thread's locks. */
    @ForceInline
    private static boolean decidesRead(int word, Thread thread) {
        return word < 0 || word == ~JraceThread.others(thread);
    }

    @ForceInline
    private static boolean decidesWrite(int word, Thread thread) {
        return word == ~JraceThread.others(thread) || word < SHARED_EMPTY;
    }

    /**
     * Takes the word at {@code base + offset} through the state machine.
     *
     * @param object the accessed object or array; null for a static field
     * @param isNew whether the access is worth remembering if it changes the state
     */
    static void check(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
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
                    JraceAgent.touched(context.id, site, key(object), (int) offset, read, modified, write, 0);
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
     * Holds an access without the monitor of its object to the owner, which is the object ({@code checkers::eraser::owned}): it is a race
     * if another thread has taken the monitor, or has accessed the field without it.
     */
    static void conform(Object object, int offset, int site, boolean write, boolean isNew) {
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
                    JraceAgent.touched(context.id, site, key(object), offset, read, modified, write, 0);
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
