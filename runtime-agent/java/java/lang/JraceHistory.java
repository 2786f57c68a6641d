package java.lang;

import static java.lang.JraceMode.PRECISE;

/** The state of a location of which several accesses can race with one to come. */
final class JraceHistory extends JraceState {
    /** More than so many are not kept: the oldest goes, and with it races that only it has. */
    private static final int MOST = 256;

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
     * The state after an access that races with none of those before. Source: {@code checkers::hybrid}, which says why what is left out
     * can be: an access that the thread knows of, if the new one is barer, and is not forgotten sooner; and the new one, if an access of the same moment is.
     */
    static JraceState after(JraceState state, JraceStamp access, JraceOrder order) {
        JraceStamp[] before = state.accesses();
        JraceStamp[] kept = new JraceStamp[before.length + 1];
        int n = 0;
        for (JraceStamp other : before) {
            if (other.isOfMoment(access) && other.isBarer(access)) {
                return state;
            }
            if (!(access.isBarer(other) && access.endsWith(other) && order.isAfter(other))) {
                kept[n++] = other;
            }
        }
        if (n == 0) {
            return access;
        }
        kept[n++] = access;
        int from = Math.max(n - MOST, 0);
        return new JraceHistory(java.util.Arrays.copyOfRange(kept, from, n));
    }

    /**
     * An access that the new one races with, rather one that is certain; null if there is none. Where happens-before alone counts, what
     * only locks have ordered does not race.
     */
    static JraceStamp race(JraceState state, JraceStamp access, JraceOrder order) {
        JraceStamp found = null;
        for (JraceStamp other : state.accesses()) {
            if (other.conflicts(access) && !order.isAfter(other)) {
                if (!order.mayHaveSeen(other)) {
                    return other;
                }
                found = found == null && !PRECISE ? other : found;
            }
        }
        return found;
    }
}
