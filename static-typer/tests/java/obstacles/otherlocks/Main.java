// Write Later, Reach Static, Begin Static, Threads Lambda, Lock OtherLocks, Owner Unkept
// alone: Reach Static, Begin Static, Threads Lambda
package otherlocks;

class X {
    int hits;
}

final class Main {
    static final Object ONE = new Object();
    static final Object OTHER = new Object();
    static X last;

    static void work() {
        last = new X();
        synchronized (ONE) {
            last.hits++;
        }
        synchronized (OTHER) {
            last.hits++;
        }
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
