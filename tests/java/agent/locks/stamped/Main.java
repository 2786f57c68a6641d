package stamped;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/** StampedLock: modes, stamps and views. */
final class Data {
    final StampedLock lock = new StampedLock();

    int written;
    int unlockedByStamp;
    int writtenUnderRead; // race: Data.writtenUnderRead
    int afterUnlock; // race: Data.afterUnlock
    int afterReadUnlock; // race: Data.afterReadUnlock
    int tried;
    int timed;
    int interruptibly;
    int byView;
    int byReadWriteView;
    int afterView; // race: Data.afterView
    int refused; // race: Data.refused
    int optimistic;
    int afterTryUnlock; // race: Data.afterTryUnlock
    int converted;
    int afterConverted; // race: Data.afterConverted
    int readAfterConverted; // race: Data.readAfterConverted
    int afterDowngraded; // race: Data.afterDowngraded
    int afterReadToOptimistic; // race: Data.afterReadToOptimistic
}

public final class Main {
    static final Data DATA = new Data();
    static final StampedLock LOCK = DATA.lock;

    static void ways() throws InterruptedException {
        long stamp = LOCK.writeLock();
        DATA.written++;
        LOCK.unlockWrite(stamp);
        DATA.afterUnlock++;
        stamp = LOCK.writeLock();
        DATA.unlockedByStamp++;
        LOCK.unlock(stamp);
        stamp = LOCK.tryWriteLock();
        if (stamp != 0) {
            DATA.tried++;
            LOCK.unlock(stamp);
        }
        stamp = LOCK.tryWriteLock(1, TimeUnit.SECONDS);
        DATA.timed++;
        LOCK.unlockWrite(stamp);
        stamp = LOCK.writeLockInterruptibly();
        DATA.interruptibly++;
        LOCK.unlockWrite(stamp);

        int x = 0;
        stamp = LOCK.readLock();
        x += DATA.written;
        LOCK.unlockRead(stamp);
        DATA.afterReadUnlock++;
        stamp = LOCK.tryReadLock();
        x += DATA.tried;
        LOCK.unlock(stamp);
        stamp = LOCK.tryReadLock(1, TimeUnit.SECONDS);
        x += DATA.timed;
        LOCK.unlockRead(stamp);
        stamp = LOCK.readLockInterruptibly();
        x += DATA.interruptibly;
        LOCK.unlockRead(stamp);
        LOCK.writeLock();
        LOCK.tryUnlockWrite();
        DATA.afterTryUnlock += x;
    }

    static void views() throws InterruptedException {
        Lock write = LOCK.asWriteLock();
        write.lock();
        DATA.byView++;
        write.unlock();
        if (write.tryLock()) {
            DATA.byView++;
            write.unlock();
        }
        if (write.tryLock(1, TimeUnit.SECONDS)) {
            DATA.byView++;
            write.unlock();
        }
        write.lockInterruptibly();
        DATA.byView++;
        write.unlock();
        long stamp = LOCK.writeLock();
        DATA.byView++;
        LOCK.unlockWrite(stamp);
        LOCK.asReadLock().lock();
        if (DATA.byView < 0) {
            System.out.println(DATA.byView);
        }
        LOCK.asReadLock().unlock();
        LOCK.asReadWriteLock().writeLock().lock();
        DATA.byReadWriteView++;
        LOCK.asReadWriteLock().writeLock().unlock();
        DATA.afterView++;
    }

    static void convert() {
        long stamp = LOCK.readLock();
        long better = LOCK.tryConvertToWriteLock(stamp);
        DATA.converted++;
        LOCK.unlock(better);
        DATA.afterConverted++;
        if (DATA.readAfterConverted < 0) {
            System.out.println();
        }
    }

    static void downgrade() {
        long stamp = LOCK.writeLock();
        long weaker = LOCK.tryConvertToReadLock(stamp);
        LOCK.unlock(weaker);
        DATA.afterDowngraded++;
        stamp = LOCK.writeLock();
        LOCK.tryConvertToOptimisticRead(stamp);
        DATA.afterReadToOptimistic++;
    }

    public static void main(String[] args) {
        thrice(Main::ways);
        thrice(Main::views);
        thrice(() -> {
            long stamp = LOCK.readLock();
            DATA.writtenUnderRead++;
            LOCK.unlockRead(stamp);
        });
        long held = LOCK.writeLock();
        thrice(() -> {
            if (LOCK.tryWriteLock() == 0 && LOCK.tryReadLock() == 0 && LOCK.tryReadLock(1, TimeUnit.MILLISECONDS) == 0) {
                DATA.refused++;
            }
        });
        LOCK.unlockWrite(held);
        each(() -> {
            long stamp = LOCK.writeLock();
            DATA.optimistic++;
            LOCK.unlockWrite(stamp);
        }, () -> {
            long stamp = LOCK.writeLock();
            DATA.optimistic++;
            LOCK.unlockWrite(stamp);
        }, () -> {
            long stamp = LOCK.tryOptimisticRead();
            int seen = DATA.optimistic;
            System.out.println(LOCK.validate(stamp) + " " + seen);
        });
        thrice(() -> {
            long stamp = LOCK.writeLock();
            DATA.readAfterConverted++;
            LOCK.unlockWrite(stamp);
        });
        thrice(Main::convert);
        thrice(Main::downgrade);
    }
}
