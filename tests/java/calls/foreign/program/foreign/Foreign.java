package foreign;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import locks.Counting;
import locks.Halves;
import locks.Lazy;

/** Locks that classes of a library extend. */
final class Foreign {
    final ReentrantLock lazy = new Lazy(); // type: final
    final ReentrantReadWriteLock.WriteLock counting = new Counting(new ReentrantReadWriteLock()); // type: final
    final ReentrantLock own = new ReentrantLock(); // type: final
    final ReentrantReadWriteLock halves = new Halves(); // type: final
    final ReadWriteLock any = new Halves(); // type: final
    int unlocked; // type: unsafe
    int halved; // type: unsafe
    int other; // type: unsafe
    int counted; // type: guarded this.counting
    int owned; // type: guarded this.own

    void add() {
        lazy.lock();
        try {
            unlocked++;
        } finally {
            lazy.unlock();
        }
        counting.lock();
        try {
            counted++;
        } finally {
            counting.unlock();
        }
        halves.writeLock().lock();
        try {
            halved++;
        } finally {
            halves.writeLock().unlock();
        }
        any.writeLock().lock();
        try {
            other++;
        } finally {
            any.writeLock().unlock();
        }
        own.lock();
        try {
            owned++;
        } finally {
            own.unlock();
        }
    }

    public static void main(String[] args) {
        Foreign foreign = new Foreign();
        new Thread(foreign::add).start();
        foreign.add();
    }
}
