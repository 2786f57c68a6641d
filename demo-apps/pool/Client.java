package pool;

/** Borrows, uses and returns; the client that is told to closes the pool half-way, while the others still borrow. */
final class Client implements Runnable {
    private final ResourcePool pool;
    private final int rounds;
    private final boolean closes;
    private final boolean resizes;
    private int served;

    Client(ResourcePool pool, int rounds, boolean closes, boolean resizes) {
        this.pool = pool;
        this.rounds = rounds;
        this.closes = closes;
        this.resizes = resizes;
    }

    @Override
    public void run() {
        for (int round = 0; round < rounds; round++) {
            if (round == rounds / 2) {
                manage();
            }
            serve();
        }
    }

    /** Read by main after the thread has ended. */
    int served() {
        return served;
    }

    private void manage() {
        if (resizes) {
            pool.resize(1);
        }
        if (closes) {
            awaitAnother();
            pool.close();
        }
    }

    /** A pool that is closed before another client has borrowed does not show the bug. The one more is main's. */
    private void awaitAnother() {
        while (pool.lent() <= served + 1) {
            Thread.yield();
        }
    }

    private void serve() {
        Resource resource = pool.borrow();
        if (resource == null) {
            new Resource().use();
        } else {
            resource.use();
            pool.giveBack(resource);
        }
        served++;
    }
}
