package seeds;

/** A handler that runs when a thread dies of an exception, which the analysis does not call. */
public class Uncaught {
    private static int died; // missed: handlers of uncaught exceptions

    public static void main(String[] args) {
        Thread thread = new Thread(() -> {
            throw new IllegalStateException();
        });
        thread.setUncaughtExceptionHandler((of, exception) -> died++);
        thread.start();
        died++;
    }
}
