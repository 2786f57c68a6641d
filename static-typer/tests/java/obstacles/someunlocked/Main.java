// Write Later, Reach Static, Begin Static, Threads Lambda, Lock SomeUnlocked, Owner Unkept
// alone: Reach Static, Begin Static, Threads Lambda
package someunlocked;

class X {
    int hits;
}

final class Main {
    static final X LAST = new X();

    static void work() {
        synchronized (LAST) {
            LAST.hits++;
        }
        LAST.hits++;
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
