package java.lang;

import static java.lang.JraceMemory.U;
import static java.lang.JraceRecordedSites.OFFSET;
import static java.lang.JraceRecordedSites.UNRECORDED;
import static java.lang.JraceRecordedSites.recorded;
import static java.lang.JraceRecordedSites.where;
import static java.lang.JraceSites.CHUNK;
import static java.lang.JraceSites.CHUNKS;
import static java.lang.JraceSites.CHUNK_BITS;
import static java.lang.JraceSites.passes;
import static java.lang.JraceSites.wordOffset;
import static java.lang.JraceSites.words;

import java.lang.JraceLayout.Operation;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The engine that records for type discovery: the accesses to sampled objects and to static fields that tell something new, and the
 * locks held there. What is known of an object lies in the field for its number: 0 if it was not met yet, negative if it is not
 * looked at, else its number, with a bit once a second thread has come. The shadow word of a field is the token of the latest
 * access that was recorded: that of the thread, and once it is shared that of the thread with these locks.
 */
class JraceDiscovery extends JraceRecorder {
    JraceDiscovery() {}

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

    public static void readField(Object object, int site) {
        if (object != null) {
            observeField(object, site, false);
        }
    }

    public static void writeField(Object object, int site) {
        if (object != null) {
            observeField(object, site, true);
        }
    }

    public static void initField(Object object, int site) {
        observeField(object, site, true);
    }

    public static void readStatic(int site) {
        observeStatic(site, false);
    }

    public static void writeStatic(int site) {
        observeStatic(site, true);
    }

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
                // A volatile field has no word.
                if (where <= 0 || (where & OFFSET) == 0) {
                    JraceRecordedSites.resolve(site, UNRECORDED);
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
            retire(place, site, number > 0, (number & SHARED) != 0);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unrecorded.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private static void observeSampled(Object object, int number, JraceSite place, int site, boolean write) {
        Thread thread = Thread.currentThread();
        JraceContext context = JraceContext.of(thread);
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
        place.left = JraceAgent.gap(site);
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
            int slot = (int) (place.where & OFFSET);
            if (place.where < 0 || place.where != 0 && slot == 0) {
                JraceRecordedSites.resolve(site, UNRECORDED);
            } else if (slot != 0) {
                observeSlot(slot, place, site, write);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private static void observeSlot(int slot, JraceSite place, int site, boolean write) {
        Thread thread = Thread.currentThread();
        JraceContext.of(thread);
        int word = U.getInt(words(slot), wordOffset(slot));
        boolean shared = (word & SHARED) != 0 || word != 0 && (word | WRITTEN) != (token(thread, false) | WRITTEN);
        boolean isRecorded = observe(thread, words(slot), wordOffset(slot), shared, site, write, 0);
        if (isRecorded && shared) {
            limit(words(slot), wordOffset(slot), ++place.late, write);
        }
        retire(place, site, true, shared);
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
        JraceLane.of(thread);
        announce(thread, JraceThread.context(thread));
        JraceLane.append(thread, true, JraceLane.entry(write ? Operation.WRITE : Operation.READ, site, object));
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
            event(isShared ? Operation.ACQUIRE_SHARED : Operation.ACQUIRE, thread, context.site(at), shadow.id);
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
    private static void retire(JraceSite place, int site, boolean sampled, boolean shared) {
        if (place.visit(sampled, shared, JraceContext.of(Thread.currentThread()).own) && recorded(site) == 0) {
            JraceSites.profile(site);
            JraceRecordedSites.resolve(site, place.where);
        }
        if (place.becomesKnown()) {
            JraceAgent.known(site);
        }
    }
}
