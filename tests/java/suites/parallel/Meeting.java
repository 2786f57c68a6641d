package parallel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a test until another one has come too, if there may be one. */
final class Meeting {
    private static final CountDownLatch BOTH = new CountDownLatch(2);

    private Meeting() {}

    static void hold(Runnable task) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            task.run();
        }
        BOTH.countDown();
        if (Boolean.getBoolean("junit.jupiter.execution.parallel.enabled")) {
            BOTH.await(30, TimeUnit.SECONDS);
        }
        for (int i = 0; i < 3; i++) {
            task.run();
        }
    }
}
