package schedule;

import java.io.File;
import java.io.IOException;

/** Orders what threads do by files, of which no checker knows: so a race has the same course in every run. */
public final class Schedule {
    private static final int PATIENCE = 20_000;

    private Schedule() {}

    /** Says that a step of a program is done. */
    public static void mark(Object program) {
        mark(program, 1);
    }

    public static void mark(Object program, int step) {
        try {
            file(program, step).createNewFile();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until a step is done. */
    public static void until(Object program) {
        until(program, 1);
    }

    public static void until(Object program, int step) {
        for (int i = 0; !file(program, step).exists(); i++) {
            if (i > PATIENCE) {
                throw new IllegalStateException("step " + step + " of " + program + " is never done");
            }
            pause(1);
        }
    }

    private static File file(Object program, int step) {
        return new File("step-" + program.getClass().getTypeName() + "-" + step);
    }

    public static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a thread does. */
    public interface Body {
        void run() throws Exception;
    }

    public static Runnable runnable(Body body) {
        return () -> {
            try {
                body.run();
            } catch (Exception e) {
                System.out.println("failed: " + e);
            }
        };
    }

    public static Thread start(Body body) {
        Thread thread = new Thread(runnable(body));
        thread.start();
        return thread;
    }

    /** Runs each in a thread of its own, side by side, and waits for all. */
    public static void together(Body... bodies) throws InterruptedException {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            threads[i] = start(bodies[i]);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
