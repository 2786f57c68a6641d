package overridden;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Locks whose methods the program overrides: one still locks. */
public class OverriddenLocks {
    static class Lazy extends ReentrantLock {
        @Override
        public void lock() {}

        @Override
        public void unlock() {}
    }

    static class Logging extends ReentrantLock {
        @Override
        public void lock() {
            System.out.println("locks");
            super.lock();
        }
    }

    private final ReentrantLock lazy = new Lazy();
    private final Lock anyLock = new Lazy();
    private final ReentrantLock logging = new Logging();
    private int lockedLazily; // race
    private int lockedByAny; // race
    private int lockedLoudly;

    private void add() {
        lazy.lock();
        try {
            lockedLazily++;
        } finally {
            lazy.unlock();
        }
        anyLock.lock();
        try {
            lockedByAny++;
        } finally {
            anyLock.unlock();
        }
        logging.lock();
        try {
            lockedLoudly++;
        } finally {
            logging.unlock();
        }
    }

    public static void main(String[] args) {
        OverriddenLocks locks = new OverriddenLocks();
        new Thread(locks::add).start();
        locks.add();
    }
}
