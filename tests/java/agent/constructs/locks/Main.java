package locks;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import schedule.Program;

final class Locked implements Program {
    private final Lock lock = new ReentrantLock(true);
    private int count;

    void add() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

final class UnlockedTooEarly implements Program {
    private final Lock lock = new ReentrantLock();
    private int count; // race: UnlockedTooEarly.count

    void add() {
        lock.lock();
        int next = count + 1;
        lock.unlock();
        count = next;
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
            until(this, 2);
            add();
        }, () -> {
            until(this);
            add();
            mark(this, 2);
        });
    }
}

/** Tries, and goes on whatever comes of it. */
final class TriedOnly implements Program {
    private final Lock lock = new ReentrantLock();
    private int count; // race: TriedOnly.count

    public void run() throws Exception {
        together(() -> {
            lock.lock();
            count++;
            mark(this);
            until(this, 2);
            lock.unlock();
        }, () -> {
            until(this);
            boolean locked = lock.tryLock();
            count++;
            if (locked) {
                lock.unlock();
            }
            mark(this, 2);
        });
    }
}

final class Tried implements Program {
    private final Lock lock = new ReentrantLock();
    private int count;

    void add() throws InterruptedException {
        while (!lock.tryLock(1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    public void run() throws Exception {
        together(this::add, this::add, () -> {
            lock.lockInterruptibly();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        });
    }
}

final class TwoLocks implements Program {
    private final Lock read = new ReentrantLock();
    private final Lock write = new ReentrantLock();
    private int size; // race: TwoLocks.size

    public void run() throws Exception {
        together(() -> {
            write.lock();
            size++;
            write.unlock();
            mark(this);
            until(this, 2);
            write.lock();
            size++;
            write.unlock();
        }, () -> {
            until(this);
            read.lock();
            size++;
            read.unlock();
            mark(this, 2);
        });
    }
}

/** A ReentrantLock is no monitor. */
final class MonitorOfLock implements Program {
    private final Lock lock = new ReentrantLock();
    private int size; // race: MonitorOfLock.size

    public void run() throws Exception {
        together(() -> {
            synchronized (lock) {
                size++;
            }
            mark(this);
            until(this, 2);
            synchronized (lock) {
                size++;
            }
        }, () -> {
            until(this);
            lock.lock();
            size++;
            lock.unlock();
            mark(this, 2);
        });
    }
}

final class ReadersAndWriters implements Program {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private int value;

    int get() {
        lock.readLock().lock();
        try {
            return value;
        } finally {
            lock.readLock().unlock();
        }
    }

    void set(int next) {
        lock.writeLock().lock();
        try {
            value = next;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public void run() throws Exception {
        together(this::get, () -> set(1), this::get, () -> set(2));
    }
}

/** Counts hits under the read lock. */
final class WrittenByReaders implements Program {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private int hits; // race: WrittenByReaders.hits

    void hit() {
        lock.readLock().lock();
        try {
            hits++;
        } finally {
            lock.readLock().unlock();
        }
    }

    public void run() throws Exception {
        together(() -> {
            hit();
            mark(this);
        }, () -> {
            until(this);
            hit();
        });
    }
}

/** The write lock is downgraded. */
final class Downgraded implements Program {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private int value;
    private int copies;

    void refresh() {
        lock.writeLock().lock();
        value++;
        lock.readLock().lock();
        lock.writeLock().unlock();
        int copy = value;
        lock.readLock().unlock();
        lock.writeLock().lock();
        copies += copy;
        lock.writeLock().unlock();
    }

    public void run() throws Exception {
        together(this::refresh, this::refresh);
    }
}

/** Writes after the downgrade. */
final class DowngradedAndWritten implements Program {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private int value; // race: DowngradedAndWritten.value

    public void run() throws Exception {
        together(() -> {
            lock.writeLock().lock();
            lock.readLock().lock();
            lock.writeLock().unlock();
            value++;
            lock.readLock().unlock();
            mark(this);
        }, () -> {
            until(this);
            lock.readLock().lock();
            int seen = value;
            lock.readLock().unlock();
            if (seen > 99) {
                System.out.println("many");
            }
        });
    }
}

final class Stamped implements Program {
    private final StampedLock lock = new StampedLock();
    private int x;

    void move() {
        long stamp = lock.writeLock();
        try {
            x++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    int get() {
        long stamp = lock.readLock();
        try {
            return x;
        } finally {
            lock.unlock(stamp);
        }
    }

    void moveIfZero() {
        long stamp = lock.readLock();
        try {
            while (x == 0) {
                long write = lock.tryConvertToWriteLock(stamp);
                if (write != 0) {
                    stamp = write;
                    x = 1;
                    break;
                }
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
        } finally {
            lock.unlock(stamp);
        }
    }

    public void run() throws Exception {
        together(this::moveIfZero, this::move, this::get, this::moveIfZero);
    }
}

/** As its documentation shows: reads, then asks whether a writer came. */
final class Optimistic implements Program {
    private final StampedLock lock = new StampedLock();
    private int x;
    private int y;

    void move() {
        long stamp = lock.writeLock();
        try {
            x++;
            y++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    int sum() {
        long stamp = lock.tryOptimisticRead();
        int a = x;
        int b = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                a = x;
                b = y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return a + b;
    }

    public void run() throws Exception {
        together(() -> {
            sum();
            mark(this);
            until(this, 2);
            sum();
        }, () -> {
            until(this);
            move();
            mark(this, 2);
        });
    }
}

/** Loops as long as writers come, like the second example of its documentation. */
final class OptimisticLoop implements Program {
    private final StampedLock lock = new StampedLock();
    private int x;

    int get() {
        long stamp = lock.tryOptimisticRead();
        try {
            for (;; stamp = lock.readLock()) {
                if (stamp == 0L) {
                    continue;
                }
                int seen = x;
                if (!lock.validate(stamp)) {
                    continue;
                }
                return seen;
            }
        } finally {
            if (StampedLock.isReadLockStamp(stamp)) {
                lock.unlockRead(stamp);
            }
        }
    }

    public void run() throws Exception {
        together(() -> {
            get();
            mark(this);
            until(this, 2);
            get();
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
            mark(this, 2);
        });
    }
}

/** Nobody asks whether a writer came. */
final class NotValidated implements Program {
    private final StampedLock lock = new StampedLock();
    private int x; // race: NotValidated.x

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.tryOptimisticRead();
            int seen = x;
            mark(this);
            if (seen > 99 || stamp == 0) {
                System.out.println("many");
            }
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** Nor does anybody who could: the stamp goes nowhere. */
final class NobodyAsks implements Program {
    private final StampedLock lock = new StampedLock();
    private int x; // race: NobodyAsks.x

    void begin() {
        lock.tryOptimisticRead();
    }

    public void run() throws Exception {
        together(() -> {
            begin();
            String seen = "seen " + x;
            mark(this);
            if (seen.isEmpty()) {
                System.out.println(seen);
            }
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** The stamp goes to others in a field, in an array, and by a lambda that another thread could run. */
final class AskedByOthers implements Program {
    private final StampedLock lock = new StampedLock();
    private final long[] stamps = new long[1];
    private long kept;
    private int x;
    private int y;
    private int z;

    void keep() {
        kept = lock.tryOptimisticRead();
    }

    void put() {
        stamps[0] = lock.tryOptimisticRead();
    }

    BooleanSupplier ask() {
        long stamp = lock.tryOptimisticRead();
        return () -> lock.validate(stamp);
    }

    public void run() throws Exception {
        together(() -> {
            keep();
            int sum = x;
            lock.validate(kept);
            put();
            sum += y;
            lock.validate(stamps[0]);
            BooleanSupplier isRight = ask();
            sum += z;
            isRight.getAsBoolean();
            mark(this);
            if (sum > 99) {
                System.out.println("many");
            }
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            y++;
            z++;
            lock.unlockWrite(stamp);
        });
    }
}

/** Who finds what it looks for does not ask: the read has ended with its method. */
final class ReturnsUnasked implements Program {
    private final StampedLock lock = new StampedLock();
    private int key = 7;
    private int hits; // race: ReturnsUnasked.hits

    boolean isPresent(int wanted) {
        long stamp = lock.tryOptimisticRead();
        if (key == wanted) {
            return true;
        }
        if (lock.validate(stamp)) {
            return false;
        }
        throw new IllegalStateException("written");
    }

    public void run() throws Exception {
        together(() -> {
            boolean isPresent = isPresent(7);
            if (isPresent && hits > 99) {
                System.out.println("many");
            }
            mark(this);
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            hits++;
            lock.unlockWrite(stamp);
        });
    }
}

/** A read goes on while a method that it calls reads another lock so, and returns what it has found. */
final class NestedHopes implements Program {
    private final StampedLock outer = new StampedLock();
    private final StampedLock inner = new StampedLock();
    private int x;
    private int y;

    int found() {
        long stamp = inner.tryOptimisticRead();
        int seen = y;
        if (seen > 0) {
            return seen;
        }
        return inner.validate(stamp) ? seen : -1;
    }

    int sum() {
        long stamp = outer.tryOptimisticRead();
        int sum = found() + x;
        return outer.validate(stamp) ? sum : -1;
    }

    public void run() throws Exception {
        y = 1;
        together(() -> {
            sum();
            mark(this);
        }, () -> {
            until(this);
            long stamp = outer.writeLock();
            x++;
            outer.unlockWrite(stamp);
        });
    }
}

/** Who asks in another method reads on until then. */
final class AsksElsewhere implements Program {
    private final StampedLock lock = new StampedLock();
    private int x;

    long begin() {
        return lock.tryOptimisticRead();
    }

    boolean isRight(long stamp) {
        return lock.validate(stamp);
    }

    public void run() throws Exception {
        together(() -> {
            long stamp = begin();
            int seen = x;
            if (isRight(stamp) && seen > 99) {
                System.out.println("many");
            }
            mark(this);
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** Writes while it only hopes that nobody else does. */
final class OptimisticWrite implements Program {
    private final StampedLock lock = new StampedLock();
    private int x; // race: OptimisticWrite.x

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.tryOptimisticRead();
            x++;
            lock.validate(stamp);
            mark(this);
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** Reads once more when it has asked. */
final class ReadAfterValidation implements Program {
    private final StampedLock lock = new StampedLock();
    private int x; // race: ReadAfterValidation.x

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.tryOptimisticRead();
            int seen = x;
            if (lock.validate(stamp) && x > seen + 99) {
                System.out.println("many");
            }
            mark(this);
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** Its views. */
final class StampedViews implements Program {
    private final StampedLock stamped = new StampedLock();
    private final Lock write = stamped.asWriteLock();
    private final Lock read = stamped.asReadWriteLock().readLock();
    private int x;

    public void run() throws Exception {
        together(() -> {
            write.lock();
            x++;
            write.unlock();
        }, () -> {
            read.lock();
            int seen = x;
            read.unlock();
            if (seen > 99) {
                System.out.println("many");
            }
        }, () -> {
            long stamp = stamped.writeLock();
            x++;
            stamped.unlockWrite(stamp);
        });
    }
}

/** The buffer of the documentation of Condition; what is put in is not changed any more. */
final class BoundedBuffer implements Program {
    private final Lock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private final Object[] items = new Object[2];
    private int putptr;
    private int takeptr;
    private int count;

    void put(Object x) throws InterruptedException {
        lock.lock();
        try {
            while (count == items.length) {
                notFull.await();
            }
            items[putptr] = x;
            if (++putptr == items.length) {
                putptr = 0;
            }
            ++count;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    Object take() throws InterruptedException {
        lock.lock();
        try {
            while (count == 0) {
                notEmpty.await();
            }
            Object x = items[takeptr];
            if (++takeptr == items.length) {
                takeptr = 0;
            }
            --count;
            notFull.signal();
            return x;
        } finally {
            lock.unlock();
        }
    }

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 20; i++) {
                put("item");
            }
        }, () -> {
            for (int i = 0; i < 20; i++) {
                take();
            }
        });
    }
}

/** Waits for a condition that was signalled before it came. */
final class SignalledBefore implements Program {
    private final Lock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    private int result;

    public void run() throws Exception {
        together(() -> {
            result = 1;
            lock.lock();
            done = true;
            condition.signalAll();
            lock.unlock();
            mark(this);
        }, () -> {
            until(this);
            lock.lock();
            while (!done) {
                condition.await();
            }
            lock.unlock();
            result++;
        });
    }
}

final class Signalled implements Program {
    private final Lock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    private int result;

    public void run() throws Exception {
        together(() -> {
            until(this);
            result = 1;
            lock.lock();
            done = true;
            condition.signal();
            lock.unlock();
        }, () -> {
            lock.lock();
            mark(this);
            while (!done) {
                if (!condition.await(60, TimeUnit.SECONDS)) {
                    System.out.println("late");
                }
            }
            lock.unlock();
            result++;
        });
    }
}

/** On JDK 25, such a lock has conditions of another class. */
final class SignalledByWriteLock implements Program {
    private final Lock lock = new ReentrantReadWriteLock().writeLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    private int result;

    public void run() throws Exception {
        together(() -> {
            until(this);
            result = 1;
            lock.lock();
            done = true;
            condition.signal();
            lock.unlock();
        }, () -> {
            lock.lock();
            mark(this);
            while (!done) {
                if (!condition.await(60, TimeUnit.SECONDS)) {
                    System.out.println("late");
                }
            }
            lock.unlock();
            result++;
        });
    }
}

final class WrittenAfterSignal implements Program {
    private final Lock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean done;
    private int result; // race: WrittenAfterSignal.result

    public void run() throws Exception {
        together(() -> {
            until(this);
            lock.lock();
            done = true;
            condition.signal();
            lock.unlock();
            result = 1;
            mark(this, 2);
        }, () -> {
            lock.lock();
            mark(this);
            while (!done) {
                condition.await();
            }
            lock.unlock();
            until(this, 2);
            result++;
        });
    }
}

/** A queue of its own in which each entry has its own lock. */
final class Striped implements Program {
    private final Lock[] locks = {new ReentrantLock(), new ReentrantLock()};
    private final Object[] stripes = {new ArrayDeque<String>(), new ArrayDeque<String>()};

    @SuppressWarnings("unchecked")
    void add(int at) {
        locks[at].lock();
        try {
            ((ArrayDeque<String>) stripes[at]).add("x");
        } finally {
            locks[at].unlock();
        }
    }

    public void run() throws Exception {
        together(() -> {
            add(0);
            add(1);
        }, () -> {
            add(1);
            add(0);
        });
    }
}

/** Takes the lock of the wrong stripe. */
final class WrongStripe implements Program {
    private final Lock[] locks = {new ReentrantLock(), new ReentrantLock()};
    private final ArrayDeque<String> names = new ArrayDeque<>(); // race: WrongStripe.names

    void add(int at) {
        locks[at].lock();
        try {
            names.add("x");
        } finally {
            locks[at].unlock();
        }
    }

    public void run() throws Exception {
        together(() -> {
            add(0);
            mark(this);
            until(this, 2);
            add(0);
        }, () -> {
            until(this);
            add(1);
            mark(this, 2);
        });
    }
}

/** Each access has other locks than the one before at its place; which pairs race depends on them. */
final class OtherLocksLater implements Program {
    final Object[] locks = {new Object(), new Object(), new Object(), new Object()};
    int count; // race: OtherLocksLater.count

    void add(int outer, int inner) {
        synchronized (locks[outer]) {
            synchronized (locks[inner]) {
                count++;
            }
        }
    }

    void addTwo(int lock) {
        synchronized (locks[lock]) {
            count += 2;
        }
    }

    public void run() throws Exception {
        together(() -> {
            until(this);
            add(1, 1);
            mark(this, 2);
            until(this, 3);
            addTwo(2);
        }, () -> {
            add(0, 0);
            mark(this);
            until(this, 2);
            add(1, 2);
            add(1, 3);
            mark(this, 3);
        });
    }
}

/** A writer has the lock: the read is one in vain, and who made it asks. */
final class OptimisticWhileWritten implements Program {
    private final StampedLock lock = new StampedLock();
    private int x;

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.writeLock();
            x = 1;
            mark(this);
            until(this, 2);
            lock.unlockWrite(stamp);
        }, () -> {
            until(this);
            long stamp = lock.tryOptimisticRead();
            int seen = x;
            mark(this, 2);
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                seen = x;
                lock.unlockRead(stamp);
            }
            if (seen > 99) {
                System.out.println("many");
            }
        });
    }
}

/** In vain, too, but it reads once more when it has asked. */
final class ReadAfterFailure implements Program {
    private final StampedLock lock = new StampedLock();
    private int x; // race: ReadAfterFailure.x

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.writeLock();
            x = 1;
            mark(this);
            until(this, 2);
            lock.unlockWrite(stamp);
        }, () -> {
            until(this);
            long stamp = lock.tryOptimisticRead();
            if (!lock.validate(stamp) && x > 99) {
                System.out.println("many");
            }
            mark(this, 2);
        });
    }
}

/** It takes the lock where hope is in vain, and reads once more without. */
final class ReadAfterFallback implements Program {
    private final StampedLock lock = new StampedLock();
    private int x; // race: ReadAfterFallback.x

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.writeLock();
            mark(this);
            until(this, 2);
            lock.unlockWrite(stamp);
            until(this, 3);
            stamp = lock.writeLock();
            x = 1;
            lock.unlockWrite(stamp);
        }, () -> {
            until(this);
            long stamp = lock.tryOptimisticRead();
            mark(this, 2);
            if (stamp == 0) {
                stamp = lock.readLock();
                lock.unlockRead(stamp);
            }
            if (x > 99) {
                System.out.println("many");
            }
            mark(this, 3);
        });
    }
}

/** One thread locks, and hands the lock over to another, which unlocks. */
final class UnlockedByAnother implements Program {
    private final StampedLock lock = new StampedLock();
    private volatile long handed;
    private int x;

    public void run() throws Exception {
        together(() -> {
            long stamp = lock.writeLock();
            x = 1;
            mark(this);
            handed = stamp;
        }, () -> {
            while (handed == 0) {
                Thread.onSpinWait();
            }
            x++;
            lock.unlockWrite(handed);
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** What the other does after it has unlocked is not under the lock. */
final class WrittenAfterUnlock implements Program {
    private final StampedLock lock = new StampedLock();
    private volatile long handed;
    private int x; // race: WrittenAfterUnlock.x

    public void run() throws Exception {
        together(() -> {
            handed = lock.writeLock();
        }, () -> {
            while (handed == 0) {
                Thread.onSpinWait();
            }
            lock.unlockWrite(handed);
            x++;
            mark(this);
        }, () -> {
            until(this);
            long stamp = lock.writeLock();
            x++;
            lock.unlockWrite(stamp);
        });
    }
}

/** Read under one lock after the other, and written by who holds all of them but the first. */
abstract class UnderEach implements Program {
    private final Lock always = new ReentrantLock();
    private final Object[] locks;

    UnderEach(int n) {
        locks = new Object[n];
        for (int i = 0; i < n; i++) {
            locks[i] = new Object();
        }
    }

    abstract void read();

    abstract void write();

    private void readUnder(Object lock) {
        synchronized (lock) {
            always.lock();
            read();
            always.unlock();
        }
    }

    private void writeUnderAll(int from) {
        if (from == locks.length) {
            write();
            return;
        }
        synchronized (locks[from]) {
            writeUnderAll(from + 1);
        }
    }

    public void run() throws Exception {
        together(() -> {
            for (Object lock : locks) {
                readUnder(lock);
            }
            mark(this);
        }, () -> {
            until(this);
            writeUnderAll(1);
        });
    }
}

final class UnderFour extends UnderEach {
    int hits; // race: UnderFour.hits
    int seen;

    UnderFour() {
        super(4);
    }

    @Override
    void read() {
        seen = hits;
    }

    @Override
    void write() {
        hits = 1;
    }
}

final class UnderFive extends UnderEach {
    int hits; // missed: UnderFive.hits -- who holds four locks at once meets four later accesses of the thread, and the first is forgotten
    int seen;

    UnderFive() {
        super(5);
    }

    @Override
    void read() {
        seen = hits;
    }

    @Override
    void write() {
        hits = 1;
    }
}

/** A thread reads without a lock, and then under one of many at a time; another holds all of them. */
final class AllStripes implements Program {
    private final Object[] stripes = new Object[20];
    private int hits; // race: AllStripes.hits
    private int seen;

    AllStripes() {
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Object();
        }
    }

    private void writeUnderAll(int from) {
        if (from == stripes.length) {
            hits = 1;
            return;
        }
        synchronized (stripes[from]) {
            writeUnderAll(from + 1);
        }
    }

    public void run() throws Exception {
        together(() -> {
            seen = hits;
            for (Object stripe : stripes) {
                synchronized (stripe) {
                    seen = hits;
                }
            }
            mark(this);
        }, () -> {
            until(this);
            writeUnderAll(0);
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Locked(), new UnlockedTooEarly(), new TriedOnly(), new Tried(), new TwoLocks(), new MonitorOfLock(),
                new ReadersAndWriters(), new WrittenByReaders(), new Downgraded(), new DowngradedAndWritten(), new Stamped(), new Optimistic(),
                new OptimisticLoop(), new NotValidated(), new NobodyAsks(), new AskedByOthers(), new ReturnsUnasked(), new NestedHopes(), new AsksElsewhere(), new OptimisticWrite(), new ReadAfterValidation(), new StampedViews(),
                new BoundedBuffer(), new SignalledBefore(), new Signalled(), new SignalledByWriteLock(), new WrittenAfterSignal(),
                new Striped(), new WrongStripe(), new OtherLocksLater(),
                new OptimisticWhileWritten(), new ReadAfterFailure(), new ReadAfterFallback(), new UnlockedByAnother(), new WrittenAfterUnlock(),
                new UnderFour(), new UnderFive(), new AllStripes());
    }
}
