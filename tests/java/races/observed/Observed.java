package observed;

/** Three fields that race for the analysis; a run without arguments shows one, exercises another, and comes to no third. */
final class Observed {
    private static final Object FIRST = new Object();
    private static final Object SECOND = new Object();

    private static int confirmed;
    private static int exercised;
    private static int unexercised;

    private Observed() {}

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> work(FIRST, args.length > 0));
        other.start();
        work(args.length > 0 ? SECOND : FIRST, args.length > 0);
        other.join();
    }

    private static void work(Object lock, boolean isThorough) {
        confirmed++;
        synchronized (lock) {
            exercised++;
        }
        if (isThorough) {
            unexercised++;
        }
    }
}
