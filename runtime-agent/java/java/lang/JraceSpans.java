package java.lang;

import static java.lang.JraceLane.MIXER;
import static java.lang.JraceLayout.LaneTables.PLACES;
import static java.lang.JraceLayout.LaneTables.PLACE_BITS;
import static java.lang.JraceLayout.LaneTables.STEPS;
import static java.lang.JraceLayout.LaneTables.STEP_BITS;
import static java.lang.JraceLayout.LaneTables.TABLE_BYTES;
import static java.lang.JraceMemory.U;

import java.lang.JraceLayout.Lane;
import java.lang.JraceLayout.Operation;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Which spans a thread has recorded so often that it leaves them out.
 *
 * <p>A <em>span</em> is what a thread does from an event at which it is in no transaction and holds no lock up to the next time
 * that this is so; an access there is one of its own. Its <em>place</em> is the site at which it begins, and its <em>steps</em>
 * are the pairs of sites that follow on each other in it. A place is known to a thread once ten thousand spans of it in a row
 * had no step that was new, or fewer if they are long, down to a hundred of three thousand entries; its spans are then left out
 * whole, so that no lock and no transaction is known by half. What is left of the trace is that of a run in which they did not
 * happen ({@code checkers::atomicity::oracle}: no checker accuses more).
 *
 * <p>Once a second begins a <em>burst</em> (module lanes): each thread records some spans of each place again, at the same time
 * as the others; what is new in one makes its place unknown. Starts and joins of threads, which change what can come in between,
 * make all places of their thread unknown.
 *
 * <p>Only monitors and transactions are counted while a span is left out: woven code leaves them as it has entered them. Locks of
 * libraries may be released by who does not hold them, so they stay on the stack of locks. Of a thread that runs out of stack in a
 * hook meanwhile, a part of a span may be recorded, or nothing any more.
 */
final class JraceSpans {
    /** The weight of spans without a new step after which a place is known. */
    private static final long ENOUGH = 10_000;

    /**
     * A span weighs one and one more for so many entries, up to this: of what takes long, as many entries are recorded as of short
     * spans, not as many spans.
     */
    private static final int WEIGHED = 32;
    private static final long HEAVIEST = 100;

    /** {@link JraceThread#quiet}: in no span, or in one that is recorded; else how much of one that is left out is open. */
    private static final int OUTSIDE = 0;
    private static final int RECORDED = -1;

    private JraceSpans() {}

    /** Whether what the thread does is left out. */
    @ForceInline
    static boolean isLeftOut(Thread thread) {
        return JraceThread.quiet(thread) > OUTSIDE;
    }

    /** The same for an access, which is a span of its own if it is in no other. */
    @ForceInline
    static boolean isLeftOut(Thread thread, int site) {
        int open = JraceThread.quiet(thread);
        return open > OUTSIDE || open == OUTSIDE && isKnown(JraceThread.lane(thread), site);
    }

    /** An access that is not left out. */
    @ForceInline
    static void access(Thread thread, int site) {
        if (JraceThread.quiet(thread) == OUTSIDE && JraceThread.lane(thread) > 0 && site != 0) {
            long place = meet(JraceThread.lane(thread), site);
            U.putLong(place, U.getLong(place) - (1L << 32));
        }
    }

    /** A transaction begins or a lock was taken: whether that is left out. */
    @ForceInline
    static boolean entersLeftOut(Thread thread, int site) {
        int open = JraceThread.quiet(thread);
        if (open < OUTSIDE || open == OUTSIDE && !isKnown(JraceThread.lane(thread), site)) {
            return false;
        }
        JraceThread.quiet(thread, open + 1);
        return true;
    }

    /** It ends. */
    @ForceInline
    static boolean leavesLeftOut(Thread thread) {
        int open = JraceThread.quiet(thread);
        if (open <= OUTSIDE) {
            return false;
        }
        JraceThread.quiet(thread, open - 1);
        return true;
    }

    /** Virtual threads have no lane, and what begins in the JDK no site. */
    @ForceInline
    private static boolean isKnown(long lane, int site) {
        return lane > 0
                && site != 0
                && U.getLong(place(lane, site)) == site;
    }

    @ForceInline
    private static long place(long lane, int site) {
        return U.getLong(lane + Lane.KNOWN) + PLACES + ((long) (site & (1 << PLACE_BITS) - 1) << 3);
    }

    /** A span begins that is recorded. */
    static void begin(Thread thread, long lane, int site) {
        JraceThread.quiet(thread, RECORDED);
        if (site != 0) {
            U.putLong(lane + Lane.PLACE, meet(lane, site));
            U.putLong(lane + Lane.LAST, 0);
            U.putLong(lane + Lane.ENTRIES, 0);
        }
    }

    /** The place of a span that is recorded: unknown, if another site has taken it. */
    private static long meet(long lane, int site) {
        long place = place(lane, site);
        if ((int) U.getLong(place) != site || U.getLong(place) == site) {
            U.putLong(place, ENOUGH << 32 | site);
        }
        return place;
    }

    /** An entry of the span that is recorded, if there is one. */
    @ForceInline
    static void step(long lane, long entry) {
        long place = U.getLong(lane + Lane.PLACE);
        if (place != 0) {
            step(lane, place, entry >>> Operation.SITE_SHIFT);
        }
    }

    private static void step(long lane, long place, long next) {
        long hash = ((place ^ U.getLong(lane + Lane.LAST)) * MIXER ^ next) * MIXER >>> 64 - STEP_BITS;
        long at = U.getLong(lane + Lane.KNOWN) + STEPS + (hash >>> 6 << 3);
        long steps = U.getLong(at);
        long isNew = ~steps >>> hash & 1;
        if (isNew != 0) {
            U.putLong(at, steps | 1L << hash);
        }
        U.putLong(lane + Lane.ENTRIES, U.getLong(lane + Lane.ENTRIES) + 2 | isNew);
        U.putLong(lane + Lane.LAST, next);
    }

    /** The span has ended that was recorded. */
    static void end(Thread thread, long lane) {
        long place = U.getLong(lane + Lane.PLACE);
        if (place != 0) {
            long known = U.getLong(place);
            long entries = U.getLong(lane + Lane.ENTRIES);
            long weight = Math.min(1 + entries / (2 * WEIGHED), HEAVIEST);
            long left = (entries & 1) != 0 ? ENOUGH : Math.max((known >>> 32) - weight, 0);
            U.putLong(place, left << 32 | known & 0xFFFF_FFFFL);
            U.putLong(lane + Lane.PLACE, 0);
        }
        JraceThread.quiet(thread, OUTSIDE);
    }

    /** All is new again. */
    static void forget(long lane) {
        U.setMemory(U.getLong(lane + Lane.KNOWN) + PLACES, TABLE_BYTES - PLACES, (byte) 0);
    }
}
