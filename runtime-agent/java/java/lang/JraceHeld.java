package java.lang;

/** The locks that a thread holds, and the stamps of what it does under them. Each thread has its own, so none is guarded. */
final class JraceHeld {
    private static final int OTHERS = 16;

    /** The lock that was taken last. */
    final JraceShadow lock;
    final boolean shared;
    /** Stamps have these, and not what the thread came to from here: that would live as long as they do. */
    final JraceLockSet locks;
    /** Those of reads and writes, when an access last asked for them. */
    JraceStamp reads;
    JraceStamp writes;
    /** What the thread held latest with a further lock, and others, by the number of the lock. */
    private JraceHeld latest;
    private JraceHeld[] others;

    /** No locks. */
    JraceHeld() {
        this(null, false, JraceLockSet.EMPTY);
    }

    private JraceHeld(JraceShadow lock, boolean shared, JraceLockSet locks) {
        this.lock = lock;
        this.shared = shared;
        this.locks = locks;
    }

    /** With a lock more; this if the lock adds nothing. */
    JraceHeld with(JraceShadow lock, Object object, boolean shared) {
        JraceHeld next = latest;
        if (next != null && next.lock == lock && next.shared == shared) {
            return next;
        }
        return JraceLockSet.contains(locks.protecting(!shared), lock) ? this : other(lock.knows(object), shared);
    }

    /**
     * They are kept for their stamps: with a new one, each location that the thread has accessed comes to a new state. Most have only one, and under a
     * lock that is new each time nothing is met again.
     */
    private JraceHeld other(JraceShadow lock, boolean shared) {
        if (others == null && latest != null) {
            others = new JraceHeld[OTHERS];
            others[latest.lock.id & OTHERS - 1] = latest;
        }
        int at = lock.id & OTHERS - 1;
        JraceHeld next = others == null ? null : others[at];
        if (next == null || next.lock != lock || next.shared != shared) {
            next = new JraceHeld(lock, shared, locks.with(lock, shared));
            if (others != null) {
                others[at] = next;
            }
        }
        latest = next;
        return next;
    }

    /** The thread has found something: it gives up the lock only later, and until then nobody finds what it leaves. */
    void finds(JraceFound found) {
        reads.found = found;
        writes.found = found;
    }
}
