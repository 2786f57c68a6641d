package spans;

import static util.Threads.inTurns;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** A number that is changed under its lock, once or twice. */
final class Counter {
    private int value;

    synchronized void addOk(int by) {
        value += by;
    }

    /** Atomic as long as it adds once. */
    void stepBad(boolean twice) {
        addOk(1);
        if (twice) {
            addOk(1);
        }
    }

    private synchronized int value() {
        return value;
    }

    void rareBad() {
        addOk(value());
    }

    Box makeOk() {
        return new Box();
    }
}

/** What its maker may fill while nobody else has it. */
final class Box {
    private int value;
    private final int[] cells = new int[1];

    Box() {
        value = 7;
        cells[0] = 7;
    }

    void fillOk() {
        value++;
        cells[0]++;
    }

    int peekOk() {
        return value;
    }

    void lateBad() {
        value++;
    }
}

/**
 * Two threads do the same so often that it is no longer recorded. What comes then for the first time is found if it begins at another
 * place, and objects stay what they are: new ones are their maker's, and others are no longer once somebody else has looked at them.
 */
public final class Main {
    private static final int MANY = 30_000;
    private static final Counter COUNTER = new Counter();
    private static final AtomicReference<Box> FILLED = new AtomicReference<>();
    private static final AtomicReference<Box> SHOWN = new AtomicReference<>();
    private static final Semaphore FIRST = new Semaphore(0);
    private static final Semaphore SECOND = new Semaphore(0);

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0) {
            inTurns(() -> steps(Integer.parseInt(args[0])), () -> COUNTER.addOk(1));
            return;
        }
        new Thread(Main::first).start();
        new Thread(Main::second).start();
    }

    /** Adds twice now and then, but not as long as everything is recorded. */
    private static void steps(int milliseconds) {
        long end = System.nanoTime() + 1_000_000L * milliseconds;
        for (int i = 0; i < MANY || System.nanoTime() < end; i++) {
            COUNTER.stepBad(i > MANY && i % 64 == 0);
        }
    }

    private static void first() {
        for (int i = 0; i < MANY; i++) {
            COUNTER.stepBad(false);
            SHOWN.set(COUNTER.makeOk());
        }
        COUNTER.stepBad(true);
        COUNTER.rareBad();
        Box filled = COUNTER.makeOk();
        filled.fillOk();
        FILLED.set(filled);
        SECOND.release();
        FIRST.acquireUninterruptibly();
        SHOWN.get().lateBad();
        SECOND.release();
    }

    private static void second() {
        SECOND.acquireUninterruptibly();
        Box own = new Box();
        for (int i = 0; i < MANY; i++) {
            COUNTER.addOk(1);
            own.peekOk();
        }
        FILLED.get().fillOk();
        SHOWN.get().peekOk();
        FIRST.release();
        SECOND.acquireUninterruptibly();
        SHOWN.get().lateBad();
    }
}
