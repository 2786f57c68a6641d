package exit;

import static util.Threads.each;

/** System.exit from a thread, with a shutdown hook that races too. */
public final class Main {
    static int racy; // race: Main.racy
    static int inHook; // race: Main.inHook

    public static void main(String[] args) throws InterruptedException {
        each(() -> racy++, () -> racy++);
        inHook++;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            inHook++;
            System.out.println("hook");
        }));
        Thread exiting = new Thread(() -> System.exit(3));
        exiting.start();
        exiting.join();
    }
}
