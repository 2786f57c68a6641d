package signal;

import static util.Threads.each;

/** Races, says so, and waits for the signal that the test sends. */
public final class Main {
    static int racy; // race: Main.racy

    public static void main(String[] args) throws InterruptedException {
        each(() -> racy++, () -> racy++);
        System.out.println("raced");
        System.out.flush();
        Thread.sleep(120_000);
    }
}
