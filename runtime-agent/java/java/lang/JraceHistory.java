package java.lang;

import static java.lang.JraceMode.PRECISE;

import java.util.Arrays;
import jdk.internal.vm.annotation.DontInline;

/** The state of a location of which several accesses can race with one to come. */
final class JraceHistory extends JraceState {
    /** More than so many are not kept: the oldest goes, and with it races that only it has. */
    private static final int MOST = 256;
    /** Nor more than so many of one kind under the same locks. */
    private static final int ALIKE = 8;
    /** Nor one after which its thread has made so many more under locks that have none in common but those of the first. */
    private static final int SPREAD = 8;

    private final JraceStamp[] accesses;

    private JraceHistory(JraceStamp[] accesses) {
        this.accesses = accesses;
        for (JraceStamp access : accesses) {
            put(access);
        }
    }

    @Override
    JraceStamp[] accesses() {
        return accesses;
    }

    /**
     * The state after an access; null if that races with one of those before. Source: {@code checkers::order::hybrid}, which says why what is left out
     * can be: an access that the thread knows of, if the new one is barer, and is not forgotten sooner; and the new one, if an access of the same moment is.
     * Most often nothing is left of those before, so nothing is made until that is known.
     */
    @DontInline
    static JraceState next(JraceState state, JraceStamp access, JraceOrder order) {
        JraceStamp[] before = state.accesses();
        boolean isKnown = false;
        int n = 0;
        for (JraceStamp other : before) {
            boolean isAfter = order.isAfter(other);
            if (!isAfter && races(other, access, order)) {
                return null;
            }
            isKnown |= other.isOfTime(access) && other.isBarer(access);
            n += isAfter && access.replaces(other) ? 0 : 1;
        }
        if (isKnown) {
            return state;
        }
        return n == 0 ? access : after(before, n, access, order);
    }

    /** With so many of the accesses before. */
    private static JraceState after(JraceStamp[] before, int n, JraceStamp access, JraceOrder order) {
        JraceStamp[] kept = new JraceStamp[n + 1];
        int end = 0;
        int alike = 0;
        for (JraceStamp other : before) {
            if (n == before.length || !(access.replaces(other) && order.isAfter(other))) {
                kept[end++] = other;
                alike += other.isLike(access) ? 1 : 0;
            }
        }
        if (end == MOST || alike == ALIKE) {
            int oldest = alike == ALIKE ? firstLike(kept, access) : 0;
            System.arraycopy(kept, oldest + 1, kept, oldest, --end - oldest);
        }
        kept[end++] = access;
        if (end > SPREAD) {
            end = withoutSpread(kept, end);
        }
        return new JraceHistory(end == kept.length ? kept : Arrays.copyOf(kept, end));
    }

    /** Takes out the first access of which so many later ones, the last of all among them, say enough; gives how many are left. */
    private static int withoutSpread(JraceStamp[] accesses, int n) {
        JraceStamp[] apart = new JraceStamp[SPREAD];
        for (int at = 0; at < n - SPREAD; at++) {
            if (isSpread(accesses, at, n, apart)) {
                System.arraycopy(accesses, at + 1, accesses, at, n - at - 1);
                return n - 1;
            }
        }
        return n;
    }

    private static boolean isSpread(JraceStamp[] accesses, int at, int n, JraceStamp[] apart) {
        JraceStamp first = accesses[at];
        JraceStamp last = accesses[n - 1];
        if (!first.isOfThread(last)) {
            return false;
        }
        int found = 0;
        for (int later = n - 1; later > at && found < SPREAD; later--) {
            JraceStamp other = accesses[later];
            if (other.isOfThread(last) && other.isApart(apart, found, first)) {
                apart[found++] = other;
            }
        }
        return found == SPREAD;
    }

    private static int firstLike(JraceStamp[] accesses, JraceStamp access) {
        int at = 0;
        while (!accesses[at].isLike(access)) {
            at++;
        }
        return at;
    }

    /** The first access with which the new one races as surely as with any; null if there is none. */
    static JraceStamp race(JraceState state, JraceStamp access, JraceOrder order) {
        JraceStamp surest = null;
        for (JraceStamp other : state.accesses()) {
            if (!order.isAfter(other) && races(other, access, order) && (surest == null || order.grade(other) < order.grade(surest))) {
                surest = other;
            }
        }
        return surest;
    }

    /** Of accesses that no hand-over orders. Where happens-before alone counts, what only locks have ordered does not race. */
    private static boolean races(JraceStamp other, JraceStamp access, JraceOrder order) {
        return other.conflicts(access) && !(PRECISE && order.mayHaveSeen(other));
    }
}
