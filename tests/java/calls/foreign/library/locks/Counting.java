package locks;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks, and counts how often. */
public class Counting extends ReentrantReadWriteLock.WriteLock {
    private volatile int count;

    public Counting(ReentrantReadWriteLock of) {
        super(of);
    }

    @Override
    public void lock() {
        count++;
        super.lock();
    }
}
