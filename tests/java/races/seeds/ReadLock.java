package seeds;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A read lock around a write. */
public class ReadLock {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private int written; // race
    private int guarded;

    void wrong() {
        lock.readLock().lock();
        try {
            written = guarded;
        } finally {
            lock.readLock().unlock();
        }
    }

    void right() {
        lock.writeLock().lock();
        try {
            guarded++;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) {
        ReadLock both = new ReadLock();
        new Thread(() -> {
            both.wrong();
            both.right();
        }).start();
        both.wrong();
        both.right();
    }
}
