package swept;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** LOCKS that live at once, and then TASKS that are handed over and of which few live at any time. Prints how often the old space was collected. */
public final class Main {
    private Main() {}

    static volatile long sum;

    static void takeAll(Object[] locks) {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
            synchronized (locks[i]) {
                sum++;
            }
        }
    }

    static void handOver(int tasks) throws InterruptedException {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(100), new ThreadPoolExecutor.CallerRunsPolicy());
        for (int i = 0; i < tasks; i++) {
            int task = i;
            pool.execute(() -> sum += task);
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.HOURS);
    }

    public static void main(String[] args) throws InterruptedException {
        takeAll(new Object[Integer.parseInt(args[0])]);
        handOver(Integer.parseInt(args[1]));
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector.getName().equals("MarkSweepCompact")) {
                System.out.println(collector.getCollectionCount());
            }
        }
    }
}
