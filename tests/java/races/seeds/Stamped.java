package seeds;

import java.util.concurrent.locks.StampedLock;

/** A stamped lock, held to write and held to read. */
public class Stamped {
    private static final StampedLock LOCK = new StampedLock();
    private static int written;
    private static int whileReading; // race

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

    public static void main(String[] args) {
        Runnable both = () -> {
            write();
            read();
        };
        new Thread(both).start();
        both.run();
    }
}
