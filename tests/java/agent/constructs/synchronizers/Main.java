package synchronizers;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayDeque;
import java.util.LinkedList;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import schedule.Program;

/** The mutex of the documentation of AbstractQueuedSynchronizer. */
final class Mutex extends AbstractQueuedSynchronizer {
    @Override
    protected boolean tryAcquire(int acquires) {
        if (compareAndSetState(0, 1)) {
            setExclusiveOwnerThread(Thread.currentThread());
            return true;
        }
        return false;
    }

    @Override
    protected boolean tryRelease(int releases) {
        setExclusiveOwnerThread(null);
        setState(0);
        return true;
    }

    @Override
    protected boolean isHeldExclusively() {
        return getExclusiveOwnerThread() == Thread.currentThread();
    }

    Condition newCondition() {
        return new ConditionObject();
    }
}

final class OwnMutex implements Program {
    final Mutex mutex = new Mutex();
    int count;

    void add() {
        mutex.acquire(1);
        try {
            count++;
        } finally {
            mutex.release(1);
        }
    }

    public void run() throws Exception {
        together(this::add, this::add, this::add);
    }
}

final class OwnMutexForgotten implements Program {
    final Mutex mutex = new Mutex();
    int count; // race: OwnMutexForgotten.count

    public void run() throws Exception {
        together(() -> {
            mutex.acquire(1);
            count++;
            mark(this);
            until(this, 2);
            mutex.release(1);
        }, () -> {
            until(this);
            count++;
            mark(this, 2);
        });
    }
}

final class OwnCondition implements Program {
    final Mutex mutex = new Mutex();
    final Condition filled = mutex.newCondition();
    String line;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            mutex.acquire(1);
            line = "x";
            filled.signal();
            mutex.release(1);
        }, () -> {
            mutex.acquire(1);
            while (line == null) {
                filled.await();
            }
            mutex.release(1);
            data++;
        });
    }
}

/** The same with a state of 64 bits. */
final class LongMutex extends AbstractQueuedLongSynchronizer {
    @Override
    protected boolean tryAcquire(long acquires) {
        if (compareAndSetState(0, 1)) {
            setExclusiveOwnerThread(Thread.currentThread());
            return true;
        }
        return false;
    }

    @Override
    protected boolean tryRelease(long releases) {
        setExclusiveOwnerThread(null);
        setState(0);
        return true;
    }

    @Override
    protected boolean isHeldExclusively() {
        return getExclusiveOwnerThread() == Thread.currentThread();
    }

    Condition newCondition() {
        return new ConditionObject();
    }
}

final class OwnLongMutex implements Program {
    final LongMutex mutex = new LongMutex();
    int count;

    void add() {
        mutex.acquire(1);
        try {
            count++;
        } finally {
            mutex.release(1);
        }
    }

    public void run() throws Exception {
        together(this::add, this::add, this::add);
    }
}

final class OwnLongCondition implements Program {
    final LongMutex mutex = new LongMutex();
    final Condition filled = mutex.newCondition();
    String line;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            mutex.acquire(1);
            line = "x";
            filled.signal();
            mutex.release(1);
        }, () -> {
            mutex.acquire(1);
            while (line == null) {
                filled.await();
            }
            mutex.release(1);
            data++;
        });
    }
}

/** Opens once, for all. */
final class Gate extends AbstractQueuedSynchronizer {
    @Override
    protected int tryAcquireShared(int ignored) {
        return getState() == 1 ? 1 : -1;
    }

    @Override
    protected boolean tryReleaseShared(int ignored) {
        setState(1);
        return true;
    }
}

final class OwnGate implements Program {
    final Gate gate = new Gate();
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            gate.releaseShared(1);
        }, () -> {
            gate.acquireSharedInterruptibly(1);
            data++;
        });
    }
}

final class OwnGateTooEarly implements Program {
    final Gate gate = new Gate();
    int data; // race: OwnGateTooEarly.data

