package seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Where nothing is ever cancelled, any executor has run all tasks when it says so. */
public class AllTasks {
    private static int all;
    private static int started; // race

    static void all(ExecutorService pool) throws InterruptedException, ExecutionException {
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(() -> {
                synchronized (AllTasks.class) {
                    return all++;
                }
            });
        }
        for (Future<Integer> future : pool.invokeAll(tasks)) {
            System.out.println(future.get());
        }
        all++;
    }

    /** What a task starts is no part of it. */
    static void started(ExecutorService pool) throws InterruptedException {
        List<Callable<Integer>> tasks = new ArrayList<>();
        tasks.add(() -> {
            new Thread(() -> started++).start();
            return 0;
        });
        pool.invokeAll(tasks);
        started++;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        all(pool);
        started(pool);
        pool.shutdown();
    }
}
