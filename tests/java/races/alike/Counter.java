package alike;

/** Accesses that are alike in different methods: each method has a part in a race. */
public class Counter {
    private int count;

    public void increment() {
        count++;
    }

    public void decrement() {
        count--;
    }

    public void reset() {
        count = 0;
    }

    public synchronized int get() {
        return count;
    }

    public synchronized boolean isZero() {
        return count == 0;
    }
}
