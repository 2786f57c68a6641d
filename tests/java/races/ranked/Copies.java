package ranked;

/** Copies of an object are among those that are used. */
public class Copies {
    /** Where one is used without the lock. */
    static class Counter implements Cloneable {
        private int counted;

        synchronized void count() {
            counted++;
        }

        int counted() {
            return counted;
        }

        Counter copy() {
            try {
                return (Counter) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private volatile Counter counter = new Counter();

    public void count() {
        counter.count();
    }

    public int counted() {
        return counter.counted();
    }

    public void renew() {
        counter = counter.copy();
    }
}
