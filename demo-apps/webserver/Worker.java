package webserver;

/** Answers the requests of its own queue until that is closed. */
final class Worker implements Runnable {
    private final RequestQueue queue;
    private final Site site;
    private final SessionTable sessions;
    private final Stats stats;
    private int served;
    private int revisits;

    Worker(RequestQueue queue, Site site, SessionTable sessions, Stats stats) {
        this.queue = queue;
        this.site = site;
        this.sessions = sessions;
        this.stats = stats;
    }

    @Override
    public void run() {
        try {
            Request request = queue.take();
            while (request != null) {
                serve(request);
                request = queue.take();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a worker", e);
        }
    }

    /** Read by main after the thread has ended. */
    int served() {
        return served;
    }

    /** Read by main after the thread has ended. */
    int revisits() {
        return revisits;
    }

    private void serve(Request request) {
        Session session = sessions.find(request.sessionId());
        session.visit();
        if (session.revisits(request.path())) {
            revisits++;
        }
        session.remember(request.path());
        send(site.pageLength(request.path()));
        request.answer();
        served++;
    }

    private void send(int length) {
        stats.hit();
        if (length < 0) {
            stats.error();
        } else {
            stats.sent(length);
        }
    }
}
