package pools;

import static util.Threads.thrice;

import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Executors, fork and join, parallel streams, timers. */
final class Data {
    int byPool; // race: Data.byPool
    int guardedByPool;
    int byCommonPool;
    int byStream; // race: Data.byStream
    int byTimer; // ordered: Data.byTimer -- the latch tells the next timer
    int byScheduled;
    ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
}

final class Sum extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1;
    private final int from;
    private final int to;

    Sum(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    protected Integer compute() {
        if (to - from < 10) {
            synchronized (Main.DATA) {
                Main.DATA.byCommonPool++;
            }
            return IntStream.range(from, to).sum();
        }
        int middle = (from + to) / 2;
        Sum left = new Sum(from, middle);
        Sum right = new Sum(middle, to);
        left.fork();
        return right.compute() + left.join();
    }
}

public final class Main {
    static final Data DATA = new Data();

    static void pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        // One task for each thread of the pool, all alive at once.
        CountDownLatch together = new CountDownLatch(4);
        Callable<Integer> task = () -> {
            together.countDown();
            together.await();
            DATA.byPool++;
            synchronized (DATA) {
                DATA.local.get()[0]++;
                return ++DATA.guardedByPool;
            }
        };
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(task);
        }
        int best = 0;
        for (Future<Integer> future : pool.invokeAll(tasks)) {
            best = Math.max(best, future.get());
        }
        System.out.println(best);
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
    }

    static void timers() throws Exception {
        for (int i = 0; i < 3; i++) {
            CountDownLatch done = new CountDownLatch(1);
            Timer timer = new Timer("timer " + i, true);
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    DATA.byTimer++;
                    done.countDown();
                }
            }, 1);
            done.await();
            timer.cancel();
        }
        ScheduledExecutorService scheduled = Executors.newSingleThreadScheduledExecutor();
        CountDownLatch three = new CountDownLatch(3);
        scheduled.scheduleAtFixedRate(() -> {
            DATA.byScheduled++;
            three.countDown();
        }, 0, 1, TimeUnit.MILLISECONDS);
        three.await();
        scheduled.shutdownNow();
        System.out.println(scheduled.awaitTermination(10, TimeUnit.SECONDS));
    }

    public static void main(String[] args) throws Exception {
        pool();
        System.out.println(new ForkJoinPool(4).submit(new Sum(0, 1000)).get());
        System.out.println(IntStream.range(0, 10_000).parallel().map(i -> i % 7).sum());
        thrice(() -> IntStream.range(0, 10).forEach(i -> DATA.byStream += i));
        System.out.println(CompletableFuture.supplyAsync(() -> 20).thenCombineAsync(
            CompletableFuture.supplyAsync(() -> 22), Integer::sum).get());
        timers();
    }
}
