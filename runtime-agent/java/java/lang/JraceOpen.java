package java.lang;

import static java.lang.JraceMode.PRECISE;

import java.lang.JraceLayout.Pair;

/** The state of a location on which a race was found, while further accesses are looked at: they show how, each by itself. */
final class JraceOpen extends JraceState {
    /** By the number that the agent knows it by, each access whose stack it keeps. */
    private final Seen[] seen = new Seen[Pair.WITNESSES];
    private int n;
    /** How many pairs, and how many accesses, are still looked at. */
    private int pairs = Pair.PAIRS;
    private int wanted = Pair.WANTED;

    /** An access: a stamp is too coarse for times. */
    private static final class Seen {
        final JraceStamp stamp;
        final long time;
        final int site;

        Seen(JraceStamp stamp, long time, int site) {
            this.stamp = stamp;
            this.time = time;
            this.site = site;
        }

        boolean isLike(Seen other) {
            return stamp.thread == other.stamp.thread && stamp.write == other.stamp.write && site == other.site;
        }
    }

    @Override
    JraceStamp[] accesses() {
        return NONE;
    }

    /** The access that completed the race; false if no further ones are wanted. */
    boolean begin(JraceAccessed access, JraceStamp other, JraceOrder order) {
        if (!access.race(other, !order.mayHaveSeen(other))) {
            return false;
        }
        seen[n] = new Seen(access.stamp, order.time(), access.site);
        n++;
        return true;
    }

    /** A further access; false if it was the last that is wanted. */
    boolean add(JraceAccessed access, JraceOrder order) {
        Seen current = new Seen(access.stamp, order.time(), access.site);
        long certain = 0;
        long possible = 0;
        int like = -1;
        for (int i = 0; i < n; i++) {
            Seen other = seen[i];
            if (other.isLike(current)) {
                like = i;
            }
            if (other.stamp.conflicts(current.stamp) && !order.isAfter(other.stamp)) {
                if (!order.hasSeen(other.stamp.timeSlot, other.time)) {
                    certain |= 1L << i;
                } else if (!PRECISE) {
                    possible |= 1L << i;
                }
            }
        }
        int place = like >= 0 ? like : n < seen.length ? n : -1;
        boolean races = (certain | possible) != 0;
        boolean last = --wanted == 0 || races && --pairs == 0;
        if (races || last || place == n || place >= 0 && seen[place].stamp.held != current.stamp.held) {
            access.pair(certain, possible, place, last);
        }
        if (place >= 0) {
            seen[place] = current;
            n = Math.max(n, place + 1);
        }
        return !last;
    }
}
