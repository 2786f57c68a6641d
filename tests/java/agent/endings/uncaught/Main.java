package uncaught;

import static util.Threads.each;

/** Threads, the main thread too, that end with an exception: the same text on standard error, the same exit code. */
public final class Main {
    static int racy; // race: Main.racy

    static synchronized void die(String how) {
        synchronized (how) {
            racy++;
            throw new IllegalStateException(how);
        }
    }

    public static void main(String[] args) {
        each("worker", () -> die("first"));
        each("worker", () -> racy++);
        int[] none = new int[0];
        racy = none[racy];
    }
}
