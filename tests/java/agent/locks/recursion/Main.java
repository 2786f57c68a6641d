package recursion;

import static util.Threads.thrice;

import java.util.concurrent.locks.ReentrantLock;

/** Many locks at once, many levels of one lock. */
final class Data {
    int deep;
    int afterDeep; // race: Data.afterDeep
    int wide;
    int afterWide; // race: Data.afterWide
    int many;
}

public final class Main {
    static final Data DATA = new Data();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Object[] LOCKS = new Object[300];

    static synchronized void deep(int levels) {
        if (levels == 0) {
            DATA.deep++;
            return;
        }
        LOCK.lock();
        try {
            deep(levels - 1);
        } finally {
            LOCK.unlock();
        }
        DATA.deep++;
    }

    static void wide(int level) {
        if (level == LOCKS.length) {
            DATA.wide++;
            return;
        }
        synchronized (LOCKS[level]) {
            wide(level + 1);
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < LOCKS.length; i++) {
            LOCKS[i] = new Object();
        }
        thrice(() -> {
            deep(500);
            DATA.afterDeep++;
            wide(0);
            DATA.afterWide++;
            for (Object lock : LOCKS) {
                synchronized (lock) {
                    synchronized (DATA) {
                        DATA.many++;
                    }
                }
            }
        });
    }
}
