package quiet;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** Methods with what happens in them: in the line of each, whether its executions do nothing that is recorded for transactions. */
public final class Quiet {
    static int racy;
    static volatile int flag;
    static int guarded;
    static final int[] CELLS = new int[1];
    static final ConcurrentHashMap<Integer, Integer> MAP = new ConcurrentHashMap<>();
    static Box shown;

    private Quiet() {}

    public static void main(String[] args) {
        shown = new Box();
        shown.fill(7);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> new Quiet().all()).start();
        }
    }

    private void all() {
        flag++;
        CELLS[0]++;
        readsRacy();
        readsVolatile();
        readsShown();
        fillsOwn();
        readsCells();
        readsMap();
        callsIdle();
        callsRacy();
        locks();
        locksAndCounts();
        waits();
        starts();
        throughJdk();
        initializes();
        calls(() -> 1);
        choose(new Calm()).get();
        choose(() -> racy++).get();
        callsNoisy(choose(() -> racy++));
        spins(3);
    }

    int readsRacy() { return racy; } // needed
    int readsVolatile() { return flag; } // needed
    int readsShown() { return shown.value; } // idle
    int fillsOwn() { return new Box().fill(1); } // idle
    int readsCells() { return CELLS[0]; } // needed
    int readsMap() { return MAP.size(); } // needed
    int callsIdle() { return readsShown() + fillsOwn(); } // idle
    int callsRacy() { return readsShown() + readsRacy(); } // needed
    synchronized int locks() { return readsShown(); } // idle
    static synchronized int locksAndCounts() { return guarded++; } // needed
    synchronized void waits() { notifyAll(); } // idle
    void starts() { new Thread(Quiet::nothing).start(); } // needed
    static void nothing() { fixed(); } // idle
    static int fixed() { return 1; } // idle
    void throughJdk() { List.of(1).forEach(Quiet::count); } // needed
    static void count(int by) { racy += by; } // needed
    int initializes() { return Late.value(); } // needed
    int calls(IntSupplier calm) { return calm.getAsInt(); } // idle
    static Source choose(Source source) { return source; } // idle
    int callsNoisy(Source source) { return source.get(); } // needed
    int spins(int n) { return n == 0 ? fixed() : spins(n - 1); } // idle

    /** What one thread fills before others see it. */
    static final class Box {
        int value;

        int fill(int with) { return value = with; } // idle
    }

    interface Source {
        int get();
    }

    static final class Calm implements Source {
        @Override
        public int get() { return fixed(); } // idle
    }

    static final class Late {
        static {
            racy++;
        }

        static int value() { return 1; } // idle
    }
}
