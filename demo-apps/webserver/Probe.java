package webserver;

/** Watches the number of bytes sent while the server runs. */
final class Probe implements Runnable {
    private final Stats stats;
    private volatile boolean stopped;
    private int samples;
    private long highest;

    Probe(Stats stats) {
        this.stats = stats;
    }

    @Override
    public void run() {
        try {
            boolean last;
            do {
                // Asked before the sample, so that one sample follows the last update on every schedule.
                last = stopped;
                highest = Math.max(highest, stats.bytesNow());
                samples++;
                Thread.sleep(1);
            } while (!last);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the probe", e);
        }
    }

    void stop() {
        stopped = true;
    }

    /** Read by main after the thread has ended. */
    @Override
    public String toString() {
        return samples + " samples, the highest " + highest;
    }
}
