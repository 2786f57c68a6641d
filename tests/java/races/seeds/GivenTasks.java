package seeds;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Tasks that somebody else runs, completes or is given, too, so that their method does not know where they have ended. */
public class GivenTasks {
    private static int runByFuture; // race
    private static int completed; // race
    private static int completedInList; // race
    private static int removed; // race
    private static int skipped; // race
    private static int drained; // race
    private static int compared; // race
    private static int delegated; // race
    private static int returned; // race
    private static int registered; // race
    private static int declared; // race
    private static int worked; // race
    private static int twice; // race
    private static int made; // race
    private static int bridged;
    private static int waitedInList;
    private static int asked;
    private static int again; // race

    /** Who runs the future finds the task running, and the executor ends with it. */
    static void runByFuture() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<?> future = pool.submit(() -> {
            synchronized (GivenTasks.class) {
                runByFuture++;
            }
        });
        new Thread((Runnable) future).start();
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            runByFuture++;
        }
    }

    static void completed(ForkJoinPool pool) throws InterruptedException, ExecutionException {
        Future<?> future = pool.submit(() -> {
            synchronized (GivenTasks.class) {
                completed++;
            }
        });
        ((ForkJoinTask<?>) future).quietlyComplete();
        future.get();
        completed++;
    }

    static void completedInList(ForkJoinPool pool) throws InterruptedException, ExecutionException {
        List<Future<?>> futures = new ArrayList<>();
        futures.add(pool.submit(() -> {
            synchronized (GivenTasks.class) {
                completedInList++;
            }
        }));
        for (Future<?> future : futures) {
            ((ForkJoinTask<?>) future).quietlyComplete();
            future.get();
        }
        completedInList++;
    }

    static void removed(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> futures = new ArrayList<>();
        futures.add(pool.submit(() -> {
            synchronized (GivenTasks.class) {
                removed++;
            }
        }));
        Iterator<Future<?>> other = futures.iterator();
        other.next();
        other.remove();
        for (Future<?> future : futures) {
            future.get();
        }
        removed++;
    }

    static void skipped(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            futures.add(pool.submit(() -> {
                synchronized (GivenTasks.class) {
                    skipped++;
                }
            }));
        }
        Iterator<Future<?>> left = futures.iterator();
        while (left.hasNext()) {
            Future<?> future;
            do {
                future = left.next();
            } while (System.nanoTime() == 1);
            future.get();
        }
        skipped++;
    }

    /** Another pool runs what is in the queue. */
    static void drained() throws InterruptedException {
        BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, queue);
        ThreadPoolExecutor other = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, queue);
        pool.execute(() -> {
            synchronized (GivenTasks.class) {
                drained++;
            }
        });
        other.prestartAllCoreThreads();
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            drained++;
        }
    }

    /** A task that is compared with another one, which it starts. */
    static class Compared implements Runnable, Comparable<Compared> {
        @Override
        public int compareTo(Compared other) {
            new Thread(other).start();
            return 0;
        }

        @Override
        public void run() {
            synchronized (GivenTasks.class) {
                compared++;
            }
        }
    }

    static void compared() throws InterruptedException {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new PriorityBlockingQueue<>());
        for (int i = 0; i < 3; i++) {
            pool.execute(new Compared());
        }
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            compared++;
        }
    }

    /** An executor that runs all twice, in threads of its own. */
    static class Twice extends ThreadPoolExecutor {
        Twice() {
            super(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(9));
        }

        @Override
        public void execute(Runnable task) {
            new Thread(task).start();
            super.execute(task);
        }

        @Override
        public Future<?> submit(Runnable task) {
            execute(task);
            return CompletableFuture.completedFuture(null);
        }
    }

    static void delegated() throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.unconfigurableExecutorService(new Twice());
        pool.submit(() -> {
            synchronized (GivenTasks.class) {
                delegated++;
            }
        }).get();
        delegated++;
    }

    /** A task is the result of its future, too. */
    static class Returned implements Runnable {
        @Override
        public void run() {
            synchronized (GivenTasks.class) {
                returned++;
            }
        }
    }

    private static void again(Future<Runnable> future) throws InterruptedException, ExecutionException {
        new Thread(future.get()).start();
    }

    static void returned(ExecutorService pool) throws InterruptedException, ExecutionException {
        Runnable task = new Returned();
        Future<Runnable> future = pool.submit(task, task);
        future.get();
        again(future);
        returned++;
    }

    /** What its superclass does, it does. */
    abstract static class Registering implements Runnable {
        private static final List<Runnable> ALL = new ArrayList<>();

        Registering() {
            ALL.add(this);
        }

        static void startAll() {
            ALL.forEach(task -> new Thread(task).start());
        }
    }

    static class Registered extends Registering {
        @Override
        public void run() {
            synchronized (GivenTasks.class) {
                registered++;
            }
        }
    }

    static void registered(ExecutorService pool) throws InterruptedException, ExecutionException {
        Future<?> future = pool.submit(new Registered());
        Registering.startAll();
        future.get();
        registered++;
    }

    /** What the JDK's superclass does comes by a type of the program's. */
    interface Forkable {
        ForkJoinTask<Void> fork();
    }

    static class Forked extends RecursiveAction implements Forkable {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            synchronized (GivenTasks.class) {
                declared++;
            }
        }
    }

    static void declared() throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(1);
        Forked task = new Forked();
        pool.execute(task);
        ((Forkable) task).fork();
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            declared++;
        }
    }

    /** A lambda that is run under a name of the program's. */
    interface Job extends Runnable {
        void work();

        @Override
        default void run() {
            work();
        }
    }

    static void worked(ExecutorService pool) {
        Job job = () -> worked++;
        pool.submit(job);
        job.work();
    }

    /** The program's own executor may run a task as often as it likes. */
    static void twice() {
        Executor executor = task -> {
            new Thread(task).start();
            new Thread(task).start();
        };
        CompletableFuture.runAsync(() -> {
            synchronized (GivenTasks.class) {
                twice++;
            }
        }, executor).join();
        twice++;
    }

    /** One worker of the pool in two threads, of which the pool counts one. */
    static void made() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1, worker -> {
            new Thread(worker).start();
            return new Thread(worker);
        });
        pool.execute(() -> {
            synchronized (GivenTasks.class) {
                made++;
            }
        });
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            made++;
        }
    }

    /** The compiler makes a second method of such a task, which calls the first. */
    static class Bridged implements Callable<Integer> {
        @Override
        public Integer call() {
            synchronized (GivenTasks.class) {
                return bridged++;
            }
        }
    }

    static void bridged(ExecutorService pool) throws InterruptedException, ExecutionException {
        pool.submit(new Bridged()).get();
        bridged++;
    }

    static void waitedInList() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            futures.add(pool.submit(() -> {
                synchronized (GivenTasks.class) {
                    waitedInList++;
                }
            }));
        }
        for (Future<?> future : futures) {
            if (!future.isDone()) {
                System.out.println("busy");
            }
        }
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            waitedInList++;
        }
    }

    /** What has been run is run once more. */
    static void again() throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(2);
        List<Callable<Integer>> tasks = new ArrayList<>();
        tasks.add(() -> {
            synchronized (GivenTasks.class) {
                return again++;
            }
        });
        Future<Integer> future = pool.invokeAll(tasks).get(0);
        ((ForkJoinTask<?>) future).reinitialize();
        ((ForkJoinTask<?>) future).fork();
        again++;
    }

    static void asked() throws InterruptedException, ExecutionException {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(9), Executors.defaultThreadFactory());
        Future<?> future = pool.submit(() -> {
            synchronized (GivenTasks.class) {
                asked++;
            }
        });
        while (!future.isDone()) {
            Thread.yield();
        }
        future.get();
        asked++;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ForkJoinPool forks = new ForkJoinPool(2);
        runByFuture();
        completed(forks);
        completedInList(forks);
        removed(pool);
        skipped(pool);
        drained();
        compared();
        delegated();
        returned(pool);
        registered(pool);
        declared();
        worked(pool);
        twice();
        made();
        bridged(pool);
        waitedInList();
        asked();
        again();
        pool.shutdown();
        forks.shutdown();
    }
}
