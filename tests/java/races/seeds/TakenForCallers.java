package seeds;

import java.util.concurrent.locks.ReentrantLock;

/** Locks that a method takes for whoever calls it. */
public class TakenForCallers {
    static class Guarded {
        private final ReentrantLock lock = new ReentrantLock();
        int byHelper;
        int inOneMethod;

        private void lock() {
            lock.lock();
        }

        private void unlock() {
            lock.unlock();
        }

        void count() {
            lock();
            try {
                byHelper++;
            } finally {
                unlock();
            }
            lock.lock();
            try {
                inOneMethod++;
            } finally {
                lock.unlock();
            }
        }
    }

    static class PublishedBefore {
        private volatile boolean isReady;
        int value;

        int get() {
            if (!isReady) {
                synchronized (this) {
                    if (!isReady) {
                        value = 42;
                        isReady = true;
                    }
                }
            }
            return value;
        }
    }

    public static void main(String[] arguments) {
        Guarded guarded = new Guarded();
        PublishedBefore published = new PublishedBefore();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                guarded.count();
                published.get();
            }).start();
        }
    }
}
