package edges;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.Vector;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

import util.Threads;

/** Something that one thread does first and another one then, in this order by what the case is about. */
abstract class Case {
    abstract void first() throws Exception;

    abstract void then() throws Exception;
}

/** What is handed over by a queue. */
final class Task {
    int done;
}

final class Volatile extends Case {
    int x;
    volatile boolean ready;

    void first() {
        x = 1;
        ready = true;
    }

    void then() {
        while (!ready) {
            Thread.onSpinWait();
        }
        x++;
    }
}

/** What comes after the release is not ordered. */
final class VolatileTooLate extends Case {
    int x; // race: VolatileTooLate.x
    volatile boolean ready;

    void first() {
        ready = true;
        x = 1;
    }

    void then() {
        while (!ready) {
            Thread.onSpinWait();
        }
        x++;
    }
}

final class VolatileLong extends Case {
    long x;
    volatile long ready;

    void first() {
        x = 1;
        ready = 1L << 40;
    }

    void then() {
        while (ready == 0) {
            Thread.onSpinWait();
        }
        x++;
    }
}

final class StaticVolatile extends Case {
    int x;
    static volatile boolean ready;

    void first() {
        x = 1;
        ready = true;
    }

    void then() {
        while (!ready) {
            Thread.onSpinWait();
        }
        x++;
    }
}

/** Volatile fields of another class. */
final class Flags {
    volatile boolean ready;
    static volatile boolean go;
}

final class ForeignVolatile extends Case {
    int x;
    int y;
    final Flags flags = new Flags();

    void first() {
        x = 1;
        flags.ready = true;
        y = 1;
        Flags.go = true;
    }

    void then() {
        while (!flags.ready) {
            Thread.onSpinWait();
        }
        x++;
        while (!Flags.go) {
            Thread.onSpinWait();
        }
        y++;
    }
}

/** Another volatile variable is no edge. */
final class OtherVolatile extends Case {
    int x; // race: OtherVolatile.x
    volatile boolean written;
    volatile boolean read;
    final CyclicBarrier met = new CyclicBarrier(2);

    void first() {
        x = 1;
        written = true;
    }

    void then() throws Exception {
        Thread.sleep(50);
        if (!read) {
            x++;
        }
    }
}

final class Latch extends Case {
    int x;
    final CountDownLatch latch = new CountDownLatch(1);

    void first() {
        x = 1;
        latch.countDown();
    }

    void then() throws Exception {
        latch.await();
        x++;
    }
}

final class TimedLatch extends Case {
    int x;
    final CountDownLatch latch = new CountDownLatch(1);

    void first() {
        x = 1;
        latch.countDown();
    }

    void then() throws Exception {
        if (latch.await(1, TimeUnit.MINUTES)) {
            x++;
        }
    }
}

/** Who gives up waiting knows nothing. */
final class LatchInVain extends Case {
    int x; // race: LatchInVain.x
    final CountDownLatch latch = new CountDownLatch(2);

    void first() {
        x = 1;
        latch.countDown();
    }

    void then() throws Exception {
        if (!latch.await(50, TimeUnit.MILLISECONDS)) {
            x++;
        }
    }
}

final class Barrier extends Case {
    int x;
    int y;
    final CyclicBarrier barrier = new CyclicBarrier(2);

    void first() throws Exception {
        x = 1;
        barrier.await();
        barrier.await();
        y++;
    }

    void then() throws Exception {
        barrier.await();
        x++;
        y = 1;
        barrier.await();
    }
}

/** Who waits at the barrier wakes up when the other one has come to it again, or nearly always so. */
final class WokenLate extends Case {
    int x; // race: WokenLate.x
    int y;
    final CyclicBarrier barrier = new CyclicBarrier(2);

    void first() throws Exception {
        y = 1;
        barrier.await();
        x++;
        barrier.await();
    }

    void then() throws Exception {
        while (barrier.getNumberWaiting() == 0) {
            Thread.onSpinWait();
        }
        barrier.await();
        x++;
        y++;
        barrier.await();
    }
}

/** The same with an action. */
final class WokenAfterAction extends Case {
    int x; // race: WokenAfterAction.x
    int y;
    final CyclicBarrier barrier = new CyclicBarrier(2, () -> y++);

