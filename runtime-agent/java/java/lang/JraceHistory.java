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
    /** Nor one after which its thread has made so many more under locks that have none in common but those of the first, of which it has given one up. */
    private static final int SPREAD = 4;

    private final JraceStamp[] accesses;
    /** No lock of a higher number protects one of them. */
    private final int highest;
    /** A lock that protects each of them; null if there is none, or nobody has asked. */
    private JraceShadow guard;
    private boolean isAsked;

    private JraceHistory(JraceStamp[] accesses, int highest) {
        this.accesses = accesses;
        this.highest = highest;
        boolean hasLeft = accesses[accesses.length - 1].hasLeft();
        for (JraceStamp access : accesses) {
            if (!hasLeft || !access.isLasting) {
                put(access);
            }
        }
    }

    /** The same when a thread has found what was left by the last access: it had accessed the location before, by a stamp that serves on. */
    private JraceHistory(JraceHistory before, JraceStamp found) {
        super(before);
        accesses = before.accesses;
        highest = before.highest;
        put(found);
    }

    @Override
    JraceStamp[] accesses() {
        return accesses;
    }

    /**
     * The state after an access; null if that races with one of those before. Source: {@code checkers::order::hybrid}, which says why what is left out
     * can be: an access that the thread knows of, if the new one is barer, and is not forgotten sooner; and the new one, if one of the same time is barer and leaves as much.
     * Most often nothing is left of those before, so nothing is made until that is known.
     */
    @DontInline
    static JraceState next(JraceState state, JraceStamp access, JraceOrder order) {
        return next(state, access, order, false);
    }

    /** The same, of a location on which a race is known. */
    static JraceState nextAnyway(JraceState state, JraceStamp access, JraceOrder order) {
        return next(state, access, order, true);
    }

    private static JraceState next(JraceState state, JraceStamp access, JraceOrder order, boolean anyway) {
        return state instanceof JraceHistory history ? history.next(access, order, anyway) : next((JraceStamp) state, access, order, anyway);
    }

    private static JraceState next(JraceStamp other, JraceStamp access, JraceOrder order, boolean anyway) {
        boolean isAfter = order.isAfter(other);
        if (!isAfter && !anyway && races(other, access, order)) {
            return null;
        }
        if (other.saysAllOf(access)) {
            return other;
        }
        if (isAfter && access.replaces(other)) {
            return access;
        }
        return new JraceHistory(new JraceStamp[] {other, access}, Math.max(other.highestLock, access.highestLock));
    }

    private JraceState next(JraceStamp access, JraceOrder order, boolean anyway) {
        if (isBesides(access)) {
            return with(access);
        }
        JraceStamp[] kept = new JraceStamp[accesses.length + 1];
        int end = 0;
        boolean isKnown = false;
        for (JraceStamp other : accesses) {
            boolean isAfter = order.isAfter(other);
            if (!isAfter && !anyway && races(other, access, order)) {
                return null;
            }
            isKnown |= other.saysAllOf(access);
            if (!(isAfter && access.replaces(other))) {
                kept[end++] = other;
            }
        }
        if (isKnown) {
            return latest(access) == null ? new JraceHistory(this, access) : this;
        }
        return end == 0 ? access : after(kept, end, access);
    }

    /**
     * Whether an access races with none of these, and neither it nor one of them goes for the other: it is under a lock that they all are under, and
     * under one that none of them is.
     */
    private boolean isBesides(JraceStamp access) {
        return access.highestLock > highest
                && guard() != null
                && JraceLockSet.contains(access.locks(), guard)
                && (latest(access) == null || !latest(access).isOfTime(access));
    }

    /** Two threads that ask find the same. */
    private JraceShadow guard() {
        if (!isAsked) {
            guard = JraceLockSet.common(accesses);
            isAsked = true;
        }
        return guard;
    }

    /** With an access that leaves all of these, but for their number. */
    private JraceHistory with(JraceStamp access) {
        int n = accesses.length;
        int needless = n == MOST ? 0 : spread(accesses, n, access);
        JraceStamp[] kept = Arrays.copyOf(accesses, needless < 0 ? n + 1 : n);
        if (needless >= 0) {
            without(kept, n, needless);
        }
        kept[kept.length - 1] = access;
        JraceHistory next = new JraceHistory(kept, access.highestLock);
        next.guard = guard;
        next.isAsked = true;
        return next;
    }

    /** With so many of the accesses before. */
    private JraceHistory after(JraceStamp[] kept, int n, JraceStamp access) {
        int end = n;
        int alike = access.locks().length == 0 ? 0 : alike(kept, n, access);
        if (end == MOST || alike == ALIKE) {
            end = without(kept, end, alike == ALIKE ? firstLike(kept, access) : 0);
        }
        int needless = spread(kept, end, access);
        if (needless >= 0) {
            end = without(kept, end, needless);
        }
        kept[end++] = access;
        return new JraceHistory(end == kept.length ? kept : Arrays.copyOf(kept, end), Math.max(highest, access.highestLock));
    }

    private static int alike(JraceStamp[] accesses, int n, JraceStamp access) {
        int alike = 0;
        for (int at = 0; at < n; at++) {
            alike += accesses[at].isLike(access) ? 1 : 0;
        }
        return alike;
    }

    /** Takes one of so many out; gives how many are left. */
    private static int without(JraceStamp[] accesses, int n, int at) {
        System.arraycopy(accesses, at + 1, accesses, at, n - 1 - at);
        return n - 1;
    }

    /** The first of so many accesses of which later ones say enough, with one more that is the last of all; -1 if there is none. */
    private static int spread(JraceStamp[] accesses, int n, JraceStamp last) {
        int own = 0;
        for (int at = 0; at < n; at++) {
            own += accesses[at].isOfThread(last) ? 1 : 0;
        }
        if (own < SPREAD) {
            return -1;
        }
        JraceStamp[] apart = new JraceStamp[SPREAD];
        for (int at = 0; at <= n - SPREAD + 1; at++) {
            if (isSpread(accesses, at, n, last, apart)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isSpread(JraceStamp[] accesses, int at, int n, JraceStamp last, JraceStamp[] apart) {
        JraceStamp first = accesses[at];
        if (!first.isOfThread(last) || JraceLockSet.isSubset(first.locks(), last.locks())) {
            return false;
        }
        apart[0] = last;
        int found = 1;
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
