package util;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** Phases: Eraser needs no simultaneity, so each thread runs to its end before the next one starts. */
public final class Threads {
    private Threads() {}

    /** Runs each body in a new thread, one after the other. */
    public static void each(Body... bodies) {
        for (Body body : bodies) {
            each("phase", body);
        }
    }

    /** Runs a body in a new thread of this name, to its end. */
    public static void each(String name, Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.start();
        await(thread);
    }

    /**
     * Runs each body in a new thread, one after the other, though nothing that a checker knows of keeps them from running side
     * by side: all are started before any is waited for, and they take turns by latches.
     */
    public static void inTurns(Body... bodies) {
        CountDownLatch[] turns = new CountDownLatch[bodies.length + 1];
        Arrays.setAll(turns, i -> new CountDownLatch(i == 0 ? 0 : 1));
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            int turn = i;
            threads[i] = new Thread(() -> takeTurn(bodies[turn], turns[turn], turns[turn + 1]));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            await(thread);
        }
    }

    private static void takeTurn(Body body, CountDownLatch begin, CountDownLatch end) {
        try {
            begin.await();
            body.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            end.countDown();
        }
    }

    /** Runs a body three times, each in a new thread: what is unprotected is reported then. */
    public static void thrice(Body body) {
        each(body, body, body);
    }

    /** Waits for a thread's end. */
    public static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a thread does. */
    public interface Body {
        void run() throws Exception;
    }
}
