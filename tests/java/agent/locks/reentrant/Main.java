package reentrant;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** ReentrantLock, each way to take it. */
final class Data {
    final ReentrantLock lock = new ReentrantLock();
    final Lock fair = new ReentrantLock(true);

    int locked;
    int tried;
    int timed;
    int interruptibly;
    int throughInterface;
    int reentered;
    int afterOneUnlock;
    int afterBothUnlocks; // race: Data.afterBothUnlocks
    int unlocked; // race: Data.unlocked
    int notTaken; // race: Data.notTaken
    int timedOut; // race: Data.timedOut
    int interrupted; // race: Data.interrupted
    int afterIllegal; // race: Data.afterIllegal
    int monitorOfLock; // race: Data.monitorOfLock
    int condition;
    int twoKinds;
    int otherLock; // race: Data.otherLock
}

public final class Main {
    static final Data DATA = new Data();

    static void ways() throws InterruptedException {
        DATA.lock.lock();
        try {
            DATA.locked++;
        } finally {
            DATA.lock.unlock();
        }
        DATA.unlocked++;
        if (DATA.lock.tryLock()) {
            DATA.tried++;
            DATA.lock.unlock();
        }
        if (DATA.lock.tryLock(1, TimeUnit.SECONDS)) {
            DATA.timed++;
            DATA.lock.unlock();
        }
        DATA.lock.lockInterruptibly();
        DATA.interruptibly++;
        DATA.lock.unlock();
        DATA.fair.lock();
        DATA.throughInterface++;
        DATA.fair.unlock();
        DATA.lock.lock();
        if (DATA.lock.tryLock()) {
            DATA.reentered++;
        }
        DATA.lock.unlock();
        DATA.afterOneUnlock++;
        DATA.lock.unlock();
        DATA.afterBothUnlocks++;
    }

    /** The lock is held by another thread, so it is not got. */
    static void refused() throws InterruptedException {
        if (!DATA.lock.tryLock()) {
            DATA.notTaken++;
        }
        if (!DATA.lock.tryLock(1, TimeUnit.MILLISECONDS)) {
            DATA.timedOut++;
        }
        Thread.currentThread().interrupt();
        try {
            DATA.lock.lockInterruptibly();
        } catch (InterruptedException expected) {
            DATA.interrupted++;
        }
        try {
            DATA.lock.unlock();
        } catch (IllegalMonitorStateException expected) {
            DATA.afterIllegal++;
        }
    }

    public static void main(String[] args) {
        thrice(Main::ways);
        DATA.lock.lock();
        thrice(Main::refused);
        DATA.lock.unlock();
        // The monitor of the lock object is another lock than the lock.
        each(() -> {
            synchronized (DATA.lock) {
                DATA.monitorOfLock++;
            }
        }, () -> {
            synchronized (DATA.lock) {
                DATA.monitorOfLock++;
            }
        }, () -> {
            DATA.lock.lock();
            DATA.monitorOfLock++;
            DATA.lock.unlock();
        });
        each(() -> locked(DATA.lock, () -> DATA.otherLock++),
            () -> locked(DATA.lock, () -> DATA.otherLock++),
            () -> locked(DATA.fair, () -> DATA.otherLock++));
        Condition changed = DATA.lock.newCondition();
        thrice(() -> locked(DATA.lock, () -> {
            DATA.condition++;
            try {
                if (changed.await(1, TimeUnit.MILLISECONDS)) {
                    System.out.println("signalled?");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            DATA.condition++;
        }));
        thrice(() -> locked(DATA.lock, () -> {
            synchronized (DATA) {
                DATA.twoKinds++;
            }
        }));
        thrice(() -> locked(DATA.lock, () -> DATA.twoKinds++));
    }

    static void locked(Lock lock, Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }
}
