package places;

import java.util.Random;

/** A number that is written and read in several ways, each in a method of its own. */
class Box implements Cloneable {
    int value;

    Box(int value) {
        this.value = value;
    }

    void set() {
        value = 1;
    }

    void raise() {
        value += 2;
    }

    int get() {
        return value;
    }

    Box copy() {
        try {
            return (Box) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    // What comes after each, in another thread.

    void afterSet() {
        value = 3;
    }

    void afterRaise() {
        value = 3;
    }

    void afterGet() {
        value = 3;
    }

    void afterInit() {
        value = 3;
    }

    void afterCopy() {
        value = 3;
    }
}

/**
 * One thread accesses many boxes, each in one way, under locks or after hand-overs of its own; then another thread writes to all of them.
 * Where a finding says at which place the first thread was, the method of the second thread tells whether that is true.
 *
 * <p>Argument: the seed of what the first thread does.
 */
public final class Main {
    private static final int BOXES = 60;
    private static final int WAYS = 5;
    private static final int VISITS = 20;

    private static volatile int moment;
    private static int sum;

    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        // Accesses at sites that were visited often are not remembered.
        for (int i = 0; i < VISITS * WAYS; i++) {
            after(access(new Box(1), i % WAYS), i % WAYS);
        }
        Random random = new Random(Long.parseLong(args[0]));
        int[] ways = random.ints(BOXES, 0, WAYS).toArray();
        Box[] boxes = new Box[BOXES];
        for (int i = 0; i < BOXES; i++) {
            boxes[i] = new Box(1);
        }
        Thread first = new Thread(() -> accessAll(boxes, ways, random));
        Thread then = new Thread(() -> writeAll(boxes, ways));
        first.start();
        then.start();
        first.join();
        then.join();
        System.out.println("done");
    }

    private static void accessAll(Box[] boxes, int[] ways, Random random) {
        for (int i = 0; i < BOXES; i++) {
            int how = random.nextInt(6);
            if (how == 0) {
                moment++;
            }
            if (how == 1) {
                synchronized (ways) {
                    boxes[i] = access(boxes[i], ways[i]);
                }
            } else {
                boxes[i] = access(boxes[i], ways[i]);
            }
        }
    }

    private static Box access(Box box, int way) {
        switch (way) {
            case 0 -> box.set();
            case 1 -> box.raise();
            case 2 -> sum += box.get();
            case 3 -> box = new Box(4);
            default -> box = box.copy();
        }
        return box;
    }

    private static void writeAll(Box[] boxes, int[] ways) {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            return;
        }
        for (int i = 0; i < BOXES; i++) {
            after(boxes[i], ways[i]);
        }
    }

    private static void after(Box box, int way) {
        switch (way) {
            case 0 -> box.afterSet();
            case 1 -> box.afterRaise();
            case 2 -> box.afterGet();
            case 3 -> box.afterInit();
            default -> box.afterCopy();
        }
    }
}
