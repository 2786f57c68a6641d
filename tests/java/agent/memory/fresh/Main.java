package fresh;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * So many objects of the kinds that are named, each made and used once by one thread. Prints how often the old space was collected, where the
 * serial collector does that.
 */
public final class Main {
    private Main() {}

    static final class Account {
        private int balance;

        synchronized int add() {
            return ++balance;
        }
    }

    static final class Flag {
        volatile boolean isSet;
    }

    static final BlockingQueue<Object> QUEUE = new ArrayBlockingQueue<>(10);
    static Object latest;

    private static int use(String kind, int i) throws Exception {
        switch (kind) {
            case "synchronized-method":
                return keep(new Account()).add();
            case "volatile-field":
                Flag flag = keep(new Flag());
                flag.isSet = i > 0;
                return flag.isSet ? 1 : 0;
            case "atomic":
                return keep(new AtomicInteger(i)).incrementAndGet();
            case "lock":
                ReentrantLock lock = keep(new ReentrantLock());
                lock.lock();
                lock.unlock();
                return lock.getHoldCount();
            case "future":
                CompletableFuture<Integer> future = keep(new CompletableFuture<>());
                future.complete(i);
                return future.join();
            case "task":
                FutureTask<Integer> task = keep(new FutureTask<>(() -> i));
                task.run();
                return task.get();
            case "latch":
                CountDownLatch latch = keep(new CountDownLatch(1));
                latch.countDown();
                return (int) latch.getCount();
            case "monitor":
                Object monitor = keep(new Object());
                synchronized (monitor) {
                    return i;
                }
            case "array":
                int[] array = keep(new int[4]);
                array[1] = i;
                return array[1];
            default:
                QUEUE.put(keep(new Object()));
                return QUEUE.take() == latest ? 1 : 0;
        }
    }

    private static <T> T keep(T object) {
        latest = object;
        return object;
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            for (int kind = 1; kind < args.length; kind++) {
                sum += use(args[kind], i);
            }
        }
        if (sum == 0) {
            throw new AssertionError();
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector.getName().equals("MarkSweepCompact")) {
                System.out.println(collector.getCollectionCount());
            }
        }
    }
}
