package ranked;

/** Copies of an object are among those that are used. */
public class Copies {
    static class Counter implements Cloneable {
        private int counted;

        Counter copy() {
            try {
                return (Counter) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private volatile Counter counter = new Counter();

    public synchronized void count() {
        counter.counted++;
    }

    public int counted() {
        return counter.counted;
    }

    public void renew() {
        counter = counter.copy();
    }
}
