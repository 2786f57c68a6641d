package philo;

/** A fork: its monitor is the right to use it, and guards the count. */
final class Fork {
    private int uses;

    /** The caller holds this fork. */
    void use() {
        uses++;
    }

    synchronized int uses() {
        return uses;
    }
}
