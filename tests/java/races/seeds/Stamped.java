package seeds;

import java.util.concurrent.locks.StampedLock;

/** A stamped lock, held to write and held to read. */
public class Stamped {
    private static final StampedLock LOCK = new StampedLock();
    private static int written;
    private static int whileReading; // race
    private static int unlocked;
    private static int afterwards; // race

    static void write() {
        long stamp = LOCK.writeLock();
        try {
            written++;
        } finally {
            LOCK.unlockWrite(stamp);
        }
    }

    static void read() {
        long stamp = LOCK.readLock();
        try {
            whileReading = written;
        } finally {
            LOCK.unlockRead(stamp);
        }
    }

    static void unlock() {
        long stamp = LOCK.writeLock();
        unlocked++;
        LOCK.unlock(stamp);
        afterwards++;
    }

    public static void main(String[] args) {
        Runnable both = () -> {
            write();
            read();
            unlock();
        };
        new Thread(both).start();
        both.run();
    }
}
