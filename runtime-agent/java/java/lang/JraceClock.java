package java.lang;

import static java.lang.JraceMode.TASKS;

import jdk.internal.vm.annotation.DontInline;

/**
 * What a thread, or several, had done and knew at some moments. It never changes, so threads and objects share it. That of one thread
 * has its own values beside the arrays, which are those of later clocks, too, until the thread learns more.
 */
final class JraceClock {
    private static final int SEVERAL = -1;

    private final int slot;
    private final long time;
    private final long moment;
    private final long[][] seen;
    private final long[][] known;
    /** What of that counts between requests ({@link JraceOrder}). */
    private final long[][] apart;
    /** What came before that which was found under locks. */
    final JraceFound found;
    /** Whether one of the threads handled a request, or worked for one. */
    final boolean isOfRequest;
    /** The test that the thread worked for; of several threads, the one that came last. */
    final int test;

    JraceClock(int slot, long time, long moment, long[][] seen, long[][] known, long[][] apart, JraceFound found, boolean isOfRequest, int test) {
        this.slot = slot;
        this.time = time;
        this.moment = moment;
        this.seen = seen;
        this.known = known;
        this.apart = apart;
        this.found = found;
        this.isOfRequest = isOfRequest;
        this.test = test;
    }

    /** That of several, or of a task: who knows a moment of it need not know what it knew. */
    static JraceClock of(long[][] seen, long[][] known, long[][] apart, JraceFound found, boolean isOfRequest, int test) {
        return new JraceClock(SEVERAL, 0, 0, seen, known, apart, found, isOfRequest, test);
    }

    /** Whether a thread knows all of this. Who knows a moment of a thread knows what that one knew by then. */
    boolean isKnownTo(JraceOrder order) {
        return isKnownButFor(order) && (!TASKS || order.knowsApart(allApart()));
    }

    /** The same but for what counts between requests. */
    boolean isKnownButFor(JraceOrder order) {
        if (slot != SEVERAL) {
            return order.knows(slot, moment) && order.hasSeen(slot, time);
        }
        return order.knows(known) && order.hasSeen(seen);
    }

    /** The same for happens-before alone. */
    boolean isSeenBy(JraceOrder order) {
        if (slot != SEVERAL) {
            return order.hasSeen(slot, time);
        }
        return order.hasSeen(seen);
    }

    /** By slot; the thread's own values are among them. */
    long[][] allSeen() {
        return slot == SEVERAL ? seen : JraceVector.put(seen, slot, time, true);
    }

    long[][] allKnown() {
        return slot == SEVERAL ? known : JraceVector.put(known, slot, moment, true);
    }

    long[][] allApart() {
        return slot == SEVERAL || apart == null ? apart : JraceVector.put(apart, slot, moment, true);
    }

    @DontInline
    JraceClock join(JraceClock other) {
        return of(
                JraceVector.merge(allSeen(), other.allSeen(), true), JraceVector.merge(allKnown(), other.allKnown(), true),
                TASKS ? JraceVector.merge(allApart(), other.allApart(), true) : null,
                found.with(other.found), isOfRequest || other.isOfRequest, other.test);
    }
}
