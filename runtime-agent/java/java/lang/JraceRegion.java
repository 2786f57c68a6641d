package java.lang;

import static java.lang.JraceLayout.LaneTables.VARIABLE_BITS;
import static java.lang.JraceLayout.Token.IS_OUTSIDE;
import static java.lang.JraceLayout.Token.NEXT_TOKEN;
import static java.lang.JraceLayout.Token.SEEN;
import static java.lang.JraceLayout.Token.SEEN_READ;
import static java.lang.JraceLayout.Token.SEEN_WRITE;
import static java.lang.JraceLane.MIXER;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.SPARING;

import java.lang.JraceLayout.Lane;
import java.lang.JraceLayout.Operation;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Which accesses are redundant in a trace for transactions: what the module checkers::stream::redundant says of them, on a table of the
 * thread's own, which has what the thread has seen of each variable in its region. A region ends with each event other than
 * accesses, and is known by its token.
 */
final class JraceRegion {
    private JraceRegion() {}

    /** In the key of a variable: an array or one of its elements. */
    static final long ELEMENT = 1L << 31;

    /** Whether the access says something new of the thread's transactions; takes note of it. Offset 0 is that of a volatile field. */
    @ForceInline
    static boolean isNew(long lane, int object, long offset, boolean write) {
        if (offset == 0) {
            parted(lane);
            return true;
        }
        long key = (long) object << 32 | offset;
        long at = U.getLong(lane + Lane.KNOWN) + (key * MIXER >>> 64 - VARIABLE_BITS << 4);
        long region = U.getLong(lane + Lane.REGION);
        long seen = U.getLong(at + 8) ^ region;
        if (U.getLong(at) != key || seen > SEEN || seen < 0) {
            seen = 0;
        }
        boolean isOutside = (region & IS_OUTSIDE) != 0;
        long own = write ? SEEN_WRITE : SEEN_READ;
        boolean redundant = isOutside ? (seen & own) != 0 : !write && seen == SEEN;
        if (!redundant) {
            long next = isOutside ? seen | own : write ? SEEN_WRITE : seen == 0 ? SEEN_READ : SEEN;
            U.putLong(at, key);
            U.putLong(at + 8, region | next);
        }
        return !redundant;
    }

    private static long newToken(long lane) {
        long token = U.getLong(lane + Lane.TOKEN) + NEXT_TOKEN;
        U.putLong(lane + Lane.TOKEN, token);
        return token;
    }

    /** Before an event that is no access: what it begins. */
    static void goesOn(Thread thread, long lane, int kind, int site) {
        boolean acquires = kind <= Operation.ACQUIRE_SHARED;
        if ((acquires || kind == Operation.BEGIN) && isFree(lane)) {
            JraceLane.hold(lane);
            if (LEAVING_OUT) {
                JraceSpans.begin(thread, lane, site);
            }
        }
        if (kind == Operation.BEGIN) {
            U.putLong(lane + Lane.DEPTH, U.getLong(lane + Lane.DEPTH) + 1);
            U.putLong(lane + Lane.REGION, newToken(lane));
        } else if (kind <= Operation.RELEASE_SHARED) {
            U.putLong(lane + Lane.LOCKS, U.getLong(lane + Lane.LOCKS) + (acquires ? 1 : -1));
            parted(lane);
        } else if (kind != Operation.END) {
            synchronizes(lane, kind);
        }
    }

    /** After the end of a transaction or a release. */
    static void ended(Thread thread, long lane, int kind) {
        if (kind == Operation.END) {
            long depth = Math.max(U.getLong(lane + Lane.DEPTH) - 1, 0);
            U.putLong(lane + Lane.DEPTH, depth);
            U.putLong(lane + Lane.REGION, depth == 0 ? U.getLong(lane + Lane.OUTSIDE) : newToken(lane));
        }
        if (isFree(lane)) {
            JraceLane.takeBack(lane);
            if (LEAVING_OUT) {
                JraceSpans.end(thread, lane);
            }
        }
    }

    /** Whether the thread is in no transaction and holds no lock. */
    private static boolean isFree(long lane) {
        return U.getLong(lane + Lane.DEPTH) == 0 && U.getLong(lane + Lane.LOCKS) == 0;
    }

    /** Starts, joins and waits; what may make something known to other threads in ways that no hook sees is told at once. */
    private static void synchronizes(long lane, int kind) {
        if (kind != Operation.NOTIFY && kind != Operation.NOTIFY_ALL) {
            JraceLane.publish(lane);
        }
        if (kind == Operation.FORK || kind == Operation.JOIN) {
            U.putLong(lane + Lane.SEGMENT, newToken(lane));
            if (LEAVING_OUT) {
                JraceSpans.forget(lane);
            }
        }
        if (kind == Operation.FORK) {
            U.putInt(lane + Lane.FRESH, Lane.IS_FRESH | (int) JraceLane.takeTicket());
        }
        parted(lane);
    }

    /** An event ends the region that is no beginning or end of a transaction. */
    static void parted(long lane) {
        long token = newToken(lane);
        U.putLong(lane + Lane.OUTSIDE, token | IS_OUTSIDE);
        U.putLong(lane + Lane.REGION, U.getLong(lane + Lane.DEPTH) == 0 ? token | IS_OUTSIDE : token);
    }

    /** An object may be accessed for the first time. How it will come to other threads is not known: this must be told before. */
    static void firstMet(long lane, boolean isVolatile) {
        if (SPARING && lane > 0) {
            JraceLane.publish(lane);
            if (isVolatile) {
                parted(lane);
            }
        }
    }
}
