package seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.LinkedBlockingQueue;

/** Methods that wait for the tasks which they have given to executors, and some that do not wait for all. */
public class EndedTasks {
    private static int looped;
    private static int checked;
    private static int kept;
    private static int spun;
    private static int object;
    private static int future;
    private static int timed;
    private static int futures;
    private static int numbered;
    private static int inArray;
    private static int async;
    private static int asyncs;
    private static int all;
    private static int inCallee;
    private static int ignored; // race
    private static int unasked; // race
    private static int twice; // race
    private static int elsewhere; // race
    private static int shared; // race
    private static int drained; // race
    private static int handed; // race
    private static int started; // race
    private static int rerun; // race
    private static int again; // race
    private static int swallowed; // race
    private static int sometimes; // race
    private static int left; // race
    private static int late; // race
    private static int removed; // race
    private static int completed; // race
    private static int completedInList; // race
    private static int resubmitted; // race
    private static int other; // race
    private static int begun; // race
    private static int begunInside; // race
    private static int forked; // race
    private static int leaked; // race
    private static int ranItself; // race
    private static int oneForAll; // race
    private static int byTwo; // race

    /** A task that is an object of a class. */
    static class Task implements Runnable {
        int done;

        @Override
        public void run() {
            synchronized (EndedTasks.class) {
                object++;
            }
            done++;
        }
    }

    /** A thread that an executor runs as a task. */
    static class Runner extends Thread {
        @Override
        public void run() {
            synchronized (EndedTasks.class) {
                begun++;
            }
        }
    }

    /** The same, which starts itself. */
    static class Starter extends Thread {
        Starter begin() {
            start();
            return null;
        }

        @Override
        public void run() {
            synchronized (EndedTasks.class) {
                begunInside++;
            }
        }
    }

    /** A task that starts a thread of its own for itself. */
    static class Leaker implements Runnable {
        void leak() {
            new Thread(this).start();
        }

        @Override
        public void run() {
            synchronized (EndedTasks.class) {
                leaked++;
            }
        }
    }

    /** A task that is run by who has it, too. */
    static class Self implements Runnable {
        void begin() {
            run();
        }

        @Override
        public void run() {
            ranItself++;
        }
    }

    /** A task that is forked, too. */
    static class Action extends RecursiveAction {
        private static final long serialVersionUID = 1;

        @Override
        protected void compute() {
            synchronized (EndedTasks.class) {
                forked++;
            }
        }
    }

