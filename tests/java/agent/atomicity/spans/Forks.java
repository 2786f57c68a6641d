package spans;

import java.util.concurrent.Semaphore;

/** What a thread has done often while nobody else ran is new once it has started another thread, and its objects are no longer its own. */
public final class Forks {
    private static final int MANY = 30_000;
    private static final Counter COUNTER = new Counter();
    private static final Semaphore TURN = new Semaphore(0);

    private Forks() {}

    public static void main(String[] args) throws InterruptedException {
        Box box = null;
        for (int i = 0; i < MANY; i++) {
            COUNTER.rareBad();
            box = COUNTER.makeOk();
        }
        Box shown = box;
        Thread other = new Thread(() -> second(shown));
        other.start();
        COUNTER.rareBad();
        shown.lateBad();
        TURN.release();
        other.join();
    }

    private static void second(Box shown) {
        TURN.acquireUninterruptibly();
        COUNTER.rareBad();
        shown.lateBad();
    }
}
