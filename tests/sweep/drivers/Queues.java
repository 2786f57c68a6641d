import java.util.Queue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.SpscLinkedQueue;

/** Boxes through queues of three kinds. */
public final class Queues {
    static final class Box {
        final long number;
        long doubled;

        Box(long number) {
            this.number = number;
            this.doubled = 2 * number;
        }
    }

    public static void main(String[] args) throws Exception {
        run("spsc", new SpscLinkedQueue<>(), 1);
        run("mpsc", new MpscArrayQueue<>(1024), 3);
        run("mpmc", new MpmcArrayQueue<>(1024), 3);
    }

    private static void run(String name, Queue<Box> queue, int producers) throws Exception {
        int each = 3000;
        Thread[] threads = new Thread[producers];
        for (int i = 0; i < producers; i++) {
            threads[i] =
                    new Thread(
                            () -> {
                                for (long number = 0; number < each; number++) {
                                    Box box = new Box(number);
                                    while (!queue.offer(box)) {
                                        Thread.yield();
                                    }
                                }
                            });
            threads[i].start();
        }
        long sum = 0;
        for (int taken = 0; taken < producers * each; ) {
            Box box = queue.poll();
            if (box == null) {
                Thread.yield();
            } else {
                sum += box.doubled;
                taken++;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(name + " " + sum);
    }
}
