package named;

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

    public static void main(String[] args) throws InterruptedException {
        launch("first-thread", Main::middle).join();
        launch("second-thread", Main::middle).join();
        launch("locked-1", Main::underClass).join();
        launch("locked-2", Main::underClass).join();
        launch("locked-3", () -> {
            synchronized (args) {
                racyUnderLocks++;
            }
        }).join();
        // Run by a thread object that was never started.
        byUnstarted++;
        Thread unstarted = new Thread(() -> byUnstarted++);
        unstarted.run();
        Thread renamed = launch("before", () -> {
            Thread.currentThread().setName("after");
            byUnstarted++;
        });
        renamed.join();
    }
}
