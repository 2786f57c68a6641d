package handover;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A number that its maker changes before and after another thread gets it. */
final class Counter {
    private int value;

    Counter() {
        value = 7;
    }

    // atomicity: Counter.bumpBad
    void bumpBad() {
        int old = value;
        value = old + 1;
    }
}

/**
 * What the maker does at first nobody else can see. What it does afterwards is the same, and matters all the more.
 */
public final class Main {
    private static final CountDownLatch MADE = new CountDownLatch(1);
    private static final CountDownLatch USED = new CountDownLatch(1);
    private static final AtomicReference<Counter> HANDED = new AtomicReference<>();

    private Main() {}

    public static void main(String[] args) {
        new Thread(Main::make).start();
        new Thread(Main::use).start();
    }

    private static void make() {
        Counter counter = new Counter();
        bump(counter);
        HANDED.set(counter);
        MADE.countDown();
        await(USED);
        bump(counter);
    }

    private static void use() {
        await(MADE);
        bump(HANDED.get());
        USED.countDown();
    }

    private static void bump(Counter counter) {
        for (int i = 0; i < 5; i++) {
            counter.bumpBad();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
