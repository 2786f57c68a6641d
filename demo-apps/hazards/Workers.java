package hazards;

/** How many threads sort: never more than the limit, if nobody begins between the look at the count and its change. */
final class Workers {
    private static final int LIMIT = 8;
    private int count;

    synchronized int count() {
        return count;
    }

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
    }

    // atomicity: Workers.mayForkBad
    boolean mayForkBad() {
        if (count() == LIMIT) {
            return false;
        }
        begin();
        return true;
    }

    synchronized boolean mayForkOk() {
        if (count() == LIMIT) {
            return false;
        }
        begin();
        return true;
    }
}
