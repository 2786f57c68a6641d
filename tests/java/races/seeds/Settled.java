package seeds;

import java.util.Arrays;
import java.util.function.Consumer;

/** Locks that are elements of arrays: of those that are filled once an element is one lock, of others it is not. */
public class Settled {
    static final int MANY = 3;

    static class Cell {
        int locked;
        int called;
        int inClass;
        int constant;
        int inside;
        int other; // race
        int counted; // race
        int replaced; // race
        int grown; // race
        int given; // race
        int filled; // race
        int late; // race
        int leaked; // race
        int twoArrays; // race
        int above; // race
        int making; // race
        int turned; // race
        int copied; // race
        final Object lock = new Object();

        void call() {
            called++;
        }
    }

    // ---- filled once ----------------------------------------------------------------------------------------------

    static class Floors {
        private Cell[] cells;

        Floors(int n) {
            cells = new Cell[n + 1];
            for (int i = 0; i <= n; i++) {
                cells[i] = new Cell();
            }
        }

        void use(int i) {
            synchronized (cells[i]) {
                cells[i].locked++;
                cells[i].call();
            }
            synchronized (cells[0]) {
                cells[0].constant++;
            }
            synchronized (cells[i].lock) {
                cells[i].inside++;
            }
        }
    }

    static final Cell[] OF_CLASS = new Cell[MANY];

    static {
        for (int i = 0; i < MANY; i++) {
            OF_CLASS[i] = new Cell();
        }
    }

    /** It counts in an array while nobody else has it, and then has another thread do so. */
    static class Filling extends Thread {
        private int[] sums;

        Filling() {
            sums = new int[MANY];
            for (int i = 0; i < MANY; i++) {
                sums[i] = i;
            }
            start();
        }

        @Override
        public void run() {
            sums[0]++;
        }
    }

    // ---- not so ---------------------------------------------------------------------------------------------------

    static class Replaced {
        private final Cell[] cells = {new Cell(), new Cell()};

        void use(int i, int j) {
            synchronized (cells[i]) {
                cells[j].other++;
            }
            synchronized (cells[i]) {
                i = 1 - i;
                cells[i].counted++;
            }
        }
    }

    static class Exchanged {
        private final Cell[] cells = {new Cell(), new Cell()}; // race

        void use(int i) {
            synchronized (cells[i]) {
                cells[i].replaced++;
            }
        }

        void exchange() {
            Cell first = cells[0];
            cells[0] = cells[1];
            cells[1] = first;
        }
    }

    static class Grown {
        private Cell[] boxes = {new Cell()}; // race

        void use() {
            synchronized (boxes[0]) {
                boxes[0].grown++;
            }
        }

        void grow(Grown other) {
            boxes = new Cell[] {new Cell(), other.boxes[0]}; // race
        }
    }

    static class Given {
        private final Cell[] cells;

        Given(Cell[] cells) {
            this.cells = cells;
            cells[0] = new Cell();
        }

        void use() {
            synchronized (cells[0]) {
                cells[0].given++;
            }
        }
    }

    static class Filled {
        private final Cell[] cells = new Cell[MANY]; // race

        Filled() {
            Arrays.fill(cells, new Cell());
        }

        void use(int i, int j) {
            synchronized (cells[i]) {
                cells[i].filled++;
            }
            if (j > MANY) {
                Arrays.setAll(cells, k -> new Cell());
            }
        }
    }

    static class Late extends Thread {
        private final Cell[] cells = new Cell[1]; // race

        Late(Cell cell) {
            cells[0] = new Cell();
            start();
            cells[0] = cell;
        }

        @Override
        public void run() {
            synchronized (cells[0]) {
                cells[0].late++;
            }
        }
    }

    static class Leaked {
        static Cell[] last; // race
        private final Cell[] cells = new Cell[1]; // race

        Leaked(Cell cell) {
            last = cells;
            cells[0] = cell;
        }

        void use() {
            synchronized (cells[0]) {
                cells[0].leaked++;
            }
        }
    }

    static class TwoArrays {
        private final Cell[] locks = new Cell[MANY];
        private final Cell[] cells = new Cell[MANY];

