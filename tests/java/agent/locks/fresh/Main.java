package fresh;

import static util.Threads.thrice;

import java.util.concurrent.locks.ReentrantLock;

/** A thread enters many locks that nobody else knows, and few that others do. */
final class Data {
    int own;
    final int[] elements = new int[2];
    static int guarded;
    static int guardedTwice;
    static int racy; // race: Data.racy
    static int otherLocks; // race: Data.otherLocks
    static int innerOnly;
    static int readers;
}

public final class Main {
    static final int LOCKS = 100_000;
    static final Object LOCK = new Object();
    static final Object INNER = new Object();

    static void freshLocks() {
        Data data = new Data();
        for (int i = 0; i < LOCKS; i++) {
            ReentrantLock outer = new ReentrantLock();
            outer.lock();
            synchronized (new Object()) {
                data.own++;
                data.elements[i & 1]++;
            }
            outer.unlock();
        }
    }

    static void sharedLocks() {
        synchronized (LOCK) {
            Data.guarded++;
            synchronized (new Object()) {
                synchronized (INNER) {
                    Data.guardedTwice++;
                    Data.innerOnly++;
                }
                Data.guarded++;
            }
        }
        synchronized (new Object()) {
            Data.otherLocks++;
            synchronized (INNER) {
                Data.innerOnly++;
                Data.readers++;
            }
        }
        Data.racy++;
    }

    public static void main(String[] args) {
        thrice(() -> {
            freshLocks();
            sharedLocks();
            freshLocks();
        });
        System.out.println("done");
    }
}
