package annotated;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import net.jcip.annotations.GuardedBy;

/** Fields that keep the halves of a read-write lock, as in the Javadoc of `ReentrantReadWriteLock`. */
public class Halves {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(); // type: final
    private final Lock r = lock.readLock(); // type: final
    private final Lock w = lock.writeLock(); // type: final
    private static final ReadWriteLock ALL = new ReentrantReadWriteLock(); // type: final
    private static final Lock ALL_READ = ALL.readLock(); // type: final
    private static final Lock ALL_WRITE = ALL.writeLock(); // type: final

    @GuardedBy("lock") private int byLock; // type: guarded this.lock
    @GuardedBy("w") private int byHalf; // type: guarded this.lock
    private int unsaid; // type: guarded this.lock
    @GuardedBy("ALL") private static int byAll; // type: guarded Halves.ALL
    @GuardedBy("lock") private int writtenByReaders; // type: unsafe

    void write() {
        w.lock();
        try {
            byLock++;
            byHalf++;
            unsaid++;
        } finally {
            w.unlock();
        }
        ALL_WRITE.lock();
        try {
            byAll++;
        } finally {
            ALL_WRITE.unlock();
        }
    }

    int read() {
        r.lock();
        try {
            return byLock + byHalf + unsaid;
        } finally {
            r.unlock();
        }
    }

    int readAll() {
        ALL_READ.lock();
        try {
            return byAll;
        } finally {
            ALL_READ.unlock();
        }
    }

    void writeAsReader() {
        r.lock();
        try {
            writtenByReaders++; // error: unguarded-access
        } finally {
            r.unlock();
        }
    }

    /** Which lock it keeps a half of goes by the constructor. */
    static class Either {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(); // type: final
        private final Lock w; // type: final
        @GuardedBy("lock") private int n; // type: unsafe

        Either() {
            w = lock.writeLock();
        }

        Either(Lock other) {
            w = other;
        }

        void add() {
            w.lock();
            try {
                n++; // error: unguarded-access unguarded-access
            } finally {
                w.unlock();
            }
        }

        void addToo() {
            lock.writeLock().lock();
            try {
                n++;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    static class Shared {
        final Object lock = new Object(); // type: final
    }

    /** A guard by way of several fields, and one that is the object itself. */
    static class Within {
        private final Shared shared = new Shared(); // type: final
        @GuardedBy("shared.lock") private int byShared; // type: guarded this.shared.lock
        @GuardedBy("this.shared.lock") private int byThisShared; // type: guarded this.shared.lock
        @GuardedBy("annotated.Halves.Within.class") private static int inFull; // type: guarded Within.class
        @GuardedBy("users") private final StringBuilder users = new StringBuilder(); // type: final

        void add() {
            synchronized (shared.lock) {
                byShared++;
                byThisShared++;
            }
            synchronized (Within.class) {
                inFull++;
            }
            synchronized (users) {
                users.append("one");
            }
        }
    }
}