    void first() throws Exception {
        barrier.await();
        x += y;
        barrier.await(1, TimeUnit.MINUTES);
    }

    void then() throws Exception {
        while (barrier.getNumberWaiting() == 0) {
            Thread.onSpinWait();
        }
        barrier.await();
        x += y;
        barrier.await();
    }
}

final class Phases extends Case {
    int x;
    final Phaser phaser = new Phaser(2);

    void first() {
        x = 1;
        phaser.arriveAndAwaitAdvance();
    }

    void then() {
        phaser.arriveAndAwaitAdvance();
        x++;
    }
}

final class Exchange extends Case {
    int x;
    final Exchanger<Task> exchanger = new Exchanger<>();

    void first() throws Exception {
        Task task = new Task();
        task.done = 1;
        exchanger.exchange(task).done++;
    }

    void then() throws Exception {
        Task task = new Task();
        task.done = 1;
        exchanger.exchange(task).done++;
    }
}

/** A semaphore as a signal. */
final class Signal extends Case {
    int x;
    final Semaphore semaphore = new Semaphore(0);

    void first() {
        x = 1;
        semaphore.release();
    }

    void then() throws Exception {
        semaphore.acquire();
        x++;
    }
}

/** And as a lock: the permit protects. */
final class Mutex extends Case {
    int x;
    final Semaphore semaphore = new Semaphore(1);

    void first() throws Exception {
        semaphore.acquire();
        x++;
        semaphore.release();
    }

    void then() throws Exception {
        first();
    }
}

/** Two permits protect nothing. */
/** Both have a permit before one is given back. */
final class TwoPermits extends Case {
    int x; // race: TwoPermits.x
    final Semaphore semaphore = new Semaphore(2);
    final Thread firstHas = Threads.turn();
    final Thread otherHas = Threads.turn();

    void first() throws Exception {
        add(firstHas, otherHas);
    }

    void then() throws Exception {
        add(otherHas, firstHas);
    }

    private void add(Thread own, Thread other) throws Exception {
        semaphore.acquire();
        Threads.begin(own);
        Threads.waitFor(other);
        x++;
        semaphore.release();
    }
}

final class Waiting extends Case {
    int x;
    boolean isWaiting;
    boolean ready;

    void first() throws Exception {
        while (true) {
            synchronized (this) {
                if (isWaiting) {
                    break;
                }
            }
            Thread.sleep(1);
        }
        x = 1;
        synchronized (this) {
            ready = true;
            notifyAll();
        }
    }

    void then() throws Exception {
        synchronized (this) {
            isWaiting = true;
            while (!ready) {
                wait();
            }
        }
        x++;
    }
}

final class ByCondition extends Case {
    int x;
    boolean isWaiting;
    boolean ready;
    final Lock lock = new ReentrantLock();
    final Condition condition = lock.newCondition();

    void first() throws Exception {
        while (true) {
            lock.lock();
            try {
                if (isWaiting) {
                    break;
                }
            } finally {
                lock.unlock();
            }
            Thread.sleep(1);
        }
        x = 1;
        lock.lock();
        ready = true;
        condition.signalAll();
        lock.unlock();
    }

    void then() throws Exception {
        lock.lock();
        isWaiting = true;
        while (!ready) {
            condition.await();
        }
        lock.unlock();
        x++;
    }
}

final class Queues extends Case {
    final List<BlockingQueue<Task>> queues = List.of(
            new ArrayBlockingQueue<>(1), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(), new SynchronousQueue<>(), new LinkedTransferQueue<>());

    void first() throws Exception {
        for (BlockingQueue<Task> queue : queues) {
            Task task = new Task();
            task.done = 1;
            queue.put(task);
        }
    }

    void then() throws Exception {
        for (BlockingQueue<Task> queue : queues) {
            queue.take().done++;
        }
    }
}

final class PolledQueues extends Case {
    final List<java.util.Queue<Task>> queues = List.of(
            new ConcurrentLinkedQueue<>(), new ConcurrentLinkedDeque<>(), new LinkedBlockingQueue<>(), new LinkedTransferQueue<>());

