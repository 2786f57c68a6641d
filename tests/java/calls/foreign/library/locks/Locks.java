package locks;

import java.util.concurrent.locks.ReentrantLock;

/** Gives out a lock whose class nobody else knows. */
public final class Locks {
    private Locks() {}

    private static final class Hidden extends ReentrantLock {
        @Override
        public void lock() {}

        @Override
        public void unlock() {}
    }

    public static ReentrantLock hidden() {
        return new Hidden();
    }
}
