package hazards;

/** A local copy is stale as soon as the lock is given up. */
final class Counter {
    private int value;

    synchronized int get() {
        return value;
    }

    synchronized void set(int value) {
        this.value = value;
    }

    // atomicity: Counter.addBad
    void addBad(int amount) {
        int copy = get();
        set(copy + amount);
    }

    void addOk(int amount) {
        synchronized (this) {
            int copy = get();
            set(copy + amount);
        }
    }
}
