package crowd;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Many threads at once, for the order of events in a trace; with an argument they are virtual. */
public final class Main {
    static final int THREADS = 8;
    static final int ROUNDS = 40;
    static final int STEPS = 100;

    static final Object[] LOCKS = {new Object(), new Object(), new Object()};
    static final int[][] OWN = new int[THREADS][STEPS * ROUNDS];
    static final Data DATA = new Data();
    static final AtomicInteger TURN = new AtomicInteger();

    static final class Data {
        int locked;
        int racy;
        /** Handed on by something that no checker knows of: the accesses have one order all the same. */
        int handedOn;
        int written;
    }

    public static void main(String[] arguments) throws Exception {
        DATA.written = 1;
        List<Thread> threads = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            int id = i;
            Runnable body = () -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                work(id);
            };
            threads.add(start(body, arguments.length > 0));
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(DATA.handedOn);
    }

    private static Thread start(Runnable body, boolean virtual) throws Exception {
        if (virtual) {
            Method method = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) method.invoke(null, body);
        }
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    private static void work(int id) {
        int[] own = OWN[id];
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < STEPS; step++) {
                own[round * STEPS + step] = DATA.written;
            }
            synchronized (LOCKS[0]) {
                DATA.locked++;
            }
            synchronized (LOCKS[1 + (id + round) % 2]) {
                own[round] = 0;
            }
            DATA.racy = id;
            takeTurn(id);
        }
    }

    private static void takeTurn(int id) {
        while (TURN.get() % THREADS != id) {
            // Virtual threads that only yield keep those that were unblocked from running (JDK 25).
            LockSupport.parkNanos(20_000);
        }
        DATA.handedOn++;
        TURN.incrementAndGet();
    }
}
