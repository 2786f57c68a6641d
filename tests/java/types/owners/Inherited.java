package owners;

/** What a library calls in an object of a subclass: it is the subclass that implements the library's interface. */
final class Inherited {
    static class Run {
        int raced; // type: unsafe
        public void run() {
            raced++;
        }
    }

    /** Runs it in another thread, without the lock. */
    static final class Task extends Run implements Runnable {}

    interface Defaults {
        Counter counter();
        default void run() {
            counter().raced++;
        }
    }

    static final class Counter {
        int raced; // type: unsafe
        int locked; // type: guarded this
    }

    static final class ByDefault implements Defaults, Runnable {
        final Counter counter = new Counter(); // type: final
        @Override
        public Counter counter() {
            return counter;
        }
        @Override
        public void run() {
            Defaults.super.run();
        }
    }

    /** The same method, which nothing but its own code calls. */
    static class Walk {
        int kept; // type: guarded this
        void walk() {
            kept++;
        }
    }

    static final class Other extends Walk implements Runnable {
        @Override
        public void run() {
            synchronized (this) {
                walk();
            }
        }
    }

    static void all(Counter counter) {
        Task task = new Task();
        new Thread(task).start();
        synchronized (task) {
            task.run();
        }
        ByDefault other = new ByDefault();
        new Thread(other).start();
        synchronized (other.counter) {
            other.run();
            other.counter.locked++;
        }
        new Thread(new Other()).start();
    }
}