    void first() {
        for (java.util.Queue<Task> queue : queues) {
            Task task = new Task();
            task.done = 1;
            queue.add(task);
        }
    }

    void then() {
        for (java.util.Queue<Task> queue : queues) {
            Task task;
            do {
                task = queue.poll();
            } while (task == null);
            task.done++;
        }
    }
}

final class Drained extends Case {
    final BlockingQueue<Task> queue = new LinkedBlockingQueue<>();

    void first() {
        Task task = new Task();
        task.done = 1;
        queue.add(task);
    }

    void then() {
        List<Task> tasks = new ArrayList<>();
        while (queue.drainTo(tasks) == 0) {
            Thread.onSpinWait();
        }
        tasks.get(0).done++;
    }
}

/** Who takes another object learns nothing of this one. */
final class OtherElement extends Case {
    int x; // race: OtherElement.x
    final BlockingQueue<Object> queue = new LinkedBlockingQueue<>(List.of(new Object()));

    void first() {
        x = 1;
        queue.add(this);
    }

    void then() throws Exception {
        queue.take();
        x++;
    }
}

final class Executors_ extends Case {
    int x;
    int y;
    int z;

    void first() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        x = 1;
        Future<?> future = pool.submit(() -> x++);
        future.get();
        x++;
        y = 1;
        pool.execute(() -> y++);
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
        y++;
    }

    void then() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        z = 1;
        pool.schedule(() -> z++, 1, TimeUnit.MILLISECONDS).get();
        z++;
        pool.invokeAll(List.of(() -> z++, () -> 0)).get(0).get();
        z++;
        pool.shutdownNow();
    }
}

final class Unawaited extends Case {
    int x; // race: Unawaited.x
    final ExecutorService pool = Executors.newFixedThreadPool(1);

    void first() throws Exception {
        pool.execute(() -> x++);
        Thread.sleep(50);
        x++;
        pool.shutdown();
    }

    void then() {}
}

final class Completable extends Case {
    int x;
    int y;
    int z;
    final CompletableFuture<Integer> future = new CompletableFuture<>();

    void first() {
        x = 1;
        future.complete(1);
    }

    void then() throws Exception {
        future.get();
        x++;
        y = 1;
        CompletableFuture.supplyAsync(() -> y++).thenApplyAsync(n -> y + n).thenAccept(n -> y++).join();
        y++;
        CompletableFuture<Void> a = CompletableFuture.runAsync(() -> z = 1);
        CompletableFuture<Void> b = a.thenRunAsync(() -> z++);
        CompletableFuture.allOf(a, b).join();
        z++;
    }
}

final class Dependent extends Case {
    int x;
    final CompletableFuture<Integer> future = new CompletableFuture<>();
    final CountDownLatch done = new CountDownLatch(1);

    void first() {
        x = 1;
        future.complete(1);
    }

    void then() throws Exception {
        future.thenApply(n -> x++).thenRun(done::countDown);
        done.await();
        x++;
    }
}

final class ForkJoin extends Case {
    static final class Sum extends RecursiveTask<Integer> {
        final int depth;
        int part;

        Sum(int depth) {
            this.depth = depth;
        }

        @Override
        protected Integer compute() {
            if (depth == 0) {
                part = 1;
                return 1;
            }
            Sum left = new Sum(depth - 1);
            Sum right = new Sum(depth - 1);
            left.fork();
            right.compute();
            left.join();
            part = left.part + right.part;
            return part;
        }
    }

    void first() {
        Sum sum = new Sum(8);
        new ForkJoinPool(2).invoke(sum);
        sum.part++;
    }

    void then() throws Exception {
        Sum sum = new Sum(8);
        ForkJoinPool.commonPool().submit(sum).get();
        sum.part++;
    }
}

final class Streams extends Case {
    void first() {
        Task[] tasks = new Task[1000];
        java.util.stream.IntStream.range(0, 1000).parallel().forEach(i -> {
            tasks[i] = new Task();
            tasks[i].done = i;
        });
        int sum = 0;
        for (Task task : tasks) {
            sum += task.done++;
        }
        List<Task> list = java.util.stream.IntStream.range(0, 1000).parallel().mapToObj(i -> {
            Task task = new Task();
            task.done = i;
            return task;
        }).collect(java.util.stream.Collectors.toList());
        list.forEach(task -> task.done++);
    }

