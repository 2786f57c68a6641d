package java.lang;

import static java.lang.JraceLayout.Lane.WITHOUT_LANE;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.BY_ELEMENT;
import static java.lang.JraceMode.CHECKING;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.PLACED_ACQUISITIONS;
import static java.lang.JraceMode.PLACED_OTHERS;
import static java.lang.JraceMode.SPARING;
import static java.lang.JraceMode.TELLING;
import static java.lang.JraceMode.TRACING;
import static java.lang.JraceRecordedSites.INITIALIZES;
import static java.lang.JraceRecordedSites.OFFSET;
import static java.lang.JraceRecordedSites.UNNUMBERED;
import static java.lang.JraceRecordedSites.UNRECORDED;
import static java.lang.JraceRecordedSites.VOLATILE;
import static java.lang.JraceRecordedSites.recorded;
import static java.lang.JraceSites.wordOffset;
import static java.lang.JraceSites.words;
import static java.lang.JraceRegion.ELEMENT;

import java.lang.JraceLayout.Lane;
import java.lang.JraceLayout.Operation;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The engine that records accesses and other events.
 *
 * <p>Where nothing is checked, the shadow word of a location tells who has accessed it: one thread (its exclusive word), or several
 * that have only read it since a ticket (negative).
 */
class JraceRecorder {
    JraceRecorder() {}

    /** In place of the number of an object: it is fresh to nobody, and no access to it was recorded. */
    private static final int KNOWN_TO_OTHERS = Integer.MIN_VALUE;

    // ---- hooks of accesses ----------------------------------------------------------------------------------------

    public static void readField(Object object, int site) {
        if (object != null) {
            field(object, site, false);
        }
    }

    public static void writeField(Object object, int site) {
        if (object != null) {
            field(object, site, true);
        }
    }

    public static void readOwned(Object object, int site) {
        readField(object, site);
    }

    public static void writeOwned(Object object, int site) {
        writeField(object, site);
    }

    public static void initField(Object object, int site) {
        field(object, site, true);
    }

    public static void readStatic(int site) {
        staticField(site, false);
    }

    /** A volatile field was recorded before it was written, once its site was known. */
    public static void writeStatic(int site) {
        if (!TELLING || !isVolatile(recorded(site))) {
            staticField(site, true);
        }
    }

    public static void readArray(Object array, int index, int site) {
        if (array != null) {
            array(array, index, site, false);
        }
    }

    public static void readArrayBeside(Object array, int index, Object last, int site) {
        readArray(array, index, site);
    }

    public static void writeArray(Object array, int index, int site) {
        if (array != null) {
            array(array, index, site, true);
        }
    }

    /** Each access is recorded, if it tells something new: that of the site before tells nothing. */
    public static Object readArrayAgain(Object array, int index, Object last, int site) {
        readArray(array, index, site);
        return null;
    }

    public static Object writeArrayAgain(Object array, int index, Object last, int site) {
        writeArray(array, index, site);
        return null;
    }

    public static Object readArrayLater(Object array, int index, Object last, int site) {
        readArray(array, index, site);
        return null;
    }

    public static Object writeArrayLater(Object array, int index, Object last, int site) {
        writeArray(array, index, site);
        return null;
    }

    /** Nothing is left to be done when a loop has ended. */
    public static void readArrayBefore(Object array, int site) {}

    public static void writeArrayBefore(Object array, int site) {}

    public static void readArrayUntil(Object array, int until, int site) {}

    public static void writeArrayUntil(Object array, int until, int site) {}

    public static void readFinalArray(Object array, int index, Object object, int site) {
        readArray(array, index, site);
    }

    public static void writeFinalArray(Object array, int index, Object object, int site) {
        writeArray(array, index, site);
    }

    // ---- what spans leave out -------------------------------------------------------------------------------------

