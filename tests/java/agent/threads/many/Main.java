package many;

import java.util.concurrent.CountDownLatch;

/** Ten thousand live platform threads. */
final class Data {
    int guarded;
    int racy; // race: Data.racy
    int onlyOnce; // race: Data.onlyOnce
}

public final class Main {
    static final Data DATA = new Data();
    static final CountDownLatch GO = new CountDownLatch(1);

    static void body(CountDownLatch alive, int me) {
        alive.countDown();
        try {
            GO.await();
        } catch (InterruptedException e) {
            return;
        }
        synchronized (DATA) {
            DATA.guarded++;
        }
        DATA.racy = me;
        if (me > 9_990) {
            DATA.onlyOnce = me;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[0]);
        CountDownLatch alive = new CountDownLatch(count);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(null, () -> body(alive, me), "worker " + i, 256 << 10);
            threads[i].start();
        }
        alive.await();
        GO.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        synchronized (DATA) {
            System.out.println(DATA.guarded);
        }
    }
}
