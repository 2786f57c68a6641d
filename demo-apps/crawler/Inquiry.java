package crawler;

import java.util.concurrent.locks.LockSupport;

/** Asks an archive that never answers, until the search gives it up: its worker waits, and is woken up to do something else. */
abstract class Inquiry implements Task {
    private static final long AGAIN_NANOS = 1_000_000;

    private final Search search;

    Inquiry(Search search) {
        this.search = search;
    }

    @Override
    public final void run() {
        waitIn(Thread.currentThread());
        // Looked at before the search knows of it, so that this thread is the first one on every schedule.
        boolean wanted = !isCancelled();
        search.asked();
        while (wanted) {
            LockSupport.parkNanos(AGAIN_NANOS);
            wanted = !isCancelled();
        }
        waitIn(null);
        search.ended();
    }

    /** Ends the waiting of the worker that runs this. */
    abstract void cancel();

    /** Which thread is waiting for the answer, or null. */
    abstract void waitIn(Thread thread);

    abstract boolean isCancelled();
}
