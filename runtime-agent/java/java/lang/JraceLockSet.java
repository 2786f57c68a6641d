package java.lang;

import java.util.Arrays;

/** A set of locks that a thread held. It never changes, so the stamps of all accesses under it share it. */
final class JraceLockSet {
    private static final JraceShadow[] NONE = {};
    static final JraceLockSet EMPTY = new JraceLockSet(NONE, NONE);

    /** All locks, and those that are held exclusively: the first protect reads, the others writes. */
    private final JraceShadow[] all;
    private final JraceShadow[] exclusive;

    private JraceLockSet(JraceShadow[] all, JraceShadow[] exclusive) {
        this.all = all;
        this.exclusive = exclusive;
    }

    JraceLockSet with(JraceShadow lock, boolean shared) {
        JraceShadow[] more = add(all, lock);
        JraceShadow[] most = exclusive == all ? more : add(exclusive, lock);
        return new JraceLockSet(more, shared ? exclusive : most);
    }

    private static JraceShadow[] add(JraceShadow[] locks, JraceShadow lock) {
        if (contains(locks, lock)) {
            return locks;
        }
        JraceShadow[] more = Arrays.copyOf(locks, locks.length + 1);
        more[locks.length] = lock;
        return more;
    }

    JraceShadow[] protecting(boolean write) {
        return write ? exclusive : all;
    }

    /** The highest number of one of these locks: no set has that lock of which the highest number is lower. */
    static int highest(JraceShadow[] locks) {
        int highest = 0;
        for (JraceShadow lock : locks) {
            highest = Math.max(highest, lock.id);
        }
        return highest;
    }

    static boolean contains(JraceShadow[] locks, JraceShadow lock) {
        for (JraceShadow one : locks) {
            if (one == lock) {
                return true;
            }
        }
        return false;
    }

    /** The same, where the lock is likely to stand: sets of one thread begin alike. */
    private static boolean contains(JraceShadow[] locks, JraceShadow lock, int at) {
        return at < locks.length && locks[at] == lock || contains(locks, lock);
    }

    /** A lock that protects all of these accesses; null if there is none. */
    static JraceShadow common(JraceStamp[] accesses) {
        for (JraceShadow lock : accesses[0].locks()) {
            int at = 1;
            while (at < accesses.length && contains(accesses[at].locks(), lock)) {
                at++;
            }
            if (at == accesses.length) {
                return lock;
            }
        }
        return null;
    }

    static boolean areDisjoint(JraceShadow[] some, JraceShadow[] others) {
        for (int at = 0; at < some.length; at++) {
            if (contains(others, some[at], at)) {
                return false;
            }
        }
        return true;
    }

    /** Whether two sets have a lock in common that is not in a third. */
    static boolean meet(JraceShadow[] some, JraceShadow[] others, JraceShadow[] but) {
        for (int at = 0; at < some.length; at++) {
            if (!contains(but, some[at], at) && contains(others, some[at], at)) {
                return true;
            }
        }
        return false;
    }

    static boolean isSame(JraceShadow[] some, JraceShadow[] others) {
        return some.length == others.length && isSubset(some, others);
    }

    static boolean isSubset(JraceShadow[] some, JraceShadow[] others) {
        if (some.length > others.length) {
            return false;
        }
        for (int at = 0; at < some.length; at++) {
            if (!contains(others, some[at], at)) {
                return false;
            }
        }
        return true;
    }
}
