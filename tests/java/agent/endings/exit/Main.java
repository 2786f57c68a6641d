package exit;

import static util.Threads.begin;
import static util.Threads.each;
import static util.Threads.turn;
import static util.Threads.waitFor;

/** System.exit from a thread, with a shutdown hook that races too. */
public final class Main {
    static int racy; // race: Main.racy
    static int inHook; // race: Main.inHook

    public static void main(String[] args) throws InterruptedException {
        each(() -> racy++, () -> racy++);
        Thread turn = turn();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            waitFor(turn);
            inHook++;
            System.out.println("hook");
        }));
        Thread exiting = new Thread(() -> System.exit(3));
        exiting.start();
        inHook++;
        begin(turn);
        exiting.join();
    }
}
