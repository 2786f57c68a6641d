package longspans;

/** A number that goes up in steps of two accesses each. */
final class Cell {
    private int value;

    void add(int by) {
        value += by;
    }
}

/** Transactions of thousands of accesses, each to the same cells in another order: none does again what an earlier one has done. */
public final class Main {
    private static final int SPANS = 250;
    private static final int STEPS = 1000;
    private static final Cell[] CELLS = new Cell[256];

    private Main() {}

    public static void main(String[] args) {
        for (int i = 0; i < CELLS.length; i++) {
            CELLS[i] = new Cell();
        }
        for (int span = 0; span < SPANS; span++) {
            walkOk(span);
        }
    }

    static void walkOk(int span) {
        for (int step = 0; step < STEPS; step++) {
            CELLS[(span + step * (2 * span + 1)) % CELLS.length].add(1);
        }
    }
}