    /** Records the access, if it is not left out. */
    private static void field(Object object, int site, boolean write) {
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
        return number <= 0 && number != U.getInt(JraceThread.lane(thread) + Lane.FRESH) && number != KNOWN_TO_OTHERS;
    }

    /** What is left out may make an object known to others all the same: it stays fresh only to who makes it. */
    @DontInline
    private static void meetLeftOut(Object object, int site) {
        try {
            long where = recorded(site) == 0 ? JraceRecordedSites.resolve(object, site) : recorded(site);
            if (where > 0 && !isFresh(JraceThread.lane(Thread.currentThread()), object, where)) {
                U.putInt(object, where >>> 32, KNOWN_TO_OTHERS);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The site is resolved, and the object met, another time.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /** An array has no number that could tell: that a constructor has made it is recorded, and hidden from the checkers. */
    @DontInline
    private static void meetLeftOut(Object array, int index, int site, boolean write) {
        try {
            if (recorded(site) == 0) {
                JraceRecordedSites.resolve(site, JraceAgent.initializes(site) ? INITIALIZES : UNRECORDED);
            }
            if (recorded(site) == INITIALIZES && !JraceShadow.isKnown(array)) {
                slowRecordArray(Thread.currentThread(), array, index, site, write);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    private static void staticField(int site, boolean write) {
        if (!LEAVING_OUT || !JraceSpans.isLeftOut(Thread.currentThread(), site)) {
            recordStatic(site, write);
        }
    }

    private static void array(Object array, int index, int site, boolean write) {
        if (!LEAVING_OUT || !JraceSpans.isLeftOut(Thread.currentThread(), site)) {
            recordArray(array, index, site, write);
        } else if (recorded(site) != UNRECORDED) {
            meetLeftOut(array, index, site, write);
        }
    }

    // ---- accesses -------------------------------------------------------------------------------------------------

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
                if (!SPARING || JraceRegion.isNew(lane, id, offset, write)) {
                    boolean depends = depends(thread, lane, object, offset, write);
                    JraceLane.append(lane, depends, JraceLane.entry(write ? Operation.WRITE : Operation.READ, site, id));
                    if (TELLING && isVolatile(where) && JraceSites.hasHandles(object, site)) {
                        handOver(object, write);
                    }
                }
                return;
            }
            if (SPARING && lane > 0 && id != 0 && id == U.getInt(lane + Lane.FRESH)) {
                return;
            }
        }
        if (where != UNRECORDED) {
            slowRecordField(object, site, write);
        }
    }

    private static void slowRecordField(Object object, int site, boolean write) {
        try {
            // Another thread may have resolved the site since the caller looked.
            long where = recorded(site) == 0 ? JraceRecordedSites.resolve(object, site) : recorded(site);
            if (where == UNRECORDED) {
                return;
            }
            Thread thread = Thread.currentThread();
            long lane = JraceLane.of(thread);
            boolean isNumbered = where != UNNUMBERED;
            if (SPARING && isNumbered && lane > 0 && isFresh(lane, object, where)) {
                return;
            }
            int id = JraceShadow.of(object).id;
            if (isNumbered) {
                U.putInt(object, where >>> 32, id);
            }
            JraceRegion.firstMet(lane, isNumbered && (where & OFFSET) == 0);
            boolean depends = !isNumbered || depends(thread, lane, object, where & OFFSET, write);
            JraceLane.append(thread, depends, JraceLane.entry(write ? Operation.WRITE : Operation.READ, site, id));
            if (TELLING && (isNumbered ? isVolatile(where) : JraceAgent.isVolatile(site)) && JraceSites.hasHandles(object, site)) {
                handOver(object, write);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // The program is about to see the same; the access goes unrecorded.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
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
                where = JraceRecordedSites.resolve(site);
                if (where <= 0) {
                    return;
                }
            }
            long lane = JraceLane.of(thread);
            int slot = (int) (where & OFFSET);
            if (SPARING && lane > 0 && !JraceRegion.isNew(lane, 0, slot, write)) {
                return;
            }
            boolean depends = slot == 0 || depends(thread, lane, words(slot), wordOffset(slot), write);
            JraceLane.append(thread, depends, JraceLane.entry(write ? Operation.WRITE : Operation.READ, site, 0));
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
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
            JraceShadow shadow = JraceShadow.latest(site);
            if (shadow.refersTo(array)) {
                if (!SPARING || JraceRegion.isNew(lane, shadow.id, ELEMENT | (BY_ELEMENT ? index : 0), write)) {
                    boolean depends = CHECKING && BY_ELEMENT || depends(thread, lane, shadow, JraceLocation.ARRAY, write);
                    JraceLane.append(lane, depends, JraceLane.entry(write ? Operation.WRITE_ARRAY : Operation.READ_ARRAY, site, shadow.id), index);
                }
                return;
            }
        }
        slowRecordArray(thread, array, index, site, write);
    }

    private static void slowRecordArray(Thread thread, Object array, int index, int site, boolean write) {
        try {
            long lane = JraceLane.of(thread);
            JraceShadow shadow = JraceShadow.meet(thread, array, site);
            long entry = JraceLane.entry(write ? Operation.WRITE_ARRAY : Operation.READ_ARRAY, site, shadow.id);
            if (lane == WITHOUT_LANE) {
                depends(thread, lane, shadow, JraceLocation.ARRAY, write);
                JraceAgent.event(JraceThread.context(thread).id, entry, index, true);
            } else {
                JraceRegion.firstMet(lane, false);
                boolean depends = CHECKING && BY_ELEMENT || depends(thread, lane, shadow, JraceLocation.ARRAY, write);
                JraceLane.append(lane, depends, entry, index);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /**
     * Whether only the thread knows the object, as the module checkers::stream::fresh says: first it was accessed in a constructor, and nobody
     * else has come nor has the thread started another one since. No checker looks at that, so it is not recorded, and the object has
     * no number yet.
     */
    private static boolean isFresh(long lane, Object object, long where) {
        int number = U.getInt(object, where >>> 32);
        int own = U.getInt(lane + Lane.FRESH);
        if (number == 0 && (where & INITIALIZES) != 0) {
            U.putInt(object, where >>> 32, own);
            return true;
        }
        return number == own;
    }

    /** Whether a thread's access may have to come after one of another thread; takes note of it. Offset 0 is that of no word. */
    @ForceInline
    private static boolean depends(Thread thread, long lane, Object base, long offset, boolean write) {
        if (offset == 0) {
            return true;
        }
        if (CHECKING) {
            return JraceLocation.isForeign(base, offset, thread);
        }
        int word = U.getInt(base, offset);
        return word != ~JraceThread.others(thread) && isShared(thread, lane, base, offset, write, word);
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
            long unit = (JraceLane.nextTicket() >>> Lane.UNIT_BITS) + 1;
            U.putInt(base, offset, Integer.MIN_VALUE | (int) Math.min(unit, Integer.MAX_VALUE));
            return true;
        }
        int since = word & Integer.MAX_VALUE;
        return lane == WITHOUT_LANE || since == Integer.MAX_VALUE || since > U.getLong(lane + Lane.LATEST);
    }

    // ---- contents of maps -----------------------------------------------------------------------------------------

    /** What each method of such a map does, it does at once: its contents are like one volatile element of an array. */
    static void contents(Object map, int site, boolean write) {
        Thread thread = Thread.currentThread();
        if (!TRACING || site == 0 || LEAVING_OUT && JraceSpans.isLeftOut(thread)) {
            return;
        }
        try {
            long lane = JraceLane.of(thread);
            JraceShadow shadow = JraceShadow.of(map);
            describe(shadow, map);
            long entry = JraceLane.entry(write ? Operation.WRITE_ARRAY : Operation.READ_ARRAY, site, shadow.id);
            if (lane == WITHOUT_LANE) {
                JraceAgent.event(JraceThread.context(thread).id, entry, 0, true);
                return;
            }
            if (SPARING) {
                JraceRegion.parted(lane);
            }
            JraceLane.append(lane, true, entry, 0);
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    // ---- hand-over ------------------------------------------------------------------------------------------------

    private static boolean isVolatile(long where) {
        return where > 0 && (where & VOLATILE) != 0;
    }

    /** A volatile field of an object was accessed, where other ways to such fields tell of the object. */
    private static void handOver(Object object, boolean write) {
        if (write) {
            publish(object);
        } else {
            observe(object);
        }
    }

    /** A notification, which makes known what the thread has done to who waits, or would have. */
    static void tell(int operation, Thread thread, Object lock) {
        JraceShadow shadow = JraceShadow.of(lock);
        shadow.isPublished = true;
        event(operation, thread, 0, shadow.id);
    }

    /** What the thread has done is made known through an object. */
    static void publish(Object object) {
        JraceShadow shadow = JraceShadow.of(object);
        if (!shadow.isInternal(object)) {
            shadow.isPublished = true;
            event(Operation.PUBLISH, Thread.currentThread(), 0, shadow.id);
        }
    }

    /** The thread has seen what was made known so, if anything was. */
    static void observe(Object object) {
        JraceShadow shadow = JraceShadow.known(object);
        if (shadow != null && shadow.isPublished) {
            event(Operation.OBSERVE, Thread.currentThread(), 0, shadow.id);
        }
    }

    /** A static field is about to be written, perhaps a volatile one. */
    static void publishStatic(int site) {
        try {
            if (isVolatile(recorded(site) == 0 ? JraceRecordedSites.resolve(site) : recorded(site))) {
                staticField(site, true);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // As above.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    /**
     * Uses each native method that an event may need. The JVM looks for them with code of the library, which tells of events once it is
     * woven: they would need the method that is being looked for.
     */
    static void link() {
        Thread thread = Thread.currentThread();
        long lane = JraceLane.of(thread);
        JraceAgent.event(JraceThread.context(thread).id, JraceLane.entry(Operation.READ, 0, 0), 0, false);
        if (lane > 0) {
            JraceAgent.makeRoom(lane);
        }
        if (PLACED_ACQUISITIONS) {
            JraceAgent.callSite();
        }
    }

    // ---- other events ---------------------------------------------------------------------------------------------

    /** An event of synchronization or a transaction. */
    @DontInline
    static void event(int operation, Thread thread, int site, int object) {
        long lane = JraceLane.of(thread);
        boolean acquires = operation <= Operation.ACQUIRE_SHARED;
        // Nobody asks where something is handed over.
        boolean isPlaced = acquires ? PLACED_ACQUISITIONS : PLACED_OTHERS && operation < Operation.PUBLISH;
        int place = site == 0 && isPlaced ? JraceAgent.callSite() : site;
        // Without a ticket, what is published would stand before what others had observed until then.
        boolean depends = acquires || operation == Operation.JOIN || operation == Operation.WAIT_END || operation == Operation.CLASS_INIT_BEGIN
                || operation == Operation.OBSERVE || operation == Operation.PUBLISH;
        if (SPARING && lane > 0) {
            JraceRegion.goesOn(thread, lane, operation, site);
        }
        JraceLane.append(thread, depends, JraceLane.entry(operation, place, object));
        if (SPARING && lane > 0 && (operation == Operation.END || operation == Operation.RELEASE || operation == Operation.RELEASE_SHARED)) {
            JraceRegion.ended(thread, lane, operation);
        }
    }

    /** Says of which class a lock is, unless the trace has that already. */
    static void describe(JraceShadow shadow, Object lock) {
        if (!shadow.described) {
            shadow.described = true;
            JraceAgent.describe(shadow.id, lock);
        }
    }
}
