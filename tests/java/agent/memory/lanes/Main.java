package lanes;

import static util.Memory.resident;

import java.util.concurrent.CountDownLatch;

/** THREADS in groups of AT_ONCE, each of which uses enough to fill its tables. Prints the resident set in kilobytes before and after. */
public final class Main {
    private Main() {}

    static final class Box {
        int value;
        int[] elements = new int[64];
    }

    /** More variables than the tables have pages. */
    static final int BOXES = 400;

    static final Box[] SHARED = new Box[BOXES];

    static void use() {
        for (Box box : SHARED) {
            synchronized (box) {
                box.value++;
                box.elements[box.value & 63]++;
            }
        }
    }

    static void group(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        CountDownLatch all = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            threads[i] =
                    new Thread(
                            null,
                            () -> {
                                use();
                                all.countDown();
                                try {
                                    all.await();
                                } catch (InterruptedException ended) {
                                    Thread.currentThread().interrupt();
                                }
                            },
                            "user",
                            128 * 1024);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int atOnce = Integer.parseInt(args[1]);
        for (int i = 0; i < BOXES; i++) {
            SHARED[i] = new Box();
        }
        // What the JVM itself needs for so many threads, and the compilers.
        for (int i = 0; i < 200; i += atOnce) {
            group(Math.min(atOnce, 200));
        }
        long before = resident();
        for (int i = 0; i < threads; i += atOnce) {
            group(atOnce);
        }
        System.out.println(before);
        System.out.println(resident());
    }
}
