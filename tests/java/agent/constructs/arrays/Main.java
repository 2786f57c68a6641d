package arrays;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.Arrays;
import schedule.Program;

/** Each thread has a slice, in loops. */
final class Slices implements Program {
    final int[] cells = new int[64];

    void fill(int from, int to) {
        for (int round = 0; round < 3; round++) {
            for (int i = from; i < to; i++) {
                cells[i] += i;
            }
        }
    }

    public void run() throws Exception {
        together(() -> fill(0, 32), () -> fill(32, 64));
        long sum = 0;
        for (int cell : cells) {
            sum += cell;
        }
        if (sum != 3 * 2016) {
            System.out.println(sum);
        }
    }
}

/** Each thread has every second element. */
final class Interleaved implements Program {
    final double[] cells = new double[32];

    void fill(int from) {
        for (int i = from; i < cells.length; i += 2) {
            cells[i]++;
        }
    }

    public void run() throws Exception {
        together(() -> fill(0), () -> fill(1));
    }
}

/** Rows of a matrix. */
final class Rows implements Program {
    final double[][] matrix = new double[8][8];

    void scale(int from) {
        for (int row = from; row < matrix.length; row += 2) {
            for (int column = 0; column < 8; column++) {
                matrix[row][column] += row * column;
            }
        }
    }

    public void run() throws Exception {
        together(() -> scale(0), () -> scale(1));
    }
}

/** One cell for each thread, by its number. */
final class Slots implements Program {
    final long[] counts = new long[2];

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 50; i++) {
                counts[0]++;
            }
        }, () -> {
            for (int i = 0; i < 50; i++) {
                counts[1]++;
            }
        });
    }
}

/** Both write one cell. */
final class SameSlot implements Program {
    final long[] counts = new long[2]; // race: SameSlot.counts[]

    public void run() throws Exception {
        together(() -> {
            counts[0]++;
            mark(this);
        }, () -> {
            until(this);
            counts[0]++;
        });
    }
}

/** Both go over the whole array, again and again. */
final class WholeArray implements Program {
    final int[] cells = new int[16]; // race: WholeArray.cells[]

    void add() {
        for (int i = 0; i < cells.length; i++) {
            cells[i]++;
        }
    }

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < 4; round++) {
                until(this, 2 * round);
                add();
                mark(this, 2 * round + 1);
            }
        }, () -> {
            mark(this, 0);
            for (int round = 0; round < 4; round++) {
                until(this, 2 * round + 1);
                add();
                mark(this, 2 * round + 2);
            }
        });
    }
}

/** Both go over it once. */
final class WholeArrayOnce implements Program {
    final int[] cells = new int[16]; // race: WholeArrayOnce.cells[]

    void add() {
        for (int i = 0; i < cells.length; i++) {
            cells[i]++;
        }
    }

    public void run() throws Exception {
        together(() -> {
            add();
            mark(this);
        }, () -> {
            until(this);
            add();
        });
    }
}

/** One copies while the other fills. */
final class CopiedWhileFilled implements Program {
    final int[] source = new int[8]; // race: CopiedWhileFilled.source[]

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < 3; round++) {
                Arrays.fill(source, round);
                mark(this, 2 * round);
                until(this, 2 * round + 1);
            }
        }, () -> {
            int[] copy = new int[8];
            for (int round = 0; round < 3; round++) {
                until(this, 2 * round);
                System.arraycopy(source, 0, copy, 0, 8);
                mark(this, 2 * round + 1);
            }
        });
    }
}

/** Copies of disjoint parts. */
final class CopiedParts implements Program {
    final int[] target = new int[8];

    public void run() throws Exception {
        int[] source = {1, 2, 3, 4};
        together(() -> System.arraycopy(source, 0, target, 0, 4), () -> System.arraycopy(source, 0, target, 4, 4));
    }
}

