package memory;

import static util.Threads.each;
import static util.Threads.thrice;

/** Runs out of memory again and again, catches it, and goes on. */
final class Node {
    Node next;
    int value;
    final long[] payload;

    Node(Node next, int size) {
        this.next = next;
        payload = new long[size];
        payload[0] = size;
        value = size;
    }
}

final class Data {
    int guarded;
    int racy; // race: Data.racy
    int racyUnderPressure; // race: Data.racyUnderPressure
    int afterMethod; // race: Data.afterMethod
    int heldBelow;
}

public final class Main {
    static final Data DATA = new Data();
    static final Object LOCK = new Object();

    static synchronized Node fill(Node list, int size) {
        for (;;) {
            synchronized (new Object()) {
                list = new Node(list, size);
            }
        }
    }

    /** The locks taken here are new to the agent, at a time when there is no memory for them. */
    static int lockUnderPressure(int size) {
        Node list = null;
        int locked = 0;
        try {
            for (;;) {
                list = new Node(list, size);
                list.value++;
            }
        } catch (OutOfMemoryError expected) {
            for (Node node = list; node != null; node = node.next) {
                synchronized (node) {
                    locked += node.payload.length > 0 ? 1 : 0;
                    node.payload[0]++;
                }
                if (locked == 10) {
                    break;
                }
            }
        }
        return locked;
    }

    static void exhaust(int size) {
        synchronized (LOCK) {
            try {
                fill(null, size);
            } catch (OutOfMemoryError expected) {
                DATA.heldBelow++;
            }
        }
        DATA.afterMethod++;
    }

    public static void main(String[] args) {
        int[] sizes = {100_000, 200};
        for (int size : sizes) {
            thrice(() -> exhaust(size));
            each(() -> System.out.println(lockUnderPressure(size) > 0));
            thrice(() -> {
                synchronized (LOCK) {
                    DATA.guarded++;
                }
            });
        }
        thrice(() -> {
            lockUnderPressure(200);
            DATA.racyUnderPressure++;
        });
        thrice(() -> DATA.racy++);
        System.out.println("survived");
    }
}
