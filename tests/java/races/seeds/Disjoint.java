package seeds;

import java.util.ArrayList;
import java.util.List;

/** What each of many threads has for itself, though it is made in one place for all of them; and what only looks like that. */
public class Disjoint {
    static final int MANY = 3;

    /** A thread, and what its constructor makes. */
    static class Lift extends Thread {
        private int floor;
        private int[] calls = new int[MANY];
        private Door door = new Door();

        @Override
        public void run() {
            for (int i = 0; i < MANY; i++) {
                floor = MANY - floor;
                calls[i]++;
                door.move();
                count(this);
            }
        }

        private static void count(Lift lift) {
            lift.floor++;
            lift.door.moves++;
        }
    }

    static class Door {
        int moves;

        void move() {
            moves++;
        }
    }

    /** It starts itself. */
    static class Starter extends Thread {
        private int begun;

        Starter() {
            begun = 1;
            start();
        }

        @Override
        public void run() {
            begun++;
        }
    }

    static class Task implements Runnable {
        private int steps;
        private final int[] sums = new int[MANY];

        @Override
        public void run() {
            steps++;
            sums[steps]++;
        }
    }

    static class Cell {
        int captured;
        int outer;
        int shared; // race
    }

    static void launch(Runnable task) {
        new Thread(task, "launched").start();
    }

    static void clean() {
        for (int i = 0; i < MANY; i++) {
            new Lift().start();
            new Starter();
            new Thread(new Task()).start();
            launch(new Task());
            Cell cell = new Cell();
            new Thread(() -> cell.captured++).start();
            Cell outer = new Cell();
            new Thread(new Runnable() {
                private int inner;

                @Override
                public void run() {
                    inner++;
                    outer.outer++;
                }
            }).start();
        }
    }

    // ---- one object for several threads ---------------------------------------------------------------------------

    static class Twice implements Runnable {
        private int twice; // race

        @Override
        public void run() {
            twice++;
        }
    }

    static class Again implements Runnable {
        private int again; // race

        @Override
        public void run() {
            again++;
        }
    }

    static class Passed implements Runnable {
        private int passed; // race

        @Override
        public void run() {
            passed++;
        }
    }

    static class Doubled implements Runnable {
        private int doubled; // race

        @Override
        public void run() {
            doubled++;
        }
    }

    /** Its constructor has a thread begin on it, and who makes it another one. */
    static class Leaking implements Runnable {
        private int leaked; // race

        Leaking() {
            new Thread(this).start();
        }

        @Override
        public void run() {
            leaked++;
        }
    }

    /** Whoever starts it has two threads begin on it. */
    static class Overridden extends Thread {
        private int overridden; // race

        @Override
        public synchronized void start() {
            new Thread(this).start();
            new Thread(this).start();
        }

        @Override
        public void run() {
            overridden++;
        }
    }

    /** The main thread runs it, too. */
    static class Called extends Thread {
        private int called; // race

        @Override
        public void run() {
            called++;
        }
    }

    static void both(Runnable task) {
        new Thread(task).start();
        new Thread(task).start();
    }

    static void one(Runnable task) {
        new Thread(task).start();
    }

    static void severalThreads() {
        Twice twice = new Twice();
        new Thread(twice).start();
        new Thread(twice).start();
        Again again = new Again();
        for (int i = 0; i < MANY; i++) {
            new Thread(again).start();
        }
        Passed passed = new Passed();
        one(passed);
        one(passed);
        both(new Doubled());
        new Thread(new Leaking()).start();
        new Overridden().start();
        Called called = new Called();
        called.start();
        called.run();
        Cell cell = new Cell();
        Runnable lambda = () -> cell.shared++;
        new Thread(lambda).start();
        new Thread(lambda).start();
    }

    // ---- one object that several threads hold ---------------------------------------------------------------------

    static class Given extends Thread {
        private final int[] given;

        Given(int[] given) {
            this.given = given;
        }

        @Override
        public void run() {
            given[0]++;
        }
    }

    static class Holder extends Thread {
        Box held = new Box();

        @Override
        public void run() {
            held.swapped++;
        }
    }

    static class Box {
        int swapped; // race
    }

    static class Part {
        int copied; // race
    }

    static class Copied implements Runnable, Cloneable {
        private Part part = new Part();

        @Override
        public void run() {
            part.copied++;
        }

        Copied copy() {
            try {
                return (Copied) clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    static class Seen extends Thread {
        int seen; // race

        @Override
        public void run() {
            seen++;
        }
    }

    /** Each but the first has the parts of the one before. */
    static class Chained extends Thread {
        private Link own = new Link();
        private Link other;

        Chained(Chained before) {
            if (before != null) {
                other = before.own;
            }
        }

        @Override
        public void run() {
            own.linked++;
            if (other != null) {
                other.linked++;
            }
        }
    }

    static class Link {
        int linked; // race
    }

    /** One object in two fields. */
    static class Halves extends Thread {
        Half left;
        Half right;

        @Override
        public void run() {
            if (left != null) {
                left.halved++;
            }
            if (right != null) {
                right.halved++;
            }
        }
    }

    static class Half {
        int halved; // race
    }

    /** A thread has itself, whoever else has it. */
    static class Parent extends Thread {
        private Child child;

        @Override
        public void run() {
            child = new Child();
            child.start();
            child.raised++;
        }
    }

    static class Child extends Thread {
        int raised; // race

        @Override
        public void run() {
            raised++;
        }
    }

    /** What starts itself runs once more as the task of another thread. */
    static class SelfStarted extends Thread {
        private int ran; // race

        SelfStarted() {
            start();
        }

        @Override
        public void run() {
            ran++;
        }
    }

    static class Paired extends Thread {
        private final Pair pair;

        Paired(Pair pair) {
            this.pair = pair;
        }

        @Override
        public void run() {
            pair.paired++;
        }
    }

    static class Pair {
        int paired; // race
    }

    static void pair(Pair left, Pair right) {
        new Paired(left).start();
        new Paired(right).start();
    }

    static void severalHolders() {
        int[] array = new int[1]; // race
        for (int i = 0; i < MANY; i++) {
            new Given(array).start();
        }
        Holder first = new Holder();
        Holder second = new Holder();
        second.held = first.held;
        first.start();
        second.start();
        Copied copied = new Copied();
        new Thread(copied).start();
        new Thread(copied.copy()).start();
        List<Seen> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Seen seen = new Seen();
            all.add(seen);
            seen.start();
        }
        for (Seen seen : all) {
            seen.seen++;
        }
        Chained before = null;
        for (int i = 0; i < MANY; i++) {
            before = new Chained(before);
            before.start();
        }
        Halves one = new Halves();
        Halves two = new Halves();
        Half half = new Half();
        one.left = half;
        two.right = half;
        one.start();
        two.start();
        new Parent().start();
        new Thread(new SelfStarted()).start();
        Pair pair = new Pair();
        pair(pair, pair);
    }

    public static void main(String[] arguments) {
        clean();
        severalThreads();
        severalHolders();
    }
}
