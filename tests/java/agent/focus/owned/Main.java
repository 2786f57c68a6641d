package owned;

import static util.Threads.each;

import java.lang.reflect.Method;

/** Fields most accesses to which hold the monitor of their object: a focus by methods holds the others to it. */
public final class Main {
    private Main() {}

    static final class Box {
        private int forgotten; // race: Main$Box.forgotten
        private int helped; // race: Main$Box.helped
        private int alone;
        /** With a focus by methods a false alarm: nobody writes it any more when it is read without the lock. */
        private int settled;

        synchronized void add() {
            forgotten++;
            alone++;
            help();
        }

        int forget() {
            return forgotten;
        }

        /** All calls in the code hold the lock. */
        private void help() {
            helped++;
        }

        synchronized int helped() {
            return helped;
        }

        int guess() {
            return helped;
        }

        void addAlone() {
            alone++;
        }

        synchronized int alone() {
            return alone;
        }

        synchronized void settle(int value) {
            settled = value;
        }

        synchronized int settled() {
            return settled;
        }

        int look() {
            return settled;
        }
    }

    private static final Box[] KEPT = {new Box(), new Box(), new Box()};

    private static void addAlone(int kept) {
        KEPT[kept].addAlone();
        KEPT[kept].add();
        KEPT[kept].addAlone();
    }

    public static void main(String[] args) throws Exception {
        Box box = KEPT[2];
        box.settle(1);
        each(box::add, box::add, box::forget);
        each(() -> addAlone(0), () -> addAlone(1));
        each(box::look, box::look);
        Method help = Box.class.getDeclaredMethod("help");
        help.setAccessible(true);
        Box helped = new Box();
        each(helped::add, helped::helped, () -> help.invoke(helped));
    }
}
