package pool;

/**
 * A bounded stack of idle resources. Taking and giving back hold the pool's lock; what came later does not: the
 * closed check and the statistics of {@link #borrow}, and the whole of {@link #close}.
 */
final class ResourcePool {
    private final Resource[] idle; // race: ResourcePool.idle[]
    private int nIdle; // race: ResourcePool.nIdle
    private boolean closed; // race: ResourcePool.closed
    private int requests; // race: ResourcePool.requests
    private int active;
    private int lent;
    // missed: ResourcePool.limit -- nothing writes it on this run: only the argument "resize" does
    private int limit;

    ResourcePool(int capacity) {
        idle = new Resource[capacity];
        limit = capacity;
    }

    /** Returns null when the pool is closed. Bug: neither the count nor the check holds the lock. */
    Resource borrow() {
        requests++;
        return closed ? null : take();
    }

    /** Reads the count once: close() may change it at any moment, and an index must stay inside the array. */
    private synchronized Resource take() {
        active++;
        lent++;
        int last = nIdle - 1;
        if (last < 0) {
            return new Resource();
        }
        nIdle = last;
        Resource resource = idle[last];
        idle[last] = null;
        return resource == null ? new Resource() : resource;
    }

    synchronized void giveBack(Resource resource) {
        active--;
        int slot = nIdle;
        if (slot < limit) {
            idle[slot] = resource;
            nIdle = slot + 1;
        }
    }

    /** Bug: no lock, so a borrower can find its slot emptied already. */
    void close() {
        closed = true;
        for (int i = 0; i < idle.length; i++) {
            idle[i] = null;
        }
        nIdle = 0;
    }

    /** Bug: no lock; the limit must not exceed the capacity. */
    void resize(int newLimit) {
        limit = newLimit;
    }

    synchronized int active() {
        return active;
    }

    /** How often take() was called. */
    synchronized int lent() {
        return lent;
    }
}
