package stalecopy;

import static util.Threads.inTurns;

/** No access races: each is under the lock. */
final class Counter {
    private int value;

    synchronized int get() {
        return value;
    }

    synchronized void set(int value) {
        this.value = value;
    }

    // atomicity: Counter.addBad
    void addBad(int amount) {
        int copy = get();
        set(copy + amount);
    }

    void addOk(int amount) {
        synchronized (this) {
            int copy = get();
            set(copy + amount);
        }
    }
}

/** The same with blocks of one method, which is private: nobody expects it to be atomic, and each block is. */
final class Cell {
    private final Object lock = new Object();
    private int value;

    private void addInTwoBlocks() {
        int copy;
        synchronized (lock) {
            copy = value;
        }
        synchronized (lock) {
            value = copy + 1;
        }
    }

    static void runTwice(Cell cell) {
        inTurns(cell::addInTwoBlocks, cell::addInTwoBlocks);
    }
}

/** Without the lock, even one statement is not atomic; a block that others do not respect is not either. */
final class Tally {
    private int bare;
    private int half;

    // atomicity: Tally.bareBad
    void bareBad() {
        bare++;
    }

    void setHalf() {
        half = 0;
    }

    void blockBad() {
        // atomicity: Tally.blockBad
        synchronized (this) {
            half++;
        }
    }
}

public final class Main {
    public static void main(String[] args) {
        Counter bad = new Counter();
        inTurns(() -> bad.addBad(1), () -> bad.addBad(2));
        Counter ok = new Counter();
        inTurns(() -> ok.addOk(1), () -> ok.addOk(2));
        Cell.runTwice(new Cell());
        Tally tally = new Tally();
        inTurns(tally::bareBad, tally::bareBad, tally::blockBad, tally::setHalf);
    }
}
