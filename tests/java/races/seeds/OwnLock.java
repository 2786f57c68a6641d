package seeds;

import java.util.concurrent.locks.ReentrantLock;

/** Each object has a lock of its own in a final field; there are several of them. */
public class OwnLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Object other;
    private int guarded;
    private int mixed; // race: with the lock of this object, and with one that came from outside
    private int byPart;

    OwnLock(Object other) {
        this.other = other;
    }

    void add() {
        lock.lock();
        try {
            guarded++;
            mixed++;
            increment();
        } finally {
            lock.unlock();
        }
    }

    private static ReentrantLock lockOf(OwnLock of) {
        return of.lock;
    }

    void addByGetter() {
        lockOf(this).lock();
        try {
            guarded++;
        } finally {
            lockOf(this).unlock();
        }
    }

    private void increment() {
        byPart++;
    }

    void addOther(ReentrantLock foreign) {
        foreign.lock();
        try {
            mixed++;
        } finally {
            foreign.unlock();
        }
    }

    /** Knows the lock by the object around it. */
    final class Part {
        private int own; // race: the lock is that of who adds

        void add() {
            lock.lock();
            try {
                byPart++;
                guarded++;
            } finally {
                lock.unlock();
            }
        }

        void addTo(Part part) {
            synchronized (other) {
                part.own++;
            }
        }
    }

    public static void main(String[] args) {
        OwnLock[] all = new OwnLock[2];
        Part[] parts = new Part[2];
        for (int i = 0; i < 2; i++) {
            all[i] = new OwnLock(new Object());
            parts[i] = all[i].new Part();
        }
        for (int i = 0; i < 2; i++) {
            int n = i;
            new Thread(() -> {
                all[n].add();
                all[n].addByGetter();
                all[1 - n].add();
                all[n].addOther(all[1 - n].lock);
                parts[n].add();
                parts[n].addTo(parts[0]);
            }).start();
        }
    }
}