    public void run() throws Exception {
        together(() -> {
            gate.releaseShared(1);
            data = 1;
            mark(this);
        }, () -> {
            gate.acquireShared(1);
            until(this);
            data++;
        });
    }
}

/** A queue of waiting threads, each spins on the node before it. */
final class QueueLock implements Program {
    static final class Node {
        volatile boolean locked;
    }

    final AtomicReference<Node> tail = new AtomicReference<>(new Node());
    int count;

    void add() {
        Node mine = new Node();
        mine.locked = true;
        Node before = tail.getAndSet(mine);
        while (before.locked) {
            Thread.onSpinWait();
        }
        count++;
        mine.locked = false;
    }

    public void run() throws Exception {
        together(this::add, this::add, this::add);
    }
}

/** The node's flag is not volatile. */
final class QueueLockPlain implements Program {
    static final class Waiter {
        boolean locked; // race: Waiter.locked
    }

    final AtomicReference<Waiter> tail = new AtomicReference<>(new Waiter());
    int count; // race: QueueLockPlain.count

    public void run() throws Exception {
        together(() -> {
            Waiter mine = new Waiter();
            mine.locked = true;
            tail.getAndSet(mine);
            count++;
            mine.locked = false;
            mark(this);
        }, () -> {
            until(this);
            Waiter before = tail.get();
            while (before.locked) {
                Thread.onSpinWait();
            }
            count++;
        });
    }
}

/** Parked until a flag is set. */
final class Parked implements Program {
    volatile boolean ready;
    int data;

    public void run() throws Exception {
        Thread waiting = start(() -> {
            while (!ready) {
                LockSupport.park(this);
            }
            data++;
        });
        data = 1;
        ready = true;
        LockSupport.unpark(waiting);
        waiting.join();
    }
}

/** The permit alone is no promise. */
final class ParkedOnly implements Program {
    int data; // race: ParkedOnly.data

    public void run() throws Exception {
        Thread waiting = start(() -> {
            LockSupport.park();
            until(this);
            data++;
        });
        data = 1;
        LockSupport.unpark(waiting);
        mark(this);
        waiting.join();
    }
}

/** A lock for readers and writers, out of a monitor: it keeps them apart, and no checker knows of it. */
final class OwnReadWriteLock implements Program {
    private int readers;
    private boolean writing;
    int value;

    synchronized void lockRead() throws InterruptedException {
        while (writing) {
            wait();
        }
        readers++;
    }

    synchronized void unlockRead() {
        readers--;
        notifyAll();
    }

    synchronized void lockWrite() throws InterruptedException {
        while (writing || readers > 0) {
            wait();
        }
        writing = true;
    }

    synchronized void unlockWrite() {
        writing = false;
        notifyAll();
    }

    public void run() throws Exception {
        together(() -> {
            lockWrite();
            value++;
            unlockWrite();
            mark(this);
        }, () -> {
            until(this);
            lockRead();
            int seen = value;
            unlockRead();
            if (seen > 99) {
                System.out.println("many");
            }
        });
    }
}

/** A pool by hand: a list of tasks, a lock, threads that wait. */
final class WorkerPool implements Program {
    private final LinkedList<Runnable> tasks = new LinkedList<>();
    private final Thread[] workers = new Thread[2];
    private boolean stopped;
    final AtomicInteger done = new AtomicInteger();

    void work() throws InterruptedException {
        while (true) {
            Runnable task;
            synchronized (tasks) {
                while (tasks.isEmpty() && !stopped) {
                    tasks.wait();
                }
                if (tasks.isEmpty()) {
                    return;
                }
                task = tasks.removeFirst();
            }
            task.run();
        }
    }

