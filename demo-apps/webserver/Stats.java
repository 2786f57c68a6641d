package webserver;

/** Counters of the server, each with another idea of locking. */
final class Stats {
    private int hits; // race: Stats.hits
    private long bytes; // race: Stats.bytes
    private int errors;

    /** Bug: no lock. */
    void hit() {
        hits++;
    }

    int hits() {
        return hits;
    }

    synchronized void sent(int length) {
        bytes += length;
    }

    synchronized void error() {
        errors++;
    }

    synchronized int errors() {
        return errors;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Bug: no lock, so the two halves of the long may come from two updates. */
    long bytesNow() {
        return bytes;
    }
}
