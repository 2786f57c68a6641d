package held;

import java.util.concurrent.CountDownLatch;

/**
 * Methods that run when the proofs become void hold locks of which no hook has told, and go on taking them. What is checked from then
 * on is under these locks all the same.
 */
public final class Main {
    private static final Object LOCK = new Object();
    private static final int ROUNDS = 200;
    static int guarded;
    static int afterwards;
    static int nested;
    static int open; // race: Main.open

    private Main() {}

    /** Where nothing is checked as long as every access is proved to hold the lock. */
    static void add() {
        guarded++;
    }

    static synchronized void addAfterwards() {
        afterwards++;
    }

    static synchronized void addBoth() {
        nested++;
        synchronized (LOCK) {
            add();
        }
    }

    /** The proofs become void while it holds the lock. */
    private static void holds(CountDownLatch holds, CountDownLatch isVoid) throws InterruptedException {
        synchronized (LOCK) {
            add();
            holds.countDown();
            isVoid.await();
            for (int i = 0; i < ROUNDS; i++) {
                add();
            }
        }
        for (int i = 0; i < ROUNDS; i++) {
            addOpen();
            addBoth();
            addAfterwards();
        }
    }

    /** The proofs become void while it does not, and it takes the lock afterwards. */
    private static void takes(CountDownLatch isVoid) throws InterruptedException {
        isVoid.await();
        for (int i = 0; i < ROUNDS; i++) {
            synchronized (LOCK) {
                add();
            }
            addOpen();
            addBoth();
            addAfterwards();
        }
    }

    private static void addOpen() {
        if (ready) {
            open++;
        }
    }

    private static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch holds = new CountDownLatch(1);
        CountDownLatch isVoid = new CountDownLatch(1);
        ready = args.length > 0;
        Thread[] threads = {
            new Thread(() -> run(() -> holds(holds, isVoid))),
            new Thread(() -> run(() -> takes(isVoid))),
            new Thread(() -> run(() -> takes(isVoid)))
        };
        for (Thread thread : threads) {
            thread.start();
        }
        holds.await();
        if (args.length > 0) {
            Late.come();
        }
        isVoid.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    interface Task {
        void run() throws InterruptedException;
    }

    private static void run(Task task) {
        try {
            task.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Not there when the classes are typed. */
    static final class Late {
        static void come() {}
    }
}