    static void forked() throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(1);
        Action task = new Action();
        pool.execute(task);
        task.fork();
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            forked++;
        }
    }

    static void leaked() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Leaker task = new Leaker();
        task.leak();
        pool.execute(task);
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            leaked++;
        }
    }

    static void ranItself() {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Self task = new Self();
        pool.execute(task);
        task.begin();
        pool.shutdown();
    }

    static void oneForAll(ExecutorService pool) {
        Runnable task = () -> oneForAll++;
        for (int i = 0; i < 2; i++) {
            pool.submit(task);
        }
    }

    /** Each of two threads waits for its own task. */
    static void byTwo(ExecutorService pool) {
        try {
            Future<?> own = pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    byTwo++;
                }
            });
            own.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        if (byTwo < 0) {
            throw new IllegalStateException();
        }
    }

    static void begun() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Runner task = new Runner();
        pool.execute(task);
        task.start();
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            begun++;
        }
    }

    static void begunInside() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Starter task = new Starter();
        pool.execute(task);
        task.begin();
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            begunInside++;
        }
    }

    static void looped() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    looped++;
                }
            });
        }
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println("busy");
        }
        looped++;
    }

    static void checked() throws InterruptedException {
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        pool.submit(() -> {
            checked++;
            inCallee++;
        });
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException();
        }
        checked++;
        callee();
    }

    private static void callee() {
        inCallee++;
    }

    static void kept() throws InterruptedException {
        ExecutorService pool = Executors.newCachedThreadPool();
        pool.submit(() -> kept++);
        pool.shutdown();
        boolean ended = pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(ended);
        if (ended) {
            kept++;
        }
    }

    static void spun() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> spun++);
        pool.shutdown();
        while (!pool.isTerminated()) {
            Thread.yield();
        }
        spun++;
    }

    static void object() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Task task = new Task();
        task.done = -1;
        pool.execute(task);
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            object++;
            System.out.println(task.done);
        }
    }

    static void future(ExecutorService pool) throws InterruptedException, ExecutionException {
        Future<?> ended = pool.submit(() -> future++);
        ended.get();
        future++;
    }

    static void timed(ExecutorService pool) throws Exception {
        pool.submit(() -> timed++).get(1, TimeUnit.SECONDS);
        timed++;
    }

    static void futures(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    futures++;
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        futures++;
    }

    static void numbered(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        all.add(pool.submit(() -> numbered++));
        for (int i = 0; i < all.size(); i++) {
            all.get(i).get();
        }
        numbered++;
    }

    static void inArray(ExecutorService pool) throws InterruptedException, ExecutionException {
        Future<?>[] all = new Future<?>[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    inArray++;
                }
            });
        }
        for (Future<?> each : all) {
            each.get();
        }
        inArray++;
    }

    static void async() {
        CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(() -> async++);
        ended.join();
        async++;
    }

    static void asyncs() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(CompletableFuture.runAsync(() -> {
                synchronized (EndedTasks.class) {
                    asyncs++;
                }
            }));
        }
        for (CompletableFuture<Void> each : all) {
            each.join();
        }
        asyncs++;
    }

    static void all() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(() -> {
                synchronized (EndedTasks.class) {
                    return all++;
                }
            });
        }
        pool.invokeAll(tasks);
        all++;
    }

    static void ignored() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    ignored++;
                }
            });
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.SECONDS);
        ignored++;
    }

    static void unasked() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    unasked++;
                }
            });
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println("ended");
        }
        unasked++;
    }

    /** The second pool has terminated, and not the first one. */
    static void twice() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    twice++;
                }
            });
            pool.shutdown();
            if (i > 0 && pool.awaitTermination(1, TimeUnit.MINUTES)) {
                twice++;
            }
        }
    }

    static void elsewhere(ExecutorService second) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Runnable task = () -> {
                synchronized (EndedTasks.class) {
                    elsewhere++;
                }
            };
        pool.execute(task);
        second.execute(task);
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            elsewhere++;
        }
    }

    static void keep(Runnable task) {
        new Thread(task).start();
    }

    static void shared() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Runnable task = () -> {
                synchronized (EndedTasks.class) {
                    shared++;
                }
            };
        pool.execute(task);
        keep(task);
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            shared++;
        }
    }

    private static void restart(List<Runnable> tasks) {
        for (Runnable task : tasks) {
            task.run();
        }
    }

    static void drained() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    drained++;
                }
            });
        pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    drained++;
                }
            });
        restart(pool.shutdownNow());
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            drained++;
        }
    }

    /** What is refused runs elsewhere. */
    static void handed() throws InterruptedException {
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1),
                (task, of) -> new Thread(task).start());
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {
                synchronized (EndedTasks.class) {
                    handed++;
                }
            });
        }
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            handed++;
        }
    }

    static void started() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(() -> new Thread(() -> {
                synchronized (EndedTasks.class) {
                    started++;
                }
            }).start());
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            started++;
        }
    }

    /** The last run has ended, and not the one before. */
    static void rerun(ExecutorService pool) throws InterruptedException, ExecutionException {
        for (int i = 0; i < 2; i++) {
            Future<?> last = pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    rerun++;
                }
            });
            if (i > 0) {
                last.get();
                rerun++;
            }
        }
    }

    /** The second round of tasks is not waited for when the first one has ended. */
    static void again(ExecutorService pool) throws InterruptedException, ExecutionException {
        for (int round = 0; round < 2; round++) {
            if (round > 0) {
                synchronized (Object.class) {
                    again++;
                }
            }
            List<Future<?>> all = new ArrayList<>();
            all.add(pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    again++;
                }
            }));
            if (round == 0) {
                for (Future<?> each : all) {
                    each.get();
                }
            }
        }
    }

    static void swallowed(ExecutorService pool) {
        List<Future<?>> all = new ArrayList<>();
        all.add(pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    swallowed++;
                }
            }));
        for (Future<?> each : all) {
            try {
                each.get();
            } catch (InterruptedException | ExecutionException e) {
                System.out.println("perhaps not ended");
            }
        }
        swallowed++;
    }

    static void sometimes(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Future<?> next = pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    sometimes++;
                }
            });
            if (i > 1) {
                all.add(next);
            }
        }
        for (Future<?> each : all) {
            each.get();
        }
        sometimes++;
    }

    static void left(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    left++;
                }
            }));
        }
        for (Future<?> each : all) {
            if (each.isDone()) {
                break;
            }
            each.get();
        }
        left++;
    }

    static void late(ExecutorService pool) throws InterruptedException, ExecutionException {
        Runnable task = () -> {
                synchronized (EndedTasks.class) {
                    late++;
                }
            };
        List<Future<?>> all = new ArrayList<>();
        all.add(pool.submit(task));
        for (Future<?> each : all) {
            each.get();
        }
        pool.submit(task);
        late++;
    }

    static void removed(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    removed++;
                }
            }));
        }
        all.remove(0);
        for (Future<?> each : all) {
            each.get();
        }
        removed++;
    }

    static void completed() {
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
                synchronized (EndedTasks.class) {
                    completed++;
                }
            });
        ended.complete(null);
        ended.join();
        completed++;
    }

    static void completedInList() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        all.add(CompletableFuture.runAsync(() -> {
                synchronized (EndedTasks.class) {
                    completedInList++;
                }
            }));
        all.get(0).complete(null);
        for (CompletableFuture<Void> each : all) {
            each.join();
        }
        completedInList++;
    }

    static void resubmitted(ExecutorService pool) throws InterruptedException {
        List<Callable<Integer>> tasks = new ArrayList<>();
        tasks.add(() -> {
                synchronized (EndedTasks.class) {
                    return resubmitted++;
                }
            });
        pool.invokeAll(tasks);
        pool.submit(tasks.get(0));
        resubmitted++;
    }

    static void other(ExecutorService pool) throws InterruptedException, ExecutionException {
        Future<?> ended = pool.submit(() -> System.out.println());
        pool.submit(() -> {
                synchronized (EndedTasks.class) {
                    other++;
                }
            });
        ended.get();
        other++;
    }

    public static void main(String[] args) throws Exception {
        looped();
        kept();
        checked();
        spun();
        object();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        future(pool);
        timed(pool);
        futures(pool);
        numbered(pool);
        inArray(pool);
        async();
        asyncs();
        all();
        ignored();
        unasked();
        twice();
        elsewhere(pool);
        shared();
        drained();
        handed();
        started();
        rerun(pool);
        again(pool);
        swallowed(pool);
        sometimes(pool);
        left(pool);
        late(pool);
        removed(pool);
        completed();
        completedInList();
        resubmitted(pool);
        other(pool);
        begun();
        begunInside();
        forked();
        leaked();
        ranItself();
        oneForAll(pool);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> byTwo(pool)).start();
        }
        pool.shutdown();
    }
}
