package readwrite;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** ReentrantReadWriteLock: its read half protects reads only. */
final class Data {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    final ReadWriteLock other = new ReentrantReadWriteLock(true);

    int wellUsed;
    int writtenUnderRead; // race: Data.writtenUnderRead
    int writtenUnderWriteOfOther; // race: Data.writtenUnderWriteOfOther
    int readUnderReadOfOther; // race: Data.readUnderReadOfOther
    int readUnlocked; // race: Data.readUnlocked
    int tried;
    int timed;
    int interruptibly;
    int downgraded;
    int writtenAfterDowngrade; // race: Data.writtenAfterDowngrade
    int bothHalves;
    int reentered;
    int afterRead; // race: Data.afterRead
}

public final class Main {
    static final Data DATA = new Data();

    static void write(Runnable body) {
        with(DATA.lock.writeLock(), body);
    }

    static void read(Runnable body) {
        with(DATA.lock.readLock(), body);
    }

    static void with(Lock lock, Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    static int sink;

    static void ways() throws InterruptedException {
        if (DATA.lock.writeLock().tryLock()) {
            DATA.tried++;
            DATA.lock.writeLock().unlock();
        }
        if (DATA.lock.writeLock().tryLock(1, TimeUnit.SECONDS)) {
            DATA.timed++;
            DATA.lock.writeLock().unlock();
        }
        DATA.lock.writeLock().lockInterruptibly();
        DATA.interruptibly++;
        DATA.lock.writeLock().unlock();
        int x = 0;
        if (DATA.lock.readLock().tryLock()) {
            x += DATA.tried;
            DATA.lock.readLock().unlock();
        }
        if (DATA.lock.readLock().tryLock(1, TimeUnit.SECONDS)) {
            x += DATA.timed;
            DATA.lock.readLock().unlock();
        }
        DATA.lock.readLock().lockInterruptibly();
        x += DATA.interruptibly;
        DATA.lock.readLock().unlock();
        if (x < 0) {
            System.out.println(x);
        }
    }

    static void downgrade() {
        DATA.lock.writeLock().lock();
        DATA.downgraded++;
        DATA.writtenAfterDowngrade++;
        DATA.lock.readLock().lock();
        DATA.lock.writeLock().unlock();
        if (DATA.downgraded < 0) {
            System.out.println();
        }
        DATA.writtenAfterDowngrade++;
        DATA.lock.readLock().unlock();
    }

    public static void main(String[] args) {
        thrice(() -> {
            write(() -> DATA.wellUsed++);
            read(() -> System.out.println(DATA.wellUsed > 0));
        });
        thrice(() -> read(() -> DATA.writtenUnderRead++));
        each(() -> write(() -> DATA.writtenUnderWriteOfOther++),
            () -> write(() -> DATA.writtenUnderWriteOfOther++),
            () -> with(DATA.other.writeLock(), () -> DATA.writtenUnderWriteOfOther++));
        each(() -> write(() -> DATA.readUnderReadOfOther++),
            () -> write(() -> DATA.readUnderReadOfOther++),
            () -> with(DATA.other.readLock(), () -> System.out.println(DATA.readUnderReadOfOther)));
        each(() -> write(() -> DATA.readUnlocked++),
            () -> write(() -> DATA.readUnlocked++),
            () -> System.out.println(DATA.readUnlocked));
        thrice(Main::ways);
        thrice(Main::downgrade);
        thrice(() -> write(() -> read(() -> DATA.bothHalves++)));
        thrice(() -> read(() -> read(() -> System.out.println(DATA.bothHalves))));
        thrice(() -> write(() -> {
            write(() -> DATA.reentered++);
            DATA.reentered++;
        }));
        thrice(() -> {
            read(() -> { });
            DATA.afterRead++;
        });
    }
}
