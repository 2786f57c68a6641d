package java.lang;

import static java.lang.JraceLayout.Lane.WITHOUT_LANE;
import static java.lang.JraceLayout.LaneTables.DONE_BEFORE;
import static java.lang.JraceLayout.LaneTables.DONE_BITS;
import static java.lang.JraceLayout.Operation.OPERATION_SHIFT;
import static java.lang.JraceLayout.Operation.SITE_SHIFT;
import static java.lang.JraceMemory.U;
import static java.lang.JraceMode.BY_ELEMENT;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.RECORDING;
import static java.lang.JraceMode.SPARING;

import java.lang.JraceLayout.Lane;
import java.lang.JraceLayout.Operation;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What a thread writes to its lane: entries and tickets, which are those of the agent's module lanes.
 *
 * <p>What a thread does from a place where it is in no transaction and holds no lock up to the next one is taken back if it has done
 * the same before, since it last started or joined a thread. Until then the entries are <em>held back</em>: as long as something
 * before has begun with the same ones. Virtual threads have no lane, and so nothing of this.
 */
final class JraceLane {
    private JraceLane() {}

    private static final long TICKETS = RECORDING ? JraceAgent.tickets() : 0;
    private static final long TICKET = (long) Operation.TICKET << OPERATION_SHIFT;

    /** {@link Lane#LEARN} at the beginning. */
    private static final long LEARNT = 16;

    static final long MIXER = 0x9E37_79B9_7F4A_7C15L;

    @ForceInline
    static long entry(long operation, int site, int object) {
        return operation << OPERATION_SHIFT | (long) site << SITE_SHIFT | object & 0xFFFF_FFFFL;
    }

    /** The lane of a thread, opened at its first event. */
    static long of(Thread thread) {
        long lane = JraceThread.lane(thread);
        if (lane == 0) {
            JraceContext context = JraceContext.of(thread);
            lane = JraceContext.isVirtual(thread) ? WITHOUT_LANE : JraceAgent.open(context.id);
            JraceThread.lane(thread, lane);
        }
        return lane;
    }

    /** A ticket for nothing. */
    static long takeTicket() {
        return U.getAndAddLong(null, TICKETS, 1);
    }

    /** The ticket that comes next. */
    static long nextTicket() {
        return U.getLongVolatile(null, TICKETS);
    }

    static void append(Thread thread, boolean depends, long entry) {
        long lane = JraceThread.lane(thread);
        if (lane == WITHOUT_LANE) {
            JraceAgent.event(JraceThread.context(thread).id, entry, 0, false);
        } else {
            append(lane, depends, entry);
        }
    }

    @ForceInline
    static void append(long lane, boolean depends, long entry) {
        long at = depends ? ticket(lane) : room(lane);
        U.putLong(at, entry);
        advance(lane, at + 8, entry);
    }

    @ForceInline
    static void append(long lane, boolean depends, long entry, int index) {
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
        if (SPARING && U.getLong(lane + Lane.DONE) != 0) {
            advanceInside(lane, end, entry);
        } else {
            U.putLongRelease(null, lane, end);
        }
    }

    /** The same in a transaction or with a lock: what is held back is published once something is done that was not done before. */
    private static void advanceInside(long lane, long end, long entry) {
        long done = Long.rotateLeft((U.getLong(lane + Lane.DONE) ^ entry) * MIXER, 31);
        long at = U.getLong(lane + Lane.KNOWN) + DONE_BEFORE + (done >>> 64 - DONE_BITS << 5);
        boolean isKnown = U.getLong(at) == done || isKnownBeside(at, done);
        U.putLong(lane + Lane.DONE, done);
        if (!isKnown) {
            learn(lane, at, done);
        }
        if (U.getLong(lane + Lane.HELD) == 0) {
            U.putLongRelease(null, lane, end);
            return;
        }
        U.putLongRelease(null, lane + Lane.HELD, end);
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
        long more = U.getLong(lane + Lane.LEARN);
        U.putLong(lane + Lane.LEARN, more - 1);
        if (more > 0) {
            for (int i = 24; i > 0; i -= 8) {
                U.putLong(at + i, U.getLong(at + i - 8));
            }
            U.putLong(at, done);
        } else {
            U.putLong(lane + Lane.DONE, 0);
        }
    }

    @ForceInline
    private static long room(long lane) {
        long held = SPARING ? U.getLong(lane + Lane.HELD) : 0;
        long at = held != 0 ? held : U.getLong(lane);
        return at <= U.getLong(lane + Lane.LIMIT) ? at : moreRoom(lane);
    }

    private static long moreRoom(long lane) {
        publish(lane);
        JraceAgent.makeRoom(lane);
        return U.getLong(lane);
    }

    /** Takes a ticket; returns where the event goes. What is held back gets one when it is published. */
    private static long ticket(long lane) {
        long at = room(lane);
        if (SPARING && U.getLong(lane + Lane.HELD) != 0) {
            return at;
        }
        long ticket = takeTicket();
        U.putLong(at, TICKET | ticket);
        U.putLongRelease(null, lane, at + 8);
        U.putLong(lane + Lane.LATEST, ticket >>> Lane.UNIT_BITS);
        return at + 8;
    }

    // ---- what is held back ----------------------------------------------------------------------------------------

    /** Something begins whose entries are held back. */
    static void hold(long lane) {
        U.putLong(lane + Lane.BEFORE, U.getLong(lane + Lane.OUTSIDE));
        U.putLong(lane + Lane.DONE, U.getLong(lane + Lane.SEGMENT));
        U.putLong(lane + Lane.LEARN, LEARNT);
        long at = room(lane);
        U.putLong(at, TICKET);
        U.putLongRelease(null, lane + Lane.HELD, at + 8);
    }

    /** It has ended. If its entries are held back still, the same was done before, and this is as if it had not been. */
    static void takeBack(long lane) {
        U.putLong(lane + Lane.DONE, 0);
        if (U.getLong(lane + Lane.HELD) != 0) {
            U.putLongRelease(null, lane + Lane.HELD, 0);
            U.putLong(lane + Lane.OUTSIDE, U.getLong(lane + Lane.BEFORE));
            U.putLong(lane + Lane.REGION, U.getLong(lane + Lane.OUTSIDE));
        }
    }

    /** Publishes entries that are held back, if there are any. They stand at a ticket that is taken now, in the word before them. */
    static void publish(long lane) {
        long held = SPARING ? U.getLong(lane + Lane.HELD) : 0;
        if (held != 0) {
            long ticket = takeTicket();
            U.putLong(U.getLong(lane), TICKET | ticket);
            U.putLong(lane + Lane.LATEST, ticket >>> Lane.UNIT_BITS);
            U.putLongRelease(null, lane, held);
            U.putLong(lane + Lane.HELD, 0);
        }
    }
}
