package seeds;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Methods that take a lock for whoever calls them, and methods that give it back. */
public class LockHelpers implements Runnable {
    static final class Box {
        private final ReentrantLock in = new ReentrantLock();

        void enter() {
            in.lock();
        }

        void leave() {
            in.unlock();
        }
    }

    static class Taker {
        void take(LockHelpers of) {
            of.lock.lock();
        }
    }

    static class NoTaker extends Taker {
        @Override
        void take(LockHelpers of) {}
    }

    private static final ReentrantLock SHARED = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock second = new ReentrantLock();
    private final ReentrantReadWriteLock halves = new ReentrantReadWriteLock();
    private final Box box = new Box();
    private Taker taker = new Taker();
    private int onThis;
    private int afterwards; // race
    private int onFinalPath;
    private int onStatic;
    private int passedOn;
    private int passedOther; // race
    private int ifTrue;
    private int ifStale; // race
    private int ifSaid; // race
    private int onOneBranch; // race
    private int byOverridden; // race
    private int besideUnrelated;
    private int asWriter;
    private int asReader; // race
    private int inGap; // race
    private int afterSwap;
    private int twisted; // race
    private int besideEnded;
    private int besideHalf;
    private int ended; // race
    private int halfGone; // race
    private int storedGone; // race
    private Lock stored = halves.writeLock();

    private void acquire() {
        more();
    }

    private void more() {
        lock.lock();
    }

    private void release() {
        lock.unlock();
    }

    private void releaseSecond() {
        second.unlock();
    }

    private static void enter(Lock given) {
        given.lock();
    }

    private static void leave(Lock given) {
        given.unlock();
    }

    private boolean tries() {
        return lock.tryLock();
    }

    private boolean says() {
        return lock.hashCode() == 1 || lock.tryLock();
    }

    private void sometimes() {
        if (lock.hashCode() != 1) {
            lock.lock();
        }
    }

    private void gap() {
        lock.unlock();
        inGap++;
        lock.lock();
    }

    private void twist(Lock given, Lock taken) {
        taken.lock();
        given.unlock();
    }

    @Override
    public void run() {
        acquire();
        try {
            onThis++;
        } finally {
            release();
        }
        afterwards++;
        box.enter();
        onFinalPath++;
        box.leave();
        enter(SHARED);
        onStatic++;
        leave(SHARED);
        enter(second);
        passedOn++;
        passedOther++;
        leave(second);
        if (tries()) {
            ifTrue++;
            release();
        }
        tried();
        branches();
        beside();
        others();
    }

    /** Gives back what was taken long before, if anything. */
    private void end(ReentrantLock taken) {
        while (taken.isHeldByCurrentThread()) {
            leave(taken);
        }
    }

    private void endHalf(boolean ends) {
        Lock half = halves.writeLock();
        if (ends) {
            leave(half);
        }
    }

    private void endStored() {
        stored.unlock();
    }

    private void beside() {
        lock.lock();
        try {
            end(box.in);
            besideEnded++;
            endHalf(halves.isWriteLockedByCurrentThread());
            besideHalf++;
        } finally {
            lock.unlock();
        }
        second.lock();
        end(second);
        ended++;
        halves.writeLock().lock();
        endHalf(true);
        halfGone++;
        halves.writeLock().lock();
        endStored();
        storedGone++;
    }

    private void tried() {
        boolean got = tries();
        if (got) {
            release();
        }
        if (got) {
            ifStale++;
        }
        if (says()) {
            ifSaid++;
        }
    }

    private void branches() {
        sometimes();
        onOneBranch++;
        taker.take(this);
        byOverridden++;
        lock.lock();
        second.lock();
        releaseSecond();
        besideUnrelated++;
        release();
    }

    private void others() {
        enter(halves.writeLock());
        asWriter++;
        leave(halves.writeLock());
        enter(halves.readLock());
        asReader++;
        leave(halves.readLock());
        acquire();
        gap();
        afterSwap++;
        release();
        twist(lock, lock);
        twisted++;
    }

    public static void main(String[] args) {
        LockHelpers helpers = new LockHelpers();
        LockHelpers other = new LockHelpers();
        other.taker = new NoTaker();
        for (LockHelpers each : new LockHelpers[] {helpers, other}) {
            for (int i = 0; i < 2; i++) {
                new Thread(each).start();
                new Thread(() -> {
                    enter(each.lock);
                    each.passedOther++;
                    leave(each.lock);
                }).start();
            }
        }
    }
}