    public void run() throws Exception {
        for (int i = 0; i < workers.length; i++) {
            workers[i] = start(this::work);
        }
        for (int i = 0; i < 10; i++) {
            synchronized (tasks) {
                tasks.addLast(done::incrementAndGet);
                tasks.notify();
            }
        }
        synchronized (tasks) {
            stopped = true;
            tasks.notifyAll();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}

/** One thread handles all events, so handlers need no locks. */
final class EventLoop implements Program {
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final StringBuilder log = new StringBuilder();
    int handled;
    boolean stopped;

    void loop() throws InterruptedException {
        while (!stopped) {
            events.take().run();
        }
    }

    public void run() throws Exception {
        Thread loop = start(this::loop);
        together(() -> {
            for (int i = 0; i < 5; i++) {
                events.put(() -> {
                    handled++;
                    log.append('a');
                });
            }
        }, () -> {
            for (int i = 0; i < 5; i++) {
                events.put(() -> {
                    handled++;
                    log.append('b');
                });
            }
        });
        events.put(() -> stopped = true);
        loop.join();
        if (handled != 10 || log.length() != 10) {
            System.out.println(handled);
        }
    }
}

/** A client looks into the loop's state. */
final class EventLoopPeeked implements Program {
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    int handled; // race: EventLoopPeeked.handled

    public void run() throws Exception {
        Thread loop = start(() -> {
            events.take().run();
            mark(this);
            until(this, 2);
            events.take().run();
        });
        events.put(() -> handled++);
        until(this);
        if (handled > 99) {
            System.out.println("many");
        }
        events.put(() -> handled++);
        mark(this, 2);
        loop.join();
    }
}

/** A future by hand. */
final class OwnFuture implements Program {
    private Object result;
    int data;

    synchronized Object get() throws InterruptedException {
        mark(this);
        while (result == null) {
            wait();
        }
        return result;
    }

    synchronized void set(Object value) {
        result = value;
        notifyAll();
    }

    public void run() throws Exception {
        together(() -> {
            until(this);
            data = 1;
            set("x");
        }, () -> {
            get();
            data++;
        });
    }
}

/** Messages between actors, each with a mailbox of its own. */
final class Actors implements Program {
    static final class Actor {
        final BlockingQueue<int[]> mailbox = new LinkedBlockingQueue<>();
        int received;

        void handle(Actor other) throws InterruptedException {
            int[] message = mailbox.take();
            received += message[0];
            message[0]++;
            other.mailbox.put(message);
        }
    }

    public void run() throws Exception {
        Actor a = new Actor();
        Actor b = new Actor();
        a.mailbox.put(new int[] {1});
        together(() -> {
            for (int i = 0; i < 5; i++) {
                a.handle(b);
            }
        }, () -> {
            for (int i = 0; i < 5; i++) {
                b.handle(a);
            }
        });
        a.received += b.received;
    }
}

/** Double checked with a spin lock of one's own, which gets the wrong order. */
final class UnlockedFirst implements Program {
    final AtomicInteger lock = new AtomicInteger();
    int count; // race: UnlockedFirst.count

    public void run() throws Exception {
        together(() -> {
            while (!lock.compareAndSet(0, 1)) {
                Thread.onSpinWait();
            }
            lock.set(0);
            count++;
            mark(this);
        }, () -> {
            until(this);
            while (!lock.compareAndSet(0, 1)) {
                Thread.onSpinWait();
            }
            lock.set(0);
            count++;
        });
    }
}

/** A lock by the interface that only delegates. */
final class Delegating implements Program {
    final Lock lock = new java.util.concurrent.locks.ReentrantLock() {
        @Override
        public void lock() {
            super.lock();
        }
    };
    final Queue<String> names = new ArrayDeque<>();

    void add() {
        lock.lock();
        try {
            names.add("x");
        } finally {
            lock.unlock();
        }
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new OwnMutex(), new OwnMutexForgotten(), new OwnCondition(), new OwnLongMutex(),
                new OwnLongCondition(), new OwnGate(), new OwnGateTooEarly(), new QueueLock(), new QueueLockPlain(), new Parked(), new ParkedOnly(), new OwnReadWriteLock(), new WorkerPool(), new EventLoop(),
                new EventLoopPeeked(), new OwnFuture(), new Actors(), new UnlockedFirst(), new Delegating());
    }
}
