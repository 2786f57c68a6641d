package extended;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks that classes of the program extend: some still lock, some do not. */
final class Extended {
    final ReentrantReadWriteLock.WriteLock write; // type: final
    final ReentrantLock any; // type: final
    final ReentrantLock own = new ReentrantLock(); // type: final
    final Lock known = new ReentrantLock(); // type: final
    final ReadWriteLock halves; // type: final
    int counted; // type: guarded this.write
    int tried; // type: guarded this.write
    int unlocked; // type: unsafe
    int taken; // type: unsafe
    int owned; // type: guarded this.own
    int held; // type: guarded this.known
    int halved; // type: unsafe

    /** Still locks. */
    static class Counting extends ReentrantReadWriteLock.WriteLock {
        private volatile int count; // type: volatile

        Counting(ReentrantReadWriteLock of) {
            super(of);
        }

        @Override
        public void lock() {
            try {
                count++;
                super.lock();
            } finally {
                count++;
            }
        }

        @Override
        public boolean tryLock() {
            count++;
            return super.tryLock();
        }
    }

    /** Locks at times. */
    static class Lazy extends ReentrantLock {
        private volatile boolean isOff; // type: volatile

        @Override
        public void lock() {
            if (!isOff) {
                super.lock();
            }
        }

        @Override
        public boolean tryLock() {
            return super.tryLock() || isOff;
        }
    }

    static class Free implements ReadWriteLock {
        @Override
        public Lock readLock() {
            return new ReentrantLock();
        }

        @Override
        public Lock writeLock() {
            return new ReentrantLock();
        }
    }

    Extended(ReentrantReadWriteLock.WriteLock write, ReentrantLock any, ReadWriteLock halves) {
        this.write = write;
        this.any = any;
        this.halves = halves;
    }

    void write() {
        write.lock();
        counted++;
        write.unlock();
        if (write.tryLock()) {
            tried++;
            write.unlock();
        }
    }

    void any() {
        any.lock();
        unlocked++;
        any.unlock();
        if (any.tryLock()) {
            taken++;
            any.unlock();
        }
    }

    void own() {
        own.lock();
        owned++;
        own.unlock();
        known.lock();
        held++;
        known.unlock();
    }

    void half() throws InterruptedException {
        Lock half = halves.writeLock();
        half.lock();
        halved++;
        halves.writeLock().lock();
        halved++;
    }

    Condition condition() throws InterruptedException {
        return any.tryLock(1, TimeUnit.SECONDS) ? any.newCondition() : null;
    }
}
