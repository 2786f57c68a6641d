package repeats;

import static util.Threads.inTurns;

/** Two numbers that belong together, without a lock; the same is done again and again. */
final class Range {
    private int low;
    private int high;
    private final int[] moves = new int[2];

    // atomicity: Range.widenBad
    void widenBad(int by) {
        low -= by;
        high += by;
    }

    // atomicity: Range.lengthBad
    int lengthBad() {
        return high - low;
    }

    /** Reads one number over and over. */
    // atomicity: Range.sumBad
    int sumBad(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum += low;
        }
        return sum;
    }

    // atomicity: Range.moveBad
    void moveBad(int by) {
        for (int i = 0; i < by; i++) {
            moves[0] += by;
            moves[1] -= by;
        }
    }

    synchronized int movesOk() {
        return moves[0];
    }
}

public final class Main {
    public static void main(String[] args) {
        Range range = new Range();
        inTurns(() -> change(range), () -> look(range));
    }

    private static void change(Range range) {
        for (int i = 0; i < 20_000; i++) {
            range.widenBad(1);
            range.moveBad(3);
        }
    }

    private static int look(Range range) {
        int sum = range.movesOk();
        for (int i = 0; i < 20_000; i++) {
            sum += range.lengthBad();
        }
        return sum + range.sumBad(20_000);
    }
}
