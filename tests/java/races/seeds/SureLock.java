package seeds;

/** Two locks are held, of which one is certainly the same; the fields that have them are not final. */
public class SureLock {
    static class Late {
        static Object lock = new Object();
    }

    static class Cell {
        int early;
        int late;
        int unsure; // race
        int other; // race
    }

    private static Object lock = new Object();
    private static final Cell CELL = new Cell();

    static void work() {
        Object own = new Object();
        synchronized (own) {
            synchronized (lock) {
                CELL.early++;
            }
            synchronized (Late.lock) {
                CELL.late++;
            }
            CELL.unsure++;
        }
    }

    static void work(Object mine, Object lock) {
        synchronized (mine) {
            synchronized (lock) {
                CELL.other++;
            }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> work()).start();
        work();
        new Thread(() -> work(new Object(), lock)).start();
        work(new Object(), Late.lock);
    }
}
