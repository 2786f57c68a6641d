package chosen;

/** Chosen, but only a class that clients do not use gives it out as a task. */
class Kept implements Runnable {
    private int runs;

    @Override
    public void run() {
        runs++;
    }
}
