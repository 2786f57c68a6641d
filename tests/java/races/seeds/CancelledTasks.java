package seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A watchdog cancels what waits in a pool, and has perhaps just begun: then `invokeAll` does not wait for it. */
public class CancelledTasks {
    private static int cancelled; // race

    static void cancelled(ThreadPoolExecutor pool) throws InterruptedException {
        new Thread(() -> pool.getQueue().forEach(task -> ((Future<?>) task).cancel(true))).start();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            tasks.add(() -> {
                synchronized (CancelledTasks.class) {
                    return cancelled++;
                }
            });
        }
        pool.invokeAll(tasks);
        cancelled++;
    }

    public static void main(String[] args) throws Exception {
        cancelled(new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
    }
}