/** Sorted by one, read by the other. */
final class SortedAndRead implements Program {
    final String[] names = {"b", "a"}; // race: SortedAndRead.names[]

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < 3; round++) {
                Arrays.sort(names);
                mark(this, 2 * round);
                until(this, 2 * round + 1);
            }
        }, () -> {
            for (int round = 0; round < 3; round++) {
                until(this, 2 * round);
                if (names[0].isEmpty()) {
                    System.out.println("empty");
                }
                mark(this, 2 * round + 1);
            }
        });
    }
}

/** Each sorts and fills its own half. */
final class SortedHalves implements Program {
    final int[] numbers = new int[64];

    void use(int from, int to) {
        for (int round = 0; round < 3; round++) {
            Arrays.fill(numbers, from, from + 4, round);
            Arrays.sort(numbers, from, to);
            numbers[from] = Arrays.copyOfRange(numbers, from, to)[1];
        }
    }

    public void run() throws Exception {
        together(() -> use(0, 32), () -> use(32, 64));
    }
}

/** The parts overlap by one element. */
final class OverlappingParts implements Program {
    final long[] numbers = new long[64]; // race: OverlappingParts.numbers[]

    void use(int from, int to) {
        Arrays.sort(numbers, from, to);
    }

    public void run() throws Exception {
        together(() -> {
            use(0, 33);
            mark(this);
            until(this, 2);
            use(0, 33);
        }, () -> {
            until(this);
            use(32, 64);
            mark(this, 2);
        });
    }
}

/** All are filled at once, and one is read once. */
final class FilledAtOnce implements Program {
    final int[] numbers = new int[1000]; // race: FilledAtOnce.numbers[]

    public void run() throws Exception {
        together(() -> {
            Arrays.fill(numbers, 1);
            mark(this);
        }, () -> {
            until(this);
            if (numbers[3] == 7) {
                System.out.println("seven");
            }
        });
    }
}

/** Each but the last round belongs to who waits for the other. */
final class FilledInTurns implements Program {
    final int[] numbers = new int[1000];

    public void run() throws Exception {
        Thread first = start(() -> Arrays.fill(numbers, 1));
        first.join();
        Thread second = start(() -> numbers[3] = Arrays.hashCode(numbers));
        second.join();
        Arrays.sort(numbers);
    }
}

/** One is written once, and all are copied once. */
final class ClonedOnce implements Program {
    final int[] numbers = new int[1000]; // race: ClonedOnce.numbers[]

    public void run() throws Exception {
        together(() -> {
            numbers[1] = 1;
            numbers[2] = 2;
            mark(this);
        }, () -> {
            until(this);
            numbers.clone();
        });
    }
}

/** Two elements are read in one expression. */
final class ReadWithOwn implements Program {
    final int[] cells = new int[2]; // race: ReadWithOwn.cells[]

    public void run() throws Exception {
        together(() -> {
            cells[0] = 1;
            mark(this);
        }, () -> {
            until(this);
            cells[1] = 2;
            cells[1] += cells[0];
        });
    }
}

/** Each looks at its own element twice. */
final class OwnReadTwice implements Program {
    final int[] cells = new int[2];

    void use(int own) {
        for (int round = 0; round < 3; round++) {
            cells[own] += cells[own] + round;
        }
    }

    public void run() throws Exception {
        together(() -> use(0), () -> use(1));
    }
}

/** The last of one part and the first of the next are read beside the own ones. */
final class Stencil implements Program {
    final double[] cells = new double[512]; // race: Stencil.cells[]

    void smooth(int from, int to) {
        for (int i = from; i < to; i++) {
            cells[i] = (cells[i] + cells[i + 1]) / 2;
        }
    }

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < 3; round++) {
                smooth(0, 256);
                mark(this, 2 * round);
                until(this, 2 * round + 1);
            }
        }, () -> {
            for (int round = 0; round < 3; round++) {
                until(this, 2 * round);
                smooth(256, 511);
                mark(this, 2 * round + 1);
            }
        });
    }
}

/** A copy belongs to who made it. */
final class Cloned implements Program {
    final int[] shared = {1, 2, 3};

    void use() {
        int[] own = shared.clone();
        own[0]++;
        Arrays.sort(own);
    }

    public void run() throws Exception {
        together(this::use, this::use);
    }
}

