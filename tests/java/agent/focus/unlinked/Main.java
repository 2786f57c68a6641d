package unlinked;

import static util.Threads.each;

import java.util.function.Consumer;

/** Its subclasses are loaded when {@link Main#make} is verified, and linked by nothing. */
class Base {
    int value;
}

final class Left extends Base {
    int left;
}

final class Right extends Base {
    int right;
}

/** Guarded, as far as the classes go that are there from the beginning. */
final class Counter {
    int count; // race: Counter.count
    private final int[] cells = new int[64];

    synchronized void add(int i) {
        cells[i & 63]++;
        count++;
    }

    /** Nothing that is checked runs while it holds the lock. */
    synchronized int size() {
        return cells.length;
    }

    /** Each array is met for the first time. */
    static int sum(int n) {
        int[] fresh = new int[n];
        int sum = 0;
        for (int cell : fresh) {
            sum += cell;
        }
        return sum;
    }
}

/** Counts for long once the proofs are void, in a method that began before. */
public final class Main {
    private static final int LONG = 100_000;

    public static void main(String[] names) throws Exception {
        Counter counter = new Counter();
        if (names.length > 1) {
            System.out.println(make(true).value);
        }
        for (String name : names) {
            Consumer<Object> late = late(name);
            each(() -> late.accept(counter), () -> late.accept(counter));
        }
        Thread other = new Thread(() -> count(counter));
        other.start();
        for (int i = 0; i < LONG; i++) {
            counter.add(Counter.sum(i % counter.size()));
        }
        other.join();
    }

    private static void count(Counter counter) {
        for (int i = 0; i < LONG; i++) {
            counter.add(Counter.sum(i % counter.size()));
        }
    }

    private static Base make(boolean left) {
        return left ? new Left() : new Right();
    }

    @SuppressWarnings("unchecked")
    private static Consumer<Object> late(String name) throws ReflectiveOperationException {
        return (Consumer<Object>) Class.forName(name).getDeclaredConstructor().newInstance();
    }
}
