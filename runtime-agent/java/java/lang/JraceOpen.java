package java.lang;

import static java.lang.JraceMode.PRECISE;

import java.lang.JraceLayout.Grade;
import java.lang.JraceLayout.Pair;

/** The state of a location on which a race was found, while further accesses are looked at: they show how, each by itself. */
final class JraceOpen extends JraceState {
    /** By the number that the agent knows it by, each access whose stack it keeps. */
    private final Seen[] seen = new Seen[Pair.WITNESSES];
    private int n;
    /** By grade, how many pairs are still told: weaker ones come first, and are not to hide that it is certain. */
    private final int[] pairs = {Pair.PAIRS, Pair.PAIRS, Pair.PAIRS};
    /** How many accesses are still looked at. */
    private int wanted = Pair.WANTED;
    /** What would be the state without the race: what is left at the location is found there all the same. */
    private JraceState history;

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
        if (!access.race(other, order.grade(other))) {
            wanted = 0;
            return false;
        }
        seen[n] = new Seen(access.stamp, order.time(), access.site);
        n++;
        return true;
    }

    /** What was known of the location when the race was found. */
    void follows(JraceState state) {
        history = state;
    }

    JraceState history() {
        return history;
    }

    /** Takes note of an access, for those who find what it has left. */
    void notes(JraceStamp access, JraceOrder order) {
        if (history != null) {
            history = JraceHistory.nextAnyway(history, access, order);
        }
        if (wanted == 0) {
            // By the same stamp a thread finds nothing new, until something is left.
            if (access.hasLeft()) {
                forget();
            }
            put(access);
        }
    }

    /** Whether somebody may find something here. */
    boolean hasLeft() {
        if (history != null) {
            for (JraceStamp access : history.accesses()) {
                if (access.handed != null) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A further access; false if no more are wanted. */
    boolean add(JraceAccessed access, JraceOrder order) {
        if (wanted == 0) {
            return false;
        }
        Seen current = new Seen(access.stamp, order.time(), access.site);
        long[] races = new long[Grade.NUMBER];
        int like = -1;
        for (int i = 0; i < n; i++) {
            Seen other = seen[i];
            if (other.isLike(current)) {
                like = i;
            }
            if (other.stamp.conflicts(current.stamp) && !order.isAfter(other.stamp)) {
                int grade = order.grade(other.stamp, other.time);
                races[grade] |= pairs[grade] > 0 && (grade == Grade.CERTAIN || !PRECISE) ? 1L << i : 0;
            }
        }
        int place = like >= 0 ? like : n < seen.length ? n : -1;
        boolean isRace = counts(races);
        wanted = pairs[Grade.CERTAIN] == 0 ? 0 : wanted - 1;
        boolean last = wanted == 0;
        if (isRace || last || place == n || place >= 0 && seen[place].stamp.locks != current.stamp.locks) {
            access.pair(races, place, last);
        }
        if (place >= 0) {
            seen[place] = current;
            n = Math.max(n, place + 1);
        }
        return !last;
    }

    /** Counts the grades that an access has a race of; whether there are any. */
    private boolean counts(long[] races) {
        boolean any = false;
        for (int grade = 0; grade < races.length; grade++) {
            pairs[grade] -= races[grade] == 0 ? 0 : 1;
            any |= races[grade] != 0;
        }
        return any;
    }
}
