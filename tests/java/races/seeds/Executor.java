package seeds;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tasks of one kind on a pool of threads. */
public class Executor {
    private int racy; // race
    private int locked;

    public static void main(String[] args) {
        Executor executor = new Executor();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int n = 0; n < 2; n++) {
            pool.submit(() -> {
                executor.racy++;
                synchronized (executor) {
                    executor.locked++;
                }
            });
        }
        pool.shutdown();
    }
}
