package handlers;

/** Clients' threads may die, and then the library's handlers run in them. */
public class Library {
    private static int any; // race
    private int own; // race
    private int unused;

    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler((of, exception) -> any++);
    }

    public void watch() {
        Thread.currentThread().setUncaughtExceptionHandler((of, exception) -> own++);
    }

    Thread.UncaughtExceptionHandler unused() {
        return (of, exception) -> unused++;
    }
}