        TwoArrays(Cell cell) {
            for (int i = 0; i < MANY; i++) {
                locks[i] = new Cell();
                cells[i] = cell;
            }
        }

        void use(int i) {
            synchronized (locks[i]) {
                cells[i].twoArrays++;
            }
        }
    }

    /** What the constructor above was given is not the object's own. */
    static class Above {
        protected final Cell[] shared;
        protected int[] counts;

        Above(Cell[] shared, int[] counts) {
            this.shared = shared;
            this.counts = counts;
        }
    }

    static class Below extends Above {
        Below(Cell[] shared, int[] given) {
            super(shared, given);
            shared[0] = new Cell();
            this.shared[0] = new Cell();
            counts[0]++;
            counts = new int[1];
        }

        void use() {
            synchronized (shared[0]) {
                shared[0].above++;
            }
        }
    }

    /** It locks one element, and uses the next one in its place. */
    static class Making {
        private final Cell[] cells = {new Cell()};

        Making(Cell cell) {
            synchronized (cells[0]) {
                cells[0] = cell;
                cells[0].making++;
            }
        }
    }

    static class Turned {
        private Cell[] front = {new Cell()}; // race
        private Cell[] back = {new Cell()}; // race

        void use() {
            synchronized (front[0]) {
                front[0].turned++;
            }
        }

        void turn() {
            Cell[] before = front;
            front = back;
            back = before;
        }
    }

    /** Others have the array, but not the object. */
    static class Exposed {
        static volatile int[] exposed;
        static volatile int[] passed;
        static volatile int[] helped;
        static volatile int[] made;
        static volatile int[] chosen;
        static volatile int[] result;
        static volatile int[][] elements = new int[1][]; // race
        static volatile Part part;
        private int[] given;
        private int[] taken;
        private int[] shown;
        private int[] kept;
        private int[] maybe;
        private int[] got;
        private int[] inArray;
        private int[] inPart;

        static class Part {
            final int[] its;

            Part(Exposed whole) {
                its = whole.inPart;
                part = this;
            }
        }

        Exposed(boolean isFirst) {
            given = new int[1]; // race
            exposed = given;
            given[0]++;
            taken = new int[1]; // race
            pass(taken);
            taken[0]++;
            shown = new int[1]; // race
            help();
            shown[0]++;
            int[] own = new int[1]; // race
            kept = own;
            helpWithKept();
            own[0]++;
            maybe = new int[1]; // race
            chosen = isFirst ? maybe : null;
            maybe[0]++;
            got = new int[1]; // race
            result = get();
            got[0]++;
            inArray = new int[1]; // race
            elements[0] = inArray;
            inArray[0]++;
            inPart = new int[1]; // race
            new Part(this);
            inPart[0]++;
        }

        private void help() {
            helped = shown;
        }

        private void helpWithKept() {
            made = kept;
        }

        private int[] get() {
            return got;
        }

        private static void pass(int[] array) {
            passed = array;
        }

        static int use() {
            int fields = exposed[0] + passed[0] + helped[0] + made[0] + chosen[0] + result[0];
            return fields + elements[0][0] + part.its[0];
        }
    }

    /** A copy has the same array. */
    static class Copied implements Cloneable {
        static volatile Copied copy;
        private int[] copiedCounts;

        Copied() {
            copiedCounts = new int[1]; // race
            publish();
            copiedCounts[0]++;
        }

