package util;

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
