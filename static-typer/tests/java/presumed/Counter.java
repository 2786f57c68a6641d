package presumed;

import jrace.annotations.GuardedBy;

/** Which fields are presumed to be owned by their objects, and which of their accesses hold the monitor by themselves. */
public final class Counter {
    private final Object lock = new Object();
    private int mostly; // presumed
    private int helped; // presumed
    @GuardedBy("this") private int said; // presumed
    private int seldom;
    @GuardedBy("lock") private int other;
    private static int shared;

    public Counter() {
        mostly = 1;
    }

    public synchronized void add() {
        mostly++; // held
        said = 1; // held
        seldom = 1;
        other = 1;
        other = 2;
        shared++;
        help();
    }

    /** Its callers hold the monitor. */
    private void help() {
        helped++; // conforming
    }

    public int both() {
        synchronized (this) {
            return mostly + helped; // held
        }
    }

    public int stray() {
        return mostly + helped; // conforming
    }

    public int look() {
        return said; // conforming
    }

    public int lookAgain() {
        return said; // conforming
    }

    public int others() {
        return seldom + other + shared;
    }

    /** Nobody else has the object yet. */
    public static Counter of(int n) {
        Counter counter = new Counter();
        counter.mostly = n;
        return counter;
    }

    public static int ofOther(Counter counter) {
        synchronized (counter) {
            counter.mostly = 0; // held
        }
        return counter.seldom;
    }
}
