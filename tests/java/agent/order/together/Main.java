package together;

import java.util.Random;

/** A number that one thread reads often, under a lock but for the last time, and another one writes once under the lock. */
class Box {
    int value;

    Box(int value) {
        this.value = value;
    }
}

/**
 * Two threads come to each of many boxes at about the same time: no matter which one is first, the last read and the write race. Before it
 * the reader hands over, so each read is one of its own. They tell each other how far they are by the names of threads, which order nothing.
 */
public final class Main {
    static final int BOXES = 15_000;
    private static final int READS = 4;
    /** How much later the write is tried at most, in nanoseconds. */
    private static final int LATER = 1_000;

    private static final Object LOCK = new Object();
    private static volatile int handedOver;

    private final Box[] boxes = new Box[BOXES];
    private final String[] names = new String[BOXES];
    private final Thread reader = new Thread(this::read);
    private final Thread writer = new Thread(this::write);
    private long sum;

    private Main() {
        for (int i = 0; i < BOXES; i++) {
            boxes[i] = new Box(i);
            names[i] = "box " + i;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Main main = new Main();
        main.reader.start();
        main.writer.start();
        main.reader.join();
        main.writer.join();
        System.out.println(main.sum >= 0);
    }

    private void read() {
        long sum = 0;
        for (int i = 0; i < BOXES; i++) {
            Box box = boxes[i];
            for (int n = 0; n < READS; n++) {
                synchronized (LOCK) {
                    sum += box.value;
                }
                handedOver = i;
            }
            reader.setName(names[i]);
            sum += box.value;
            await(writer, names[i]);
        }
        this.sum = sum;
    }

    private void write() {
        Random random = new Random(1);
        for (int i = 0; i < BOXES; i++) {
            Box box = boxes[i];
            await(reader, names[i]);
            long time = System.nanoTime() + random.nextInt(LATER);
            while (System.nanoTime() < time) {
                Thread.onSpinWait();
            }
            synchronized (LOCK) {
                box.value = 1;
            }
            writer.setName(names[i]);
        }
    }

    private static void await(Thread thread, String name) {
        while (thread.getName() != name) {
            Thread.onSpinWait();
        }
    }
}