    void then() {}
}

final class Maps extends Case {
    final Map<String, Task> map = new ConcurrentHashMap<>();
    final Map<String, Task> sorted = new ConcurrentSkipListMap<>();
    final List<Task> list = new CopyOnWriteArrayList<>();

    void first() {
        Task task = new Task();
        task.done = 1;
        map.put("a", task);
        task = new Task();
        task.done = 1;
        sorted.put("a", task);
        task = new Task();
        task.done = 1;
        list.add(task);
    }

    void then() {
        Task task;
        do {
            task = map.get("a");
        } while (task == null);
        task.done++;
        do {
            task = sorted.get("a");
        } while (task == null);
        task.done++;
        while (list.isEmpty()) {
            Thread.onSpinWait();
        }
        list.get(0).done++;
    }
}

final class Synchronized extends Case {
    final List<Task> list = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Task> map = Collections.synchronizedMap(new HashMap<>());
    final Vector<Task> vector = new Vector<>();
    final Hashtable<String, Task> table = new Hashtable<>();

    Task task() {
        Task task = new Task();
        task.done = 1;
        return task;
    }

    void first() {
        list.add(task());
        map.put("a", task());
        vector.add(task());
        table.put("a", task());
    }

    void then() {
        while (table.get("a") == null) {
            Thread.onSpinWait();
        }
        list.get(0).done++;
        map.get("a").done++;
        vector.get(0).done++;
        table.get("a").done++;
    }
}

final class Atomics extends Case {
    int x;
    int y;
    int z;
    final AtomicBoolean flag = new AtomicBoolean();
    final AtomicInteger counter = new AtomicInteger();
    final AtomicReference<Task> reference = new AtomicReference<>();

    void first() {
        x = 1;
        flag.set(true);
        y = 1;
        counter.incrementAndGet();
        Task task = new Task();
        task.done = 1;
        reference.compareAndSet(null, task);
    }

    void then() {
        while (!flag.get()) {
            Thread.onSpinWait();
        }
        x++;
        while (!counter.compareAndSet(1, 2)) {
            Thread.onSpinWait();
        }
        y++;
        Task task;
        do {
            task = reference.get();
        } while (task == null);
        task.done++;
    }
}

/** A lock of one's own, out of an atomic. */
final class Spin extends Case {
    int x;
    final AtomicBoolean taken = new AtomicBoolean();

    void first() {
        for (int i = 0; i < 100; i++) {
            while (!taken.compareAndSet(false, true)) {
                Thread.onSpinWait();
            }
            x++;
            taken.set(false);
        }
    }

    void then() {
        first();
    }
}

/** A synchronizer of one's own. */
final class OwnSynchronizer extends Case {
    int x;

    static final class Gate extends AbstractQueuedSynchronizer {
        @Override
        protected int tryAcquireShared(int n) {
            return getState() != 0 ? 1 : -1;
        }

        @Override
        protected boolean tryReleaseShared(int n) {
            setState(1);
            return true;
        }
    }

    final Gate gate = new Gate();

    void first() {
        x = 1;
        gate.releaseShared(1);
    }

    void then() {
        gate.acquireShared(1);
        x++;
    }
}

final class Updater extends Case {
    int x;
    volatile int state;
    static final AtomicIntegerFieldUpdater<Updater> STATE = AtomicIntegerFieldUpdater.newUpdater(Updater.class, "state");

    void first() {
        x = 1;
        STATE.compareAndSet(this, 0, 1);
    }

    void then() {
        while (state == 0) {
            Thread.onSpinWait();
        }
        x++;
    }
}

final class StartAndJoin extends Case {
    int x;

    void first() throws Exception {
        x = 1;
        Thread thread = new Thread(() -> x++);
        thread.start();
        thread.join();
        x++;
        thread = new Thread(() -> x++);
        thread.start();
        while (thread.isAlive()) {
            Thread.onSpinWait();
        }
        x++;
    }

