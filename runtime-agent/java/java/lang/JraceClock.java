package java.lang;

import java.util.Arrays;

/**
 * What a thread, or several, had done and knew at some moments. It never changes, so threads and objects share it. That of one thread
 * has its own values beside the arrays, which are those of later clocks, too, until the thread learns more.
 */
final class JraceClock {
    private static final int SEVERAL = -1;

    private final int slot;
    private final long time;
    private final long moment;
    private final long[] seen;
    private final long[] known;

    JraceClock(int slot, long time, long moment, long[] seen, long[] known) {
        this.slot = slot;
        this.time = time;
        this.moment = moment;
        this.seen = seen;
        this.known = known;
    }

    /** Whether a thread knows all of this. Who knows a moment of a thread knows what that one knew by then. */
    boolean isKnownTo(JraceOrder order) {
        if (slot != SEVERAL) {
            return order.knows(slot, moment) && order.hasSeen(slot, time);
        }
        for (int i = 0; i < known.length; i++) {
            if (known[i] != 0 && !order.knows(i, known[i])) {
                return false;
            }
        }
        return isSeenBy(order);
    }

    /** The same for happens-before alone. */
    boolean isSeenBy(JraceOrder order) {
        if (slot != SEVERAL) {
            return order.hasSeen(slot, time);
        }
        for (int i = 0; i < seen.length; i++) {
            if (seen[i] != 0 && !order.hasSeen(i, seen[i])) {
                return false;
            }
        }
        return true;
    }

    /** By slot; the thread's own values are among them. */
    long[] allSeen() {
        return slot == SEVERAL ? seen : with(seen, slot, time);
    }

    long[] allKnown() {
        return slot == SEVERAL ? known : with(known, slot, moment);
    }

    JraceClock join(JraceClock other) {
        return new JraceClock(SEVERAL, 0, 0, greatest(allSeen(), other.allSeen()), greatest(allKnown(), other.allKnown()));
    }

    private static long[] with(long[] values, int slot, long value) {
        long[] all = Arrays.copyOf(values, Math.max(values.length, slot + 1));
        all[slot] = Math.max(all[slot], value);
        return all;
    }

    private static long[] greatest(long[] a, long[] b) {
        long[] most = (a.length >= b.length ? a : b).clone();
        long[] other = a.length >= b.length ? b : a;
        for (int i = 0; i < other.length; i++) {
            most[i] = Math.max(most[i], other[i]);
        }
        return most;
    }
}
