package webserver;

/** One request. The acceptor routes it, then exactly one worker answers it. */
final class Request {
    private static final int ROUTED = 1;
    private static final int ANSWERED = 2;

    private final String path;
    private final int sessionId;
    // ordered: Request.state -- acceptor, then worker; the queue between them orders their writes
    private int state;

    Request(String path, int sessionId) {
        this.path = path;
        this.sessionId = sessionId;
    }

    String path() {
        return path;
    }

    int sessionId() {
        return sessionId;
    }

    void route() {
        state = ROUTED;
    }

    void answer() {
        if (state != ROUTED) {
            throw new IllegalStateException("request was not routed");
        }
        state = ANSWERED;
    }
}