        private void publish() {
            try {
                copy = (Copied) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        static int use() {
            return copy.copiedCounts[0];
        }
    }

    /** A copy is out that locks the same cells. */
    static class CopiedCells implements Cloneable {
        static volatile CopiedCells copy;
        private final Cell[] cells = {new Cell()}; // race

        CopiedCells() throws CloneNotSupportedException {
            copy = (CopiedCells) clone();
            cells[0] = new Cell();
        }

        void use() {
            synchronized (cells[0]) {
                cells[0].copied++;
            }
        }
    }

    // ---- with methods that help the constructor -------------------------------------------------------------------

    static class Box {
        int helpedBox;
        int whileHelping; // race
    }

    static class Helped {
        private Box[] boxes;

        Helped() {
            fill();
        }

        private void fill() {
            boxes = new Box[MANY];
            for (int i = 0; i < MANY; i++) {
                boxes[i] = new Box();
            }
        }

        void use(int i) {
            synchronized (boxes[i]) {
                boxes[i].helpedBox++;
            }
        }
    }

    /** It locks one element, and uses the next one in its place. */
    static class Helping {
        private final Box[] boxes = {new Box()};

        Helping(Box box) {
            fill(box);
        }

        private void fill(Box box) {
            synchronized (boxes[0]) {
                boxes[0] = box;
                boxes[0].whileHelping++;
            }
        }
    }

    /** What is called with the array only uses it. */
    static class Lent extends Thread {
        private final int[] lent = new int[MANY];

        Lent() {
            Arrays.fill(lent, 1);
            System.out.println(sum(lent));
            lent[0]++;
            start();
        }

        private static int sum(int[] numbers) {
            return numbers[0] + last(numbers);
        }

        private static int last(int[] numbers) {
            return numbers[numbers.length - 1];
        }

        @Override
        public void run() {
            lent[0]++;
        }
    }

    static class Lost {
        static volatile int[] lost;
        private final int[] lostCounts = new int[MANY]; // race

        Lost() {
            lend(lostCounts);
            lostCounts[0]++;
        }

        private static void lend(int[] numbers) {
            keep(numbers);
        }

        private static void keep(int[] numbers) {
            lost = numbers;
        }
    }

    /** The lambda has captured something, which comes before what it is called with. */
    static class LostByLambda {
        static volatile Object[] keeper = new Object[2]; // race
        private final int[] forLambda = new int[MANY]; // race

        LostByLambda(Object[] captured) {
            Consumer<int[]> keep = numbers -> captured[0] = numbers;
            keep.accept(forLambda);
            forLambda[0]++;
        }

        static int use() {
            return ((int[]) keeper[0])[0];
        }
    }

    static void both(Runnable task) {
        new Thread(task).start();
        new Thread(task).start();
    }

    public static void main(String[] arguments) {
        int n = arguments.length;
        Floors floors = new Floors(MANY);
        both(() -> floors.use(n));
        both(() -> {
            synchronized (OF_CLASS[n]) {
                OF_CLASS[n].inClass++;
            }
        });
        new Filling();
        Replaced replaced = new Replaced();
        both(() -> replaced.use(n, 1));
        Exchanged exchanged = new Exchanged();
        both(() -> {
            exchanged.use(n);
            exchanged.exchange();
        });
        Grown grown = new Grown();
        both(() -> {
            grown.use();
            grown.grow(grown);
        });
        Cell[] cells = new Cell[1]; // race
        both(() -> new Given(cells).use());
        Filled filled = new Filled();
        both(() -> filled.use(n, n));
        Cell cell = new Cell();
        new Late(cell);
        new Late(cell);
        both(() -> new Making(cell));
        Turned turned = new Turned();
        both(() -> {
            turned.use();
            turned.turn();
        });
        Helped helped = new Helped();
        both(() -> helped.use(n));
        Box box = new Box();
        both(() -> new Helping(box));
        new Lent();
        both(() -> {
            new Lost();
            System.out.println(Lost.lost[0]);
        });
        both(() -> {
            new LostByLambda(LostByLambda.keeper);
            System.out.println(LostByLambda.use());
        });
        both(() -> {
            new Copied();
            Copied.use();
        });
        both(() -> {
            try {
                new CopiedCells();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
            CopiedCells.copy.use();
        });
        both(() -> {
            new Exposed(n == 0);
            Exposed.use();
        });
        both(() -> {
            Leaked leaked = new Leaked(cell);
            leaked.use();
            Leaked.last[0] = new Cell();
        });
        Cell[] shared = new Cell[1]; // race
        int[] counts = new int[1]; // race
        both(() -> new Below(shared, counts).use());
        TwoArrays one = new TwoArrays(cell);
        TwoArrays two = new TwoArrays(cell);
        new Thread(() -> one.use(n)).start();
        new Thread(() -> two.use(n)).start();
    }
}
