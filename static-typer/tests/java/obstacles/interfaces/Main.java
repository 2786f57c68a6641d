// Write Later, Reach Interface, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Interface, Begin Static, Threads Lambda
package interfaces;

interface Countable {}

class X implements Countable {
    int hits;
}

final class Main {
    static Countable last;

    static void keep(Countable countable) {
        last = countable;
    }

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        X x = new X();
        keep(x);
        hit(x);
    }
}
