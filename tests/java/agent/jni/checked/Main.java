package checked;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

class Deep0 {
    int deep;
}

class Deep1 extends Deep0 {}

class Deep2 extends Deep1 {}

class Deep3 extends Deep2 {}

class Deep4 extends Deep3 {}

class Deep5 extends Deep4 {}

class Deep6 extends Deep5 {}

class Deep7 extends Deep6 {}

class Deep8 extends Deep7 {}

class Deep9 extends Deep8 {}

class Deep10 extends Deep9 {}

class Deep11 extends Deep10 {}

class Deep12 extends Deep11 {}

class Deep13 extends Deep12 {}

class Deep14 extends Deep13 {}

class Deep15 extends Deep14 {}

class Deep16 extends Deep15 {}

class Deep17 extends Deep16 {}

class Deep18 extends Deep17 {}

/** All that makes the agent ask the JVM for classes, threads and objects: races under deep stacks, locks with names, reflection. */
public final class Main {
    private int field;
    private static int shared;
    private final int[] elements = new int[8];
    private volatile int flag;
    private final Lock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private final Map<String, Integer> map = new HashMap<>();
    private final Deep18 deep = new Deep18();

    void work(int n) {
        for (int i = 0; i < n; i++) {
            field++;
            shared++;
            elements[i & 7]++;
            flag = i;
            deep.deep++;
            synchronized (map) {
                map.put("k" + (i & 3), i);
            }
            synchronized (monitor) {
                field += 2;
            }
            lock.lock();
            try {
                field++;
            } finally {
                lock.unlock();
            }
        }
    }

    int run() {
        work(20);
        return 1;
    }

    static int down(int depth, Main main) {
        return depth == 0 ? main.run() : down(depth - 1, main) + 1;
    }

    public static void main(String[] args) throws Exception {
        Main main = new Main();
        Thread[] threads = new Thread[40];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> down(60, main));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(pool.submit(() -> down(40, main)));
        }
        for (Future<Integer> each : all) {
            each.get();
        }
        pool.shutdown();
        Class<?>[] types = {Runnable.class};
        Runnable proxy =
                (Runnable) Proxy.newProxyInstance(Main.class.getClassLoader(), types, (self, method, with) -> {
                    main.work(1);
                    return null;
                });
        proxy.run();
        Main.class.getDeclaredMethod("run").invoke(main);
        // For what the agent does behind the program's back.
        Thread.sleep(300);
        System.out.println("done");
    }
}
