package millions;

import java.util.concurrent.Semaphore;

/** Many virtual threads, many at once. */
public final class Main {
    static int guarded;
    static int racy; // race: Main.racy

    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[0]);
        Semaphore live = new Semaphore(10_000);
        for (int i = 0; i < count; i++) {
            live.acquire();
            Thread.startVirtualThread(() -> {
                synchronized (Main.class) {
                    guarded++;
                }
                racy++;
                live.release();
            });
        }
        live.acquire(10_000);
        synchronized (Main.class) {
            System.out.println(guarded);
        }
    }
}
