package loading;

/** Guarded, as far as the classes go that are there from the beginning. */
public final class Counter extends Base implements Runnable {
    static int counted; // race: Counter.counted

    @Override
    public void run() {
        add();
    }

    static synchronized void add() {
        counted++;
    }
}
