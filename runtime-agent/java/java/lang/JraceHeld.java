package java.lang;

import java.util.Arrays;

/** A set of locks that a thread holds, and the stamp of what it does under them. Each thread has its own, so none is guarded. */
final class JraceHeld {
    private static final JraceShadow[] NONE = {};
    private static final int OTHERS = 16;

    /** The lock that was taken last. */
    final JraceShadow lock;
    final boolean shared;
    /** All locks, and those that are held exclusively: the first protect reads, the others writes. */
    private final JraceShadow[] all;
    private final JraceShadow[] exclusive;
    /** That of writes, when an access last asked for it. */
    JraceStamp stamp;
    /** The set that was latest made of this one by a further lock, and others that were, by the number of the lock. */
    private JraceHeld latest;
    private JraceHeld[] others;

    /** No locks. */
    JraceHeld() {
        this(null, false, NONE, NONE);
    }

    private JraceHeld(JraceShadow lock, boolean shared, JraceShadow[] all, JraceShadow[] exclusive) {
        this.lock = lock;
        this.shared = shared;
        this.all = all;
        this.exclusive = exclusive;
    }

    JraceShadow[] protecting(boolean write) {
        return write ? exclusive : all;
    }

    /** The set with a lock more; this one if the lock adds nothing. */
    JraceHeld with(JraceShadow lock, Object object, boolean shared) {
        JraceHeld next = latest;
        if (next != null && next.lock == lock && next.shared == shared) {
            return next;
        }
        return contains(shared ? all : exclusive, lock) ? this : other(lock.knows(object), shared);
    }

    /** Sets are kept for their stamps: with a new one, each location that the thread has accessed comes to a new state. */
    private JraceHeld other(JraceShadow lock, boolean shared) {
        if (others == null) {
            others = new JraceHeld[OTHERS];
        }
        int at = lock.id & OTHERS - 1;
        JraceHeld next = others[at];
        if (next == null || next.lock != lock || next.shared != shared) {
            JraceShadow[] more = add(all, lock);
            JraceShadow[] most = exclusive == all ? more : add(exclusive, lock);
            next = new JraceHeld(lock, shared, more, shared ? exclusive : most);
            others[at] = next;
        }
        latest = next;
        return next;
    }

    private static JraceShadow[] add(JraceShadow[] locks, JraceShadow lock) {
        if (contains(locks, lock)) {
            return locks;
        }
        JraceShadow[] more = Arrays.copyOf(locks, locks.length + 1);
        more[locks.length] = lock;
        return more;
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