    void then() {}
}

final class NoJoin extends Case {
    int x; // race: NoJoin.x

    void first() throws Exception {
        Thread thread = new Thread(() -> x++);
        thread.start();
        Thread.sleep(50);
        x++;
    }

    void then() {}
}

final class Timers extends Case {
    int x;
    final CountDownLatch done = new CountDownLatch(1);

    void first() throws Exception {
        Timer timer = new Timer();
        x = 1;
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                x++;
                done.countDown();
            }
        }, 1);
        done.await();
        x++;
        timer.cancel();
    }

    void then() {}
}

final class Holder {
    static final int[] TABLE = new int[16];
    static final Task TASK = new Task();
    static int count;

    static {
        for (int i = 0; i < TABLE.length; i++) {
            TABLE[i] = i;
        }
        TASK.done = 1;
        count = 1;
    }

    static int sum() {
        return TABLE[3] + TASK.done + count;
    }
}

final class Initialized extends Case {
    int sum;
    int other;

    void first() {
        sum = Holder.sum();
    }

    void then() throws Exception {
        Thread.sleep(50);
        other = Holder.sum();
    }
}

/** What a class initializer writes is ordered by its end; what came before it is not. */
final class BeforeInitializer extends Case {
    static int x; // race: BeforeInitializer.x
    int seen;

    static final class Late {
        static {
            x = 2;
        }

        static void load() {}
    }

    void first() {
        x = 1;
        Late.load();
    }

    void then() throws Exception {
        Thread.sleep(50);
        seen = x;
    }
}

/** Locks order the accesses in this run, and in another they would not. */
final class ByChance extends Case {
    int x; // race: ByChance.x
    final Object lock = new Object();

    void first() {
        x = 1;
        synchronized (lock) {
            lock.hashCode();
        }
    }

    void then() throws Exception {
        Thread.sleep(50);
        synchronized (lock) {
            lock.hashCode();
        }
        x++;
    }
}

/** A lock that only one of the two holds. */
final class HalfLocked extends Case {
    int x; // race: HalfLocked.x

    void first() throws Exception {
        Thread.sleep(50);
        x++;
    }

    synchronized void then() {
        x++;
    }
}

final class ReadWrite extends Case {
    int x;
    int y; // race: ReadWrite.y
    final ReadWriteLock lock = new ReentrantReadWriteLock();

    void first() {
        lock.writeLock().lock();
        x++;
        lock.writeLock().unlock();
        lock.readLock().lock();
        y++;
        lock.readLock().unlock();
    }

    void then() throws Exception {
        Thread.sleep(50);
        lock.readLock().lock();
        y += x;
        lock.readLock().unlock();
    }
}

public final class Main {
    static final Case[] CASES = {
        new Volatile(), new VolatileTooLate(), new VolatileLong(), new StaticVolatile(), new ForeignVolatile(), new OtherVolatile(), new Latch(),
        new TimedLatch(), new LatchInVain(), new Barrier(), new WokenLate(), new WokenAfterAction(), new Phases(), new Exchange(), new Signal(), new Mutex(), new TwoPermits(),
        new Waiting(), new ByCondition(), new Queues(), new PolledQueues(), new Drained(), new OtherElement(), new Executors_(),
        new Unawaited(), new Completable(), new Dependent(), new ForkJoin(), new Streams(), new Maps(), new Synchronized(), new Atomics(),
        new Spin(), new OwnSynchronizer(), new Updater(), new StartAndJoin(), new NoJoin(), new Timers(), new Initialized(), new BeforeInitializer(), new ByChance(),
        new HalfLocked(), new ReadWrite()
    };

    interface Step {
        void run() throws Exception;
    }

    static Thread thread(Step step) {
        return new Thread(() -> {
            try {
                step.run();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
        });
    }

    public static void main(String[] arguments) throws Exception {
        for (Case one : CASES) {
            if (arguments.length > 0 && !one.getClass().getSimpleName().equals(arguments[0])) {
                continue;
            }
            Thread first = thread(one::first);
            Thread then = thread(one::then);
            first.start();
            then.start();
            first.join();
            then.join();
        }
        System.out.println("done");
    }
}