/** Neighbours read each other's border. */
final class Borders implements Program {
    final int[] cells = new int[4]; // race: Borders.cells[]

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < 4; round++) {
                cells[1] = cells[0] + cells[2];
                mark(this, 2 * round);
                until(this, 2 * round + 1);
            }
        }, () -> {
            for (int round = 0; round < 4; round++) {
                until(this, 2 * round);
                cells[2] = cells[1] + cells[3];
                mark(this, 2 * round + 1);
            }
        });
    }
}

/** Each thread writes its own element under the lock, and reads it without, as Netty's chunks do. */
final class OwnUnderLock implements Program {
    final Object[] pages = new Object[2000];

    void use(int own) {
        synchronized (this) {
            pages[own] = "page " + own;
        }
        if (pages[own] == null) {
            System.out.println("lost");
        }
    }

    public void run() throws Exception {
        together(() -> {
            use(7);
            mark(this);
        }, () -> {
            until(this);
            use(1007);
        });
    }
}

/** The same with two elements each. */
final class PairUnderLock implements Program {
    final Object[] pages = new Object[2000]; // false-alarm: PairUnderLock.pages[] -- possible: which elements were accessed before the first conflict is not known

    void use(int own) {
        for (int i = 0; i < 20; i++) {
            synchronized (this) {
                pages[own + i % 2] = "page " + i;
            }
            if (pages[own + i % 2] == null) {
                System.out.println("lost");
            }
        }
    }

    public void run() throws Exception {
        together(() -> {
            use(7);
            mark(this);
        }, () -> {
            until(this);
            use(1007);
        });
    }
}

/** A second thread comes to its own element first, and then to that of the first thread. */
final class OwnAndOther implements Program {
    final int[] cells = new int[2000]; // race: OwnAndOther.cells[]

    void first() {
        cells[3] = 1;
    }

    public void run() throws Exception {
        together(() -> {
            first();
            mark(this);
        }, () -> {
            until(this);
            cells[5] = 1;
            cells[3]++;
        });
    }
}

final class OwnOfFew implements Program {
    final Object[] pages = new Object[200];

    void use(int own) {
        for (int i = 0; i < 20; i++) {
            synchronized (this) {
                pages[own] = "page " + i;
            }
            if (pages[own] == null) {
                System.out.println("lost");
            }
        }
    }

    public void run() throws Exception {
        together(() -> use(7), () -> use(107));
    }
}

/** All elements are written under a lock once, and one is read without. */
final class ReadBare implements Program {
    final int[] cells = new int[2000]; // race: ReadBare.cells[]

    public void run() throws Exception {
        together(() -> {
            synchronized (this) {
                for (int i = 0; i < cells.length; i++) {
                    cells[i] = i;
                }
            }
            mark(this);
        }, () -> {
            until(this);
            if (cells[1000] < 0) {
                System.out.println("lost");
            }
        });
    }
}

/** Two threads race on one element; each has another one of its own, which does not race. */
final class RacyAndOwn implements Program {
    final int[] cells = new int[2000]; // race: RacyAndOwn.cells[]

    public void run() throws Exception {
        together(() -> {
            cells[0] = 1;
            mark(this);
            until(this, 2);
            cells[1] = 1;
            mark(this, 3);
        }, () -> {
            until(this);
            cells[0] = 2;
            mark(this, 2);
            until(this, 3);
            cells[2] = 2;
        });
    }
}

/** A loop that is run once goes over an array without the lock, when its elements have states of their own already. */
final class OnceBare implements Program {
    final int[] cells = new int[8]; // race: OnceBare.cells[]

    void fill() {
        synchronized (this) {
            for (int i = 0; i < cells.length; i++) {
                cells[i]++;
            }
        }
    }

    void clear() {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = 0;
        }
    }

    public void run() throws Exception {
        together(() -> {
            fill();
            mark(this);
            until(this, 2);
            fill();
            mark(this, 3);
        }, () -> {
            until(this);
            fill();
            mark(this, 2);
            until(this, 3);
            clear();
        });
    }
}

