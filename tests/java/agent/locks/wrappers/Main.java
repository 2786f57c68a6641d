package wrappers;

import static util.Threads.thrice;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks behind classes of the program. */
final class Delegating implements Lock {
    private final Lock inner = new ReentrantLock();

    @Override
    public void lock() {
        inner.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        inner.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return inner.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return inner.tryLock(time, unit);
    }

    @Override
    public void unlock() {
        inner.unlock();
    }

    @Override
    public Condition newCondition() {
        return inner.newCondition();
    }
}

final class Extending extends ReentrantLock {
    private static final long serialVersionUID = 1;

    @Override
    public void lock() {
        super.lock();
    }
}

final class ExtendingReadWrite extends ReentrantReadWriteLock {
    private static final long serialVersionUID = 1;
}

final class Closing implements AutoCloseable {
    private final Lock lock;

    Closing(Lock lock) {
        this.lock = lock;
        lock.lock();
    }

    @Override
    public void close() {
        lock.unlock();
    }
}

/** A spin lock of the program's own is no lock to the checker. */
final class Spin {
    private final java.util.concurrent.atomic.AtomicBoolean taken = new java.util.concurrent.atomic.AtomicBoolean();

    void lock() {
        while (!taken.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
    }

    void unlock() {
        taken.set(false);
    }
}

final class Data {
    int delegated;
    int extended;
    int readWrite;
    int closing;
    int afterClosing; // race: Data.afterClosing
    int spun; // ordered: Data.spun -- a lock made of an atomic is none to a lock set
    int inSegment;
    int inComputation;
    int byString;
    int byBoxed;
}

public final class Main {
    static final Data DATA = new Data();
    static final Lock DELEGATING = new Delegating();
    static final Lock EXTENDING = new Extending();
    static final ExtendingReadWrite READ_WRITE = new ExtendingReadWrite();
    static final Spin SPIN = new Spin();
    static final ConcurrentHashMap<String, Integer> MAP = new ConcurrentHashMap<>();
    static final List<Lock> LOCKS = new ArrayList<>(List.of(new ReentrantLock(), new Extending()));

    public static void main(String[] args) {
        thrice(() -> {
            DELEGATING.lock();
            DATA.delegated++;
            DELEGATING.unlock();
            if (DELEGATING.tryLock() && DELEGATING.tryLock(1, TimeUnit.SECONDS)) {
                DATA.delegated++;
                DELEGATING.unlock();
                DATA.delegated++;
                DELEGATING.unlock();
            }
            EXTENDING.lock();
            DATA.extended++;
            EXTENDING.unlock();
            READ_WRITE.writeLock().lock();
            DATA.readWrite++;
            READ_WRITE.writeLock().unlock();
            try (Closing one = new Closing(LOCKS.get(0)); Closing two = new Closing(LOCKS.get(1))) {
                DATA.closing++;
            }
            DATA.afterClosing++;
            SPIN.lock();
            DATA.spun++;
            SPIN.unlock();
            synchronized ("interned") {
                DATA.byString++;
            }
            synchronized (Integer.class) {
                DATA.byBoxed++;
            }
        });
    }
}
