package seeds;

import java.util.concurrent.locks.ReentrantLock;

/** A lock of java.util.concurrent, in one place only. */
public class Reentrant {
    private final ReentrantLock lock = new ReentrantLock();
    private int once; // race
    private int always;

    void add() {
        lock.lock();
        try {
            once++;
            always++;
        } finally {
            lock.unlock();
        }
    }

    int look() {
        int seen = once;
        if (lock.tryLock()) {
            try {
                seen += always;
            } finally {
                lock.unlock();
            }
        }
        return seen;
    }

    public static void main(String[] args) {
        Reentrant reentrant = new Reentrant();
        new Thread(reentrant::add).start();
        System.out.println(reentrant.look());
    }
}
