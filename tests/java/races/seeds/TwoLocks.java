package seeds;

/** Two locks where one is needed. */
public class TwoLocks {
    private final Object first = new Object();
    private final Object second = new Object();
    private int split; // race
    private int together;

    void add() {
        synchronized (first) {
            split++;
            together++;
        }
    }

    void take() {
        synchronized (second) {
            split--;
        }
        synchronized (first) {
            together--;
        }
    }

    public static void main(String[] args) {
        TwoLocks locks = new TwoLocks();
        new Thread(() -> locks.add()).start();
        locks.take();
    }
}
