package crawler;

import java.util.concurrent.locks.LockSupport;

/** The same with a lock. */
final class GuardedInquiry extends Inquiry {
    private Thread waiting;
    private boolean cancelled;

    GuardedInquiry(Search search) {
        super(search);
    }

    @Override
    synchronized void cancel() {
        cancelled = true;
        LockSupport.unpark(waiting);
    }

    @Override
    synchronized void waitIn(Thread thread) {
        waiting = thread;
    }

    @Override
    synchronized boolean isCancelled() {
        return cancelled;
    }
}
