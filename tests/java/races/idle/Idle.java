package idle;

import java.util.ArrayList;
import java.util.List;

/**
 * Locks with what may run under them: on each line with a lock, whether it is idle. Those that are said to be missed are idle, too, but
 * that is not found out: the calls of the JDK seem to lead to more than they do, and the store to a new array counts as checked.
 */
public final class Idle {
    static int racy;
    int own;
    static int safe = 1;
    static int[] cells = new int[1];
    static final Object LOCK = new Object();
    static final Object OTHER = new Object();
    static Object published;

    private Idle() {}

    public static void main(String[] args) throws Exception {
        Idle idle = new Idle();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> idle.run()).start();
        }
    }

    void run() {
        racy++;
        own++;
        cells[0]++;
        try {
            all();
        } catch (InterruptedException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void all() throws InterruptedException, ReflectiveOperationException {
        statics();
        getSafe();
        getOwn();
        getRacy();
        getStatic();
        callsSafe();
        callsRacy();
        nested();
        waits();
        ways(safe);
        throwsInside();
        catches();
        catchesInside();
        again();
        shapes(new Calm());
        calm(new Calm());
        texts(new Shown(), new Calm());
        callbacks(new ArrayList<>(List.of(1, 2)));
        initializes();
        starts();
        reflects();
        record(new Pair(new Shown()));
        makes();
        elsewhere(new Idle());
    }

    // Synchronized methods.
    synchronized int getSafe() { return safe; } // idle
    synchronized int getOwn() { return own; } // needed
    synchronized int getRacy() { return racy; } // needed
    static synchronized int getStatic() { return safe; } // idle
    static synchronized int statics() { return racy; } // needed
    synchronized int callsSafe() { return getSafe(); } // idle
    synchronized int callsRacy() { return getSafe() + getOwn(); } // needed

    void nested() {
        synchronized (LOCK) { // needed
            synchronized (OTHER) { // idle
                safe();
            }
            racy++;
        }
        synchronized (LOCK) { // needed
            synchronized (OTHER) { // needed
                racy++;
            }
        }
        synchronized (LOCK) { // idle
            synchronized (OTHER) { // idle
                safe();
            }
        }
        racy++;
    }

    void waits() throws InterruptedException {
        synchronized (LOCK) { // idle
            LOCK.wait(1);
            LOCK.notifyAll();
        }
        synchronized (OTHER) { // needed
            OTHER.wait(1);
            racy++;
        }
    }

    int ways(int n) {
        for (int i = 0; i < 9; i++) {
            synchronized (LOCK) { // idle
                if (n == i) {
                    continue;
                }
                if (n > i) {
                    break;
                }
                if (n < -i) {
                    return racy(n);
                }
            }
            racy++;
        }
        return racy;
    }

    void throwsInside() {
        try {
            synchronized (LOCK) { // idle
                if (safe() > 1) {
                    throw new IllegalStateException();
                }
            }
        } catch (IllegalStateException e) {
            racy++;
        } finally {
            racy++;
        }
    }

    void catches() {
        try {
            racy++;
            synchronized (LOCK) { // idle
                safe();
            }
        } finally {
            racy++;
        }
    }

    void catchesInside() {
        synchronized (LOCK) { // needed
            try {
                safe();
            } catch (IllegalStateException e) {
                racy++;
            }
        }
    }

    void again() {
        synchronized (LOCK) { // needed
            Object same = LOCK;
            synchronized (same) { // idle
                safe();
            }
            racy++;
        }
    }

    interface Shape {
        int sides();
    }

    static final class Calm implements Shape {
        @Override
        public int sides() {
            return safe;
        }

        @Override
        public String toString() {
            return "calm";
        }
    }

    static class Loud implements Shape {
        @Override
        public int sides() {
            return racy;
        }
    }

    static final class Shown {
        @Override
        public String toString() {
            return "" + racy;
        }
    }

    record Pair(Shown shown) {}

    static void shapes(Shape first) {
        for (Shape shape : new Shape[] {first, new Loud()}) {
            synchronized (LOCK) { // needed
                shape.sides();
            }
        }
    }

    static void calm(Shape calm) {
        synchronized (LOCK) { // idle
            calm.sides();
        }
    }

    static void texts(Object shown, Object calm) {
        String text;
        synchronized (LOCK) { // needed
            text = "a" + shown;
        }
        synchronized (LOCK) { // missed
            text += "a" + calm + 1;
        }
        published = text;
    }

    static void callbacks(List<Integer> list) {
        synchronized (LOCK) { // needed
            list.forEach(each -> racy += each);
        }
        synchronized (LOCK) { // idle
            run(() -> safe());
        }
        synchronized (LOCK) { // needed
            list.sort((a, b) -> racy + a - b);
        }
    }

    static void run(Runnable task) {
        task.run();
    }

    static final class Late {
        static {
            racy++;
        }

        static void come() {}
    }

    static final class Harmless {
        static final int KEPT = safe();

        static void come() {}
    }

    void initializes() {
        synchronized (LOCK) { // needed
            Late.come();
        }
        harmless();
    }

    static void harmless() {
        synchronized (LOCK) { // idle
            Harmless.come();
        }
    }

    static void starts() {
        synchronized (LOCK) { // missed
            new Thread(() -> racy++).start();
        }
    }

    public static class Named {
        public static void run() {
            racy++;
        }
    }

    static void reflects() throws ReflectiveOperationException {
        synchronized (LOCK) { // needed
            Class.forName("idle.Idle$Named").getMethod("run").invoke(null);
        }
    }

    static void record(Pair pair) {
        synchronized (LOCK) { // needed
            published = pair.toString();
        }
    }

    static void makes() {
        synchronized (LOCK) { // missed
            published = new Object[] {null};
        }
    }

    /** An object that is not shared. */
    static void elsewhere(Idle fresh) {
        synchronized (fresh) { // idle
            fresh.getSafe();
        }
    }

    static int racy(int n) {
        return n;
    }

    static int safe() {
        return safe + 1;
    }

    /** No thread comes here. */
    static void unused() {
        synchronized (LOCK) { // needed
            safe();
        }
    }
}
