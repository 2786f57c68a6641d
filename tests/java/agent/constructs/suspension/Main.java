package suspension;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import schedule.Program;

/** Who would wait finds that it need not: the signal has come before. What was done before the signal is known all the same. */
interface Awaited extends Program {
    void prepare();

    void signal();

    void await() throws InterruptedException;

    void use();

    @Override
    default void run() throws Exception {
        together(() -> {
            prepare();
            signal();
            mark(this);
        }, () -> {
            until(this);
            await();
            use();
        });
    }
}

final class InMethods implements Awaited {
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public synchronized void signal() {
        done = true;
        notifyAll();
    }

    public synchronized void await() throws InterruptedException {
        while (!done) {
            wait();
        }
    }

    public void use() {
        result++;
    }
}

final class InBlocks implements Awaited {
    private final Object lock = new Object();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        synchronized (lock) {
            done = true;
            lock.notify();
        }
    }

    public void await() throws InterruptedException {
        synchronized (lock) {
            while (!done) {
                lock.wait();
            }
        }
    }

    public void use() {
        result++;
    }
}

final class InStaticMethods implements Awaited {
    private static boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        tell();
    }

    public void await() throws InterruptedException {
        hear();
    }

    public void use() {
        result++;
    }

    private static synchronized void tell() {
        done = true;
        InStaticMethods.class.notifyAll();
    }

    private static synchronized void hear() throws InterruptedException {
        while (!done) {
            InStaticMethods.class.wait();
        }
    }
}

final class ForAWhile implements Awaited {
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public synchronized void signal() {
        done = true;
        notify();
    }

    public synchronized void await() throws InterruptedException {
        if (!done) {
            wait(1000);
        }
    }

    public void use() {
        result++;
    }
}

/** The method that waits has the lock of its caller. */
final class WaitingIsElsewhere implements Awaited {
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        synchronized (this) {
            done = true;
            notifyAll();
        }
    }

    public synchronized void await() throws InterruptedException {
        awaitDone();
    }

    public void use() {
        result++;
    }

    private void awaitDone() throws InterruptedException {
        while (!done) {
            wait();
        }
    }
}

/** The lock of its caller, which is not its receiver. */
final class WaitingForTheCallersLock implements Awaited {
    private final Object lock = new Object();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        synchronized (lock) {
            done = true;
            lock.notifyAll();
        }
    }

    public void await() throws InterruptedException {
        synchronized (lock) {
            awaitDone();
        }
    }

    public void use() {
        result++;
    }

    private void awaitDone() throws InterruptedException {
        while (!done) {
            lock.wait();
        }
    }
}

final class ByLock implements Awaited {
    private final Lock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        lock.lock();
        try {
            done = true;
            condition.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void await() throws InterruptedException {
        lock.lock();
        try {
            while (!done) {
                condition.await();
            }
        } finally {
            lock.unlock();
        }
    }

    public void use() {
        result++;
    }
}

final class ByReentrantLock implements Awaited {
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition condition = lock.newCondition();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        lock.lock();
        try {
            done = true;
            condition.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!done) {
                condition.await();
            }
        } finally {
            lock.unlock();
        }
    }

    public void use() {
        result++;
    }
}

final class ByWriteLock implements Awaited {
    private final Lock lock = new ReentrantReadWriteLock().writeLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        lock.lock();
        try {
            done = true;
            condition.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public void await() throws InterruptedException {
        lock.lock();
        try {
            while (!done) {
                condition.await();
            }
        } finally {
            lock.unlock();
        }
    }

    public void use() {
        result++;
    }
}

final class OtherConditionOfTheLock implements Awaited {
    private final Lock lock = new ReentrantLock();
    private final Condition read = lock.newCondition();
    private final Condition written = lock.newCondition();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        lock.lock();
        done = true;
        written.signal();
        read.signal();
        lock.unlock();
    }

    public void await() throws InterruptedException {
        lock.lock();
        while (!done) {
            written.awaitUninterruptibly();
        }
        lock.unlock();
    }

    public void use() {
        result++;
    }
}

final class ConditionIsAwaitedElsewhere implements Awaited {
    private final Lock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    int result;

    public void prepare() {
        result = 1;
    }

    public void signal() {
        lock.lock();
        done = true;
        condition.signalAll();
        lock.unlock();
    }