/** Loops that two threads run once each. */
final class LoopedOnce implements Program {
    final int[] counter = new int[1]; // race: LoopedOnce.counter[]
    final long[] counts = new long[8]; // race: LoopedOnce.counts[]
    final int[] filled = new int[32]; // race: LoopedOnce.filled[]
    final char[] upTo = new char[4]; // race: LoopedOnce.upTo[]
    final byte[] written = new byte[16]; // race: LoopedOnce.written[]
    final double[][] grid = new double[2][4]; // race: LoopedOnce.grid[][]
    final int[] parts = new int[64]; // missed: LoopedOnce.parts[] -- which elements a loop over a part has accessed is not known

    void loop() {
        for (int i = 0; i < 3; i++) {
            counter[0]++;
        }
        for (int i = 0; i < 3; i++) {
            counts[3] += i;
        }
        for (int i = 0; i < filled.length; i++) {
            filled[i] = i * 2;
        }
        for (int i = 0; i < 4; i++) {
            upTo[i]++;
        }
        for (int row = 0; row < grid.length; row++) {
            for (int i = 0; i < grid[row].length; i++) {
                grid[row][i] += row;
            }
        }
        for (int i = 10; i < 20; i++) {
            parts[i]++;
        }
    }

    void write() {
        for (int i = 0; i < written.length; i++) {
            written[i] = 1;
        }
    }

    int read() {
        return written[3];
    }

    @Override
    public void run() throws Exception {
        together(() -> {
            loop();
            write();
            mark(this);
        }, () -> {
            until(this);
            loop();
            read();
        });
    }
}

/** The same of threads that share no element: a loop that leaves some out, or does not come to the end, says so. */
final class LoopedApart implements Program {
    final int[] halves = new int[64];
    final int[] turns = new int[16];
    final int[] found = new int[16];
    final int[] left = new int[16];
    final int[] caught = new int[16];
    final int[] pairs = new int[16];
    final int[][] rows = new int[2][8];

    void loop(int me) {
        if (me == 0) {
            for (int i = 0; i < 32; i++) {
                halves[i]++;
            }
        } else {
            for (int i = 32; i < 64; i++) {
                halves[i]++;
            }
        }
        for (int i = 0; i < turns.length; i++) {
            if (i % 2 == me) {
                turns[i]++;
            }
        }
        for (int i = 0; i < rows[me].length; i++) {
            rows[me][i] = me;
        }
        if (me == 0) {
            for (int i = 0; i < found.length; i++) {
                found[i] = 1;
                if (i == 7) {
                    break;
                }
            }
            leave();
            fail(8);
            for (int i = 0; i + 1 < pairs.length; i++) {
                pairs[i] = i + 1;
            }
        } else {
            pairs[15] = 0;
            for (int i = 8; i < found.length; i++) {
                found[i] = 2;
                left[i] = 2;
                caught[i] = 2;
            }
        }
    }

    int leave() {
        for (int i = 0; i < left.length; i++) {
            left[i] = 1;
            if (i == 7) {
                return i;
            }
        }
        return 0;
    }

    void fail(int at) {
        try {
            for (int i = 0; i < caught.length; i++) {
                caught[i] = 1 / (at - 1 - i);
            }
        } catch (ArithmeticException e) {
            caught[at - 1] = 0;
        }
    }

    @Override
    public void run() throws Exception {
        together(() -> {
            loop(0);
            mark(this);
        }, () -> {
            until(this);
            loop(1);
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Slices(), new Interleaved(), new Rows(), new Slots(), new SameSlot(), new WholeArray(), new WholeArrayOnce(),
                new CopiedWhileFilled(), new CopiedParts(), new SortedAndRead(), new Cloned(), new Borders(), new OwnUnderLock(), new PairUnderLock(),
                new OwnAndOther(), new OwnOfFew(), new ReadBare(), new RacyAndOwn(), new OnceBare(),
                new SortedHalves(), new OverlappingParts(), new FilledAtOnce(), new FilledInTurns(), new ClonedOnce(), new ReadWithOwn(), new OwnReadTwice(), new Stencil(), new LoopedOnce(), new LoopedApart());
    }
}
