package apart;

import java.util.Random;

/**
 * Two threads come to two elements of each of many arrays at about the same time: no matter which one is first, nothing races. Each writes its own
 * element under a lock and reads it without. They tell each other how far they are by the names of threads, which order nothing.
 */
public final class Main {
    private static final int ROWS = 3_000;
    private static final int USES = 4;
    /** How much later the second thread begins at most, in nanoseconds. */
    private static final int LATER = 2_000;

    private static final Object LOCK = new Object();
    private static volatile int handedOver;

    private final Object[][] rows = new Object[ROWS][200];
    private final Thread first = new Thread(() -> use(7, 0), "-1");
    private final Thread second = new Thread(() -> use(107, LATER), "-1");

    public static void main(String[] args) throws InterruptedException {
        Main main = new Main();
        main.first.start();
        main.second.start();
        main.first.join();
        main.second.join();
        System.out.println("done");
    }

    private void use(int own, int later) {
        Random random = new Random(1);
        Thread other = own == 7 ? second : first;
        for (int i = 0; i < ROWS; i++) {
            Thread.currentThread().setName(Integer.toString(i));
            await(other, i);
            pause(later == 0 ? 0 : random.nextInt(later));
            Object[] row = rows[i];
            for (int n = 0; n < USES; n++) {
                synchronized (LOCK) {
                    row[own] = LOCK;
                }
                if (row[own] == null) {
                    System.out.println("lost");
                }
                handedOver = i;
            }
        }
    }

    private static void pause(long nanos) {
        long time = System.nanoTime() + nanos;
        while (System.nanoTime() < time) {
            Thread.onSpinWait();
        }
    }

    private static void await(Thread other, int row) {
        while (Integer.parseInt(other.getName()) < row) {
            Thread.onSpinWait();
        }
    }
}
