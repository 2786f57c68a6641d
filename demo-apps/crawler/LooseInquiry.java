package crawler;

import java.util.concurrent.locks.LockSupport;

/** Bug: no lock. The searcher may wake a worker that is at something else by now, and the worker may never see the flag. */
final class LooseInquiry extends Inquiry {
    private Thread waiting; // race: LooseInquiry.waiting
    private boolean cancelled; // race: LooseInquiry.cancelled

    LooseInquiry(Search search) {
        super(search);
    }

    @Override
    void cancel() {
        cancelled = true;
        LockSupport.unpark(waiting);
    }

    @Override
    void waitIn(Thread thread) {
        waiting = thread;
    }

    @Override
    boolean isCancelled() {
        return cancelled;
    }
}
