package blocks;

import static util.Threads.inTurns;

/** A stale copy in blocks of one method, which is private: nobody expects it to be atomic, and each block is. */
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
        Cell.runTwice(new Cell());
        Tally tally = new Tally();
        inTurns(tally::bareBad, tally::bareBad, tally::blockBad, tally::setHalf);
    }
}
