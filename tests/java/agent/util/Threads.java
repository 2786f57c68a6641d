package util;

/**
 * Threads that take turns, so that a run always comes out the same, though nothing that a checker knows of orders them: who waits polls
 * what a thread is called, or whether it still has a group. Only their start is ordered.
 */
public final class Threads {
    private static final String BEGUN = "begun";

    private Threads() {}

    /** Runs each body in a new thread, one after the other. */
    public static void each(Body... bodies) {
        for (Body body : bodies) {
            each("phase", body);
        }
    }

    /** Runs a body in a new thread of this name, to its end. */
    public static void each(String name, Body body) {
        waitForEnd(start(name, body));
    }

    /** Runs each body in a new thread, one after the other: all are started before the first one runs, and end is waited for. */
    public static void inTurns(Body... bodies) {
        Thread[] turns = new Thread[bodies.length + 1];
        Thread[] threads = new Thread[bodies.length];
        turns[0] = turn();
        for (int i = 0; i < bodies.length; i++) {
            Body body = bodies[i];
            Thread begin = turns[i];
            turns[i + 1] = turn();
            Thread end = turns[i + 1];
            threads[i] = start("turn " + i, () -> {
                waitFor(begin);
                try {
                    body.run();
                } finally {
                    begin(end);
                }
            });
        }
        begin(turns[0]);
        for (Thread thread : threads) {
            await(thread);
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

    /** Waits for a thread's end in a way that no checker sees. */
    public static void waitForEnd(Thread thread) {
        while (thread.getThreadGroup() != null) {
            Thread.yield();
        }
    }

    private static Thread start(String name, Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.start();
        return thread;
    }

    /** A turn that has not begun: a thread that never starts, whose name tells. */
    public static Thread turn() {
        return new Thread("to come");
    }

    /** Begins a turn. */
    public static void begin(Thread turn) {
        turn.setName(BEGUN);
    }

    /** Waits until a turn has begun. */
    public static void waitFor(Thread turn) {
        while (!turn.getName().equals(BEGUN)) {
            Thread.yield();
        }
    }

    /** What a thread does. */
    public interface Body {
        void run() throws Exception;
    }
}
