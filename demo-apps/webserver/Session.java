package webserver;

/** What the server remembers about one visitor. Several workers may answer the same visitor at once. */
final class Session {
    private int visits;
    // race: Session.lastPath
    private String lastPath;

    synchronized void visit() {
        visits++;
    }

    synchronized int visits() {
        return visits;
    }

    /** Bug: no lock. */
    void remember(String path) {
        lastPath = path;
    }

    /** Bug: no lock. */
    boolean revisits(String path) {
        return path.equals(lastPath);
    }
}
