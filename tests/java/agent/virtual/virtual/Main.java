package virtual;

import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads hold locks and own variables like others, whatever carries them. */
final class Data {
    int racy; // race: Data.racy
    int byMonitor;
    int byLock;
    int acrossPark;
    int afterLocks; // race: Data.afterLocks
    int mixed; // race: Data.mixed
    int own;
}

public final class Main {
    static final Data DATA = new Data();
    static final ReentrantLock LOCK = new ReentrantLock();

    static void body() {
        DATA.racy++;
        synchronized (DATA) {
            DATA.byMonitor++;
            Thread.yield();
            DATA.byMonitor++;
        }
        LOCK.lock();
        try {
            DATA.byLock++;
            LockSupport.parkNanos(100_000);
            DATA.acrossPark++;
        } finally {
            LOCK.unlock();
        }
        DATA.afterLocks++;
        Data own = new Data();
        for (int i = 0; i < 5; i++) {
            own.own++;
            Thread.yield();
        }
    }

    /** In place of join, which orders what it waits for. */
    static void waitForEnd(Thread thread) {
        while (thread.getThreadGroup() != null) {
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread first = Thread.ofVirtual().name("virtual-first").start(() -> DATA.mixed++);
        waitForEnd(first);
        Thread second = Thread.ofPlatform().name("platform-second").start(() -> DATA.mixed++);
        waitForEnd(second);
        Thread third = Thread.ofVirtual().name("virtual-third").start(() -> DATA.mixed++);
        waitForEnd(third);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                executor.submit(Main::body);
            }
        }
        LOCK.lock();
        System.out.println(DATA.byLock);
        LOCK.unlock();
    }
}
