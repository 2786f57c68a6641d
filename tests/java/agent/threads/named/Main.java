package named;

import static util.Threads.begin;
import static util.Threads.turn;
import static util.Threads.waitFor;
import static util.Threads.waitForEnd;

/** The test looks at the threads, stacks and locks of the findings. */
public final class Main {
    static int racy; // race: Main.racy
    static int racyUnderLocks; // race: Main.racyUnderLocks
    static int byUnstarted; // race: Main.byUnstarted
    static final Object FIRST = new Object();

    static void increment() {
        racy++;
    }

    static void middle() {
        increment();
    }

    static Thread launch(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.start();
        return thread;
    }

    static synchronized void underClass() {
        synchronized (FIRST) {
            racyUnderLocks++;
        }
    }

    public static void main(String[] args) {
        waitForEnd(launch("first-thread", Main::middle));
        waitForEnd(launch("second-\uD835\uDCAFhread", Main::middle));
        waitForEnd(launch("locked-1", Main::underClass));
        waitForEnd(launch("locked-2", Main::underClass));
        waitForEnd(launch("locked-3", () -> {
            synchronized (args) {
                racyUnderLocks++;
            }
        }));
        Thread turn = turn();
        Thread renamed = launch("before", () -> {
            Thread.currentThread().setName("after");
            waitFor(turn);
            byUnstarted++;
        });
        // Run by a thread object that was never started.
        byUnstarted++;
        Thread unstarted = new Thread(() -> byUnstarted++);
        unstarted.run();
        begin(turn);
        waitForEnd(renamed);
    }
}
