// Write Later, Reach Thrown, Begin Thrown, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Threads Lambda
package thrown;

class X extends RuntimeException {
    int hits;
}

final class Main {
    static void fail(X x) {
        throw x;
    }

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        try {
            fail(new X());
        } catch (X x) {
            hit(x);
        }
    }
}
