// Write Later, Reach Static, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Static, Begin Static, Threads Lambda
package statics;

class X {
    int hits;
}

final class Main {
    static X last;

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        last = new X();
        hit(last);
    }
}