    public void await() throws InterruptedException {
        lock.lock();
        awaitDone();
        lock.unlock();
    }

    public void use() {
        result++;
    }

    private void awaitDone() throws InterruptedException {
        while (!done) {
            condition.await();
        }
    }
}

/** Written after the signal. */
final class TooLate implements Awaited {
    private boolean done;
    int result; // race: TooLate.result

    public void prepare() {
    }

    public void signal() {
        synchronized (this) {
            done = true;
            notifyAll();
        }
        result = 1;
    }

    public synchronized void await() throws InterruptedException {
        while (!done) {
            wait();
        }
    }

    public void use() {
        result++;
    }
}

/** Who is to wait waits for another lock. */
final class OtherMonitor implements Awaited {
    private final Object other = new Object();
    private boolean done;
    int result; // race: OtherMonitor.result

    public void prepare() {
        result = 1;
    }

    public synchronized void signal() {
        done = true;
        notifyAll();
    }

    public void await() throws InterruptedException {
        synchronized (other) {
            if (hashCode() == 0) {
                other.wait();
            }
        }
    }

    public void use() {
        result++;
    }
}

/** Nobody is told, and nobody waits: the lock alone has ordered them. */
final class NeverWaits implements Awaited {
    private boolean done;
    int result; // race: NeverWaits.result

    public void prepare() {
        result = 1;
    }

    public synchronized void signal() {
        done = true;
        notifyAll();
    }

    public synchronized void await() throws InterruptedException {
        done = true;
    }

    public void use() {
        result++;
    }
}

/** The lock alone has ordered them: nobody is told, and who waits goes on without. */
final class NeverTells implements Awaited {
    private boolean done;
    int result; // missed: NeverTells.result -- it is said to be unlikely: who finds the flag set might not have needed it

    public void prepare() {
        result = 1;
    }

    public synchronized void signal() {
        done = true;
    }

    public synchronized void await() throws InterruptedException {
        if (!done) {
            wait(1000);
        }
    }

    public void use() {
        result++;
    }
}

/** The first one only counts, the last one tells. */
final class LastTells implements Program {
    private int pending = 2;
    int first;
    int late; // race: LastTells.late

    private synchronized void done() {
        if (--pending == 0) {
            notifyAll();
        }
    }

    private synchronized void awaitAll() throws InterruptedException {
        while (pending > 0) {
            wait();
        }
    }

    @Override
    public void run() throws Exception {
        together(() -> {
            first = 1;
            done();
            late = 1;
            mark(this);
        }, () -> {
            until(this);
            done();
        }, () -> {
            awaitAll();
            first++;
            late++;
        });
    }
}

/** The same with a condition. */
final class LastSignals implements Program {
    private final Lock lock = new ReentrantLock();
    private final Condition isDone = lock.newCondition();
    private int pending = 2;
    int first;
    int late; // race: LastSignals.late

    private void done() {
        lock.lock();
        try {
            if (--pending == 0) {
                isDone.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitAll() throws InterruptedException {
        lock.lock();
        try {
            while (pending > 0) {
                isDone.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() throws Exception {
        together(() -> {
            first = 1;
            done();
            late = 1;
            mark(this);
        }, () -> {
            until(this);
            done();
        }, () -> {
            awaitAll();
            first++;
            late++;
        });
    }
}

/** The signal is for another lock. */
final class OtherLock implements Awaited {
    private final Lock lock = new ReentrantLock();
    private final Lock other = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private final Condition never = other.newCondition();
    int result; // race: OtherLock.result

    public void prepare() {
        result = 1;
    }

    public void signal() {
        lock.lock();
        condition.signalAll();
        lock.unlock();
    }

    public void await() throws InterruptedException {
        other.lock();
        if (hashCode() == 0) {
            never.await();
        }
        other.unlock();
    }

    public void use() {
        result++;
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new InMethods(), new InBlocks(), new InStaticMethods(), new ForAWhile(), new WaitingIsElsewhere(),
                new WaitingForTheCallersLock(), new ByLock(), new ByReentrantLock(), new ByWriteLock(),
                new OtherConditionOfTheLock(), new ConditionIsAwaitedElsewhere(), new TooLate(), new OtherMonitor(),
                new NeverWaits(), new NeverTells(), new LastTells(), new LastSignals(), new OtherLock());
    }
}
