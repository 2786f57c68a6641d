package pooled;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads that all tests share. The first one starts them, and has as little to do with what the others let them do as those have. */
public final class Workers {
    private static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    };
    /** Two for each test that may run at a time: they wait for each other. */
    private static final int WORKERS = Integer.getInteger("workers", 2);
    private static final ExecutorService POOL = Executors.newFixedThreadPool(WORKERS, DAEMONS);
    private static final ScheduledExecutorService CLOCK = Executors.newScheduledThreadPool(WORKERS, DAEMONS);
    private static final ForkJoinPool FORKS = new ForkJoinPool(WORKERS);
    private static final BlockingQueue<Message> QUEUE = new LinkedBlockingQueue<>();

    private record Message(Runnable body, CountDownLatch done) {}

    static {
        ((ThreadPoolExecutor) POOL).prestartAllCoreThreads();
        for (int i = 0; i < WORKERS; i++) {
            DAEMONS.newThread(Workers::consume).start();
        }
    }

    private Workers() {}

    /** Two tasks of a pool do the same at the same time. */
    public static void inPool(Runnable task) throws Exception {
        in(POOL, task);
    }

    public static void in(ExecutorService pool, Runnable task) throws Exception {
        Runnable[] both = both(task);
        Future<?> first = pool.submit(both[0]);
        Future<?> second = pool.submit(both[1]);
        first.get();
        second.get();
    }

    public static void scheduled(Runnable task) throws Exception {
        Runnable[] both = both(task);
        Future<?> first = CLOCK.schedule(both[0], 1, TimeUnit.MILLISECONDS);
        Future<?> second = CLOCK.schedule(both[1], 1, TimeUnit.MILLISECONDS);
        first.get();
        second.get();
    }

    public static void forked(Runnable task) throws Exception {
        in(FORKS, task);
    }

    public static void async(Runnable task) {
        Runnable[] both = both(task);
        CompletableFuture<?> first = CompletableFuture.runAsync(both[0], POOL);
        CompletableFuture.runAsync(both[1], POOL).join();
        first.join();
    }

    public static void queued(Runnable task) throws Exception {
        Runnable[] both = both(task);
        CountDownLatch done = new CountDownLatch(2);
        QUEUE.put(new Message(both[0], done));
        QUEUE.put(new Message(both[1], done));
        done.await();
    }

    public static void inNewThreads(Runnable task) throws Exception {
        inNewThreads(Thread::new, task);
    }

    public static void inNewThreads(ThreadFactory factory, Runnable task) throws Exception {
        Runnable[] both = both(task);
        Thread[] threads = {factory.newThread(both[0]), factory.newThread(both[1])};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void consume() {
        while (true) {
            try {
                Message message = QUEUE.take();
                message.body.run();
                message.done.countDown();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static Runnable[] both(Runnable task) {
        Thread[] marks = {new Thread(), new Thread()};
        return new Runnable[] {meeting(marks, 0, task), meeting(marks, 1, task)};
    }

    /**
     * Waits for the other one, in a way that no checker knows: what a thread is called says that somebody is there. It sleeps meanwhile: a
     * virtual thread that keeps its carrier, or only yields it, may keep the other one from running for ever.
     */
    private static Runnable meeting(Thread[] marks, int own, Runnable task) {
        return () -> {
            marks[own].setName("here");
            while (!marks[1 - own].getName().equals("here")) {
                LockSupport.parkNanos(20_000);
            }
            task.run();
        };
    }
}
