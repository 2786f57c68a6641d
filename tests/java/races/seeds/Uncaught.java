package seeds;

/** Handlers of uncaught exceptions, which run in the thread that dies. */
public class Uncaught {
    private static int died; // race
    private static int any; // race
    private static int own;
    private static int joined;

    static void fail() {
        own++;
        throw new IllegalStateException();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((of, exception) -> any++);
        Thread thread = new Thread(Uncaught::fail);
        thread.setUncaughtExceptionHandler((of, exception) -> {
            died++;
            own++;
            joined++;
        });
        thread.start();
        died++;
        thread.join();
        joined++;
    }
}
